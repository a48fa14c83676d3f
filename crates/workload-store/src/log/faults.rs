//! The log on a disk that fails, and on one that loses power.

mod disk;

use std::error::Error as _;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use disk::Faulty;

use super::folder::{segment, snapshot};
use super::snapshot::Writer;
use super::{Error, Log, Options, Record, Sync};

/// How long a test waits for what takes moments, before it fails.
const PATIENCE: Duration = Duration::from_mins(1);

/// Returns a folder in memory where there is one: the disk of these tests is `Faulty`, and a real one is slow.
fn scratch() -> TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

/// Waits for what other threads do, and fails if they do not.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let asked = Instant::now();
    while !is_so() {
        assert!(asked.elapsed() < PATIENCE, "not seen: {what}");
        thread::yield_now();
    }
}

const SMALL: Options = Options {
    sync: Sync::Always,
    segment_bytes: 4 << 10,
};

/// The records of the stories below: some longer than a sector, one longer than a segment.
fn payload(number: usize) -> Vec<u8> {
    let bytes = [30, 700, 0, 110, 1_500, 9][number % 6];
    let bytes = if number == 17 { 5_000 } else { bytes };
    vec![number as u8 | 1; bytes]
}

const RECORDS: usize = 24;

/// Opens a log and appends until something fails; returns the number of acknowledged records, and the failure.
fn write_until_it_fails(folder: &Path, disk: &Faulty) -> (usize, Option<Error>) {
    let log = match Log::open_on(folder, SMALL, Arc::new(disk.clone())) {
        Ok((log, _)) => log,
        Err(error) => return (0, Some(error)),
    };
    let mut acknowledged = log.end() as usize;
    while acknowledged < RECORDS {
        let batch = acknowledged..(acknowledged + 1 + acknowledged % 3).min(RECORDS);
        let appended = log.append_batch(batch.clone().map(payload));
        match appended {
            Ok(numbers) => assert_eq!(numbers, batch.start as u64..batch.end as u64),
            Err(error) => {
                // The disk may work again: the log must not.
                disk.state.lock().calls_left = None;
                assert!(matches!(log.append(b"later"), Err(Error::Stopped(_))));
                assert!(matches!(log.sync(), Err(Error::Stopped(_))));
                return (acknowledged, Some(error));
            }
        }
        acknowledged = batch.end;
    }
    (acknowledged, log.close().err())
}

/// Checks that the log has what was acknowledged and nothing that was not written, and returns how much it has.
fn assert_holds(log: &Log, acknowledged: usize) -> usize {
    let records: Result<Vec<Record>, Error> = log.records(0).unwrap().collect();
    let records = records.unwrap();
    assert!(
        records.len() >= acknowledged,
        "{} < {acknowledged}",
        records.len()
    );
    for (number, record) in records.iter().enumerate() {
        assert_eq!(record.sequence, number as u64);
        assert_eq!(record.payload, payload(number), "record {number}");
    }
    records.len()
}

/// Returns what the system said.
fn refusal(error: &Error) -> Option<io::ErrorKind> {
    let mut cause = error.source();
    while let Some(inner) = cause {
        if let Some(refused) = inner.downcast_ref::<io::Error>() {
            return Some(refused.kind());
        }
        cause = inner.source();
    }
    None
}

fn is_full_disk(error: &Error) -> bool {
    refusal(error) == Some(io::ErrorKind::StorageFull)
}

/// Runs a story with a disk that fails at its first call, its second, and so on, until it does not fail any more.
fn at_every_call(mut story: impl FnMut(&Path, usize) -> Option<Error>) {
    for calls in 0.. {
        let folder = scratch();
        match story(folder.path(), calls) {
            Some(error) => assert!(is_full_disk(&error), "after {calls} calls: {error}"),
            None => {
                assert!(calls > 40, "only {calls} calls were tried");
                return;
            }
        }
    }
}

#[test]
fn a_full_disk_stops_the_log_and_loses_nothing() {
    at_every_call(|folder, calls| {
        let (acknowledged, failure) = write_until_it_fails(folder, &Faulty::full_after(calls));
        let (log, _) = Log::open(folder, SMALL).unwrap();
        assert_holds(&log, acknowledged);
        failure
    });
}

