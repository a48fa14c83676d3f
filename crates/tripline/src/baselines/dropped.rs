//! What a change takes out of a kept run on purpose, and which other work it puts into one. A session compares two revisions,
//! so that no update ends what it says of a benchmark that is gone or computes something else; but where a file of the base's
//! commit keeps it and the same file of the head does not, or states what the head computes, whoever reviews the change sees
//! the line. Then it is said and stops nothing.
//!
//! Tested by `tests/it/session/kept`.

use std::collections::BTreeSet;

use tripline_judge::Policy;
use tripline_model::{Caveat, Finding, Gate, Measurement, Report, Run, Verdict, wire};

use super::{Baseline, of_suite};
use crate::command::policy_of;
use crate::error::Outcome;
use crate::git;
use crate::project::Project;

/// Lets what would fail because it is gone, or because it is other work, warn where the change since a base says so in a
/// kept run as well.
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
    let is_told = |finding: &Finding| {
        let mut kept = kept.iter();
        kept.any(|(before, now)| match finding.verdict {
            Verdict::Removed => has(before, finding) && !has(now, finding),
            _ => states_work(finding, before, now),
        })
    };
    let mut dropped = BTreeSet::new();
    let mut is_work_kept = false;
    for finding in stopped.filter(|finding| is_told(finding)) {
        finding.gate = Gate::Warn;
        match finding.verdict {
            Verdict::Removed => {
                dropped.insert(format!("{} {}", finding.bench, finding.metric.name));
            }
            _ => is_work_kept = true,
        }
    }
    let limits = policy_of(project, &report.suite)?;
    warn_of_derived(report, &limits, &dropped);
    if is_work_kept {
        warn_of_derived_work(report, &limits);
    }
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

/// Lets what is derived of other work warn, unless what was measured of such work fails: no kept run has a line of it.
fn warn_of_derived_work(report: &mut Report, policy: &Policy) {
    let is_derived = |finding: &Finding| {
        let mut derived = policy.derived().iter();
        derived.any(|derived| *derived.name() == finding.metric.name)
    };
    let stopped = report.findings.iter_mut().filter(is_stopped);
    let work = stopped.filter(|finding| finding.verdict == Verdict::Inconclusive);
    let (derived, measured): (Vec<_>, Vec<_>) = work.partition(|finding| is_derived(finding));
    if measured.is_empty() {
        for finding in derived {
            finding.gate = Gate::Warn;
        }
    }
}

/// Returns whether something fails because it is gone, or because it is other work. What may be beyond a limit fails by that.
fn is_stopped(finding: &&mut Finding) -> bool {
    let has = |is_so: fn(&Caveat) -> bool| finding.caveats.iter().any(is_so);
    let is_limit_open = finding.evidence.budget.is_some()
        && has(|it| {
            matches!(it, Caveat::WeakEvidence | Caveat::UnboundedRatio) || it.doubts_the_count()
        });
    let is_meant = match finding.verdict {
        Verdict::Removed => true,
        Verdict::Inconclusive => has(is_of_other_work) && !is_limit_open,
        _ => false,
    };
    is_meant && finding.gate == Gate::Fail
}

fn is_of_other_work(caveat: &Caveat) -> bool {
    matches!(
        caveat,
        Caveat::AnswerDiffers { .. } | Caveat::AnswerMissing | Caveat::MetricDiffers
    )
}

/// Returns whether a kept run states the work that a finding is about, and did not before. An answer that is no longer given
/// states nothing: whatever is computed now, nobody can see.
fn states_work(finding: &Finding, before: &Run, now: &Run) -> bool {
    let before = before.measurement(&finding.bench);
    let Some(now) = now.measurement(&finding.bench) else {
        return false;
    };
    let answer_before = before.and_then(Measurement::answer);
    let metric = |of: &Measurement| of.reading(&finding.metric.name).map(|it| it.metric.clone());
    let mut work = finding.caveats.iter().filter(|it| is_of_other_work(it));
    work.all(|caveat| match caveat {
        Caveat::AnswerDiffers { head, .. } => {
            now.answer() == Some(head) && answer_before != Some(head)
        }
        Caveat::AnswerMissing => false,
        _ => {
            let head = Some(finding.metric.clone());
            metric(now) == head && before.and_then(metric) != head
        }
    })
}

fn has(run: &Run, finding: &Finding) -> bool {
    let measurement = run.measurement(&finding.bench);
    measurement.is_some_and(|it| it.reading(&finding.metric.name).is_some())
}
