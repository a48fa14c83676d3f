//! Absolute limits: what a metric may not cross, whatever it was before.
//!
//! A limit is crossed when the whole interval of the value lies beyond it. That fails, unless the row that sets the limit
//! says that it warns, at all or where nothing was measured beside; where times were taken side by side, the base's middle is
//! beyond the limit as well, and nothing says that the head is further beyond, it is no change that crossed it, and it warns.
//! While the interval lies across it, nobody knows; that warns where the value itself is beyond. How far a limit may be
//! crossed can be accepted, which lets no change pass that was stopped without it.
//!
//! Tested by the tables of `tests/judge/budget`.

use tripline_model::{
    Acceptance, Better, Budget, Caveat, Evidence, Finding, Gate, Method, Nature, Run, Sample,
    Summary, Tolerance, Verdict,
};

use crate::acceptance::State;
use crate::case::is_one_session;
use crate::derived::{CONFIDENCE, Sides};
use crate::policy::{Bound, Policy};
use crate::stats::ratio;
use crate::threshold::differ;

/// How much further beyond a limit than the base a head may seem to be, while the pairs do not show that it is, and where its
/// middle is not one that the base's may have as well; and how much further than what was accepted a change may seem.
pub(crate) const FURTHER_MAX: f64 = 0.1;

/// Where a value lies in a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Within,
    PerhapsBeyond(Bound),
    Beyond(Bound),
}

/// A value as reports show it, and the interval it lies in with the middle that the interval is of: as with all that is
/// judged by ranks, that of Hodges and Lehmann, which strays less than the median that is shown.
#[derive(Debug, Clone, Copy)]
struct Estimate {
    value: f64,
    middle: f64,
    low: f64,
    high: f64,
}

/// What findings are held against.
pub(crate) struct Budgets<'a> {
    pub(crate) sides: &'a Sides<'a>,
    pub(crate) policy: &'a Policy,
    /// Whether controls moved between the sides, so that the machine did something else on one of them.
    pub(crate) have_controls_moved: bool,
}

