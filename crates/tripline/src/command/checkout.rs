//! What git knows of the repository somebody stands in: its top folder, its files, its branches.
//!
//! Nothing here asks another machine. Tested by `tests/it/init` and `tests/it/doctor`, with real repositories.

use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use tripline_hub::{Branch, RepositoryName};

use crate::git::git;

/// A repository on this machine.
#[derive(Debug)]
pub(super) struct Checkout {
    root: PathBuf,
}

/// Where a repository is hosted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Remote {
    /// The host.
    pub(super) host: String,
    /// The repository there.
    pub(super) repository: RepositoryName,
}

/// The default branch, and how it became known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DefaultBranch {
    pub(super) name: Branch,
    pub(super) known: Known,
}

/// How something became known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// The clone remembers what the remote said.
    FromRemote,
    /// It is the only branch that it could be.
    FromBranches,
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FromRemote => "as the remote `origin` says",
            Self::FromBranches => "going by the branches there are",
        })
    }
}

impl Checkout {
    /// Finds the repository that a folder is in, or else says why there is none.
    pub(super) fn find(folder: &Path) -> Result<Self, String> {
        let said = git(folder, &["rev-parse", "--show-toplevel"], &[])?;
        // A folder's name may itself end with a line end: git adds exactly one.
        let path = said.strip_suffix(b"\n").unwrap_or(&said);
        if path.is_empty() {
            return Err("the repository has no work tree".to_owned());
        }
        Ok(Self {
            root: PathBuf::from(OsStr::from_bytes(path)),
        })
    }

    /// Returns the top folder.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Lists the files that are in the repository, or would be after `git add`: from the top folder, in order.
    pub(super) fn files(&self) -> Result<Vec<PathBuf>, String> {
        let args = [
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
            "--deduplicate",
        ];
        let listed = git(&self.root, &args, &[])?;
        let paths = listed.split(|byte| *byte == 0);
        let mut files: Vec<PathBuf> = paths
            .filter(|path| !path.is_empty())
            .map(|path| PathBuf::from(OsStr::from_bytes(path)))
            .collect();
        files.sort_unstable();
        Ok(files)
    }

    /// Returns whether a file is in the repository, or would be after a commit.
    pub(super) fn holds(&self, place: &str) -> bool {
        let args = ["ls-files", "--error-unmatch", "--", place];
        git(&self.root, &args, &[]).is_ok()
    }

    /// Returns whether git would leave a file out.
    pub(super) fn ignores(&self, place: &str) -> bool {
        git(&self.root, &["check-ignore", "--quiet", "--", place], &[]).is_ok()
    }

    /// Returns whether the history ends somewhere because it was not fetched.
    pub(super) fn is_shallow(&self) -> bool {
        self.said(&["rev-parse", "--is-shallow-repository"])
            .as_deref()
            == Some("true")
    }

    /// Returns the default branch, as far as it can be known without asking.
    pub(super) fn default_branch(&self) -> Option<DefaultBranch> {
        let remote = ["symbolic-ref", "--short", "refs/remotes/origin/HEAD"];
        let remote = self.said(&remote);
        let remote = remote
            .as_deref()
            .and_then(|name| name.strip_prefix("origin/"));
        let (name, known) = match remote {
            Some(name) => (name.to_owned(), Known::FromRemote),
            None => (self.only_candidate()?, Known::FromBranches),
        };
        let name = name.parse().ok()?;
        Some(DefaultBranch { name, known })
    }

    /// Returns the one branch that it could be: of those with a usual name, or else of all.
    fn only_candidate(&self) -> Option<String> {
        const USUAL: [&str; 3] = ["main", "master", "trunk"];
        let format = [
            "for-each-ref",
            "--format=%(refname)",
            "refs/heads",
            "refs/remotes/origin",
        ];
        let listed = self.said(&format)?;
        let short = |name: &str| {
            let name = name
                .strip_prefix("refs/heads/")
                .or_else(|| name.strip_prefix("refs/remotes/origin/"))?;
            (name != "HEAD").then(|| name.to_owned())
        };
        let mut branches: Vec<String> = listed.lines().filter_map(short).collect();
        branches.sort_unstable();
        branches.dedup();
        let usual = |name: &&String| USUAL.contains(&name.as_str());
        let mut candidates: Vec<&String> = branches.iter().filter(usual).collect();
        if candidates.is_empty() {
            candidates = branches.iter().collect();
        }
        match candidates[..] {
            // Before the first commit there is no branch but the one that will be.
            [] => self.said(&["symbolic-ref", "--short", "HEAD"]),
            [only] => Some(only.clone()),
            _ => None,
        }
    }

    /// Returns where `origin` is.
    pub(super) fn origin(&self) -> Option<Remote> {
        remote_of(&self.said(&["remote", "get-url", "origin"])?)
    }

    fn said(&self, args: &[&str]) -> Option<String> {
        let said = git(&self.root, args, &[]).ok()?;
        Some(String::from_utf8(said).ok()?.trim_end().to_owned())
    }
}

/// Returns host, owner and name out of a remote's address: `https://host/owner/name.git`, `git@host:owner/name`.
fn remote_of(address: &str) -> Option<Remote> {
    let (place, path) = match address.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?,
        None => address.split_once(':')?,
    };
    let host = place.rsplit('@').next()?.split(':').next()?;
    let path = path.trim_end_matches('/');
    let repository = path.strip_suffix(".git").unwrap_or(path).parse().ok()?;
    (!host.is_empty()).then(|| Remote {
        host: host.to_ascii_lowercase(),
        repository,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remote_has_a_host_and_a_repository() {
        for address in [
            "https://github.com/acme/demo.git",
            "https://user:secret@GitHub.com/acme/demo",
            "ssh://git@github.com:22/acme/demo.git/",
            "git@github.com:acme/demo.git",
        ] {
            let remote = remote_of(address).expect(address);
            assert_eq!(remote.host, "github.com", "{address}");
            assert_eq!(remote.repository.to_string(), "acme/demo", "{address}");
        }
        for address in [
            "",
            "/srv/git/demo",
            "../demo",
            "file:///acme/demo",
            "https://github.com",
            "https://github.com/a/b/c",
        ] {
            assert_eq!(remote_of(address), None, "{address}");
        }
    }
}
