//! Acceptances hold for one change and end with it; gains that are not kept are said.

use tripline_judge::{Judge, Limits, Outcomes, Policy, judge};
use tripline_model::{
    Acceptance, Acceptances, CommitId, Covers, EnvironmentName, Gate, MetricName, Report, Run,
    SessionId, SuiteName,
};

use crate::build::{answered, run};
use crate::table::{found, id, in_rounds, lines, many, one, row};

fn accepted(bench: &str, metric: &str, from: f64, to: f64) -> Acceptances {
    covering(Covers::Both, bench, metric, [from, to])
}

fn covering(covers: Covers, bench: &str, metric: &str, [from, to]: [f64; 2]) -> Acceptances {
    let mut accepted = Acceptances::new(SuiteName::new("kv").unwrap());
    let acceptance = Acceptance {
        who: "Ada <ada@example.org>".to_owned(),
        because: "correctness first".to_owned(),
        from,
        to,
        covers,
        commit: None,
        environment: None,
    };
    let metric = MetricName::new(metric).unwrap();
    accepted.insert(id(bench), metric, acceptance).unwrap();
    accepted
}

fn counted(count: f64) -> Run {
    run([one("get", "instructions", &[count, count])])
}

/// Judges two counts where 100,000 became 110,000 with somebody's consent.
fn judged(base: f64, head: f64) -> Report {
    let accepted = accepted("get", "instructions", 100_000.0, 110_000.0);
    let policy = Policy::standard().with_accepted(accepted);
    judge(Some(&counted(base)), &counted(head), &policy).unwrap()
}

#[test]
fn a_count_passes_while_base_and_head_stay_within_what_was_accepted() {
    let of = |base: f64, head: f64| {
        let report = judged(base, head);
        let is_accepted = report.findings[0].acceptance.is_some();
        let line = lines(&report, "instructions").join("");
        let (_, said) = line.split_once(": ").unwrap();
        format!("{said}{}", if is_accepted { ", accepted" } else { "" })
    };
    for (base, head, wanted) in [
        (100_000.0, 110_000.0, "regressed, accepted"),
        (100_000.0, 110_100.0, "regressed, accepted"),
        (100_000.0, 105_000.0, "regressed, accepted"),
        (104_000.0, 110_000.0, "regressed, accepted"),
        (100_000.0, 100_000.0, "unchanged"),
        (100_000.0, 90_000.0, "improved"),
        // It moved on, for the worse.
        (100_000.0, 112_000.0, "regressed fail acceptance-ended"),
        (104_000.0, 112_000.0, "regressed fail acceptance-ended"),
        // The base holds what was accepted; this is something else.
        (110_000.0, 112_000.0, "regressed fail"),
        (110_000.0, 110_000.0, "unchanged"),
        // What was gained since is not given back for it.
        (90_000.0, 105_000.0, "regressed fail"),
        (90_000.0, 112_000.0, "regressed fail"),
    ] {
        assert_eq!(of(base, head), wanted, "{base} became {head}");
    }
}

#[test]
fn the_finding_says_who_took_it_and_why() {
    let report = judged(100_000.0, 110_000.0);
    let acceptance = report.findings[0].acceptance.as_ref().unwrap();
    assert_eq!(acceptance.because, "correctness first");
    assert_eq!(report.gate(), Gate::Pass);
}

#[test]
fn it_is_of_one_benchmark_and_one_metric() {
    let of = |scale: f64| {
        let values = |count: f64| [count * scale, count * scale];
        run([
            many(
                "get",
                &[
                    ("instructions", &values(100_000.0)),
                    ("allocations", &values(10.0)),
                ],
            ),
            one("set", "instructions", &values(100_000.0)),
        ])
    };
    let accepted = accepted("get", "instructions", 100_000.0, 110_000.0);
    let policy = Policy::standard().with_accepted(accepted);
    let found = |metric| found(Some(&of(1.0)), &of(1.1), &policy, metric);
    assert_eq!(
        found("instructions"),
        [
            "get 110000.00000000001: regressed",
            "set 110000.00000000001: regressed fail"
        ]
    );
    assert_eq!(found("allocations"), ["get 11: regressed fail"]);
}

