//! Known answers for what spoils a comparison, and for what only one side has.

use tripline_judge::{JudgeError, Policy, judge};
use tripline_model::{
    Better, Caveat, CommitId, Gate, Measurement, Metric, Nature, Reading, Revision, Sample,
    SuiteName, WorkTree,
};

use crate::build::{all_said, answered, bench, failure, judged, measurement, metric, reading, run};

const BOTH: &[(&str, &[f64])] = &[("instructions", &[1_000.0]), ("wall_time", &[100.0, 100.0])];

#[test]
fn the_first_run_is_all_added_and_passes() {
    let head = run([measurement("get", BOTH)]);
    let report = judge(None, &head, &Policy::standard()).unwrap();
    assert_eq!(
        all_said(&report),
        ["get instructions: added", "get wall_time: added"]
    );
    assert_eq!(report.caveats, [Caveat::NoBaseline]);
    assert_eq!(report.gate(), Gate::Pass);
    assert!(report.base.is_none());
}

#[test]
fn poor_numbers_are_named_before_they_become_a_baseline() {
    let head = run([measurement(
        "get",
        &[("instructions", &[100.0, 101.0]), ("wall_time", &[5.0])],
    )]);
    let report = judge(None, &head, &Policy::standard()).unwrap();
    assert_eq!(
        all_said(&report),
        [
            "get instructions: added not-deterministic",
            "get wall_time: added single-sample"
        ]
    );
}

#[test]
fn what_vanished_is_said_and_what_came_passes() {
    let base = run([measurement("get", BOTH), measurement("set", BOTH)]);
    let head = run([
        measurement("add", BOTH),
        measurement(
            "get",
            &[("instructions", &[1_000.0]), ("allocations", &[1.0])],
        ),
    ]);
    let report = judged(&base, &head);
    assert_eq!(
        all_said(&report),
        [
            "add instructions: added",
            "add wall_time: added",
            "get instructions: unchanged",
            "get allocations: added",
            "get wall_time: removed warn",
            "set instructions: removed warn",
            "set wall_time: removed warn",
        ]
    );
}

#[test]
fn what_is_missing_after_a_failure_is_broken() {
    let base = run([
        measurement("get", BOTH),
        measurement("set", &[("instructions", &[9.0])]),
    ]);
    let mut head = run([measurement("get", &[("instructions", &[1_000.0])])]);
    head.failures.push(failure());
    let report = judged(&base, &head);
    assert_eq!(
        all_said(&report),
        [
            "get instructions: unchanged",
            "get wall_time: broken fail step-failed",
            "set instructions: broken fail step-failed",
        ]
    );
    assert_eq!(report.failures, [failure()]);
    assert!(report.is_broken());
}

#[test]
fn a_head_that_only_failed_is_a_report_and_an_empty_one_is_an_error() {
    let base = run([measurement("get", &[("instructions", &[9.0])])]);
    let mut head = run([]);
    let nothing = judge(Some(&base), &head, &Policy::standard());
    assert_eq!(
        nothing,
        Err(JudgeError::NothingMeasured(SuiteName::new("kv").unwrap()))
    );
    head.failures.push(failure());
    let report = judged(&base, &head);
    assert_eq!(
        all_said(&report),
        ["get instructions: broken fail step-failed"]
    );
    let alone = judge(None, &head, &Policy::standard()).unwrap();
    assert!(alone.findings.is_empty() && alone.is_broken());
}

#[test]
fn runs_of_two_suites_are_not_compared() {
    let base = run([measurement("get", BOTH)]);
    let mut head = base.clone();
    head.suite = SuiteName::new("p2p").unwrap();
    let error = judge(Some(&base), &head, &Policy::standard()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the base is of suite `kv`, and the head of suite `p2p`"
    );
}

#[test]
fn counts_of_different_environments_are_shown_and_not_judged() {
    let mut base = run([
        measurement("get", BOTH),
        measurement("set", &[("wall_time", &[100.0, 100.0])]),
    ]);
    let mut head = run([
        measurement(
            "get",
            &[("instructions", &[9_000.0]), ("wall_time", &[110.0, 110.0])],
        ),
        measurement("set", &[("wall_time", &[900.0, 900.0])]),
    ]);
    base.environment.state_text("libc", "glibc 2.36").unwrap();
    head.environment.state_text("libc", "glibc 2.39").unwrap();
    head.environment.state_text("cpu_model", "other").unwrap();
    let report = judged(&base, &head);
    assert_eq!(
        all_said(&report),
        [
            "get instructions: inconclusive environment-differs",
            // A time is not judged anyway, so only a difference asks for the reason.
            "get wall_time: unchanged",
            "set wall_time: inconclusive environment-differs baseline-only",
        ]
    );
    assert_eq!(report.gate(), Gate::Pass);
    assert_eq!(report.findings[0].evidence.change.unwrap().ratio, 9.0);
    // The report names what spoils the counts, and not the processor, which does not.
    let [Caveat::EnvironmentDiffers(facts)] = &report.caveats[..] else {
        panic!("{:?}", report.caveats);
    };
    let named: Vec<&str> = facts.iter().map(|f| f.fact.as_str()).collect();
    assert_eq!(named, ["libc"]);
}

