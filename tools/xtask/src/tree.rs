//! The repository as the rules see it: every file that git tracks or would track, read once.
//!
//! Rules never walk the disk themselves. They are handed a [`Tree`], so that a self-test can hand them a small one made
//! of strings; and what git ignores (build output, editor files) can never be complained about.
//!
//! Tested here for reading a real folder, and by every rule's self-tests for the rest.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, bail};

use crate::{modules, source::Source};

/// All files of the repository, by their path from its root with `/` between the parts.
pub(crate) struct Tree {
    root: PathBuf,
    files: BTreeMap<String, Vec<u8>>,
    sources: OnceCell<BTreeMap<String, Source>>,
    test_files: OnceCell<BTreeSet<String>>,
}

impl Tree {
    /// Reads the files that git tracks or would track below `root`.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let mut files = BTreeMap::new();
        for path in listed(root)? {
            let full = root.join(&path);
            // Deleted but not yet committed: git still lists it, and it is gone all the same.
            let Ok(kind) = fs::symlink_metadata(&full) else {
                continue;
            };
            let bytes = if kind.is_file() {
                fs::read(&full).with_context(|| format!("cannot read `{path}`"))?
            } else {
                Vec::new()
            };
            files.insert(path, bytes);
        }
        Ok(Self::new(root.to_path_buf(), files))
    }

    /// Makes a tree of strings that exists nowhere on disk.
    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let files = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
        Self::new(PathBuf::from("/nowhere"), files.collect())
    }

    fn new(root: PathBuf, files: BTreeMap<String, Vec<u8>>) -> Self {
        Self {
            root,
            files,
            sources: OnceCell::new(),
            test_files: OnceCell::new(),
        }
    }

    /// Returns the folder the paths start from.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns all paths, sorted.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Returns the paths below `folder` (given without a closing `/`), sorted.
    pub(crate) fn below(&self, folder: &str) -> impl Iterator<Item = &str> {
        let folder = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        self.paths().filter(move |path| path.starts_with(&folder))
    }

    /// Tells whether there is a file of this path.
    pub(crate) fn has_file(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Tells whether there is a folder of this path with at least one file in it; the root is the empty path.
    pub(crate) fn has_folder(&self, path: &str) -> bool {
        self.below(path).next().is_some()
    }

    /// Returns the names of the folders directly inside `folder`, sorted.
    pub(crate) fn folders_in(&self, folder: &str) -> BTreeSet<&str> {
        let inside = self
            .below(folder)
            .filter_map(|path| path.strip_prefix(folder)?.strip_prefix('/'));
        inside
            .filter_map(|rest| rest.split_once('/').map(|(name, _)| name))
            .collect()
    }

    /// Returns the bytes of a file.
    #[cfg(test)]
    pub(crate) fn bytes(&self, path: &str) -> Option<&[u8]> {
        self.files.get(path).map(Vec::as_slice)
    }

    /// Returns a file as text, or nothing where it is missing or binary.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        let bytes = self.files.get(path)?;
        if bytes.contains(&0) {
            None
        } else {
            str::from_utf8(bytes).ok()
        }
    }

    /// Returns every text file with its path.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.paths()
            .filter_map(|path| Some((path, self.text(path)?)))
    }

    /// Returns every Rust file by path. The few that are no Rust are in here too: see [`Source::error`].
    pub(crate) fn sources(&self) -> &BTreeMap<String, Source> {
        self.sources.get_or_init(|| {
            let rust = self.texts().filter(|(path, _)| path.ends_with(".rs"));
            rust.map(|(path, text)| (path.to_owned(), Source::read(text)))
                .collect()
        })
    }

    /// Tells whether a Rust file is compiled for tests and benches only.
    pub(crate) fn is_test_file(&self, path: &str) -> bool {
        path.split('/')
            .any(|part| part == "tests" || part == "benches")
            || self
                .test_files
                .get_or_init(|| modules::test_files(self))
                .contains(path)
    }
}

/// Tells whether a path holds what a tool wrote: kept byte for byte, so that no rule about our own writing applies.
pub(crate) fn is_recorded(path: &str) -> bool {
    path.ends_with(".snap")
        || is_found(path)
        || path
            .split('/')
            .any(|part| part == "fixtures" || part == "snapshots")
}

/// Tells whether a path holds what fuzzing found: chance wrote it, and it means nothing at all.
pub(crate) fn is_found(path: &str) -> bool {
    path.contains("/fuzz/corpus/")
}

/// Finds the root of the repository from a folder somewhere in it.
pub(crate) fn find_root(start: &Path) -> Result<PathBuf> {
    let home = start
        .ancestors()
        .find(|folder| folder.join("tools/xtask/Cargo.toml").is_file());
    home.map(Path::to_path_buf).with_context(|| {
        format!(
            "cannot find the repository: `{}` is not inside it",
            start.display()
        )
    })
}

fn listed(root: &Path) -> Result<Vec<String>> {
    let output = git(root)
        .args([
            "ls-files",
            "--cached",
            "--others",
            "--exclude-standard",
            "-z",
        ])
        .output()
        .context("cannot list the files: git did not start")?;
    if !output.status.success() {
        bail!(
            "cannot list the files: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    let names = String::from_utf8(output.stdout).context("a file name is not UTF-8")?;
    Ok(names
        .split('\0')
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect())
}

/// Starts a git command line in `root`, whatever repository a surrounding git hook points at.
pub(crate) fn git(root: &Path) -> Command {
    let mut git = Command::new("git");
    git.current_dir(root);
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        git.env_remove(variable);
    }
    git
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_git_would_track_and_nothing_it_ignores() {
        let folder = tempfile::tempdir().unwrap();
        assert!(
            git(folder.path())
                .args(["init", "--quiet"])
                .status()
                .unwrap()
                .success()
        );
        for (path, text) in [
            (".gitignore", "/target\n"),
            ("a/b.txt", "hello\n"),
            ("target/out", "no\n"),
        ] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let tree = Tree::read(folder.path()).unwrap();
        assert_eq!(tree.paths().collect::<Vec<_>>(), [".gitignore", "a/b.txt"]);
        assert_eq!(tree.text("a/b.txt"), Some("hello\n"));
        assert!(tree.has_folder("a") && tree.has_folder("") && !tree.has_folder("b"));
        assert!(find_root(folder.path()).is_err());
    }

    #[test]
    fn a_folder_outside_git_is_an_error_and_not_an_empty_tree() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Tree::read(&folder.path().join("missing")).is_err());
    }

    #[test]
    fn binary_files_have_no_text() {
        let tree = Tree::of(&[("a.bin", "\0"), ("x/y/z.txt", "z")]);
        assert_eq!(tree.text("a.bin"), None);
        assert_eq!(tree.bytes("a.bin"), Some(&[0][..]));
        assert_eq!(tree.folders_in("x").into_iter().collect::<Vec<_>>(), ["y"]);
    }
}
