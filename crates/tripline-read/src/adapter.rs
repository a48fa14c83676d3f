//! What an adapter is, and how the right one is found.
//!
//! Sniffing is exclusive: an input that two adapters take for theirs is an error, because the order of a list must not
//! decide what a number means. Tested by `tests/it/sniffing.rs` on every fixture.

use tripline_model::SuiteName;

use crate::adapters::ADAPTERS;
use crate::input::Input;
use crate::{Observed, ReadError};

/// Reads the output of one harness.
#[derive(Debug)]
pub struct Adapter {
    /// The name under which configuration and command line know it.
    pub name: &'static str,
    /// What it reads, in a few words.
    pub about: &'static str,
    /// Returns whether an input is of the form this adapter reads, however damaged it may be.
    pub recognizes: fn(&Input) -> bool,
    /// Reads an input as results of the suite.
    pub read: fn(&Input, &SuiteName) -> Result<Observed, ReadError>,
}

/// Says why no adapter was chosen for an input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SniffError {
    /// No adapter takes the input for its own.
    #[error(
        "no harness is known to write what `{input}` holds: name the harness, one of {}, or check that its output is whole",
        names().join(", ")
    )]
    Unknown {
        /// The input's name.
        input: String,
    },
    /// More than one adapter takes the input for its own.
    #[error(
        "`{input}` could be the output of {}: name the harness, or give the files of each on their own",
        .adapters.join(" or ")
    )]
    Ambiguous {
        /// The input's name.
        input: String,
        /// The adapters that recognize it.
        adapters: Vec<&'static str>,
    },
}

fn names() -> Vec<&'static str> {
    ADAPTERS.iter().map(|adapter| adapter.name).collect()
}

/// Returns the adapter of that name.
#[must_use]
pub fn adapter(name: &str) -> Option<&'static Adapter> {
    ADAPTERS
        .iter()
        .copied()
        .find(|adapter| adapter.name == name)
}

/// Returns the one adapter that recognizes the input.
///
/// # Errors
/// None does, or more than one does; the error says what to do.
pub fn sniff(input: &Input) -> Result<&'static Adapter, SniffError> {
    let mut found = ADAPTERS
        .iter()
        .copied()
        .filter(|adapter| (adapter.recognizes)(input));
    let first = found.next().ok_or_else(|| SniffError::Unknown {
        input: input.shown_name(),
    })?;
    let rest: Vec<&'static str> = found.map(|adapter| adapter.name).collect();
    if rest.is_empty() {
        return Ok(first);
    }
    Err(SniffError::Ambiguous {
        input: input.shown_name(),
        adapters: std::iter::once(first.name).chain(rest).collect(),
    })
}