#[test]
fn a_power_loss_at_any_call_loses_nothing_acknowledged() {
    at_every_call(|folder, calls| {
        let mut failure = None;
        for seed in 0..6 {
            let folder = folder.join(seed.to_string());
            let disk = Faulty::full_after(calls);
            let (acknowledged, error) = write_until_it_fails(&folder, &disk);
            disk.lose_power(seed);
            let (log, _) = Log::open(&folder, SMALL).unwrap();
            assert_holds(&log, acknowledged);
            failure = error;
        }
        failure
    });
}

/// What is read again after a failed sync may be in memory only, and must not be trusted before it is written again.
#[test]
fn what_is_found_after_a_failed_sync_is_made_durable_before_it_is_promised() {
    at_every_call(|folder, calls| {
        let disk = Faulty::full_after(calls);
        let (acknowledged, failure) = write_until_it_fails(folder, &disk);
        disk.state.lock().calls_left = None;
        let (log, recovery) = Log::open_on(folder, SMALL, Arc::new(disk.clone())).unwrap();
        let found = assert_holds(&log, acknowledged);
        assert_eq!(recovery.records, 0..found as u64);
        drop(log);
        disk.lose_power(calls);
        let (log, _) = Log::open(folder, SMALL).unwrap();
        assert_holds(&log, found);
        failure
    });
}

/// A name that was given and not synced is in memory only, and what is written under it goes with it.
#[test]
fn what_is_written_behind_a_failure_survives_the_power_too() {
    at_every_call(|folder, calls| {
        let mut failure = None;
        for seed in 0..6 {
            let folder = folder.join(seed.to_string());
            let disk = Faulty::full_after(calls);
            failure = write_until_it_fails(&folder, &disk).1;
            disk.state.lock().calls_left = None;
            let (acknowledged, again) = write_until_it_fails(&folder, &disk);
            assert!(again.is_none(), "{again:?}");
            disk.lose_power(seed);
            let (log, _) = Log::open(&folder, SMALL).unwrap();
            assert_holds(&log, acknowledged);
        }
        failure
    });
}

/// Checks that a snapshot and the records behind it are what was acknowledged, and returns what the snapshot covers.
fn assert_restores(log: &Log, acknowledged: usize) -> usize {
    let restored = log.restore().unwrap();
    let covered: Vec<Vec<u8>> = restored
        .snapshot
        .map_or_else(Vec::new, |snapshot| snapshot.map(Result::unwrap).collect());
    let tail = restored.tail.map(|record| record.unwrap().payload);
    let covers = covered.len();
    let payloads: Vec<_> = covered.into_iter().chain(tail).collect();
    assert!(payloads.len() >= acknowledged);
    for (number, found) in payloads.iter().enumerate() {
        assert_eq!(*found, payload(number), "record {number}");
    }
    covers
}

/// What a log has promised: how many of its records, and how many of them in a snapshot.
#[derive(Default)]
struct Promised {
    records: usize,
    covered: usize,
}

/// Appends, takes snapshots of all that there is, and removes what they cover, until something fails.
fn take_snapshots(folder: &Path, disk: &Faulty, promised: &mut Promised) -> Result<(), Error> {
    let (log, _) = Log::open_on(folder, SMALL, Arc::new(disk.clone()))?;
    for end in [7, 19, RECORDS] {
        log.append_batch((promised.records..end).map(payload))?;
        promised.records = end;
        log.snapshot(end as u64, (0..end).map(payload))?;
        promised.covered = end;
        log.remove_covered()?;
    }
    log.close()
}

/// Records are removed on the strength of a snapshot: all of it must be on the disk before the first of them goes.
#[test]
fn a_power_loss_at_any_call_loses_nothing_that_a_snapshot_covers() {
    at_every_call(|folder, calls| {
        let mut failure = None;
        for seed in 0..6 {
            let folder = folder.join(seed.to_string());
            let disk = Faulty::full_after(calls);
            let mut promised = Promised::default();
            failure = take_snapshots(&folder, &disk, &mut promised).err();
            disk.lose_power(seed);
            let (log, _) = Log::open(&folder, SMALL).unwrap();
            assert!(assert_restores(&log, promised.records) >= promised.covered);
        }
        failure
    });
}

