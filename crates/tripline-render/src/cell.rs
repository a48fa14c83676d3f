//! What stands in the cells of a table: the same words in every output for people.
//!
//! The texts are plain and hold no data but the symbol of an unknown unit and, at a glance, the name of a metric; each
//! output escapes and decorates them in its own way. Tested by the snapshots of all outputs.

use tripline_model::{Change, Finding, Gate, Method, Nature, Summary, Unit, Verdict};

use crate::limit::{self, Crossing};
use crate::outline::Glance;
use crate::standing::Standing;
use tripline_model::number;

use crate::Detail;

/// Stands where there is nothing to show.
pub(crate) const NOTHING: &str = "-";

/// Stands where a change may be noise, instead of a tempting percentage.
pub(crate) const NOISE: &str = "~";

/// Stands where nothing changed at all.
pub(crate) const SAME: &str = "=";

/// Returns one side's value.
pub(crate) fn side(finding: &Finding, side: Option<&Summary>) -> String {
    side.map_or_else(
        || NOTHING.to_owned(),
        |summary| limit::value(finding, summary.center),
    )
}

/// Returns the head's value, with the least and the most that was measured where these differ from one another.
pub(crate) fn range(finding: &Finding) -> String {
    let Some(head) = &finding.evidence.head else {
        return NOTHING.to_owned();
    };
    let said = |value| limit::value(finding, value);
    if head.low < head.high {
        let [center, low, high] = [head.center, head.low, head.high].map(said);
        return [&center, " (", &low, " … ", &high, ")"].concat();
    }
    said(head.center)
}

/// Returns how the head relates to the base. An estimate comes with its interval; where that is no change, only those who
/// want all the details see it.
pub(crate) fn change(finding: &Finding, detail: Detail) -> String {
    let evidence = &finding.evidence;
    let (Some(base), Some(head)) = (&evidence.base, &evidence.head) else {
        return NOTHING.to_owned();
    };
    let is_no_change = matches!(finding.verdict, Verdict::Unchanged | Verdict::Inconclusive);
    match estimate(finding) {
        Some(change) if detail == Detail::Full || !is_no_change => return number::interval(change),
        _ => {}
    }
    // An absolute limit says nothing of a change.
    let is_noise = is_no_change || evidence.method == Method::Budget;
    if is_noise && finding.metric.nature != Nature::Exact {
        return NOISE.to_owned();
    }
    match evidence.change {
        Some(_) if base.center == head.center => SAME.to_owned(),
        Some(change) => number::change(change.ratio),
        None if base.center == 0.0 => "from 0".to_owned(),
        None => NOTHING.to_owned(),
    }
}

/// Returns a change that is known by an interval of which it is said how often such a one holds the truth.
fn estimate(finding: &Finding) -> Option<&Change> {
    let change = finding.evidence.change.as_ref();
    change.filter(|change| finding.evidence.confidence.is_some() && change.low < change.high)
}

/// Returns whether a table has a column of what its findings would see.
pub(crate) fn has_sight(findings: &[&Finding], detail: Detail) -> bool {
    let is_known = |finding: &&Finding| finding.evidence.detectable.is_some();
    detail == Detail::Full && findings.iter().any(is_known)
}

/// Returns the smallest change that a finding would see.
pub(crate) fn sight(finding: &Finding) -> String {
    let detectable = finding.evidence.detectable;
    detectable.map_or_else(|| NOTHING.to_owned(), number::at_least)
}

/// Returns what a verdict rests on: the method in a word, and how strongly it speaks.
pub(crate) fn evidence(finding: &Finding) -> String {
    let evidence = &finding.evidence;
    if evidence.head.is_none() {
        return NOTHING.to_owned();
    }
    let word = match evidence.method {
        Method::Exact => "counted",
        Method::Paired => return pairs(finding),
        Method::Historical => "history",
        Method::Budget => "budget",
        // Nothing was compared with what is new.
        Method::BaselineOnly if evidence.base.is_none() => NOTHING,
        Method::BaselineOnly => "kept run",
    };
    word.to_owned()
}

