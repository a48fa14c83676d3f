//! What the disk alone takes: the least that anybody could do who promises as much as the log.
//!
//! The file is allocated as the log's are, and not written before: a sync then also has to note that its bytes mean
//! something. A full one is replaced while nobody looks at the clock; the log does that within its time.
//!
//! Tests: what was written is in the file.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::time::{Duration, Instant};

use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::{Errno, retry_on_intr};
use tempfile::TempDir;

use super::{Place, RECORD_BYTES};

/// The bytes that the log puts before a record.
const HEADER_BYTES: usize = 32;

/// As long as a segment of the log.
const ALLOCATED: u64 = 32 << 20;

/// A file, and the bytes of so many records.
#[derive(Debug)]
pub struct Floor {
    bytes: Vec<u8>,
    file: File,
    offset: u64,
    folder: TempDir,
}

impl Floor {
    /// Makes the file.
    ///
    /// # Panics
    /// There is no room for it.
    #[must_use]
    pub fn new(place: Place, records: usize) -> Self {
        let folder = place.folder();
        Self {
            bytes: vec![0xa5; records * (HEADER_BYTES + RECORD_BYTES)],
            file: make(&folder),
            offset: 0,
            folder,
        }
    }

    /// Writes the bytes behind those of the last time, and returns how long it took until they were on the disk.
    ///
    /// # Panics
    /// The disk refuses.
    pub fn write(&mut self) -> Duration {
        let bytes = self.bytes.len() as u64;
        if self.offset + bytes > ALLOCATED {
            (self.file, self.offset) = (make(&self.folder), 0);
        }
        let started = Instant::now();
        let written = self.file.write_all_at(&self.bytes, self.offset);
        let synced = written.and_then(|()| self.file.sync_data());
        let spent = started.elapsed();
        synced.expect("the disk takes the bytes");
        self.offset += bytes;
        spent
    }
}

/// Makes the file, in the place of one that may be there.
fn make(folder: &TempDir) -> File {
    let path = folder.path().join("floor");
    // Removed and not cut: what has a place on the disk already would be written to quicker.
    let _ = fs::remove_file(&path);
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create_new(true).open(path);
    let file = file.expect("there is room");
    allocate(&file, ALLOCATED).expect("there is room");
    file.sync_all().expect("the disk takes a sync");
    file
}

/// Gives a file room on the disk, as the log does.
pub(super) fn allocate(file: &File, bytes: u64) -> io::Result<()> {
    match retry_on_intr(|| fallocate(file, FallocateFlags::empty(), 0, bytes)) {
        // A file system that cannot promise the room.
        Err(Errno::OPNOTSUPP) => file.set_len(bytes),
        other => Ok(other?),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::FileExt as _;

    use super::super::Place;
    use super::Floor;

    #[test]
    fn what_was_written_is_in_the_file() {
        let mut floor = Floor::new(Place::Memory, 10);
        floor.write();
        floor.write();
        let mut read = vec![0; 2 * 1_420 + 1];
        floor.file.read_exact_at(&mut read, 0).unwrap();
        let written = [&floor.bytes[..], &floor.bytes[..], &[0]].concat();
        assert_eq!(read, written);

        floor.offset = super::ALLOCATED;
        floor.write();
        assert_eq!(floor.offset, 1_420);
        assert_eq!(floor.file.metadata().unwrap().len(), super::ALLOCATED);
    }
}
