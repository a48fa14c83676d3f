//! When the next probe may go.
//!
//! Probes have places in time one delay apart, and each is late by its own part of the jitter. So the mean is the delay,
//! however long the scan: what a wait oversleeps is not added up. Whoever comes late catches up by a tenth of the delay, or
//! the jitter, with each probe and no more: a burst would be what the delay is there to prevent. Whoever comes a whole
//! delay and its jitter too late has lost the place, and the places that follow begin anew.
//!
//! Tests: here, and over whole scans in `worker/simulated.rs`.

use std::time::Duration;

use crate::clock::Time;
use crate::timing::Timing;

/// Jitter is drawn, and the same scan draws the same.
const SEED: u64 = 0x7363_616e;

/// The pace of a scan, which is handed on from target to target.
#[derive(Clone, Debug)]
pub(crate) struct Pacer {
    delay: Duration,
    jitter: Duration,
    /// No two probes are closer than this.
    least: Duration,
    random: fastrand::Rng,
    /// The place of the next probe, without and with its jitter.
    place: Option<Time>,
    due: Time,
    /// When the last one went.
    went: Time,
    paced: Paced,
}

/// What came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paced {
    /// How many times there was a probe after another.
    pub intervals: u64,
    /// The time from the first probe to the last, by the scan's clock.
    pub span: Duration,
    /// How many probes came so late that those after them had to move.
    pub missed: u64,
}

impl Paced {
    /// The mean time between two probes.
    pub fn mean(&self) -> Option<Duration> {
        let count = u32::try_from(self.intervals)
            .ok()
            .filter(|count| *count > 0)?;
        Some(self.span / count)
    }
}

impl Pacer {
    /// A pace that begins with the first probe.
    pub(crate) fn new(timing: &Timing) -> Self {
        let jitter = timing.delay * u32::from(timing.jitter_percent.min(100)) / 100;
        Self {
            delay: timing.delay,
            jitter,
            least: timing.delay - jitter.max(timing.delay / 10),
            random: fastrand::Rng::with_seed(SEED),
            place: None,
            due: Time::default(),
            went: Time::default(),
            paced: Paced::default(),
        }
    }

    /// Tells whether there is any pace to keep to.
    pub(crate) fn is_idle(&self) -> bool {
        self.delay.is_zero()
    }

    /// When the next probe may go.
    pub(crate) fn due(&self) -> Time {
        self.due
    }

    /// What came of it.
    pub(crate) fn paced(&self) -> Paced {
        self.paced
    }

    /// A probe goes.
    pub(crate) fn goes(&mut self, now: Time) {
        let place = match self.place {
            None => now,
            Some(place) => {
                self.paced.intervals += 1;
                self.paced.span += now.since(self.went);
                if now.since(place) > self.delay + self.jitter {
                    self.paced.missed += 1;
                    now
                } else {
                    place
                }
            }
        };
        self.went = now;
        let next = place + self.delay;
        self.place = Some(next);
        let due = next + self.jitter.mul_f64(self.random.f64());
        self.due = due.max(now + self.least);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::Template;

    /// Lets a hundred probes go, each later than it may by what `late` says of its number, and returns the intervals.
    fn intervals(pacer: &mut Pacer, late: impl Fn(u32) -> Duration) -> Vec<Duration> {
        let mut went = Vec::new();
        for number in 0..100 {
            let now = pacer.due() + late(number);
            pacer.goes(now);
            went.push(now);
        }
        went.windows(2).map(|pair| pair[1].since(pair[0])).collect()
    }

    #[test]
    fn the_mean_is_the_delay_and_no_interval_beyond_its_jitter() {
        for template in [Template::Paranoid, Template::Sneaky, Template::Polite] {
            let timing = template.timing();
            let mut pacer = Pacer::new(&timing);
            let oversleep = timing.delay / 50;
            let all = intervals(&mut pacer, |_| oversleep);
            let mean = pacer.paced().mean().unwrap();
            assert!(mean.abs_diff(timing.delay) < timing.delay / 500, "{mean:?}");
            let jitter = timing.delay / 10;
            assert!(all.iter().all(|it| it.abs_diff(timing.delay) <= jitter));
            assert!(all.iter().any(|it| it.abs_diff(timing.delay) > jitter / 4));
            assert_eq!(pacer.paced().intervals, 99);
            assert_eq!(pacer.paced().missed, 0);
        }
    }

    #[test]
    fn a_stall_is_not_made_up_for_by_a_burst() {
        let timing = Template::Polite.timing();
        let mut pacer = Pacer::new(&timing);
        let all = intervals(&mut pacer, |number| {
            timing.delay * 10 * u32::from(number == 50)
        });
        assert!(all.iter().all(|it| *it >= timing.delay - timing.delay / 10));
        assert_eq!(pacer.paced().missed, 1);
    }

    #[test]
    fn nobody_who_keeps_a_place_comes_at_once_after_the_last() {
        for jitter_percent in [0, 10] {
            let timing = Timing {
                jitter_percent,
                ..Template::Polite.timing()
            };
            let mut pacer = Pacer::new(&timing);
            let late = timing.delay * 97 / 100;
            let all = intervals(&mut pacer, |number| late * u32::from(number == 50));
            assert_eq!(pacer.paced().missed, 0);
            assert!(all.iter().all(|it| *it >= timing.delay * 9 / 10), "{all:?}");
            let mean = pacer.paced().mean().unwrap();
            assert!(mean.abs_diff(timing.delay) < timing.delay / 500, "{mean:?}");
        }
    }
}
