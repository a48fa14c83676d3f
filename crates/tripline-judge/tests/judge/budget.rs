//! Budgets: absolute limits, whatever the base was.

use tripline_judge::{Beyond, Layer, Limits, Outcomes, Policy, Scope, judge};
use tripline_model::{Caveat, Gate, Method, Run, Verdict};

use crate::build::{answered, doubted, run};
use crate::noisy::Noise;
use crate::session::{Pair, session};
use crate::table::{deriving, found, in_rounds, one, row};

fn limits(min: Option<f64>, max: Option<f64>) -> Limits {
    Limits {
        min,
        max,
        ..Limits::default()
    }
}

fn at_most(metric: &str, max: f64) -> Policy {
    Policy::standard().with_layers([row(metric, limits(None, Some(max)))])
}

fn counted(count: f64) -> Run {
    run([one("get", "instructions", &[count, count])])
}

#[test]
fn a_count_beyond_its_limit_fails_with_and_without_a_base() {
    let policy = at_most("instructions", 1_000.0);
    let found = |base: Option<&Run>, head: f64| {
        found(base, &counted(head), &policy, "instructions").join("")
    };
    assert_eq!(found(None, 1_000.0), "get 1000: added");
    assert_eq!(found(None, 1_001.0), "get 1001: regressed fail");
    // That it was beyond it before is no excuse, and a gain that does not reach it is none either.
    assert_eq!(
        found(Some(&counted(1_001.0)), 1_001.0),
        "get 1001: regressed fail"
    );
    assert_eq!(
        found(Some(&counted(5_000.0)), 1_001.0),
        "get 1001: regressed fail"
    );
    assert_eq!(
        found(Some(&counted(5_000.0)), 1_000.0),
        "get 1000: improved"
    );
    assert_eq!(
        found(Some(&counted(500.0)), 900.0),
        "get 900: regressed fail"
    );
}

/// A limit compares nothing, so by which method its row is about a comparison is no question.
#[test]
fn a_limit_holds_in_a_row_about_any_method() {
    for method in [Method::Exact, Method::Paired, Method::Budget] {
        let scope = Scope {
            method: Some(method),
            ..Scope::default()
        };
        let layer = Layer::new(scope, limits(None, Some(1_000.0)), "a test").unwrap();
        let policy = Policy::standard().with_layers([layer]);
        let report = judge(None, &counted(1_001.0), &policy).unwrap();
        let gates: Vec<Gate> = report.findings.iter().map(|finding| finding.gate).collect();
        assert_eq!(gates, [Gate::Fail], "{method:?}");
    }
}

#[test]
fn the_evidence_names_the_limit_and_the_method() {
    let policy = at_most("instructions", 1_000.0);
    let evidence = |head: f64| {
        let report = judge(Some(&counted(990.0)), &counted(head), &policy).unwrap();
        report.findings[0].evidence.clone()
    };
    assert_eq!(evidence(990.0).method, Method::Exact);
    assert_eq!(evidence(990.0).budget.unwrap().max, Some(1_000.0));
    assert_eq!(evidence(1_001.0).method, Method::Budget);
    assert_eq!(evidence(1_001.0).change.unwrap().ratio, 1_001.0 / 990.0);
}

#[test]
fn a_limit_has_two_sides() {
    let policy =
        Policy::standard().with_layers([row("throughput", limits(Some(10.0), Some(20.0)))]);
    let found = |values: &[f64]| {
        let head = run([one("get", "throughput", values)]);
        found(None, &head, &policy, "throughput").join("")
    };
    assert_eq!(found(&[9.0, 9.5]), "get 9.25: regressed fail");
    assert_eq!(found(&[10.0, 20.0]), "get 15: added");
    assert_eq!(found(&[20.5, 21.0]), "get 20.75: regressed fail");
}

