//! A repository: branches, and the commits, trees and files they lead to.
//!
//! Trees are flat here, from path to file. What has a digest is named by it, as in git, though by another hash.

use std::{collections::BTreeMap, path::PathBuf, process::Command};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repository {
    /// Its number.
    pub id: u64,
    /// `owner/name`.
    pub name: String,
    /// The repository it was forked from.
    #[serde(default)]
    pub fork_of: Option<String>,
    /// Whether only those with a right to it see it.
    #[serde(default)]
    pub private: bool,
    /// The branch that pull requests go to.
    #[serde(default = "main_branch")]
    pub default_branch: String,
    /// From `refs/heads/..` and `refs/tags/..` to commits.
    #[serde(default)]
    pub refs: BTreeMap<String, String>,
    /// Commits that somebody may look at. A branch may lead to one that is not here.
    #[serde(default)]
    pub commits: BTreeMap<String, Commit>,
    /// From path to file, by the tree's digest.
    #[serde(default)]
    pub trees: BTreeMap<String, BTreeMap<String, String>>,
    /// Files in base64, by their digest.
    #[serde(default)]
    pub blobs: BTreeMap<String, String>,
    /// A bare repository on disk that branches and tags are read from, each time somebody asks.
    #[serde(default)]
    pub git: Option<PathBuf>,
}

fn main_branch() -> String {
    "main".to_owned()
}

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commit {
    /// What it says.
    pub message: String,
    /// The tree's digest.
    pub tree: String,
    /// What it builds on.
    #[serde(default)]
    pub parents: Vec<String>,
    /// When it was made.
    pub date: String,
}

/// Names something by its content: 40 digits, as in git.
pub fn digest(kind: &str, content: &[u8]) -> String {
    let hash = Sha256::new()
        .chain_update(kind)
        .chain_update([0])
        .chain_update(content)
        .finalize();
    let mut digits: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.truncate(40);
    digits
}

impl Repository {
    /// An empty public repository.
    pub fn new(id: u64, name: &str) -> Self {
        Self {
            id,
            name: name.to_owned(),
            fork_of: None,
            private: false,
            default_branch: main_branch(),
            refs: BTreeMap::new(),
            commits: BTreeMap::new(),
            trees: BTreeMap::new(),
            blobs: BTreeMap::new(),
            git: None,
        }
    }

    /// Who owns it.
    pub fn owner(&self) -> &str {
        self.name.split('/').next().unwrap_or_default()
    }

    /// Its name without the owner.
    pub fn short_name(&self) -> &str {
        self.name.split('/').nth(1).unwrap_or_default()
    }

    /// Finds a commit by its own name, or by that of a branch or tag, whole or in part.
    pub fn resolve(&self, revision: &str) -> Option<String> {
        let names = ["", "refs/", "refs/heads/", "refs/tags/"];
        let found = names
            .iter()
            .find_map(|prefix| self.refs.get(&format!("{prefix}{revision}")));
        let is_known = |sha: &str| {
            self.commits.contains_key(sha) || self.refs.values().any(|other| other == sha)
        };
        found
            .cloned()
            .or_else(|| is_known(revision).then(|| revision.to_owned()))
    }

    /// The files of a commit, from path to digest.
    pub fn files(&self, commit: &str) -> BTreeMap<String, String> {
        let commit = self.commits.get(commit);
        commit
            .and_then(|commit| self.trees.get(&commit.tree))
            .cloned()
            .unwrap_or_default()
    }

    /// Keeps a file, and returns its digest.
    pub(crate) fn add_blob(&mut self, base64: &str) -> String {
        let sha = digest("blob", base64.as_bytes());
        self.blobs.insert(sha.clone(), base64.to_owned());
        sha
    }

    /// Keeps a tree, and returns its digest.
    pub(crate) fn add_tree(&mut self, files: BTreeMap<String, String>) -> String {
        let lines: Vec<String> = files
            .iter()
            .map(|(path, sha)| format!("{sha} {path}"))
            .collect();
        let sha = digest("tree", lines.join("\n").as_bytes());
        self.trees.insert(sha.clone(), files);
        sha
    }

