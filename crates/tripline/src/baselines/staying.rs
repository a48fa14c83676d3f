//! What of a kept run stays as it was, although it was measured again: what is worse by too little to be stopped adds up
//! against its old value until it is said.
//!
//! Tested by `tests/it/ratchet`.

use std::collections::{BTreeMap, BTreeSet};

use tripline_judge::{Formed, Policy, differ};
use tripline_model::few;
use tripline_model::{BenchId, Evidence, Finding, Method, MetricName, Report, Run, Verdict};

/// A metric of a benchmark.
type Series<'a> = (&'a BenchId, &'a MetricName);

/// The terms of each derived metric.
type Terms<'a> = BTreeMap<Series<'a>, &'a [(BenchId, MetricName)]>;

/// What stays.
#[derive(Debug, Default)]
pub(crate) struct Staying<'a> {
    /// The benchmarks whose lines stay, each with what got worse.
    lines: BTreeMap<&'a BenchId, &'a Finding>,
    /// The counts that stay where the line of their benchmark changes for the sake of another metric.
    values: BTreeSet<Series<'a>>,
    /// The benchmarks whose lines stay because others do, each with what is computed from both.
    beside: BTreeMap<&'a BenchId, &'a Finding>,
    /// What is taken as it was measured although it would stay, each with what is computed from it.
    taken: BTreeMap<Series<'a>, &'a Finding>,
    terms: Terms<'a>,
}

