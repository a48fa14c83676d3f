//! Numbers what makes a finding less than certain, each reason once.
//!
//! Tested by the snapshots of all outputs.

use tripline_model::{Acceptance, Caveat, Finding, Gate, Unit};

use crate::standing::is_about_noise;
use tripline_model::number;

/// One reason.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Footnote<'a> {
    /// A caveat, of a finding or of the whole, and what to do about it.
    Caveat(&'a Caveat, &'static str),
    /// A caveat that names a value, which is in this unit.
    OfValue(&'a Caveat, &'a Unit),
    /// The regression was taken on purpose; its values are in this unit.
    Accepted(&'a Acceptance, &'a Unit),
}

/// Returns what was accepted: the value before, and the one that was taken.
pub(crate) fn accepted_values(acceptance: &Acceptance, unit: &Unit) -> [String; 2] {
    [acceptance.from, acceptance.to].map(|value| number::value(value, unit))
}

impl<'a> Footnote<'a> {
    /// Returns what is said of a finding. A caveat that names no value is the same in any unit.
    fn of(finding: &'a Finding, caveat: &'a Caveat) -> Self {
        match caveat {
            Caveat::AcceptanceEnded { .. } | Caveat::AcceptanceIdle { .. } => {
                Self::OfValue(caveat, &finding.metric.unit)
            }
            _ => Self::Caveat(caveat, finding.advice(caveat)),
        }
    }
}

/// The reasons so far, in the order they were first needed.
#[derive(Debug, Default)]
pub(crate) struct Footnotes<'a>(Vec<Footnote<'a>>);

impl<'a> Footnotes<'a> {
    /// Returns the numbers of some findings' footnotes in ascending order, from 1, giving new ones to what is new.
    pub(crate) fn of_all(&mut self, findings: &[&'a Finding]) -> Vec<usize> {
        self.of_those(findings, |_, _| true)
    }

    /// Returns the numbers as for all findings, without those that only say how noisy something was that nobody has to
    /// act on: each has numbers of its own, and together they would drown the rest.
    pub(crate) fn at_a_glance(&mut self, findings: &[&'a Finding]) -> Vec<usize> {
        self.of_those(findings, |finding, caveat| {
            finding.gate != Gate::Pass || !is_about_noise(caveat)
        })
    }

    fn of_those(
        &mut self,
        findings: &[&'a Finding],
        is_wanted: fn(&Finding, &Caveat) -> bool,
    ) -> Vec<usize> {
        let mut numbers = Vec::new();
        for finding in findings {
            let caveats = finding.caveats.iter();
            let caveats = caveats.filter(|caveat| is_wanted(finding, caveat));
            let unit = &finding.metric.unit;
            let accepted = finding.acceptance.iter();
            let notes = caveats
                .map(|caveat| Footnote::of(finding, caveat))
                .chain(accepted.map(|acceptance| Footnote::Accepted(acceptance, unit)));
            numbers.extend(notes.map(|note| self.number(note)));
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Returns the number of one reason, from 1.
    pub(crate) fn number(&mut self, note: Footnote<'a>) -> usize {
        let known = self.0.iter().position(|other| *other == note);
        known.unwrap_or_else(|| {
            self.0.push(note);
            self.0.len() - 1
        }) + 1
    }

    /// Returns the footnotes in the order of their numbers.
    pub(crate) fn all(&self) -> &[Footnote<'a>] {
        &self.0
    }

    /// Forgets all but the first, as when the rows that needed them are left out.
    pub(crate) fn keep(&mut self, how_many: usize) {
        self.0.truncate(how_many);
    }
}
