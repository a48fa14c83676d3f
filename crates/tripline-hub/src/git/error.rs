//! Why nothing was pushed: first what did *not* happen, then why, then what to do.
//!
//! Tested by `tests/hub/git`, where every kind is brought about.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use super::file_path::FilePath;
use super::program::MINIMUM;
use super::said::Said;
use crate::{Branch, CommitId};

/// Says what was not pushed, and why.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.not_done())]
pub struct NotPushed {
    /// The branch it was meant for.
    pub branch: Branch,
    /// What it was, in a few words.
    pub what: String,
    /// Whether it may have been all the same: the remote never answered.
    pub is_in_doubt: bool,
    /// Why it was not.
    #[source]
    pub why: Why,
}

/// Says why nothing was pushed.
#[derive(Debug, thiserror::Error)]
pub enum Why {
    /// There is no git, or it cannot be run.
    #[error("git could not be started")]
    NoGit(#[source] io::Error),
    /// The git that is there lacks what is needed.
    #[error("git {found} is older than {}.{}", MINIMUM.0, MINIMUM.1)]
    OldGit {
        /// What it says its version is.
        found: Said,
    },
    /// A temporary folder or file could not be had.
    #[error("no temporary folder could be had to work in")]
    NoRoom(#[source] io::Error),
    /// The folder belongs to no repository, or git does not trust it.
    #[error("`{}` is not in a git repository that can be read: {said}", folder.display())]
    NoRepository {
        /// The folder.
        folder: PathBuf,
        /// What git said.
        said: Said,
    },
    /// The remote is neither a name that the repository knows nor an address.
    #[error("the repository knows no remote `{remote}`")]
    NoRemote {
        /// What was given.
        remote: String,
    },
    /// The address of the remote holds a password, which git would show to every process of the machine.
    #[error("the address of the remote holds a password")]
    PasswordInAddress,
    /// The file is there with other contents, and what is there stays.
    #[error("`{path}` is there already, with other contents")]
    OtherContents {
        /// The file.
        path: FilePath,
    },
    /// What was to hold the contents of files that go is not there.
    #[error("`{path}`, which is to hold what goes, is not on the branch")]
    NotHeld {
        /// What is not there.
        path: FilePath,
    },
    /// What was read is not of this branch, or the branch has moved on.
    #[error("`{path}` is not on the branch as it was read")]
    ReadElsewhere {
        /// What is not there, or otherwise.
        path: FilePath,
    },
    /// The branch ends elsewhere than it was known to.
    #[error(
        "the branch does not end where this repository knows it to, and what it has may be the same once more"
    )]
    KnownElsewhere,
    /// A file and a folder would have one name.
    #[error("a file would take the place of a folder, or the other way round: {said}")]
    FileAndFolder {
        /// What git said.
        said: Said,
    },
    /// The remote does not have the commit to build on.
    #[error("the remote does not have the commit {}: {said}", base.short())]
    NoBase {
        /// The commit.
        base: CommitId,
        /// What the remote said.
        said: Said,
    },
    /// The branch is not where it was when the change was thought of.
    #[error("the branch has moved on from {}, or is gone", expected.short())]
    MovedOn {
        /// Where it was.
        expected: CommitId,
    },
    /// The branch is the one that everybody works on, which is never replaced.
    #[error("the branch is the default branch of the remote, which is never replaced")]
    DefaultBranch,
    /// The remote does not know who we are.
    #[error("the remote wants to know who pushes: {said}")]
    Unknown {
        /// What the remote said.
        said: Said,
    },
    /// The remote knows us, and we may not.
    #[error("the remote does not allow it: {said}")]
    Forbidden {
        /// What the remote said.
        said: Said,
    },
    /// A rule of the remote, such as the protection of a branch, is against it.
    #[error("a rule of the remote is against it: {said}")]
    Refused {
        /// What the remote said.
        said: Said,
    },
    /// Nothing is at the address, or nothing that we may see.
    #[error("the remote has no such repository: {said}")]
    NoRemoteRepository {
        /// What the remote said.
        said: Said,
    },
    /// Somebody else pushed in between.
    #[error("somebody else pushed in between: {said}")]
    Overtaken {
        /// What git said.
        said: Said,
    },
    /// The remote could not be reached, or broke down.
    #[error("the remote could not be reached, or broke down: {said}")]
    Unreachable {
        /// What git said.
        said: Said,
    },
    /// A command of git did not end in time.
    #[error("`git {verb}` did not end in {} s", time.as_secs())]
    OutOfTime {
        /// Which command.
        verb: String,
        /// What it was given.
        time: Duration,
    },
    /// A command of git failed in a way that is not known.
    #[error("`git {verb}` failed: {said}")]
    Failed {
        /// Which command.
        verb: String,
        /// What git said.
        said: Said,
    },
    /// It was tried again and again; the last reason is the source.
    #[error("gave up at try {tries}, after {} s", time.as_secs())]
    GaveUp {
        /// How often it was tried.
        tries: u32,
        /// For how long.
        time: Duration,
        /// Why the last try failed.
        #[source]
        last: Box<Self>,
    },
}

