//! Opens a file below a directory without following a link on the way: since the tree was gone through, a directory above
//! the file may have become a link to somewhere else, as well as the file itself.
//!
//! Tested below and by `tests/it/inputs.rs`.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{Mode, OFlags, ResolveFlags, open, openat, openat2};
use rustix::io::Errno;

/// How a file is opened: where it became a pipe that nobody writes to, it is not waited for.
const FILE: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::CLOEXEC);

/// How a directory on the way to it is.
const DIRECTORY: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// The directory of a tree: by its name, and where its files lie on the disk, open as long as they may be read.
///
/// Very many files are opened below it, so it is found once for all of them.
#[derive(Debug, Clone)]
pub struct Root {
    path: PathBuf,
    handle: Option<Arc<OwnedFd>>,
}

impl Root {
    /// Opens a directory, which itself may be a link, because it was named.
    pub(super) fn open(path: &Path) -> Result<Self, Errno> {
        let handle = open(path, DIRECTORY, Mode::empty())?;
        Ok(Self {
            path: path.to_owned(),
            handle: Some(Arc::new(handle)),
        })
    }

    /// Opens a file below it.
    ///
    /// # Errors
    /// What the system says; [`Errno::LOOP`] where there is a link on the way.
    pub(super) fn open_below(&self, path: &Path) -> Result<OwnedFd, Errno> {
        match &self.handle {
            Some(handle) => open_below(handle.as_fd(), path),
            None => Self::open(&self.path)?.open_below(path),
        }
    }
}

impl<T: Into<PathBuf>> From<T> for Root {
    fn from(path: T) -> Self {
        Self {
            path: path.into(),
            handle: None,
        }
    }
}

impl Deref for Root {
    type Target = Path;
    fn deref(&self) -> &Path {
        &self.path
    }
}

impl PartialEq for Root {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

impl Eq for Root {}

fn open_below(root: BorrowedFd<'_>, path: &Path) -> Result<OwnedFd, Errno> {
    match openat2(root, path, FILE, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
        // A system before Linux 5.6, or a container that lets nobody ask.
        Err(Errno::NOSYS | Errno::PERM) => open_step_by_step(root, path),
        opened => opened,
    }
}

/// Does the same by opening every directory on the way.
fn open_step_by_step(root: BorrowedFd<'_>, path: &Path) -> Result<OwnedFd, Errno> {
    let mut last: Option<OwnedFd> = None;
    for part in path.parent().into_iter().flat_map(Path::components) {
        let flags = DIRECTORY | OFlags::NOFOLLOW;
        let at = last.as_ref().map_or(root, AsFd::as_fd);
        let next = openat(at, part.as_os_str(), flags, Mode::empty());
        last = Some(next.map_err(|error| match error {
            Errno::NOTDIR => Errno::LOOP,
            other => other,
        })?);
    }
    let name = path.file_name().ok_or(Errno::INVAL)?;
    let at = last.as_ref().map_or(root, AsFd::as_fd);
    openat(at, name, FILE, Mode::empty())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn all_ways_refuse_a_link_anywhere_below_the_root() {
        let directory = tempfile::TempDir::new().unwrap();
        let root = directory.path().join("root");
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::write(root.join("a/b/file"), "x").unwrap();
        fs::write(root.join("top"), "x").unwrap();
        symlink("a", root.join("link")).unwrap();
        symlink("file", root.join("a/b/linked")).unwrap();
        symlink("root", directory.path().join("named")).unwrap();
        let kept = |root: &Path, path: &Path| Root::open(root)?.open_below(path);
        let found = |root: &Path, path: &Path| Root::from(root).open_below(path);
        let step_by_step = |root: &Path, path: &Path| {
            let root = open(root, DIRECTORY, Mode::empty())?;
            open_step_by_step(root.as_fd(), path)
        };
        for open in [&kept as &dyn Fn(&Path, &Path) -> _, &found, &step_by_step] {
            for (path, expected) in [
                ("a/b/file", None),
                ("top", None),
                ("link/b/file", Some(Errno::LOOP)),
                ("a/b/linked", Some(Errno::LOOP)),
                ("a/none/file", Some(Errno::NOENT)),
            ] {
                for root in ["root", "named"] {
                    let opened: Result<OwnedFd, Errno> =
                        open(&directory.path().join(root), Path::new(path));
                    assert_eq!(opened.err(), expected, "{path}");
                }
            }
        }
    }
}
