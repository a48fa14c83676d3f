//! The pull request that we propose.

use fake_github::{FaultKind, Pull, PullState, Side, World};
use tripline_hub::pulls::{self, Proposal, Proposed};
use tripline_hub::{Address, HubError};

use crate::support::{BASE, HEAD, HOME, Hub, READ_TOKEN, told};

const BRANCH: &str = "tripline/baselines";

/// Returns a repository in which the branch has been pushed.
fn world() -> World {
    let mut world = World::new(HOME).with_fork("mallory/demo");
    let refs = &mut world.repository_mut(HOME).unwrap().refs;
    refs.insert(format!("refs/heads/{BRANCH}"), HEAD.to_owned());
    refs.insert("refs/heads/main".to_owned(), BASE.to_owned());
    world
}

fn proposal(body: &str) -> Proposal {
    Proposal {
        branch: BRANCH.parse().unwrap(),
        base: "main".parse().unwrap(),
        title: "Bring baselines up to date".to_owned(),
        body: body.to_owned(),
    }
}

fn propose(hub: &Hub, token: &str, body: &str) -> Result<Proposed, HubError> {
    let server: Address = "https://github.com".parse().unwrap();
    pulls::propose(&hub.client_with(token), &server, &proposal(body))
}

fn ours(hub: &Hub, body: &str) -> Proposed {
    propose(hub, crate::support::TOKEN, body).unwrap()
}

#[test]
fn is_opened_once_and_then_kept_at_what_we_say() {
    let hub = Hub::start(world());
    let Proposed::Opened(pull) = ours(&hub, "first\n") else {
        panic!("there was none");
    };
    assert_eq!(pull.head.as_str(), HEAD);
    assert_eq!(ours(&hub, "first"), Proposed::Unchanged(pull.clone()));
    assert_eq!(ours(&hub, "second"), Proposed::Refreshed(pull.clone()));
    let world = hub.fake.world();
    assert_eq!(world.pulls.len(), 1);
    assert_eq!(world.pulls[0].body.as_deref(), Some("second"));
    drop(world);
    assert_eq!(hub.requests().len(), 2 + 1 + 2, "{:?}", hub.requests());
}

#[test]
fn somebody_elses_branch_of_that_name_is_another() {
    let fork = Side::new("mallory/demo", BRANCH, HEAD);
    let hub = Hub::start(world().with_pull(Pull::new(5, fork, Side::new(HOME, "main", BASE))));
    assert!(matches!(ours(&hub, "x"), Proposed::Opened(_)));
    assert_eq!(hub.fake.world().pull(5).unwrap().body, None);
}

#[test]
fn one_to_another_branch_or_a_closed_one_is_another() {
    let head = || Side::new(HOME, BRANCH, HEAD);
    let mut closed = Pull::new(5, head(), Side::new(HOME, "main", BASE));
    closed.state = PullState::Closed;
    let to_release = Pull::new(6, head(), Side::new(HOME, "release", BASE));
    let hub = Hub::start(world().with_pull(closed).with_pull(to_release));
    assert!(matches!(ours(&hub, "x"), Proposed::Opened(_)));
    assert_eq!(hub.fake.world().pulls.len(), 3);
}

#[test]
fn where_workflows_may_not_people_get_a_link() {
    let hub = Hub::start(world());
    hub.fake.world().settings.actions_may_create_pulls = false;
    let Proposed::NotPermitted { page, why } = ours(&hub, "x") else {
        panic!("it is not permitted");
    };
    assert_eq!(
        page,
        "https://github.com/acme/demo/compare/main...tripline%2Fbaselines?expand=1"
    );
    assert_eq!(
        why,
        "GitHub Actions is not permitted to create or approve pull requests."
    );
}

#[test]
fn a_token_without_rights_is_another_matter() {
    let hub = Hub::start(world());
    let error = propose(&hub, READ_TOKEN, "x").expect_err("it may only read");
    assert!(
        told(&error).contains("Resource not accessible by integration"),
        "{}",
        told(&error)
    );
    assert!(error.hint().unwrap().contains("pull-requests: write"));
}

#[test]
fn one_whose_opening_was_cut_off_is_there_once() {
    for kind in [FaultKind::Cut, FaultKind::StatusAfter(502)] {
        let hub = Hub::start(world());
        hub.fail("POST", "pulls", kind.clone(), 1);
        assert!(
            matches!(ours(&hub, "x"), Proposed::Unchanged(_)),
            "{kind:?}"
        );
        assert_eq!(hub.fake.world().pulls.len(), 1);
    }
}

#[test]
fn what_github_refuses_is_said() {
    let mut world = world();
    world
        .repository_mut(HOME)
        .unwrap()
        .refs
        .remove(&format!("refs/heads/{BRANCH}"));
    let hub = Hub::start(world);
    let error = propose(&hub, crate::support::TOKEN, "x").expect_err("the branch is not there");
    insta::assert_snapshot!(told(&error), @r"
    no pull request from `tripline/baselines` was opened
      caused by: GitHub answered 422: Validation Failed; `head` is invalid
    ");
}
