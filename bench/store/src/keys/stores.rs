//! The stores that passes begin with.
//!
//! Tests: through the passes.

use std::time::Duration;

use workload_store::Store;

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
