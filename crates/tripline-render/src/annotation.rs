//! What needs attention as a list of notes, the most severe first, for whoever can show a few of them.
//!
//! A note is plain text, and harmless in a log and a page; whoever publishes it escapes it once more for its place.
//! Tested by snapshots of every canonical report, and with arbitrary names.

use std::cmp::Reverse;

use tripline_model::few;
use tripline_model::{Caveat, Failure, Finding, Gate, Report, Verdict};

use crate::escape::{shortened, visible};
use crate::outline::{Outline, worst_first};
use crate::place::{Place, Places};
use crate::standing::Standing;
use crate::{Detail, View, cell};

/// The most of a title: it is a line.
const TITLE_CHARS_MAX: usize = 200;

/// The most of a message: what failed writes more than anybody reads beside a line of code.
const MESSAGE_CHARS_MAX: usize = 2_000;

/// Says how bad it is, the mildest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Good to know.
    Notice,
    /// Something to look at.
    Warning,
    /// Something to stop for.
    Failure,
}

/// One note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    /// How bad it is.
    pub severity: Severity,
    /// What it is about, in a line.
    pub title: String,
    /// What is to be said, in one line or several.
    pub message: String,
    /// Where it belongs, where that is known: no report says so, the view does.
    pub place: Option<Place>,
}

impl Severity {
    fn of(gate: Gate) -> Self {
        match gate {
            Gate::Fail => Self::Failure,
            Gate::Warn => Self::Warning,
            Gate::Pass => Self::Notice,
        }
    }
}

impl Annotation {
    fn new(severity: Severity, title: &str, message: &str, place: Option<Place>) -> Self {
        let lines = message.lines().map(visible);
        let message = lines.collect::<Vec<String>>().join("\n");
        Self {
            severity,
            title: shortened(&visible(title), TITLE_CHARS_MAX).into_owned(),
            message: shortened(&message, MESSAGE_CHARS_MAX).into_owned(),
            place,
        }
    }
}

/// Lists what needs attention, the most severe first, and otherwise as the reports have it.
#[must_use]
pub fn annotations(reports: &[Report], view: &View) -> Vec<Annotation> {
    let outlines = worst_first(reports, Detail::Full);
    let of_report = |outline| of_report(outline, &view.places);
    let mut notes: Vec<Annotation> = outlines.iter().flat_map(of_report).collect();
    few::sort_by_key(&mut notes, |note| Reverse(note.severity));
    notes
}

fn of_report(outline: &Outline<'_>, places: &Places) -> Vec<Annotation> {
    let name = &outline.report.suite;
    let suite = name.as_str();
    let canary = outline.canary_failures().map(|what| {
        let title = [suite, ": cannot be trusted"].concat();
        let message = ["the canary failed: ", what.as_str()].concat();
        Annotation::new(Severity::Failure, &title, &message, places.of_suite(name))
    });
    let gone = outline.unknown_suite_gone().map(|gate| {
        let (severity, gone) = (Severity::of(gate), Caveat::SuiteGone { gate });
        let title = [suite, " removed"].concat();
        let message = [&gone.text(), "\n→ ", gone.advice()].concat();
        Annotation::new(severity, &title, &message, places.of_suite(name))
    });
    let failures = outline.report.failures.iter();
    let failures =
        failures.map(|failure| of_failure(suite, failure, places.of_step(name, &failure.step)));
    // What is new, and what nobody can tell, needs nobody's attention beside the code.
    let is_news = |finding: &&&Finding| {
        finding.gate != Gate::Pass
            || matches!(
                finding.verdict,
                Verdict::Broken | Verdict::Removed | Verdict::Regressed
            )
            || finding.verdict == Verdict::Improved
    };
    let open = outline.open.iter().filter(is_news);
    let findings = open.map(|finding| of_finding(finding, places.of_bench(&finding.bench)));
    canary.chain(gone).chain(failures).chain(findings).collect()
}

fn of_failure(suite: &str, failure: &Failure, place: Option<Place>) -> Annotation {
    let title = [
        suite,
        ": step ",
        failure.step.as_str(),
        " ",
        &failure.kind.text(),
    ]
    .concat();
    let detail = failure.detail.as_deref().unwrap_or_default();
    let gap = if detail.is_empty() { "" } else { "\n" };
    let message = [detail, gap, "→ ", failure.advice()].concat();
    Annotation::new(Severity::Failure, &title, &message, place)
}

fn of_finding(finding: &Finding, place: Option<Place>) -> Annotation {
    let severity = match finding.gate {
        _ if finding.verdict == Verdict::Broken => Severity::Failure,
        gate => Severity::of(gate),
    };
    let title = [&finding.bench.to_string(), " ", cell::word(finding)].concat();
    Annotation::new(severity, &title, &said(finding), place)
}

/// Says what was found of one metric, in a sentence.
pub(crate) fn said(finding: &Finding) -> String {
    let evidence = &finding.evidence;
    let side = |side| cell::side(finding, side);
    let (base, head) = (side(evidence.base.as_ref()), side(evidence.head.as_ref()));
    let metric = finding.metric.name.as_str();
    let values = match (&evidence.base, &evidence.head) {
        (Some(_), Some(_)) => [metric, " was ", &base, ", is ", &head].concat(),
        (Some(_), None) => [metric, " was ", &base].concat(),
        (None, Some(_)) => [metric, " is ", &head].concat(),
        (None, None) => metric.to_owned(),
    };
    let change = cell::change(finding, Detail::Brief);
    let change = match change.as_str() {
        cell::NOTHING | cell::NOISE | cell::SAME => String::new(),
        change => [" (", change, ")"].concat(),
    };
    let is_limit_alone = Standing::of(finding) == Standing::OutsideBudget;
    let rests_on = match cell::evidence(finding).as_str() {
        cell::NOTHING => String::new(),
        _ if is_limit_alone => String::new(),
        rests_on => [", ", rests_on].concat(),
    };
    let limit = cell::limit(finding);
    let limit = limit.map_or_else(String::new, |(before, limit)| {
        [&before, "(", &limit, ")"].concat()
    });
    let verdict = [cell::word(finding), &limit, cell::consequence(finding)].concat();
    let caveats = finding.caveats.iter();
    let unit = &finding.metric.unit;
    let caveats = caveats.map(|it| ["\n", &it.text_in(unit), " → ", finding.advice(it)].concat());
    let accepted = finding
        .acceptance
        .iter()
        .map(|acceptance| ["\naccepted by ", &acceptance.who, ": ", &acceptance.because].concat());
    let notes: String = caveats.chain(accepted).collect();
    [&values, &change, &rests_on, ": ", &verdict, &notes].concat()
}
