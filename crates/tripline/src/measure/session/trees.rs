//! The work trees of a session: one place where both sides are built in turn, and a place for each side to run in.
//!
//! Both sides are built at the same path, one after the other, so that equal sources give equal bytes, and the second
//! build compiles only what differs. They run in trees of their own, at paths of equal length; what is built there, because
//! its harness runs whole, is built in a folder for each side. The trees are git's, below
//! the cache folder, and stay there: the next session needs to check out and to build only what changed since.
//!
//! *Note:* a bench that opens, while it runs, a file whose path was fixed when it was compiled finds the head's file on
//! both sides. Submodules are not checked out.
//!
//! Tested by `tests/it/trees`, with real repositories.

use std::ffi::{OsStr, OsString};
use std::fs::{File, TryLockError};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use tripline_model::{CommitId, Revision, WorkTree};

use super::SideName;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::git::{self, git};
use crate::measure::revision;
use crate::project::Project;

/// The folders a session works in.
#[derive(Debug)]
pub(crate) struct Trees {
    repository: PathBuf,
    folder: PathBuf,
    /// Where the project is within its repository.
    prefix: PathBuf,
    base: Revision,
    head: Revision,
    /// The commit that holds the head's files, also those that are in no commit of its own.
    head_files: CommitId,
    /// What the paths that are counted under have in place of random letters.
    letters: String,
    _alone: File,
}

impl Trees {
    /// Makes the trees for the project as it is, and for the revision it is compared with.
    pub(crate) fn open(project: &Project, against: &str) -> Outcome<Self> {
        let repository = project.root().to_owned();
        let prefix = said(&repository, &["rev-parse", "--show-prefix"]).map_err(|error| {
            error.hint("a session compares two revisions: the project must be in a git repository")
        })?;
        let Some(head) = revision::of(&repository) else {
            return Err(not_measured("the project has no commit yet").hint("commit first"));
        };
        let base = commit_of(&repository, against)?;
        let folder = folder_of(&repository);
        std::fs::create_dir_all(&folder).map_err(|error| cannot_use(&folder, error))?;
        // First of all, because whoever clears up beside us leaves alone what is locked.
        let alone = alone_in(&folder)?;
        remove_orphans(&folder);
        let project = folder.join(PROJECT);
        std::fs::write(&project, repository.as_os_str().as_encoded_bytes())
            .map_err(|error| cannot_use(&project, error))?;
        let trees = Self {
            _alone: alone,
            head_files: head_files(&repository, &folder, &head)?,
            prefix: PathBuf::from(prefix),
            base: Revision {
                commit: base,
                work_tree: WorkTree::Clean,
            },
            head,
            letters: format!("{:08x}", fastrand::u32(..)),
            repository,
            folder,
        };
        for side in SideName::BOTH {
            trees.check_out(side.word(), trees.files(side))?;
        }
        Ok(trees)
    }

    /// Puts a side's files where both are built.
    pub(crate) fn enter(&self, side: SideName) -> Outcome<()> {
        self.check_out("tree", self.files(side))
    }

    /// Returns the project's folder where both sides are built.
    pub(crate) fn built_at(&self) -> PathBuf {
        self.folder.join("tree").join(&self.prefix)
    }

    /// Returns the project's folder where a side runs.
    pub(crate) fn run_at(&self, side: SideName) -> PathBuf {
        self.folder.join(side.word()).join(&self.prefix)
    }

    /// Returns the folder that cargo builds in.
    pub(crate) fn target(&self) -> PathBuf {
        self.folder.join("target")
    }

    /// Returns what the paths that are counted under have in place of random letters: the same for both sides.
    pub(crate) fn letters(&self) -> String {
        self.letters.clone()
    }

    /// Returns which state of the code a side is.
    pub(crate) fn revision(&self, side: SideName) -> Revision {
        match side {
            SideName::Base => self.base.clone(),
            SideName::Head => self.head.clone(),
        }
    }

    fn files(&self, side: SideName) -> &CommitId {
        match side {
            SideName::Base => &self.base.commit,
            SideName::Head => &self.head_files,
        }
    }

    /// Checks a commit out. What is not different keeps its time, so that cargo builds it once.
    fn check_out(&self, name: &str, commit: &CommitId) -> Outcome<()> {
        let place = self.folder.join(name);
        // Without this file git would look for a repository further up, and find one that is not ours.
        if place.join(".git").is_file() {
            let commit = commit.as_str();
            // A branch is never moved, whatever repository the place says it belongs to.
            let moved = said(
                &place,
                &["checkout", "--quiet", "--force", "--detach", commit],
            )
            .and_then(|_| said(&place, &["clean", "--quiet", "-ffdx"]));
            if moved.is_ok() {
                return Ok(());
            }
        }
        // Whatever is left there is ours, and broken.
        if let Err(error) = std::fs::remove_dir_all(&place)
            && error.kind() != std::io::ErrorKind::NotFound
        {
            return Err(cannot_use(&place, error));
        }
        let add = ["worktree", "add", "--quiet", "--force", "--detach"].map(OsStr::new);
        let of = [place.as_os_str(), OsStr::new(commit.as_str())];
        said(&self.repository, &[&add[..], &of].concat()).map(drop)
    }
}

