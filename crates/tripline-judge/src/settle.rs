//! What is done about the findings once all of them are known.
//!
//! The order matters: budgets are held against what readings really say and take nothing back that is undecided, only what
//! regressed can have been accepted, and only what stays a gain can be kept.
//!
//! Tested through `tests/judge`.

use tripline_model::{Caveat, Finding, Gate, Verdict};

use crate::budget::Budgets;
use crate::derived::Sides;
use crate::{Judge, Policy, acceptance, finding};

/// Settles the findings on two runs.
pub(crate) fn settle(findings: &mut Vec<Finding>, sides: &Sides<'_>, judge: &Judge<'_>) {
    let policy = judge.policy;
    sides.settle(findings, policy);
    // What was accepted of a change lets no limit be crossed, and what was accepted of a limit lets no change pass.
    if let Some(accepted) = policy.accepted() {
        acceptance::apply(findings, accepted, policy.held());
    }
    for finding in findings.iter_mut() {
        if finding.verdict == Verdict::Inconclusive {
            finding.gate = finding.gate.max(of_undecided(finding, policy));
        }
    }
    let budgets = Budgets {
        sides,
        policy,
        have_controls_moved: finding::moved_controls(sides.base(), sides.head(), judge).is_some(),
    };
    budgets.apply(findings);
    if judge.is_against_baseline {
        acceptance::mark_stale(findings, policy);
        acceptance::mark_idle(findings, policy, &sides.head().environment.name);
    }
}

/// Returns what is done about a finding that is undecided. What was refused because the sides were not measured alike is
/// nobody's fault, and fails nothing; nor does a time of which only a kept run tells, unless it is of other work.
fn of_undecided(finding: &Finding, policy: &Policy) -> Gate {
    let has = |is_so: fn(&Caveat) -> bool| finding.caveats.iter().any(is_so);
    let is_of_other_work =
        has(|it| matches!(it, Caveat::AnswerDiffers { .. } | Caveat::AnswerMissing));
    let is_only_kept = has(|it| *it == Caveat::BaselineOnly) && !is_of_other_work;
    let inconclusive = policy.outcomes().inconclusive;
    match is_only_kept || has(Caveat::refuses_comparison) {
        true => inconclusive.min(Gate::Warn),
        false => inconclusive,
    }
}
