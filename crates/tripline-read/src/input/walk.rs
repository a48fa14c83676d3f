//! The walk over a directory: in order, within limits, and without following links.
//!
//! Tested below and by `tests/it/inputs.rs`.

use std::ffi::{CStr, OsStr};
use std::fs;
use std::io;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RawDir, Stat, fstat, openat, statat};
use rustix::io::Errno;

use super::{
    Content, INPUT_BYTES_MAX, Input, InputError, Root, TREE_BYTES_MAX, TREE_DEPTH_MAX,
    TREE_ENTRIES_MAX, TREE_FILES_MAX, TreeFile, failed, joined, link_error,
};
use crate::criterion_files;
use crate::file_names::{is_read, may_be_read};

/// How many bytes of entries are asked for at once. Harnesses make very many directories, with some ten entries each.
const ENTRIES_BYTES: usize = 32 * 1024;

/// How a directory is opened, to be read. What was a directory when the one above it was read may be a link by now.
const DIRECTORY: OFlags = OFlags::DIRECTORY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// Walks over a directory.
///
/// A tree of very many small directories would ask for memory at every name, so what is left of all that the walk is in
/// lies in two stacks: the deepest directory's part is on top.
pub(super) struct Walk {
    root: PathBuf,
    /// The root without links, to see which links leave it.
    real_root: PathBuf,
    files: Vec<TreeFile>,
    entries: usize,
    bytes: u64,
    /// Where the system puts entries: one for all directories.
    buffer: Vec<u8>,
    left: Vec<Entry>,
    names: Vec<u8>,
}

/// A directory that the walk is in.
struct Folder {
    /// Its path below the root.
    path: PathBuf,
    /// It is open until the walk leaves it: what is in it is asked for by name alone, which is the quickest.
    handle: OwnedFd,
    /// How high the stacks were before it.
    left: usize,
    names: usize,
}

/// A name in a directory.
struct Entry {
    /// Where the name stands, with the zero behind it.
    name: Range<usize>,
    kind: FileType,
}

impl Walk {
    pub(super) fn new(root: &Path) -> Result<Self, InputError> {
        let real_root = fs::canonicalize(root).map_err(|source| link_error(root, source))?;
        Ok(Self {
            root: root.to_owned(),
            real_root,
            files: Vec::new(),
            entries: 0,
            bytes: 0,
            buffer: Vec::with_capacity(ENTRIES_BYTES),
            left: Vec::new(),
            names: Vec::new(),
        })
    }

    /// Finds the files of the tree, in the order of their paths.
    pub(super) fn run(mut self) -> Result<Input, InputError> {
        // The root was named, so it may be a link.
        let root = openat(CWD, &self.real_root, DIRECTORY, Mode::empty());
        // A stack of its own rather than recursion: the depth of a tree is somebody else's choice.
        let mut folders = vec![self.enter(PathBuf::new(), root)?];
        while let Some(folder) = folders.last() {
            if self.left.len() == folder.left {
                self.names.truncate(folder.names);
                folders.pop();
            } else if let Some(below) = self.next(folder)? {
                folders.push(below);
            }
        }
        let root = Root::open(&self.root).map_err(|source| failed(&self.root, source.into()))?;
        Ok(Input::Tree {
            root,
            files: self.files,
        })
    }

    /// Deals with the next name of a folder, and enters it if it is a directory.
    fn next(&mut self, folder: &Folder) -> Result<Option<Folder>, InputError> {
        let Some(Entry { name, kind }) = self.left.pop() else {
            return Ok(None);
        };
        let name = name_in(&self.names[name]);
        let named = Path::new(OsStr::from_bytes(name.to_bytes()));
        let path = joined(&folder.path, named);
        if kind.is_dir() {
            if path.components().count() > TREE_DEPTH_MAX {
                let path = self.root.join(path);
                return Err(InputError::TooDeep { path });
            }
            let handle = openat(&folder.handle, name, DIRECTORY, Mode::empty());
            return self.enter(path, handle).map(Some);
        }
        if kind.is_symlink() {
            self.check_link(&path)?;
        } else if kind.is_file() && may_be_read(named) {
            let is_weighed = is_read(named) && !criterion_files::is_left_alone(&path);
            let found = is_weighed.then(|| statat(&folder.handle, name, AtFlags::SYMLINK_NOFOLLOW));
            let bytes = found.map(|found| self.weigh(&path, found)).transpose()?;
            self.take(path, bytes)?;
        }
        Ok(None)
    }

    fn enter(
        &mut self,
        path: PathBuf,
        handle: Result<OwnedFd, Errno>,
    ) -> Result<Folder, InputError> {
        let unread = |source: Errno| failed(&self.root.join(&path), source.into());
        let handle = handle.map_err(unread)?;
        let (left, names) = (self.left.len(), self.names.len());
        let mut read = RawDir::new(&handle, self.buffer.spare_capacity_mut());
        while let Some(entry) = read.next() {
            let entry = entry.map_err(unread)?;
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            let kind = kind(&handle, name, entry.file_type()).map_err(unread)?;
            let from = self.names.len();
            self.names.extend_from_slice(name.to_bytes_with_nul());
            let name = from..self.names.len();
            self.left.push(Entry { name, kind });
            self.entries += 1;
            if self.entries > TREE_ENTRIES_MAX {
                return Err(self.too_many("directory entries", TREE_ENTRIES_MAX as u64));
            }
        }
        self.leave_out_earlier_runs(&handle, left);
        // The system's order is none; ours decides which of two damaged files is named. The first is taken from the top.
        let name = |entry: &Entry| &self.names[entry.name.clone()];
        self.left[left..].sort_unstable_by(|a, b| name(b).cmp(name(a)));
        Ok(Folder {
            path,
            handle,
            left,
            names,
        })
    }

