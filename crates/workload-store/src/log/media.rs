//! What the log needs of a disk, as traits, so that tests can put a failing one under it.
//!
//! Tests: `faults` puts another disk here; the real one is under all other tests.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::{Errno, retry_on_intr};

/// A file that is written at offsets.
pub(crate) trait Medium: Send {
    /// Writes some of the bytes and returns how many.
    fn write_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<usize>;
    /// Makes the file this long, its new bytes zeros that have their place on the disk.
    fn allocate(&mut self, bytes: u64) -> io::Result<()>;
    /// Gives back what lies beyond.
    fn trim(&mut self, bytes: u64) -> io::Result<()>;
    /// Returns when what was written is on the disk, and so is the length of the file.
    fn sync(&mut self) -> io::Result<()>;
}

/// A disk: where such files are made.
pub(crate) trait Media: fmt::Debug + Send + Sync {
    /// Makes an empty file, in the place of one that may be there.
    fn create(&self, path: &Path) -> io::Result<Box<dyn Medium>>;
    /// Opens a file to write on.
    fn open(&self, path: &Path) -> io::Result<Box<dyn Medium>>;
    /// Gives a file its last name, in the place of one that may have it.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Returns when the names in a folder are on the disk.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

/// Writes all of the bytes. A file that takes none of them is an error, and an interrupted write is none.
pub(crate) fn write_all_at(
    medium: &mut dyn Medium,
    mut bytes: &[u8],
    mut offset: u64,
) -> io::Result<()> {
    while !bytes.is_empty() {
        match medium.write_at(bytes, offset) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => {
                bytes = &bytes[written..];
                offset += written as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// The file system.
#[derive(Debug)]
pub(crate) struct Disk;

impl Media for Disk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn Medium>> {
        Ok(Box::new(File::create(path)?))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn Medium>> {
        Ok(Box::new(OpenOptions::new().write(true).open(path)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }
}

impl Medium for File {
    fn write_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::write_at(self, bytes, offset)
    }

    fn allocate(&mut self, bytes: u64) -> io::Result<()> {
        match retry_on_intr(|| fallocate(&*self, FallocateFlags::empty(), 0, bytes)) {
            // A file system that cannot promise the room: the log works, and learns of a full disk later.
            Err(Errno::OPNOTSUPP) => self.set_len(bytes),
            other => Ok(other?),
        }
    }

    fn trim(&mut self, bytes: u64) -> io::Result<()> {
        self.set_len(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

/// Returns the folder that holds the name of a path.
pub(crate) fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().unwrap_or(path);
    or_here(folder)
}

/// Returns a folder as the system can open it: an empty path stands for the one that the process is in.
pub(crate) fn or_here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    }
}
