//! Gets what the remote has of a history and this clone does not: what is not known there would be added once more.
//!
//! A checkout of a job knows one branch and one commit. Tested by `tests/it/history/again`.

use std::path::Path;

use tripline_hub::Branch;

use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::git::git;
use crate::talk;

/// Fetches the branch of data where the remote has another end of it than this clone knows.
pub(crate) fn fetch_what_is_new(root: &Path, branch: &Branch) -> Outcome<()> {
    let name = branch.reference();
    let here = format!("refs/remotes/origin/{}", branch.as_str());
    let Ok(said) = git(root, &["ls-remote", "origin", &name], &[]) else {
        // Pushing to it says what is wrong with it.
        return Ok(());
    };
    let said = String::from_utf8_lossy(&said);
    let Some(there) = said.split_whitespace().next() else {
        return Ok(());
    };
    let known = git(root, &["rev-parse", "--verify", "--quiet", &here], &[]);
    if known.is_ok_and(|known| String::from_utf8_lossy(&known).trim() == there) {
        return Ok(());
    }
    talk::say(&format!(
        "note: the remote has more of branch `{branch}` than this clone, which is fetched"
    ));
    let both = format!("+{name}:{here}");
    git(root, &["fetch", "--quiet", "origin", &both], &[]).map_err(|why| {
        let what = "nothing was recorded: what the remote has already is not known here";
        CommandError::new(Exit::HubFailed, what)
            .because(why)
            .hint(format!("fetch it: `git fetch origin {both}`"))
    })?;
    Ok(())
}
