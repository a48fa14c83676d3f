//! How long keys that have expired stay, in ticks of the store's clock.
//!
//! The clock is a number that we move, so these are counts and no times. All keys end in one tick, which is the worst that
//! can come, and with each tick so many may be removed.
//!
//! Tests: what is removed at once is never late, and what is not, as late as the sum says.

use std::time::Duration;

use workload_store::{Shards, Store};

use super::stores::FITS;
use crate::{Inputs, VALUE_BYTES};

/// How stale keys were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Staleness {
    /// How often somebody saw a key after its deadline.
    pub stale_reads: usize,
    /// For how many ticks after its deadline the last of them stayed in memory.
    pub ticks_late: u64,
}

/// Lets so many keys expire in one tick, removes so many with each, and returns how stale they were.
#[must_use]
pub fn staleness(keys: usize, removed: usize) -> Staleness {
    let store = Store::new(Shards::default());
    for (key, value) in Inputs::of(keys, VALUE_BYTES[0]).pairs() {
        let set = store.set_for(key, value, Duration::from_millis(1));
        drop(set.expect(FITS));
    }
    let mut stale_reads = 0;
    let mut ticks = 0;
    while !store.is_empty() {
        ticks += 1;
        store.advance(Duration::from_millis(ticks));
        // A scan sees what any read would, and removes nothing.
        stale_reads += store.scan(b"").count();
        store.remove_expired(removed);
    }
    Staleness {
        stale_reads,
        ticks_late: ticks.saturating_sub(1),
    }
}

#[cfg(test)]
mod tests {
    use super::{Staleness, staleness};

    #[test]
    fn what_is_removed_at_once_is_never_late() {
        for (removed, ticks_late) in [(200, 0), (100, 1), (7, 28)] {
            let expected = Staleness {
                stale_reads: 0,
                ticks_late,
            };
            assert_eq!(staleness(200, removed), expected);
        }
    }
}
