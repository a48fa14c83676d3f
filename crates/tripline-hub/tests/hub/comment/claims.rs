//! Comments that say they are newer than ours: believed only where GitHub says so, too.

use fake_github::{BOT, PullState, Run, World};
use tripline_hub::comment::{self, Comment, Marker, Posted};

use super::{body, comment, marker, world};
use crate::support::{BASE, HEAD, HOME, Hub};

/// A comment of the bot that claims to be about this.
fn claim(id: u64, attempt: u64, head: &str) -> Comment {
    let mut claim = comment(0);
    claim.text = "All is well.".to_owned();
    claim.marker = Marker {
        head: head.parse().unwrap(),
        ..marker(id, attempt)
    };
    claim
}

fn with(world: World, claim: &Comment) -> World {
    world.with_comment(7, BOT, &body(claim))
}

fn bodies(hub: &Hub) -> Vec<String> {
    let world = hub.fake.world();
    let comments = world.comments_on(7);
    comments.iter().map(|it| it.body.clone()).collect()
}

/// Publishes what run 3 found, and tells whether that is what stands there now, and nothing else.
fn is_told(hub: &Hub) -> bool {
    let posted = comment::publish(&hub.client(), &comment(3)).unwrap();
    let is_told = bodies(hub) == [body(&comment(3))];
    assert_eq!(is_told, !matches!(posted, Posted::Stale { .. }));
    is_told
}

#[test]
fn a_run_that_github_does_not_know_silences_nobody() {
    for planted in [
        claim(u64::MAX, 1, HEAD),
        claim(i64::MAX.unsigned_abs(), 1, HEAD),
        claim(7, 1, HEAD),
        claim(4, 10, HEAD),
        claim(3, 10, HEAD),
    ] {
        let hub = Hub::start(with(world(), &planted));
        assert!(is_told(&hub), "{planted:?}");
        let asked = hub.requests();
        assert!(asked.len() <= 3, "{asked:?}");
    }
    for real in [claim(4, 1, HEAD), claim(4, 9, HEAD), claim(3, 2, HEAD)] {
        assert!(!is_told(&Hub::start(with(world(), &real))), "{real:?}");
    }
}

#[test]
fn a_run_of_another_workflow_or_commit_silences_nobody() {
    let run = |workflow_id, head_sha: &str| Run {
        id: 8,
        workflow_id,
        head_repository: HOME.to_owned(),
        head_sha: head_sha.to_owned(),
        ..Run::default()
    };
    let planted = claim(8, 1, HEAD);
    for (run, is_silenced) in [
        (run(2, HEAD), false),
        (run(1, BASE), false),
        (run(1, HEAD), true),
    ] {
        let hub = Hub::start(with(world().with_run(run.clone()), &planted));
        assert_eq!(is_told(&hub), !is_silenced, "{run:?}");
    }
}

#[test]
fn what_is_about_another_commit_stays_where_the_pull_request_is_not_at_ours() {
    let other = claim(u64::MAX, 1, BASE);
    assert!(is_told(&Hub::start(with(world(), &other))));

    let mut moved = with(world(), &other);
    moved.push(HOME, "feature", BASE);
    assert!(!is_told(&Hub::start(moved)));

    let mut closed = with(world(), &other);
    closed.pull_mut(7).unwrap().state = PullState::Closed;
    assert!(!is_told(&Hub::start(closed)));
}

#[test]
fn of_many_claims_a_few_are_looked_into_and_all_that_is_ours_ends_as_one() {
    let planted = (1..=30).fold(world(), |world, id| with(world, &claim(100 + id, 1, HEAD)));
    let hub = Hub::start(planted);
    assert!(is_told(&hub));
    let reads = hub
        .requests()
        .iter()
        .filter(|it| it.starts_with("GET"))
        .count();
    assert_eq!(reads, 4, "one list and three runs");

    // One that is right is found behind others that are not.
    let world = with(with(world(), &claim(u64::MAX, 1, HEAD)), &claim(5, 1, HEAD));
    let posted = comment::publish(&Hub::start(world).client(), &comment(3)).unwrap();
    let Posted::Stale { newer } = posted else {
        panic!("{posted:?}");
    };
    assert_eq!(newer, marker(5, 1));
}
