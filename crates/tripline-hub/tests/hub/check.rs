//! Check runs.

use std::num::NonZeroU32;

use fake_github::{CheckRun, FaultKind};
use tripline_hub::check::{self, Check, Conclusion};
use tripline_hub::runner::commands::{Annotation, Level};

use crate::support::{HEAD, Hub, READ_TOKEN, told, world};

fn check(annotations: usize) -> Check {
    let annotation = |number: usize| Annotation {
        level: Level::Warning,
        file: Some("bench/store/benches/kv.rs".to_owned()),
        line: NonZeroU32::new(u32::try_from(number).unwrap() + 1),
        title: Some(format!("number {number}")),
        message: "slower\nby a half".to_owned(),
    };
    Check {
        name: "tripline".to_owned(),
        head: HEAD.parse().unwrap(),
        conclusion: Conclusion::Failure,
        title: "3 benchmarks got slower".to_owned(),
        summary: "All of it.".to_owned(),
        text: Some("More.".to_owned()),
        annotations: (0..annotations).map(annotation).collect(),
        details_page: Some("https://github.com/acme/demo/actions/runs/42".to_owned()),
    }
}

/// Returns the latest check, which is the one that GitHub shows.
fn latest(hub: &Hub) -> CheckRun {
    hub.fake.world().check_runs.last().unwrap().clone()
}

fn lines(check: &CheckRun) -> Vec<u64> {
    let lines = check.annotations.iter();
    lines.map(|it| it["start_line"].as_u64().unwrap()).collect()
}

#[test]
fn says_what_it_shall() {
    let hub = Hub::start(world());
    let made = check::create(&hub.client(), &check(1)).unwrap();
    let check = latest(&hub);
    assert_eq!(check.id, made.id);
    assert_eq!(
        (check.name.as_str(), check.head_sha.as_str()),
        ("tripline", HEAD)
    );
    assert_eq!(
        (check.status.as_str(), check.conclusion.as_deref()),
        ("completed", Some("failure"))
    );
    assert_eq!(check.title.as_deref(), Some("3 benchmarks got slower"));
    assert_eq!(
        (check.summary.as_deref(), check.text.as_deref()),
        (Some("All of it."), Some("More."))
    );
    assert_eq!(check.annotations[0]["annotation_level"], "warning");
    assert_eq!(check.annotations[0]["end_line"], 1);
}

#[test]
fn annotations_come_in_fifties_and_in_order() {
    for (annotations, requests) in [(0, 1), (50, 1), (51, 2), (120, 3)] {
        let hub = Hub::start(world());
        check::create(&hub.client(), &check(annotations)).unwrap();
        assert_eq!(hub.requests().len(), requests);
        assert_eq!(
            lines(&latest(&hub)),
            (1..=annotations as u64).collect::<Vec<_>>()
        );
    }
}

#[test]
fn annotations_without_a_place_are_left_out() {
    let hub = Hub::start(world());
    let mut check = check(3);
    check.annotations[0].line = None;
    check.annotations[1].file = None;
    check.annotations[2].title = None;
    check.annotations[2].level = Level::Error;
    check::create(&hub.client(), &check).unwrap();
    let made = latest(&hub);
    assert_eq!(lines(&made), [3]);
    assert_eq!(made.annotations[0]["annotation_level"], "failure");
}

#[test]
fn annotations_beyond_all_reason_are_counted() {
    let hub = Hub::start(world());
    check::create(&hub.client(), &check(1234)).unwrap();
    let check = latest(&hub);
    assert_eq!(lines(&check), (1..=500).collect::<Vec<_>>());
    let summary = check.summary.unwrap();
    assert!(
        summary.starts_with("734 annotations more than"),
        "{summary}"
    );
}

#[test]
fn a_check_that_was_cut_off_is_made_anew_with_each_annotation_once() {
    for (method, path) in [("POST", "check-runs"), ("PATCH", "check-runs/")] {
        for kind in [
            FaultKind::Cut,
            FaultKind::Status(502),
            FaultKind::StatusAfter(500),
        ] {
            let hub = Hub::start(world());
            hub.fail(method, path, kind.clone(), 1);
            check::create(&hub.client(), &check(120)).unwrap();
            let check = latest(&hub);
            assert_eq!(
                lines(&check),
                (1..=120).collect::<Vec<_>>(),
                "{method} {kind:?}"
            );
        }
    }
}

#[test]
fn trouble_without_end_is_an_error() {
    let hub = Hub::start(world());
    hub.fail("PATCH", "check-runs/", FaultKind::Status(502), 99);
    let error = check::create(&hub.client(), &check(60)).expect_err("it never works");
    assert!(
        told(&error).contains("has not all of its annotations"),
        "{}",
        told(&error)
    );
    assert_eq!(hub.requests().len(), 6);
}

#[test]
fn whatever_is_too_long_is_cut() {
    let hub = Hub::start(world());
    let mut long = check(1);
    long.summary = "a line of text\n".repeat(10_000);
    long.text = Some("ä".repeat(100_000));
    long.annotations[0].title = Some("ä".repeat(1000));
    long.annotations[0].message = "ä".repeat(100_000);
    check::create(&hub.client(), &long).unwrap();
    let check = latest(&hub);
    let summary = check.summary.unwrap();
    assert!(
        summary.len() <= 65_535 && summary.ends_with(" more lines were left out."),
        "{}",
        summary.len()
    );
    assert!(check.text.unwrap().len() <= 65_535);
    assert_eq!(
        check.annotations[0]["title"]
            .as_str()
            .unwrap()
            .chars()
            .count(),
        127
    );
}

#[test]
fn a_token_without_rights_is_told_which() {
    let hub = Hub::start(world());
    let error =
        check::create(&hub.client_with(READ_TOKEN), &check(0)).expect_err("it may only read");
    insta::assert_snapshot!(format!("{}\n{}", told(&error), error.hint().unwrap()), @r"
        the check `tripline` was not made on 1111111111
          caused by: GitHub answered 403: Resource not accessible by integration
        GitHub would take `checks=write`; give the job `permissions: { checks: write }`; a run caused by a fork or by Dependabot never gets more than reading, so publish from a `workflow_run`
        ");
}
