//! For how long to try: until the push is through, the time is up or the tries are.
//!
//! Of many publishers at once one wins each round, so the last of them needs as many tries as there are publishers; each
//! waits a random while, or they would meet again. Tested below with a clock of its own.

use std::time::Duration;

use jiff::Timestamp;

use super::error::Why;
use super::refusal::Setback;
use crate::Clock;

/// After how many failures in a row the pauses no longer double.
const DOUBLINGS_MAX: u32 = 6;

/// Says for how long to try, and how long to pause in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tries {
    /// The most tries.
    pub count_max: u32,
    /// The most time.
    pub time_max: Duration,
    /// The shortest pause after somebody else was faster.
    pub pause_min: Duration,
    /// The longest such pause. Where the remote is in trouble, pauses double from there.
    pub pause_max: Duration,
    /// What the pauses are drawn from; no two publishers should have the same.
    pub seed: u64,
}

impl Tries {
    /// Returns what a job is given: three minutes, enough for dozens of jobs that publish at once.
    #[must_use]
    pub fn of_a_job(seed: u64) -> Self {
        Self {
            count_max: 64,
            time_max: Duration::from_secs(180),
            pause_min: Duration::from_millis(100),
            pause_max: Duration::from_millis(400),
            seed,
        }
    }

    /// Tries until something else than a setback comes of it.
    pub(super) fn with<T>(
        &self,
        clock: &dyn Clock,
        mut attempt: impl FnMut(Try) -> Result<T, Setback>,
    ) -> Result<T, Why> {
        let mut random = fastrand::Rng::with_seed(self.seed);
        let begin = clock.now();
        let mut outages = 0;
        let mut count = 0;
        loop {
            count += 1;
            let time = self.time_max.saturating_sub(passed(begin, clock.now()));
            let last = match attempt(Try { count, time }) {
                Ok(done) => return Ok(done),
                Err(Setback::Final(why)) => return Err(why),
                Err(Setback::Overtaken(why)) => {
                    outages = 0;
                    why
                }
                Err(Setback::Outage(why)) => {
                    outages += 1;
                    why
                }
            };
            let pause = self.pause(&mut random, outages);
            let time = passed(begin, clock.now());
            if count >= self.count_max || time + pause >= self.time_max {
                return Err(Why::GaveUp {
                    tries: count,
                    time,
                    last: Box::new(last),
                });
            }
            clock.sleep(pause);
        }
    }

    fn pause(&self, random: &mut fastrand::Rng, outages: u32) -> Duration {
        let span = self.pause_max.saturating_sub(self.pause_min);
        let pause = self.pause_min + span.mul_f64(random.f64());
        pause.saturating_mul(1 << outages.min(DOUBLINGS_MAX))
    }
}

/// One of the tries.
#[derive(Debug, Clone, Copy)]
pub(super) struct Try {
    /// Which one, from 1.
    pub(super) count: u32,
    /// What is left of the time.
    pub(super) time: Duration,
}

/// Returns the time between two moments; a clock that was set back shows none.
fn passed(begin: Timestamp, end: Timestamp) -> Duration {
    Duration::try_from(end.duration_since(begin)).unwrap_or(Duration::ZERO)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::git::said::Said;

    /// A clock that jumps ahead instead of sleeping, and writes down by how much.
    #[derive(Debug, Default)]
    struct Jumping(Mutex<Vec<Duration>>);

    impl Clock for Jumping {
        fn now(&self) -> Timestamp {
            Timestamp::UNIX_EPOCH + self.0.lock().unwrap().iter().sum::<Duration>()
        }

        fn sleep(&self, time: Duration) {
            self.0.lock().unwrap().push(time);
        }
    }

    fn overtaken() -> Setback {
        let said = Said::new(b"", &[]);
        Setback::from(Why::Overtaken { said })
    }

    fn outage() -> Setback {
        let said = Said::new(b"", &[]);
        Setback::from(Why::Unreachable { said })
    }

    #[test]
    fn tries_again_after_a_random_while() {
        let clock = Jumping::default();
        let done = Tries::of_a_job(7).with(&clock, |attempt| {
            if attempt.count < 30 {
                Err(overtaken())
            } else {
                Ok(attempt.count)
            }
        });
        assert_eq!(done.unwrap(), 30);
        let pauses = clock.0.into_inner().unwrap();
        assert_eq!(pauses.len(), 29);
        let range = Duration::from_millis(100)..=Duration::from_millis(400);
        assert!(
            pauses.iter().all(|pause| range.contains(pause)),
            "{pauses:?}"
        );
        assert!(pauses.windows(2).any(|two| two[0] != two[1]), "{pauses:?}");
    }

    #[test]
    fn gives_up_after_the_last_try() {
        let clock = Jumping::default();
        let error = Tries::of_a_job(7)
            .with::<()>(&clock, |_| Err(overtaken()))
            .expect_err("never done");
        assert!(matches!(error, Why::GaveUp { tries: 64, .. }), "{error}");
        assert!(matches!(error.last(), Why::Overtaken { .. }));
    }

    #[test]
    fn waits_longer_for_a_remote_in_trouble_and_gives_up_in_time() {
        let clock = Jumping::default();
        let error = Tries::of_a_job(7)
            .with::<()>(&clock, |_| Err(outage()))
            .expect_err("never done");
        let Why::GaveUp { tries, time, .. } = error else {
            panic!("{error}");
        };
        assert!((5..40).contains(&tries), "{tries}");
        assert!(time <= Duration::from_secs(180), "{time:?}");
        let pauses = clock.0.into_inner().unwrap();
        assert!(
            pauses.iter().any(|pause| *pause > Duration::from_secs(5)),
            "{pauses:?}"
        );
    }

    #[test]
    fn each_try_is_told_what_time_is_left() {
        let clock = Jumping::default();
        let mut left = Vec::new();
        let patience = Tries {
            count_max: 5,
            ..Tries::of_a_job(7)
        };
        let never = patience.with::<()>(&clock, |attempt| {
            left.push(attempt.time);
            clock.sleep(Duration::from_secs(10));
            Err(overtaken())
        });
        never.expect_err("never done");
        assert_eq!(left[0], Duration::from_secs(180));
        assert!(
            left.windows(2)
                .all(|two| two[0] >= two[1] + Duration::from_secs(10)),
            "{left:?}"
        );
    }

    #[test]
    fn what_is_final_is_tried_once() {
        let clock = Jumping::default();
        let mut tries = 0;
        let refused = Tries::of_a_job(7).with::<()>(&clock, |_| {
            tries += 1;
            Err(Setback::from(Why::PasswordInAddress))
        });
        assert!(matches!(refused, Err(Why::PasswordInAddress)));
        assert_eq!(tries, 1);
    }
}
