//! Known answers: what a canary is taken for that did as it should, and for one that did not.

use tripline_judge::{
    BenchPattern, CanaryTally, Expectation, canary_doubts, canary_failures, canary_tallies,
};
use tripline_model::{Caveat, Measurement, Method, Report, Run, Verdict};

use crate::build::{failure, judged, run};
use crate::session::{in_rounds, session, times};

fn expect(bench: &str, verdict: Verdict, change: Option<(f64, f64)>) -> Expectation {
    Expectation {
        bench: BenchPattern::new(bench).unwrap(),
        metric: Some("wall_time".parse().unwrap()),
        verdict,
        change: change.map(|(from, to)| from..=to),
        may_be_undecided: false,
    }
}

/// What is planted in a time that a busy machine may leave undecided.
fn expect_of_the_clock() -> Expectation {
    Expectation {
        may_be_undecided: true,
        ..expect("planted", Verdict::Regressed, Some((0.03, 0.07)))
    }
}

/// Returns a canary in which so many pairs show that what was planted is slower.
fn canary(pairs: usize, steady: f64) -> Report {
    let (base, head) = session([
        (
            "planted",
            "wall_time",
            &times((1_000.0, 1_050.0), pairs)[..],
        ),
        ("steady", "wall_time", &times((1_000.0, steady), pairs)),
    ]);
    judged(&base, &head)
}

fn failures(report: &Report, expectations: &[Expectation]) -> Vec<String> {
    let text = |caveat: &Caveat| match caveat {
        Caveat::CanaryFailed { what } => what.to_string(),
        other => panic!("{other:?}"),
    };
    canary_failures(report, expectations)
        .iter()
        .map(text)
        .collect()
}

#[test]
fn a_canary_that_sings_when_it_should_is_trusted() {
    let expectations = [
        expect("planted", Verdict::Regressed, Some((0.03, 0.07))),
        expect("steady", Verdict::Unchanged, None),
    ];
    assert_eq!(failures(&canary(20, 1_000.0), &expectations), [""; 0]);
    // Caught is caught, even if it would not have failed.
    assert_eq!(failures(&canary(8, 1_000.0), &expectations), [""; 0]);
    let all = Expectation {
        metric: None,
        ..expect("*", Verdict::Unchanged, None)
    };
    assert_eq!(failures(&canary(9, 1_000.0), &[all]).len(), 1);
}

#[test]
fn every_disappointment_is_named() {
    let expectations = [
        expect("planted", Verdict::Regressed, Some((0.08, 0.12))),
        expect("steady", Verdict::Unchanged, None),
        expect("gone{percent=5}", Verdict::Regressed, None),
    ];
    assert_eq!(
        failures(&canary(20, 1_100.0), &expectations),
        [
            "kv/planted wall_time was to be regressed by +8.0 % to +12.0 %, and is regressed by +5.0 %",
            "kv/steady wall_time was to be unchanged, and is regressed by +10.0 %",
            "wall_time of gone{percent=5} was to be regressed, and was not measured",
        ]
    );
}

#[test]
fn a_busy_machine_may_leave_the_steady_undecided_and_not_the_planted() {
    let expectations = [
        expect("planted", Verdict::Regressed, None),
        expect("steady", Verdict::Unchanged, None),
    ];
    assert_eq!(
        failures(&canary(2, 1_000.0), &expectations),
        ["kv/planted wall_time was to be regressed, and is inconclusive by +5.0 %"]
    );
}

#[test]
fn what_is_likely_of_equal_sides_is_to_be_measured_again() {
    let steady = [expect("steady", Verdict::Unchanged, None)];
    // Eight pairs may warn and never fail; twenty may fail.
    let doubted = |pairs, head| {
        let report = canary(pairs, head);
        // Whoever does not ask again has an outage either way.
        assert_eq!(failures(&report, &steady).len(), 1);
        doubts(&report, &steady)
    };
    let worse = "kv/steady wall_time was to be unchanged, and is regressed by +10.0 %";
    let better = "kv/steady wall_time was to be unchanged, and is improved by -10.0 %";
    assert_eq!(doubted(8, 1_100.0), [worse]);
    assert_eq!(doubted(8, 900.0), [better]);
    assert_eq!(doubted(20, 1_100.0), [""; 0]);
    assert_eq!(doubted(20, 900.0), [""; 0]);
    // That a limit is crossed is no matter of pairs.
    let mut report = canary(8, 1_100.0);
    for finding in &mut report.findings {
        finding.evidence.method = Method::Budget;
    }
    assert_eq!(doubts(&report, &steady), [""; 0]);
    assert_eq!(failures(&report, &steady).len(), 1);
    // What is planted is to be warned of.
    let planted = [expect("planted", Verdict::Regressed, None)];
    assert_eq!(doubts(&canary(8, 1_000.0), &planted), [""; 0]);
}

