//! What is told once, or not at all: where two tell at the same time, where the pull request is another by now, and where
//! GitHub does not let us.

use std::process::{Child, Stdio};
use std::time::Duration;

use fake_github::{Fault, FaultKind, PullState};
use serde_json::json;

use super::stage::{HOME, Stage};
use crate::project::Ended;

/// A stage on which a run that went red waits to be told.
fn red() -> Stage {
    let stage = Stage::new();
    stage.uploaded(41, HOME, &stage.report);
    stage
}

fn fail(stage: &Stage, method: &str, path: &str, kind: FaultKind) {
    let path = format!("/repos/{HOME}/{path}");
    stage.fake.fail_next(Fault::on(method, &path, kind));
}

/// The workflow tells one after the other. Where somebody does not, to look again after each first comment would be a request
/// more for everybody: instead, whoever tells next puts it right.
#[test]
fn of_two_that_tell_at_once_one_comment_is_left_by_whoever_tells_next() {
    let stage = red();
    // Neither sees the other's: the answer to who came first is late.
    for _ in 0..2 {
        let late = FaultKind::Slow(Duration::from_millis(500));
        fail(&stage, "GET", "issues/7/comments", late);
    }
    let start = || -> Child {
        let mut telling = stage.telling(HOME, (41, 1), "failure");
        let telling = telling.stdout(Stdio::piped()).stderr(Stdio::piped());
        telling.spawn().unwrap()
    };
    for child in [start(), start()] {
        let ended = child.wait_with_output().unwrap();
        Ended::of(ended, stage.project.path()).with(0);
    }
    let first = stage.said(7)[0].clone();
    assert!(first.body.contains("1 regressed"), "{}", first.body);
    // A job that is run again changes nothing of it.
    for _ in 0..2 {
        stage.told(HOME, (41, 1), "failure").with(0);
        let told = stage.said(7);
        assert_eq!(told.len(), 1, "{told:#?}");
        assert_eq!((told[0].id, &told[0].body), (first.id, &first.body));
    }
}

#[test]
fn a_pull_request_that_was_closed_or_moved_on_is_told_nothing() {
    let stage = red();
    stage.fake.world().pull_mut(7).unwrap().state = PullState::Closed;
    let ended = stage.told(HOME, (41, 1), "failure").with(0);
    let why = "nothing was published: no pull request from acme:tune is open";
    assert!(ended.err.contains(why), "{}", ended.err);
    stage.fake.world().pull_mut(7).unwrap().state = PullState::Open;

    stage.git(&["switch", "--quiet", "tune"]);
    stage.git(&["commit", "--quiet", "--allow-empty", "--message", "more"]);
    stage.git(&["push", "--quiet", "origin", "tune"]);
    stage.git(&["switch", "--quiet", "main"]);
    let ended = stage.told(HOME, (41, 1), "failure").with(0);
    let why = format!("acme:tune has moved on from {}", &stage.head[..10]);
    assert!(ended.err.contains(&why), "{}", ended.err);
    assert_eq!(stage.writes(), 0);
}

/// It shares no code with a regression, and nothing of what was found reaches the pull request by halves.
#[test]
fn where_github_refuses_it_is_an_outage_and_no_verdict() {
    for (method, path, why) in [
        (
            "GET",
            "actions/runs/41/artifacts",
            "artifacts of run 41 were not listed",
        ),
        ("GET", "pulls", "acme:tune"),
        ("GET", "issues/7/comments", "so none was written"),
        (
            "POST",
            "issues/7/comments",
            "no comment was written on pull request 7",
        ),
    ] {
        let stage = red();
        fail(&stage, method, path, FaultKind::Status(403));
        let ended = stage.told(HOME, (41, 1), "failure").with(5);
        assert!(ended.err.contains(why), "`{why}` is not in\n{}", ended.err);
        assert!(stage.said(7).is_empty(), "{path}");
        assert!(stage.fake.world().check_runs.is_empty(), "{path}");
    }
}

#[test]
fn where_workflows_may_open_no_pull_request_the_branch_is_pushed_and_a_link_is_given() {
    let stage = Stage::new();
    stage.fake.world().settings.actions_may_create_pulls = false;
    stage
        .project
        .measures(&[("get", 900_000), ("set", 2_000_000)]);
    stage.project.tripline(&["check"]).with(0);
    stage.project.tripline(&["baseline", "update"]).with(0);
    let main = stage.git(&["rev-parse", "main"]);
    let payload = json!({
        "ref": "refs/heads/main",
        "before": main,
        "after": main,
        "repository": { "id": 1, "full_name": HOME, "default_branch": "main" },
    });
    let ended = stage
        .job("push", &payload, &["baseline", "propose"])
        .with(5);
    assert!(
        ended
            .err
            .contains("the branch was pushed, and no pull request was opened")
            && ended
                .err
                .contains("/acme/demo/compare/main...tripline%2Fbaselines"),
        "{}",
        ended.err
    );
    let changed = ["diff", "--name-only", "main", "tripline/baselines"];
    assert!(stage.there(&changed).starts_with("baselines/kv/"));
}
