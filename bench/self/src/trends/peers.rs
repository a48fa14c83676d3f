//! Detectors of other tools, as their source states them.
//!
//! Apache Otava's is not here: the judge has it as an option.
//!
//! Tested by reference values and below.

mod neighbours;
mod pelt;
mod perfherder;

pub(super) use neighbours::ratio_to_previous;
pub(super) use pelt::pelt;
pub(super) use perfherder::perfherder;

/// Returns the reference values.
#[cfg(test)]
pub(super) fn vectors() -> serde_json::Value {
    let text = include_str!("../../../../crates/tripline-judge/tests/fixtures/stats_vectors.json");
    serde_json::from_str(text).unwrap()
}
