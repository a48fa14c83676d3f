//! The store's clock: a number that the caller moves.
//!
//! Nothing here asks the system for the time. Whoever uses keys that expire says now and then how late it is, which
//! costs nothing on reads and writes and makes every test and every count repeatable. Tests: rounding.

use std::time::Duration;

use super::sync::{AtomicU64, Ordering};

/// Milliseconds since a moment of the caller's choice.
#[derive(Debug, Default)]
pub(super) struct Clock(AtomicU64);

impl Clock {
    pub(super) fn now(&self) -> u64 {
        // A number by itself, which orders nothing else: what it decides is decided under a shard's lock.
        self.0.load(Ordering::Relaxed)
    }

    /// Moves the clock, and never back.
    pub(super) fn advance(&self, now: Duration) {
        // Rounded down: no key expires early.
        let now = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
        self.0.fetch_max(now, Ordering::Relaxed);
    }

    /// Returns the moment at which something that lives for a while from now on ends.
    pub(super) fn deadline(&self, time_to_live: Duration) -> u64 {
        self.now().saturating_add(milliseconds_up(time_to_live))
    }
}

/// Rounded up: what lives for a moment does not end at once.
fn milliseconds_up(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::milliseconds_up;

    #[test]
    fn a_part_of_a_millisecond_is_a_whole_one() {
        assert_eq!(milliseconds_up(Duration::from_nanos(1)), 1);
        assert_eq!(milliseconds_up(Duration::from_millis(5)), 5);
        assert_eq!(milliseconds_up(Duration::MAX), u64::MAX);
    }
}
