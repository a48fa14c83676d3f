//! Everything, as GitHub-flavoured Markdown: for the summary of a job, and as a file beside the report.
//!
//! It is the comment with more room: all findings with all their numbers. Tested by snapshots, and by its size.

use tripline_model::Report;

use crate::markdown::{Size, page};
use crate::{Detail, Renderer, View};

/// What a step may write, 1 MiB, less what else it has to say.
const SIZE: Size = Size {
    bytes: 1_000_000,
    detail: Detail::Full,
    what: "summary",
};

/// A summary.
pub(crate) static RENDERER: Renderer = Renderer {
    name: "summary",
    about: "Markdown for the summary of a job: every finding with all its numbers",
    render,
};

/// Renders reports. How much is shown is decided by what fits.
fn render(reports: &[Report], view: &View) -> String {
    page(reports, view, &SIZE).text()
}
