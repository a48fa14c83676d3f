//! Known answers: what is done where there is no change to judge.

use tripline_judge::{Outcomes, Policy, judge};
use tripline_model::{Caveat, Digest, Gate, Measurement, Run};

use crate::build::{all_said, bench, doubted, failure, measurement, reading, run};

fn said(base: Option<&Run>, head: &Run, outcomes: Outcomes) -> Vec<String> {
    let policy = Policy::standard().with_outcomes(outcomes);
    all_said(&judge(base, head, &policy).unwrap())
}

#[test]
fn a_first_run_may_be_stopped() {
    let head = run([
        measurement("get", &[("instructions", &[1e6])]),
        doubted("set", 3.0, &[Caveat::TinyCount { count: 3.0 }]),
    ]);
    let first = |first_run| {
        let outcomes = Outcomes {
            first_run,
            ..Outcomes::default()
        };
        said(None, &head, outcomes)
    };
    assert_eq!(
        first(Gate::Pass),
        [
            "get instructions: added",
            "set instructions: added warn tiny-count"
        ]
    );
    assert_eq!(
        first(Gate::Fail),
        [
            "get instructions: added fail",
            "set instructions: added fail tiny-count"
        ]
    );
    // What is new beside a base is no first run.
    let base = run([measurement("get", &[("instructions", &[1e6])])]);
    let outcomes = Outcomes {
        first_run: Gate::Fail,
        ..Outcomes::default()
    };
    assert_eq!(
        said(Some(&base), &head, outcomes),
        [
            "get instructions: unchanged",
            "set instructions: added warn tiny-count"
        ]
    );
}

#[test]
fn what_is_missing_is_as_bad_as_the_policy_says() {
    let base = run([
        measurement("get", &[("instructions", &[1e6])]),
        measurement("set", &[("instructions", &[1e6])]),
    ]);
    let mut head = run([measurement("get", &[("instructions", &[1e6])])]);
    let outcomes = |removed, broken| Outcomes {
        removed,
        broken,
        ..Outcomes::default()
    };
    let of_set = |head: &Run, outcomes| said(Some(&base), head, outcomes)[1].clone();
    for (removed, expected) in [
        (Gate::Pass, "set instructions: removed"),
        (Gate::Fail, "set instructions: removed fail"),
    ] {
        assert_eq!(of_set(&head, outcomes(removed, Gate::Fail)), expected);
    }
    head.failures.push(failure());
    assert_eq!(
        of_set(&head, outcomes(Gate::Pass, Gate::Warn)),
        "set instructions: broken warn step-failed"
    );
}

#[test]
fn what_allows_no_verdict_may_be_stopped_and_never_gets_milder() {
    let with = |inconclusive| Outcomes {
        inconclusive,
        ..Outcomes::default()
    };
    let other = run([doubted("get", 11.0, &[Caveat::CollectionChanged])]);
    let count = run([doubted("get", 1e6, &[])]);
    for (inconclusive, expected) in [
        (
            Gate::Pass,
            "get instructions: inconclusive warn collection-changed",
        ),
        (
            Gate::Fail,
            "get instructions: inconclusive fail collection-changed",
        ),
    ] {
        let said = said(Some(&count), &other, with(inconclusive));
        assert_eq!(said, [expected]);
    }
}

#[test]
fn a_time_against_a_kept_run_warns_at_most_unless_it_is_of_other_work() {
    let outcomes = Outcomes {
        inconclusive: Gate::Fail,
        ..Outcomes::default()
    };
    let time = |value: f64, answer: &str| {
        let readings = [reading("wall_time", &[value, value])];
        let answer = Some(Digest::new(answer).unwrap());
        run([Measurement::new(bench("get"), readings, answer, Vec::new()).unwrap()])
    };
    let said = |value, answer| said(Some(&time(100.0, "aa")), &time(value, answer), outcomes);
    for value in [11.0, 900.0] {
        let expected = ["get wall_time: inconclusive warn baseline-only"];
        assert_eq!(said(value, "aa"), expected);
        let expected = ["get wall_time: inconclusive fail answer-differs baseline-only"];
        assert_eq!(said(value, "bb"), expected);
    }
}

#[test]
fn what_is_refused_fails_nothing_though_what_is_undecided_does() {
    let outcomes = Outcomes {
        inconclusive: Gate::Fail,
        ..Outcomes::default()
    };
    let both = |count: &[f64], time: f64| {
        run([measurement(
            "get",
            &[("instructions", count), ("wall_time", &[time, time])],
        )])
    };
    let (mut base, mut head) = (both(&[1e6], 100.0), both(&[2e6], 900.0));
    base.environment.state_text("libc", "glibc 2.36").unwrap();
    head.environment.state_text("libc", "glibc 2.39").unwrap();
    assert_eq!(
        said(Some(&base), &head, outcomes),
        [
            "get instructions: inconclusive warn environment-differs",
            "get wall_time: inconclusive warn environment-differs baseline-only",
        ]
    );
    let head = both(&[1e6, 3e6], 100.0);
    let base = both(&[1e6], 100.0);
    let undecided = &said(Some(&base), &head, outcomes)[0];
    assert!(
        undecided.starts_with("get instructions: inconclusive fail"),
        "{undecided}"
    );
}
