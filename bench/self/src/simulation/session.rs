//! Ours, as it is: measuring ends when the judge has decided, and the judge says what fails.
//!
//! What is called here is what `tripline measure` and `tripline check` call, with the rules that hold where a project
//! says nothing.
//!
//! Tested below, and by the shares that `one_job` and `suite` ask of it.

use tripline_judge::{Decision, Policy, Rule, decision, judge, leans};
use tripline_model::{Better, Gate, Method, SessionId, Verdict};

use super::runs::{bench, metric, run_of};

/// What the base takes in every pair: a millisecond. Only ratios are made up.
const BASE: f64 = 1e6;

/// The metric that is judged.
const METRIC: &str = "wall_time";

/// What the judge decided of one benchmark, and after how many pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Decided {
    pub(super) decision: Option<Decision>,
    pub(super) pairs: usize,
}

/// Measures one benchmark until the judge has decided, or the pairs are used up.
///
/// After `pairs_max` it goes on while the pairs speak for a change, as a session does.
pub(super) fn measure(worse: &[f64], pairs_max: usize, hypotheses: usize) -> Decided {
    let (rule, pairs) = (rule(), times(worse));
    for count in 1..=pairs.len() {
        let so_far = &pairs[..count];
        let decision = decision(so_far, Better::Lower, &rule, hypotheses);
        let goes_on = count < pairs_max || leans(so_far, Better::Lower, &rule);
        if decision.is_some() || !goes_on {
            return Decided {
                decision,
                pairs: count,
            };
        }
    }
    Decided {
        decision: None,
        pairs: pairs.len(),
    }
}

/// Returns whether pairs speak for a change, so that a session measures more of them.
pub(super) fn wants_more(worse: &[f64]) -> bool {
    leans(&times(worse), Better::Lower, &rule())
}

/// Returns which benchmarks of a report fail, given the pairs that were measured of each.
pub(super) fn failing(report: &[&[f64]]) -> Vec<bool> {
    let side = |value: fn(f64) -> f64| {
        let benches = report.iter().enumerate();
        run_of(
            METRIC,
            benches.map(|(index, worse)| {
                let values = worse.iter().map(|ln| value(*ln)).collect();
                (format!("b{index:04}"), values)
            }),
        )
    };
    let (mut base, mut head) = (side(|_| BASE), side(head));
    for run in [&mut base, &mut head] {
        run.session = SessionId::new("one").ok();
    }
    let judged =
        judge(Some(&base), &head, &Policy::standard()).expect("both runs hold the same benchmarks");
    let fails = judged
        .findings
        .iter()
        .map(|finding| finding.verdict == Verdict::Regressed && finding.gate == Gate::Fail);
    fails.collect()
}

/// Returns the base's and the head's time of each pair.
fn times(worse: &[f64]) -> Vec<(f64, f64)> {
    worse.iter().map(|ln| (BASE, head(*ln))).collect()
}

/// Returns the head's time in a pair.
fn head(worse: f64) -> f64 {
    BASE * worse.exp()
}

fn rule() -> Rule {
    Policy::standard().rule(&bench("b"), &metric(METRIC), Method::Paired)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_worse_in_every_pair_ends_early_and_fails() {
        let [worse, same] = [0.05, 0.0].map(|change| vec![change; 30]);
        let decided = |worse: &[f64]| measure(worse, 30, 1);
        assert_eq!(decided(&worse).decision, Some(Decision::Worse));
        assert_eq!(decided(&same).decision, Some(Decision::Same));
        assert!(decided(&worse).pairs < 30 && wants_more(&worse) && !wants_more(&same));
        assert_eq!(failing(&[&worse, &same, &worse]), [true, false, true]);
    }
}
