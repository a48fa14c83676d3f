//! Adds files to a data branch that only grows.
//!
//! Each try fetches the end of the branch, builds on it and pushes without force, so of many publishers one wins a round
//! and the others build anew on what it left. A file is written once: other contents under its path are an error, the
//! same contents are done already, whoever wrote them. So whatever was interrupted is simply run again. What was made of
//! other files is added only where the branch holds those as they were read: a folder says of nothing where it is from.
//!
//! Tested by `tests/hub/git/append.rs` and `tests/hub/git/crowd.rs`.

use super::change::Change;
use super::error::{NotPushed, Why};
use super::refusal::Setback;
use super::tries::Try;
use super::workshop::{Blob, Expected, Workshop};
use super::{Place, Pushed};
use crate::{Branch, CommitId};
use tripline_model::few;

/// Adds files to a branch; one without a past is made where there is none.
///
/// # Errors
/// A file is there with other contents, or the remote was not reached, or did not take it.
pub fn append(place: &Place<'_>, branch: &Branch, change: &Change) -> Result<Pushed, NotPushed> {
    Workshop::work(
        place,
        branch,
        change.about(),
        change.with_sources(),
        |workshop, blobs, attempt| append_once(workshop, branch, change, blobs, attempt),
    )
}

fn append_once(
    workshop: &Workshop<'_>,
    branch: &Branch,
    change: &Change,
    blobs: &[Blob],
    attempt: Try,
) -> Result<Pushed, Setback> {
    let (blobs, sources) = blobs.split_at(change.files().len());
    let tip = workshop.fetch_tip(branch, attempt.time)?;
    let missing = match &tip {
        Some(tip) => missing(workshop, tip, blobs)?,
        None => blobs.to_vec(),
    };
    match tip {
        Some(id) if missing.is_empty() => Ok(Pushed::AlreadyThere { id }),
        tip if !change.knows(tip.as_ref()) => Err(Why::KnownElsewhere.into()),
        tip => {
            all_there(workshop, tip.as_ref(), sources)?;
            let id = workshop.commit(tip.as_ref(), &missing, change)?;
            workshop.push(&id, branch, &Expected::Ancestor, attempt.time)?;
            let tries = attempt.count;
            Ok(Pushed::Commit { id, tries })
        }
    }
}

/// Looks whether a commit has all files as they are here.
fn all_there(workshop: &Workshop<'_>, tip: Option<&CommitId>, sources: &[Blob]) -> Result<(), Why> {
    let there = match tip {
        Some(tip) if !sources.is_empty() => {
            workshop.entries_at(tip, sources.iter().map(|blob| &blob.path))?
        }
        _ => Vec::new(),
    };
    let there = few::set_of(there.iter().map(|file| (&*file.path, &*file.id)));
    let is_there = |blob: &&Blob| there.contains(&(blob.path.as_str(), &*blob.id));
    match sources.iter().find(|blob| !is_there(blob)) {
        None => Ok(()),
        Some(Blob { path, .. }) => Err(Why::ReadElsewhere { path: path.clone() }),
    }
}

/// Returns the files that a commit does not have yet; what it has must be the same.
fn missing(workshop: &Workshop<'_>, tip: &CommitId, blobs: &[Blob]) -> Result<Vec<Blob>, Why> {
    let there = workshop.entries_at(tip, blobs.iter().map(|blob| &blob.path))?;
    let mut missing = Vec::new();
    for blob in blobs {
        match there.iter().find(|entry| entry.path == blob.path.as_str()) {
            None => missing.push(blob.clone()),
            Some(entry) if entry.is_file && entry.id == blob.id => {}
            Some(_) => {
                let path = blob.path.clone();
                return Err(Why::OtherContents { path });
            }
        }
    }
    Ok(missing)
}
