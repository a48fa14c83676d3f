//! The log as somebody else's report measured theirs: "group commit", volatile.
//!
//! What an iteration includes: the log is opened anew and reads all that it holds; every record is appended by itself,
//! and each append waits for its own answer, so that there is no group; nothing is synced, neither then nor when the log
//! is dropped. Theirs grew from iteration to iteration, and with it the time; here every iteration finds the log as one
//! pass left it. (In theirs an answer meant less: a record could still be in the process's own memory. Here it is always
//! the system's.)
//!
//! Tests: the records of both passes are there.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;

use tempfile::TempDir;
use workload_store::log::{Log, Options, Sync};

use super::{Place, Records};

/// The most that a record, its header, and its part of the first bytes of a segment take, twice and with some room.
const BYTES_PER_RECORD: u64 = 512;

/// A log that holds one pass of records, again and again.
#[derive(Debug)]
pub struct AsPublished {
    records: Records,
    segment: PathBuf,
    image: Vec<u8>,
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
        let mut segments = fs::read_dir(folder.path()).expect("it was just made");
        let is_segment = |path: &PathBuf| path.extension().is_some_and(|it| it == "segment");
        let paths = segments
            .by_ref()
            .filter_map(|entry| Some(entry.ok()?.path()));
        let segment = paths
            .into_iter()
            .find(is_segment)
            .expect("the log has one segment");
        let image = fs::read(&segment).expect("it was just written");
        Self {
            records,
            segment,
            image,
            folder,
        }
    }

    /// Makes the log as it was at first.
    ///
    /// # Panics
    /// There is no room for it.
    pub fn reset(&self) {
        // Over what is there: its place on the disk stays.
        let segment = OpenOptions::new().write(true).open(&self.segment);
        let written = segment.and_then(|file| file.write_all_at(&self.image, 0));
        written.expect("there is room");
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
    use super::super::{BATCHES, Place};
    use super::AsPublished;

    #[test]
    fn each_pass_finds_the_records_of_one() {
        for records in &BATCHES[..2] {
            let log = AsPublished::new(Place::Memory, *records);
            for _ in 0..2 {
                log.reset();
                assert_eq!(log.pass(), 2 * *records as u64);
            }
        }
    }
}
