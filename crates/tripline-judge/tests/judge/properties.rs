//! Properties over arbitrary runs.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tripline_judge::{Policy, judge};
use tripline_model::{
    BenchId, Caveat, Finding, Gate, MetricName, Nature, Run, Verdict, wire::read_report,
    wire::write_report,
};

use crate::build::{all_said, judged, measurement, run, said};
use crate::generate::{any_run, plain_run, scaled};

/// Returns every pair of benchmark and metric of a run.
fn pairs(run: &Run) -> impl Iterator<Item = (BenchId, MetricName)> {
    run.measurements().flat_map(|measurement| {
        measurement
            .readings()
            .map(|reading| (measurement.bench().clone(), reading.metric.name.clone()))
    })
}

/// Returns whether a finding is of a count that is not of the work that is meant.
fn is_doubted_count(finding: &Finding) -> bool {
    let is_count = finding.metric.nature == Nature::Exact;
    is_count && finding.caveats.iter().any(Caveat::doubts_the_count)
}

fn mirrored(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Regressed => Verdict::Improved,
        Verdict::Improved => Verdict::Regressed,
        Verdict::Added => Verdict::Removed,
        Verdict::Removed => Verdict::Added,
        Verdict::Broken | Verdict::Inconclusive | Verdict::Unchanged => verdict,
    }
}

proptest! {
    #[test]
    fn a_run_judged_against_itself_is_all_unchanged(run in any_run()) {
        let report = judged(&run, &run);
        for finding in &report.findings {
            prop_assert_eq!(finding.verdict, Verdict::Unchanged);
            prop_assert_eq!(finding.gate, Gate::Pass);
        }
        let gate = if run.failures.is_empty() { Gate::Pass } else { Gate::Fail };
        prop_assert_eq!(report.gate(), gate);
    }

    #[test]
    fn every_pair_of_either_side_stands_once_and_in_order(base in any_run(), head in any_run()) {
        let report = judged(&base, &head);
        let expected: BTreeSet<_> = pairs(&base).chain(pairs(&head)).collect();
        let found: Vec<_> = report
            .findings
            .iter()
            .map(|f| (f.bench.clone(), f.metric.rank(), f.metric.name.clone()))
            .collect();
        prop_assert!(found.is_sorted());
        let found: Vec<_> = found.into_iter().map(|(bench, _, name)| (bench, name)).collect();
        prop_assert_eq!(found.len(), expected.len());
        prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
    }

    #[test]
    fn without_a_base_everything_is_added(head in any_run()) {
        let report = judge(None, &head, &Policy::standard()).unwrap();
        prop_assert_eq!(report.count(Verdict::Added), pairs(&head).count());
        prop_assert_eq!(report.findings.len(), pairs(&head).count());
        for finding in &report.findings {
            let gate = if is_doubted_count(finding) { Gate::Warn } else { Gate::Pass };
            prop_assert_eq!(finding.gate, gate);
        }
    }

    #[test]
    fn a_doubted_count_is_neither_better_nor_worse(base in any_run(), head in any_run()) {
        let is_doubted = |run: &Run, bench: &BenchId| {
            run.measurements()
                .filter(|measurement| measurement.bench() == bench)
                .any(|measurement| measurement.caveats().iter().any(Caveat::doubts_the_count))
        };
        for finding in judged(&base, &head).findings {
            let (is_judged, is_count) = (
                matches!(finding.verdict, Verdict::Improved | Verdict::Regressed),
                finding.metric.nature == Nature::Exact,
            );
            let is_doubted = is_doubted(&base, &finding.bench) || is_doubted(&head, &finding.bench);
            prop_assert!(!(is_judged && is_count && is_doubted), "{}", said(&finding));
        }
    }

    #[test]
    fn what_lost_its_answer_is_neither_better_nor_worse(base in any_run(), head in any_run()) {
        let has_answer = |run: &Run, bench: &BenchId| {
            run.measurements().any(|m| m.bench() == bench && m.answer().is_some())
        };
        for finding in judged(&base, &head).findings {
            let is_judged = matches!(finding.verdict, Verdict::Improved | Verdict::Regressed);
            let is_lost = has_answer(&base, &finding.bench) && !has_answer(&head, &finding.bench);
            prop_assert!(!(is_judged && is_lost), "{}", said(&finding));
        }
    }

    #[test]
    fn swapping_the_sides_mirrors_the_verdicts(base in plain_run(), head in plain_run()) {
        let there = judged(&base, &head);
        let back = judged(&head, &base);
        for (there, back) in there.findings.iter().zip(&back.findings) {
            prop_assert_eq!(&there.bench, &back.bench);
            prop_assert_eq!(mirrored(there.verdict), back.verdict);
        }
    }

    #[test]
    fn the_scale_of_a_time_changes_no_verdict(
        base in plain_run(), head in plain_run(), halvings in 0..20_i32,
    ) {
        let factor = 0.5_f64.powi(halvings);
        let report = judged(&scaled(&base, factor), &scaled(&head, factor));
        let (base, head) = (scaled(&base, 1.0), scaled(&head, 1.0));
        prop_assert_eq!(all_said(&report), all_said(&judged(&base, &head)));
    }

    #[test]
    fn the_order_of_insertion_changes_nothing(base in plain_run(), head in any_run()) {
        let mut reversed = run([]);
        let mut measurements: Vec<_> = base.measurements().cloned().collect();
        measurements.reverse();
        for measurement in measurements {
            reversed.insert(measurement).unwrap();
        }
        prop_assert_eq!(judged(&reversed, &head), judged(&base, &head));
    }

    #[test]
    fn a_jump_of_a_constant_count_is_always_reported(
        base in 100_000..9_000_000_000_000_u64, per_100_000 in 100..=1_000_u64, repeats in 1..5_usize,
    ) {
        // Rounded up, so that the share is reached.
        let grown = base + (base * per_100_000).div_ceil(100_000);
        #[expect(clippy::cast_precision_loss, reason = "both are far below 2^53")]
        let (base, grown) = (base as f64, grown as f64);
        let report = judged(
            &run([measurement("get", &[("instructions", &vec![base; repeats])])]),
            &run([measurement("get", &[("instructions", &[grown])])]),
        );
        prop_assert_eq!(report.findings[0].verdict, Verdict::Regressed);
        prop_assert!(report.gate() >= Gate::Warn || per_100_000 < 200);
    }

    #[test]
    fn only_counts_gate(base in plain_run(), head in plain_run()) {
        for finding in judged(&base, &head).findings {
            if finding.metric.nature != Nature::Exact && finding.verdict != Verdict::Removed {
                prop_assert_eq!(finding.gate, Gate::Pass, "{}", said(&finding));
            }
        }
    }

    #[test]
    fn every_report_holds_finite_numbers_and_can_be_kept(base in any_run(), head in any_run()) {
        let report = judged(&base, &head);
        for finding in &report.findings {
            if let Some(change) = finding.evidence.change {
                prop_assert!(change.low <= change.ratio && change.ratio <= change.high);
                prop_assert!(change.high.is_finite());
            }
        }
        let kept = read_report(write_report(&report).as_bytes());
        prop_assert_eq!(kept.unwrap()[0].findings.len(), report.findings.len());
    }
}
