//! Whether a gate can be trusted: what the canaries did that were measured together with it.

use tripline_judge::{Expectation, canary_failures};
use tripline_model::{Caveat, Finding, Metric, Nature, Report};

use super::Against;
use super::measure::say_failures;
use crate::error::Outcome;
use crate::measure::Measured;
use crate::project::Project;
use crate::settings;
use crate::suite::Suite;

/// What the canaries did.
#[derive(Default)]
pub(super) struct Trust {
    /// The report on each.
    pub(super) reports: Vec<Report>,
    /// What they did otherwise than they were to.
    pub(super) failures: Vec<Caveat>,
}

/// Judges the canaries, and holds what is found against what is known in advance.
pub(super) fn of(project: &Project, canaries: &[(Suite, Measured)]) -> Outcome<Trust> {
    let mut trust = Trust::default();
    for (suite, Measured { base, head }) in canaries {
        // The reports are on other suites and do not say it.
        say_failures(head);
        let against = base.as_ref().map_or(Against::Nothing, Against::Run);
        let report = super::judged(None, settings::policy(project, suite)?, against, head, None)?;
        let known = suite.canary.iter().flat_map(|canary| &canary.expectations);
        let expected: Vec<Expectation> = known
            .filter(|expected| may_be_expected(expected, suite, &report))
            .cloned()
            .collect();
        trust.failures.extend(canary_failures(&report, &expected));
        trust.reports.push(report);
    }
    Ok(trust)
}

/// Returns whether something can be expected of the steps that were measured: where nothing was timed, that is what
/// counts, and whatever was found all the same.
fn may_be_expected(expected: &Expectation, suite: &Suite, report: &Report) -> bool {
    let is_timed = suite.steps.iter().any(|step| step.harness.times());
    let metric = expected.metric.as_ref();
    let is_count = metric
        .and_then(|name| Metric::known(name.as_str()))
        .is_some_and(|metric| metric.nature == Nature::Exact);
    let is_found = |finding: &Finding| {
        let is_metric = metric.is_none_or(|name| *name == finding.metric.name);
        is_metric && expected.bench.matches(&finding.bench)
    };
    is_timed || is_count || report.findings.iter().any(is_found)
}
