//! Takes regressions of a report on purpose: which are meant, from which value to which, and by whom.
//!
//! What was taken already stays as it is, with its reason: asking twice does nothing, and asking for many takes the others.
//!
//! Tested below, by `tests/it/ratchet`, and through comments by `tests/it/publish/answer` and the plays of the workflows.

use tripline_judge::BenchPattern;
use tripline_model::{
    Acceptance, Acceptances, AcceptancesError, Budget, CommitId, Covers, Evidence, Finding, Method,
    MetricName, Report, Summary, Verdict,
};

/// What a ratio by way of its logarithm may be off, as a share, many times over.
const ROUNDING: f64 = 1e-12;

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
    /// A line for each regression that is taken now.
    pub(super) lines: String,
    /// A line for each that was taken already, which stays.
    pub(super) already: String,
    /// What got worse besides.
    pub(super) others: Vec<String>,
}

impl Wanted<'_> {
    /// Takes what is meant. Some may have been taken since the report was made, when these acceptances were there before.
    pub(super) fn take(
        &self,
        report: &Report,
        before: &Acceptances,
        acceptances: &mut Acceptances,
    ) -> Result<Taken, AcceptancesError> {
        let since = acceptances.since(before);
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
            let mut acceptance = self.acceptance(report, finding);
            if let Some(known) = acceptances.get(bench, metric) {
                keep_the_other(&mut acceptance, known, finding);
            }
            let known = since.get(bench, metric).or_else(|| {
                let known = acceptances.get(bench, metric);
                let holds = finding.acceptance.as_ref();
                known.filter(|known| holds.is_some_and(|it| it.is_the_same(known)))
            });
            if let Some(known) = known.filter(|known| known.has_the_values_of(&acceptance)) {
                taken.already.push_str(&line_of_known(finding, known));
                continue;
            }
            taken.lines.push_str(&line(finding, &acceptance));
            if let Some(known) = acceptances.get(bench, metric) {
                taken
                    .lines
                    .push_str(&line_of_lost(finding, &acceptance, known));
            }
            acceptances.insert(bench.clone(), metric.clone(), acceptance)?;
        }
        Ok(taken)
    }

    fn means(&self, finding: &Finding) -> bool {
        let is_metric = self.metric.is_none_or(|name| *name == finding.metric.name);
        is_metric && self.benchmark.matches(&finding.bench)
    }

    fn acceptance(&self, report: &Report, finding: &Finding) -> Acceptance {
        let (from, to) = change(&finding.evidence);
        Acceptance {
            who: self.who.to_owned(),
            because: self.because.trim().to_owned(),
            from,
            to,
            covers: covers(finding),
            commit: self.commit.cloned(),
            environment: Some(report.head.environment.name.clone()),
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
    let limit = budget.and_then(|Budget { min, max }| max.filter(|max| to > *max).or(min).or(max));
    let from = base.map(|base| base.center).or(limit).unwrap_or(to);
    match change.filter(|_| method == Method::Paired) {
        Some(change) => (from, known(from * change.ratio, to)),
        None => (from, to),
    }
}

/// Returns a value that was reckoned, or the one that was measured where only the reckoning keeps them apart.
fn known(reckoned: f64, measured: f64) -> f64 {
    let is_rounding = (reckoned - measured).abs() <= ROUNDING * measured.abs();
    if is_rounding { measured } else { reckoned }
}

/// Keeps what was taken before and is none of what is taken now: how far a limit may be crossed is not given back for a
/// change, nor a change for a limit that it crosses.
fn keep_the_other(acceptance: &mut Acceptance, known: &Acceptance, finding: &Finding) {
    let (better, keeps_limit) = (finding.metric.better, keeps_limit(finding));
    match acceptance.covers {
        // Of a value that keeps the limit nothing can be said of how far it may be crossed.
        Covers::Change if known.covers.limit() && !keeps_limit => acceptance.covers = Covers::Both,
        Covers::Limit if known.covers.change() && !better.is_worse(known.to, acceptance.to) => {
            (acceptance.from, acceptance.to) = (known.from, known.to);
            acceptance.covers = Covers::Both;
        }
        Covers::Change | Covers::Limit | Covers::Both => {}
    }
}

/// Returns whether there is a limit, and the value is within: one that is crossed on purpose is none of what is said of it.
fn keeps_limit(finding: &Finding) -> bool {
    let Evidence { budget, head, .. } = finding.evidence;
    let limited = budget.zip(head);
    limited.is_some_and(|(budget, head)| budget.allows(head.center))
}

/// Returns what of a regression is taken: that a limit is crossed, by what was there before or by what is worse than that.
fn covers(finding: &Finding) -> Covers {
    let Evidence {
        method, base, head, ..
    } = finding.evidence;
    let is_worse = |(base, head): (Summary, Summary)| {
        let better = finding.metric.better;
        better.is_worse(base.center, head.center)
    };
    match method {
        Method::Budget if base.zip(head).is_some_and(is_worse) => Covers::Both,
        Method::Budget => Covers::Limit,
        Method::Exact | Method::Paired | Method::Historical | Method::BaselineOnly => {
            Covers::Change
        }
    }
}

fn line_of_known(finding: &Finding, known: &Acceptance) -> String {
    let (bench, metric) = (&finding.bench, &finding.metric.name);
    format!(
        "{bench} {metric}: accepted already, because {}\n",
        known.because
    )
}

/// Returns what is said of a limit whose acceptance ends because a record has one value.
fn line_of_lost(finding: &Finding, taken: &Acceptance, known: &Acceptance) -> String {
    let was_beyond = finding
        .evidence
        .budget
        .is_some_and(|it| !it.allows(known.to));
    if !known.covers.limit() || taken.covers.limit() || !was_beyond {
        return String::new();
    }
    let (bench, metric, unit) = (
        &finding.bench,
        &finding.metric.name,
        finding.metric.unit.symbol(),
    );
    let to = known.to;
    format!(
        "{bench} {metric}: that its limit is crossed as far as {to} {unit} is no longer accepted\n"
    )
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

#[cfg(test)]
mod tests {
    use tripline_model::wire;

    use super::*;

    const REPORT: &str = include_str!("../../../../tripline-model/fixtures/v1/report-small.jsonl");

    /// Takes all that regressed, for a reason.
    fn take(because: &str, before: &Acceptances, there: &mut Acceptances) -> Taken {
        let report = wire::read_report(REPORT.as_bytes()).unwrap().remove(0);
        let wanted = Wanted {
            benchmark: &"*".parse().unwrap(),
            metric: None,
            who: "ada",
            because,
            commit: None,
        };
        wanted.take(&report, before, there).unwrap()
    }

    #[test]
    fn a_value_that_was_measured_is_taken_as_it_was() {
        assert_eq!(known(110.000_000_000_000_01, 110.0), 110.0);
        assert_eq!(known(0.0, 0.0), 0.0);
        // The medians of the sides are a poor copy of the pairs' ratio.
        assert_eq!(known(110.001, 110.0), 110.001);
    }

    fn reasons(there: &Acceptances) -> Vec<&str> {
        there.iter().map(|(_, _, it)| &*it.because).collect()
    }

    #[test]
    fn what_a_limit_may_be_crossed_by_is_kept_for_a_change_that_crosses_it_and_else_its_end_is_said()
     {
        let mut report = wire::read_report(REPORT.as_bytes()).unwrap().remove(0);
        let everything = "*".parse().unwrap();
        let wanted = Wanted {
            benchmark: &everything,
            metric: None,
            who: "ada",
            because: "now",
            commit: None,
        };
        let is_worse = |finding: &&mut Finding| finding.verdict == Verdict::Regressed;
        let finding = report.findings.iter_mut().find(is_worse).unwrap().clone();
        let (bench, metric) = (finding.bench.clone(), finding.metric.name.clone());
        let of_limit = Acceptance {
            covers: Covers::Limit,
            ..wanted.acceptance(&report, &finding)
        };
        let taken = |budget| {
            let mut report = report.clone();
            let finding = report.findings.iter_mut().find(is_worse).unwrap();
            finding.evidence.budget = budget;
            finding.evidence.method = Method::Exact;
            let mut there = Acceptances::new(report.suite.clone());
            let known = Acceptance {
                to: 2.0 * of_limit.to,
                ..of_limit.clone()
            };
            there.insert(bench.clone(), metric.clone(), known).unwrap();
            let taken = wanted.take(&report, &there.clone(), &mut there).unwrap();
            let covers = there.get(&bench, &metric).unwrap().covers;
            (covers, taken.lines.contains("no longer accepted"))
        };
        let at_most = |max| {
            Some(Budget {
                min: None,
                max: Some(max),
            })
        };
        let to = of_limit.to;
        assert_eq!(taken(None), (Covers::Both, false));
        // It is not known for sure that the limit is crossed.
        assert_eq!(taken(at_most(to * 0.99)), (Covers::Both, false));
        assert_eq!(taken(at_most(to)), (Covers::Change, true));
        // It had never to be accepted of this limit.
        assert_eq!(taken(at_most(to * 3.0)), (Covers::Change, false));
    }

    #[test]
    fn only_what_came_after_the_report_was_taken_from_it() {
        let report = wire::read_report(REPORT.as_bytes()).unwrap().remove(0);
        let none = Acceptances::new(report.suite);
        let mut there = none.clone();
        let taken = take("first", &none, &mut there);
        assert_eq!((taken.lines.lines().count(), &*taken.already), (1, ""));
        // It came after the report: it is of what the report says.
        let taken = take("second", &none, &mut there);
        assert_eq!((&*taken.lines, taken.already.lines().count()), ("", 1));
        assert_eq!(reasons(&there), ["first"]);
        // It was there before, and did not cover what the report says: it is of an earlier change, of the same values.
        let before = there.clone();
        let taken = take("third", &before, &mut there);
        assert_eq!((taken.lines.lines().count(), &*taken.already), (1, ""));
        assert_eq!(reasons(&there), ["third"]);
    }
}