/// The limits of what a busy machine moves: what is beyond them is said as ever, and fails nothing by itself.
#[test]
fn a_limit_that_warns_says_the_same_and_fails_nothing() {
    let warns = |min, max| Limits {
        beyond: Some(Beyond::Warn),
        ..limits(min, max)
    };
    let policy = Policy::standard().with_layers([row("instructions", warns(None, Some(1_000.0)))]);
    let said = |base: Option<&Run>, head: f64| {
        found(base, &counted(head), &policy, "instructions").join("")
    };
    assert_eq!(said(None, 1_000.0), "get 1000: added");
    assert_eq!(said(None, 1_001.0), "get 1001: regressed warn");
    let report = judge(None, &counted(1_001.0), &policy).unwrap();
    assert_eq!(report.findings[0].evidence.method, Method::Budget);
    // What got worse by more than is allowed fails for that.
    assert_eq!(
        said(Some(&counted(500.0)), 1_001.0),
        "get 1001: regressed fail"
    );
    let policy = Policy::standard().with_layers([row("throughput", warns(Some(10.0), None))]);
    let head = run([one("get", "throughput", &[9.0, 9.5])]);
    assert_eq!(
        found(None, &head, &policy, "throughput"),
        ["get 9.25: regressed warn"]
    );
}

/// What is of the clock crosses a limit on a busy machine, and who measures alone cannot tell it from a change.
#[test]
fn a_limit_may_fail_only_what_was_measured_side_by_side_or_counted() {
    let beside = Limits {
        beyond: Some(Beyond::FailBeside),
        ..limits(None, Some(100.0))
    };
    let policy = Policy::standard().with_layers([row("wall_time", beside)]);
    let gate = |base: Option<&Run>, head: &Run| judge(base, head, &policy).unwrap().gate();
    let (base, head) = session([("get", "wall_time", &*noisy(90.0, 110.0))]);
    assert_eq!(gate(Some(&base), &head), Gate::Fail);
    assert_eq!(gate(None, &head), Gate::Warn);
    let (base, head) = session([("get", "wall_time", &*noisy(110.0, 110.0))]);
    assert_eq!(gate(Some(&base), &head), Gate::Warn);
    // A benchmark that is new in a session has no base, and would never have one that keeps the limit.
    let (base, mut head) = session([("set", "wall_time", &*noisy(50.0, 50.0))]);
    let new = one("get", "wall_time", &[110.0, 111.0, 112.0]);
    head.join(new).unwrap();
    assert_eq!(gate(Some(&base), &head), Gate::Fail);
    let alone = |middle: f64| {
        run([one(
            "get",
            "wall_time",
            &[middle, middle + 1.0, middle + 2.0],
        )])
    };
    assert_eq!(gate(Some(&alone(90.0)), &alone(110.0)), Gate::Warn);
    let beside = Limits {
        max: Some(1_000.0),
        ..beside
    };
    let policy = Policy::standard().with_layers([row("instructions", beside)]);
    let counted = found(None, &counted(1_001.0), &policy, "instructions");
    assert_eq!(counted, ["get 1001: regressed fail"]);
}

#[test]
fn what_is_noisy_is_beyond_a_limit_when_its_interval_is() {
    let policy =
        Policy::standard().with_layers([row("wall_time", limits(Some(50.0), Some(100.0)))]);
    let said = |center: f64| {
        let values: Vec<f64> = (0..21)
            .map(|i| center + 2.0 * (f64::from(i) - 10.0))
            .collect();
        let head = run([in_rounds("get", "wall_time", &values)]);
        found(None, &head, &policy, "wall_time").join("")
    };
    assert_eq!(said(110.0), "get 110: regressed fail");
    assert_eq!(said(101.0), "get 101: inconclusive warn weak-evidence");
    assert_eq!(said(99.0), "get 99: added");
    assert_eq!(said(51.0), "get 51: added");
    assert_eq!(said(49.0), "get 49: inconclusive warn weak-evidence");
    assert_eq!(said(40.0), "get 40: regressed fail");
}

#[test]
fn few_values_must_all_be_beyond() {
    let policy = at_most("wall_time", 100.0);
    let found = |values: &[f64]| {
        let head = run([one("get", "wall_time", values)]);
        found(None, &head, &policy, "wall_time").join("")
    };
    assert_eq!(found(&[101.0, 105.0, 110.0]), "get 105: regressed fail");
    assert_eq!(
        found(&[99.0, 105.0, 110.0]),
        "get 105: inconclusive warn weak-evidence"
    );
    assert_eq!(
        found(&[0.0, 105.0, 110.0]),
        "get 105: inconclusive warn weak-evidence"
    );
}

