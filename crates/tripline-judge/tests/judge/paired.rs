//! Known answers: what pairs of one session are judged as.

use tripline_judge::{Layer, Limits, Policy, Scope, detectable_in, judge};
use tripline_model::{
    Caveat, Gate, Measurement, Method, Metric, Nature, Reading, Report, Sample, SessionId, Verdict,
};

use crate::build::{all_said, bench, judged, measurement, metric, run, said};
use crate::session::{Pair, in_rounds, session, times};

/// Judges one benchmark that was measured in pairs, and compares what is said.
#[track_caller]
fn check(metric: &str, pairs: &[Pair], expected: &str) {
    let report = of(metric, pairs);
    assert_eq!(said(&report.findings[0]), expected, "{metric}: {pairs:?}");
}

fn of(metric: &str, pairs: &[Pair]) -> Report {
    let (base, head) = session([("get", metric, pairs)]);
    let report = judged(&base, &head);
    assert_eq!(report.findings[0].evidence.method, Method::Paired);
    report
}

fn policy(metric: Option<&str>, limits: Limits) -> Policy {
    let scope = Scope {
        metric: metric.map(|name| name.parse().unwrap()),
        method: Some(Method::Paired),
        ..Scope::default()
    };
    Policy::standard().with_layers([Layer::new(scope, limits, "a test").unwrap()])
}

#[test]
fn nine_pairs_that_agree_prove_and_eight_suggest() {
    let weak = "regressed warn weak-evidence";
    for (pair, count, expected) in [
        ((100.0, 110.0), 30, "regressed fail"),
        ((100.0, 110.0), 9, "regressed fail"),
        ((100.0, 110.0), 8, weak),
        ((100.0, 110.0), 6, weak),
        ((100.0, 110.0), 5, "inconclusive too-few-pairs"),
        ((100.0, 110.0), 1, "inconclusive too-few-pairs"),
        ((110.0, 100.0), 9, "improved"),
        ((110.0, 100.0), 8, "improved weak-evidence"),
        ((110.0, 100.0), 5, "inconclusive too-few-pairs"),
        ((100.0, 100.0), 9, "unchanged"),
        // 98 % of certainty that nothing moved suffice.
        ((100.0, 100.0), 7, "unchanged"),
        ((100.0, 100.0), 6, "inconclusive too-few-pairs"),
        // By the very tolerance nothing is worse by more, other than a count, which is known and not sampled.
        ((1_000.0, 1_021.0), 9, "regressed fail"),
        ((1_000.0, 1_020.0), 9, "unchanged"),
        ((1_020.0, 1_000.0), 9, "unchanged"),
        ((1_021.0, 1_000.0), 9, "improved"),
    ] {
        check("wall_time", &times(pair, count), expected);
    }
}

#[test]
fn direction_is_the_metrics() {
    for (metric, pair, expected) in [
        ("throughput", (110.0, 100.0), "regressed fail"),
        ("throughput", (100.0, 110.0), "improved"),
        ("throughput", (100.0, 100.0), "unchanged"),
        ("mood", (100.0, 900.0), "unchanged"),
    ] {
        check(metric, &times(pair, 9), expected);
    }
    let told = &of("mood", &times((100.0, 900.0), 9)).findings[0].evidence;
    assert!((told.change.unwrap().ratio - 9.0).abs() < 1e-12);
    assert_eq!((told.p_value, told.e_value), (None, None));
}

#[test]
fn zeros_have_an_answer() {
    for (pair, count, expected) in [
        ((0.0, 5.0), 9, "regressed fail"),
        ((0.0, 5.0), 8, "regressed warn weak-evidence"),
        ((5.0, 0.0), 9, "improved"),
        ((0.0, 0.0), 9, "unchanged"),
        ((0.0, 0.0), 2, "inconclusive too-few-pairs"),
    ] {
        check("wall_time", &times(pair, count), expected);
    }
    // Two zeros say nothing of how much slower it got elsewhere.
    let pairs = [times((0.0, 0.0), 7), times((100.0, 110.0), 9)].concat();
    check("wall_time", &pairs, "regressed fail");
    assert_eq!(
        of("wall_time", &times((0.0, 5.0), 9)).findings[0]
            .evidence
            .change,
        None
    );
}

