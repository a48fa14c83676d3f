//! How long an answer takes, smoothed as RFC 6298 says, and how long to wait for one.
//!
//! Tests: the figures of a steady and of a jumping line.

use std::time::Duration;

/// What is assumed before anything was measured.
const ASSUMED: Duration = Duration::from_millis(100);
/// Less is not waited for: where threads share processors, an answer is late by a slice of time.
const WAIT_MIN: Duration = Duration::from_millis(30);
/// More is not waited for, however often nothing came.
const WAIT_MAX: Duration = Duration::from_secs(2);
const BACKOFF_MAX: u32 = 10;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rtt {
    smoothed: Option<Duration>,
    variation: Duration,
    latest: Duration,
}

impl Rtt {
    pub(crate) fn sample(&mut self, sample: Duration) {
        self.latest = sample;
        let Some(smoothed) = self.smoothed else {
            self.smoothed = Some(sample);
            self.variation = sample / 2;
            return;
        };
        self.variation = (self.variation * 3 + smoothed.abs_diff(sample)) / 4;
        self.smoothed = Some((smoothed * 7 + sample) / 8);
    }

    pub(crate) fn smoothed(&self) -> Duration {
        self.smoothed.unwrap_or(ASSUMED)
    }

    pub(crate) const fn is_measured(&self) -> bool {
        self.smoothed.is_some()
    }

    /// How long to wait for an answer after `attempts` that had none.
    pub(crate) fn wait(&self, attempts: u32) -> Duration {
        let variation = if self.is_measured() {
            self.variation * 4
        } else {
            ASSUMED
        };
        let once = (self.smoothed() + variation).max(WAIT_MIN);
        (once * (1 << attempts.min(BACKOFF_MAX))).min(WAIT_MAX.max(once))
    }

    /// How much later than packets sent after it one may arrive before it counts as lost.
    pub(crate) fn reordering(&self) -> Duration {
        const GRANULARITY: Duration = Duration::from_millis(1);
        (self.smoothed().max(self.latest) * 9 / 8).max(GRANULARITY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_longer_where_answers_vary_and_where_none_came() {
        let millis = Duration::from_millis;
        let mut rtt = Rtt::default();
        assert_eq!(rtt.wait(0), millis(200));
        for _ in 0..100 {
            rtt.sample(millis(80));
        }
        assert_eq!(rtt.smoothed(), millis(80));
        assert!(rtt.wait(0) < millis(82), "{:?}", rtt.wait(0));
        assert_eq!(rtt.wait(2), rtt.wait(0) * 4);
        assert_eq!(rtt.wait(100), WAIT_MAX);
        rtt.sample(millis(160));
        assert!(rtt.wait(0) > millis(160));
        assert_eq!(rtt.reordering(), millis(180));
    }
}
