//! Which commit is checked out, and whether the work tree is that commit.

use std::path::Path;
use std::process::{Command, Stdio};

use tripline_model::{CommitId, Revision, WorkTree};

/// Returns the revision of a project's work tree; none outside git, or before the first commit.
pub(crate) fn of(root: &Path) -> Option<Revision> {
    let commit = CommitId::new(git(root, &["rev-parse", "--verify", "HEAD"])?.trim()).ok()?;
    // Kept runs are written after measuring, so they cannot be a part of what was measured.
    let changes = git(
        root,
        &[
            "status",
            "--porcelain",
            "--untracked-files=normal",
            "--",
            ".",
            ":(exclude)baselines",
        ],
    )?;
    let work_tree = if changes.trim().is_empty() {
        WorkTree::Clean
    } else {
        WorkTree::Modified
    };
    Some(Revision { commit, work_tree })
}

fn git(root: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .args(args)
        .current_dir(root)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