fn doubts(report: &Report, expectations: &[Expectation]) -> Vec<String> {
    let doubts = canary_doubts(report, expectations);
    doubts.map(|(_, told)| told).collect()
}

#[test]
fn the_second_answer_is_believed_and_the_first_one_counted() {
    let steady = [expect("steady", Verdict::Unchanged, None)];
    let found = |head, of: &str| {
        let pairs = times((1_000.0, head), 8);
        let (base, head) = session([("steady", "wall_time", &pairs[..])]);
        let report = judged(&base, &again(head, of));
        let tally = canary_tallies(&report, &steady).into_values().next();
        (failures(&report, &steady), tally.unwrap())
    };
    let tally = |equal, false_alarms| CanaryTally {
        equal,
        false_alarms,
        ..CanaryTally::default()
    };
    assert_eq!(found(1_000.0, "wall_time"), (Vec::new(), tally(2, 1)));
    let told =
        "kv/steady wall_time was to be unchanged, and is regressed by +10.0 %, measured twice";
    let (failed, counted) = found(1_100.0, "wall_time");
    assert_eq!((failed, counted), (vec![told.to_owned()], tally(2, 2)));
    // That another metric was doubted says nothing of this one.
    assert_eq!(found(1_000.0, "cpu_time"), (Vec::new(), tally(1, 0)));
}

/// Returns a run as it is after a metric was measured again.
fn again(mut run: Run, metric: &str) -> Run {
    let measured = run.measurements().next().unwrap();
    let readings = measured.readings().cloned().collect::<Vec<_>>();
    let caveat = Caveat::MeasuredAgain {
        metric: metric.parse().unwrap(),
        change: 0.1,
    };
    let later = Measurement::new(measured.bench().clone(), readings, None, vec![caveat]);
    run.renew(later.unwrap()).unwrap();
    run
}

#[test]
fn the_clock_may_leave_the_planted_undecided_and_not_call_it_anything_else() {
    let clock = [expect_of_the_clock()];
    assert_eq!(failures(&canary(2, 1_000.0), &clock), [""; 0]);
    assert_eq!(failures(&canary(20, 1_000.0), &clock), [""; 0]);
    let called = |head: f64| {
        let pairs = times((1_000.0, head), 20);
        let (base, head) = session([("planted", "wall_time", &pairs[..])]);
        failures(&judged(&base, &head), &clock)
    };
    let expected = "kv/planted wall_time was to be regressed by +3.0 % to +7.0 %, and is";
    assert_eq!(called(1_000.0), [format!("{expected} unchanged by +0.0 %")]);
    assert_eq!(called(900.0), [format!("{expected} improved by -10.0 %")]);
    assert_eq!(
        called(1_200.0),
        [format!("{expected} regressed by +20.0 %")]
    );
    // What was left undecided is neither found nor missed.
    let counted = |pairs| {
        canary_tallies(&canary(pairs, 1_000.0), &clock)
            .into_values()
            .next()
    };
    let planted = |planted| CanaryTally {
        planted,
        ..CanaryTally::default()
    };
    assert_eq!(counted(2), Some(planted(0)));
    assert_eq!(counted(20), Some(planted(1)));
}