impl NotPushed {
    /// Returns the first line: what did not happen, or is not known to have.
    fn not_done(&self) -> String {
        let Self { branch, what, .. } = self;
        if self.is_in_doubt {
            format!("it is not known whether {what} reached the branch `{branch}`")
        } else {
            format!("{what} did not reach the branch `{branch}`")
        }
    }

    /// Returns what to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        self.why.last().hint(&self.branch)
    }
}

impl Why {
    /// Returns the reason itself, where it was tried more than once.
    #[must_use]
    pub fn last(&self) -> &Self {
        match self {
            Self::GaveUp { last, .. } => last.last(),
            why => why,
        }
    }

    fn hint(&self, branch: &Branch) -> String {
        let (major, minor) = MINIMUM;
        match self {
            Self::NoGit(_) => format!("install git {major}.{minor} or newer, so that it is on PATH"),
            Self::OldGit { .. } => format!("install git {major}.{minor} or newer"),
            Self::NoRoom(_) => "make room in the folder that TMPDIR names, or let it be written to".into(),
            Self::NoRepository { .. } => "check the repository out first, with `actions/checkout`; where another user owns \
                 the folder, name it to git with `git config --global --add safe.directory FOLDER`"
                .into(),
            Self::NoRemote { remote } => format!("add it: `git remote add {remote} ADDRESS`"),
            Self::PasswordInAddress => "take the password out of the address, and give it as the token".into(),
            Self::OtherContents { .. } => "files of this branch are written once: where this one was changed or damaged since, go \
                 back to a commit of the branch before that; else publish under another path, such as one with the number \
                 of the run and of its attempt"
                .into(),
            Self::NotHeld { .. } => "push it first; nothing goes before".into(),
            Self::ReadElsewhere { .. } => format!(
                "read the end of `{branch}`, and nothing else: fetch it, or check it out anew, and run it again"
            ),
            Self::KnownElsewhere => {
                let name = branch.reference();
                let short = branch.as_str();
                format!(
                    "fetch it and run it again: `git fetch --prune origin '+{name}:refs/remotes/origin/{short}'`"
                )
            }
            Self::FileAndFolder { .. } => "publish under another path".into(),
            Self::NoBase { .. } => "build on a commit that was pushed, such as the end of the default branch".into(),
            Self::MovedOn { .. } => "ask again at where the branch is now".into(),
            Self::DefaultBranch => "name a branch of its own, which is replaced each time".into(),
            Self::Unknown { .. } => "give a token that is still valid (the one of a job ends with the job), or let \
                 `actions/checkout` keep its credentials"
                .into(),
            Self::Forbidden { .. } => "give the job `permissions: { contents: write }`; a job that a pull request from a fork \
                 started never has it, so publish on `push` or `workflow_run`"
                .into(),
            Self::Refused { .. } => format!(
                "let the pusher past the rules for `{branch}` (Settings, Rules; Settings, Branches), or publish to another branch"
            ),
            Self::NoRemoteRepository { .. } => "check the address; a token that may not read a repository is told that there \
                 is none"
                .into(),
            Self::Overtaken { .. } => "run it again: nothing is pushed twice; if it lasts, let fewer jobs publish at once".into(),
            Self::Unreachable { .. } | Self::OutOfTime { .. } => {
                "run it again when the remote answers: nothing is pushed twice".into()
            }
            Self::Failed { .. } => "see what git said, and run it again: nothing is pushed twice".into(),
            Self::GaveUp { last, .. } => last.hint(branch),
        }
    }
}