#[test]
fn what_is_better_high_is_accepted_downwards() {
    let accepted = accepted("get", "hits", 1_000.0, 900.0);
    let policy = Policy::standard().with_accepted(accepted);
    let of = |base: f64, head: f64| {
        let run = |count: f64| run([one("get", "hits", &[count, count])]);
        found(Some(&run(base)), &run(head), &policy, "hits").join("")
    };
    assert_eq!(of(1_000.0, 900.0), "get 900: regressed");
    assert_eq!(of(1_000.0, 950.0), "get 950: regressed");
    assert_eq!(
        of(1_000.0, 890.0),
        "get 890: regressed fail acceptance-ended"
    );
    assert_eq!(of(1_100.0, 950.0), "get 950: regressed fail");
}

/// A session on a machine that is as fast as `speed`, in which the head takes `ratio` times as long.
fn session(speed: f64, ratio: f64) -> (Run, Run) {
    session_of("wall_time", speed, [ratio; 2])
}

/// A session in which a metric becomes so many times as much, in even rounds and in odd ones.
fn session_of(metric: &str, speed: f64, ratios: [f64; 2]) -> (Run, Run) {
    let side = |factors: [f64; 2]| {
        let noise = |round: u32| 1.0 + 0.01 * f64::from(round * 7 % 11) / 11.0;
        let values = (0..15).flat_map(|pair| [2 * pair, 2 * pair + 1].into_iter().zip(factors));
        let values: Vec<f64> = values
            .map(|(round, factor)| factor * speed * noise(round))
            .collect();
        let mut side = run([in_rounds("get", metric, &values)]);
        side.session = Some(SessionId::new("s").unwrap());
        side
    };
    (side([1.0; 2]), side(ratios))
}

#[test]
fn pairs_are_accepted_by_their_ratio_on_any_machine() {
    let accepted = accepted("get", "wall_time", 200.0, 220.0);
    let policy = Policy::standard().with_accepted(accepted);
    let of = |speed: f64, ratio: f64| {
        let (base, head) = session(speed, ratio);
        let report = judge(Some(&base), &head, &policy).unwrap();
        lines(&report, "wall_time")[0]
            .split_once(": ")
            .unwrap()
            .1
            .to_owned()
    };
    for speed in [50.0, 200.0, 1_000.0] {
        assert_eq!(of(speed, 1.1), "regressed");
        assert_eq!(of(speed, 1.05), "regressed");
        // Two percent more than what was accepted is within the tolerance, and five percent is not.
        assert_eq!(of(speed, 1.115), "regressed");
        assert_eq!(of(speed, 1.16), "regressed fail acceptance-ended");
    }
}

#[test]
fn a_change_that_seems_far_greater_than_what_was_accepted_is_another_one() {
    // Each other round is only a little worse, so the interval reaches to what was accepted.
    let of = |metric: &str, to: f64, ratios: [f64; 2]| {
        let policy = Policy::standard().with_accepted(accepted("get", metric, 200.0, to));
        let (base, head) = session_of(metric, 200.0, ratios);
        let report = judge(Some(&base), &head, &policy).unwrap();
        let change = report.findings[0].evidence.change.unwrap();
        assert!(
            change.low <= to / 200.0 || change.high >= to / 200.0,
            "{change:?}"
        );
        let line = &lines(&report, metric)[0];
        line.split_once(": ").unwrap().1.to_owned()
    };
    let ended = "regressed fail acceptance-ended";
    assert_eq!(of("wall_time", 220.0, [1.06, 1.2]), "regressed");
    assert_eq!(of("wall_time", 220.0, [1.06, 1.9]), ended);
    assert_eq!(of("throughput", 180.0, [0.95, 0.85]), "regressed");
    assert_eq!(of("throughput", 180.0, [0.95, 0.5]), ended);
}

