//! Properties over arbitrary sessions: hostile values, rounds that only one side has, and every direction.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use tripline_judge::stats::multiplicity::e_bh;
use tripline_judge::{Decision, Policy, Rule, decision};
use tripline_model::wire::{read_report, write_report};
use tripline_model::{Finding, Gate, Method, Run, Sample, SessionId, Tolerance, Verdict};
use tripline_model::{Measurement, Reading};

use crate::build::{all_said, bench, judged, metric, run};
use crate::generate::value;
use crate::session::Pair;

/// Each benchmark's metric, and what its rounds gave: both values, or only one of them.
type Benches = Vec<(String, &'static str, Vec<Round>)>;

/// The values of one round, and which sides have it.
type Round = (f64, f64, Sides);

#[derive(Debug, Clone, Copy, PartialEq)]
enum Sides {
    Both,
    Base,
    Head,
}

fn rounds(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Round>> {
    let both = |(base, head)| (base, head, Sides::Both);
    let near = |(base, per_thousand): (u32, i32)| {
        let base = f64::from(base);
        (
            base,
            base * f64::from(1_000 + per_thousand) / 1_000.0,
            Sides::Both,
        )
    };
    let round = prop_oneof![
        4 => (900_000..1_100_000_u32, -60..60_i32).prop_map(near),
        4 => (900_000..1_100_000_u32, 40..60_i32).prop_map(near),
        1 => (value(), value()).prop_map(both),
    ];
    vec(round, count)
}

/// Makes the two sides of a session in which every benchmark has a metric of its own direction.
fn benches() -> impl Strategy<Value = Benches> {
    let metric = prop_oneof![
        3 => Just("wall_time"),
        1 => Just("throughput"),
        1 => Just("mood"),
    ];
    btree_map("[a-h]", (metric, rounds(1..24)), 1..8).prop_map(|benches| {
        let named = benches.into_iter();
        named
            .map(|(name, (metric, rounds))| (name, metric, rounds))
            .collect()
    })
}

/// Lets some rounds be measured on one side only.
fn torn() -> impl Strategy<Value = Benches> {
    let sides = prop_oneof![
        6 => Just(Sides::Both),
        1 => Just(Sides::Base),
        1 => Just(Sides::Head),
    ];
    (benches(), vec(sides, 24)).prop_map(|(mut benches, sides)| {
        for (_, _, rounds) in &mut benches {
            for (round, side) in rounds.iter_mut().zip(&sides) {
                round.2 = *side;
            }
        }
        benches
    })
}

/// Returns one side of a session.
fn side(benches: &Benches, missing: Sides, value: impl Fn(&Round) -> f64) -> Run {
    let measured = benches.iter().filter_map(|(name, metric_name, rounds)| {
        let kept = (0_u32..)
            .zip(rounds)
            .filter(|(_, round)| round.2 != missing);
        let (numbers, values): (Vec<u32>, Vec<f64>) =
            kept.map(|(number, round)| (number, value(round))).unzip();
        let sample = Sample::new(values).ok()?.in_rounds(numbers).unwrap();
        let reading = Reading {
            metric: metric(metric_name),
            sample,
        };
        Some(Measurement::new(bench(name), [reading], None, Vec::new()).unwrap())
    });
    let mut run = run(measured);
    run.session = Some(SessionId::new("one").unwrap());
    if run.is_empty() {
        run.failures.push(crate::build::failure());
    }
    run
}

fn base(benches: &Benches) -> Run {
    side(benches, Sides::Head, |round| round.0)
}

fn head(benches: &Benches) -> Run {
    side(benches, Sides::Base, |round| round.1)
}

fn mirrored(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Regressed => Verdict::Improved,
        Verdict::Improved => Verdict::Regressed,
        other => other,
    }
}

/// Says a finding without what only a gate adds.
fn verdicts(findings: &[Finding]) -> Vec<(String, Verdict)> {
    let said = |finding: &Finding| (finding.bench.to_string(), finding.verdict);
    findings.iter().map(said).collect()
}

proptest! {
    #[test]
    fn a_run_judged_against_itself_is_all_unchanged(
        benches in btree_map("[a-h]", rounds(9..24), 1..8),
    ) {
        let benches: Benches = benches
            .into_iter()
            .map(|(name, rounds)| (name, "wall_time", rounds))
            .collect();
        let run = base(&benches);
        let report = judged(&run, &run);
        for finding in &report.findings {
            prop_assert_eq!(finding.verdict, Verdict::Unchanged);
            prop_assert_eq!(finding.evidence.method, Method::Paired);
            prop_assert_eq!(&finding.caveats, &[]);
        }
    }

    #[test]
    fn swapping_the_sides_mirrors_the_verdicts(benches in benches()) {
        let (base, head) = (base(&benches), head(&benches));
        let there = verdicts(&judged(&base, &head).findings);
        let back = verdicts(&judged(&head, &base).findings);
        let mirrored: Vec<_> = back
            .into_iter()
            .map(|(bench, verdict)| (bench, mirrored(verdict)))
            .collect();
        prop_assert_eq!(there, mirrored);
    }

    #[test]
    fn the_scale_changes_nothing(benches in benches(), doublings in 0..20_i32) {
        // A doubling is exact, so that the very number of the tolerance stays it; what it could not keep is left out.
        let plain = |value: f64| if (1e-300..1e9).contains(&value) { value } else { 0.0 };
        let scale = |value: f64| plain(value) * 2.0_f64.powi(doublings);
        let report = |of: &dyn Fn(f64) -> f64| {
            let base = side(&benches, Sides::Head, |round| of(round.0));
            let head = side(&benches, Sides::Base, |round| of(round.1));
            judged(&base, &head)
        };
        prop_assert_eq!(all_said(&report(&scale)), all_said(&report(&plain)));
    }

    #[test]
    fn the_names_of_the_benchmarks_change_nothing(benches in torn()) {
        let turned: Benches = benches
            .iter()
            .map(|(name, metric, rounds)| {
                let turned = name.bytes().map(|b| char::from(b'a' + b'h' - b)).collect();
                (turned, *metric, rounds.clone())
            })
            .collect();
        let mut there = judged(&base(&benches), &head(&benches)).findings;
        let back = judged(&base(&turned), &head(&turned)).findings;
        there.reverse();
        for (there, back) in there.iter().zip(&back) {
            prop_assert_eq!((there.verdict, there.gate), (back.verdict, back.gate));
            prop_assert_eq!(there.evidence.change, back.evidence.change);
            prop_assert_eq!(there.caveats.len(), back.caveats.len());
        }
    }

    #[test]
    fn no_benchmark_is_lost_and_every_report_can_be_kept(benches in torn()) {
        let (base, head) = (base(&benches), head(&benches));
        let report = judged(&base, &head);
        let of_either = benches.iter().filter(|(_, _, rounds)| !rounds.is_empty());
        prop_assert_eq!(report.findings.len(), of_either.count());
        for finding in &report.findings {
            if let Some(change) = finding.evidence.change {
                prop_assert!(change.low <= change.ratio && change.ratio <= change.high);
            }
        }
        let kept = read_report(write_report(&report).as_bytes());
        prop_assert_eq!(&kept.unwrap()[0], &report);
    }

    #[test]
    fn nothing_fails_that_is_not_certain_among_all(benches in torn()) {
        let report = judged(&base(&benches), &head(&benches));
        let policy = Policy::standard();
        let may_fail = |finding: &&Finding| {
            let (bench, metric) = (&finding.bench, &finding.metric);
            finding.evidence.method == Method::Paired
                && policy.rule(bench, metric, Method::Paired).fail_from.is_finite()
        };
        let hypotheses: Vec<&Finding> = report.findings.iter().filter(may_fail).collect();
        let e_log: Vec<f64> = hypotheses
            .iter()
            .map(|finding| finding.evidence.e_value.unwrap().ln())
            .collect();
        let rejected = e_bh(&e_log, 0.05);
        for finding in report.findings.iter().filter(|f| f.gate == Gate::Fail) {
            let place = hypotheses.iter().position(|other| *other == finding);
            let is_broken = finding.verdict == Verdict::Broken;
            prop_assert!(is_broken || place.is_some_and(|place| rejected[place]));
        }
    }

    #[test]
    fn a_decision_is_the_verdict(rounds in rounds(1..40)) {
        let pairs: Vec<Pair> = rounds.iter().map(|(base, head, _)| (*base, *head)).collect();
        let benches = vec![("get".to_owned(), "wall_time", rounds)];
        let finding = &judged(&base(&benches), &head(&benches)).findings[0];
        let time = metric("wall_time");
        let rule = Policy::standard().rule(&bench("get"), &time, Method::Paired);
        match decision(&pairs, time.better, &rule, 1) {
            Some(Decision::Worse) => {
                prop_assert_eq!((finding.verdict, finding.gate), (Verdict::Regressed, Gate::Fail));
            }
            Some(Decision::Better) => prop_assert_eq!(finding.verdict, Verdict::Improved),
            Some(Decision::Same) => prop_assert_eq!(finding.verdict, Verdict::Unchanged),
            None => prop_assert!(finding.gate < Gate::Fail),
        }
    }

    #[test]
    fn any_numbers_have_a_decision_or_none(
        pairs in vec((any::<f64>(), any::<f64>()), 0..40),
        (relative, floor, fail_from) in any::<(f64, f64, f64)>(),
        hypotheses in any::<usize>(),
    ) {
        let rule = Rule {
            tolerance: Tolerance { relative, floor },
            warn_from: fail_from,
            fail_from,
        };
        let decided = decision(&pairs, metric("throughput").better, &rule, hypotheses);
        prop_assert!(pairs.len() >= 9 || decided.is_none());
    }
}
