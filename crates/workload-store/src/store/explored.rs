//! Small cases, taken through every order in which their threads can run, or where it says so through many.
//!
//! shuttle replaces the locks and the atomics of this crate's own tests (`sync.rs`) and decides at each of them whose
//! turn it is.

use std::sync::Arc;
use std::time::Duration;

use shuttle::scheduler::DfsScheduler;
use shuttle::{Config, Runner, thread};

use super::{ENTRY_BYTES, Error, Eviction, Limit, Shards, Store};

/// Runs a case under every schedule there is.
fn explore(case: impl Fn() + Send + Sync + 'static) {
    let every_schedule = DfsScheduler::new(None, false);
    let schedules = Runner::new(every_schedule, Config::default()).run(case);
    assert!(schedules > 1, "the threads never met");
}

/// A store of two shards with room for one key of one byte with a value of one.
fn narrow(eviction: Eviction) -> Arc<Store> {
    narrow_of(2, eviction)
}

fn narrow_of(shards: usize, eviction: Eviction) -> Arc<Store> {
    let limit = Limit {
        bytes: ENTRY_BYTES + 2,
        eviction,
    };
    Arc::new(Store::limited(Shards::new(shards).unwrap(), limit))
}

/// Two writers and one place: one of them gets it, the other is told.
#[test]
fn the_last_bytes_are_given_once() {
    explore(|| {
        let store = narrow(Eviction::Refuse);
        let other = Arc::clone(&store);
        let theirs = thread::spawn(move || other.set(b"a", b"1"));
        let ours = store.set(b"b", b"1");
        let mut both = [theirs.join().unwrap(), ours];
        both.sort_unstable_by_key(Result::is_err);
        let (needed, limit) = (ENTRY_BYTES + 2, ENTRY_BYTES + 2);
        assert_eq!(both, [Ok(None), Err(Error::MemoryLimit { needed, limit })]);
        assert_eq!(store.statistics().bytes, limit);
        assert!(store.delete(b"a") != store.delete(b"b"));
        assert_eq!(store.set(b"c", b"1"), Ok(None));
    });
}

/// Two writers and one place that a third key has: whoever comes last has it, and nobody is refused for the key that
/// the other one evicted.
#[test]
fn whoever_writes_evicts_until_there_is_room() {
    let write_two = |shards| {
        move || {
            let store = narrow_of(shards, Eviction::LeastRecentlyUsed);
            assert_eq!(store.set(b"c", b"1"), Ok(None));
            let other = Arc::clone(&store);
            let theirs = thread::spawn(move || other.set(b"a", b"1"));
            let ours = store.set(b"b", b"1");
            assert_eq!([theirs.join().unwrap(), ours], [Ok(None), Ok(None)]);
            let statistics = store.statistics();
            assert_eq!((statistics.keys, statistics.evicted), (1, 2));
            assert_eq!((statistics.writes, statistics.bytes), (3, ENTRY_BYTES + 2));
            assert!(store.get(b"a").is_some() != store.get(b"b").is_some());
        }
    };
    explore(write_two(1));
    // Of two shards there are nearly two hundred thousand: some of them, drawn.
    shuttle::check_random(write_two(2), 2_000);
}

/// Two writers, and a third key whose place has room for both: nobody is refused because the other one removed it.
#[test]
fn nobody_is_refused_the_room_that_another_made() {
    let soon = Duration::from_millis(1);
    let write_two = |shards, eviction, passed| {
        move || {
            let bytes = 2 * (ENTRY_BYTES + 2);
            let limit = Limit { bytes, eviction };
            let store = Arc::new(Store::limited(Shards::new(shards).unwrap(), limit));
            let fills = vec![0; (bytes - ENTRY_BYTES - 1) as usize];
            assert_eq!(store.set_for(b"c", &fills, soon), Ok(None));
            store.advance(passed);
            let other = Arc::clone(&store);
            let theirs = thread::spawn(move || other.set(b"a", b"1"));
            let ours = store.set(b"b", b"1");
            assert_eq!([theirs.join().unwrap(), ours], [Ok(None), Ok(None)]);
            let statistics = store.statistics();
            assert_eq!((statistics.keys, statistics.bytes), (2, bytes));
            assert_eq!(statistics.evicted + statistics.expired, 1);
        }
    };
    for (eviction, passed) in [
        (Eviction::SoonestToExpire, Duration::ZERO),
        (Eviction::Refuse, soon),
    ] {
        explore(write_two(1, eviction, passed));
        // Of two shards there are too many: some of them, drawn.
        shuttle::check_random(write_two(2, eviction, passed), 2_000);
    }
}

/// A key that is counted by two threads is counted twice.
#[test]
fn no_count_is_lost() {
    explore(|| {
        let store = Arc::new(Store::new(Shards::new(1).unwrap()));
        let other = Arc::clone(&store);
        let theirs = thread::spawn(move || other.incr(b"n", 1).unwrap());
        store.incr(b"n", 1).unwrap();
        theirs.join().unwrap();
        assert_eq!(store.get(b"n").as_deref(), Some(&b"2"[..]));
    });
}

/// A key that expires while two threads come upon it is removed once.
#[test]
fn a_key_expires_once() {
    explore(|| {
        let store = narrow(Eviction::Refuse);
        store.set_for(b"a", b"1", Duration::from_millis(1)).unwrap();
        let other = Arc::clone(&store);
        let theirs = thread::spawn(move || {
            other.advance(Duration::from_millis(1));
            other.remove_expired(9)
        });
        let seen = store.get(b"a");
        let removed = theirs.join().unwrap();
        assert_eq!(store.get(b"a"), None);
        let statistics = store.statistics();
        assert_eq!((statistics.expired, statistics.bytes), (1, 0));
        assert!(removed == 1 || seen.is_none());
        assert_eq!(store.set(b"b", b"1"), Ok(None));
    });
}

/// What has expired in one shard does not keep what has expired in another.
#[test]
fn expired_keys_go_from_every_shard_in_turn() {
    let case = || {
        let store = Store::new(Shards::new(2).unwrap());
        for key in 0..16_u8 {
            let soon = Duration::from_millis(1);
            store.set_for(&[key], b"v", soon).unwrap();
        }
        let keys = || [0, 1].map(|shard| store.shards[shard].lock().len());
        let before = keys();
        assert!(before.iter().all(|&keys| keys > 2), "{before:?}");
        store.advance(Duration::from_millis(2));
        assert_eq!([store.remove_expired(1), store.remove_expired(1)], [1, 1]);
        assert_eq!(keys(), before.map(|keys| keys - 1));
        assert_eq!(store.remove_expired(usize::MAX), 14);
    };
    Runner::new(DfsScheduler::new(None, false), Config::default()).run(case);
}