impl Budgets<'_> {
    /// Holds the findings on a head against the budgets of a policy. What is done about those that a comparison leaves
    /// undecided is known already, and crossing a limit makes nothing of that milder.
    pub(crate) fn apply(&self, findings: &mut [Finding]) {
        for finding in findings {
            if let Some(budget) = self.policy.budget(&finding.bench, &finding.metric) {
                finding.evidence.budget = Some(budget);
                self.apply_one(finding, budget);
            }
        }
    }

    fn apply_one(&self, finding: &mut Finding, budget: Budget) {
        let is_doubted = finding.caveats.iter().any(Caveat::doubts_the_count);
        let is_unbounded = finding.caveats.contains(&Caveat::UnboundedRatio);
        let Some(estimate) = estimate(finding, finding.evidence.head, self.sides.head()) else {
            let is_term = |caveat: &Caveat| matches!(caveat, Caveat::TermMissing { .. });
            if finding.caveats.iter().any(is_term) {
                // Whether the limit is kept is undecided, whatever is done about what was removed.
                let undecided = self.policy.outcomes().inconclusive.max(Gate::Warn);
                finding.gate = finding.gate.max(undecided);
            }
            return;
        };
        if is_unbounded || (is_doubted && finding.metric.nature == Nature::Exact) {
            // Nobody knows what the value is, so nobody knows whether it is too much.
            finding.gate = finding.gate.max(Gate::Warn);
            return;
        }
        match budget_place(estimate, budget) {
            Place::Within => {}
            Place::Beyond(bound) => self.cross(finding, estimate, (budget, bound)),
            Place::PerhapsBeyond(bound) => self.perhaps_cross(finding, estimate, (budget, bound)),
        }
    }

    /// Says of a finding that nobody knows whether a limit is crossed.
    fn perhaps_cross(
        &self,
        finding: &mut Finding,
        head: Estimate,
        (budget, bound): (Budget, Bound),
    ) {
        let accepted = accepted(finding, head, (budget, bound), self.policy);
        if matches!(accepted, Some((State::Holds, _))) {
            return;
        }
        finding.gate = finding.gate.max(Gate::Warn);
        if finding.verdict != Verdict::Regressed {
            // A limit compares nothing: whatever was refused, this is undecided by itself. It does no more than a limit
            // that is crossed for sure.
            let (beyond, _) = self.beyond(finding, head, (budget, bound));
            let undecided = self.policy.outcomes().inconclusive.min(beyond);
            finding.gate = finding.gate.max(undecided);
            finding.verdict = Verdict::Inconclusive;
            finding.caveats.push(Caveat::WeakEvidence);
        }
    }

    /// Says of a finding that a limit is crossed.
    fn cross(&self, finding: &mut Finding, head: Estimate, (budget, bound): (Budget, Bound)) {
        let accepted = accepted(finding, head, (budget, bound), self.policy);
        let is_stopped = finding.gate > Gate::Pass
            && matches!(finding.verdict, Verdict::Regressed | Verdict::Inconclusive);
        if is_stopped && matches!(accepted, Some((State::Holds, _))) {
            // That the limit is crossed was taken on purpose, and what got worse since, or may have, was not: that alone
            // is to be said.
            finding.evidence.budget = None;
            return;
        }
        let (beyond, is_the_bases_too) = self.beyond(finding, head, (budget, bound));
        if is_the_bases_too {
            finding.caveats.push(Caveat::BaseBeyondToo);
        } else if finding.gate <= beyond {
            // What is done comes from the limit alone.
            finding.caveats.retain(|caveat| !is_about_the_base(caveat));
        }
        finding.verdict = Verdict::Regressed;
        finding.gate = finding.gate.max(beyond);
        finding.evidence.method = Method::Budget;
        let is_ended = |caveat: &Caveat| matches!(caveat, Caveat::AcceptanceEnded { .. });
        finding.caveats.retain(|caveat| !is_ended(caveat));
        finding.acceptance = None;
        match accepted {
            Some((State::Holds, accepted)) => {
                finding.gate = Gate::Pass;
                finding.acceptance = Some(accepted.clone());
            }
            Some((State::Ended, accepted)) => {
                let accepted = accepted.to;
                finding.caveats.push(Caveat::AcceptanceEnded { accepted });
            }
            Some((State::Past, _)) | None => {}
        }
    }

    /// Returns what is done about a value that is beyond a limit, and whether the base is as well.
    fn beyond(
        &self,
        finding: &Finding,
        head: Estimate,
        (budget, bound): (Budget, Bound),
    ) -> (Gate, bool) {
        let done = self.policy.beyond(&finding.bench, &finding.metric, bound);
        let gate = done.gate(self.is_vouched_for(finding));
        match is_the_bases_too(finding, head, self.sides, budget, bound) {
            true => (gate.min(Gate::Warn), true),
            false => (gate, false),
        }
    }

    /// Returns whether a value beyond a limit is known not to be a busy machine's doing: a count is what it is, whoever
    /// else is busy, and a session has its base beside, also where a benchmark is new and where only means can be
    /// compared.
    fn is_vouched_for(&self, finding: &Finding) -> bool {
        let is_of_session = || {
            let base = self.sides.base();
            base.is_some_and(|base| is_one_session(base, self.sides.head()))
        };
        finding.metric.nature == Nature::Exact || !self.have_controls_moved && is_of_session()
    }
}

/// Returns what was accepted of a metric, if anything was, and whether it is that a limit is crossed as far as a value is: by
/// the near end of its interval, and, as noise may widen that, by its middle, which may seem somewhat further.
fn accepted<'p>(
    finding: &Finding,
    head: Estimate,
    (budget, bound): (Budget, Bound),
    policy: &'p Policy,
) -> Option<(State, &'p Acceptance)> {
    let accepted = policy
        .accepted()?
        .get(&finding.bench, &finding.metric.name)?;
    let Acceptance { to, covers, .. } = *accepted;
    if !covers.limit() || !is_beyond(to, budget, bound) {
        return Some((State::Past, accepted));
    }
    let tolerance = finding.evidence.tolerance;
    let (nearest, better) = match bound {
        Bound::Max => (head.low, Better::Lower),
        Bound::Min => (head.high, Better::Higher),
    };
    let most = Tolerance {
        relative: tolerance.relative.max(FURTHER_MAX),
        ..tolerance
    };
    let is_further =
        |value: f64, allowed: Tolerance| better.is_worse(to, value) && differ(to, value, allowed);
    let is_ended = is_further(nearest, tolerance) || is_further(head.middle, most);
    let state = if is_ended { State::Ended } else { State::Holds };
    Some((state, accepted))
}

