//! What the reader of a pull request needs, as GitHub-flavoured Markdown, within the size of a comment.
//!
//! It is read in a browser and, as its source, in mail. All of it is written by `markdown`, which the summary shares;
//! here is only how long it may be. Tested by snapshots, by its size with thousands of regressions, and with a parser.

use tripline_model::Report;

use crate::markdown::{Size, page};
use crate::{Detail, Renderer, View};

/// What a forge accepts, 65,536 characters, less what whoever posts adds. Bytes are counted: there are no more
/// characters than those.
pub(crate) const SIZE: Size = Size {
    bytes: 64_800,
    detail: Detail::Brief,
    what: "comment",
};

/// A comment.
pub(crate) static RENDERER: Renderer = Renderer {
    name: "comment",
    about: "Markdown for the comment on a pull request: what needs attention, within its size limit",
    render,
};

/// Renders reports. How much is shown is decided by what fits.
fn render(reports: &[Report], view: &View) -> String {
    page(reports, view, &SIZE).text()
}
