//! What a job left, where a run was tried again.

use fake_github::{FaultKind, Job, Run, World};
use tripline_hub::jobs::{self, Left};
use tripline_hub::{Client, RunId};

use crate::support::{Hub, Scripted, TOKEN, answer, clock, settings, told, world};

const FIRST: &str = "2026-01-01T00:00:00Z";
const SECOND: &str = "2026-01-01T09:00:00Z";

fn job(attempt: u64, name: &str, conclusion: &str, started_at: &str) -> Job {
    Job {
        run: 42,
        attempt,
        name: name.to_owned(),
        conclusion: conclusion.to_owned(),
        started_at: started_at.to_owned(),
    }
}

/// Run 42 was.
fn tried() -> World {
    let run = Run {
        id: 42,
        ..Run::default()
    };
    world().with_run(run)
}

fn left(jobs: &[Job], attempt: u64) -> (Left, usize) {
    let world = jobs.iter().cloned().fold(tried(), World::with_job);
    let hub = Hub::start(world);
    let run = RunId { id: 42, attempt };
    let left = jobs::left_by(&hub.client(), run, "judge").unwrap();
    (left, hub.requests().len())
}

fn since(time: &str) -> Left {
    Left::Since(time.parse().unwrap())
}

#[test]
fn a_first_attempt_is_asked_nothing() {
    let jobs = [job(1, "bench / judge", "success", FIRST)];
    assert_eq!(left(&jobs, 1), (Left::Any, 0));
}

#[test]
fn what_ran_again_counts_from_there() {
    let jobs = [
        job(1, "bench / judge", "success", FIRST),
        job(2, "rehearse", "success", SECOND),
        job(2, "bench / judge", "failure", SECOND),
    ];
    assert_eq!(left(&jobs, 2), (since(SECOND), 1));
    // It is one job and no other.
    for name in ["judge", "a / b / judge"] {
        assert_eq!(left(&[job(2, name, "failure", SECOND)], 2).0, since(SECOND));
    }
    for name in ["judge / bench", "prejudge", "bench/judge", "judge "] {
        assert_eq!(left(&[job(2, name, "failure", SECOND)], 2).0, Left::Any);
    }
}

#[test]
fn what_did_not_run_again_stands_whether_it_is_listed_again_or_not() {
    let again = job(2, "rehearse", "failure", SECOND);
    let listed = job(2, "bench / judge", "success", FIRST);
    let jobs = [again, listed];
    assert_eq!(left(&jobs[..1], 2), (Left::Any, 1));
    assert_eq!(left(&jobs, 2), (since(FIRST), 1));
}

#[test]
fn what_an_attempt_before_ran_again_counts_from_there() {
    let jobs = [
        job(2, "bench / judge", "failure", SECOND),
        job(3, "rehearse", "failure", "2026-01-01T10:00:00Z"),
    ];
    assert_eq!(left(&jobs, 3), (since(SECOND), 2));
}

#[test]
fn what_was_to_run_again_and_did_not_left_nothing() {
    let jobs = [job(2, "bench / judge", "skipped", SECOND)];
    assert_eq!(left(&jobs, 2), (Left::Nothing, 1));
}

#[test]
fn of_jobs_of_one_name_that_which_ran_first_counts() {
    let skipped = job(2, "other / judge", "skipped", FIRST);
    let first = job(2, "bench / judge", "success", "2026-01-01T03:00:00Z");
    let second = job(2, "late / judge", "failure", SECOND);
    let mut jobs = [skipped, second, first];
    for _ in 0..jobs.len() {
        jobs.rotate_left(1);
        assert_eq!(left(&jobs, 2).0, since("2026-01-01T03:00:00Z"));
    }
}

/// What was called off while it waited for a machine.
#[test]
fn what_was_never_started_left_nothing() {
    let asked = |jobs: &str| {
        let page = format!(r#"{{"total_count": 1, "jobs": [{jobs}]}}"#);
        let server = Scripted::start(&[answer("200 OK", "", &page)]);
        let client = Client::new(settings(&server.url(), TOKEN, clock()));
        jobs::left_by(&client, RunId { id: 42, attempt: 2 }, "judge").unwrap()
    };
    let waited = r#"{"name": "judge", "conclusion": "cancelled", "started_at": null}"#;
    assert_eq!(asked(waited), Left::Nothing);
    let ran = r#"{"name": "judge", "conclusion": "success", "started_at": "2026-01-01T09:00:00Z"}"#;
    assert_eq!(asked(&format!("{waited}, {ran}")), since(SECOND));
}

#[test]
fn a_list_that_cannot_be_had_is_said() {
    let hub = Hub::start(world());
    hub.fail(
        "GET",
        "actions/runs/42/attempts/2/jobs",
        FaultKind::Status(502),
        9,
    );
    let run = RunId { id: 42, attempt: 2 };
    let error = jobs::left_by(&hub.client(), run, "judge").expect_err("nobody answers");
    let said = told(&error);
    assert!(
        said.starts_with("the jobs of run 42, attempt 2, were not listed"),
        "{said}"
    );
    let jobs = r#"{"total_count": 1, "jobs": [{"name": "judge", "conclusion": "success", "started_at": "at noon"}]}"#;
    let server = Scripted::start(&[answer("200 OK", "", jobs)]);
    let client = Client::new(settings(&server.url(), TOKEN, clock()));
    let error = jobs::left_by(&client, run, "judge").expect_err("it is no time");
    assert!(told(&error).contains("does not say when `judge` was started"));
}