/// The disk knows nothing of this snapshot's own sync: it is as if the process had died before that.
#[test]
fn nothing_is_removed_before_the_name_of_the_snapshot_is_on_the_disk() {
    for (calls, seed) in (0..6).flat_map(|calls| (0..6).map(move |seed| (calls, seed))) {
        let folder = scratch();
        let disk = Faulty::default();
        let (log, _) = Log::open_on(folder.path(), SMALL, Arc::new(disk.clone())).unwrap();
        log.append_batch((0..RECORDS).map(payload)).unwrap();
        let path = snapshot(folder.path(), RECORDS as u64);
        let unknown = Writer::create(&path, RECORDS as u64).unwrap();
        unknown.finish().unwrap();
        disk.state.lock().calls_left = Some(calls);
        log.remove_covered().unwrap_err();
        disk.state.lock().calls_left = None;
        drop(log);
        disk.lose_power(seed);
        let (log, _) = Log::open(folder.path(), SMALL).unwrap();
        log.restore().unwrap();
    }
}

/// What fills the disk may be this log: it must open, so that it can give back what a snapshot covers.
#[test]
fn a_log_on_a_full_disk_is_opened_to_make_room() {
    let folder = scratch();
    let disk = Faulty::default();
    let (log, _) = Log::open_on(folder.path(), SMALL, Arc::new(disk.clone())).unwrap();
    log.append_batch((0..RECORDS).map(payload)).unwrap();
    disk.state.lock().is_full = true;
    let failure = (0..).find_map(|_| log.append(&[7; 1_000]).err()).unwrap();
    assert!(is_full_disk(&failure), "{failure}");
    drop(log);
    let (log, recovery) = Log::open_on(folder.path(), SMALL, Arc::new(disk.clone())).unwrap();
    assert!(recovery.records.end >= RECORDS as u64);
    log.snapshot(log.end(), [b"state"]).unwrap();
    assert!(log.remove_covered().unwrap() > 0);
    disk.state.lock().is_full = false;
    assert_eq!(log.append(&[8; 1_000]).unwrap(), recovery.records.end);
    log.close().unwrap();
    let (log, _) = Log::open(folder.path(), SMALL).unwrap();
    assert_eq!(log.end(), recovery.records.end + 1);
}

/// The log learns of it when the next segment is due, and what it has stays readable.
#[test]
fn a_folder_that_becomes_read_only_stops_the_log_and_loses_nothing() {
    let folder = scratch();
    let disk = Faulty::default();
    let (log, _) = Log::open_on(folder.path(), SMALL, Arc::new(disk.clone())).unwrap();
    disk.state.lock().is_read_only = true;
    let failure = (0..).find_map(|number| log.append(&payload(number)).err());
    let failure = failure.unwrap();
    assert!(matches!(failure, Error::Stopped(_)), "{failure}");
    assert_eq!(refusal(&failure), Some(io::ErrorKind::ReadOnlyFilesystem));
    let acknowledged = log.end() as usize;
    assert!(acknowledged > 3, "the first segment takes some");
    assert_eq!(assert_holds(&log, acknowledged), acknowledged);
    drop(log);
    disk.state.lock().is_read_only = false;
    let (log, _) = Log::open_on(folder.path(), SMALL, Arc::new(disk.clone())).unwrap();
    let found = assert_holds(&log, acknowledged);
    assert_eq!(log.append(b"next").unwrap(), found as u64);
}

#[test]
fn every_folder_that_is_made_has_a_name_on_the_disk() {
    for calls in 0..8 {
        let root = scratch();
        let folder = root.path().join("a/b/c");
        let disk = Faulty::full_after(calls);
        // Whatever the first try does not reach, the second makes good.
        drop(Log::open_on(&folder, SMALL, Arc::new(disk.clone())));
        disk.state.lock().calls_left = None;
        drop(Log::open_on(&folder, SMALL, Arc::new(disk.clone())).unwrap());
        for made in ["a", "a/b", "a/b/c"] {
            let made = root.path().join(made);
            let durable = disk.state.lock().durable_names.contains(&made);
            assert!(durable, "{} after {calls} calls", made.display());
        }
    }
}

/// Without syncs a crash may lose records, but only the last ones: it leaves no gap, and no log that cannot be opened.
#[test]
fn a_power_loss_without_syncs_leaves_the_first_records() {
    const SYNCED: usize = 9;
    let never = Options {
        sync: Sync::Never,
        ..SMALL
    };
    let mut cuts = 0;
    for seed in 0..200 {
        let folder = scratch();
        let disk = Faulty::default();
        let (log, _) = Log::open_on(folder.path(), never, Arc::new(disk.clone())).unwrap();
        for number in 0..RECORDS - seed % 7 {
            log.append(&payload(number)).unwrap();
            if number + 1 == SYNCED {
                log.sync().unwrap();
            }
        }
        disk.lose_power(seed);
        drop(log);
        let (log, recovery) = Log::open(folder.path(), never).unwrap();
        cuts += usize::from(recovery.cut.is_some());
        assert_holds(&log, SYNCED);
    }
    assert!(cuts > 20, "only {cuts} of the crashes tore a record");
}

