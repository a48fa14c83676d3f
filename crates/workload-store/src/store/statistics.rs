//! What a store has done so far, and what it holds.
//!
//! Each shard counts under its own lock; the sum is made when somebody asks. Tests: the model in `tests/it/store`
//! counts along.

use std::ops::AddAssign;

/// The numbers of a store: the sum over its shards, one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Reads that found their key.
    pub hits: u64,
    /// Reads that did not.
    pub misses: u64,
    /// Values written, new or in place of others.
    pub writes: u64,
    /// Keys deleted.
    pub deleted: u64,
    /// Keys that expired and were removed.
    pub expired: u64,
    /// Keys removed to make room.
    pub evicted: u64,
    /// Keys held now, with those that have expired and were not removed yet.
    pub keys: u64,
    /// Those of them that have a time to live.
    pub expiring: u64,
    /// Bytes of keys and values held now, and [`ENTRY_BYTES`](crate::ENTRY_BYTES) for each key. Handles that others
    /// keep are theirs.
    pub bytes: u64,
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Self) {
        let Self {
            hits,
            misses,
            writes,
            deleted,
            expired,
            evicted,
            keys,
            expiring,
            bytes,
        } = other;
        self.hits += hits;
        self.misses += misses;
        self.writes += writes;
        self.deleted += deleted;
        self.expired += expired;
        self.evicted += evicted;
        self.keys += keys;
        self.expiring += expiring;
        self.bytes += bytes;
    }
}
