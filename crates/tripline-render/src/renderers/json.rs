//! The report file, for programs: one report a line, in the stored format.
//!
//! Tested by `tests/render/json.rs`: every canonical report is valid by the committed schema and reads back equal.

use tripline_model::{Report, wire};

use crate::{Renderer, View, escape};

/// One report a line, in the stored format.
pub(crate) static RENDERER: Renderer = Renderer {
    name: "json",
    about: "one report a line, for programs; the format is versioned",
    render,
};

/// Renders reports. Programs get everything: the view decides nothing.
fn render(reports: &[Report], _view: &View) -> String {
    escape::json(reports.iter().map(wire::write_report).collect())
}
