//! The end of what a failed step wrote, as much of it as is wanted.
//!
//! Tested by the snapshots of all outputs.

use tripline_model::Failure;

use crate::Detail;
use crate::escape::visible_lines;

/// The lines that are shown where not everything is wanted: the reason usually stands among the last.
const LINES_MAX: usize = 20;

/// The end of a step's output.
pub(crate) struct Tail {
    /// Its lines, each harmless in a terminal.
    pub(crate) lines: Vec<String>,
    /// How many lines before them were left out.
    pub(crate) left_out: usize,
}

impl Tail {
    /// Takes the end of what a failed step wrote.
    pub(crate) fn of(failure: &Failure, detail: Detail) -> Self {
        let mut lines: Vec<String> = visible_lines(&failure.tail).collect();
        let left_out = match detail {
            Detail::Brief => lines.len().saturating_sub(LINES_MAX),
            Detail::Full => 0,
        };
        lines.drain(..left_out);
        Self { lines, left_out }
    }
}
