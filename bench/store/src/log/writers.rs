//! Threads that append one record after the other, each waiting for its own.
//!
//! Tests: every record is there once after the log was opened anew. That syncs are shared is checked where there is a
//! disk to wait for.

use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use workload_store::log::{Log, Sync};

use super::records::Scratch;
use super::{Place, RECORD_BYTES};

/// The numbers of threads that wait for the disk at once.
pub const WRITERS: [usize; 5] = [1, 4, 16, 64, 256];

/// The records that each thread appends in one iteration: some, so that what counts is how they follow one another and
/// not how they begin.
pub const RECORDS_PER_WRITER: u64 = 100;

/// So many writers that each sync is for two records at least.
const MANY: usize = 16;

/// A log and the threads that write to it.
#[derive(Debug)]
pub struct Writers {
    scratch: Scratch,
    /// Whether several wait for a disk at once, and so share its syncs.
    share: bool,
    writers: usize,
    /// The number of records so far.
    appended: u64,
}

impl Writers {
    /// Returns an empty log for so many threads.
    #[must_use]
    pub fn new(place: Place, sync: Sync, writers: usize) -> Self {
        let scratch = Scratch::new(place, sync);
        Self {
            scratch,
            share: matches!((place, sync), (Place::Disk, Sync::Always)) && writers > 1,
            writers,
            appended: 0,
        }
    }

    /// Has each thread append its records so many times, and returns the time from the first append to the last answer.
    ///
    /// # Panics
    /// The disk refuses a record, or a record has no number of its own.
    pub fn append(&mut self, times: u64) -> Duration {
        let each = times * RECORDS_PER_WRITER;
        let spent = self.append_all(each);
        self.appended += each * self.writers as u64;
        let end = self.scratch.log().end();
        assert_eq!(end, self.appended, "records were lost, or came twice");
        spent
    }

    /// Returns how many syncs a million records cost: a million where each waits for its own, and fewer where they share.
    ///
    /// They are counted by the log itself: see [`Log::syncs`].
    #[must_use]
    pub fn syncs_per_million(&self) -> u64 {
        self.scratch.log().syncs() * 1_000_000 / self.appended.max(1)
    }

    /// Opens a copy of the log as it is, and then the log anew.
    ///
    /// # Panics
    /// One has not exactly the records that were appended, or there were too many syncs though several threads waited.
    pub fn check(self) {
        let (syncs, records) = (self.scratch.log().syncs(), self.appended);
        // Where two meet only now and then, one shared sync is all that can be asked for.
        let most = if self.writers < MANY {
            records.saturating_sub(1)
        } else {
            records / 2
        };
        assert!(
            !self.share || syncs <= most,
            "{syncs} syncs for {records} records of {} writers: too few were shared",
            self.writers
        );
        self.check_records();
    }

    /// Opens a copy of the log as it is, and then the log anew, however many syncs that took.
    ///
    /// # Panics
    /// One has not exactly the records that were appended.
    pub fn check_records(mut self) {
        let records = self.appended;
        self.scratch.check_copy(records);
        self.scratch.reopen(records);
    }

    /// Returns the records of one iteration, sorted, as the log has them when it is opened anew.
    pub(super) fn answer(mut self) -> Vec<Vec<u8>> {
        self.append(1);
        self.scratch.reopen(self.appended);
        sorted(self.scratch.log())
    }

    fn append_all(&self, each: u64) -> Duration {
        let start = Barrier::new(self.writers);
        let log = self.scratch.log();
        let write = |writer: u64| {
            start.wait();
            let began = Instant::now();
            for number in 0..each {
                let appended = log.append(&record(writer, number));
                appended.expect("the disk takes the record");
            }
            (began, Instant::now())
        };
        let times: Vec<(Instant, Instant)> = thread::scope(|scope| {
            let write = &write;
            let started = (0..self.writers as u64).map(|writer| scope.spawn(move || write(writer)));
            let started: Vec<_> = started.collect();
            let joined = started
                .into_iter()
                .map(|it| it.join().expect("no writer panics"));
            joined.collect()
        });
        // By the writers' own clocks: whoever only waits for them may be woken late.
        let began = times.iter().map(|(began, _)| *began).min();
        let ended = times.iter().map(|(_, ended)| *ended).max();
        let spent = began.zip(ended).map(|(began, ended)| ended - began);
        spent.unwrap_or_default()
    }
}

fn record(writer: u64, number: u64) -> [u8; RECORD_BYTES] {
    let mut record = [0x5a; RECORD_BYTES];
    record[..8].copy_from_slice(&writer.to_le_bytes());
    record[8..16].copy_from_slice(&number.to_le_bytes());
    record
}

/// Returns the records of a log as sorted bytes: the order in which threads come is another each time.
pub(super) fn sorted(log: &Log) -> Vec<Vec<u8>> {
    let mut records = Vec::new();
    super::read(log, |record| {
        records.push(record.expect("the log is whole").payload);
    });
    records.sort_unstable();
    records
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use workload_store::log::Sync;

    use super::super::Place;
    use super::{RECORDS_PER_WRITER, Writers, record};

    #[test]
    fn every_record_of_every_writer_is_there_once() {
        let interval = Sync::Interval(Duration::from_secs(1));
        for (sync, writers) in [
            (Sync::Always, 1),
            (Sync::Always, 16),
            (interval, 4),
            (Sync::Never, 4),
        ] {
            let mut expected: Vec<_> = (0..writers as u64)
                .flat_map(|writer| {
                    (0..RECORDS_PER_WRITER).map(move |number| record(writer, number))
                })
                .collect();
            expected.sort_unstable();
            assert_eq!(
                Writers::new(Place::Memory, sync, writers).answer(),
                expected
            );
            let mut again = Writers::new(Place::Memory, sync, writers);
            again.append(1);
            again.append(2);
            let syncs = again.syncs_per_million();
            match (sync, writers) {
                (Sync::Always, 1) => assert_eq!(syncs, 1_000_000),
                (Sync::Always, _) => assert!((1..=1_000_000).contains(&syncs), "{syncs}"),
                (Sync::Interval(_), _) => assert!(syncs < 1_000_000, "{syncs}"),
                (Sync::Never, _) => assert_eq!(syncs, 0),
            }
            again.check();
        }
    }
}
