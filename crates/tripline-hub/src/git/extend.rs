//! Adds one commit to a branch of somebody's, which must be where it was when the commit was thought of.
//!
//! Nothing is replaced: the commit goes on top, and where the branch has moved on there is no commit. Tested by
//! `tests/hub/git/extend.rs`.

use super::change::Change;
use super::error::{NotPushed, Why};
use super::refusal::Setback;
use super::tries::Try;
use super::workshop::{Blob, Expected, Workshop};
use super::{Place, Pushed};
use crate::{Branch, CommitId};

/// Adds a commit to a branch that ends in another.
///
/// # Errors
/// The branch ends elsewhere, is gone or is the default branch; the remote was not reached, or did not take it.
pub fn extend(
    place: &Place<'_>,
    branch: &Branch,
    tip: &CommitId,
    change: &Change,
) -> Result<Pushed, NotPushed> {
    Workshop::work(
        place,
        branch,
        change.about(),
        change.files(),
        |workshop, blobs, attempt| extend_once(workshop, branch, tip, change, blobs, attempt),
    )
}

fn extend_once(
    workshop: &Workshop<'_>,
    branch: &Branch,
    tip: &CommitId,
    change: &Change,
    blobs: &[Blob],
    attempt: Try,
) -> Result<Pushed, Setback> {
    let (default, _) = workshop.ask(branch, attempt.time)?;
    if default.is_some_and(|default| default == branch.reference()) {
        return Err(Setback::from(Why::DefaultBranch));
    }
    let there = workshop.fetch_tip(branch, attempt.time)?;
    if there.as_ref() != Some(tip) {
        let expected = tip.clone();
        return Err(Setback::from(Why::MovedOn { expected }));
    }
    let id = workshop.commit(Some(tip), blobs, change)?;
    if workshop.tree_of(&id)? == workshop.tree_of(tip)? {
        return Ok(Pushed::AlreadyThere { id: tip.clone() });
    }
    workshop.push(&id, branch, &Expected::Tip(tip.clone()), attempt.time)?;
    let tries = attempt.count;
    Ok(Pushed::Commit { id, tries })
}
