//! What the log promises and refuses, one short story each.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};
use workload_store::log::{
    Error, Log, Options, RECORD_BYTES_MAX, SEGMENT_BYTES_MAX, Sync, snapshot,
};

use super::{SMALL, open, payloads, read, scratch};

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|found| found == ending));
    files.sort();
    files
}

#[test]
fn syncs_are_counted_where_records_wait_for_them() {
    for (sync, expected) in [(Sync::Always, [1, 2, 2]), (Sync::Never, [0, 0, 1])] {
        let folder = scratch();
        let options = Options {
            sync,
            ..Options::default()
        };
        let (log, _) = Log::open(folder.path(), options).unwrap();
        assert_eq!(log.syncs(), 0);
        log.append(b"one").unwrap();
        let alone = log.syncs();
        log.append_batch([b"two", b"six"]).unwrap();
        let together = log.syncs();
        log.sync().unwrap();
        assert_eq!([alone, together, log.syncs()], expected, "{sync:?}");
    }
}

#[test]
fn records_come_back_in_order_from_any_number_on() {
    let folder = scratch();
    let written: Vec<Vec<u8>> = (0..200_u8).map(|n| vec![n; usize::from(n)]).collect();
    let (log, _) = open(folder.path());
    for (number, payload) in written.iter().enumerate() {
        assert_eq!(log.append(payload).unwrap(), number as u64);
    }
    log.close().unwrap();
    assert!(files(folder.path(), "segment").len() > 3);

    let (log, recovery) = open(folder.path());
    assert_eq!((recovery.records, recovery.cut), (0..200, None));
    for from in [0, 1, 57, 199, 200, 201] {
        let expected = written.get(from..).unwrap_or_default();
        assert_eq!(payloads(&log, from as u64), expected, "from {from}");
    }
    assert_eq!(log.append(b"next").unwrap(), 200);
}

#[test]
fn reading_ends_with_what_was_acknowledged_when_it_began() {
    let folder = scratch();
    let (log, _) = open(folder.path());
    log.append(b"one").unwrap();
    let mut records = log.records(0).unwrap();
    log.append(b"two").unwrap();
    assert_eq!(records.next().unwrap().unwrap().payload, b"one");
    assert!(records.next().is_none());
}

#[test]
fn an_empty_log_and_an_empty_batch_are_none_the_worse() {
    let folder = scratch();
    for _ in 0..3 {
        let (log, recovery) = open(folder.path());
        assert_eq!((recovery.records, recovery.cut), (0..0, None));
        assert_eq!(log.append_batch::<&[u8]>([]).unwrap(), 0..0);
        assert_eq!(read(&log, 0), []);
        log.close().unwrap();
    }
    assert_eq!(files(folder.path(), "segment").len(), 1);
}

/// Each closing leaves a mark in the log, and marks must not fill it.
#[test]
fn closing_again_and_again_leaves_one_mark() {
    let folder = scratch();
    open(folder.path()).0.append(b"one").unwrap();
    let segment = &files(folder.path(), "segment")[0];
    let once = fs::read(segment).unwrap();
    for _ in 0..200 {
        drop(open(folder.path()));
    }
    assert!(fs::read(segment).unwrap() == once);
    assert_eq!(payloads(&open(folder.path()).0, 0), [b"one"]);
}

#[test]
fn the_longest_record_has_a_segment_to_itself_and_a_longer_one_is_refused() {
    let folder = scratch();
    let (log, _) = open(folder.path());
    let longest = vec![7; RECORD_BYTES_MAX];
    log.append(&longest).unwrap();
    log.append(b"short").unwrap();
    let too_long = vec![7; RECORD_BYTES_MAX + 1];
    let error = log.append(&too_long).unwrap_err();
    assert!(matches!(error, Error::RecordTooLong { bytes } if bytes == too_long.len()));
    let error = log.append_batch([&b"fine"[..], &too_long]).unwrap_err();
    assert!(matches!(error, Error::RecordTooLong { .. }), "{error}");
    log.close().unwrap();

    let (log, _) = open(folder.path());
    assert!(payloads(&log, 0) == [longest, b"short".to_vec()]);
}

#[test]
fn a_segment_beyond_the_limit_is_refused() {
    let folder = scratch();
    let options = Options {
        segment_bytes: SEGMENT_BYTES_MAX + 1,
        ..SMALL
    };
    let error = Log::open(folder.path(), options).unwrap_err();
    assert!(matches!(error, Error::SegmentTooLong { .. }), "{error}");
}

#[test]
fn an_interval_of_no_time_is_refused() {
    let folder = scratch();
    let options = Options {
        sync: Sync::Interval(Duration::ZERO),
        ..SMALL
    };
    let error = Log::open(folder.path(), options).unwrap_err();
    assert!(error.to_string().contains("Sync::Always"), "{error}");
}