#[test]
fn what_was_not_timed_in_pairs_was_not_left_undecided_by_a_busy_machine() {
    let (base, mut head) = session([("planted", "wall_time", &times((100.0, 105.0), 20)[..])]);
    let apart = in_rounds("planted", "wall_time", &[105.0; 20], 20);
    head.renew(apart).unwrap();
    let report = judged(&base, &head);
    assert_eq!(report.findings[0].verdict, Verdict::Inconclusive);
    let clock = [expect_of_the_clock()];
    let expected = "kv/planted wall_time was to be regressed by +3.0 % to +7.0 %, and is inconclusive by +5.0 %";
    assert_eq!(failures(&report, &clock), [expected]);
    let missed = CanaryTally {
        planted: 1,
        missed: 1,
        ..CanaryTally::default()
    };
    let counted = canary_tallies(&report, &clock);
    assert_eq!(counted.into_values().collect::<Vec<_>>(), [missed]);
    // A machine that was disturbed all the time leaves no round either.
    let values = head.measurements().next().unwrap().readings().cloned();
    let disturbed = vec![Caveat::Disturbed { pairs: 20 }];
    let values = values.collect::<Vec<_>>();
    let bench = head.measurements().next().unwrap().bench().clone();
    head.renew(Measurement::new(bench, values, None, disturbed).unwrap())
        .unwrap();
    let report = judged(&base, &head);
    assert_eq!(report.findings[0].verdict, Verdict::Inconclusive);
    assert_eq!(failures(&report, &clock), [""; 0]);
}

#[test]
fn a_count_is_never_undecided_for_a_busy_machine() {
    let (mut base, head) = session([("steady", "instructions", &[(1e6, 1e6)][..])]);
    let expectations = [Expectation {
        metric: None,
        ..expect("steady", Verdict::Unchanged, None)
    }];
    assert_eq!(failures(&judged(&base, &head), &expectations), [""; 0]);
    base.environment.state_text("valgrind", "another").unwrap();
    assert_eq!(
        failures(&judged(&base, &head), &expectations),
        ["kv/steady instructions was to be unchanged, and is inconclusive by +0.0 %"]
    );
}

#[test]
fn a_canary_that_was_not_measured_is_none() {
    let mut report = canary(20, 1_000.0);
    report.failures.push(failure());
    assert_eq!(
        failures(&report, &[]),
        ["suite kv was not measured as a whole"]
    );
    let mut failed = run([]);
    failed.failures.push(failure());
    let empty = judged(&failed, &failed);
    let expectations = [expect("*", Verdict::Unchanged, None)];
    assert_eq!(
        failures(&empty, &expectations),
        [
            "suite kv held nothing",
            "wall_time of * was to be unchanged, and was not measured"
        ]
    );
}

#[test]
fn what_cannot_be_said_is_said_in_fewer_words() {
    let pattern = "x".repeat(5_000);
    assert_eq!(
        failures(
            &canary(9, 1_000.0),
            &[expect(&pattern, Verdict::Unchanged, None)]
        ),
        ["it did not do as expected"]
    );
}

/// Returns what is counted of `steady` and of `planted`.
fn tallies(report: &Report) -> [CanaryTally; 2] {
    let expectations = [
        expect("planted", Verdict::Regressed, Some((0.03, 0.07))),
        expect("steady", Verdict::Unchanged, None),
    ];
    let found = canary_tallies(report, &expectations);
    assert_eq!(found.len(), report.findings.len());
    let mut found = found.into_values();
    // In the order of their names.
    let (planted, steady) = (found.next().unwrap(), found.next().unwrap());
    [steady, planted]
}

#[test]
fn false_alarms_and_what_was_missed_are_counted() {
    let equal = |false_alarms| CanaryTally {
        equal: 1,
        false_alarms,
        ..CanaryTally::default()
    };
    let planted = |missed| CanaryTally {
        planted: 1,
        missed,
        ..CanaryTally::default()
    };
    assert_eq!(tallies(&canary(20, 1_000.0)), [equal(0), planted(0)]);
    assert_eq!(tallies(&canary(20, 1_100.0)), [equal(1), planted(0)]);
    assert_eq!(tallies(&canary(20, 900.0)), [equal(1), planted(0)]);
    // Two pairs prove nothing: no alarm, and what was planted is missed.
    assert_eq!(tallies(&canary(2, 1_000.0)), [equal(0), planted(1)]);
}

#[test]
fn what_was_not_compared_or_not_known_in_advance_is_not_counted() {
    let steady = [expect("steady", Verdict::Unchanged, None)];
    let of_both = canary(20, 1_000.0);
    assert_eq!(canary_tallies(&of_both, &steady).len(), 1);
    let (base, _) = session([("steady", "wall_time", &times((1_000.0, 1_000.0), 20)[..])]);
    let (_, head) = session([("other", "wall_time", &times((1_000.0, 1_000.0), 20)[..])]);
    let apart = judged(&base, &head);
    assert_eq!(apart.findings.len(), 2);
    assert_eq!(canary_tallies(&apart, &steady).len(), 0);
}
