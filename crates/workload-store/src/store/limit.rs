//! How much a store may hold, what happens then, and how much it holds.
//!
//! Tests: schedules of threads that want the last bytes in `explored.rs`, the sums in `tests/it/store`.

use super::sync::{AtomicU64, Ordering};

/// What a key costs beside its own bytes and its value's: about what tables and records take for it.
pub const ENTRY_BYTES: u64 = 32;

/// The most that a store may hold, and what happens when more comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Bytes of keys and values, and [`ENTRY_BYTES`] for each key.
    pub bytes: u64,
    /// What makes room.
    pub eviction: Eviction,
}

/// Which key goes when another one needs its room. One that has expired always goes first.
///
/// The choice is made within a shard, that of the new key if it has anything to give. The value that is about to be
/// replaced may be what goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eviction {
    /// None: the write is refused.
    Refuse,
    /// Of five keys drawn at random the one that was not used for longest.
    LeastRecentlyUsed,
    /// Of five keys drawn at random the one that was used least often. The counts of the others then lose a sixteenth,
    /// so that what was popular once does not stay for ever.
    LeastFrequentlyUsed,
    /// The one that expires soonest, as far as the wheel tells them apart. Without one that expires, the write is
    /// refused.
    SoonestToExpire,
}

/// Says that the limit leaves no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LimitReached;

/// What is left of a limit. Without one, nothing is counted and no memory is shared between shards.
#[derive(Debug)]
pub(super) struct Budget {
    limit: Option<Limit>,
    used: AtomicU64,
}

impl Budget {
    pub(super) fn new(limit: Option<Limit>) -> Self {
        Self {
            limit,
            used: AtomicU64::new(0),
        }
    }

    pub(super) fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// Counts what comes, unless it is more than what is left.
    pub(super) fn reserve(&self, bytes: u64) -> Result<(), LimitReached> {
        let Some(limit) = self.limit.filter(|_| bytes > 0) else {
            return Ok(());
        };
        // Each change is one step on one number, which is all that has to be right: no other memory hangs on it.
        self.used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
                let used = used.checked_add(bytes)?;
                (used <= limit.bytes).then_some(used)
            })
            .map(drop)
            .map_err(|_full: u64| LimitReached)
    }

    /// Returns whether so much would fit now.
    pub(super) fn has_room(&self, bytes: u64) -> bool {
        let used = self.used.load(Ordering::Relaxed);
        self.limit
            .is_none_or(|limit| used.saturating_add(bytes) <= limit.bytes)
    }

    /// Counts what is gone.
    pub(super) fn release(&self, bytes: u64) {
        if self.limit.is_some() && bytes > 0 {
            self.used.fetch_sub(bytes, Ordering::Relaxed);
        }
    }
}
