//! Time as a value: who waits asks this, so that tests wait for nothing and still see how long it would have been.
//!
//! Tested by everything in `tests/hub` that retries.

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;

/// Tells the time and lets it pass.
pub trait Clock: fmt::Debug + Send + Sync {
    /// Returns what time it is.
    fn now(&self) -> Timestamp;

    /// Lets so much time pass.
    fn sleep(&self, time: Duration);
}

/// The machine's own clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn sleep(&self, time: Duration) {
        std::thread::sleep(time);
    }
}
