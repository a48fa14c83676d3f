//! Which commit a tag stands for, asked of a repository that is somewhere else.
//!
//! Tested by `tests/hub/git/tag`.

use std::time::Duration;

use super::error::Why;
use super::program::{Call, Git, Surroundings};
use super::said::Said;
use crate::{CommitId, NameError};

/// Nothing is asked that would take longer.
const TIME_MAX: Duration = Duration::from_secs(60);

/// Returns the commit that a tag of a repository stands for, or nothing if there is no such tag.
///
/// No repository of the caller's is looked at; the user's own settings say how the network is reached.
///
/// # Errors
///
/// If the repository could not be asked, or its answer makes no sense.
pub fn tagged(git: &Git, address: &str, tag: &str) -> Result<Option<CommitId>, Why> {
    let name = format!("refs/tags/{tag}");
    // A tag with a text of its own is an object that names a commit.
    let named = format!("{name}^{{}}");
    let answer = git.run(&Call {
        args: &["ls-remote", "--", address, &name, &named],
        folder: &std::env::temp_dir(),
        surroundings: Surroundings::Callers,
        variables: Vec::new(),
        input: &[],
        time: TIME_MAX,
    })?;
    if !answer.is_success {
        let said = Said::new(&answer.err, &[]);
        return Err(Why::Unreachable { said });
    }
    let listed = String::from_utf8_lossy(&answer.out);
    let id_of = |wanted: &str| {
        let mut lines = listed.lines().filter_map(|line| line.split_once('\t'));
        lines.find_map(|(id, name)| (name == wanted).then_some(id))
    };
    let Some(id) = id_of(&named).or_else(|| id_of(&name)) else {
        return Ok(None);
    };
    let id = id.parse().map_err(|error: NameError| Why::Failed {
        verb: "ls-remote".to_owned(),
        said: Said::new(error.to_string().as_bytes(), &[]),
    });
    id.map(Some)
}
