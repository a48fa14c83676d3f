//! Renders reports for people and programs.
//!
//! Each output is one file under `renderers/`, listed in `renderers.rs`. A renderer is a pure function of reports and
//! view: colour and width come in as values, and nothing of a report reaches a text unescaped. What the outputs share
//! is decided once: what a reader needs first (`outline`) and does next (`steps`), what counts as what (`standing`), how a
//! number reads (`number`, `cell`), which caveat has which
//! footnote (`footnote`), and how hostile text becomes harmless (`escape`).
//!
//! Tested by `tests/render`: every output over every canonical report, as snapshots, and with hostile names.

mod cell;
mod escape;
mod footnote;
mod grid;
mod limit;
mod number;
mod outline;
mod paint;
mod renderers;
mod standing;
mod steps;
mod tail;

use tripline_model::Report;

pub use renderers::{RENDERERS, renderer};

/// Describes one output.
#[derive(Debug)]
pub struct Renderer {
    /// The name by which `--format` knows it.
    pub name: &'static str,
    /// What it is for, in a few words.
    pub about: &'static str,
    /// Renders reports.
    pub render: fn(&[Report], &View) -> String,
}

/// Says how much room there is, and how much is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// The columns of the terminal.
    pub width: usize,
    /// Whether colours are understood.
    pub color: Color,
    /// How much is wanted.
    pub detail: Detail,
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
