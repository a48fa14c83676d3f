//! The records that are appended, and the folders of the logs they are appended to.
//!
//! Tests: through the benchmarks.

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use workload_store::log::{Log, Options, Sync};

use crate::inputs::{SEED, SplitMix};

/// The length of a record: a key of a few words, a value of 64 bytes, and what says so.
pub const RECORD_BYTES: usize = 110;

/// The numbers of records that are made durable at once: those of the report.
pub const BATCHES: [usize; 4] = [10, 100, 1_000, 10_000];

/// Different records of one length.
#[derive(Debug)]
pub struct Records(Vec<Box<[u8]>>);

impl Records {
    /// Returns so many records.
    #[must_use]
    pub fn new(count: usize) -> Self {
        let mut random = SplitMix(SEED);
        Self((0..count).map(|_| random.bytes(RECORD_BYTES)).collect())
    }

    /// Returns the number of records.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the records in the order in which they are appended.
    #[must_use]
    pub fn as_slice(&self) -> &[Box<[u8]>] {
        &self.0
    }
}

/// Where the folder of a log is.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// On a disk. Here and not in the usual folder for temporary files, which is in memory on many machines.
    Disk,
    /// In memory, for what is no question to a disk. Where there is no `/dev/shm` it is the usual folder for temporary
    /// files: if that is on a disk, times are of that disk.
    Memory,
}

/// Enough for the most that is appended at once. Where a place in memory is small, many logs must fit beside each other.
const SEGMENT_BYTES_IN_MEMORY: u64 = 2 << 20;

/// So small that a thousand records fill several.
const SEGMENT_BYTES_COVERED: u64 = 16 << 10;

/// A log in a folder of its own, which is removed with it.
#[derive(Debug)]
pub struct Scratch {
    log: Option<Log>,
    options: Options,
    place: Place,
    folder: TempDir,
}

impl Scratch {
    /// Returns an empty log.
    ///
    /// # Panics
    /// There is no room for it.
    #[must_use]
    pub fn new(place: Place, sync: Sync) -> Self {
        let segment_bytes = match place {
            Place::Disk => Options::default().segment_bytes,
            Place::Memory => SEGMENT_BYTES_IN_MEMORY,
        };
        let options = Options {
            sync,
            segment_bytes,
        };
        Self::with(place, options)
    }

    fn with(place: Place, options: Options) -> Self {
        let folder = place.folder();
        let log = Some(open(folder.path(), options));
        Self {
            log,
            options,
            place,
            folder,
        }
    }

    /// Returns an empty log that nobody syncs, in memory.
    #[must_use]
    pub fn unsynced() -> Self {
        Self::new(Place::Memory, Sync::Never)
    }

    /// Returns a log with records that nobody syncs, in memory.
    ///
    /// # Panics
    /// There is no room for it.
    #[must_use]
    pub fn filled(records: &Records) -> Self {
        let scratch = Self::unsynced();
        let appended = scratch.log().append_batch(records.as_slice());
        appended.expect("there is room");
        scratch
    }

    /// Returns a log of several segments in memory, all of whose records a snapshot covers.
    ///
    /// # Panics
    /// There is no room for it.
    #[must_use]
    pub fn covered(records: &Records) -> Self {
        let options = Options {
            sync: Sync::Never,
            segment_bytes: SEGMENT_BYTES_COVERED,
        };
        let scratch = Self::with(Place::Memory, options);
        let appended = super::append_batch(scratch.log(), records);
        let covered = appended.and_then(|_| super::snapshot(scratch.log(), records));
        covered.expect("there is room");
        scratch
    }

    /// Returns the log.
    ///
    /// # Panics
    /// It could not be opened again, and that was passed over.
    #[must_use]
    pub fn log(&self) -> &Log {
        self.log.as_ref().expect("it is open")
    }

    /// Opens a copy of the log's files as they are while it is open: closing would still write and sync.
    ///
    /// # Panics
    /// The copy has not exactly so many records.
    pub fn check_copy(&self, records: u64) {
        let copy = self.place.folder();
        let files = fs::read_dir(self.folder.path()).expect("the log is there");
        for file in files {
            let file = file.expect("the log is there");
            let copied = fs::copy(file.path(), copy.path().join(file.file_name()));
            copied.expect("there is room for a copy");
        }
        let log = open(copy.path(), self.options);
        assert_eq!(
            log.end(),
            records,
            "what is acknowledged is not in the files"
        );
    }

    /// Closes the log and opens it anew.
    ///
    /// # Panics
    /// It has not exactly so many records then.
    pub fn reopen(&mut self, records: u64) {
        if let Some(log) = self.log.take() {
            log.close().expect("the disk takes the last sync");
        }
        let log = open(self.folder.path(), self.options);
        assert_eq!(log.end(), records, "records were lost, or came twice");
        self.log = Some(log);
    }
}

impl Place {
    /// Makes a folder there, which goes when it is dropped.
    ///
    /// # Panics
    /// There is no such place.
    #[must_use]
    pub fn folder(self) -> TempDir {
        let folder = match self {
            Self::Disk => tempfile::tempdir_in("/var/tmp"),
            Self::Memory => tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()),
        };
        folder.expect("there is a place for temporary files")
    }
}

fn open(folder: &Path, options: Options) -> Log {
    let opened = Log::open(folder, options);
    opened.expect("the log is whole, and the disk takes it").0
}