#[test]
fn short_writes_are_continued() {
    let folder = scratch();
    let disk = Faulty {
        write_bytes_max: Some(7),
        ..Faulty::default()
    };
    let (acknowledged, failure) = write_until_it_fails(folder.path(), &disk);
    assert!(failure.is_none(), "{failure:?}");
    let (log, recovery) = Log::open(folder.path(), SMALL).unwrap();
    assert_eq!(recovery.cut, None);
    assert_eq!(assert_holds(&log, acknowledged), RECORDS);
}

#[test]
fn a_disk_that_takes_nothing_is_an_error() {
    let folder = scratch();
    let disk = Faulty {
        write_bytes_max: Some(0),
        ..Faulty::default()
    };
    let error = Log::open_on(folder.path(), SMALL, Arc::new(disk)).unwrap_err();
    assert!(error.to_string().contains("was not written"), "{error}");
}

/// Threads write until the disk fails under them: whoever was told that a record is safe finds it after a power loss.
#[test]
fn a_failed_sync_is_told_to_every_thread_that_waits_for_it() {
    for calls in (8..60).step_by(4) {
        let folder = scratch();
        let disk = Faulty::full_after(calls);
        let (log, _) = Log::open_on(folder.path(), SMALL, Arc::new(disk.clone())).unwrap();
        let acknowledged: Vec<(u64, Vec<u8>)> = thread::scope(|scope| {
            let write = |thread: u8| {
                let mut safe = Vec::new();
                // Ends, because the disk fails for good.
                while let Ok(sequence) = log.append(&[thread; 90]) {
                    safe.push((sequence, vec![thread; 90]));
                }
                safe
            };
            let threads: Vec<_> = (0..4)
                .map(|thread| scope.spawn(move || write(thread)))
                .collect();
            threads
                .into_iter()
                .flat_map(|thread| thread.join().unwrap())
                .collect()
        });
        drop(log);
        disk.lose_power(calls);
        let (log, _) = Log::open(folder.path(), SMALL).unwrap();
        let found: Result<Vec<Record>, Error> = log.records(0).unwrap().collect();
        let found = found.unwrap();
        for (sequence, payload) in acknowledged {
            assert_eq!(found[sequence as usize].payload, payload);
        }
    }
}

/// A panic is no answer: nobody may go on waiting for the thread that it ended.
#[test]
fn a_panic_in_a_write_is_told_to_every_thread_that_waits_for_it() {
    let folder = scratch();
    let disk = Faulty::default();
    let (log, _) = Log::open_on(folder.path(), SMALL, Arc::new(disk.clone())).unwrap();
    let log = Arc::new(log);
    disk.state.lock().panics = true;
    let (running, ended) = mpsc::channel::<()>();
    for thread in 0..4 {
        let (log, running) = (Arc::clone(&log), running.clone());
        thread::spawn(move || {
            while log.append(&[thread; 90]).is_ok() {}
            drop((log, running));
        });
    }
    drop(running);
    let ended = ended.recv_timeout(PATIENCE);
    assert_eq!(ended, Err(RecvTimeoutError::Disconnected));
    assert!(matches!(log.append(b"later"), Err(Error::Stopped(_))));
}

#[test]
fn closing_tells_of_a_failure_whatever_is_synced() {
    for sync in [Sync::Always, Sync::Never] {
        let folder = scratch();
        let disk = Faulty::default();
        let options = Options { sync, ..SMALL };
        let (log, _) = Log::open_on(folder.path(), options, Arc::new(disk.clone())).unwrap();
        disk.state.lock().calls_left = Some(0);
        log.append(b"one").unwrap_err();
        assert!(matches!(log.close(), Err(Error::Stopped(_))), "{sync:?}");
    }
}

