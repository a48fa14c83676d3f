//! Takes files off a data branch that others hold too.
//!
//! What makes them needless has to be on the branch before: a commit that takes files away never adds any, and is built on
//! a commit that holds what stays in their place. A file that is another there than the one that was read does not go. Past
//! commits keep the files. Tested by `tests/hub/git/remove.rs`.

use std::collections::BTreeMap;

use super::change::{ChangeError, Identity, NewFile, counted_files};
use super::error::{NotPushed, Why};
use super::file_path::FilePath;
use super::refusal::Setback;
use super::tries::Try;
use super::workshop::{Blob, Expected, Workshop};
use super::{Place, Pushed};
use crate::Branch;

/// Files to take away, as one commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removal {
    files: Vec<NewFile>,
    held_by: Vec<FilePath>,
    message: String,
    author: Identity,
}

impl Removal {
    /// Takes files as they were read, those that have to be there for them to go, the message of the commit, and who it is by.
    ///
    /// # Errors
    /// There is no file in one of the lists.
    pub fn new(
        files: Vec<NewFile>,
        held_by: Vec<FilePath>,
        message: impl Into<String>,
        author: Identity,
    ) -> Result<Self, ChangeError> {
        if files.is_empty() || held_by.is_empty() {
            return Err(ChangeError::Empty);
        }
        Ok(Self {
            files,
            held_by,
            message: message.into(),
            author,
        })
    }

    /// Returns the files.
    #[must_use]
    pub fn files(&self) -> &[NewFile] {
        &self.files
    }
}

/// Takes files off a branch, if what holds them is there.
///
/// # Errors
/// What holds them is not there; one of them is another there; the remote was not reached, or did not take it.
pub fn remove(place: &Place<'_>, branch: &Branch, removal: &Removal) -> Result<Pushed, NotPushed> {
    let what = format!(
        "the removal of {}",
        counted_files(&removal.files[0].path, removal.files.len())
    );
    Workshop::work(
        place,
        branch,
        what,
        &removal.files,
        |workshop, blobs, attempt| remove_once(workshop, branch, removal, blobs, attempt),
    )
}

fn remove_once(
    workshop: &Workshop<'_>,
    branch: &Branch,
    removal: &Removal,
    blobs: &[Blob],
    attempt: Try,
) -> Result<Pushed, Setback> {
    let path = || removal.held_by[0].clone();
    let tip = workshop.fetch_tip(branch, attempt.time)?;
    let tip = tip.ok_or_else(|| Why::NotHeld { path: path() })?;
    let holding = workshop.entries_at(&tip, removal.held_by.iter())?;
    let is_there = |path: &&FilePath| {
        let mut entries = holding.iter();
        entries.any(|entry| entry.is_file && entry.path == path.as_str())
    };
    if let Some(path) = removal.held_by.iter().find(|path| !is_there(path)) {
        let path = path.clone();
        return Err(Setback::from(Why::NotHeld { path }));
    }
    let there = workshop.entries_at(&tip, blobs.iter().map(|blob| &blob.path))?;
    if there.is_empty() {
        return Ok(Pushed::AlreadyThere { id: tip });
    }
    let mut read: BTreeMap<&str, &Blob> = BTreeMap::new();
    read.extend(blobs.iter().map(|blob| (blob.path.as_str(), blob)));
    if let Some(other) = there.iter().find(|file| read[&*file.path].id != file.id) {
        let path = read[&*other.path].path.clone();
        return Err(Setback::from(Why::ReadElsewhere { path }));
    }
    let paths: Vec<&str> = there.iter().map(|entry| &*entry.path).collect();
    let id = workshop.commit_without(&tip, &paths, &removal.message, &removal.author)?;
    workshop.push(&id, branch, &Expected::Ancestor, attempt.time)?;
    let tries = attempt.count;
    Ok(Pushed::Commit { id, tries })
}
