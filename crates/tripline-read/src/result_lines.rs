//! Texts in which each result is one line, and anything may stand between them.
//!
//! An adapter says what a line is; this says the rest. Tested through the adapters.

use tripline_model::{Reading, SuiteName};

use crate::Observed;
use crate::adapter::Adapter;
use crate::entry::Entry;
use crate::input::Input;
use crate::listing::{Listing, read_listings};
use crate::naming::bench_of_name;
use crate::place::{ReadError, shown};

/// What a line is.
#[derive(Debug)]
pub(crate) enum Line {
    /// A benchmark and what was measured of it.
    Result {
        /// The benchmark's name.
        name: String,
        /// What was measured, or why it cannot be used.
        readings: Result<Vec<Reading>, String>,
        /// Whether the line cannot go on: what comes last in it would not come elsewhere.
        is_closed: bool,
    },
    /// Something that should have been a result, or a benchmark that gave none.
    Problem(String),
    /// What the harness itself writes beside its results.
    Known,
    /// Anything else.
    Other,
}

/// Returns what stands in a comment as Ruby has them, in which what a program printed is kept beside it; and any other line as
/// it is.
pub(crate) fn uncommented(text: &str) -> &str {
    let mut text = text;
    while let Some(inside) = text.trim_start().strip_prefix('#')
        && (inside.is_empty() || inside.starts_with([' ', '\t']))
    {
        text = inside;
    }
    text
}

/// Reads every line of an input. The function may remember what it saw before; it starts anew with each file.
pub(crate) fn read<F: FnMut(&str) -> Line>(
    input: &Input,
    suite: &SuiteName,
    adapter: &'static Adapter,
    start: impl Fn() -> F,
) -> Result<Observed, ReadError> {
    read_listings(input, suite, adapter, |listing| {
        read_listing(listing, start());
    })
}

/// Reads every line of a text.
pub(crate) fn read_listing(mut listing: Listing<'_, '_>, mut line_of: impl FnMut(&str) -> Line) {
    let cut_line = listing.document.cut_line();
    for block in listing.document.lines() {
        let line = line_of(block.text.trim_end_matches('\r'));
        line.take(block.line, cut_line == Some(block.line), &mut listing);
    }
}

impl Line {
    fn take(self, line: usize, is_cut: bool, listing: &mut Listing<'_, '_>) {
        match self {
            // The beginning of a result may look like anything.
            Self::Other
            | Self::Result {
                is_closed: false, ..
            } if is_cut => listing.problem(line, "the text ends within a line"),
            Self::Known | Self::Other => {}
            Self::Problem(text) => listing.problem(line, text),
            Self::Result { name, readings, .. } => {
                listing.take(line, entry(listing.suite, &name, readings));
            }
        }
    }
}

fn entry(
    suite: &SuiteName,
    name: &str,
    readings: Result<Vec<Reading>, String>,
) -> Result<Entry, String> {
    let bench = bench_of_name(suite, name)?;
    let readings = readings.map_err(|error| {
        let name = shown(name);
        format!("the result of benchmark `{name}` cannot be used: {error}")
    })?;
    Ok(Entry::new(bench, readings))
}
