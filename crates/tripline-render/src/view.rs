//! How a report is to be shown: what room there is, how much is wanted, and what only the caller knows.

use crate::link::Links;
use crate::place::Places;

/// Says how much room there is, how much is wanted, and what only the caller knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// The columns of the terminal.
    pub width: usize,
    /// Whether colours are understood.
    pub color: Color,
    /// How much is wanted. What has a size limit of its own decides that by its limit.
    pub detail: Detail,
    /// Where the reader finds more.
    pub links: Links,
    /// What was said before in the same place.
    pub before: Before,
    /// How a regression is taken on purpose from there.
    pub taking: Taking,
    /// Where suites are written.
    pub places: Places,
}

impl View {
    /// Returns a view with no links and no places, where nothing was said before.
    #[must_use]
    pub const fn new(width: usize, color: Color, detail: Detail) -> Self {
        Self {
            width,
            color,
            detail,
            links: Links::NONE,
            before: Before::Nothing,
            taking: Taking::ByProgram,
            places: Places::UNKNOWN,
        }
    }
}

/// Says whether colours are understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    /// They are not.
    Plain,
    /// ANSI escape sequences are.
    Ansi,
}

/// Says how much is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// What needs attention.
    Brief,
    /// Every finding.
    Full,
}

/// Says what the reader was told before, in the comment that this one replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Before {
    /// Nothing, or nobody knows.
    #[default]
    Nothing,
    /// That nothing fails.
    Green,
    /// That something fails or is broken. When nothing does any more, that is news.
    Red,
}

/// Says how a regression is taken on purpose by whoever reads the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Taking {
    /// With the program, in a checkout.
    #[default]
    ByProgram,
    /// By a comment on the pull request, which names the report that was read by this number.
    ByComment(u64),
}
