//! Where commits stand: along the first parents of a commit of this repository, asked of git.
//!
//! Tested by `tests/it/history`.

use std::collections::BTreeSet;
use std::path::Path;

use tripline_history::{Archive, Places};
use tripline_model::CommitId;
use tripline_model::few;

use crate::git::git;
use crate::talk;

/// Returns the place of every commit of a history. What was taken over from a repository that is not this one, and has no
/// commit here at all, is in the order in which it was measured; otherwise what is not on the way to `until` has no place.
pub(crate) fn places(root: Option<&Path>, until: &str, archive: &Archive) -> Places {
    let line = root.and_then(|root| first_parents(root, until));
    let by_time = || {
        talk::say(&format!(
            "note: no commit of the history is on the way to `{until}` here; they stand in the order they were measured in"
        ));
        in_order_of_time(archive)
    };
    placed(archive, until, line.unwrap_or_default()).unwrap_or_else(by_time)
}

/// Returns the place of every commit of a history that is on the way to `until`, for verdicts. Of a commit that has none of
/// them before it, or is not here at all, nothing is assumed: a shallow clone does not know which of them came before. Without
/// a repository there is only the order of time.
pub(crate) fn places_before(root: &Path, until: &str, archive: &Archive) -> Places {
    if git(root, &["rev-parse", "--git-dir"], &[]).is_err() {
        talk::say(
            "note: there is no repository here; the commits stand in the order they were measured in",
        );
        return in_order_of_time(archive);
    }
    let line = first_parents(root, until).unwrap_or_default();
    placed(archive, until, line).unwrap_or_else(|| {
        talk::say(&format!(
            "note: no commit of the history is on the way to `{until}` here, so it says nothing of it; where the clone is \
             shallow, `git fetch --unshallow` brings the others"
        ));
        Places::default()
    })
}

/// Places what of a history is on a line of commits, unless none is.
fn placed(archive: &Archive, until: &str, line: Vec<CommitId>) -> Option<Places> {
    let listed = archive.listed();
    let known = few::set_of(listed.iter().map(|listed| &listed.record.commit));
    let found = line.iter().filter(|commit| known.contains(commit)).count();
    if found > 0 && found < known.len() {
        let left = talk::counted(known.len() - found, "commit");
        talk::say(&format!(
            "note: {left} of the history not on the way to `{until}` here, and left out"
        ));
    }
    (found > 0).then(|| Places::of(line))
}

fn in_order_of_time(archive: &Archive) -> Places {
    let listed = archive.listed();
    let mut by_time: Vec<_> = listed.iter().map(|listed| listed.record).collect();
    few::sort_by_key(&mut by_time, |record| record.measured_at);
    Places::of(by_time.into_iter().map(|record| record.commit.clone()))
}

/// Returns the commits that lead to one along first parents, the oldest first.
fn first_parents(root: &Path, until: &str) -> Option<Vec<CommitId>> {
    let args = [
        "rev-list",
        "--first-parent",
        "--reverse",
        "--end-of-options",
        until,
    ];
    let listed = git(root, &args, &[]).ok()?;
    let listed = String::from_utf8_lossy(&listed);
    Some(
        listed
            .lines()
            .filter_map(|id| CommitId::new(id).ok())
            .collect(),
    )
}

/// Returns the commit of a history that somebody means: by a beginning of its hash, or by what git calls it here.
pub(crate) fn commit(
    root: Option<&Path>,
    name: &str,
    archive: &Archive,
) -> Result<CommitId, String> {
    let listed = archive.listed();
    let named = |text: &str| -> BTreeSet<&CommitId> {
        let commits = listed.iter().map(|listed| &listed.record.commit);
        commits
            .filter(|commit| commit.as_str().starts_with(text))
            .collect()
    };
    let mut found = named(name);
    if found.is_empty()
        && let Some(root) = root
        && let Ok(id) = git(
            root,
            &["rev-parse", "--verify", "--quiet", "--end-of-options", name],
            &[],
        )
    {
        found = named(String::from_utf8_lossy(&id).trim());
    }
    match found.len() {
        1 => Ok(found.into_iter().next().expect("there is one").clone()),
        0 => Err(format!("the history has no run of `{name}`")),
        many => Err(format!(
            "`{name}` is the beginning of {many} commits of the history"
        )),
    }
}