#[test]
fn a_derived_metric_is_held_to_its_limit_by_its_interval() {
    let sides = |ratio: f64| {
        let ones: Vec<f64> = (0..20).map(|i| 100.0 + f64::from(i % 5)).collect();
        let fours: Vec<f64> = ones.iter().map(|one| one * ratio).collect();
        run([
            one("get{n=1}", "wall_time", &ones),
            one("get{n=4}", "wall_time", &fours),
        ])
    };
    let policy = deriving("wall_time{n=4} / wall_time{n=1}", "ratio")
        .with_layers([row("it", limits(None, Some(2.0)))]);
    let found = |ratio: f64| found(None, &sides(ratio), &policy, "it").join("");
    assert!(found(1.9).ends_with(": added"), "{}", found(1.9));
    assert!(
        found(2.001).ends_with(": inconclusive warn weak-evidence"),
        "{}",
        found(2.001)
    );
    assert!(found(2.2).ends_with(": regressed fail"), "{}", found(2.2));
}

#[test]
fn what_nobody_knows_is_not_held_to_a_limit_and_not_let_pass_either() {
    let policy = at_most("instructions", 5.0);
    let tiny = [Caveat::TinyCount { count: 11.0 }];
    let head = run([doubted("get", 11.0, &tiny)]);
    assert_eq!(
        found(Some(&head), &head, &policy, "instructions"),
        ["get 11: unchanged warn tiny-count"]
    );
    let policy = deriving("a:wall_time / b:wall_time", "ratio")
        .with_layers([row("it", limits(None, Some(1e-9)))]);
    let head = run([
        one("a", "wall_time", &[10.0, 11.0, 12.0]),
        one("b", "wall_time", &[0.0, 0.0, 90.0]),
    ]);
    assert!(found(None, &head, &policy, "it")[0].ends_with("added warn unbounded-ratio"));
}

#[test]
fn a_limit_of_what_lost_a_term_is_never_passed_without_a_word() {
    let base = run([
        one("a", "instructions", &[9.0]),
        one("b", "instructions", &[3.0]),
    ]);
    let head = run([one("a", "instructions", &[9.0])]);
    let said = |removed: Gate, inconclusive: Gate, max: Option<f64>| {
        let outcomes = Outcomes {
            removed,
            inconclusive,
            ..Outcomes::default()
        };
        let policy = deriving("a:instructions / b:instructions", "ratio").with_outcomes(outcomes);
        let policy = policy.with_layers(max.map(|_| row("it", limits(None, max))));
        found(Some(&base), &head, &policy, "it").join("")
    };
    let passed = "it nothing: removed term-missing";
    let warned = "it nothing: removed warn term-missing";
    let failed = "it nothing: removed fail term-missing";
    assert_eq!(said(Gate::Pass, Gate::Pass, None), passed);
    assert_eq!(said(Gate::Pass, Gate::Pass, Some(5.0)), warned);
    assert_eq!(said(Gate::Fail, Gate::Pass, Some(5.0)), failed);
    assert_eq!(said(Gate::Pass, Gate::Fail, Some(5.0)), failed);
    assert_eq!(said(Gate::Pass, Gate::Fail, None), passed);
}

/// Twenty pairs around a base's and a head's value.
fn noisy(base: f64, head: f64) -> Vec<Pair> {
    let noise = |index: u32| 1.0 + f64::from(index * 7 % 20) / 1_000.0;
    let pairs = (0..20).map(|i| (base * noise(i), head * noise(i + 3)));
    pairs.collect()
}

/// What is said of a metric that is beyond its limit in a session.
fn beyond(base: &Run, head: &Run, policy: &Policy) -> (Gate, Vec<Caveat>) {
    let report = judge(Some(base), head, policy).unwrap();
    let finding = &report.findings[0];
    assert_eq!(
        (finding.verdict, finding.evidence.method),
        (Verdict::Regressed, Method::Budget)
    );
    (finding.gate, finding.caveats.clone())
}

