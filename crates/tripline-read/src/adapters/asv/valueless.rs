//! What is said where every benchmark failed or was skipped, so that nobody looks for a fault in the file.
//!
//! Tested by `refusals/fixtures/asv.txt`.

use std::collections::BTreeSet;

use crate::gathered::Gathered;
use crate::place::{Place, ReadError};

/// What is known of the benchmarks without a value.
#[derive(Default)]
pub(super) struct Valueless {
    /// How many combinations of params they have.
    combinations: usize,
    names: BTreeSet<String>,
    first: Option<Place>,
    /// How many problems were said of them.
    problems: usize,
}

/// The most combinations of params of benchmarks that failed as a whole which are told apart: a few bytes name a million.
const COMBINATIONS_MAX: usize = 10_000;

impl Valueless {
    /// Returns how many combinations may still be named.
    pub(super) fn room(&self) -> usize {
        COMBINATIONS_MAX.saturating_sub(self.combinations)
    }

    pub(super) fn fill(&mut self, combinations: usize) {
        self.combinations = self.combinations.saturating_add(combinations);
    }

    pub(super) fn note(&mut self, name: &str, place: Place, problems: usize) {
        self.names.insert(name.to_owned());
        self.first.get_or_insert(place);
        self.problems += problems;
    }

    /// Returns what is to be said where nothing could be read, if these benchmarks alone are why.
    pub(super) fn error(self, gathered: &Gathered) -> Option<ReadError> {
        let place = self
            .first
            .filter(|_| self.problems == gathered.problem_count())?;
        let problem = match self.names.len() {
            1 => "the results hold 1 benchmark and no value: it failed, or was skipped".to_owned(),
            count => format!(
                "the results hold {count} benchmarks and no value: each of them failed, or was skipped"
            ),
        };
        Some(ReadError {
            place,
            problem,
            hint: Some(
                "run `asv run --show-stderr`, which says why, mend what it says, and give the new results",
            ),
        })
    }
}
