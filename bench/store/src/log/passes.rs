//! The bodies of the benchmarks of one thread.
//!
//! Tests: what each returns, and what is there after the log was opened anew.

use std::ops::Range;

use workload_store::log::{Error, Log, Record};

use super::Records;

/// Appends every record by itself.
pub fn append(log: &Log, records: &Records, mut see: impl FnMut(Result<u64, Error>)) {
    for record in records.as_slice() {
        see(log.append(record));
    }
}

/// Appends all records at once.
///
/// # Errors
/// As the log.
pub fn append_batch(log: &Log, records: &Records) -> Result<Range<u64>, Error> {
    log.append_batch(records.as_slice())
}

/// Appends every record by itself, and asks for a sync after each.
pub fn sync(log: &Log, records: &Records, mut see: impl FnMut(Result<u64, Error>)) {
    for record in records.as_slice() {
        let appended = log.append(record);
        see(appended.and_then(|number| log.sync().map(|()| number)));
    }
}

/// Removes what the newest snapshot makes needless, and returns the number of files.
///
/// # Errors
/// As the log.
pub fn remove_covered(log: &Log) -> Result<usize, Error> {
    log.remove_covered()
}

/// Reads every record that the log has.
pub fn read(log: &Log, mut see: impl FnMut(Result<Record, Error>)) {
    match log.records(0) {
        Ok(records) => records.for_each(see),
        Err(error) => see(Err(error)),
    }
}

/// Writes a snapshot of all that the log has, as many records as it holds, and returns their number.
///
/// # Errors
/// As the log.
pub fn snapshot(log: &Log, records: &Records) -> Result<u64, Error> {
    log.snapshot(log.end(), records.as_slice())
}

/// Reads the newest snapshot and what is behind it, and returns the number of records.
///
/// # Errors
/// As the log.
pub fn restore(log: &Log, mut see: impl FnMut(&[u8])) -> Result<u64, Error> {
    let restored = log.restore()?;
    let mut records = 0;
    for record in restored.snapshot.into_iter().flatten() {
        see(&record?);
        records += 1;
    }
    for record in restored.tail {
        see(&record?.payload);
        records += 1;
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::super::{Records, Scratch};
    use super::{append, append_batch, read, remove_covered, restore, snapshot, sync};

    fn payloads(scratch: &Scratch) -> Vec<Vec<u8>> {
        let mut payloads = Vec::new();
        read(scratch.log(), |record| {
            payloads.push(record.unwrap().payload);
        });
        payloads
    }

    fn restored(scratch: &Scratch) -> Vec<Vec<u8>> {
        let mut payloads = Vec::new();
        let count = restore(scratch.log(), |payload| payloads.push(payload.to_vec()));
        assert_eq!(count.unwrap(), payloads.len() as u64);
        payloads
    }

    fn payloads_of(all: &[&Records]) -> Vec<Vec<u8>> {
        let records = all.iter().flat_map(|records| records.as_slice());
        records.map(|it| it.to_vec()).collect()
    }

    #[test]
    fn what_was_appended_is_read_from_a_log_opened_anew() {
        let records = Records::new(50);
        let mut scratch = Scratch::unsynced();
        let mut numbers = Vec::new();
        append(scratch.log(), &records, |number| {
            numbers.push(number.unwrap());
        });
        assert!(numbers.into_iter().eq(0..50));
        assert_eq!(append_batch(scratch.log(), &records).unwrap(), 50..100);
        scratch.reopen(100);
        let twice = records.as_slice().iter().chain(records.as_slice());
        assert!(
            payloads(&scratch)
                .iter()
                .map(Vec::as_slice)
                .eq(twice.map(|it| &**it))
        );
    }

    #[test]
    fn each_record_is_synced_when_that_is_asked_for() {
        let records = Records::new(50);
        let mut scratch = Scratch::unsynced();
        let mut numbers = Vec::new();
        sync(scratch.log(), &records, |number| {
            numbers.push(number.unwrap());
        });
        assert!(numbers.into_iter().eq(0..50));
        assert_eq!(scratch.log().syncs(), 50);
        scratch.reopen(50);
    }

    #[test]
    fn what_a_snapshot_covers_is_removed_and_all_is_restored() {
        let records = Records::new(1_000);
        let scratch = Scratch::covered(&records);
        assert!(remove_covered(scratch.log()).unwrap() > 1);
        assert_eq!(remove_covered(scratch.log()).unwrap(), 0);
        assert_eq!(restored(&scratch), payloads_of(&[&records]));
    }

    #[test]
    fn a_snapshot_and_what_is_behind_it_are_restored() {
        let records = Records::new(50);
        let scratch = Scratch::unsynced();
        append_batch(scratch.log(), &records).unwrap();
        assert_eq!(snapshot(scratch.log(), &records).unwrap(), 50);
        let behind = Records::new(7);
        append_batch(scratch.log(), &behind).unwrap();
        assert_eq!(restored(&scratch), payloads_of(&[&records, &behind]));
    }
}