/// A machine that does something else meanwhile takes both sides across a limit, and no change is to blame for it.
#[test]
fn times_beyond_a_limit_on_both_sides_warn_unless_the_head_is_worse() {
    let policy = at_most("wall_time", 100.0);
    let said = |pairs: &[Pair]| {
        let (base, head) = session([("get", "wall_time", pairs)]);
        beyond(&base, &head, &policy)
    };
    let both = (Gate::Warn, vec![Caveat::BaseBeyondToo]);
    assert_eq!(said(&noisy(110.0, 110.0)), both);
    assert_eq!(said(&noisy(120.0, 110.0)), both);
    assert_eq!(said(&noisy(110.0, 130.0)), (Gate::Fail, vec![]));
    assert_eq!(said(&noisy(90.0, 110.0)), (Gate::Fail, vec![]));
    // Near a limit, one of two equal sides often has its interval beyond, and the other its middle alone.
    assert_eq!(said(&noisy(99.2, 100.4)), both);
    // A base whose middle is within is no excuse.
    assert_eq!(said(&noisy(98.9, 100.0)), (Gate::Fail, vec![]));
    // Too few pairs to prove anything excuse nothing.
    let few = [(101.0, 500.0), (102.0, 510.0), (101.0, 505.0)];
    assert_eq!(said(&few), (Gate::Fail, vec![]));
}

/// Returns how many of so many sessions fail where a base takes so many times a limit, the head so many times the base,
/// and times are so noisy.
fn failing(sessions: u32, beyond: f64, worse: f64, jitter: f64) -> usize {
    let policy = at_most("wall_time", 100.0);
    let fails = |seed: &u32| {
        let mut noise = Noise::of(u64::from(*seed));
        let mut time = |factor: f64| 100.0 * beyond * factor * (jitter * noise.normal()).exp();
        let pairs: Vec<Pair> = (0..20).map(|_| (time(1.0), time(worse))).collect();
        let (base, head) = session([("get", "wall_time", &*pairs)]);
        judge(Some(&base), &head, &policy).unwrap().gate() == Gate::Fail
    };
    (0..sessions).filter(fails).count()
}

#[track_caller]
fn the_methodology_says(claim: &str) {
    let page = include_str!("../../../../docs/METHODOLOGY.md").replace('\n', " ");
    assert!(page.contains(claim), "the page does not say: {claim}");
}

/// Wherever a limit lies: far below, and near enough for the interval of one side to be beyond where that of the other is not.
#[test]
fn a_limit_fails_less_than_one_in_a_hundred_of_equal_sides() {
    let places = [1.0, 1.02, 1.03, 1.04, 1.06, 1.1, 2.0];
    let most = places.map(|beyond| failing(5_000, beyond, 1.0, 0.1));
    let most = most.into_iter().max().unwrap();
    assert!(most < 50, "{most}");
    the_methodology_says(&format!("at most {most} fail, wherever the limit lies"));
}

/// That the base is beyond a limit is no leave to get worse.
#[test]
fn a_head_that_is_shown_to_be_worse_fails_by_a_limit_that_its_base_is_beyond() {
    let failing = |worse, jitter| failing(300, 2.0, worse, jitter);
    let (by_five, by_twenty) = (failing(1.05, 0.02), failing(1.2, 0.1));
    assert!(by_five >= 297 && by_twenty >= 294, "{by_five} {by_twenty}");
    the_methodology_says(&format!(
        "with as much noise, {} fail; of those 3 % worse with 2 % of noise {}, 5 % worse {by_five}, \
         and 20 % worse with 10 % of noise {by_twenty}.",
        failing(1.1, 0.1),
        failing(1.03, 0.02)
    ));
}

