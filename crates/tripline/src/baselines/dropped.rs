//! What a change takes out of a kept run on purpose. A session compares two revisions, so that no update ends what it says
//! of a benchmark that is gone; but where a file of the base's commit keeps it and the same file of the head does not, whoever
//! reviews the change sees the line go. Then it is said and stops nothing.
//!
//! Tested by `tests/it/session`.

use tripline_model::{Finding, Gate, Report, Run, Verdict, wire};

use super::{Baseline, of_suite};
use crate::error::Outcome;
use crate::git;
use crate::project::Project;

/// Lets what would fail because it is gone warn, where the change since a base takes it out of a kept run as well.
pub(crate) fn only_warn(report: &mut Report, project: &Project, base: &Run) -> Outcome<()> {
    let is_stopped = |it: &&mut Finding| it.verdict == Verdict::Removed && it.gate == Gate::Fail;
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
    for finding in stopped {
        if kept
            .iter()
            .any(|(before, now)| has(before, finding) && !has(now, finding))
        {
            finding.gate = Gate::Warn;
        }
    }
    Ok(())
}

fn has(run: &Run, finding: &Finding) -> bool {
    let measurement = run.measurement(&finding.bench);
    measurement.is_some_and(|it| it.reading(&finding.metric.name).is_some())
}