#[test]
fn what_was_accepted_and_is_mended_is_said_until_somebody_ends_it() {
    let of = |base: f64, head: f64, limit: Option<f64>, stale: Gate| {
        let limits = limit.map(|max| Limits {
            max: Some(max),
            ..Limits::default()
        });
        let policy = Policy::standard()
            .with_layers(limits.map(|limits| row("instructions", limits)))
            .with_outcomes(Outcomes {
                stale,
                ..Outcomes::default()
            })
            .with_accepted(accepted("get", "instructions", 100_000.0, 110_000.0));
        let report = Judge::by(&policy)
            .against_baseline()
            .judge(Some(&counted(base)), &counted(head))
            .unwrap();
        let line = lines(&report, "instructions").join("");
        line.split_once(": ").unwrap().1.to_owned()
    };
    let plain = |base, head| of(base, head, None, Gate::Pass);
    for (base, head, wanted) in [
        (100_000.0, 100_000.0, "unchanged acceptance-idle"),
        (
            100_000.0,
            90_000.0,
            "improved baseline-stale acceptance-idle",
        ),
        (90_000.0, 90_000.0, "unchanged acceptance-idle"),
        // The half of it is there still.
        (100_000.0, 105_000.0, "regressed acceptance-idle"),
        (104_000.0, 108_000.0, "regressed acceptance-idle"),
        (105_000.0, 105_000.0, "unchanged acceptance-idle"),
        // All of it is, or may be.
        (100_000.0, 110_000.0, "regressed"),
        (100_000.0, 109_950.0, "regressed"),
        (109_950.0, 109_950.0, "unchanged"),
        // Another change is no mended one.
        (100_000.0, 112_000.0, "regressed fail acceptance-ended"),
        (90_000.0, 105_000.0, "regressed fail"),
        // The baseline holds it: an update takes the gain, and ends it.
        (110_000.0, 100_000.0, "improved baseline-stale"),
        (110_000.0, 110_000.0, "unchanged"),
        (115_000.0, 115_000.0, "unchanged"),
    ] {
        assert_eq!(plain(base, head), wanted, "{base} became {head}");
    }
    assert_eq!(
        of(100_000.0, 100_000.0, None, Gate::Warn),
        "unchanged warn acceptance-idle"
    );
    // A limit that is crossed no more needs it no more, and one that is crossed by less needs less.
    let limited = |base, head| of(base, head, Some(99_000.0), Gate::Pass);
    assert_eq!(
        of(100_000.0, 100_000.0, Some(105_000.0), Gate::Warn),
        "unchanged warn acceptance-idle"
    );
    assert_eq!(limited(104_000.0, 104_000.0), "regressed acceptance-idle");
    assert_eq!(limited(110_000.0, 110_000.0), "regressed");
}

#[test]
fn what_was_accepted_in_another_environment_is_said_here_and_stops_nothing() {
    let of = |owner: Option<&str>| {
        let mut here = Acceptances::new(SuiteName::new("kv").unwrap());
        for (bench, metric, acceptance) in accepted("get", "instructions", 1e5, 1.1e5).iter() {
            let environment = owner.map(|name| EnvironmentName::new(name).unwrap());
            let acceptance = Acceptance {
                environment,
                ..acceptance.clone()
            };
            let inserted = here.insert(bench.clone(), metric.clone(), acceptance);
            inserted.unwrap();
        }
        let outcomes = Outcomes {
            stale: Gate::Fail,
            ..Outcomes::default()
        };
        let policy = Policy::standard()
            .with_outcomes(outcomes)
            .with_accepted(here);
        let judge = Judge::by(&policy).against_baseline();
        let report = judge.judge(Some(&counted(9e4)), &counted(9e4)).unwrap();
        lines(&report, "instructions").join("")
    };
    for (owner, wanted) in [
        (None, "get 90000: unchanged fail acceptance-idle"),
        (Some("here"), "get 90000: unchanged fail acceptance-idle"),
        (Some("elsewhere"), "get 90000: unchanged acceptance-idle"),
    ] {
        assert_eq!(of(owner), wanted, "{owner:?}");
    }
}

