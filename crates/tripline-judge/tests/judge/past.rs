//! Times held against their own history.

use tripline_judge::{Judge, Layer, Limits, Outcomes, Past, Policy, Scope};
use tripline_model::{Digest, Finding, Gate, Measurement, Method, Run, Verdict};

use crate::build::{all_said, bench, measurement, metric, reading, run};
use crate::noisy::Noise;

const NAME: &str = "wall_time";

/// A level with a little noise, always the same.
fn level(center: f64, count: usize, seed: u64) -> Vec<f64> {
    scattered(center, count, (seed, 0.02))
}

fn scattered(center: f64, count: usize, (seed, sigma): (u64, f64)) -> Vec<f64> {
    let mut noise = Noise::of(seed);
    let value = |_| center * (sigma * noise.normal()).exp();
    (0..count).map(value).collect()
}

fn past(series: &[(&str, &str, Vec<f64>)]) -> Past {
    let known = series
        .iter()
        .map(|(name, of, values)| (bench(name), metric(of), values));
    let known: Vec<_> = known.collect();
    let known = known
        .iter()
        .map(|(bench, metric, values)| (bench, metric, values.as_slice()));
    Past::of(known)
}

/// Judges a head whose kept run says 100, for those that have no past.
fn found(past: &Past, policy: &Policy, name: &str, of: &str, value: f64) -> Finding {
    let [base, head] = [100.0, value].map(|value| run([measurement(name, &[(of, &[value])])]));
    only(past, policy, &base, &head)
}

fn only(past: &Past, policy: &Policy, base: &Run, head: &Run) -> Finding {
    let judge = Judge::by(policy).with_past(Some(past));
    let mut findings = judge.judge(Some(base), head).unwrap().findings;
    assert_eq!(findings.len(), 1);
    findings.remove(0)
}

/// A policy under which a time fails that is so much worse than its history.
fn failing_from(fail: f64) -> Policy {
    let scope = Scope {
        method: Some(Method::Historical),
        ..Scope::default()
    };
    let limits = Limits {
        fail: Some(fail),
        ..Limits::default()
    };
    let layer = Layer::new(scope, limits, "it is quiet here").unwrap();
    Policy::standard().with_layers([layer])
}

fn verdict(past: &Past, of: &str, value: f64) -> (Verdict, Gate) {
    let finding = found(past, &Policy::standard(), "get", of, value);
    assert_eq!(finding.evidence.method, Method::Historical);
    (finding.verdict, finding.gate)
}

/// One value from another time gates where somebody asked for a gate, and no word of a method keeps that to sessions.
#[test]
fn a_row_gates_a_time_against_its_history_unless_it_is_about_sessions() {
    let past = past(&[("get", NAME, level(1_000.0, 40, 1))]);
    let gate = |method| {
        let scope = Scope {
            method,
            ..Scope::default()
        };
        let limits = Limits {
            fail: Some(0.1),
            ..Limits::default()
        };
        let layer = Layer::new(scope, limits, "a test").unwrap();
        let policy = Policy::standard().with_layers([layer]);
        found(&past, &policy, "get", NAME, 1_500.0).gate
    };
    assert_eq!(gate(None), Gate::Fail);
    assert_eq!(gate(Some(Method::Historical)), Gate::Fail);
    assert_eq!(gate(Some(Method::Paired)), Gate::Pass);
}

/// What is published beforehand is what the verdict then goes by; and counts, which have no noise, have none.
#[test]
fn the_smallest_change_that_shows_is_the_one_that_is_called_worse() {
    let values = level(1_000.0, 40, 1);
    let times = past(&[("get", NAME, values.clone())]);
    let policy = Policy::standard();
    let known = times.detectable(&bench("get"), &metric(NAME), &policy);
    let least = known.expect("forty values are enough");
    let middle = found(&times, &policy, "get", NAME, 1_000.0);
    let middle = middle.evidence.base.expect("it has a past").center;
    for (beyond, expected) in [(0.999, Verdict::Unchanged), (1.001, Verdict::Regressed)] {
        let value = middle * (1.0 + least * beyond);
        assert_eq!(verdict(&times, NAME, value).0, expected, "{least}");
    }
    let counts = past(&[("get", "instructions", values)]);
    let known = counts.detectable(&bench("get"), &metric("instructions"), &policy);
    assert_eq!(known, None);
}

