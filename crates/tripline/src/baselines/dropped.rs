//! What a change takes out of a kept run on purpose. A session compares two revisions, so that no update ends what it says
//! of a benchmark that is gone; but where a file of the base's commit keeps it and the same file of the head does not, whoever
//! reviews the change sees the line go. Then it is said and stops nothing.
//!
//! Tested by `tests/it/session`.

use std::collections::BTreeSet;

use tripline_judge::Policy;
use tripline_model::{Caveat, Finding, Gate, Report, Run, Verdict, wire};

use super::{Baseline, of_suite};
use crate::command::policy_of;
use crate::error::Outcome;
use crate::git;
use crate::project::Project;

/// Lets what would fail because it is gone warn, where the change since a base takes it out of a kept run as well.
pub(crate) fn only_warn(report: &mut Report, project: &Project, base: &Run) -> Outcome<()> {
    let mut stopped = report.findings.iter_mut().filter(is_stopped).peekable();
    let (Some(revision), Some(_)) = (&base.revision, stopped.peek()) else {
        return Ok(());
    };
    let kept_before = |now: &Baseline| {
        let path = now.path.strip_prefix(project.root()).ok()?;
        let before = git::file_at(project.root(), &revision.commit, path.to_str()?)?;
        wire::read_run(&before).ok()
    };
    let both = |now: Baseline| Some((kept_before(&now)?, now.run));
    let kept: Vec<(Run, Run)> = of_suite(project, &report.suite)?
        .into_iter()
        .filter_map(both)
        .collect();
    let is_dropped = |finding: &Finding| {
        let mut kept = kept.iter();
        kept.any(|(before, now)| has(before, finding) && !has(now, finding))
    };
    let mut dropped = BTreeSet::new();
    for finding in stopped {
        if is_dropped(finding) {
            finding.gate = Gate::Warn;
            dropped.insert(format!("{} {}", finding.bench, finding.metric.name));
        }
    }
    let limits = policy_of(project, &report.suite)?;
    warn_of_derived(report, &limits, &dropped);
    Ok(())
}

/// Lets what is derived warn where the term that it lacks only warns: no kept run has a line of it. Where it has a limit,
/// whether that is kept stays undecided. Another term that is gone as well fails by itself.
fn warn_of_derived(report: &mut Report, limits: &Policy, dropped: &BTreeSet<String>) {
    let is_dropped = |caveat: &Caveat| match caveat {
        Caveat::TermMissing { term } => dropped.contains(term.as_str()),
        _ => false,
    };
    let stopped = report.findings.iter_mut().filter(is_stopped);
    for finding in stopped.filter(|it| it.caveats.iter().any(is_dropped)) {
        if limits.budget(&finding.bench, &finding.metric).is_none() {
            finding.gate = Gate::Warn;
        }
    }
}

fn is_stopped(finding: &&mut Finding) -> bool {
    finding.verdict == Verdict::Removed && finding.gate == Gate::Fail
}

fn has(run: &Run, finding: &Finding) -> bool {
    let measurement = run.measurement(&finding.bench);
    measurement.is_some_and(|it| it.reading(&finding.metric.name).is_some())
}
