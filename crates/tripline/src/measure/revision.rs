//! Which commit is checked out, and whether the work tree is that commit.

use std::path::Path;

use tripline_model::{CommitId, Revision, WorkTree};

use crate::files::DRAFT;
use crate::git::git;

/// Returns the revision of a project's work tree; none outside git, or before the first commit.
pub(crate) fn of(root: &Path) -> Option<Revision> {
    let commit = git(root, &["rev-parse", "--verify", "HEAD"], &[]).ok()?;
    let commit = CommitId::new(String::from_utf8_lossy(&commit).trim()).ok()?;
    // All of the repository counts: a project in a folder of it is often there to measure the rest. But kept runs are
    // written after measuring, so they cannot be a part of what was measured, and neither can the drafts of what is written.
    let drafts = format!(":(top,exclude,glob)**/{DRAFT}*");
    let status = [
        "status",
        "--porcelain",
        "--untracked-files=normal",
        "--",
        ":/",
        ":(exclude)baselines",
        &drafts,
    ];
    let changes = git(root, &status, &[]).ok()?;
    let work_tree = if changes.is_empty() {
        WorkTree::Clean
    } else {
        WorkTree::Modified
    };
    Some(Revision { commit, work_tree })
}