#[test]
fn what_is_better_high_is_mended_upwards() {
    let policy = Policy::standard().with_accepted(accepted("get", "hits", 1_000.0, 900.0));
    let of = |base: f64, head: f64| {
        let run = |count: f64| run([one("get", "hits", &[count, count])]);
        let judge = Judge::by(&policy).against_baseline();
        let report = judge.judge(Some(&run(base)), &run(head)).unwrap();
        lines(&report, "hits").join("")
    };
    assert_eq!(of(1_000.0, 1_000.0), "get 1000: unchanged acceptance-idle");
    assert_eq!(of(900.0, 900.0), "get 900: unchanged");
}

#[test]
fn only_what_was_accepted_since_the_base_is_handed_over() {
    let before = accepted("get", "wall_time", 200.0, 220.0);
    assert_eq!(before.since(&before).iter().len(), 0);
    let after = accepted("get", "wall_time", 200.0, 230.0);
    assert_eq!(after.since(&before), after);
    let otherwise = |change: fn(&mut Acceptance)| {
        let mut all = Acceptances::new(before.suite().clone());
        for (bench, metric, acceptance) in before.iter() {
            let mut acceptance = acceptance.clone();
            change(&mut acceptance);
            let inserted = all.insert(bench.clone(), metric.clone(), acceptance);
            inserted.unwrap();
        }
        all
    };
    let reworded = otherwise(|acceptance| acceptance.because.push_str(", as was said"));
    let again = otherwise(|acceptance| {
        acceptance.commit = Some(CommitId::new(&"c".repeat(40)).unwrap());
    });
    assert_eq!(reworded.since(&before).iter().len(), 0);
    assert_eq!(again.since(&before), again);
    // Other words cover in a session no more than those before; what was taken again at another commit does.
    let gate = |accepted| {
        let policy = Policy::standard().with_accepted(accepted);
        let (base, head) = session(1.0, 1.1);
        let report = judge(Some(&base), &head, &policy.with_held(before.clone()));
        report.unwrap().gate()
    };
    assert_eq!((gate(reworded), gate(again)), (Gate::Fail, Gate::Pass));
}

#[test]
fn a_limit_may_be_crossed_as_far_as_was_accepted() {
    let limits = Limits {
        max: Some(1_000.0),
        ..Limits::default()
    };
    let of = |head: f64, to: f64| {
        let policy = Policy::standard()
            .with_layers([row("instructions", limits)])
            .with_accepted(accepted("get", "instructions", 1_000.0, to));
        found(None, &counted(head), &policy, "instructions").join("")
    };
    assert_eq!(of(1_200.0, 1_200.0), "get 1200: regressed");
    assert_eq!(of(1_100.0, 1_200.0), "get 1100: regressed");
    assert_eq!(
        of(1_300.0, 1_200.0),
        "get 1300: regressed fail acceptance-ended"
    );
    assert_eq!(of(1_300.0, 900.0), "get 1300: regressed fail");
}

#[test]
fn what_was_accepted_of_a_limit_lets_no_change_pass_and_of_a_change_no_limit() {
    let limits = |max: f64| Limits {
        max: Some(max),
        ..Limits::default()
    };
    let of = |max: f64, (base, head): (f64, f64), (from, to): (f64, f64)| {
        let policy = Policy::standard()
            .with_layers([row("instructions", limits(max))])
            .with_accepted(accepted("get", "instructions", from, to));
        let report = judge(Some(&counted(base)), &counted(head), &policy).unwrap();
        let line = lines(&report, "instructions").join("");
        line.split_once(": ").unwrap().1.to_owned()
    };
    let taken = (880.0, 1_000.0);
    // It was accepted that the limit of 900 is crossed, when the base was there nearly.
    assert_eq!(of(900.0, (880.0, 1_000.0), taken), "regressed");
    assert_eq!(of(900.0, (1_000.0, 1_000.0), taken), "regressed");
    // What was gained since is held, as far beyond the limit as below it; the limit is none of it.
    assert_eq!(of(900.0, (700.0, 899.0), taken), "regressed fail");
    assert_eq!(of(900.0, (700.0, 1_000.0), taken), "regressed fail");
    let policy = Policy::standard()
        .with_layers([row("instructions", limits(900.0))])
        .with_accepted(accepted("get", "instructions", 880.0, 1_000.0));
    let report = judge(Some(&counted(700.0)), &counted(1_000.0), &policy).unwrap();
    assert_eq!(report.findings[0].evidence.budget, None);
    // The change was accepted where there was no such limit.
    assert_eq!(of(2_000.0, (880.0, 1_000.0), taken), "regressed");
    assert_eq!(
        of(950.0, (880.0, 1_000.0), (880.0, 940.0)),
        "regressed fail"
    );
}