#[test]
fn a_second_opener_is_refused_until_the_first_has_closed() {
    let folder = scratch();
    let (log, _) = open(folder.path());
    let error = Log::open(folder.path(), SMALL).unwrap_err();
    assert!(matches!(&error, Error::InUse { file } if file.ends_with("lock")));
    log.append(b"one").unwrap();
    log.close().unwrap();
    assert_eq!(payloads(&open(folder.path()).0, 0), [b"one"]);
}

#[test]
fn a_segment_of_another_version_is_refused_and_left_alone() {
    let folder = scratch();
    open(folder.path()).0.append(b"one").unwrap();
    let segment = &files(folder.path(), "segment")[0];
    let mut bytes = fs::read(segment).unwrap();
    bytes[8] = 2;
    fs::write(segment, &bytes).unwrap();
    let error = Log::open(folder.path(), SMALL).unwrap_err();
    assert!(
        matches!(&error, Error::OtherVersion { file, found: 2 } if file == segment),
        "{error}"
    );
    assert!(fs::read(segment).unwrap() == bytes);
}

#[test]
fn a_read_only_folder_is_refused_by_name() {
    let folder = scratch();
    let lock = folder.path().join("lock");
    fs::set_permissions(folder.path(), Permissions::from_mode(0o555)).unwrap();
    let opened = without_privileges(|| Log::open(folder.path(), SMALL).map(drop));
    let error = opened.unwrap_err();
    assert!(
        matches!(&error, Error::Io { path, source, .. }
            if *path == lock && source.kind() == std::io::ErrorKind::PermissionDenied),
        "{error}"
    );
    assert!(error.to_string().ends_with("was not opened for writing"));
}

/// Runs something in a thread that permissions stop, also where the tests run as root.
///
/// Privileges belong to a thread: the others keep theirs, and no other user is needed, which a container may not have.
fn without_privileges<T: Send>(act: impl FnOnce() -> T + Send) -> T {
    let act = || {
        let none = CapabilitySets {
            effective: CapabilitySet::empty(),
            permitted: CapabilitySet::empty(),
            inheritable: CapabilitySet::empty(),
        };
        set_capabilities(None, none).unwrap();
        act()
    };
    thread::scope(|scope| scope.spawn(act).join().unwrap())
}

#[test]
fn threads_share_the_log_and_keep_their_order() {
    const THREADS: u8 = 16;
    const RECORDS: u8 = 50;
    for sync in [
        Sync::Always,
        Sync::Interval(Duration::from_millis(1)),
        Sync::Never,
    ] {
        let folder = scratch();
        let (log, _) = Log::open(folder.path(), Options { sync, ..SMALL }).unwrap();
        thread::scope(|scope| {
            for thread in 0..THREADS {
                let log = &log;
                scope.spawn(move || {
                    for number in 0..RECORDS {
                        let payload = [thread, number];
                        let sequence = log.append(&payload).unwrap();
                        let found = log.records(sequence).unwrap().next().unwrap().unwrap();
                        assert_eq!(found.payload, payload, "acknowledged, and not to be read");
                    }
                });
            }
        });
        log.close().unwrap();

        let (log, recovery) = open(folder.path());
        assert_eq!(recovery.cut, None);
        let mut next = BTreeMap::new();
        for payload in payloads(&log, 0) {
            let next: &mut u8 = next.entry(payload[0]).or_default();
            assert_eq!(payload[1], *next, "thread {}", payload[0]);
            *next += 1;
        }
        assert!(next.len() == usize::from(THREADS) && next.values().all(|n| *n == RECORDS));
    }
}

#[test]
fn a_snapshot_and_the_tail_restore_all_and_the_rest_can_go() {
    let folder = scratch();
    let (log, _) = open(folder.path());
    let written: Vec<Vec<u8>> = (0..100_u8).map(|n| vec![n; 200]).collect();
    log.append_batch(&written).unwrap();
    assert!(log.restore().unwrap().snapshot.is_none());
    assert_eq!(log.remove_covered().unwrap(), 0);

    // What the records add up to is the caller's business: here, their first bytes.
    for covers in [30, 70] {
        let firsts = written[..covers].iter().map(|payload| [payload[0]]);
        assert_eq!(log.snapshot(covers as u64, firsts).unwrap(), covers as u64);
    }
    let before = files(folder.path(), "segment").len();
    let removed = log.remove_covered().unwrap();
    let after = files(folder.path(), "segment").len();
    assert_eq!(before - after + 1, removed, "and the older snapshot");
    assert!(after < before);
    assert_eq!(files(folder.path(), "snapshot").len(), 1);
    log.close().unwrap();

    let (log, recovery) = open(folder.path());
    assert!((1..=70).contains(&recovery.records.start));
    let error = log.records(0).unwrap_err();
    assert!(matches!(error, Error::NotCovered { .. }), "{error}");
    let restored = log.restore().unwrap();
    let firsts: Result<Vec<_>, _> = restored.snapshot.unwrap().collect();
    let expected: Vec<_> = written[..70].iter().map(|p| vec![p[0]]).collect();
    assert_eq!(firsts.unwrap(), expected);
    let tail: Result<Vec<_>, _> = restored.tail.collect();
    let tail = tail.unwrap().into_iter().map(|record| record.payload);
    assert_eq!(tail.collect::<Vec<_>>(), written[70..]);
}