/// Returns whether a limit was crossed before the change, by times that were taken beside those of the head: a machine that
/// does something else meanwhile takes both sides across it. The base's middle is asked, not its whole interval: of equal
/// sides that are near a limit, one often has its interval beyond where the other has not.
fn is_the_bases_too(
    finding: &Finding,
    head: Estimate,
    sides: &Sides<'_>,
    budget: Budget,
    bound: Bound,
) -> bool {
    let is_beyond_too = |base: Estimate| {
        is_beyond(base.middle, budget, bound) && is_no_further(finding, head, base, bound)
    };
    finding.evidence.method == Method::Paired
        && finding.caveats.iter().all(leaves_sides_comparable)
        && sides
            .base()
            .and_then(|base| estimate(finding, finding.evidence.base, base))
            .is_some_and(is_beyond_too)
}

/// Returns whether the pairs do not show that the head is worse by more than is allowed, and it seems to be no further beyond a
/// limit than that, or than the base may be: whichever direction is the better one, because a limit need not care.
fn is_no_further(finding: &Finding, head: Estimate, base: Estimate, bound: Bound) -> bool {
    let Evidence {
        change: Some(change),
        confidence: Some(_),
        tolerance,
        ..
    } = finding.evidence
    else {
        return false;
    };
    let allowed = 1.0 + tolerance.relative;
    let most = 1.0 + tolerance.relative.max(FURTHER_MAX);
    let (least, seems, may_be_the_bases) = match bound {
        Bound::Max => (change.low, change.ratio, head.middle <= base.high),
        Bound::Min => (
            1.0 / change.high,
            1.0 / change.ratio,
            head.middle >= base.low,
        ),
    };
    // Its interval need not exclude what is allowed: then most that is somewhat worse would be excused.
    let is_worse = least > 1.0 && seems > allowed;
    !is_worse && (seems <= most || may_be_the_bases)
}

/// Returns whether a caveat is of noise, and not of something else that was measured, or on another machine.
fn leaves_sides_comparable(caveat: &Caveat) -> bool {
    matches!(
        caveat,
        Caveat::CannotGate { .. }
            | Caveat::Disturbed { .. }
            | Caveat::MostMoved { .. }
            | Caveat::TooFewPairs { .. }
            | Caveat::WeakEvidence
    )
}

fn budget_place(estimate: Estimate, budget: Budget) -> Place {
    let Estimate {
        value, low, high, ..
    } = estimate;
    if is_beyond(low, budget, Bound::Max) {
        return Place::Beyond(Bound::Max);
    }
    if is_beyond(high, budget, Bound::Min) {
        return Place::Beyond(Bound::Min);
    }
    let bounds = [Bound::Max, Bound::Min].into_iter();
    let mut crossed = bounds.filter(|bound| is_beyond(value, budget, *bound));
    crossed.next().map_or(Place::Within, Place::PerhapsBeyond)
}

fn is_beyond(value: f64, budget: Budget, bound: Bound) -> bool {
    match bound {
        Bound::Max => budget.max.is_some_and(|max| value > max),
        Bound::Min => budget.min.is_some_and(|min| value < min),
    }
}

/// Returns a side's value and the interval it lies in: all its values where they are few or counted, and else the
/// interval of their middle.
fn estimate(finding: &Finding, summary: Option<Summary>, side: &Run) -> Option<Estimate> {
    let summary = summary?;
    let reading = side
        .measurement(&finding.bench)?
        .reading(&finding.metric.name)?;
    let values = Estimate {
        value: summary.center,
        middle: summary.center,
        low: summary.low,
        high: summary.high,
    };
    let of_middle = (reading.metric.nature != Nature::Exact)
        .then(|| middle(&reading.sample))
        .flatten();
    Some(of_middle.map_or(values, |middle| Estimate {
        middle: middle.ratio,
        low: middle.low,
        high: middle.high,
        ..values
    }))
}

fn middle(sample: &Sample) -> Option<ratio::Estimate> {
    let logs: Vec<f64> = sample.values().iter().map(|value| value.ln()).collect();
    if logs.iter().any(|log| log.is_infinite()) {
        return None;
    }
    ratio::paired_by_ranks(&logs, CONFIDENCE)
}

/// Returns whether a caveat is about a comparison, which an absolute limit does not make.
fn is_about_the_base(caveat: &Caveat) -> bool {
    matches!(
        caveat,
        Caveat::BaselineOnly
            | Caveat::CannotGate { .. }
            | Caveat::EnvironmentDiffers(_)
            | Caveat::NotComparable(_)
            | Caveat::TooFewPairs { .. }
            | Caveat::WeakEvidence
    )
}
