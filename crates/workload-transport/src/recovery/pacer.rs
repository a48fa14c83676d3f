//! A bucket that fills as time goes by, so that packets leave spread over a round trip and not all at once.
//!
//! It holds a whole initial window, because a message that short is to arrive one delay after it was sent; and what the
//! line takes in a millisecond, so that no timer has to be finer than that.
//!
//! Tests: an idle line takes a burst, one however long it was idle, and a busy one its rate.

use std::time::Duration;

use crate::Time;

const BURST_SPAN: Duration = Duration::from_millis(1);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Pacer {
    burst_min: u64,
    held: u64,
    filled: Time,
}

impl Pacer {
    pub(crate) const fn new(burst: u64) -> Self {
        Self {
            burst_min: burst,
            held: burst,
            filled: Time::ZERO,
        }
    }

    /// Returns when `bytes` may be sent, at `window` bytes a round trip.
    pub(crate) fn when(&mut self, now: Time, bytes: u64, window: u64, rtt: Duration) -> Time {
        // What time gave counts before anything is taken: or else it would be given once more after a burst.
        if now <= self.filled && self.held >= bytes {
            return now;
        }
        // Nothing is divided by: a round trip of nothing is one of a microsecond.
        let rtt = (rtt.as_nanos() as u64).max(1_000);
        let per = |span: u64| {
            let bytes = u128::from(window) * u128::from(span) / u128::from(rtt);
            u64::try_from(bytes).unwrap_or(u64::MAX)
        };
        let burst = self.burst_min.max(per(BURST_SPAN.as_nanos() as u64));
        let gained = per(now.since(self.filled).as_nanos() as u64);
        if gained > 0 {
            self.filled = now;
        }
        self.held = self.held.saturating_add(gained).min(burst);
        if self.held >= bytes {
            return now;
        }
        let missing = u128::from(bytes - self.held) * u128::from(rtt) / u128::from(window.max(1));
        now + Duration::from_nanos(u64::try_from(missing).unwrap_or(u64::MAX))
            + Duration::from_nanos(1)
    }

    pub(crate) const fn sent(&mut self, bytes: u64) {
        self.held = self.held.saturating_sub(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_leaves_at_once_and_the_rest_at_the_rate() {
        let rtt = Duration::from_millis(100);
        let mut pacer = Pacer::new(10_000);
        let mut now = Time::ZERO;
        for _ in 0..10 {
            assert_eq!(pacer.when(now, 1_000, 20_000, rtt), now);
            pacer.sent(1_000);
        }
        for _ in 0..100 {
            let then = pacer.when(now, 1_000, 20_000, rtt);
            assert_eq!(then.since(now).as_millis(), 5);
            now = then;
            assert_eq!(pacer.when(now, 1_000, 20_000, rtt), now);
            pacer.sent(1_000);
        }
        now = now + Duration::from_secs(3600);
        assert_eq!(pacer.when(now, 1_000, 20_000, rtt), now);
        assert_eq!(pacer.held, 10_000);
    }

    #[test]
    fn a_long_time_without_a_packet_gives_one_burst_and_not_two() {
        let rtt = Duration::from_millis(100);
        let mut pacer = Pacer::new(10_000);
        for hours in 1..3 {
            let now = Time::ZERO + Duration::from_secs(3_600) * hours;
            for _ in 0..10 {
                assert_eq!(pacer.when(now, 1_000, 20_000, rtt), now);
                pacer.sent(1_000);
            }
            assert!(pacer.when(now, 1_000, 20_000, rtt) > now);
        }
    }
}
