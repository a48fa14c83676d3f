//! What the methods share: the answer they give, and the change between two summaries.
//!
//! Tested through the methods, and by the properties in `tests/judge`.

use tripline_model::{Better, Caveat, Change, Gate, Summary, Verdict};

use crate::policy::Rule;
use crate::threshold::reaches;

/// What a method says of one metric that both sides have.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Judgement {
    /// What is true.
    pub(crate) verdict: Verdict,
    /// What we do about it.
    pub(crate) gate: Gate,
    /// The reasons to trust it less.
    pub(crate) caveats: Vec<Caveat>,
}

impl Judgement {
    /// Takes back what was said of a change: the numbers stand, and do not say which side is better.
    pub(crate) fn take_back(&mut self, gate: Gate) {
        self.verdict = Verdict::Inconclusive;
        self.gate = gate;
        // This one says what the gate did, and that was taken back.
        let is_of_gate = |caveat: &Caveat| matches!(caveat, Caveat::TooFewRepeats { .. });
        self.caveats.retain(|caveat| !is_of_gate(caveat));
    }
}

/// Returns the verdict on a change that is real, and what the rule does about it.
pub(crate) fn of_real_change(base: f64, head: f64, better: Better, rule: &Rule) -> (Verdict, Gate) {
    let is_worse = match better {
        Better::Lower => head > base,
        Better::Higher => head < base,
        // It explains other metrics; the change stands in the evidence, and nobody is judged by it.
        Better::Neither => return (Verdict::Unchanged, Gate::Pass),
    };
    if !is_worse {
        return (Verdict::Improved, Gate::Pass);
    }
    let gate = if reaches(base, head, rule.fail_from) {
        Gate::Fail
    } else if reaches(base, head, rule.warn_from) {
        Gate::Warn
    } else {
        Gate::Pass
    };
    (Verdict::Regressed, gate)
}

/// Returns head divided by base, with the widest interval their values allow. Two constants have an interval of one
/// point. There is no change to state where the base is zero, or so near to it that the ratio is no number.
pub(crate) fn change(base: &Summary, head: &Summary) -> Option<Change> {
    let change = Change {
        ratio: ratio(head.center, base.center),
        low: ratio(head.low, base.high),
        high: ratio(head.high, base.low),
    };
    let is_finite = [change.ratio, change.low, change.high]
        .into_iter()
        .all(f64::is_finite);
    is_finite.then_some(change)
}

/// Divides, and takes nothing divided by nothing for no change.
fn ratio(head: f64, base: f64) -> f64 {
    if head == base {
        return 1.0;
    }
    head / base
}
