//! Who makes batches of records durable: our log, and two databases that others would take for that.
//!
//! All promise the same: when `append` returns, every record of the batch is on the disk, synced. A database can do more
//! with a record than read it in order, and pays for that. Tests: what was appended is there after opening anew.

use std::path::Path;

use bench_store::log::Records;
use fjall::{Database, Keyspace, KeyspaceCreateOptions, PersistMode};
use redb::{
    ReadableDatabase as _, ReadableTable as _, ReadableTableMetadata as _, TableDefinition,
};
use workload_store::log::{Log, Options, Sync};

/// Something that makes batches durable.
pub trait Durable: Sized {
    /// What it is called in parameters.
    const NAME: &str;

    /// Opens what is in the folder, or begins there.
    fn open(folder: &Path) -> Self;

    /// Returns when all records are on the disk.
    fn append(&mut self, records: &Records);

    /// Returns the number of records.
    fn count(&self) -> u64;

    /// Reads every record, in order.
    fn read(&self, see: impl FnMut(&[u8]));

    /// Returns whether it has these records, so many times one after the other, and nothing else.
    fn has(&self, records: &Records, times: u64) -> bool {
        let mut expected = (0..times).flat_map(|_| records.as_slice());
        let mut same = true;
        self.read(|record| same &= expected.next().is_some_and(|it| **it == *record));
        same && expected.next().is_none()
    }
}

/// Ours.
#[derive(Debug)]
pub struct Ours(Log);

impl Durable for Ours {
    const NAME: &str = "ours";

    fn open(folder: &Path) -> Self {
        let options = Options {
            sync: Sync::Always,
            ..Options::default()
        };
        Self(Log::open(folder, options).expect("the log is whole").0)
    }

    fn append(&mut self, records: &Records) {
        let appended = bench_store::log::append_batch(&self.0, records);
        appended.expect("the disk takes the records");
    }

    fn count(&self) -> u64 {
        self.0.end()
    }

    fn read(&self, mut see: impl FnMut(&[u8])) {
        bench_store::log::read(&self.0, |record| {
            see(&record.expect("the log is whole").payload);
        });
    }
}

/// `fjall`: a log-structured tree; a batch is one entry of its journal.
pub struct Fjall {
    database: Database,
    records: Keyspace,
    next: u64,
}

impl Durable for Fjall {
    const NAME: &str = "fjall";

    fn open(folder: &Path) -> Self {
        let database = Database::builder(folder).open().expect("it is whole");
        let records = database.keyspace("records", KeyspaceCreateOptions::default);
        let records = records.expect("there is room");
        let next = records.len().expect("it is whole") as u64;
        Self {
            database,
            records,
            next,
        }
    }

    fn append(&mut self, records: &Records) {
        let mut batch = self
            .database
            .batch()
            .durability(Some(PersistMode::SyncData));
        for (number, record) in (self.next..).zip(records.as_slice()) {
            batch.insert(&self.records, number.to_be_bytes(), &**record);
        }
        batch.commit().expect("the disk takes the records");
        self.next += records.len() as u64;
    }

    fn count(&self) -> u64 {
        self.records.len().expect("it is whole") as u64
    }

    fn read(&self, mut see: impl FnMut(&[u8])) {
        for record in self.records.iter() {
            see(&record.value().expect("it is whole"));
        }
    }
}

const RECORDS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("records");

/// `redb`: a tree of pages that are copied when written.
#[derive(Debug)]
pub struct Redb {
    database: redb::Database,
    next: u64,
}

impl Durable for Redb {
    const NAME: &str = "redb";

    fn open(folder: &Path) -> Self {
        let database = redb::Database::create(folder.join("records.redb"));
        let mut redb = Self {
            database: database.expect("it is whole"),
            next: 0,
        };
        let begin = redb.database.begin_write().expect("nobody else writes");
        drop(begin.open_table(RECORDS).expect("there is room"));
        begin.commit().expect("the disk takes it");
        redb.next = redb.count();
        redb
    }

    fn append(&mut self, records: &Records) {
        let write = self.database.begin_write().expect("nobody else writes");
        {
            let mut table = write.open_table(RECORDS).expect("it is there");
            for (number, record) in (self.next..).zip(records.as_slice()) {
                table.insert(number, &**record).expect("there is room");
            }
        }
        // How durable this is, is redb's own default: synced.
        write.commit().expect("the disk takes the records");
        self.next += records.len() as u64;
    }

    fn count(&self) -> u64 {
        let read = self.database.begin_read().expect("it is whole");
        let table = read.open_table(RECORDS).expect("it is there");
        table.len().expect("it is whole")
    }

    fn read(&self, mut see: impl FnMut(&[u8])) {
        let read = self.database.begin_read().expect("it is whole");
        let table = read.open_table(RECORDS).expect("it is there");
        for record in table.iter().expect("it is whole") {
            see(record.expect("it is whole").1.value());
        }
    }
}

#[cfg(test)]
mod tests {
    use bench_store::log::{Place, Records};

    use super::{Durable, Fjall, Ours, Redb};

    fn keeps_what_it_is_given<L: Durable>() {
        let folder = Place::Memory.folder();
        let records = Records::new(100);
        for pass in 1..=3 {
            let mut log = L::open(folder.path());
            log.append(&records);
            assert_eq!(log.count(), pass * 100, "{}", L::NAME);
            assert!(log.has(&records, pass), "{}", L::NAME);
            assert!(!log.has(&records, pass + 1), "{}", L::NAME);
            assert!(!log.has(&records, pass - 1), "{}", L::NAME);
        }
        assert_eq!(L::open(folder.path()).count(), 300, "{}", L::NAME);
    }

    #[test]
    fn every_log_keeps_what_it_is_given() {
        keeps_what_it_is_given::<Ours>();
        keeps_what_it_is_given::<Fjall>();
        keeps_what_it_is_given::<Redb>();
    }
}
