//! The data branch and the baseline branch: commits made and pushed without a work tree, by the real git.
//!
//! The one idea: nothing is done in the caller's repository. It is only asked how the remote is reached; everything else
//! happens in a *workshop*, a bare repository in a temporary folder that holds the newest commit of one branch without its
//! files, and that has no settings but ours. So there is no work tree, index, branch, hook or setting of the caller that
//! could be touched or be in the way, and whoever dies between commit and push leaves nothing behind.
//!
//! Tested by `tests/hub/git`, with bare repositories on disk, many publishers at once, and git over HTTP.

mod append;
mod change;
mod error;
mod extend;
mod file_path;
mod program;
mod put;
mod reach;
mod refusal;
mod remove;
mod said;
mod tag;
mod tries;
mod workshop;

use std::path::Path;

use crate::{Clock, CommitId, Token};

pub use append::append;
pub use change::{Change, ChangeError, Identity, NewFile};
pub use error::{NotPushed, Why};
pub use extend::extend;
pub use file_path::FilePath;
pub use program::Git;
pub use put::put_branch;
pub use remove::{Removal, remove};
pub use said::Said;
pub use tag::tagged;
pub use tries::Tries;

/// Says where to push, as whom, and for how long to try.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The git that does it.
    pub git: &'a Git,
    /// A folder of the repository whose settings say how the remote is reached. It is read and never changed.
    pub repository: &'a Path,
    /// The name of a remote there, or an address.
    pub remote: &'a str,
    /// What lets us write, where the address begins with `http`. Without it, the repository's own settings have to do.
    pub token: Option<&'a Token>,
    /// For how long to try.
    pub tries: Tries,
    /// What the pauses between two tries are taken from.
    pub clock: &'a dyn Clock,
}

/// What became of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pushed {
    /// The branch now ends in a commit of ours.
    Commit {
        /// The new end of the branch.
        id: CommitId,
        /// How often it was tried: more than once where others pushed at the same time.
        tries: u32,
    },
    /// The branch says all of it already; nothing was pushed.
    AlreadyThere {
        /// The end of the branch.
        id: CommitId,
    },
    /// The base says all of it already, so there is nothing to propose; nothing was pushed, and a branch of an earlier
    /// proposal is left as it is.
    NothingToPropose,
}
