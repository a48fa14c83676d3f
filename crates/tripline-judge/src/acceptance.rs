//! Regressions that somebody took on purpose, and gains that nobody has kept.
//!
//! An acceptance is of one change, from a value to another. It holds while base and head stay within that change, it has
//! ended when the head gets worse than what was accepted, and it is past when the base itself has moved on: an old
//! acceptance never covers a new regression. Where what was accepted is mended, in part at least, against the same baseline,
//! or a limit that a time was let cross is kept by far, the acceptance is *idle*, which is said until somebody ends it.
//!
//! *Note:* counts are compared as they are. What was measured in pairs is compared by the ratio, because absolute times
//! mean nothing on another machine; whether the base holds the accepted change already cannot be seen from a ratio, so
//! whoever compares two revisions says what was accepted in the base already (`Policy::with_held`).
//!
//! Tested by the tables of `tests/judge/acceptance`.

use tripline_model::{
    Acceptance, Acceptances, Better, Budget, Caveat, Covers, EnvironmentName, Evidence, Finding,
    Gate, Method, Nature, Summary, Tolerance, Verdict,
};

use crate::budget::FURTHER_MAX;
use crate::policy::Policy;
use crate::threshold::differ;

/// What an acceptance says of a regression, or of a limit that is crossed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// It was accepted.
    Holds,
    /// Less than this was accepted.
    Ended,
    /// Another change was accepted.
    Past,
}

/// Lets those regressions pass that were accepted. Limits are not looked at yet.
pub(crate) fn apply(findings: &mut [Finding], accepted: &Acceptances, held: Option<&Acceptances>) {
    let regressed = findings
        .iter_mut()
        .filter(|finding| finding.verdict == Verdict::Regressed);
    for finding in regressed {
        let Some(acceptance) = accepted.get(&finding.bench, &finding.metric.name) else {
            continue;
        };
        let held = held.and_then(|held| held.get(&finding.bench, &finding.metric.name));
        let is_held = held.is_some_and(|held| held.is_the_same(acceptance));
        if is_held || !acceptance.covers.change() {
            continue;
        }
        match state(acceptance, &finding.evidence, finding.metric.better) {
            State::Holds => {
                finding.gate = Gate::Pass;
                finding.acceptance = Some(acceptance.clone());
            }
            State::Ended => finding.caveats.push(Caveat::AcceptanceEnded {
                accepted: acceptance.to,
            }),
            State::Past => {}
        }
    }
}

/// Says of what is better by now than what was accepted that the acceptance stands there still: the same change, made again,
/// would pass. What was accepted in another environment is that one's to end, whose baseline it is about, so that it is only
/// said here.
pub(crate) fn mark_idle(findings: &mut [Finding], policy: &Policy, here: &EnvironmentName) {
    let Some(accepted) = policy.accepted() else {
        return;
    };
    for finding in findings {
        let Some(acceptance) = accepted.get(&finding.bench, &finding.metric.name) else {
            continue;
        };
        if is_idle(acceptance, finding) {
            finding.caveats.push(Caveat::AcceptanceIdle {
                accepted: acceptance.to,
            });
            let is_ours = acceptance.environment.as_ref().is_none_or(|it| it == here);
            // A time is another one on the next machine.
            if is_ours && finding.metric.nature == Nature::Exact {
                finding.gate = finding.gate.max(policy.outcomes().stale);
            }
        }
    }
}

fn is_idle(acceptance: &Acceptance, finding: &Finding) -> bool {
    let evidence = &finding.evidence;
    if finding.metric.nature != Nature::Exact {
        // Of times from two machines nobody can say whether they are better; what keeps a limit does so by itself.
        return is_limit_kept(acceptance, finding, evidence.budget);
    }
    let is_unharmed = matches!(finding.verdict, Verdict::Unchanged | Verdict::Improved);
    let is_passed = is_unharmed || finding.acceptance.is_some();
    is_passed && are_both_better(acceptance, evidence, finding.metric.better)
}

