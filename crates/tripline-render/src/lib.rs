//! Renders reports for people and programs.
//!
//! Each output is one file under `renderers/`, listed in `renderers.rs`. A renderer is a pure function of reports and
//! view: colour, width and links come in as values, and nothing of a report reaches a text unescaped. What the outputs
//! share is decided once: what a reader needs first (`outline`) and does next (`steps`), what counts as what
//! (`standing`), how a number reads (`number`, `cell`), which caveat has which footnote (`footnote`), how a Markdown page
//! keeps to its size (`markdown`), and how hostile text becomes harmless (`escape`).
//!
//! Two outputs are data and not texts, because whoever publishes them has more to add: [`annotations`] and [`check`].
//! And what is handed to other services is runs, not reports: one file each under `exporters/`.
//!
//! Where a program spent what it took is drawn by [`flame()`]: a profile is no report either.
//!
//! What a run measured, by two or more params of its benchmarks, is laid out by [`table()`].
//!
//! Where a page of its own wants a number of a run, [`figure()`] says how it reads.
//!
//! Tested by `tests/render`: every output over every canonical report, as snapshots, and with hostile names.

mod annotation;
mod cell;
mod check;
mod directed;
mod escape;
mod export;
mod exporters;
mod figure;
mod flame;
mod footnote;
mod grid;
mod limit;
mod link;
mod markdown;
mod middle;
mod outline;
mod paint;
mod place;
mod renderers;
mod standing;
mod steps;
mod tail;
mod view;

use tripline_model::Report;

pub use annotation::{Annotation, Severity, annotations};
pub use check::{Check, check};
pub use export::{CommitNote, Existing, Export, ExportError, Exported, Exporter, Taken};
pub use exporters::{EXPORTERS, exporter, is_title_of};
pub use figure::{fact, figure};
pub use flame::flame;
pub use link::{Link, LinkError, Links};
pub use markdown::{Layout, LayoutError, table};
pub use place::{Place, Places, Source, Written};
pub use renderers::{RENDERERS, renderer};
pub use view::{Before, Color, Detail, Taking, View};

/// Returns a text as a block of Markdown code, for what is told beside a report: nothing in it is markup.
#[must_use]
pub fn code_block(text: &str) -> String {
    let lines: Vec<String> = escape::visible_lines(text).collect();
    escape::markdown_block(&lines)
}

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
