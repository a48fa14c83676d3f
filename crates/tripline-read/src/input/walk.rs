//! The walk over a directory: in order, within limits, and without following links.
//!
//! Tested by `tests/it/inputs.rs`.

use std::ffi::OsString;
use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};

use super::{
    Content, INPUT_BYTES_MAX, Input, InputError, TREE_BYTES_MAX, TREE_DEPTH_MAX, TREE_ENTRIES_MAX,
    TREE_FILES_MAX, TreeFile, link_error,
};
use crate::file_names::{is_read, may_be_read};

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

    /// Finds the files of the tree.
    pub(super) fn run(mut self) -> Result<Input, InputError> {
        // A stack of its own rather than recursion: the depth of a tree is somebody else's choice.
        let mut open = vec![(PathBuf::new(), 0)];
        while let Some((directory, depth)) = open.pop() {
            if depth > TREE_DEPTH_MAX {
                let path = self.root.join(directory);
                return Err(InputError::TooDeep { path });
            }
            for (name, kind) in self.entries(&directory)? {
                let path = directory.join(name);
                if kind.is_dir() {
                    open.push((path, depth + 1));
                } else if kind.is_symlink() {
                    self.check_link(&path)?;
                } else if kind.is_file() && may_be_read(&path) {
                    self.take(path)?;
                }
            }
        }
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Input::Tree {
            root: self.root,
            files: self.files,
        })
    }

    fn entries(&mut self, directory: &Path) -> Result<Vec<(OsString, FileType)>, InputError> {
        let path = self.root.join(directory);
        let failed = |source| InputError::Read {
            path: path.clone(),
            source,
        };
        let mut entries = Vec::new();
        for entry in fs::read_dir(&path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            entries.push((entry.file_name(), entry.file_type().map_err(failed)?));
            self.entries += 1;
            if self.entries > TREE_ENTRIES_MAX {
                return Err(self.too_many("directory entries", TREE_ENTRIES_MAX as u64));
            }
        }
        // The system's order is none; ours decides which of two damaged files is named.
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(entries)
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

    fn take(&mut self, path: PathBuf) -> Result<(), InputError> {
        if is_read(&path) {
            self.weigh(&path)?;
        }
        if self.files.len() == TREE_FILES_MAX {
            return Err(self.too_many("result files", TREE_FILES_MAX as u64));
        }
        self.files.push(TreeFile {
            path,
            content: Content::OnDisk,
        });
        Ok(())
    }

    /// Refuses a file that is too large, or with which the tree is.
    fn weigh(&mut self, path: &Path) -> Result<(), InputError> {
        let full = self.root.join(path);
        let bytes = match fs::metadata(&full) {
            Ok(metadata) => metadata.len(),
            Err(source) => return Err(InputError::Read { path: full, source }),
        };
        if bytes > INPUT_BYTES_MAX {
            return Err(InputError::TooLarge {
                path: full,
                max: INPUT_BYTES_MAX,
            });
        }
        self.bytes += bytes;
        if self.bytes > TREE_BYTES_MAX {
            return Err(self.too_many("bytes of results", TREE_BYTES_MAX));
        }
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
