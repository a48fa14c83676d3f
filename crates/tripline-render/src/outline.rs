//! What a reader needs of a report, in the order it is needed: the verdict in words, what to do next, the rows that
//! need attention, and a glance at the numbers where none does.
//!
//! A benchmark is counted once, by its deciding finding: the one with the strictest gate, where none gates one that is known
//! to have changed, and of equals the most telling metric that is decided. Twelve metrics of one slower benchmark are one
//! regression. Tested by the snapshots of all outputs, and by `tests/render/attention` and `undecided`.

use std::cmp::Reverse;

use tripline_model::few;
use tripline_model::{
    Caveat, FactValue, Finding, Gate, Method, Nature, Report, RunIdentity, Verdict,
};

use crate::Detail;
use crate::limit::Crossing;
use crate::standing::{Standing, is_quiet, weight};
use tripline_model::number::plural;

/// What is to be said of the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Nothing to stop for.
    Pass,
    /// Something to look at.
    Warn,
    /// Something to stop for.
    Fail,
    /// Something was to be measured and was not, or the canary failed.
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
    let mut said = [&suites, " judged: ", &counts.join(", ")].concat();
    let untrusted = outlines.iter().filter(|outline| !outline.is_trusted());
    let untrusted = untrusted.count();
    let benchmarks = outlines.iter().map(|outline| outline.glances.len()).sum();
    if untrusted > 0 {
        let (one, many) = ("report cannot be trusted", "reports cannot be trusted");
        said.extend(["; ", &plural(untrusted, one, many)]);
    } else if benchmarks > 0 {
        let counted = counted(outlines.iter().flat_map(Outline::standings));
        let benchmarks = plural(benchmarks, "benchmark", "benchmarks");
        said.extend(["; ", &in_words(&counted), " of ", &benchmarks]);
    }
    (worst.unwrap_or(Status::Pass), said)
}