/// Says how many pairs there are, and the odds at which they speak for a change for the worse, if they do.
fn pairs(finding: &Finding) -> String {
    let evidence = &finding.evidence;
    let sides = [&evidence.base, &evidence.head].into_iter().flatten();
    let count = sides.map(|summary| summary.count).min().unwrap_or(0);
    let pairs = number::plural(count, "pair", "pairs");
    match evidence.e_value.filter(|e_value| *e_value >= 1.0) {
        Some(e_value) => [&pairs, ", e-value ", &number::odds(e_value)].concat(),
        None => pairs,
    }
}

/// Returns the word that begins the verdict's cell.
pub(crate) fn word(finding: &Finding) -> &'static str {
    match (Standing::of(finding), Crossing::of(finding)) {
        (Standing::OutsideBudget, Some(crossing)) => crossing.side,
        (standing, _) => standing.words(),
    }
}

/// Returns the limit that belongs behind the word: what stands before it, and the limit itself. Where the value may be on
/// either side of it, that is said.
pub(crate) fn limit(finding: &Finding) -> Option<(String, String)> {
    let crossing = Crossing::of(finding)?;
    let before = if crossing.is_certain {
        " ".to_owned()
    } else {
        [", perhaps ", crossing.side, " "].concat()
    };
    Some((before, crossing.limit))
}

/// Returns what follows the verdict's word: the gate where it does something, and whether somebody took it.
pub(crate) fn consequence(finding: &Finding) -> &'static str {
    match (finding.gate, &finding.acceptance) {
        (_, Some(_)) => ", accepted",
        (Gate::Fail, None) => ", fail",
        (Gate::Warn, None) => ", warn",
        (Gate::Pass, None) => "",
    }
}

/// Returns both sides' values in one cell, for tables where nothing needs attention.
pub(crate) fn both(finding: &Finding) -> String {
    let evidence = &finding.evidence;
    let is = |summary: &Summary| limit::value(finding, summary.center);
    match (&evidence.base, &evidence.head) {
        (None, None) => NOTHING.to_owned(),
        (None, Some(head)) => is(head),
        (Some(base), None) => ["was ", &is(base)].concat(),
        (Some(base), Some(head)) if base.center == head.center => [&is(head), " (same)"].concat(),
        (Some(base), Some(head)) => [&is(head), " (was ", &is(base), ")"].concat(),
    }
}

/// One column of a table at a glance: which finding of each benchmark it shows, and under which heading.
pub(crate) struct Pick {
    /// What stands above it: the metric, if it is the same in all rows.
    pub(crate) head: String,
    is_mixed: bool,
    pick: for<'a> fn(&Glance<'a>) -> Option<&'a Finding>,
}

impl Pick {
    /// Returns the column, or nothing where no benchmark has such a metric.
    pub(crate) fn new(
        glances: &[Glance<'_>],
        pick: for<'a> fn(&Glance<'a>) -> Option<&'a Finding>,
        mixed: &str,
    ) -> Option<Self> {
        let mut names = glances.iter().filter_map(pick).map(|f| &f.metric.name);
        let first = names.next()?;
        let is_mixed = names.any(|name| name != first);
        let head = if is_mixed { mixed } else { first.as_str() };
        Some(Self {
            head: head.to_owned(),
            is_mixed,
            pick,
        })
    }

    /// Returns whether a benchmark's cell holds data besides numbers: the name of a metric, or an unknown unit.
    pub(crate) fn holds_data(&self, glance: &Glance<'_>) -> bool {
        let has_unit = |finding: &Finding| matches!(finding.metric.unit, Unit::Other(_));
        self.is_mixed || (self.pick)(glance).is_some_and(has_unit)
    }

    /// Returns a benchmark's cell.
    pub(crate) fn cell(&self, glance: &Glance<'_>) -> String {
        match (self.pick)(glance) {
            None => NOTHING.to_owned(),
            Some(finding) if self.is_mixed => {
                [finding.metric.name.as_str(), " ", &both(finding)].concat()
            }
            Some(finding) => both(finding),
        }
    }
}