/// Returns pairs, and those of a metric that is the inverse, so that its limit has the other side.
fn both_ways(pairs: &[Pair]) -> [(&'static str, Policy, Vec<Pair>); 2] {
    let inverse = |(base, head): &Pair| (1e6 / base, 1e6 / head);
    let at_least = limits(Some(1e4), None);
    let at_least = Policy::standard().with_layers([row("throughput", at_least)]);
    [
        ("wall_time", at_most("wall_time", 100.0), pairs.to_vec()),
        ("throughput", at_least, pairs.iter().map(inverse).collect()),
    ]
}

/// Where noise hides whether a head is worse at all, how much worse it seems still counts.
#[test]
fn a_head_that_seems_much_further_beyond_a_limit_is_not_excused_by_noise() {
    for (high, expected) in [(165.0, Gate::Warn), (230.0, Gate::Fail)] {
        let pair = |index: u32| (150.0, if index.is_multiple_of(2) { 140.0 } else { high });
        let pairs: Vec<Pair> = (0..20).map(pair).collect();
        for (metric, policy, pairs) in both_ways(&pairs) {
            let (base, head) = session([("get", metric, &*pairs)]);
            let report = judge(Some(&base), &head, &policy).unwrap();
            let change = report.findings[0].evidence.change.unwrap();
            assert!(change.low < 1.0 && change.high > 1.0, "{change:?}");
            assert_eq!(beyond(&base, &head, &policy).0, expected, "{metric}");
        }
    }
}

/// A machine that does much else meanwhile spreads both sides over a multiple; nothing is told by one seeming half as far again.
#[test]
fn a_head_no_further_beyond_a_limit_than_its_base_may_be_is_excused() {
    let base = [870.0, 144.0, 146.0, 134.0, 150.0, 325.0, 118.0, 84.0, 185.0];
    let head = [
        2830.0, 251.0, 117.0, 124.0, 225.0, 108.0, 259.0, 121.0, 192.0,
    ];
    let pairs: Vec<Pair> = base.into_iter().zip(head).collect();
    for (metric, policy, pairs) in both_ways(&pairs) {
        let (base, head) = session([("get", metric, &*pairs)]);
        let (gate, caveats) = beyond(&base, &head, &policy);
        assert!(caveats.contains(&Caveat::BaseBeyondToo), "{caveats:?}");
        assert_eq!(gate, Gate::Warn, "{metric}");
    }
}

#[test]
fn a_limit_is_the_heads_to_keep_where_the_sides_tell_nothing_of_each_other() {
    let policy = at_most("wall_time", 100.0);
    let (mut base, mut head) = session([("get", "wall_time", &*noisy(110.0, 110.0))]);
    base.environment.state_text("cpu_model", "one").unwrap();
    head.environment.state_text("cpu_model", "another").unwrap();
    assert_eq!(beyond(&base, &head, &policy).0, Gate::Fail);
}

#[test]
fn the_bases_excuse_is_of_the_same_limit_whichever_direction_is_better() {
    let both = |metric, pairs: &[Pair], min, max| {
        let policy = Policy::standard().with_layers([row(metric, limits(min, max))]);
        let (base, head) = session([("get", metric, pairs)]);
        beyond(&base, &head, &policy)
    };
    let more = |base, head| both("throughput", &noisy(base, head), Some(50.0), Some(100.0));
    assert_eq!(more(40.0, 40.0).0, Gate::Warn);
    assert_eq!(more(40.0, 120.0).0, Gate::Fail);
    assert_eq!(more(110.0, 300.0).0, Gate::Fail);
    assert_eq!(more(110.0, 110.0).0, Gate::Warn);
    // Worse by more than is allowed, and by less than noise may seem to be.
    assert_eq!(more(110.0, 115.5).0, Gate::Fail);
    assert_eq!(more(40.0, 38.0).0, Gate::Fail);
    assert_eq!(more(40.0, 39.8).0, Gate::Warn);
    let less = |base, head| both("wall_time", &noisy(base, head), Some(50.0), None);
    assert_eq!(less(40.0, 38.0).0, Gate::Fail);
    assert_eq!(less(40.0, 39.8).0, Gate::Warn);
}

#[test]
fn what_is_undecided_may_fail_where_both_sides_are_beyond_a_limit() {
    let policy = at_most("wall_time", 100.0).with_outcomes(Outcomes {
        inconclusive: Gate::Fail,
        ..Outcomes::default()
    });
    let wild: Vec<Pair> = (0..20)
        .map(|i| {
            (
                150.0 + f64::from(i % 7) * 9.0,
                150.0 + f64::from(i % 5) * 13.0,
            )
        })
        .collect();
    let (base, head) = session([("get", "wall_time", &*wild)]);
    let (gate, caveats) = beyond(&base, &head, &policy);
    assert!(caveats.contains(&Caveat::BaseBeyondToo), "{caveats:?}");
    assert_eq!(gate, Gate::Fail);
}

#[test]
fn outcomes_hold_for_what_a_limit_leaves_open() {
    let policy = at_most("wall_time", 100.0).with_outcomes(Outcomes {
        inconclusive: Gate::Fail,
        ..Outcomes::default()
    });
    let head = run([one("get", "wall_time", &[99.0, 105.0, 110.0])]);
    assert_eq!(
        found(None, &head, &policy, "wall_time"),
        ["get 105: inconclusive fail weak-evidence"]
    );
    // A base that cannot be compared with is none of a limit's business.
    let mut base = head.clone();
    base.environment.state_text("libc", "other").unwrap();
    let mut head = run([one("get", "wall_time", &[199.0, 95.0, 110.0])]);
    head.environment.state_text("libc", "this").unwrap();
    let said = found(Some(&base), &head, &policy, "wall_time").join("");
    assert!(said.contains("inconclusive fail"), "{said}");
}

#[test]
fn a_limit_that_only_warns_does_no_more_where_it_is_perhaps_crossed() {
    let head = run([one("get", "wall_time", &[99.0, 105.0, 110.0])]);
    let said = |beyond| {
        let limits = Limits {
            beyond,
            ..limits(None, Some(100.0))
        };
        let policy = Policy::standard().with_layers([row("wall_time", limits)]);
        let policy = policy.with_outcomes(Outcomes {
            inconclusive: Gate::Fail,
            ..Outcomes::default()
        });
        found(None, &head, &policy, "wall_time").join("")
    };
    assert_eq!(said(None), "get 105: inconclusive fail weak-evidence");
    for beyond in [Beyond::Warn, Beyond::FailBeside] {
        assert_eq!(
            said(Some(beyond)),
            "get 105: inconclusive warn weak-evidence"
        );
    }
}

#[test]
fn to_cross_a_limit_as_well_makes_nothing_milder_that_is_undecided() {
    let limits = Limits {
        beyond: Some(Beyond::Warn),
        ..limits(None, Some(1_000.0))
    };
    let policy = Policy::standard().with_layers([row("instructions", limits)]);
    let policy = policy.with_outcomes(Outcomes {
        inconclusive: Gate::Fail,
        ..Outcomes::default()
    });
    let base = run([answered("get", 900.0, "aa")]);
    let said = |count: f64| {
        let head = run([answered("get", count, "bb")]);
        found(Some(&base), &head, &policy, "instructions").join("")
    };
    assert_eq!(said(990.0), "get 990: inconclusive fail answer-differs");
    assert_eq!(said(1_500.0), "get 1500: regressed fail answer-differs");
}

#[test]
fn what_fails_because_it_is_undecided_says_so_beside_a_limit_that_only_warns() {
    let (base, head) = session([("get", "wall_time", &[(90.0, 110.0); 5][..])]);
    let said = |inconclusive| {
        let limits = Limits {
            beyond: Some(Beyond::Warn),
            ..limits(None, Some(100.0))
        };
        let policy = Policy::standard().with_layers([row("wall_time", limits)]);
        let policy = policy.with_outcomes(Outcomes {
            inconclusive,
            ..Outcomes::default()
        });
        found(Some(&base), &head, &policy, "wall_time").join("")
    };
    assert_eq!(said(Gate::Pass), "get 110: regressed warn");
    assert_eq!(said(Gate::Fail), "get 110: regressed fail too-few-pairs");
}

#[test]
fn equal_sides_fail_as_little_by_a_limit_that_is_perhaps_crossed_as_by_one_that_is() {
    let policy = |max| {
        at_most("wall_time", max).with_outcomes(Outcomes {
            inconclusive: Gate::Fail,
            ..Outcomes::default()
        })
    };
    let drift = [
        95.0, 97.0, 99.0, 101.0, 105.0, 107.0, 109.0, 111.0, 105.0, 103.0, 99.0, 112.0,
    ];
    let equal = drift.map(|value| (value, value));
    let (base, head) = session([("get", "wall_time", &equal[..])]);
    let said = |max| found(Some(&base), &head, &policy(max), "wall_time").join("");
    assert!(
        said(100.0).contains("inconclusive warn weak-evidence"),
        "{}",
        said(100.0)
    );
    assert!(
        said(90.0).contains("regressed warn base-beyond-too"),
        "{}",
        said(90.0)
    );
}
