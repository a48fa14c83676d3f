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
pub fn restore(log: &Log) -> Result<u64, Error> {
    let restored = log.restore()?;
    let mut records = 0;
    for record in restored.snapshot.into_iter().flatten() {
        record?;
        records += 1;
    }
    for record in restored.tail {
        record?;
        records += 1;
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::super::{Records, Scratch};
    use super::{append, append_batch, read, restore, snapshot};

    fn payloads(scratch: &Scratch) -> Vec<Vec<u8>> {
        let mut payloads = Vec::new();
        read(scratch.log(), |record| {
            payloads.push(record.unwrap().payload);
        });
        payloads
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
    fn a_snapshot_and_what_is_behind_it_are_restored() {
        let records = Records::new(50);
        let scratch = Scratch::unsynced();
        append_batch(scratch.log(), &records).unwrap();
        assert_eq!(snapshot(scratch.log(), &records).unwrap(), 50);
        append_batch(scratch.log(), &Records::new(7)).unwrap();
        assert_eq!(restore(scratch.log()).unwrap(), 57);
    }
}
