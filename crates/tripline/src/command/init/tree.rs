//! The files that are looked at: those git knows, without what other people wrote, and no more than can be read in a
//! few seconds.
//!
//! Tested below.

use std::cell::Cell;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

/// Folders that hold what was built, fetched, or made to be found by tests.
const SKIPPED: &[&str] = &[
    "target",
    "node_modules",
    "vendor",
    "third_party",
    "testdata",
    "fixtures",
    "site-packages",
    "__pycache__",
];

/// The most files that are looked at.
const FILES_MAX: usize = 100_000;
/// How deep they may lie.
const DEPTH_MAX: usize = 20;
/// The largest file that is read: what is larger was not written by hand.
const FILE_BYTES_MAX: u64 = 1024 * 1024;
/// How much is read in all.
const BYTES_MAX: u64 = 512 * 1024 * 1024;

/// The files of a repository.
#[derive(Debug)]
pub(super) struct Tree {
    root: PathBuf,
    files: Vec<PathBuf>,
    left: Cell<u64>,
    is_cut: Cell<bool>,
}

impl Tree {
    /// Takes the files that are worth a look, of those there are.
    pub(super) fn of(root: &Path, all: Vec<PathBuf>) -> Self {
        let mut files: Vec<PathBuf> = all.into_iter().filter(|path| is_ours(path)).collect();
        let is_cut = files.len() > FILES_MAX;
        files.truncate(FILES_MAX);
        Self {
            root: root.to_owned(),
            files,
            left: Cell::new(BYTES_MAX),
            is_cut: Cell::new(is_cut),
        }
    }

    /// Returns the top folder.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the files, from the top folder, in order.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path)
    }

    /// Returns the files of a name.
    pub(super) fn named(&self, name: &str) -> impl Iterator<Item = &Path> {
        self.files()
            .filter(move |path| path.file_name() == Some(OsStr::new(name)))
    }

    /// Reads a file, unless it is gone, too large, or no text to speak of.
    pub(super) fn read(&self, place: &Path) -> Option<String> {
        let path = self.root.join(place);
        let size = std::fs::symlink_metadata(&path)
            .ok()
            .filter(std::fs::Metadata::is_file)?
            .len();
        if size > FILE_BYTES_MAX {
            return None;
        }
        if size > self.left.get() {
            self.is_cut.set(true);
            return None;
        }
        self.left.set(self.left.get() - size);
        let mut bytes = Vec::new();
        let file = File::open(path).ok()?;
        file.take(FILE_BYTES_MAX).read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Returns whether there was more than could be looked at.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut.get()
    }
}

/// Returns whether a file is the project's own, where a bench could be.
fn is_ours(path: &Path) -> bool {
    let parts: Vec<Component<'_>> = path.components().collect();
    let folders = &parts[..parts.len().saturating_sub(1)];
    let is_skipped = |part: &Component<'_>| {
        let name = part.as_os_str().as_encoded_bytes();
        name.starts_with(b".") || SKIPPED.iter().any(|skipped| skipped.as_bytes() == name)
    };
    parts.len() <= DEPTH_MAX && !folders.iter().any(is_skipped)
}

/// Returns the folder of a file; the top folder is empty.
pub(super) fn folder_of(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new(""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_wrote_is_not_looked_at() {
        for ours in [
            "Cargo.toml",
            "a b/c.rs",
            "crates/target.rs",
            "vendored/x.go",
        ] {
            assert!(is_ours(Path::new(ours)), "{ours}");
        }
        for other in [
            "target/x.rs",
            "a/node_modules/x/package.json",
            "vendor/x.go",
            ".hidden/x.rs",
            "a/testdata/x.go",
        ] {
            assert!(!is_ours(Path::new(other)), "{other}");
        }
        assert!(!is_ours(Path::new(&format!(
            "{}x.rs",
            "a/".repeat(DEPTH_MAX)
        ))));
    }

    #[test]
    fn what_is_read_is_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let write =
            |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
        write("a", b"text \xff");
        write("large", &vec![b'x'; 1024 * 1024 + 1]);
        std::os::unix::fs::symlink("/etc/hostname", folder.path().join("link")).unwrap();
        let tree = Tree::of(
            folder.path(),
            vec!["a".into(), "large".into(), "link".into()],
        );
        assert_eq!(tree.read(Path::new("a")).as_deref(), Some("text \u{fffd}"));
        assert_eq!(tree.read(Path::new("large")), None);
        assert_eq!(tree.read(Path::new("link")), None, "a link leads elsewhere");
        assert!(!tree.is_cut());
        tree.left.set(3);
        assert_eq!(tree.read(Path::new("a")), None);
        assert!(tree.is_cut());
    }
}
