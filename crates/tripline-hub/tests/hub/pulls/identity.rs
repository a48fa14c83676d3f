//! Which pull request a run belongs to.

use fake_github::{Pull, PullState, Side, World};
use tripline_hub::WorkflowRun;
use tripline_hub::pulls::{self, Identity};

use crate::support::{BASE, HEAD, HOME, Hub, run_of, world};

const FORK: &str = "mallory/demo";
const OTHER: &str = "3333333333333333333333333333333333333333";

fn pull(number: u64, head: (&str, &str, &str), base_branch: &str) -> Pull {
    let (repository, branch, sha) = head;
    Pull::new(
        number,
        Side::new(repository, branch, sha),
        Side::new(HOME, base_branch, BASE),
    )
}

/// Asks, and returns the answer as text and what was asked.
fn identity(world: World, run: &WorkflowRun) -> (Identity, String, Vec<String>) {
    let hub = Hub::start(world);
    let identity = pulls::of_run(&hub.client(), run).unwrap();
    let told = identity.to_string();
    (identity, told, hub.requests())
}

#[test]
fn of_the_same_repository() {
    let world = world();
    let run = run_of(&world, HOME, "feature", HEAD);
    let (identity, told, requests) = identity(world, &run);
    let Identity::One(pull) = identity else {
        panic!("{told}");
    };
    assert_eq!(
        (pull.number, pull.base.as_str(), pull.base_branch.as_str()),
        (7, BASE, "main")
    );
    assert_eq!(pull.page, "https://github.com/acme/demo/pull/7");
    assert_eq!(told, "pull request 7 at 1111111111");
    assert_eq!(requests, ["GET pulls 200"]);
}

#[test]
fn of_a_fork_whose_branch_is_called_like_ours() {
    // Beside it lie a pull request of our own from a branch of that name, and somebody else's.
    let world = world()
        .with_fork(FORK)
        .with_fork("eve/demo")
        .with_pull(pull(8, (HOME, "main", OTHER), "release"))
        .with_pull(pull(9, (FORK, "main", HEAD), "main"))
        .with_pull(pull(10, ("eve/demo", "main", HEAD), "main"));
    let run = run_of(&world, FORK, "main", HEAD);
    let (identity, told, _) = identity(world, &run);
    assert!(
        matches!(identity, Identity::One(pull) if pull.number == 9),
        "{told}"
    );
}

#[test]
fn several_are_none() {
    let world = world().with_pull(pull(8, (HOME, "feature", HEAD), "release"));
    let run = run_of(&world, HOME, "feature", HEAD);
    let (identity, told, _) = identity(world, &run);
    assert!(matches!(identity, Identity::None { .. }));
    insta::assert_snapshot!(told, @"several pull requests come from acme:feature: 8 is at 1111111111, 7 is at 1111111111");
}

#[test]
fn none_is_none() {
    let world = World::new(HOME);
    let run = run_of(&world, HOME, "feature", HEAD);
    let (identity, told, _) = identity(world, &run);
    assert!(matches!(identity, Identity::None { .. }));
    insta::assert_snapshot!(told, @"no pull request from acme:feature is open");
}

#[test]
fn one_that_was_closed_is_none() {
    let mut world = world();
    world.pull_mut(7).unwrap().state = PullState::Closed;
    let run = run_of(&world, HOME, "feature", HEAD);
    let (identity, told, _) = identity(world, &run);
    assert!(matches!(identity, Identity::None { .. }), "{told}");
}

#[test]
fn one_that_has_moved_on_is_stale() {
    let world = world();
    let run = run_of(&world, HOME, "feature", OTHER);
    let (identity, told, _) = identity(world, &run);
    assert!(matches!(identity, Identity::Stale { .. }));
    insta::assert_snapshot!(told, @"acme:feature has moved on from 3333333333: 7 is at 1111111111");
}

#[test]
fn one_from_another_repository_of_the_same_owner_is_none() {
    // The fork was deleted and made anew: same name, another number, anybody's code.
    let world = world()
        .with_fork(FORK)
        .with_pull(pull(9, (FORK, "patch", HEAD), "main"));
    let mut run = run_of(&world, FORK, "patch", HEAD);
    run.head.repository.as_mut().unwrap().id += 1000;
    let (identity, told, _) = identity(world, &run);
    assert!(matches!(identity, Identity::None { .. }), "{told}");
}

#[test]
fn one_to_another_repository_is_none() {
    let world = world();
    let mut run = run_of(&world, HOME, "feature", HEAD);
    run.repository_id += 1000;
    let (identity, told, _) = identity(world, &run);
    assert!(matches!(identity, Identity::None { .. }), "{told}");
}

#[test]
fn a_run_that_no_pull_request_caused_asks_nobody() {
    let mut runs = Vec::new();
    for event in ["push", "pull_request_target", "schedule", "pull_request "] {
        let mut run = run_of(&world(), HOME, "feature", HEAD);
        run.event = event.parse().unwrap();
        runs.push(run);
    }
    let mut deleted = run_of(&world(), HOME, "feature", HEAD);
    deleted.head.repository = None;
    let mut of_a_tag = run_of(&world(), HOME, "feature", HEAD);
    of_a_tag.head.branch = None;
    runs.extend([deleted, of_a_tag]);
    for run in runs {
        let (identity, told, requests) = identity(world(), &run);
        assert!(matches!(identity, Identity::None { .. }), "{told}");
        assert_eq!(requests, [""; 0], "{told}");
    }
}

#[test]
fn a_branchs_name_changes_nothing_about_the_question() {
    for branch in ["a&state=closed", "a#b", "a%26b", "a+b", "ä/ö", "a;b"] {
        let world =
            World::new(HOME)
                .with_fork(FORK)
                .with_pull(pull(9, (FORK, branch, HEAD), "main"));
        let run = run_of(&world, FORK, branch, HEAD);
        let (identity, told, _) = identity(world, &run);
        assert!(
            matches!(identity, Identity::One(pull) if pull.number == 9),
            "{branch}: {told}"
        );
    }
}
