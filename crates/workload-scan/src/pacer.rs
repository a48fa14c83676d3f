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
    /// The place of the next probe, without and with its jitter, and when it may go: not at once after one that was late.
    place: Option<Time>,
    planned: Time,
    due: Time,
    /// When the last one went, and when it was to go.
    went: Time,
    was_planned: Time,
    paced: Paced,
}

/// What came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paced {
    /// How many times there was a probe after another.
    pub intervals: u64,
    /// The time from the first probe to the last, by the scan's clock.
    pub span: Duration,
    /// By how much the times between probes differed from those that were planned, jitter included: too long and too short
    /// both count.
    pub off: Duration,
    /// How many probes came so late that those after them had to move.
    pub missed: u64,
}

impl Paced {
    /// The mean time between two probes.
    pub fn mean(&self) -> Option<Duration> {
        self.of_each(self.span)
    }

    /// By how much the time between two probes differs from the one that was planned, in the mean.
    pub fn mean_off(&self) -> Option<Duration> {
        self.of_each(self.off)
    }

    fn of_each(&self, sum: Duration) -> Option<Duration> {
        let count = u32::try_from(self.intervals)
            .ok()
            .filter(|count| *count > 0)?;
        Some(sum / count)
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
            planned: Time::default(),
            due: Time::default(),
            went: Time::default(),
            was_planned: Time::default(),
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
        let (mut place, mut planned) = (now, now);
        if let Some(kept) = self.place {
            let interval = now.since(self.went);
            self.paced.intervals += 1;
            self.paced.span += interval;
            self.paced.off += interval.abs_diff(self.planned.since(self.was_planned));
            if now.since(kept) > self.delay + self.jitter {
                self.paced.missed += 1;
            } else {
                (place, planned) = (kept, self.planned);
            }
        }
        self.went = now;
        self.was_planned = planned;
        let next = place + self.delay;
        self.place = Some(next);
        self.planned = next + self.jitter.mul_f64(self.random.f64());
        self.due = self.planned.max(now + self.least);
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
    fn what_is_too_long_and_what_is_too_short_do_not_cancel() {
        let timing = Timing {
            jitter_percent: 0,
            ..Template::Polite.timing()
        };
        let late = timing.delay / 20;
        // Who oversleeps by as much each time keeps the pace, but for the first, which has no place to be late for.
        let mut pacer = Pacer::new(&timing);
        intervals(&mut pacer, |_| late);
        assert_eq!(pacer.paced().off, late);
        let mut pacer = Pacer::new(&timing);
        intervals(&mut pacer, |number| late * (number % 2));
        let paced = pacer.paced();
        let mean = paced.mean().unwrap();
        assert!(mean.abs_diff(timing.delay) < timing.delay / 500, "{mean:?}");
        let off = paced.mean_off().unwrap();
        assert!(off.abs_diff(late) < timing.delay / 500, "{off:?}");
    }

    #[test]
    fn a_place_that_was_missed_is_off_by_all_that_it_was_late() {
        let timing = Template::Polite.timing();
        let mut pacer = Pacer::new(&timing);
        intervals(&mut pacer, |number| {
            timing.delay * 10 * u32::from(number == 50)
        });
        let off = pacer.paced().off;
        assert!(
            off >= timing.delay * 10 && off <= timing.delay * 11,
            "{off:?}"
        );
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