#[test]
fn a_value_beyond_what_its_history_scatters_is_better_or_worse_and_fails_nothing() {
    let times = past(&[("get", NAME, level(1_000.0, 40, 1))]);
    assert_eq!(
        verdict(&times, NAME, 1_000.0),
        (Verdict::Unchanged, Gate::Pass)
    );
    assert_eq!(
        verdict(&times, NAME, 1_040.0),
        (Verdict::Unchanged, Gate::Pass)
    );
    assert_eq!(
        verdict(&times, NAME, 1_150.0),
        (Verdict::Regressed, Gate::Pass)
    );
    assert_eq!(
        verdict(&times, NAME, 870.0),
        (Verdict::Improved, Gate::Pass)
    );
    let rates = past(&[("get", "throughput", level(1_000.0, 40, 1))]);
    assert_eq!(
        verdict(&rates, "throughput", 1_150.0),
        (Verdict::Improved, Gate::Pass)
    );
    assert_eq!(
        verdict(&rates, "throughput", 870.0),
        (Verdict::Regressed, Gate::Pass)
    );
    let moods = past(&[("get", "mood", level(1_000.0, 40, 1))]);
    assert_eq!(
        verdict(&moods, "mood", 2_000.0),
        (Verdict::Unchanged, Gate::Pass)
    );
}

#[test]
fn what_it_is_held_against_is_said() {
    let times = past(&[("get", NAME, level(1_000.0, 40, 1))]);
    let Finding { evidence, .. } = found(&times, &Policy::standard(), "get", NAME, 1_150.0);
    let base = evidence.base.unwrap();
    assert!((base.center / 1_000.0 - 1.0).abs() < 0.01, "{base:?}");
    assert_eq!(base.count, 40);
    let change = evidence.change.unwrap();
    assert!((change.ratio - 1.15).abs() < 0.02, "{change:?}");
    assert!(change.low > 1.0 && change.low < change.ratio && change.ratio < change.high);
    assert!(
        evidence
            .detectable
            .is_some_and(|least| (0.05..0.10).contains(&least))
    );
    assert_eq!(evidence.confidence, Some(0.95));
}

#[test]
fn what_no_kept_run_has_is_held_against_its_history_all_the_same() {
    let times = past(&[("get", NAME, level(1_000.0, 40, 1))]);
    let policy = Policy::standard();
    let head = run([measurement("get", &[(NAME, &[1_150.0])])]);
    let other = run([measurement("set", &[(NAME, &[1.0])])]);
    for base in [None, Some(&other)] {
        let judge = Judge::by(&policy).with_past(Some(&times));
        let report = judge.judge(base, &head).unwrap();
        let found = report.findings.iter();
        let mut found = found.filter(|finding| finding.bench == bench("get"));
        let finding = found.next().unwrap();
        assert_eq!(finding.verdict, Verdict::Regressed);
        assert_eq!(finding.evidence.method, Method::Historical);
        assert_eq!(finding.evidence.head.unwrap().center, 1_150.0);
        assert!(finding.evidence.base.is_some());
    }
}

#[test]
fn other_work_is_not_held_against_a_history() {
    let times = past(&[("get", NAME, level(1_000.0, 40, 1))]);
    let policy = Policy::standard();
    let stating = |answer: &str, name: &str, value: f64| {
        let readings = [reading(name, &[value])];
        let answer = Some(Digest::new(answer).unwrap());
        run([Measurement::new(bench("get"), readings, answer, Vec::new()).unwrap()])
    };
    let base = stating("aa", "instructions", 10.0);
    let verdict = |answer: &str| {
        let judge = Judge::by(&policy).with_past(Some(&times));
        let report = judge
            .judge(Some(&base), &stating(answer, NAME, 1_150.0))
            .unwrap();
        let of_time = |finding: &&Finding| finding.metric.name.as_str() == NAME;
        report.findings.iter().find(of_time).unwrap().verdict
    };
    assert_eq!(verdict("aa"), Verdict::Regressed);
    assert_eq!(verdict("bb"), Verdict::Inconclusive);
}