/// Returns where the trees of a project are: outside of it, so that no setting of the project reaches them from above,
/// and under a path of the same length for every project of a machine.
fn folder_of(repository: &Path) -> PathBuf {
    use sha2::Digest as _;
    let digest = sha2::Sha256::digest(repository.as_os_str().as_encoded_bytes());
    let name: String = digest
        .iter()
        .take(6)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    cache().join("tripline").join("sessions").join(name)
}

/// Says in the folder of a project's trees whose they are.
const PROJECT: &str = "project";

/// Removes the trees beside ours whose project is gone: nobody will use them again, and each holds a whole build. What
/// cannot be removed is left to the next session.
fn remove_orphans(folder: &Path) {
    use std::os::unix::ffi::OsStrExt as _;
    let beside = folder.parent().map(std::fs::read_dir);
    for entry in beside.into_iter().flatten().flatten().flatten() {
        let Ok(project) = std::fs::read(entry.path().join(PROJECT)) else {
            continue;
        };
        let is_gone = !Path::new(OsStr::from_bytes(&project)).exists();
        // Whoever measures there, and may be writing that file at this moment, holds the lock.
        if is_gone && let Ok(_alone) = alone_in(&entry.path()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

fn cache() -> PathBuf {
    let named = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    named("XDG_CACHE_HOME")
        .or_else(|| named("HOME").map(|home| home.join(".cache")))
        .unwrap_or_else(std::env::temp_dir)
}

fn alone_in(folder: &Path) -> Outcome<File> {
    let place = folder.join("lock");
    let lock = File::create(&place).map_err(|error| cannot_use(&place, error))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::Error(error)) => Err(cannot_use(&place, error)),
        Err(TryLockError::WouldBlock) => Err(CommandError::new(
            Exit::NothingMeasured,
            "nothing was measured: another tripline is measuring this project against a revision",
        )
        .hint("wait until it ends")),
    }
}

/// Finds the commit that a person named.
fn commit_of(repository: &Path, name: &str) -> Outcome<CommitId> {
    git::commit_of(repository, name).ok_or_else(|| {
        not_measured(&format!("there is no commit `{name}` here")).hint(git::FETCH_FIRST)
    })
}

/// Returns a commit that holds the files as they are. It belongs to no branch.
fn head_files(repository: &Path, folder: &Path, head: &Revision) -> Outcome<CommitId> {
    if head.work_tree == WorkTree::Clean {
        return Ok(head.commit.clone());
    }
    // An index of our own: the person's is not touched. Whoever was killed here may have left it locked.
    let index = folder.join("index");
    let _ = std::fs::remove_file(folder.join("index.lock"));
    let variable = [("GIT_INDEX_FILE", index.as_os_str())];
    let with_index = |args: &[&str]| said_with(repository, args, &variable);
    with_index(&["read-tree", head.commit.as_str()])?;
    with_index(&["add", "--all", ":/"])?;
    let tree = with_index(&["write-tree"])?;
    let tree = tree.to_string_lossy();
    let nobody = [
        "GIT_AUTHOR_NAME",
        "GIT_AUTHOR_EMAIL",
        "GIT_COMMITTER_NAME",
        "GIT_COMMITTER_EMAIL",
    ]
    .map(|name| (name, OsStr::new("tripline")));
    let message = "The work tree, as it was measured";
    let commit = [
        "commit-tree",
        &tree,
        "-p",
        head.commit.as_str(),
        "-m",
        message,
    ];
    let commit = said_with(repository, &commit, &nobody)?;
    commit_id(commit).ok_or_else(|| not_measured("git named no commit"))
}

fn commit_id(said: OsString) -> Option<CommitId> {
    CommitId::new(said.to_str()?).ok()
}

/// Returns the line that git says.
fn said<A: AsRef<OsStr>>(folder: &Path, args: &[A]) -> Outcome<OsString> {
    said_with(folder, args, &[])
}

fn said_with<A: AsRef<OsStr>>(
    folder: &Path,
    args: &[A],
    variables: &[(&str, &OsStr)],
) -> Outcome<OsString> {
    let mut line = git(folder, args, variables).map_err(|why| not_measured(&why))?;
    line.pop_if(|last| *last == b'\n');
    Ok(OsString::from_vec(line))
}

fn not_measured(why: &str) -> CommandError {
    CommandError::new(Exit::BadInput, format!("nothing was measured: {why}"))
}

fn cannot_use(place: &Path, error: std::io::Error) -> CommandError {
    not_measured(&format!("`{}` cannot be used", place.display()))
        .because(error)
        .hint("make the folder writable, or set XDG_CACHE_HOME to one that is")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_removed_whose_project_is_gone_and_that_nobody_uses() {
        let all = tempfile::tempdir().unwrap();
        let made = |name: &str, project: &str| {
            let folder = all.path().join(name);
            std::fs::create_dir(&folder).unwrap();
            std::fs::write(folder.join(PROJECT), project).unwrap();
            folder
        };
        let gone = made("gone", "/there/is/no/such/project");
        // As the file is while somebody writes it.
        let used = made("used", "");
        let ours = made("ours", all.path().to_str().unwrap());
        let alone = alone_in(&used).unwrap();
        remove_orphans(&ours);
        let are_there = [&gone, &used, &ours].map(|folder| folder.exists());
        assert_eq!(are_there, [false, true, true]);
        drop(alone);
        // A program that another test starts holds whatever is locked here until it runs.
        while used.exists() {
            remove_orphans(&ours);
            std::thread::yield_now();
        }
    }
}
