//! The one comment.

mod doubt;
mod finding;
mod race;

use tripline_hub::RunId;
use tripline_hub::comment::{Comment, Marker};

use crate::support::HEAD;

/// Returns a comment on pull request 7 about this run.
pub(crate) fn comment(run: u64) -> Comment {
    Comment {
        after_red: None,
        pull: 7,
        marker: marker(run, 1),
        author: "github-actions[bot]".parse().unwrap(),
        text: format!("**Nothing got slower** in run {run}.\n\n| a | b |\n"),
    }
}

fn marker(id: u64, attempt: u64) -> Marker {
    Marker {
        is_red: false,
        set: "all".parse().unwrap(),
        head: HEAD.parse().unwrap(),
        run: RunId { id, attempt },
    }
}

/// Returns a comment as it stands on GitHub.
fn body(comment: &Comment) -> String {
    format!("{}\n\n{}", comment.text.trim_end(), comment.marker)
}