#[test]
fn a_change_below_the_floor_is_none_against_a_history_either() {
    let times = past(&[("get", NAME, level(1_000.0, 40, 1))]);
    let limits = Limits {
        floor: Some(200.0),
        ..Limits::default()
    };
    let layer = Layer::new(Scope::default(), limits, "it is nothing").unwrap();
    let policy = Policy::standard().with_layers([layer]);
    for (value, expected) in [
        (1_150.0, Verdict::Unchanged),
        (850.0, Verdict::Unchanged),
        (1_300.0, Verdict::Regressed),
        (700.0, Verdict::Improved),
    ] {
        let found = found(&times, &policy, "get", NAME, value);
        assert_eq!(found.verdict, expected, "{value}");
    }
    let least = times.detectable(&bench("get"), &metric(NAME), &policy);
    assert!(least.is_some_and(|least| (0.19..0.21).contains(&least)));
}

#[test]
fn a_policy_may_let_it_fail() {
    let times = past(&[("get", NAME, level(1_000.0, 40, 1))]);
    let finding = found(&times, &failing_from(0.1), "get", NAME, 1_150.0);
    assert_eq!(
        (finding.verdict, finding.gate),
        (Verdict::Regressed, Gate::Fail)
    );
}

#[test]
fn where_most_moved_the_same_way_nothing_fails_by_its_history() {
    let names = ["add", "del", "get", "put", "set"];
    let seeds = names.iter().zip(1..);
    let series = seeds.map(|(name, seed)| (*name, NAME, level(1_000.0, 40, seed)));
    let times = past(&series.collect::<Vec<_>>());
    let said = |moved: usize, inconclusive: Gate| {
        let policy = failing_from(0.1).with_outcomes(Outcomes {
            inconclusive,
            ..Outcomes::default()
        });
        let time = |place: usize| if place < moved { 1_250.0 } else { 1_000.0 };
        let head = names.iter().enumerate();
        let head = run(head.map(|(place, name)| measurement(name, &[(NAME, &[time(place)])])));
        let judge = Judge::by(&policy).with_past(Some(&times));
        all_said(&judge.judge(None, &head).unwrap())
    };
    for line in &said(3, Gate::Pass)[..3] {
        assert!(line.ends_with("wall_time: regressed fail"), "{line}");
    }
    for (inconclusive, wanted) in [
        (Gate::Pass, "wall_time: inconclusive most-moved"),
        (Gate::Fail, "wall_time: inconclusive warn most-moved"),
    ] {
        for line in said(5, inconclusive) {
            assert!(line.ends_with(wanted), "{line}");
        }
    }
}

/// A machine that became faster makes nothing slower, and a kept run of another machine tells nothing of this one.
#[test]
fn what_goes_another_way_than_its_history_went_is_not_taken_back() {
    let names = ["add", "del", "get", "put", "set"];
    let known = |names: &[&'static str]| {
        let seeds = names.iter().zip(1..);
        let series = seeds.map(|(name, seed)| (*name, NAME, level(1_000.0, 40, seed)));
        past(&series.collect::<Vec<_>>())
    };
    let of = |times: &Past, others: f64| {
        let policy = failing_from(0.1);
        let values = |time: f64| [time * 0.99, time, time * 1.01, time];
        let side = |time: f64, own: f64| {
            let all = names.iter().map(|name| (*name, time));
            let all = all.chain([("top", own)]);
            run(all.map(|(name, time)| measurement(name, &[(NAME, &values(time))])))
        };
        let (base, head) = (side(1_000.0, 1_000.0), side(others, 1_400.0));
        let judge = Judge::by(&policy).with_past(Some(times));
        let said = all_said(&judge.judge(Some(&base), &head).unwrap());
        [said[0].clone(), said[5].clone()]
    };
    let slower = "top wall_time: regressed fail";
    let all = known(&[&names[..], &["top"]].concat());
    let taken_back = "add wall_time: inconclusive most-moved";
    assert_eq!(of(&all, 750.0), [taken_back, slower]);
    assert_eq!(
        of(&all, 1_250.0)[1],
        "top wall_time: inconclusive most-moved"
    );
    assert_eq!(of(&known(&["top"]), 1_900.0)[1], slower);
}

/// No update of a baseline would take it: the next run is held against the same level.
#[test]
fn a_gain_over_its_history_makes_no_baseline_stale() {
    let times = past(&[("get", NAME, level(1_000.0, 40, 1))]);
    let policy = failing_from(0.1).with_outcomes(Outcomes {
        stale: Gate::Fail,
        ..Outcomes::default()
    });
    let judge = Judge::by(&policy).with_past(Some(&times));
    let [base, head] = [1_000.0, 800.0].map(|time| run([measurement("get", &[(NAME, &[time])])]));
    let report = judge.against_baseline().judge(Some(&base), &head).unwrap();
    assert_eq!(all_said(&report), ["get wall_time: improved"]);
}