/// A sync that fails while a log is opened forgets the zeros that should have come over what was torn.
#[test]
fn what_was_cut_off_does_not_come_back_when_the_cut_was_not_synced() {
    for (calls, seed) in (0..8).flat_map(|calls| (0..4).map(move |seed| (calls, seed))) {
        let folder = scratch();
        let path = segment(folder.path(), 0);
        let (log, _) = Log::open(folder.path(), SMALL).unwrap();
        log.append(&[1; 40]).unwrap();
        log.append_batch([[2; 40], [3; 40], [4; 40]]).unwrap();
        let mut torn = fs::read(&path).unwrap();
        drop(log);
        // Of the last batch all came to the disk but its first record.
        torn[104..176].fill(0);
        fs::write(&path, torn).unwrap();

        let disk = Faulty::full_after(calls);
        drop(Log::open_on(folder.path(), SMALL, Arc::new(disk.clone())));
        disk.state.lock().calls_left = None;
        let (log, _) = Log::open_on(folder.path(), SMALL, Arc::new(disk.clone())).unwrap();
        log.append(&[5; 40]).unwrap();
        disk.lose_power(seed);
        // Closing the log writes to its files, which is not what this power loss leaves.
        let left = fs::read(&path).unwrap();
        drop(log);
        fs::write(&path, left).unwrap();
        let (log, _) = Log::open(folder.path(), SMALL).unwrap();
        let payloads = log
            .records(0)
            .unwrap()
            .map(|record| record.unwrap().payload);
        assert_eq!(
            payloads.collect::<Vec<_>>(),
            [[1; 40], [5; 40]],
            "after {calls} calls"
        );
    }
}

/// Whoever comes while the disk syncs shares the next sync with all who do.
#[test]
fn all_who_come_during_a_sync_share_the_next_one() {
    const THREADS: u64 = 16;
    let folder = scratch();
    let disk = Faulty::default();
    let (log, _) = Log::open_on(folder.path(), Options::default(), Arc::new(disk.clone())).unwrap();
    let opened = disk.state.lock().syncs;
    let (release, held) = mpsc::channel::<()>();
    disk.state.lock().held = Some(held);
    thread::scope(|scope| {
        // The first of them syncs its own record, because nobody else has come yet.
        for _ in 0..1 + THREADS {
            scope.spawn(|| log.append(b"one").unwrap());
        }
        wait_until("all have come", || log.gathered() == 1 + THREADS);
        drop(release);
    });
    assert_eq!(disk.state.lock().syncs - opened, 2);
    assert_eq!(log.end(), 1 + THREADS);
}

/// The number of syncs is what a durable append costs.
#[test]
fn a_batch_costs_one_sync_and_an_append_another() {
    let folder = scratch();
    let disk = Faulty::default();
    let (log, _) = Log::open_on(folder.path(), Options::default(), Arc::new(disk.clone())).unwrap();
    let syncs = || disk.state.lock().syncs;
    let opened = syncs();
    log.append_batch((0..1_000).map(payload)).unwrap();
    assert_eq!(syncs() - opened, 1);
    log.append(b"one").unwrap();
    log.append(b"two").unwrap();
    assert_eq!(syncs() - opened, 3);
    log.sync().unwrap();
    assert_eq!(syncs() - opened, 3, "there was nothing to sync");
}

#[test]
fn without_sync_nothing_is_synced_until_it_is_asked_for() {
    let folder = scratch();
    let disk = Faulty::default();
    let never = Options {
        sync: Sync::Never,
        ..Options::default()
    };
    let (log, _) = Log::open_on(folder.path(), never, Arc::new(disk.clone())).unwrap();
    let syncs = || disk.state.lock().syncs;
    let opened = syncs();
    log.append(b"one").unwrap();
    assert_eq!(syncs(), opened);
    log.sync().unwrap();
    assert_eq!(syncs(), opened + 1);
    log.append(b"two").unwrap();
    log.close().unwrap();
    assert_eq!(syncs(), opened + 1);
}

/// Nothing else syncs here, so the test ends only if the interval does.
#[test]
fn an_interval_syncs_by_itself() {
    let folder = scratch();
    let disk = Faulty::default();
    let often = Options {
        sync: Sync::Interval(Duration::from_millis(1)),
        ..Options::default()
    };
    let (log, _) = Log::open_on(folder.path(), often, Arc::new(disk.clone())).unwrap();
    let opened = disk.state.lock().syncs;
    log.append(b"one").unwrap();
    wait_until("it was synced", || disk.state.lock().syncs > opened);
    log.close().unwrap();
}
