//! The clock of a scan: the machine's, perhaps made to run faster, or a number in tests.
//!
//! A scan that pauses five minutes between probes can so be watched in milliseconds, with nothing of it left out.
//!
//! Tests: through `worker/simulated.rs`.

use std::ops::Add;
use std::time::{Duration, Instant};

/// A moment, in nanoseconds from the beginning of the scan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Time(u64);

impl Time {
    /// How long after `earlier` it is; nothing where it is before.
    pub(crate) fn since(self, earlier: Self) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Duration> for Time {
    type Output = Self;

    fn add(self, span: Duration) -> Self {
        Self(self.0.saturating_add(nanos(span)))
    }
}

fn nanos(span: Duration) -> u64 {
    u64::try_from(span.as_nanos()).unwrap_or(u64::MAX)
}

/// What says which moment it is.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    began: Instant,
    speed: u32,
    #[cfg(test)]
    turned: Option<std::sync::Arc<std::sync::atomic::AtomicU64>>,
}

impl Clock {
    /// A clock that begins now and runs `speed` times as fast as the machine's.
    pub(crate) fn start(speed: u32) -> Self {
        Self {
            began: Instant::now(),
            speed: speed.max(1),
            #[cfg(test)]
            turned: None,
        }
    }

    /// The moment that it is.
    pub(crate) fn now(&self) -> Time {
        #[cfg(test)]
        if let Some(turned) = &self.turned {
            return Time(turned.load(std::sync::atomic::Ordering::Relaxed));
        }
        Time(nanos(self.began.elapsed()).saturating_mul(u64::from(self.speed)))
    }

    /// How long the machine has to wait for a span of this clock.
    pub(crate) fn really(&self, span: Duration) -> Duration {
        span / self.speed
    }

    /// How long a span of the machine's clock is by this one.
    pub(crate) fn seemingly(&self, span: Duration) -> Duration {
        span * self.speed
    }
}

#[cfg(test)]
impl Clock {
    /// A clock that stands until somebody turns it.
    pub(crate) fn turned_by_hand() -> Self {
        Self {
            turned: Some(std::sync::Arc::default()),
            ..Self::start(1)
        }
    }

    /// Turns it.
    pub(crate) fn turn(&self, span: Duration) {
        let turned = self.turned.as_ref().expect("it is turned by hand");
        turned.fetch_add(nanos(span), std::sync::atomic::Ordering::Relaxed);
    }
}
