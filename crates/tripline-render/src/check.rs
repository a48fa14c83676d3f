//! What a check says: a title, a summary and a text, each within the size that a forge accepts.
//!
//! It is the comment in three parts. Tested by its sizes over every canonical report and over large ones.

use tripline_model::Report;

use crate::escape::shortened;
use crate::markdown::{Size, page};
use crate::{Detail, View};

/// The most of a title.
const TITLE_CHARS_MAX: usize = 255;

/// What summary and text may take together, so that each alone stays within 65,535 characters.
const SIZE: Size = Size {
    bytes: 65_000,
    detail: Detail::Brief,
    what: "check",
};

/// What a check says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The verdict in one line of plain text, of at most 255 characters.
    pub title: String,
    /// The verdict and what to do next, as Markdown of at most 65,535 characters.
    pub summary: String,
    /// All the rest, as Markdown of at most 65,535 characters.
    pub text: String,
}

/// Says reports as a check does.
#[must_use]
pub fn check(reports: &[Report], view: &View) -> Check {
    let page = page(reports, view, &SIZE);
    Check {
        title: shortened(&page.first, TITLE_CHARS_MAX).into_owned(),
        summary: page.opening,
        text: page.body,
    }
}