    /// Leaves out what Criterion keeps of earlier runs beside a newest one: of a tree of its results that is more than half,
    /// and nobody reads it. A benchmark may be called as such a directory is, and lies in it then; so only one in which no
    /// directory lies is left out.
    fn leave_out_earlier_runs(&mut self, handle: &OwnedFd, from: usize) {
        let here = &self.left[from..];
        let is_earlier = |entry: &Entry| {
            let name = name_in(&self.names[entry.name.clone()]);
            entry.kind.is_dir() && criterion_files::is_earlier(name.to_bytes())
        };
        let directories = here.iter().filter(|entry| entry.kind.is_dir()).count();
        if !here.iter().any(is_earlier)
            || !has_newest(handle)
            || directories_in(fstat(handle)) != Some(directories)
        {
            return;
        }
        let is_left_out = |entry: &Entry| {
            let name = name_in(&self.names[entry.name.clone()]);
            let found = || statat(handle, name, AtFlags::SYMLINK_NOFOLLOW);
            is_earlier(entry) && directories_in(found()) == Some(0)
        };
        let mut at = from;
        while let Some(entry) = self.left.get(at) {
            if is_left_out(entry) {
                self.left.swap_remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// Refuses links that lead in a circle, and results that lie elsewhere. No link is followed.
    fn check_link(&self, path: &Path) -> Result<(), InputError> {
        let full = self.root.join(path);
        let target = match fs::canonicalize(&full) {
            Ok(target) => target,
            // A link to nothing is none of our concern unless a result should be there.
            Err(source) if source.kind() == io::ErrorKind::NotFound && !is_read(path) => {
                return Ok(());
            }
            Err(source) => return Err(link_error(&full, source)),
        };
        if self.real_root.join(path).starts_with(&target) {
            return Err(InputError::Loop { path: full });
        }
        if is_read(path) && !target.starts_with(&self.real_root) {
            return Err(InputError::Outside { path: full });
        }
        Ok(())
    }

    /// Returns how many bytes a file has. Refuses one that is too large, or with which the tree is.
    fn weigh(&mut self, path: &Path, found: Result<Stat, Errno>) -> Result<u64, InputError> {
        let path = || self.root.join(path);
        let found = found.map_err(|source| failed(&path(), source.into()))?;
        let bytes = u64::try_from(found.st_size).unwrap_or_default();
        if bytes > INPUT_BYTES_MAX {
            return Err(InputError::TooLarge {
                path: path(),
                max: INPUT_BYTES_MAX,
            });
        }
        self.bytes += bytes;
        if self.bytes > TREE_BYTES_MAX {
            return Err(self.too_many("bytes of results", TREE_BYTES_MAX));
        }
        Ok(bytes)
    }

    fn take(&mut self, path: PathBuf, bytes: Option<u64>) -> Result<(), InputError> {
        if self.files.len() == TREE_FILES_MAX {
            return Err(self.too_many("result files", TREE_FILES_MAX as u64));
        }
        self.files.push(TreeFile {
            path,
            content: Content::OnDisk { bytes },
        });
        Ok(())
    }

    fn too_many(&self, what: &'static str, max: u64) -> InputError {
        InputError::TooMany {
            path: self.root.clone(),
            what,
            max,
        }
    }
}

/// Returns whether a directory is of a benchmark of Criterion's, and holds its newest run.
fn has_newest(directory: &OwnedFd) -> bool {
    let newest = criterion_files::NEWEST_SAMPLE;
    let found = statat(directory, newest, AtFlags::SYMLINK_NOFOLLOW);
    found.is_ok_and(|found| FileType::from_raw_mode(found.st_mode).is_file())
}

/// Returns how many directories lie in one, if the file system counts them: as its links, behind two of its own.
fn directories_in(found: Result<Stat, Errno>) -> Option<usize> {
    let links = usize::try_from(found.ok()?.st_nlink).ok()?;
    links.checked_sub(2)
}

/// Returns a name that was kept with the zero behind it.
fn name_in(bytes: &[u8]) -> &CStr {
    CStr::from_bytes_with_nul(bytes).expect("the system gave it so")
}

/// Returns what a name is of. Some file systems do not say it beside the name.
fn kind(directory: impl AsFd, name: &CStr, said: FileType) -> Result<FileType, Errno> {
    if said != FileType::Unknown {
        return Ok(said);
    }
    let found = statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(FileType::from_raw_mode(found.st_mode))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_kind_that_is_not_said_is_asked_for() {
        let directory = tempfile::TempDir::new().unwrap();
        fs::create_dir(directory.path().join("directory")).unwrap();
        fs::write(directory.path().join("file"), "").unwrap();
        symlink("directory", directory.path().join("link")).unwrap();
        let handle = openat(CWD, directory.path(), DIRECTORY, Mode::empty()).unwrap();
        for (name, expected) in [
            (c"directory", FileType::Directory),
            (c"file", FileType::RegularFile),
            (c"link", FileType::Symlink),
        ] {
            assert_eq!(kind(&handle, name, FileType::Unknown), Ok(expected));
            assert_eq!(kind(&handle, name, expected), Ok(expected));
        }
        assert_eq!(kind(&handle, c"gone", FileType::Unknown), Err(Errno::NOENT));
    }
}
