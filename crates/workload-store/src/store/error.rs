//! Why a store did not do what it was asked to.
//!
//! Tests: each where it arises, in `tests/it/store`.

use super::{KEY_BYTES_MAX, VALUE_BYTES_MAX};

/// Why something did not happen. The key is as it was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A key above the limit.
    #[error(
        "nothing was stored: the key has {0} bytes, and the limit is {KEY_BYTES_MAX}; use a digest of it"
    )]
    KeyTooLong(usize),
    /// A value above the limit.
    #[error(
        "nothing was stored: the value has {0} bytes, and the limit is {VALUE_BYTES_MAX}; split it"
    )]
    ValueTooLong(usize),
    /// No time to live.
    #[error(
        "nothing was stored: with a time to live of nothing it would be gone at once; delete the key, or give it some"
    )]
    NoTimeToLive,
    /// The value to be counted up or down is something else.
    #[error(
        "nothing was counted: the value is not a whole number between {min} and {max} in decimal digits; set one first",
        min = i64::MIN,
        max = i64::MAX
    )]
    NotANumber,
    /// The sum has no room.
    #[error(
        "nothing was counted: {number} would go out of the range from {min} to {max}; set the key anew",
        min = i64::MIN,
        max = i64::MAX
    )]
    Overflow {
        /// The number as it still is.
        number: i64,
    },
    /// The memory limit leaves no room, whatever may be evicted.
    #[error(
        "nothing was stored: it needs {needed} bytes more, the limit is {limit}, and nothing else may be evicted; \
         delete something, or raise the limit"
    )]
    MemoryLimit {
        /// What the write adds.
        needed: u64,
        /// The limit of the store.
        limit: u64,
    },
    /// A shard cannot number more records.
    #[error(
        "nothing was stored: the shard of the key holds four gibibytes of keys and short values; use more shards"
    )]
    ShardFull,
}

/// Why the rest of a batch was not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{stored} keys were stored, and those that follow were not")]
pub struct BatchError {
    /// How many keys were stored before.
    pub stored: usize,
    /// What was wrong with the next one.
    pub source: Error,
}
