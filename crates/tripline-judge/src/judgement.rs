//! What the methods share: the answer they give, and the change between two summaries.
//!
//! Tested through the methods, and by the properties in `tests/judge`.

use tripline_model::{Better, Caveat, Change, Evidence, Gate, Summary, Verdict};

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

/// A judgement with what it rests on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Judged {
    pub(crate) judgement: Judgement,
    pub(crate) evidence: Evidence,
    /// How far it moved; absent where that is no question of noise.
    pub(crate) movement: Option<Movement>,
}

/// How far a noisy reading moved, in logarithms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Movement {
    /// How much worse the head is than the base; better is below zero.
    pub(crate) worse: f64,
    /// The standard deviation by which noise moves it.
    pub(crate) noise: f64,
}

impl Judgement {
    /// Takes back what was said of a change: the numbers stand, and do not say which side is better.
    pub(crate) fn take_back(&mut self, gate: Gate) {
        self.verdict = Verdict::Inconclusive;
        self.gate = gate;
        // These say what the gate did, and that was taken back.
        let is_of_gate =
            |caveat: &Caveat| matches!(caveat, Caveat::TooFewRepeats { .. } | Caveat::WeakEvidence);
        self.caveats.retain(|caveat| !is_of_gate(caveat));
    }

    /// Adds what it rests on, where noise is no question.
    pub(crate) fn with(self, evidence: Evidence) -> Judged {
        Judged {
            judgement: self,
            evidence,
            movement: None,
        }
    }

    /// Returns whether it says which side is better.
    pub(crate) fn takes_sides(&self) -> bool {
        matches!(self.verdict, Verdict::Improved | Verdict::Regressed)
    }
}

/// Returns the verdict on a change that is real, and what the rule does about it.
pub(crate) fn of_real_change(base: f64, head: f64, better: Better, rule: &Rule) -> (Verdict, Gate) {
    if better == Better::Neither {
        // It explains other metrics; the change stands in the evidence, and nobody is judged by it.
        return (Verdict::Unchanged, Gate::Pass);
    }
    if !better.is_worse(base, head) {
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

/// Turns the logarithm of head over base around where more is better, so that above zero is worse.
pub(crate) fn worse(ln_ratio: f64, better: Better) -> f64 {
    match better {
        Better::Lower | Better::Neither => ln_ratio,
        Better::Higher => -ln_ratio,
    }
}

/// Returns head divided by base, with the widest interval their values allow. Two constants have an interval of one
/// point. There is no change to state where the base is zero, or so near to it that the ratio is no number.
pub(crate) fn change(base: &Summary, head: &Summary) -> Option<Change> {
    finite(Change {
        ratio: ratio(head.center, base.center),
        low: ratio(head.low, base.high),
        high: ratio(head.high, base.low),
    })
}

/// Returns a change whose numbers can be kept.
pub(crate) fn finite(change: Change) -> Option<Change> {
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
