//! The log as somebody else's report measured theirs: "group commit", volatile.
//!
//! What an iteration includes: the log is opened anew, reads all that it holds, writes that again and syncs it; every
//! record is then appended by itself, and each append waits for its own answer, so that there is no group; no record is
//! synced, neither then nor when the log is dropped. Theirs wrote and synced nothing
//! when it was opened.
//!
//! Theirs grew from iteration to iteration, and with it the time; here every iteration finds the log as one pass left
//! it, on the disk. (In theirs an answer meant less: a record could still be in the process's own memory. Here it is
//! always the system's.)
//!
//! Tests: the records of both passes are there.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use workload_store::log::{Log, Options, Sync};

use super::floor::allocate;
use super::{Place, Records};

/// The most that a record, its header, and its part of the first bytes of a segment take, twice and with some room.
const BYTES_PER_RECORD: u64 = 512;

/// A log that holds one pass of records, again and again.
#[derive(Debug)]
pub struct AsPublished {
    records: Records,
    segment: PathBuf,
    /// Where its records end after one pass.
    written: u64,
    allocated: u64,
    folder: TempDir,
}

impl AsPublished {
    /// Returns a log with so many records.
    ///
    /// # Panics
    /// There is no room for it.
    #[must_use]
    pub fn new(place: Place, records: usize) -> Self {
        let folder = place.folder();
        let records = Records::new(records);
        append(&folder, &records);
        let segment = only_segment(folder.path());
        let image = fs::read(&segment).expect("it was just written");
        let last = image.iter().rposition(|byte| *byte != 0);
        Self {
            records,
            segment,
            written: last.map_or(0, |last| last as u64 + 1),
            allocated: image.len() as u64,
            folder,
        }
    }

    /// Makes the log as it was at first, on the disk too, so that no pass pays for the one before it.
    ///
    /// # Panics
    /// The disk refuses.
    pub fn reset(&self) {
        self.cut().expect("the disk takes it");
    }

    /// Cuts off what was written behind the first records, and allocates its place again: what is only
    /// made zero, opening would read and write.
    fn cut(&self) -> io::Result<()> {
        let segment = OpenOptions::new().write(true).open(&self.segment)?;
        segment.set_len(self.written)?;
        allocate(&segment, self.allocated)?;
        segment.sync_data()
    }

    /// Opens the log, appends the records, and returns the number of those it then has.
    ///
    /// # Panics
    /// The system refuses.
    #[must_use]
    pub fn pass(&self) -> u64 {
        append(&self.folder, &self.records)
    }
}

fn only_segment(folder: &Path) -> PathBuf {
    let entries = fs::read_dir(folder).expect("it was just made");
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|it| it == "segment"))
        .expect("the log has one segment")
}

fn append(folder: &TempDir, records: &Records) -> u64 {
    let options = Options {
        sync: Sync::Never,
        segment_bytes: BYTES_PER_RECORD * (records.len() as u64 + 1),
    };
    let (log, _) = Log::open(folder.path(), options).expect("the log is whole");
    super::append(&log, records, |number| {
        assert!(number.is_ok(), "the system takes the record");
    });
    log.end()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::{BATCHES, Place};
    use super::AsPublished;

    #[test]
    fn each_pass_finds_the_records_of_one() {
        for records in &BATCHES[..2] {
            let log = AsPublished::new(Place::Memory, *records);
            for _ in 0..2 {
                log.reset();
                let segment = fs::read(&log.segment).unwrap();
                assert_eq!(segment.len() as u64, log.allocated);
                let behind = &segment[log.written as usize..];
                assert!(behind.iter().all(|byte| *byte == 0));
                assert_eq!(log.pass(), 2 * *records as u64);
            }
        }
    }
}
