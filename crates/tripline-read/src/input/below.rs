//! Opens a file below a directory without following a link on the way: since the tree was gone through, a directory above
//! the file may have become a link to somewhere else, as well as the file itself.
//!
//! Tested below and by `tests/it/inputs.rs`.

use std::path::Path;

use rustix::fd::{AsFd as _, OwnedFd};
use rustix::fs::{Mode, OFlags, ResolveFlags, open, openat, openat2};
use rustix::io::Errno;

/// How a file is opened: where it became a pipe that nobody writes to, it is not waited for.
const FILE: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::CLOEXEC);

/// How a directory on the way to it is.
const DIRECTORY: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Opens a file below a root, which itself may be a link, because it was named.
///
/// # Errors
/// What the system says; [`Errno::LOOP`] where there is a link on the way.
pub(super) fn open_below(root: &Path, path: &Path) -> Result<OwnedFd, Errno> {
    let root = open(root, DIRECTORY, Mode::empty())?;
    match openat2(&root, path, FILE, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
        // A system before Linux 5.6, or a container that lets nobody ask.
        Err(Errno::NOSYS | Errno::PERM) => open_step_by_step(root, path),
        opened => opened,
    }
}

/// Does the same by opening every directory on the way.
fn open_step_by_step(root: OwnedFd, path: &Path) -> Result<OwnedFd, Errno> {
    let mut at = root;
    for part in path.parent().into_iter().flat_map(Path::components) {
        let flags = DIRECTORY | OFlags::NOFOLLOW;
        let next = openat(&at, part.as_os_str(), flags, Mode::empty());
        at = next.map_err(|error| match error {
            Errno::NOTDIR => Errno::LOOP,
            other => other,
        })?;
    }
    let name = path.file_name().ok_or(Errno::INVAL)?;
    openat(at.as_fd(), name, FILE, Mode::empty())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use rustix::fs::CWD;

    use super::*;

    #[test]
    fn both_ways_refuse_a_link_anywhere_below_the_root() {
        let directory = tempfile::TempDir::new().unwrap();
        let root = directory.path().join("root");
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::write(root.join("a/b/file"), "x").unwrap();
        fs::write(root.join("top"), "x").unwrap();
        symlink("a", root.join("link")).unwrap();
        symlink("file", root.join("a/b/linked")).unwrap();
        symlink("root", directory.path().join("named")).unwrap();
        let step_by_step = |root: &Path, path: &Path| {
            let root = openat(CWD, root, DIRECTORY, Mode::empty())?;
            open_step_by_step(root, path)
        };
        for open in [&open_below as &dyn Fn(&Path, &Path) -> _, &step_by_step] {
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
