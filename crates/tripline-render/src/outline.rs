//! What a reader needs of a report, in the order it is needed: the verdict in words, what to do next, the rows that
//! need attention, and a glance at the numbers where none does.
//!
//! A benchmark is counted once, by its deciding finding: the one with the strictest gate, and of equals the most telling
//! metric. Twelve metrics of one slower benchmark are one regression. Tested by the snapshots of all outputs.

use std::cmp::Reverse;

use tripline_model::{Caveat, Finding, Gate, Nature, Report, RunIdentity, Verdict};

use crate::Detail;
use crate::number::plural;

/// What is to be said of the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Nothing to stop for.
    Pass,
    /// Something to look at.
    Warn,
    /// Something to stop for.
    Fail,
    /// Something was to be measured and was not.
    Broken,
}

/// One benchmark at a glance.
#[derive(Debug)]
pub(crate) struct Glance<'a> {
    /// The finding that decides.
    pub(crate) deciding: &'a Finding,
    /// The most telling count.
    pub(crate) count: Option<&'a Finding>,
    /// The most telling time, or other metric that is not counted.
    pub(crate) time: Option<&'a Finding>,
}

/// A report in the order it is read.
#[derive(Debug)]
pub(crate) struct Outline<'a> {
    /// The report.
    pub(crate) report: &'a Report,
    /// What is to be said of the whole.
    pub(crate) status: Status,
    /// The rows that need attention, worst first.
    pub(crate) open: Vec<&'a Finding>,
    /// All benchmarks at a glance.
    pub(crate) glances: Vec<Glance<'a>>,
    /// How many rows that need attention were left out.
    pub(crate) left_out: usize,
    /// How many more metrics changed.
    pub(crate) folded: usize,
}

/// The rows shown, where not everything is wanted, of what is neither worse nor missing. When the environments differ
/// every benchmark is such a row, and they all say the same.
const MILD_ROWS_MAX: usize = 50;

/// Says the verdict on all suites in a few words, and how many of them have which.
pub(crate) fn overall(outlines: &[Outline<'_>]) -> (Status, String) {
    let worst = outlines.iter().map(|outline| outline.status).max();
    let counts: Vec<String> = [Status::Broken, Status::Fail, Status::Warn, Status::Pass]
        .into_iter()
        .map(|status| {
            let alike = outlines.iter().filter(|outline| outline.status == status);
            (alike.count(), status)
        })
        .filter(|(count, _)| *count > 0)
        .map(|(count, status)| plural(count, status.word(), status.word()))
        .collect();
    let suites = plural(outlines.len(), "suite", "suites");
    let said = [&suites, " judged: ", &counts.join(", ")].concat();
    (worst.unwrap_or(Status::Pass), said)
}

/// Orders reports, those with the worst status first and otherwise as they came.
pub(crate) fn worst_first(reports: &[Report], detail: Detail) -> Vec<Outline<'_>> {
    let mut outlines: Vec<Outline<'_>> = reports
        .iter()
        .map(|report| Outline::of(report, detail))
        .collect();
    outlines.sort_by_key(|outline| Reverse(outline.status));
    outlines
}

impl Status {
    /// Returns the status of a report.
    pub(crate) fn of(report: &Report) -> Self {
        match report.gate() {
            _ if report.is_broken() => Self::Broken,
            Gate::Fail => Self::Fail,
            Gate::Warn => Self::Warn,
            Gate::Pass => Self::Pass,
        }
    }

    /// Returns the word for it, which is understood without colour.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Warn => "WARN",
            Self::Fail => "FAIL",
            Self::Broken => "BROKEN",
        }
    }
}

impl<'a> Outline<'a> {
    /// Orders a report.
    fn of(report: &'a Report, detail: Detail) -> Self {
        let mut open = Vec::new();
        let mut glances = Vec::new();
        let mut folded = 0;
        for of_bench in report.findings.chunk_by(|a, b| a.bench == b.bench) {
            let Some(deciding) = deciding(of_bench) else {
                continue;
            };
            for finding in of_bench {
                if report.base.is_some() && is_open(finding, deciding) {
                    open.push(finding);
                } else if has_changed(finding, deciding) {
                    folded += 1;
                }
            }
            glances.push(Glance {
                deciding,
                count: most_telling(of_bench, |nature| nature == Nature::Exact),
                time: most_telling(of_bench, |nature| nature != Nature::Exact),
            });
        }
        // The sort is stable: equally bad rows stay in the order of their benchmarks.
        open.sort_by(|a, b| {
            urgency(a)
                .cmp(&urgency(b))
                .then(size(b).total_cmp(&size(a)))
        });
        let grave = open.iter().filter(|finding| is_grave(finding)).count();
        let shown = match detail {
            Detail::Brief => open.len().min(grave + MILD_ROWS_MAX),
            Detail::Full => open.len(),
        };
        // What is grave stands first, so that nothing of it is cut.
        let left_out = open.split_off(shown).len();
        Self {
            report,
            status: Status::of(report),
            open,
            glances,
            left_out,
            folded,
        }
    }

    /// Says the verdict in words, with counts of benchmarks.
    pub(crate) fn headline(&self) -> String {
        let benchmarks = plural(self.glances.len(), "benchmark", "benchmarks");
        let said = if self.glances.is_empty() {
            "nothing was measured".to_owned()
        } else if self.report.base.is_none() {
            [
                "first run: nothing to compare with, ",
                &benchmarks,
                " measured",
            ]
            .concat()
        } else if self.count(Verdict::Unchanged) == self.glances.len() {
            let all = if self.glances.len() == 1 { "" } else { "all " };
            [all, &benchmarks, " unchanged"].concat()
        } else {
            let counts: Vec<String> = Verdict::ALL
                .into_iter()
                .filter(|verdict| self.count(*verdict) > 0)
                .map(|verdict| plural(self.count(verdict), verdict.word(), verdict.word()))
                .collect();
            [&counts.join(", "), " of ", &benchmarks].concat()
        };
        [self.report.suite.as_str(), ": ", &said].concat()
    }

