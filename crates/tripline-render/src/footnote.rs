//! Numbers what makes a finding less than certain, each reason once.
//!
//! Tested by the snapshots of all outputs.

use tripline_model::{Acceptance, Caveat, Finding};

/// One reason.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Footnote<'a> {
    /// A caveat, of a finding or of the whole.
    Caveat(&'a Caveat),
    /// The regression was taken on purpose.
    Accepted(&'a Acceptance),
}

/// The reasons so far, in the order they were first needed.
#[derive(Debug, Default)]
pub(crate) struct Footnotes<'a>(Vec<Footnote<'a>>);

impl<'a> Footnotes<'a> {
    /// Returns the numbers of some findings' footnotes in ascending order, from 1, giving new ones to what is new.
    pub(crate) fn of_all(&mut self, findings: &[&'a Finding]) -> Vec<usize> {
        let mut numbers = Vec::new();
        for finding in findings {
            let caveats = finding.caveats.iter().map(Footnote::Caveat);
            let accepted = finding.acceptance.iter().map(Footnote::Accepted);
            numbers.extend(caveats.chain(accepted).map(|note| self.number(note)));
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
