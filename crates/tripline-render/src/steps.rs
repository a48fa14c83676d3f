//! What to do next, the most pressing first.
//!
//! What a report cannot be trusted to say is no reason to do anything. Tested by the snapshots of all outputs.

use std::borrow::Cow;

use tripline_model::{Caveat, Gate, Method, Verdict};

use crate::outline::Outline;
use crate::standing::Standing;
use crate::view::Taking;

const MEND_STEP: &str = "mend the failed step first: what it holds was not compared";

/// Says what to do about a regression.
fn regressed(taking: Taking) -> Cow<'static, str> {
    match taking {
        Taking::ByProgram => "make it cheaper again; or, if the cost is meant, take it with the reason: `tripline baseline accept <benchmark> --because \"<why>\"`".into(),
        Taking::ByComment(report) => format!(
            "make it cheaper again; or, if the cost is meant, take it with the reason, in a comment on the pull request: `/tripline accept <benchmark> --report {report} because <why>`"
        ).into(),
    }
}

impl Outline<'_> {
    /// Says what to do next, the most pressing first.
    pub(crate) fn next_steps(&self, taking: Taking) -> Vec<Cow<'static, str>> {
        let failed = (!self.report.failures.is_empty()).then_some(MEND_STEP);
        let canary = self
            .report
            .caveats
            .iter()
            .find(|caveat| matches!(caveat, Caveat::CanaryFailed { .. }));
        let rest = match canary {
            Some(caveat) => vec![caveat.advice().into()],
            None => self.steps_of_verdicts(taking),
        };
        let failed = failed.into_iter().map(Cow::Borrowed);
        failed.chain(rest).collect()
    }

    fn steps_of_verdicts(&self, taking: Taking) -> Vec<Cow<'static, str>> {
        let has_base = self.report.base.is_some();
        let is_worse = self.fails_as(Standing::Is(Verdict::Regressed));
        let rest = [
            (
                self.fails_as(Standing::OutsideBudget),
                "bring it back within its budget; or, if the limit is wrong, move it in its `[[policy]]` and say why there",
            ),
            (
                self.warns_as(Standing::OutsideBudget),
                "a limit is crossed, which only warns here: measure again while nothing else runs, and bring it back within its budget if it still is",
            ),
            (
                self.warns_as(Standing::Is(Verdict::Regressed)),
                "a warning stops nothing: see whether the cost is meant, before small ones add up",
            ),
            (
                self.environments_differ(),
                "counts were not judged, because the environments differ: measure the base in this one too, with `tripline check --against <revision>`",
            ),
            (
                !self.environments_differ() && self.is_base_of_another_time(),
                "times of another day or machine prove nothing: measure base and head side by side, with `tripline check --against <revision>`",
            ),
            (
                self.suite_gone().is_some(),
                Caveat::SuiteGone { gate: Gate::Pass }.advice(),
            ),
            (
                self.suite_gone().is_none() && self.count(Standing::Is(Verdict::Removed)) > 0,
                "if the benchmark was removed on purpose, keep the smaller set with `tripline baseline update`, in the same change",
            ),
            (
                self.has_gain_to_keep(),
                "keep the gain with `tripline baseline update`, so that losing it again is noticed",
            ),
            (
                has_base && self.count(Standing::Is(Verdict::Added)) > 0,
                "keep a baseline of what is new with `tripline baseline update`",
            ),
            (
                !has_base && !self.glances.is_empty(),
                Caveat::NoBaseline.advice(),
            ),
        ];
        let needed = rest.into_iter().filter(|(is_needed, _)| *is_needed);
        let rest = needed.map(|(_, step)| Cow::Borrowed(step));
        let worse = is_worse.then(|| regressed(taking));
        worse.into_iter().chain(rest).collect()
    }

    fn fails_as(&self, standing: Standing) -> bool {
        let mut findings = self.report.findings.iter();
        findings.any(|f| f.gate == Gate::Fail && Standing::of(f) == standing)
    }

    fn warns_as(&self, standing: Standing) -> bool {
        let is_warning =
            |f: &tripline_model::Finding| f.gate == Gate::Warn && Standing::of(f) == standing;
        self.glances
            .iter()
            .any(|glance| is_warning(glance.deciding))
    }

    fn environments_differ(&self) -> bool {
        let is_difference = |caveat: &Caveat| matches!(caveat, Caveat::EnvironmentDiffers(_));
        self.report.caveats.iter().any(is_difference)
    }

    /// Returns whether a benchmark could not be decided because its base is of another day or machine.
    fn is_base_of_another_time(&self) -> bool {
        let is_reason =
            |caveat: &Caveat| matches!(caveat, Caveat::BaselineOnly | Caveat::NotComparable(_));
        let of_benches = self.glances.iter().flat_map(|g| &g.deciding.caveats);
        of_benches.chain(&self.report.caveats).any(is_reason)
    }

    /// Returns whether a benchmark is better than what is kept. Pairs and histories have a base that nobody keeps.
    fn has_gain_to_keep(&self) -> bool {
        self.glances.iter().any(|glance| {
            let method = glance.deciding.evidence.method;
            let is_kept = !matches!(method, Method::Paired | Method::Historical);
            glance.deciding.verdict == Verdict::Improved && is_kept
        })
    }
}
