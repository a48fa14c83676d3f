//! The records that are appended, and the folders of the logs they are appended to.
//!
//! Tests: through the benchmarks.

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
    /// In memory, where there is such a place: for what is no question to a disk.
    Memory,
}

/// A log in a folder of its own, which is removed with it.
#[derive(Debug)]
pub struct Scratch {
    log: Option<Log>,
    sync: Sync,
    folder: TempDir,
}

impl Scratch {
    /// Returns an empty log.
    ///
    /// # Panics
    /// There is no room for it.
    #[must_use]
    pub fn new(place: Place, sync: Sync) -> Self {
        let folder = place.folder();
        let log = Some(open(folder.path(), sync));
        Self { log, sync, folder }
    }

    /// Returns an empty log that nobody syncs, in memory.
    #[must_use]
    pub fn unsynced() -> Self {
        Self::new(Place::Memory, Sync::Never)
    }

    /// Returns the log.
    ///
    /// # Panics
    /// It could not be opened again, and that was passed over.
    #[must_use]
    pub fn log(&self) -> &Log {
        self.log.as_ref().expect("it is open")
    }

    /// Returns the folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Closes the log and opens it anew.
    ///
    /// # Panics
    /// It has not exactly so many records then.
    pub fn reopen(&mut self, records: u64) {
        if let Some(log) = self.log.take() {
            log.close().expect("the disk takes the last sync");
        }
        let log = open(self.folder.path(), self.sync);
        assert_eq!(log.end(), records, "records were lost, or came twice");
        self.log = Some(log);
    }
}

impl Place {
    pub(super) fn folder(self) -> TempDir {
        let folder = match self {
            Self::Disk => tempfile::tempdir_in("/var/tmp"),
            Self::Memory => tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()),
        };
        folder.expect("there is a place for temporary files")
    }
}

fn open(folder: &Path, sync: Sync) -> Log {
    let options = Options {
        sync,
        ..Options::default()
    };
    let opened = Log::open(folder, options);
    opened.expect("the log is whole, and the disk takes it").0
}