    /// Keeps a commit, and returns its digest.
    pub(crate) fn add_commit(&mut self, commit: Commit) -> String {
        let Commit {
            message,
            tree,
            parents,
            date,
        } = &commit;
        let text = format!("{tree}\n{}\n{date}\n{message}", parents.join(" "));
        let sha = digest("commit", text.as_bytes());
        self.commits.insert(sha.clone(), commit);
        sha
    }

    /// Commits one file to a branch, or its removal, and returns the commit.
    pub(crate) fn commit_file(
        &mut self,
        branch: &str,
        path: &str,
        bytes: Option<&[u8]>,
        message: &str,
        date: &str,
    ) -> String {
        let reference = format!("refs/heads/{branch}");
        let parent = self.refs.get(&reference).cloned();
        let mut files = parent
            .as_deref()
            .map(|sha| self.files(sha))
            .unwrap_or_default();
        match bytes {
            Some(bytes) => files.insert(path.to_owned(), self.add_blob(&STANDARD.encode(bytes))),
            None => files.remove(path),
        };
        let commit = Commit {
            message: message.to_owned(),
            tree: self.add_tree(files),
            parents: parent.into_iter().collect(),
            date: date.to_owned(),
        };
        let sha = self.add_commit(commit);
        self.refs.insert(reference, sha.clone());
        sha
    }

    /// Reads a commit of the bare repository on disk, where there is one that has it, with its files.
    pub(crate) fn learn(&mut self, sha: &str) {
        let is_name = sha.len() == 40 && sha.bytes().all(|b| b.is_ascii_hexdigit());
        let is_new = is_name && !self.commits.contains_key(sha);
        let Some(git) = self.git.clone().filter(|_| is_new) else {
            return;
        };
        let ask = |args: &[&str]| {
            let output = Command::new("git")
                .arg("--git-dir")
                .arg(&git)
                .args(args)
                .output();
            output
                .ok()
                .filter(|it| it.status.success())
                .map(|it| it.stdout)
        };
        let about = ["show", "--no-patch", "--format=%P%n%cI%n%B", sha];
        let listed = ["ls-tree", "-r", "--full-tree", sha];
        let (Some(about), Some(listed)) = (ask(&about), ask(&listed)) else {
            return;
        };
        let mut files = BTreeMap::new();
        for line in String::from_utf8_lossy(&listed).lines() {
            let Some((entry, path)) = line.split_once('\t') else {
                continue;
            };
            let blob = entry.rsplit(' ').next().unwrap_or_default();
            let bytes = ask(&["cat-file", "blob", blob]).unwrap_or_default();
            files.insert(path.to_owned(), self.add_blob(&STANDARD.encode(bytes)));
        }
        let about = String::from_utf8_lossy(&about).into_owned();
        let mut lines = about.splitn(3, '\n');
        let mut next = || lines.next().unwrap_or_default().trim().to_owned();
        let (parents, date, message) = (next(), next(), next());
        let commit = Commit {
            message,
            tree: self.add_tree(files),
            parents: parents.split_whitespace().map(str::to_owned).collect(),
            date,
        };
        self.commits.insert(sha.to_owned(), commit);
    }

    /// Reads the branches and tags of the bare repository on disk, where there is one, and tells whether it did. What cannot
    /// be read changes nothing.
    pub(crate) fn refresh(&mut self) -> bool {
        let listed = self.git.as_ref().map(|git| {
            Command::new("git")
                .arg("--git-dir")
                .arg(git)
                .args(["for-each-ref", "--format=%(objectname) %(refname)"])
                .output()
        });
        let Some(Ok(listed)) = listed else {
            return false;
        };
        if listed.status.success() {
            let text = String::from_utf8_lossy(&listed.stdout);
            let lines = text.lines().filter_map(|line| line.split_once(' '));
            self.refs = lines
                .map(|(sha, name)| (name.to_owned(), sha.to_owned()))
                .collect();
        }
        listed.status.success()
    }
}
