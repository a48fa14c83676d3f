//! What a commit changes, as GitHub lists it. Tested in `tests/hub/commit`.

use serde::Deserialize;

use crate::client::{Call, Client};
use crate::error::{HubError, Problem};
use crate::names::{CommitId, NameError};

/// GitHub lists so many files of a commit at once, and more on further pages, which are not asked for.
const FILES_LISTED: usize = 300;

/// A commit, as far as we look at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// The commit that it builds on, if it is one and no more.
    pub parent: Option<CommitId>,
    /// The files that it adds or changes; nothing where it does anything else, or more than is listed.
    pub written: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Listed {
    parents: Vec<ListedParent>,
    files: Option<Vec<ListedFile>>,
}

#[derive(Deserialize)]
struct ListedParent {
    sha: String,
}

#[derive(Deserialize)]
struct ListedFile {
    filename: String,
    status: String,
}

/// Returns what a commit changes.
///
/// # Errors
/// GitHub did not answer, or has no such commit.
pub fn changes(client: &Client, commit: &CommitId) -> Result<Changes, HubError> {
    let call = Call::get(&["commits", commit.as_str()]).or_say(
        format!("commit {} was not looked at", commit.short()),
        "contents: read",
    );
    let listed: Listed = client.send(&call)?.json()?;
    let parent = match &listed.parents[..] {
        [only] => Some(only.sha.parse().map_err(|error: NameError| {
            let why = error.to_string();
            call.failed(Problem::Unexpected { why })
        })?),
        _ => None,
    };
    let files = listed.files.filter(|files| files.len() < FILES_LISTED);
    let is_written = |file: &ListedFile| ["added", "modified"].contains(&file.status.as_str());
    let files = files.filter(|files| files.iter().all(is_written));
    Ok(Changes {
        parent,
        written: files.map(|files| files.into_iter().map(|file| file.filename).collect()),
    })
}