impl<'a> Staying<'a> {
    /// Returns what stays of a base by a report on it. `formed` is what is derived of the head: it has no line, so that the
    /// lines of what it is computed from stay.
    pub(crate) fn of(
        report: &'a Report,
        base: &Run,
        formed: &'a [Formed<'_>],
        policy: &Policy,
    ) -> Self {
        let terms: Terms<'a> = few::map_of(
            formed
                .iter()
                .map(|it| ((&it.bench, &it.metric.name), &it.terms[..])),
        );
        let mut staying = Self {
            terms: terms.clone(),
            ..Self::default()
        };
        for finding in report.findings.iter().filter(|it| is_held(it)) {
            let rule = policy.rule(&finding.bench, &finding.metric, finding.evidence.method);
            let series = (&finding.bench, &finding.metric.name);
            match (finding.verdict, terms.get(&series)) {
                (Verdict::Regressed, None) if rule.can_gate() => {
                    staying.lines.insert(&finding.bench, finding);
                }
                (Verdict::Regressed, Some(terms)) if rule.can_gate() => {
                    let kept = terms.iter().map(|(bench, _)| bench);
                    let kept = kept.filter(|bench| base.measurement(bench).is_some());
                    for bench in kept {
                        staying.lines.entry(bench).or_insert(finding);
                    }
                }
                (Verdict::Unchanged, None) => {
                    staying.values.insert(series);
                }
                // Within the tolerance of what is derived, a gain that is said is kept, and no drift beside it.
                (Verdict::Unchanged, Some(terms)) if rule.can_gate() => {
                    let terms = terms.iter().map(|(bench, metric)| (bench, metric));
                    let drifting = terms.filter(|series| is_unchanged(report, *series));
                    staying.values.extend(drifting);
                }
                _ => {}
            }
        }
        staying.keep_what_was_measured(report, formed, policy);
        staying
    }

    /// Lets no old value stand beside new ones where what is derived of both would be another value than the head's: against
    /// that the same code would be worse, or have a gain that no update can keep. What stays for being worse by too little to
    /// be said is taken, and beside a line that stays for more than that the others stay as well.
    fn keep_what_was_measured(
        &mut self,
        report: &'a Report,
        formed: &'a [Formed<'_>],
        policy: &Policy,
    ) {
        let may_stop = |finding: &&Finding| {
            let rule = policy.rule(&finding.bench, &finding.metric, finding.evidence.method);
            let is_verdict = matches!(finding.verdict, Verdict::Improved | Verdict::Unchanged);
            is_verdict && finding.evidence.method == Method::Exact && rule.can_gate()
        };
        let derived = formed.iter().filter_map(|it| {
            let finding = finding_of(report, (&it.bench, &it.metric.name));
            Some((it, finding.filter(may_stop)?))
        });
        let derived: Vec<_> = derived.collect();
        // Each of them may be computed from what another one changes.
        loop {
            let before = (self.beside.len(), self.values.len());
            for (it, finding) in &derived {
                self.keep_one_as_measured(report, it, finding);
            }
            if before == (self.beside.len(), self.values.len()) {
                break;
            }
        }
    }

    fn keep_one_as_measured(&mut self, report: &'a Report, it: &'a Formed<'_>, of: &'a Finding) {
        let Evidence {
            head, tolerance, ..
        } = of.evidence;
        let measured = head.map_or(f64::NAN, |head| head.center);
        let mixed = it.terms.iter().map(|(bench, metric)| {
            let Evidence { base, head, .. } = finding_of(report, (bench, metric))?.evidence;
            let kept = base.filter(|_| self.has_value(bench, metric)).or(head);
            kept.map(|kept| kept.center)
        });
        let mixed: Option<Vec<f64>> = mixed.collect();
        let mixed = mixed.and_then(|terms| it.value(&terms));
        if mixed.is_some_and(|mixed| !differ(mixed, measured, tolerance)) {
            return;
        }
        let terms = it.terms.iter().map(|(bench, metric)| (bench, metric));
        if !terms.clone().any(|(bench, _)| self.has_line(bench)) {
            for series in terms {
                if self.values.remove(&series) {
                    self.taken.insert(series, of);
                }
            }
        } else if mixed.is_none_or(|mixed| of.metric.better.is_worse(mixed, measured)) {
            for (bench, _) in terms {
                if !self.has_line(bench) {
                    self.beside.insert(bench, of);
                }
            }
        }
    }

    /// Says what is kept otherwise than it would be by itself, because of what is computed from it.
    pub(super) fn notes(&self) -> impl Iterator<Item = String> {
        let why = |of: &Finding| {
            let (bench, metric) = (&of.bench, &of.metric.name);
            format!(
                "`{bench}` {metric}, which is computed from it, would get a value that was never measured"
            )
        };
        let taken = self.taken.iter().map(move |((bench, metric), of)| {
            let why = why(of);
            format!(
                "note: {metric} of `{bench}` is kept as it was measured: beside its old value {why}"
            )
        });
        let beside = self.beside.iter().map(move |(bench, of)| {
            let why = why(of);
            format!("note: `{bench}` keeps its line beside others that do: {why}")
        });
        taken.chain(beside)
    }

    /// Returns the benchmarks of which something is taken although it would stay.
    pub(super) fn taken(&self) -> impl Iterator<Item = &'a BenchId> {
        self.taken.keys().map(|(bench, _)| *bench)
    }

    /// Returns the benchmarks whose lines stay, each with what got worse.
    pub(crate) fn lines(&self) -> impl ExactSizeIterator<Item = (&'a BenchId, &'a Finding)> {
        self.lines.iter().map(|(bench, finding)| (*bench, *finding))
    }

    /// Returns whether a benchmark's line stays.
    pub(crate) fn has_line(&self, bench: &BenchId) -> bool {
        self.lines.contains_key(bench) || self.beside.contains_key(bench)
    }

    /// Returns the benchmarks whose lines hold what a finding is about: its own, and, as what is derived has none, those of
    /// what a gain is computed from.
    pub(super) fn lines_of<'f>(
        &'f self,
        finding: &'f Finding,
    ) -> impl Iterator<Item = &'f BenchId> {
        let series = (&finding.bench, &finding.metric.name);
        let terms = self.terms.get(&series);
        let terms = terms.filter(|_| finding.verdict == Verdict::Improved);
        let terms = terms.into_iter().flat_map(|terms| terms.iter());
        terms.map(|(bench, _)| bench).chain([&finding.bench])
    }

    /// Returns whether a metric of a benchmark stays, also where the benchmark's line does not.
    pub(super) fn has_value(&self, bench: &BenchId, metric: &MetricName) -> bool {
        self.has_line(bench) || self.values.contains(&(bench, metric))
    }
}

/// Returns whether it is worse, nobody has taken that, and it is too little to be said or to be stopped.
fn is_held(finding: &Finding) -> bool {
    let is_worse = match (finding.evidence.base, finding.evidence.head) {
        (Some(base), Some(head)) => finding.metric.better.is_worse(base.center, head.center),
        _ => false,
    };
    match finding.verdict {
        Verdict::Regressed => finding.acceptance.is_none(),
        Verdict::Unchanged => finding.evidence.method == Method::Exact && is_worse,
        _ => false,
    }
}

fn is_unchanged(report: &Report, series: Series<'_>) -> bool {
    finding_of(report, series).is_some_and(|it| it.verdict == Verdict::Unchanged)
}

fn finding_of<'r>(report: &'r Report, (bench, metric): Series<'_>) -> Option<&'r Finding> {
    let findings = &report.findings;
    let start = findings.partition_point(|finding| finding.bench < *bench);
    let of_bench = findings[start..].iter();
    let mut of_bench = of_bench.take_while(|finding| finding.bench == *bench);
    of_bench.find(|it| it.metric.name == *metric)
}
