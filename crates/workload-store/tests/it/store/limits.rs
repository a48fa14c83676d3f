//! The memory limit: what is counted, what is refused, and what is evicted.

use workload_store::{BatchError, ENTRY_BYTES, Error, Eviction, Limit, Store};

use super::{ms, shards};

/// What a key of four bytes with a value of ten costs.
const COST: u64 = ENTRY_BYTES + 14;

/// A store of one shard with room for so many keys of four bytes with values of ten.
fn room_for(keys: u64, eviction: Eviction) -> Store {
    let bytes = keys * COST;
    Store::limited(shards(1), Limit { bytes, eviction })
}

fn key(number: u64) -> [u8; 4] {
    (number as u32).to_le_bytes()
}

fn set(store: &Store, number: u64) {
    assert_eq!(store.set(&key(number), b"ten bytes!"), Ok(None));
}

#[test]
fn without_eviction_a_write_too_many_is_refused() {
    let store = room_for(2, Eviction::Refuse);
    set(&store, 1);
    set(&store, 2);
    let full = Error::MemoryLimit {
        needed: COST,
        limit: 2 * COST,
    };
    assert_eq!(store.set(&key(3), b"ten bytes!"), Err(full));
    let longer = store.set(&key(2), b"ten bytes!!");
    assert!(matches!(longer, Err(Error::MemoryLimit { needed: 1, .. })));
    let batch = store.set_many(&[(&key(2), b"ten again!"), (&key(3), b"ten bytes!")]);
    let expected = BatchError {
        stored: 1,
        source: full,
    };
    assert_eq!(batch, Err(expected));
    assert_eq!(store.get(&key(2)).as_deref(), Some(&b"ten again!"[..]));
    assert_eq!(store.statistics().evicted, 0);
}

/// What every way of making less gives back can be used again.
#[test]
fn what_is_given_back_can_be_used_again() {
    let store = room_for(1, Eviction::Refuse);
    for _ in 0..3 {
        set(&store, 1);
        assert!(store.delete(&key(1)));
        store.set(&key(1), b"").unwrap();
        assert_eq!(store.statistics().bytes, COST - 10);
        store.set(&key(1), b"ten bytes!").unwrap();
        assert_eq!(store.expire_in(&key(1), ms(1)), Ok(true));
        assert_eq!(store.statistics().bytes, COST);
        store.delete(&key(1));
    }
    store.set_for(&key(1), b"ten bytes!", ms(1)).unwrap();
    store.advance(ms(1));
    // What has expired makes room without being asked to.
    set(&store, 2);
    assert!(store.delete(&key(2)));
    assert_eq!(store.statistics().bytes, 0);
}

#[test]
fn the_key_used_least_recently_goes() {
    let store = room_for(100, Eviction::LeastRecentlyUsed);
    for number in 0..100 {
        set(&store, number);
    }
    for number in 100..1_000 {
        // Used all the time, these stay: a draw of five keys would have to be of nothing but them.
        for kept in 0..5 {
            let _used = store.get(&key(kept));
        }
        set(&store, number);
    }
    let statistics = store.statistics();
    assert_eq!((statistics.keys, statistics.evicted), (100, 900));
    assert!((0..5).all(|kept| store.exists(&key(kept))));
    // A queue would now hold none of the older half; a draw leaves few.
    let old = (5..500).filter(|&number| store.exists(&key(number)));
    assert!(old.count() < 5);
}

#[test]
fn the_key_used_least_often_goes() {
    let store = room_for(100, Eviction::LeastFrequentlyUsed);
    for number in 0..100 {
        set(&store, number);
    }
    for _ in 0..1_000 {
        for often in 0..10 {
            let _used = store.get(&key(often));
        }
    }
    for number in 100..200 {
        set(&store, number);
    }
    assert!((0..10).all(|often| store.exists(&key(often))));
    // Nobody reads them any more: the counts of long ago fade.
    for number in 200..3_000 {
        set(&store, number);
        let _used = store.get(&key(number));
    }
    let old = (0..10).filter(|&number| store.exists(&key(number)));
    assert!(old.count() < 3);
}

#[test]
fn the_key_that_expires_soonest_goes_and_no_other() {
    let store = room_for(4, Eviction::SoonestToExpire);
    set(&store, 0);
    for (number, left) in [(1, 300_000), (2, 20), (3, 4_000)] {
        let stored = store.set_for(&key(number), b"ten bytes!", ms(left));
        assert_eq!(stored, Ok(None));
    }
    for (number, gone) in [(4, 2), (5, 3), (6, 1)] {
        set(&store, number);
        assert!(!store.exists(&key(gone)));
    }
    let refused = store.set(&key(7), b"ten bytes!");
    assert!(matches!(refused, Err(Error::MemoryLimit { .. })));
    assert!([0, 4, 5, 6].iter().all(|&kept| store.exists(&key(kept))));
}

#[test]
fn what_can_never_fit_evicts_nobody() {
    let store = room_for(2, Eviction::LeastRecentlyUsed);
    set(&store, 1);
    set(&store, 2);
    let large = vec![0; 2 * COST as usize];
    let refused = store.set(&key(1), &large);
    assert!(matches!(refused, Err(Error::MemoryLimit { .. })));
    assert_eq!(store.len(), 2);
}

/// The limit is the store's, not a shard's: one value may need all of it.
#[test]
fn room_is_made_in_other_shards_too() {
    let limit = Limit {
        bytes: 100 * COST,
        eviction: Eviction::LeastRecentlyUsed,
    };
    let store = Store::limited(shards(64), limit);
    for number in 0..100 {
        set(&store, number);
    }
    let large = vec![0; (100 * COST - ENTRY_BYTES - 4) as usize];
    assert_eq!(store.set(&key(1_000), &large), Ok(None));
    assert_eq!((store.len(), store.statistics().bytes), (1, limit.bytes));
}

/// The seed is fixed: the same calls evict the same keys.
#[test]
fn eviction_is_the_same_every_time() {
    let left = || {
        let store = room_for(50, Eviction::LeastRecentlyUsed);
        (0..500).for_each(|number| set(&store, number));
        store.scan(b"").collect::<Vec<_>>()
    };
    assert_eq!(left(), left());
}
