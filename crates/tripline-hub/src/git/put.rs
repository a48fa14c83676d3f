//! Puts a proposal on a branch of its own: some files changed on top of a given commit, replacing the last proposal.
//!
//! The branch is replaced by force, but only while it is what we saw, and never when it is the one everybody works on.
//! Where it says the same already, nothing is pushed, so that a reviewed proposal stays the commit that was reviewed.
//!
//! Tested by `tests/hub/git/put.rs`.

use super::change::Change;
use super::error::{NotPushed, Why};
use super::refusal::Setback;
use super::tries::Try;
use super::workshop::{Blob, Expected, Workshop};
use super::{Place, Pushed};
use crate::{Branch, CommitId};

/// Makes a branch one commit on top of a base: the base with some files changed.
///
/// # Errors
/// The branch is the default branch, the remote lacks the base, was not reached, or did not take it.
pub fn put_branch(
    place: &Place<'_>,
    branch: &Branch,
    base: &CommitId,
    change: &Change,
) -> Result<Pushed, NotPushed> {
    Workshop::work(
        place,
        branch,
        change.about(),
        change.files(),
        |workshop, blobs, attempt| put_once(workshop, branch, base, change, blobs, attempt),
    )
}

fn put_once(
    workshop: &Workshop<'_>,
    branch: &Branch,
    base: &CommitId,
    change: &Change,
    blobs: &[Blob],
    attempt: Try,
) -> Result<Pushed, Setback> {
    let (default, is_there) = workshop.ask(branch, attempt.time)?;
    if default.is_some_and(|default| default == branch.reference()) {
        return Err(Setback::from(Why::DefaultBranch));
    }
    let tip = workshop.fetch_base(base, is_there.then_some(branch), attempt.time)?;
    let id = workshop.commit(Some(base), blobs, change)?;
    let tree = workshop.tree_of(&id)?;
    if tree == workshop.tree_of(base)? {
        return Ok(Pushed::NothingToPropose);
    }
    let expected = match tip {
        Some(id) if tree == workshop.tree_of(&id)? => return Ok(Pushed::AlreadyThere { id }),
        Some(tip) => Expected::Tip(tip),
        None => Expected::Nothing,
    };
    workshop.push(&id, branch, &expected, attempt.time)?;
    let tries = attempt.count;
    Ok(Pushed::Commit { id, tries })
}
