//! Takes regressions of a report on purpose: which are meant, from which value to which, and by whom.
//!
//! Tested by `tests/it/ratchet`, and through comments by the plays of the workflows.

use tripline_judge::BenchPattern;
use tripline_model::{
    Acceptance, Acceptances, AcceptancesError, CommitId, Evidence, Finding, Method, MetricName,
    Report, Verdict,
};

/// What somebody takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'a> {
    /// The benchmarks.
    pub(super) benchmark: &'a BenchPattern,
    /// The metric; without one, every metric that got worse.
    pub(super) metric: Option<&'a MetricName>,
    /// Who takes it.
    pub(super) who: &'a str,
    /// Why.
    pub(super) because: &'a str,
    /// The commit at which it is taken.
    pub(super) commit: Option<&'a CommitId>,
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Taken {
    /// A line for each regression that was taken.
    pub(super) lines: String,
    /// What got worse besides.
    pub(super) others: Vec<String>,
}

impl Wanted<'_> {
    /// Takes what is meant.
    pub(super) fn take(
        &self,
        report: &Report,
        acceptances: &mut Acceptances,
    ) -> Result<Taken, AcceptancesError> {
        let mut taken = Taken::default();
        let worse = report
            .findings
            .iter()
            .filter(|f| f.verdict == Verdict::Regressed);
        for finding in worse {
            let (bench, metric) = (&finding.bench, &finding.metric.name);
            if !self.means(finding) {
                taken
                    .others
                    .push(format!("{} {metric}", bench.within_suite()));
                continue;
            }
            let acceptance = self.acceptance(finding);
            taken.lines.push_str(&line(finding, &acceptance));
            acceptances.insert(bench.clone(), metric.clone(), acceptance)?;
        }
        Ok(taken)
    }

    fn means(&self, finding: &Finding) -> bool {
        let is_metric = self.metric.is_none_or(|name| *name == finding.metric.name);
        is_metric && self.benchmark.matches(&finding.bench)
    }

    fn acceptance(&self, finding: &Finding) -> Acceptance {
        let (from, to) = change(&finding.evidence);
        Acceptance {
            who: self.who.to_owned(),
            because: self.because.trim().to_owned(),
            from,
            to,
            commit: self.commit.cloned(),
        }
    }
}

/// Returns the values before and after. What was measured in pairs is known by its ratio, of which the medians of the
/// sides are a poor copy. What crosses a limit and was not there before came from the limit.
fn change(evidence: &Evidence) -> (f64, f64) {
    let Evidence {
        base,
        head,
        budget,
        change,
        method,
        ..
    } = *evidence;
    let to = head.map_or(0.0, |head| head.center);
    let limit = budget.and_then(|budget| budget.max.or(budget.min));
    let from = base.map(|base| base.center).or(limit).unwrap_or(to);
    match change.filter(|_| method == Method::Paired) {
        Some(change) => (from, from * change.ratio),
        None => (from, to),
    }
}

fn line(finding: &Finding, acceptance: &Acceptance) -> String {
    let unit = finding.metric.unit.symbol();
    let Acceptance { from, to, .. } = acceptance;
    // What crosses a limit need not have moved.
    let what = if from == to {
        format!("{to} {unit}")
    } else {
        format!("{from} became {to} {unit}")
    };
    format!(
        "{} {}: {what}, accepted\n",
        finding.bench, finding.metric.name
    )
}