/// That a limit is crossed was accepted of the work there was, and says nothing of a comparison that cannot be made.
#[test]
fn what_was_accepted_of_a_limit_lets_no_other_work_pass() {
    let limits = Limits {
        max: Some(900.0),
        ..Limits::default()
    };
    let policy = Policy::standard()
        .with_layers([row("instructions", limits)])
        .with_accepted(accepted("get", "instructions", 880.0, 1_000.0));
    let said = |answer: &str| {
        let base = run([answered("get", 1_000.0, "aa")]);
        let head = run([answered("get", 1_000.0, answer)]);
        let report = judge(Some(&base), &head, &policy).unwrap();
        lines(&report, "instructions").join("")
    };
    assert_eq!(said("aa"), "get 1000: regressed");
    assert_eq!(said("bb"), "get 1000: inconclusive warn answer-differs");
}

#[test]
fn a_limit_that_was_set_later_is_crossed_and_a_change_that_came_later_is_stopped() {
    let of = |covers, max: f64, base: Option<f64>, head: f64| {
        let limits = Limits {
            max: Some(max),
            ..Limits::default()
        };
        let policy = Policy::standard()
            .with_layers([row("instructions", limits)])
            .with_accepted(covering(covers, "get", "instructions", [120.0, 150.0]));
        let base = base.map(counted);
        let report = judge(base.as_ref(), &counted(head), &policy).unwrap();
        report.findings[0].gate
    };
    let (pass, fail) = (Gate::Pass, Gate::Fail);
    for (covers, max, base, gate) in [
        // The change was taken where there was no limit.
        (Covers::Change, 200.0, Some(120.0), pass),
        (Covers::Change, 120.0, Some(120.0), fail),
        (Covers::Change, 120.0, None, fail),
        // That the limit is crossed was taken of a first run.
        (Covers::Limit, 120.0, None, pass),
        (Covers::Limit, 120.0, Some(150.0), pass),
        (Covers::Limit, 120.0, Some(125.0), fail),
        (Covers::Limit, 200.0, Some(125.0), fail),
        (Covers::Both, 120.0, Some(125.0), pass),
    ] {
        assert_eq!(
            of(covers, max, base, 150.0),
            gate,
            "{covers:?} {max} {base:?}"
        );
    }
}

#[test]
fn what_came_from_nothing_is_accepted_of_pairs_as_of_counts() {
    let side = |faults: f64| {
        let mut side = run([in_rounds("get", "major_page_faults", &[faults; 30])]);
        side.session = Some(SessionId::new("s").unwrap());
        side
    };
    let policy = Policy::standard().with_accepted(accepted("get", "major_page_faults", 0.0, 5.0));
    let gate = |base: f64, head: f64| {
        let report = judge(Some(&side(base)), &side(head), &policy).unwrap();
        report.findings[0].gate
    };
    assert_eq!(gate(0.0, 5.0), Gate::Pass);
    assert_eq!(gate(0.0, 4.0), Gate::Pass);
    assert_eq!(gate(0.0, 9.0), Gate::Fail);
    assert_eq!(gate(5.0, 9.0), Gate::Fail);
}

