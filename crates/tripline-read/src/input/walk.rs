//! The walk over a directory: in order, within limits, and without following links.
//!
//! Tested by `tests/it/inputs.rs`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::{
    Input, InputError, TREE_BYTES_MAX, TREE_DEPTH_MAX, TREE_ENTRIES_MAX, TREE_FILES_MAX, TreeFile,
    link_error, read_file,
};

/// The endings of files that some adapter reads. Reports, plots and profiles beside them are left on the disk.
const READ_EXTENSIONS: &[&str] = &["json", "jsonl", "txt"];

/// Walks over a directory.
pub(super) struct Walk {
    root: PathBuf,
    /// The root without links, to see which links leave it.
    real_root: PathBuf,
    files: Vec<TreeFile>,
    entries: usize,
    bytes: u64,
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
        })
    }

    /// Reads the files of the tree.
    pub(super) fn run(mut self) -> Result<Input, InputError> {
        // A stack of its own rather than recursion: the depth of a tree is somebody else's choice.
        let mut open = vec![(PathBuf::new(), 0)];
        while let Some((directory, depth)) = open.pop() {
            if depth > TREE_DEPTH_MAX {
                let path = self.root.join(directory);
                return Err(InputError::TooDeep { path });
            }
            for name in self.names(&directory)? {
                let path = directory.join(name);
                if self.visit(&path)? == Found::Directory {
                    open.push((path, depth + 1));
                }
            }
        }
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Input::Tree {
            root: self.root,
            files: self.files,
        })
    }

    fn names(&mut self, directory: &Path) -> Result<Vec<OsString>, InputError> {
        let path = self.root.join(directory);
        let failed = |source| InputError::Read {
            path: path.clone(),
            source,
        };
        let mut names = Vec::new();
        for entry in fs::read_dir(&path).map_err(failed)? {
            names.push(entry.map_err(failed)?.file_name());
            self.entries += 1;
            if self.entries > TREE_ENTRIES_MAX {
                return Err(self.too_many("directory entries", TREE_ENTRIES_MAX as u64));
            }
        }
        // The system's order is none; ours decides which of two damaged files is named.
        names.sort();
        Ok(names)
    }

    /// Takes in one entry.
    fn visit(&mut self, path: &Path) -> Result<Found, InputError> {
        let full = self.root.join(path);
        let failed = |source| InputError::Read {
            path: full.clone(),
            source,
        };
        let kind = fs::symlink_metadata(&full).map_err(failed)?.file_type();
        if kind.is_dir() {
            return Ok(Found::Directory);
        }
        if kind.is_symlink() {
            self.check_link(path)?;
        } else if kind.is_file() && is_read(path) {
            self.load(path)?;
        }
        Ok(Found::Other)
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

    fn load(&mut self, path: &Path) -> Result<(), InputError> {
        let bytes = read_file(&self.root.join(path))?;
        self.bytes += bytes.len() as u64;
        if self.bytes > TREE_BYTES_MAX {
            return Err(self.too_many("bytes of results", TREE_BYTES_MAX));
        }
        if self.files.len() == TREE_FILES_MAX {
            return Err(self.too_many("result files", TREE_FILES_MAX as u64));
        }
        self.files.push(TreeFile {
            path: path.to_owned(),
            bytes,
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

/// What an entry of a directory is to the walk.
#[derive(PartialEq, Eq)]
enum Found {
    Directory,
    Other,
}

fn is_read(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str());
    extension.is_some_and(|e| READ_EXTENSIONS.contains(&e))
}
