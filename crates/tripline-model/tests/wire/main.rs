//! Tests of the stored formats from outside, as another stage or another program meets them.
//!
//! `acceptances` has all of it for the file of acceptances, and `history` for the files of a history; the others are about
//! runs and reports.
//!
//! `round_trip`: what is written is read back, byte for byte the same again. `fixtures`: files of the past stay
//! readable. `schemas`: the committed schemas are those of the types, and hold for every line. `bad_input`: whatever
//! is wrong with a file is an error with a place, never a panic and never an empty run; `faults` are its tables.
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "all of this program is a test: what panics or cannot be unwrapped is a failure of it"
)]

mod acceptances;
mod bad_input;
mod faults;
mod fixtures;
mod generate;
mod history;
mod round_trip;
mod schemas;

use std::path::PathBuf;

/// Returns a path below this crate's folder.
fn place(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Reads one of the committed files of version 1.
fn fixture(name: &str) -> String {
    let path = place("fixtures/v1").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
