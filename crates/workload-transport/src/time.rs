//! Time as the core knows it: a number that whoever drives it hands in.
//!
//! Nothing here reads a clock. On a real socket the number comes from the machine's monotonic clock, in a simulation
//! from a counter, and the same code runs on both.
//!
//! Tests: sums and differences end at the ends of the range instead of wrapping.

use std::ops::Add;
use std::time::Duration;

/// A moment: nanoseconds since the clock's own beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u64);

impl Time {
    /// Where the clock begins.
    pub const ZERO: Self = Self(0);
    /// A moment that never comes.
    pub const NEVER: Self = Self(u64::MAX);

    /// Returns the moment so many nanoseconds after the beginning.
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// Returns the nanoseconds since the beginning.
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Returns how long after `earlier` this is; nothing where it is before.
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }

    /// Returns the microseconds, as far as a packet has room for them: delays are differences, and differences wrap.
    pub(crate) const fn stamp(self) -> u32 {
        (self.0 / 1_000) as u32
    }
}

impl Add<Duration> for Time {
    type Output = Self;

    fn add(self, span: Duration) -> Self {
        let nanos = u64::try_from(span.as_nanos()).unwrap_or(u64::MAX);
        Self(self.0.saturating_add(nanos))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_at_the_ends() {
        let second = Duration::from_secs(1);
        assert_eq!(Time::NEVER + second, Time::NEVER);
        assert_eq!(Time::ZERO.since(Time::ZERO + second), Duration::ZERO);
        assert_eq!((Time::ZERO + second).since(Time::ZERO), second);
        assert_eq!((Time::ZERO + second).stamp(), 1_000_000);
    }
}