#[test]
fn a_pair_that_disagrees_costs_certainty_and_not_the_verdict() {
    let with = |count: usize, odd: &[Pair]| [&times((100.0, 110.0), count), odd].concat();
    check("wall_time", &with(13, &[(100.0, 50.0)]), "regressed fail");
    check(
        "wall_time",
        &with(12, &[(100.0, 50.0)]),
        "regressed warn weak-evidence",
    );
    check(
        "wall_time",
        &with(9, &[(100.0, 50.0)]),
        "inconclusive too-few-pairs",
    );
    // Half of them: nobody knows.
    let torn = with(15, &times((110.0, 100.0), 15));
    check("wall_time", &torn, "inconclusive cannot-gate");
}

#[test]
fn noise_is_said_as_the_pairs_it_would_take() {
    // Changes of all sizes up to the largest, on either side.
    let noisy = |largest: f64, count: i32| -> Vec<Pair> {
        let odd = |step: i32| 1_000.0 * (1.0 + largest * f64::from(step) / f64::from(count));
        let grown = (1..=count).map(|step| (1_000.0, odd(step)));
        let shrunk = (1..=count).map(|step| (odd(step), 1_000.0));
        grown.chain(shrunk).collect()
    };
    check("wall_time", &noisy(0.015, 6), "unchanged");
    check("wall_time", &noisy(0.045, 6), "inconclusive too-few-pairs");
    // The same noise, and enough pairs.
    check("wall_time", &noisy(0.045, 15), "unchanged");
    let report = of("wall_time", &noisy(0.9, 15));
    let [
        Caveat::CannotGate {
            detectable,
            pairs_needed,
        },
    ] = report.findings[0].caveats[..]
    else {
        panic!("{:?}", report.findings[0]);
    };
    assert!((0.3..0.8).contains(&detectable), "{detectable}");
    assert!(pairs_needed > 1_000, "{pairs_needed}");
    let evidence = &report.findings[0].evidence;
    assert_eq!(evidence.detectable, Some(detectable));
    let (sigma, tolerance) = (evidence.noise.unwrap(), evidence.tolerance);
    let in_pairs = |pairs| detectable_in(pairs, sigma, tolerance);
    assert_eq!(in_pairs(30), Some(detectable));
    assert!(in_pairs(10) > in_pairs(20) && in_pairs(20) > in_pairs(30));
    assert_eq!(in_pairs(8), None, "eight pairs prove nothing");
}

#[test]
fn the_evidence_is_told() {
    // One percent to nine percent slower.
    let pairs: Vec<Pair> = (1..=9)
        .map(|step| (100.0, 100.0 + f64::from(step)))
        .collect();
    let evidence = of("wall_time", &pairs).findings[0].evidence.clone();
    let change = evidence.change.unwrap();
    assert!((change.ratio - 1.05).abs() < 2e-4, "{change:?}");
    assert!(change.low > 1.01 && change.high < 1.09, "{change:?}");
    // Of 512 patterns of signs, two leave out one mean at each end, and four two.
    assert_eq!(evidence.confidence, Some(1.0 - 4.0 / 512.0));
    assert_eq!(evidence.p_value, Some(2.0 / 512.0));
    assert_eq!(evidence.tolerance.relative, 0.02);
    assert_eq!(evidence.base.unwrap().center, 100.0);
    assert_eq!(evidence.head.unwrap().center, 105.0);
    // Where more is better the estimate is still head over base.
    let change = of("throughput", &pairs).findings[0]
        .evidence
        .change
        .unwrap();
    assert!((change.ratio - 1.05).abs() < 2e-4 && change.low < change.high);
    // All nine beyond the tolerance: (2^10 - 1) / 10.
    let sure = of("wall_time", &times((100.0, 110.0), 9)).findings[0]
        .evidence
        .clone();
    assert!((sure.e_value.unwrap() - 102.3).abs() < 1e-9);
    assert!((sure.detectable.unwrap() - 0.02).abs() < 1e-12);
    let change = of("wall_time", &[(100.0, 110.0)]).findings[0]
        .evidence
        .clone();
    assert_eq!(
        (change.confidence, change.noise, change.detectable),
        (None, None, None)
    );
}