#[test]
fn a_snapshot_ahead_of_the_log_is_refused() {
    let folder = scratch();
    let (log, _) = open(folder.path());
    log.append(b"one").unwrap();
    let error = log.snapshot(2, [b"state"]).unwrap_err();
    assert!(
        matches!(error, Error::AheadOfLog { covers: 2, end: 1 }),
        "{error}"
    );
    drop(log);
    // One that came from elsewhere is no better: records would get numbers that it covers.
    let stray = folder.path().join(format!("{:020}.snapshot", 9));
    snapshot::Writer::create(&stray, 9)
        .unwrap()
        .finish()
        .unwrap();
    let error = Log::open(folder.path(), SMALL).unwrap_err();
    assert!(
        matches!(error, Error::AheadOfLog { covers: 9, end: 1 }),
        "{error}"
    );
}

#[test]
fn a_snapshot_that_cannot_be_one_is_told_with_its_name() {
    let folder = scratch();
    let (log, _) = open(folder.path());
    log.append(b"one").unwrap();
    drop(log);
    let empty = folder.path().join(format!("{}.snapshot", u64::MAX));
    fs::write(&empty, b"").unwrap();
    assert_damaged(folder.path(), &empty);
    // One that is whole, and leaves the log no number to go on with.
    let alone = scratch();
    let last = alone.path().join(format!("{}.snapshot", u64::MAX));
    let writer = snapshot::Writer::create(&last, u64::MAX).unwrap();
    writer.finish().unwrap();
    assert_damaged(alone.path(), &last);
}

fn assert_damaged(folder: &Path, file: &Path) {
    let error = Log::open(folder, SMALL).unwrap_err();
    assert!(
        matches!(&error, Error::Damaged { file: named, .. } if named == file),
        "{error}"
    );
}

#[test]
fn a_tail_that_was_restored_stays_until_it_is_dropped() {
    let folder = scratch();
    let (log, _) = open(folder.path());
    let append = || log.append_batch((0..100_u8).map(|n| [n; 200])).unwrap();
    append();
    log.snapshot(50, [b"half"]).unwrap();
    let restored = log.restore().unwrap();
    append();
    log.snapshot(200, [b"all"]).unwrap();
    // The older snapshot is open, and goes; so do the segments before the tail.
    assert!(log.remove_covered().unwrap() > 0);
    let kept = files(folder.path(), "segment").len();
    let state: Vec<_> = restored.snapshot.unwrap().map(Result::unwrap).collect();
    assert_eq!(state, [b"half"]);
    let tail: Vec<_> = restored.tail.map(Result::unwrap).collect();
    let numbers = tail.iter().map(|record| record.sequence);
    assert!(numbers.eq(50..100));
    assert!(log.remove_covered().unwrap() > 0);
    assert!(files(folder.path(), "segment").len() < kept);
}

/// Whoever restores while another thread takes snapshots finds one of them, and all that comes after it.
#[test]
fn a_snapshot_is_not_removed_while_it_is_restored() {
    let folder = scratch();
    let (log, _) = open(folder.path());
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for number in 0..300_u64 {
                log.append(&[7; 1_500]).unwrap();
                log.snapshot(number + 1, [b"state"]).unwrap();
                log.remove_covered().unwrap();
            }
            done.store(true, Ordering::Relaxed);
        });
        while !done.load(Ordering::Relaxed) {
            let restored = log.restore().unwrap();
            let mut next = 0;
            if let Some(snapshot) = restored.snapshot {
                next = snapshot.covers();
                snapshot.for_each(|record| assert_eq!(record.unwrap(), b"state"));
            }
            for record in restored.tail {
                assert_eq!(record.unwrap().sequence, next);
                next += 1;
            }
        }
    });
}