    /// Says which runs were compared.
    pub(crate) fn identity(&self) -> String {
        let head = &self.report.head;
        let place = head.environment.name.as_str();
        let base = match &self.report.base {
            Some(base) => {
                let day: String = base.measured_at.to_string().chars().take(10).collect();
                ["base ", &revision(base), " of ", &day, ", "].concat()
            }
            None => String::new(),
        };
        [&base, "head ", &revision(head), ", on ", place].concat()
    }

    /// Says what to do next, the most pressing first.
    pub(crate) fn next_steps(&self) -> Vec<&'static str> {
        let decides = |verdict, gate| {
            self.glances
                .iter()
                .any(|g| g.deciding.verdict == verdict && g.deciding.gate == gate)
        };
        let has_base = self.report.base.is_some();
        let is_difference = |caveat: &Caveat| matches!(caveat, Caveat::EnvironmentDiffers(_));
        let environments_differ = self.report.caveats.iter().any(is_difference);
        let all = [
            (
                !self.report.failures.is_empty(),
                "mend the failed step first: what it holds was not compared",
            ),
            (
                decides(Verdict::Regressed, Gate::Fail),
                "make it cheaper again; or, if the cost is meant, keep the new numbers with `tripline baseline update` and say why in the commit",
            ),
            (
                decides(Verdict::Regressed, Gate::Warn),
                "a warning stops nothing: see whether the cost is meant, before small ones add up",
            ),
            (
                environments_differ,
                "counts were not judged, because the environments differ: measure the base again in this one, or keep a baseline for it with `tripline baseline update`",
            ),
            (
                self.count(Verdict::Removed) > 0,
                "if the benchmark was removed on purpose, keep the smaller set with `tripline baseline update`",
            ),
            (
                self.count(Verdict::Improved) > 0,
                "keep the gain with `tripline baseline update`, so that losing it again is noticed",
            ),
            (
                has_base && self.count(Verdict::Added) > 0,
                "keep a baseline of what is new with `tripline baseline update`",
            ),
            (
                !has_base && !self.glances.is_empty(),
                Caveat::NoBaseline.advice(),
            ),
        ];
        let needed = all.into_iter().filter(|(is_needed, _)| *is_needed);
        needed.map(|(_, step)| step).collect()
    }

    /// Returns whether a table at a glance says more than the open rows do.
    pub(crate) fn is_glance_wanted(&self) -> bool {
        self.open.is_empty() && !self.glances.is_empty()
    }

    /// Returns how many benchmarks have a verdict.
    fn count(&self, verdict: Verdict) -> usize {
        self.glances
            .iter()
            .filter(|glance| glance.deciding.verdict == verdict)
            .count()
    }
}

/// Returns the finding by which a benchmark is counted.
fn deciding(of_bench: &[Finding]) -> Option<&Finding> {
    // Of equals the last would be the maximum; walking backwards, the first is.
    of_bench
        .iter()
        .rev()
        .max_by_key(|finding| (finding.gate, Reverse(finding.metric.rank())))
}

/// Returns whether a finding needs attention. Besides the deciding ones those do that gate, but not each metric of a
/// benchmark that is gone: one row says that.
fn is_open(finding: &Finding, deciding: &Finding) -> bool {
    let is_deciding = std::ptr::eq(finding, deciding) && finding.verdict != Verdict::Unchanged;
    is_deciding || (finding.verdict == Verdict::Regressed && finding.gate != Gate::Pass)
}

/// Returns whether a finding that is not open is still a change. What may be noise is none, and what holds for the whole
/// benchmark was said.
fn has_changed(finding: &Finding, deciding: &Finding) -> bool {
    match finding.verdict {
        Verdict::Unchanged => false,
        Verdict::Regressed | Verdict::Improved => true,
        Verdict::Inconclusive => {
            finding.metric.nature == Nature::Exact && deciding.verdict != Verdict::Inconclusive
        }
        Verdict::Broken | Verdict::Removed | Verdict::Added => finding.verdict != deciding.verdict,
    }
}

fn most_telling(of_bench: &[Finding], is_meant: fn(Nature) -> bool) -> Option<&Finding> {
    of_bench
        .iter()
        .filter(|finding| is_meant(finding.metric.nature))
        .min_by_key(|finding| finding.metric.rank())
}

/// Returns whether a row is shown whatever the room.
fn is_grave(finding: &Finding) -> bool {
    matches!(
        finding.verdict,
        Verdict::Broken | Verdict::Regressed | Verdict::Removed
    )
}

/// Returns a finding's place among the open rows. It is the vocabulary's order of what to look at first.
fn urgency(finding: &Finding) -> (Verdict, Reverse<Gate>) {
    (finding.verdict, Reverse(finding.gate))
}

/// Returns how far apart head and base are, the same for twice as much and half as much.
fn size(finding: &Finding) -> f64 {
    match finding.evidence.change {
        Some(change) => change.ratio.ln().abs(),
        // From nothing to something: no ratio is larger.
        None => f64::INFINITY,
    }
}

fn revision(identity: &RunIdentity) -> String {
    identity
        .revision
        .as_ref()
        .map_or_else(|| "an unknown commit".to_owned(), ToString::to_string)
}