#[test]
fn evidence_of_a_thousand_pairs_can_be_kept() {
    let evidence = of("wall_time", &times((100.0, 200.0), 3_000)).findings[0]
        .evidence
        .clone();
    assert_eq!(evidence.e_value, Some(f64::MAX));
    assert_eq!(evidence.confidence.map(|share| share >= 0.99), Some(true));
}

#[test]
fn the_floor_is_what_nobody_cares_about() {
    let floor = |floor| Limits {
        floor: Some(floor),
        ..Limits::default()
    };
    let said_with = |limits, pairs: &[Pair]| {
        let (base, head) = session([("get", "wall_time", pairs)]);
        let report = judge(Some(&base), &head, &policy(None, limits)).unwrap();
        said(&report.findings[0])
    };
    let pairs = times((10.0, 15.0), 9);
    assert_eq!(said_with(floor(4.0), &pairs), "regressed fail");
    assert_eq!(said_with(floor(5.0), &pairs), "unchanged");
    // Too few for a proof, and still nothing that anybody cares about.
    let pairs = times((10.0, 15.0), 7);
    assert_eq!(
        said_with(floor(4.0), &pairs),
        "regressed warn weak-evidence"
    );
    assert_eq!(said_with(floor(5.0), &pairs), "inconclusive too-few-pairs");
}

#[test]
fn the_estimate_decides_between_warning_and_failing() {
    let limits = Limits {
        tolerance: Some(0.02),
        warn: Some(0.03),
        fail: Some(0.05),
        ..Limits::default()
    };
    for (head, expected) in [
        (1_021.0, "regressed"),
        (1_030.0, "regressed warn"),
        (1_049.0, "regressed warn"),
        (1_050.0, "regressed fail"),
    ] {
        let (base, head) = session([("get", "wall_time", &times((1_000.0, head), 9)[..])]);
        let report = judge(Some(&base), &head, &policy(None, limits)).unwrap();
        assert_eq!(said(&report.findings[0]), expected);
    }
}

#[test]
fn one_among_many_needs_more() {
    let names: Vec<String> = (0..200).map(|index| format!("b{index:03}")).collect();
    let (steady, slower) = (times((100.0, 100.0), 15), times((100.0, 110.0), 15));
    let among = |pairs: usize, metric: &'static str, policy: &Policy| {
        let rest = names[1..]
            .iter()
            .map(|name| (name.as_str(), metric, &steady[..pairs]));
        let lone = (names[0].as_str(), "wall_time", &slower[..pairs]);
        let (base, head) = session([lone].into_iter().chain(rest));
        let report = judge(Some(&base), &head, policy).unwrap();
        assert_eq!(report.count(Verdict::Unchanged), 199);
        said(&report.findings[0])
    };
    let standard = Policy::standard();
    let weak = "regressed warn weak-evidence";
    assert_eq!(among(9, "wall_time", &standard), weak);
    assert_eq!(among(14, "wall_time", &standard), weak);
    assert_eq!(among(15, "wall_time", &standard), "regressed fail");
    // What cannot fail asks nothing of what can.
    let never = Limits {
        fail: Some(f64::INFINITY),
        ..Limits::default()
    };
    let lenient = policy(Some("throughput"), never);
    assert_eq!(among(9, "throughput", &lenient), "regressed fail");
}