/// Returns whether nothing was accepted of a metric that is no count but that it crosses a limit, and all its values keep
/// that by so far that a busy machine does not take them across it again: then nobody needs it.
#[must_use]
pub fn is_limit_kept(acceptance: &Acceptance, finding: &Finding, limit: Option<Budget>) -> bool {
    let is_bounded = !finding.caveats.contains(&Caveat::UnboundedRatio);
    let is_count = finding.metric.nature == Nature::Exact;
    let away = 1.0 + FURTHER_MAX;
    let is_kept = |(Budget { min, max }, head): (Budget, Summary)| {
        max.is_none_or(|max| head.high * away <= max)
            && min.is_none_or(|min| head.low >= min * away)
    };
    let limited = limit.zip(finding.evidence.head);
    acceptance.covers == Covers::Limit && is_bounded && !is_count && limited.is_some_and(is_kept)
}

/// Returns whether neither side is as bad as what was accepted.
fn are_both_better(acceptance: &Acceptance, evidence: &Evidence, better: Better) -> bool {
    let is_mended = |side: Option<Summary>| {
        side.is_some_and(|Summary { center, .. }| {
            let is_better = better.is_worse(center, acceptance.to);
            is_better && differ(center, acceptance.to, evidence.tolerance)
        })
    };
    is_mended(evidence.base) && is_mended(evidence.head)
}

/// Says of gains that the baseline does not hold them yet, so that they can be lost again without a word.
pub(crate) fn mark_stale(findings: &mut [Finding], policy: &Policy) {
    for finding in findings {
        let Evidence { method, .. } = finding.evidence;
        let rule = policy.rule(&finding.bench, &finding.metric, method);
        // What is held against its history is held against no kept run, and what only explains others holds nobody to
        // anything.
        let is_of_a_baseline = method != Method::Historical && rule.can_gate();
        if finding.verdict == Verdict::Improved && is_of_a_baseline {
            finding.caveats.push(Caveat::BaselineStale);
            finding.gate = finding.gate.max(policy.outcomes().stale);
        }
    }
}

fn state(acceptance: &Acceptance, evidence: &Evidence, better: Better) -> State {
    match evidence.method {
        Method::Exact => of_counts(acceptance, evidence, better),
        Method::Historical if is_in_the_base(acceptance, evidence) => State::Past,
        Method::Paired | Method::Historical | Method::BaselineOnly => {
            of_ratio(acceptance, evidence, better)
        }
        // It compares nothing, and is asked about by itself.
        Method::Budget => State::Past,
    }
}

fn of_counts(acceptance: &Acceptance, evidence: &Evidence, better: Better) -> State {
    let (Some(base), Some(head)) = (evidence.base, evidence.head) else {
        return State::Past;
    };
    let is_worse = |before: f64, after: f64| {
        better.is_worse(before, after) && differ(before, after, evidence.tolerance)
    };
    if is_worse(base.center, acceptance.from) {
        // Somebody gained since, and what was gained is held.
        return State::Past;
    }
    if !is_worse(acceptance.to, head.center) {
        return State::Holds;
    }
    if is_worse(base.center, acceptance.to) {
        State::Ended
    } else {
        State::Past
    }
}

/// Returns whether a history has come to what was accepted: its level is nearer to that than to what was before.
fn is_in_the_base(acceptance: &Acceptance, evidence: &Evidence) -> bool {
    let Acceptance { from, to, .. } = *acceptance;
    let is_nearer =
        |Summary { center, .. }: Summary| (center / to).ln().abs() < (center / from).ln().abs();
    evidence.base.is_some_and(is_nearer)
}

fn of_ratio(acceptance: &Acceptance, evidence: &Evidence, better: Better) -> State {
    if acceptance.from == 0.0 {
        // Of nothing there is no ratio.
        return of_counts(acceptance, evidence, better);
    }
    let Some(change) = evidence.change else {
        return State::Past;
    };
    let accepted = acceptance.to / acceptance.from;
    let Tolerance { relative, .. } = evidence.tolerance;
    // Noise makes the change seem greater or smaller than what was accepted, and does not make it another one.
    let (allowed, most) = (1.0 + relative, 1.0 + relative.max(FURTHER_MAX));
    let (least, seems) = match better {
        Better::Lower => (change.low / accepted, change.ratio / accepted),
        Better::Higher => (accepted / change.high, accepted / change.ratio),
        Better::Neither => return State::Past,
    };
    if least > allowed || seems > most {
        State::Ended
    } else {
        State::Holds
    }
}
