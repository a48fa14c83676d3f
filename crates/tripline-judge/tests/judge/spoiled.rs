//! Known answers for what spoils a comparison, and for what only one side has.

use tripline_judge::{JudgeError, Policy, judge};
use tripline_model::{
    Better, Caveat, CommitId, Gate, Measurement, Metric, Nature, Reading, Revision, Sample,
    SuiteName, WorkTree,
};

use crate::build::{
    all_said, answered, bench, doubted, failure, judged, measurement, metric, reading, run,
};

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

/// A metric without a direction gates nothing, and so neither when it is gone; a benchmark that is gone does, whatever it had.
#[test]
fn what_only_explained_may_go() {
    let with = |name| measurement(name, &[("instructions", &[1e6]), ("shape", &[3.0])]);
    let base = run([with("get"), measurement("set", &[("shape", &[3.0])])]);
    let head = run([measurement("get", &[("instructions", &[1e6])])]);
    assert_eq!(
        all_said(&judged(&base, &head)),
        [
            "get instructions: unchanged",
            "get shape: removed",
            "set shape: removed warn",
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
    assert_eq!(alone.gate(), Gate::Fail, "what is no verdict is no pass");
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
    // A head that begins to state its answer proves nothing.
    let report = judged(
        &run([measurement("get", &[("instructions", &[1e6])])]),
        &run([answered("get", 1e6, "bb")]),
    );
    assert_eq!(all_said(&report), ["get instructions: unchanged"]);
}

#[test]
fn dropping_the_answer_does_not_switch_it_off() {
    let count = |name, count| measurement(name, &[("instructions", &[count])]);
    let report = judged(
        &run(["equal", "less", "more"].map(|name| answered(name, 1e6, "aa"))),
        &run([count("equal", 1e6), count("less", 11.0), count("more", 2e6)]),
    );
    assert_eq!(
        all_said(&report),
        [
            "equal instructions: unchanged answer-missing",
            "less instructions: inconclusive warn answer-missing",
            "more instructions: inconclusive warn answer-missing",
        ]
    );
    // A time that differs is asked the same: the work may be another.
    let times = |value| reading("wall_time", &[value, value]);
    let answer = answered("get", 1.0, "aa").answer().cloned();
    let base = Measurement::new(bench("get"), [times(100.0)], answer, Vec::new()).unwrap();
    let head = Measurement::new(bench("get"), [times(1.0)], None, Vec::new()).unwrap();
    assert_eq!(
        all_said(&judged(&run([base]), &run([head]))),
        ["get wall_time: inconclusive warn answer-missing baseline-only"]
    );
}

#[test]
fn a_count_in_doubt_is_neither_better_nor_worse() {
    for doubt in [
        Caveat::TinyCount { count: 11.0 },
        Caveat::ThreadsNotCounted { threads: 3 },
        Caveat::CollectionChanged,
    ] {
        let code = doubt.code();
        let plain = |count| run([doubted("get", count, &[])]);
        let marked = |count| run([doubted("get", count, std::slice::from_ref(&doubt))]);
        for (base, head) in [
            (plain(1e6), marked(11.0)),
            (marked(11.0), plain(1e6)),
            (marked(1e6), marked(11.0)),
        ] {
            let report = judged(&base, &head);
            let expected = format!("get instructions: inconclusive warn {code}");
            assert_eq!(all_said(&report), [expected]);
            // What was counted is still told.
            assert!(report.findings[0].evidence.change.is_some());
        }
        let equal = judged(&plain(1e6), &marked(1e6));
        assert_eq!(
            all_said(&equal),
            [format!("get instructions: unchanged {code}")]
        );
        let first = judge(None, &marked(11.0), &Policy::standard()).unwrap();
        assert_eq!(
            all_said(&first),
            [format!("get instructions: added warn {code}")]
        );
        assert_eq!(first.gate(), Gate::Warn);
    }
}

#[test]
fn a_doubted_count_spoils_no_time_and_no_count_it_did_not_take() {
    let doubts = [Caveat::TinyCount { count: 3.0 }, Caveat::SingleSample];
    let base = doubted("get", 3.0, &doubts);
    let head = measurement(
        "get",
        &[("allocations", &[4.0]), ("wall_time", &[9.0, 9.0])],
    );
    assert_eq!(
        all_said(&judged(&run([base]), &run([head]))),
        [
            "get instructions: removed warn",
            "get allocations: added",
            "get wall_time: added",
        ]
    );
    // The numbers of a trap differ from run to run; it is one reason all the same.
    let tiny = |count| doubted("get", count, &[Caveat::TinyCount { count }]);
    let report = judged(&run([tiny(3.0)]), &run([tiny(90.0)]));
    assert_eq!(
        report.findings[0].caveats,
        [Caveat::TinyCount { count: 90.0 }]
    );
}

#[test]
fn what_the_gate_did_is_not_said_of_what_was_taken_back() {
    let jittery = |values: &[f64], caveats: &[Caveat]| {
        let readings = [reading("instructions", values)];
        run([Measurement::new(bench("get"), readings, None, caveats.to_vec()).unwrap()])
    };
    let base = jittery(&[1000e3, 1001e3], &[]);
    let mut head = jittery(&[1100e3, 1101e3], &[Caveat::CollectionChanged]);
    assert_eq!(
        all_said(&judged(&base, &head)),
        ["get instructions: inconclusive warn not-deterministic collection-changed"]
    );
    head.environment.state_text("libc", "glibc 2.39").unwrap();
    let mut base = base;
    base.environment.state_text("libc", "glibc 2.36").unwrap();
    assert_eq!(
        all_said(&judged(&base, &head)),
        ["get instructions: inconclusive environment-differs not-deterministic collection-changed"]
    );
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
