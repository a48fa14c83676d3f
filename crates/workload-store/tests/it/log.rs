//! The log, used from outside: what it promises, what it refuses, and what it survives.

mod damage;
mod kill;
mod orders;
mod schedules;
mod stories;

use std::path::Path;

use tempfile::TempDir;
use workload_store::log::{Log, Options, Record, Recovery, Sync};

/// Segments small enough that a short story fills several.
const SMALL: Options = Options {
    sync: Sync::Always,
    segment_bytes: 4 << 10,
};

/// Returns a folder in memory where there is one: most stories are not about the disk, and a sync takes its time.
fn scratch() -> TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .expect("there is a place for temporary files")
}

fn open(folder: &Path) -> (Log, Recovery) {
    Log::open(folder, SMALL).expect("the log is whole")
}

fn read(log: &Log, from: u64) -> Vec<Record> {
    let records: Result<_, _> = log.records(from).expect("the log has them").collect();
    records.expect("the log is whole")
}

fn payloads(log: &Log, from: u64) -> Vec<Vec<u8>> {
    let records = read(log, from).into_iter();
    records.map(|record| record.payload).collect()
}