#[test]
fn another_processor_spoils_no_count() {
    let mut base = run([measurement("get", &[("instructions", &[1_000_000.0])])]);
    let mut head = run([measurement("get", &[("instructions", &[2_000_000.0])])]);
    base.environment.state_text("cpu_model", "one").unwrap();
    head.environment.state_text("cpu_model", "other").unwrap();
    let report = judged(&base, &head);
    assert_eq!(all_said(&report), ["get instructions: regressed fail"]);
    assert!(report.caveats.is_empty());
}

#[test]
fn different_answers_are_different_work() {
    let report = judged(
        &run([answered("get", 1e6, "aa"), answered("set", 1e6, "aa")]),
        &run([answered("get", 9e6, "bb"), answered("set", 1e6, "aa")]),
    );
    assert_eq!(
        all_said(&report),
        [
            "get instructions: inconclusive warn answer-differs",
            "set instructions: unchanged",
        ]
    );
    // An answer that only one side gives proves nothing.
    let report = judged(
        &run([measurement("get", &[("instructions", &[1e6])])]),
        &run([answered("get", 1e6, "bb")]),
    );
    assert_eq!(all_said(&report), ["get instructions: unchanged"]);
}

#[test]
fn a_metric_that_changed_its_meaning_is_not_compared() {
    let described = |better, nature| {
        let metric = Metric {
            better,
            nature,
            ..metric("syscalls")
        };
        let sample = Sample::new([1_000.0]).unwrap();
        let reading = Reading { metric, sample };
        run([Measurement::new(bench("get"), [reading], None, Vec::new()).unwrap()])
    };
    let report = judged(
        &described(Better::Lower, Nature::Exact),
        &described(Better::Higher, Nature::Exact),
    );
    assert_eq!(
        all_said(&report),
        ["get syscalls: inconclusive warn metric-differs"]
    );
    assert_eq!(report.findings[0].evidence.change, None);
}

#[test]
fn the_measurements_caveats_travel_once() {
    let threads = Caveat::ThreadsNotCounted { threads: 3 };
    let caveats = vec![threads.clone(), Caveat::SingleSample, threads.clone()];
    let readings = [
        reading("instructions", &[1e6]),
        reading("wall_time", &[5.0]),
    ];
    let head = Measurement::new(bench("get"), readings, None, caveats).unwrap();
    let base = measurement("get", &[("instructions", &[1e6]), ("wall_time", &[5.0])]);
    assert_eq!(
        all_said(&judged(&run([base]), &run([head]))),
        [
            "get instructions: unchanged threads-not-counted single-sample",
            "get wall_time: unchanged single-sample threads-not-counted",
        ]
    );
}

#[test]
fn a_modified_work_tree_is_said() {
    let mut head = run([measurement("get", BOTH)]);
    let commit = CommitId::new(&"a".repeat(40)).unwrap();
    for (work_tree, expected) in [
        (WorkTree::Modified, &[Caveat::ModifiedWorkTree][..]),
        (WorkTree::Clean, &[]),
    ] {
        head.revision = Some(Revision {
            commit: commit.clone(),
            work_tree,
        });
        assert_eq!(judged(&head, &head).caveats, expected);
    }
}

#[test]
fn findings_stand_in_the_order_of_the_table() {
    let all: &[(&str, &[f64])] = &[
        ("wall_time", &[1.0, 1.0]),
        ("syscalls", &[1.0]),
        ("allocations", &[1.0]),
        ("hits", &[1.0]),
        ("instructions", &[1.0]),
    ];
    let head = run([measurement("set", all), measurement("get", all)]);
    let report = judged(&head, &head);
    let order: Vec<String> = report
        .findings
        .iter()
        .map(|f| format!("{} {}", f.bench.name, f.metric.name))
        .collect();
    let metrics = [
        "instructions",
        "allocations",
        "wall_time",
        "hits",
        "syscalls",
    ];
    let expected: Vec<String> = ["get", "set"]
        .iter()
        .flat_map(|bench| metrics.map(|metric| format!("{bench} {metric}")))
        .collect();
    assert_eq!(order, expected);
}