#[test]
fn a_step_in_the_past_is_no_noise() {
    let values = [level(1_000.0, 30, 2), level(1_500.0, 30, 3)].concat();
    let times = past(&[("get", NAME, values)]);
    assert_eq!(verdict(&times, NAME, 1_510.0).0, Verdict::Unchanged);
    assert_eq!(verdict(&times, NAME, 1_700.0).0, Verdict::Regressed);
    assert_eq!(verdict(&times, NAME, 1_000.0).0, Verdict::Improved);
}

#[test]
fn a_history_without_noise_has_a_bound_too() {
    let times = past(&[("get", NAME, vec![1_000.0; 20])]);
    assert_eq!(verdict(&times, NAME, 1_049.0).0, Verdict::Unchanged);
    assert_eq!(verdict(&times, NAME, 1_051.0).0, Verdict::Regressed);
}

#[test]
fn what_is_short_counted_or_beyond_logarithms_is_left_to_the_kept_run() {
    let method = |past: &Past, of: &str, value| {
        found(past, &Policy::standard(), "get", of, value)
            .evidence
            .method
    };
    let of = |values: Vec<f64>| past(&[("get", NAME, values)]);
    let short = of(level(1_000.0, 4, 1));
    assert_eq!(method(&short, NAME, 1_000.0), Method::BaselineOnly);
    let zero = of([level(1_000.0, 20, 1), vec![0.0]].concat());
    assert_eq!(method(&zero, NAME, 1_000.0), Method::BaselineOnly);
    let known = of(level(1_000.0, 20, 1));
    assert_eq!(method(&known, NAME, 0.0), Method::BaselineOnly);
    let counts = past(&[("get", "instructions", vec![1_000.0; 20])]);
    assert_eq!(method(&counts, "instructions", 1_000.0), Method::Exact);
    let others = past(&[("set", NAME, level(1_000.0, 20, 1))]);
    assert_eq!(method(&others, NAME, 1_000.0), Method::BaselineOnly);
}

/// Five values that happen to lie close together know nothing of the noise; nine others of the suite do.
#[test]
fn benchmarks_lend_each_other_their_noise() {
    let close = vec![1_000.0, 1_020.0, 980.0, 1_010.0, 990.0];
    let names: Vec<String> = (0..9).map(|number| format!("other_{number}")).collect();
    let mut series = vec![("get", NAME, close)];
    assert_eq!(verdict(&past(&series), NAME, 1_100.0).0, Verdict::Regressed);
    for (seed, name) in names.iter().enumerate() {
        let values = scattered(1_000.0, 40, (10 + seed as u64, 0.08));
        series.push((name, NAME, values));
    }
    assert_eq!(verdict(&past(&series), NAME, 1_100.0).0, Verdict::Unchanged);
}

/// Twenty benchmarks, thirty commits, and then one more on which nothing changed.
#[test]
fn a_report_is_seldom_wrong_where_nothing_changed() {
    const REPORTS: u64 = 300;
    let names: Vec<String> = (0..20).map(|number| format!("bench_{number}")).collect();
    let mut wrong = 0;
    for report in 0..REPORTS {
        let mut noise = Noise::of(1_000 + report);
        let mut value = || 1_000.0 * (0.05 * noise.normal()).exp();
        let series: Vec<_> = names
            .iter()
            .map(|name| (name.as_str(), NAME, (0..30).map(|_| value()).collect()))
            .collect();
        let times = past(&series);
        let all = |value: &mut dyn FnMut() -> f64| {
            run(names
                .iter()
                .map(|name| measurement(name, &[(NAME, &[value()])])))
        };
        let (base, head) = (all(&mut value), all(&mut value));
        let policy = Policy::standard();
        let judge = Judge::by(&policy).with_past(Some(&times));
        let findings = judge.judge(Some(&base), &head).unwrap().findings;
        let takes_sides = |finding: &Finding| {
            assert_eq!(finding.evidence.method, Method::Historical);
            finding.verdict != Verdict::Unchanged
        };
        wrong += u32::from(findings.iter().filter(|it| takes_sides(it)).count() > 0);
    }
    let share = f64::from(wrong) / REPORTS as f64;
    assert!(share <= 0.06, "{share}");
}