#[test]
fn nothing_is_removed_when_the_snapshot_cannot_be_read() {
    let folder = scratch();
    let (log, _) = open(folder.path());
    log.append_batch((0..100_u8).map(|n| [n; 200])).unwrap();
    log.snapshot(100, [b"state"]).unwrap();
    let snapshot = &files(folder.path(), "snapshot")[0];
    let mut bytes = fs::read(snapshot).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(snapshot, bytes).unwrap();
    let before = files(folder.path(), "segment");
    let error = log.remove_covered().unwrap_err();
    assert!(
        matches!(&error, Error::Damaged { file, .. } if file == snapshot),
        "{error}"
    );
    assert_eq!(files(folder.path(), "segment"), before);
}

/// The file that a snapshot is written to is a disk that is always full.
#[test]
fn a_snapshot_on_a_full_disk_leaves_the_older_one_and_the_log() {
    let folder = scratch();
    let (log, _) = open(folder.path());
    log.append_batch([b"one", b"two"]).unwrap();
    log.snapshot(1, [b"state"]).unwrap();
    let unfinished = folder.path().join(format!("{:020}.snapshot.unfinished", 2));
    std::os::unix::fs::symlink("/dev/full", &unfinished).unwrap();
    let error = log.snapshot(2, [b"state"]).unwrap_err();
    assert!(
        matches!(&error, Error::Io { path, source, .. }
            if *path == unfinished && source.kind() == std::io::ErrorKind::StorageFull),
        "{error}"
    );
    assert!(!unfinished.is_symlink());
    assert_eq!(log.restore().unwrap().snapshot.unwrap().covers(), 1);
    assert_eq!(log.append(b"three").unwrap(), 2);
}

/// The way out when segments are lost for good: the log goes on behind its snapshot.
#[test]
fn a_log_of_a_snapshot_alone_continues_behind_it() {
    let folder = scratch();
    let (log, _) = open(folder.path());
    log.append_batch([b"one", b"two"]).unwrap();
    log.snapshot(2, [b"state"]).unwrap();
    log.close().unwrap();
    for segment in files(folder.path(), "segment") {
        fs::remove_file(segment).unwrap();
    }
    let (log, recovery) = open(folder.path());
    assert_eq!(recovery.records, 2..2);
    assert_eq!(log.append(b"three").unwrap(), 2);
}

#[test]
fn a_missing_segment_is_told() {
    let folder = scratch();
    let (log, _) = open(folder.path());
    log.append_batch((0..100_u8).map(|n| [n; 200])).unwrap();
    log.close().unwrap();
    let segments = files(folder.path(), "segment");
    let aside = folder.path().join("aside");
    fs::rename(&segments[2], &aside).unwrap();
    let error = Log::open(folder.path(), SMALL).unwrap_err();
    assert!(
        matches!(&error, Error::Damaged { file, .. } if *file == segments[3]),
        "{error}"
    );
    fs::rename(&aside, &segments[2]).unwrap();
    // The first one may be missing, because a snapshot may have covered it; but none does.
    fs::remove_file(&segments[0]).unwrap();
    let (log, recovery) = open(folder.path());
    let error = log.restore().unwrap_err();
    assert!(
        matches!(error, Error::NotCovered { begin } if begin == recovery.records.start),
        "{error}"
    );
}

/// The one before ends where another one was: it is not taken for the last.
#[test]
fn a_missing_last_segment_is_told() {
    let folder = scratch();
    let (log, _) = open(folder.path());
    log.append_batch((0..100_u8).map(|n| [n; 200])).unwrap();
    log.close().unwrap();
    let segments = files(folder.path(), "segment");
    let (last, earlier) = segments.split_last().unwrap();
    fs::remove_file(last).unwrap();
    assert_damaged(folder.path(), earlier.last().unwrap());
}

#[test]
fn a_log_that_is_not_opened_is_left_as_it_was() {
    let folder = scratch();
    open(folder.path()).0.append(b"one").unwrap();
    fs::write(&files(folder.path(), "segment")[0], b"no segment").unwrap();
    let unfinished = folder.path().join(format!("{:020}.segment.unfinished", 1));
    fs::write(&unfinished, b"half").unwrap();
    Log::open(folder.path(), SMALL).unwrap_err();
    assert!(unfinished.exists());
}

#[test]
fn what_a_crash_left_unfinished_is_removed() {
    let folder = scratch();
    open(folder.path()).0.append(b"one").unwrap();
    let unfinished = folder.path().join(format!("{:020}.segment.unfinished", 1));
    let foreign = folder.path().join("letter.unfinished");
    fs::write(&unfinished, b"half").unwrap();
    fs::write(&foreign, b"dear").unwrap();
    assert_eq!(payloads(&open(folder.path()).0, 0), [b"one"]);
    assert!(!unfinished.exists() && foreign.exists());
}