#[test]
fn noise_does_not_end_what_was_accepted_of_a_limit_and_one_low_value_does_not_keep_it() {
    let limits = Limits {
        max: Some(1_000.0),
        ..Limits::default()
    };
    let policy = Policy::standard()
        .with_layers([row("wall_time", limits)])
        .with_accepted(accepted("get", "wall_time", 1_000.0, 1_120.0));
    let of = |head: &[f64]| {
        let report = judge(None, &run([one("get", "wall_time", head)]), &policy).unwrap();
        report.findings[0].gate
    };
    let with_one_low = |low: f64, others: f64| {
        let mut head = [others; 20];
        head[0] = low;
        of(&head)
    };
    assert_eq!(with_one_low(1_110.0, 1_121.0), Gate::Pass);
    assert_eq!(with_one_low(1_110.0, 2_200.0), Gate::Fail);
    // Where it may be crossed and may not, it may be.
    assert_eq!(with_one_low(990.0, 1_001.0), Gate::Pass);
    assert_eq!(of(&[980.0, 1_060.0, 990.0, 1_050.0, 1_040.0]), Gate::Pass);
}

/// What is accepted of a limit would let it be crossed again; near the limit a busy machine does that.
#[test]
fn what_was_accepted_of_a_times_limit_is_idle_where_all_of_it_is_well_within() {
    let limited = |min, max| Limits {
        min,
        max,
        ..Limits::default()
    };
    let of = |covers, (limits, from, to), head: [f64; 3]| {
        let policy = Policy::standard()
            .with_layers([row("wall_time", limits)])
            .with_accepted(covering(covers, "get", "wall_time", [from, to]))
            .with_outcomes(Outcomes {
                stale: Gate::Fail,
                ..Outcomes::default()
            });
        let base = run([one("get", "wall_time", &[to; 3])]);
        let judge = Judge::by(&policy).against_baseline();
        let report = judge.judge(Some(&base), &run([one("get", "wall_time", &head)]));
        let report = report.unwrap();
        let is_idle = lines(&report, "wall_time")[0].contains("acceptance-idle");
        // Another machine may be slower.
        assert!(!is_idle || report.gate() == Gate::Pass);
        is_idle
    };
    let most = (limited(None, Some(1_000.0)), 1_000.0, 1_120.0);
    assert!(of(Covers::Limit, most, [500.0, 510.0, 520.0]));
    assert!(of(Covers::Limit, most, [890.0, 900.0, 909.0]));
    assert!(!of(Covers::Limit, most, [890.0, 900.0, 950.0]));
    assert!(!of(Covers::Limit, most, [500.0, 510.0, 1_100.0]));
    // A change is of two machines, and nobody knows of which of them it is gone.
    assert!(!of(Covers::Both, most, [500.0, 510.0, 520.0]));
    assert!(!of(Covers::Change, most, [500.0, 510.0, 520.0]));
    let least = (limited(Some(1_000.0), None), 1_000.0, 900.0);
    assert!(of(Covers::Limit, least, [1_110.0, 1_120.0, 1_130.0]));
    assert!(!of(Covers::Limit, least, [1_050.0, 1_120.0, 1_130.0]));
}

#[test]
fn a_gain_that_the_baseline_does_not_hold_is_said() {
    let of = |stale: Gate, metric: &str, head: f64| {
        let policy = Policy::standard().with_outcomes(Outcomes {
            stale,
            ..Outcomes::default()
        });
        let run = |count: f64| run([one("get", metric, &[count, count])]);
        let report = Judge::by(&policy)
            .against_baseline()
            .judge(Some(&run(10_000.0)), &run(head))
            .unwrap();
        lines(&report, metric)[0]
            .split_once(": ")
            .unwrap()
            .1
            .to_owned()
    };
    assert_eq!(
        of(Gate::Pass, "instructions", 9_000.0),
        "improved baseline-stale"
    );
    assert_eq!(
        of(Gate::Fail, "instructions", 9_000.0),
        "improved fail baseline-stale"
    );
    assert_eq!(of(Gate::Fail, "instructions", 9_995.0), "unchanged");
    assert_eq!(of(Gate::Fail, "instructions", 11_000.0), "regressed fail");
    // What never gates holds nobody to anything.
    assert_eq!(of(Gate::Fail, "data_reads", 9_000.0), "improved");
}

#[test]
fn a_gain_over_what_is_no_baseline_is_only_a_gain() {
    let report = judge(
        Some(&counted(10_000.0)),
        &counted(9_000.0),
        &Policy::standard(),
    )
    .unwrap();
    assert_eq!(lines(&report, "instructions"), ["get 9000: improved"]);
}