#[test]
fn many_that_are_worse_vouch_for_one_another() {
    let names: Vec<String> = (0..20).map(|index| format!("b{index:02}")).collect();
    let slower = times((100.0, 110.0), 9);
    let (base, head) = session(
        names
            .iter()
            .map(|name| (&name[..], "wall_time", &slower[..])),
    );
    let report = judged(&base, &head);
    let failing = report.findings.iter().filter(|f| f.gate == Gate::Fail);
    assert_eq!(failing.count(), 20);
    // Everything got slower side by side, so it is said, and nothing is taken back.
    let [Caveat::MostMoved { share, change }] = report.caveats[..] else {
        panic!("{:?}", report.caveats);
    };
    assert_eq!(share, 1.0);
    assert!((change - 0.1).abs() < 1e-12);
}

#[test]
fn only_shared_rounds_of_one_session_are_pairs() {
    let (base, head) = session([("get", "wall_time", &times((100.0, 200.0), 9)[..])]);
    let stored = ["get wall_time: inconclusive baseline-only"];
    for (first, second) in [(Some("a"), Some("b")), (Some("a"), None), (None, None)] {
        let (mut base, mut head) = (base.clone(), head.clone());
        base.session = first.map(|id| SessionId::new(id).unwrap());
        head.session = second.map(|id| SessionId::new(id).unwrap());
        assert_eq!(all_said(&judged(&base, &head)), stored);
    }
    let later = |first: u32| {
        let mut later = run([in_rounds("get", "wall_time", &[200.0; 9], first)]);
        later.session = head.session.clone();
        all_said(&judged(&base, &later))
    };
    // What could have failed does not pass without a word where the session gave no pair of it.
    let unpaired = ["get wall_time: inconclusive warn too-few-pairs"];
    assert_eq!(later(9), unpaired);
    assert_eq!(later(8), ["get wall_time: inconclusive too-few-pairs"]);
    // Without rounds nothing says which values belong together.
    let mut unordered = run([measurement("get", &[("wall_time", &[200.0; 9])])]);
    unordered.session = head.session.clone();
    assert_eq!(all_said(&judged(&base, &unordered)), unpaired);
}

/// One number of an invocation is no surer than a time: once on each side it is compared by nobody, and that is said.
#[test]
fn numbers_of_a_harness_that_were_not_taken_in_rounds_do_not_pass_without_a_word() {
    let once = |value: f64| {
        let metric = Metric {
            nature: Nature::Summarized,
            ..metric("wall_time")
        };
        let sample = Sample::new([value]).unwrap();
        let reading = Reading { metric, sample };
        let mut run = run([Measurement::new(bench("get"), [reading], None, vec![]).unwrap()]);
        run.session = Some(SessionId::new("a").unwrap());
        run
    };
    for value in [101.0, 120.0, 400.0] {
        let said = all_said(&judged(&once(100.0), &once(value)));
        assert_eq!(said, ["get wall_time: inconclusive warn too-few-pairs"]);
    }
    assert_eq!(
        all_said(&judged(&once(100.0), &once(100.0))),
        ["get wall_time: unchanged"]
    );
}

#[test]
fn what_differs_between_the_sides_is_said() {
    let (mut base, mut head) = session([
        ("get", "wall_time", &times((100.0, 110.0), 9)[..]),
        ("get", "instructions", &[(1e6, 2e6)]),
        ("set", "wall_time", &times((100.0, 100.0), 9)),
    ]);
    base.environment.state_text("rustc", "1.94").unwrap();
    head.environment.state_text("rustc", "1.95").unwrap();
    // A compiler that makes it slower makes it slower; a count of another compiler is another count.
    assert_eq!(
        all_said(&judged(&base, &head)),
        [
            "get instructions: inconclusive environment-differs",
            "get wall_time: regressed fail environment-differs",
            "set wall_time: unchanged",
        ]
    );
    // Two machines in one session are none.
    head.environment.state_text("cpu_model", "other").unwrap();
    assert_eq!(
        all_said(&judged(&base, &head)),
        [
            "get instructions: inconclusive environment-differs",
            "get wall_time: inconclusive environment-differs",
            "set wall_time: inconclusive environment-differs",
        ]
    );
}