/// Orders reports, those with the worst status first and otherwise as they came.
pub(crate) fn worst_first(reports: &[Report], detail: Detail) -> Vec<Outline<'_>> {
    let mut outlines: Vec<Outline<'_>> = reports
        .iter()
        .map(|report| Outline::of(report, detail))
        .collect();
    few::sort_by_key(&mut outlines, |outline| Reverse(outline.status));
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
                // On a first run everything is new, and only what is not merely that needs attention.
                let is_news = report.base.is_some() || finding.verdict != Verdict::Added;
                if is_news && is_open(finding, deciding) {
                    open.push(finding);
                } else if report.base.is_some() && has_changed(finding, deciding) {
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
        few::sort_by(&mut open, |a, b| {
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
        let trust = if self.is_trusted() {
            ""
        } else {
            "cannot be trusted, because the canary failed; it would say: "
        };
        [self.report.suite.as_str(), ": ", trust, &self.said()].concat()
    }

    fn said(&self) -> String {
        let benchmarks = plural(self.glances.len(), "benchmark", "benchmarks");
        if self.glances.is_empty() {
            let said = match self.suite_gone() {
                None => "nothing was measured",
                Some(_) => "removed as a whole",
            };
            return said.to_owned();
        }
        let mut counts = counted(self.standings());
        if self.report.base.is_none() {
            counts.retain(|(standing, _)| *standing != Standing::Is(Verdict::Added));
            let is_held = |finding: &Finding| finding.evidence.base.is_some();
            let first = match self.report.findings.iter().any(is_held) {
                true => "no kept run, only the history to compare with, ",
                false => "first run: nothing to compare with, ",
            };
            let gap = if counts.is_empty() { "" } else { ", " };
            return [first, &benchmarks, " measured", gap, &in_words(&counts)].concat();
        }
        if let [(standing @ (Standing::Is(Verdict::Unchanged) | Standing::Undecided), _)] =
            counts[..]
        {
            let all = if self.glances.len() == 1 { "" } else { "all " };
            return [all, &benchmarks, " ", standing.words()].concat();
        }
        [&in_words(&counts), " of ", &benchmarks].concat()
    }

    /// Says how many benchmarks are too noisy to tell, if any.
    pub(crate) fn undecided(&self) -> Option<String> {
        let count = self.count(Standing::Undecided);
        let benchmarks = plural(count, "benchmark", "benchmarks");
        let said = " undecided: too noisy to tell, which fails nothing";
        (count > 0).then(|| [&benchmarks, said].concat())
    }

    /// Returns whether the canary did as it should.
    fn is_trusted(&self) -> bool {
        self.canary_failures().next().is_none()
    }

    /// Returns what the canary did otherwise than it should.
    pub(crate) fn canary_failures(&self) -> impl Iterator<Item = &'a FactValue> + use<'a> {
        let caveats = self.report.caveats.iter();
        caveats.filter_map(|caveat| match caveat {
            Caveat::CanaryFailed { what } => Some(what),
            _ => None,
        })
    }

    /// Returns what is done about it that the head does not have the suite, where it does not.
    pub(crate) fn suite_gone(&self) -> Option<Gate> {
        let caveats = self.report.caveats.iter();
        let mut gates = caveats.filter_map(|caveat| match caveat {
            Caveat::SuiteGone { gate } => Some(*gate),
            _ => None,
        });
        gates.next()
    }

    /// Returns the same of a suite of which nobody knows what was in it. Of another, findings say it.
    pub(crate) fn unknown_suite_gone(&self) -> Option<Gate> {
        self.suite_gone().filter(|_| self.glances.is_empty())
    }

    /// Returns the caveats of the whole that are footnotes: a first run's absent baseline is said by the headline, and
    /// what the canary did stands above the tables.
    pub(crate) fn caveats(&self) -> impl Iterator<Item = &'a Caveat> + use<'a> {
        let is_said =
            |caveat: &&Caveat| matches!(caveat, Caveat::NoBaseline | Caveat::CanaryFailed { .. });
        self.report.caveats.iter().filter(move |c| !is_said(c))
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

    /// Returns whether a table at a glance says more than the open rows do. On a first run those are not all that is new.
    pub(crate) fn is_glance_wanted(&self) -> bool {
        let is_first = self.report.base.is_none();
        (self.open.is_empty() || is_first) && !self.glances.is_empty()
    }

    /// Returns how many benchmarks count as this.
    pub(crate) fn count(&self, standing: Standing) -> usize {
        self.standings().filter(|other| *other == standing).count()
    }

    /// Returns what each benchmark counts as.
    fn standings(&self) -> impl Iterator<Item = Standing> {
        let glances = self.glances.iter();
        glances.map(|glance| Standing::counted(glance.deciding))
    }
}

/// Returns what there is any of, with how many.
fn counted(standings: impl Iterator<Item = Standing>) -> Vec<(Standing, usize)> {
    let mut counts = Standing::ALL.map(|standing| (standing, 0));
    for standing in standings {
        let mut same = counts.iter_mut().filter(|(other, _)| *other == standing);
        same.next().into_iter().for_each(|(_, count)| *count += 1);
    }
    counts.into_iter().filter(|(_, count)| *count > 0).collect()
}

fn in_words(counts: &[(Standing, usize)]) -> String {
    let words = counts
        .iter()
        .map(|(standing, count)| plural(*count, standing.words(), standing.words()));
    words.collect::<Vec<String>>().join(", ")
}

/// Returns the finding by which a benchmark is counted.
fn deciding(of_bench: &[Finding]) -> Option<&Finding> {
    // Of equals the last would be the maximum; walking backwards, the first is. A report holds them as the table ranks
    // their metrics, so that is the most telling one, and no metric has to be looked up for each finding.
    let backwards = of_bench.iter().rev();
    backwards.max_by_key(|finding| (finding.gate, news(finding) << 2 | weight(finding)))
}

/// Returns how much a change is news, whatever the other metrics of its benchmark are: most findings are none.
fn news(finding: &Finding) -> u8 {
    match finding.verdict {
        Verdict::Regressed | Verdict::Improved => {
            let is_known = finding.gate == Gate::Pass && is_known_change(finding);
            u8::from(is_taken_or_to_keep(finding)) << 1 | u8::from(is_known)
        }
        _ => 0,
    }
}

/// Returns whether a change is more than chance. A kept time is another hour's or machine's, one value against its history is
/// a hint, and some metrics move by themselves.
fn is_known_change(finding: &Finding) -> bool {
    let is_known = matches!(finding.evidence.method, Method::Exact | Method::Paired);
    is_known && !finding.metric.moves_by_itself()
}

/// Returns whether somebody took a regression, or has to keep a gain: of which metric it is, it is said.
fn is_taken_or_to_keep(finding: &Finding) -> bool {
    match finding.verdict {
        Verdict::Regressed => finding.acceptance.is_some(),
        Verdict::Improved => finding.caveats.contains(&Caveat::BaselineStale),
        _ => false,
    }
}

/// Returns whether a finding needs attention. Besides the deciding ones those do that gate, but not each metric of a
/// benchmark that is gone: one row says that. What is unchanged or undecided needs none, unless it gates.
fn is_open(finding: &Finding, deciding: &Finding) -> bool {
    let is_deciding = std::ptr::eq(finding, deciding);
    match finding.gate {
        Gate::Pass => finding.acceptance.is_some() || (is_deciding && !is_quiet(finding)),
        Gate::Warn | Gate::Fail => is_deciding || is_worse(finding),
    }
}

fn is_worse(finding: &Finding) -> bool {
    finding.verdict == Verdict::Regressed || Crossing::of(finding).is_some()
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

/// Returns the most telling of the findings that are meant: of equals the first, as the table ranks them.
fn most_telling(of_bench: &[Finding], is_meant: fn(Nature) -> bool) -> Option<&Finding> {
    of_bench
        .iter()
        .filter(|finding| is_meant(finding.metric.nature))
        .min_by_key(|finding| Reverse(weight(finding)))
}

/// Returns whether a row is shown whatever the room.
pub(crate) fn is_grave(finding: &Finding) -> bool {
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
