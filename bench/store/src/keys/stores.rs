//! The stores that passes begin with.
//!
//! Tests: through the passes.

use std::time::Duration;

use workload_store::{ENTRY_BYTES, Eviction, Limit, Shards, Store};

use crate::{Inputs, VALUE_BYTES};

/// The time to live, in seconds, of keys that have none.
pub const FOR_GOOD: u64 = 0;

/// The time to live, in seconds, of keys that have one: the report's.
pub const EXPIRING: u64 = 3_600;

/// Both.
pub const TTLS: [u64; 2] = [FOR_GOOD, EXPIRING];

/// Why a set never fails here.
pub(super) const FITS: &str = "no input is as long as the store's limits";

/// A number that has the same digits whichever way it is counted, for as long as anybody counts.
const COUNTED_FROM: &[u8] = b"5000000";

/// Returns a store in which each key has its first value, for so many seconds.
#[must_use]
pub fn filled(inputs: &Inputs, ttl: u64) -> Store {
    let store = inputs.empty_store();
    for (key, value) in inputs.pairs() {
        set(&store, key, value, ttl);
    }
    store
}

/// Returns a store in which each key has expired, and none was removed for that.
#[must_use]
pub fn past(inputs: &Inputs) -> Store {
    let store = filled(inputs, EXPIRING);
    store.advance(Duration::from_secs(EXPIRING));
    store
}

/// Returns a store in which each key is a number, for so many seconds.
#[must_use]
pub fn counters(inputs: &Inputs, ttl: u64) -> Store {
    let store = inputs.empty_store();
    for key in inputs.keys() {
        set(&store, key, COUNTED_FROM, ttl);
    }
    store
}

/// Returns a store with as many keys, and none of them.
#[must_use]
pub fn strangers(inputs: &Inputs) -> Store {
    let store = inputs.empty_store();
    for (key, value) in inputs.pairs() {
        set(&store, &[key, b"'"].concat(), value, FOR_GOOD);
    }
    store
}

/// The benchmarks in which a store is full, and what makes room in each.
pub const EVICTIONS: [(&str, Eviction); 4] = [
    ("kv/evict_refused", Eviction::Refuse),
    ("kv/evict_least_recent", Eviction::LeastRecentlyUsed),
    ("kv/evict_least_frequent", Eviction::LeastFrequentlyUsed),
    ("kv/evict_soonest", Eviction::SoonestToExpire),
];

/// Returns a store that is full of other keys: each key that comes needs the room of one that is there.
///
/// Every other one was used, so that there is something to choose by; and they expire one after the other where that is
/// what is chosen by.
#[must_use]
pub fn full(inputs: &Inputs, eviction: Eviction) -> Store {
    let cost = |(key, value): (&[u8], &[u8])| ENTRY_BYTES + (key.len() + value.len()) as u64;
    let bytes = inputs.pairs().map(cost).sum();
    let store = Store::limited(Shards::default(), Limit { bytes, eviction });
    for (seconds, (key, value)) in (EXPIRING..).zip(inputs.pairs()) {
        let mut other = key.to_vec();
        other[0] = b'K';
        let expires = eviction == Eviction::SoonestToExpire;
        set(
            &store,
            &other,
            value,
            if expires { seconds } else { FOR_GOOD },
        );
        if seconds % 2 == 0 {
            let _used = store.get(&other);
        }
    }
    store
}

pub(super) fn set(store: &Store, key: &[u8], value: &[u8], ttl: u64) {
    let set = match ttl {
        FOR_GOOD => store.set(key, value),
        seconds => store.set_for(key, value, Duration::from_secs(seconds)),
    };
    drop(set.expect(FITS));
}

/// So many keys of a call, with their values, as the store takes them.
#[derive(Debug)]
pub struct Batch<'i> {
    pub(super) keys: Vec<&'i [u8]>,
    pub(super) pairs: Vec<(&'i [u8], &'i [u8])>,
}

impl<'i> Batch<'i> {
    /// Returns all keys as one call.
    #[must_use]
    pub fn of(inputs: &'i Inputs) -> Self {
        Self {
            keys: inputs.keys().collect(),
            pairs: inputs.new_pairs().collect(),
        }
    }

    /// Returns so many keys with their short values.
    #[must_use]
    pub fn inputs(count: usize) -> Inputs {
        Inputs::of(count, VALUE_BYTES[0])
    }
}
