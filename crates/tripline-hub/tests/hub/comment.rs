//! The one comment.

mod claims;
mod doubt;
mod finding;
mod race;

use fake_github::{Run, World};
use tripline_hub::RunId;
use tripline_hub::comment::{Comment, Marker};

use crate::support::{self, HEAD, HOME};

/// Returns the world with runs 1 to 6 in it, of one workflow, each attempted nine times at the head of pull request 7.
fn world() -> World {
    (1..=6).fold(support::world(), |world, id| {
        world.with_run(Run {
            id,
            head_repository: HOME.to_owned(),
            head_branch: "feature".to_owned(),
            head_sha: HEAD.to_owned(),
            attempt: 9,
            ..Run::default()
        })
    })
}

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
