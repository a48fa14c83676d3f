//! Whose scores stand beside a benchmark's own: those of the methods of a group, or those of counters. Both have its unit,
//! and JMH does not say which they are.
//!
//! A method's time or rate is better as the benchmark's is. Of a counter nobody knows: one counts hits, the next misses. But
//! the time of a group is the mean of its methods' over the threads, and a group has more than one thread. Of rates
//! nobody knows: those of a group's methods add up to its own, and so do hits and misses, whose threads are as many. Only
//! those two modes have counters with the benchmark's unit.
//!
//! Of a table nobody knows whether it is cut behind a method, so there the mode alone decides. Tested below and by
//! `fixtures/jmh`.

/// The modes of rates and of times, the only ones in which counters have the benchmark's unit.
const RATE: &str = "thrpt";
const TIME: &str = "avgt";

/// The most threads of which it is tried how they were shared out.
const THREADS_MAX: u64 = 4096;

/// Whose score a secondary one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    Method,
    Counter,
}

/// A benchmark's own score.
#[derive(Debug, Clone, Copy)]
pub(super) struct Whole<'t> {
    pub(super) mode: &'t str,
    /// How many there are, if that is known.
    pub(super) threads: Option<u64>,
    pub(super) score: f64,
    /// How much of a score was lost when it was written.
    pub(super) rounding: f64,
}

impl Whose {
    /// Returns whose a score is, as far as the mode says.
    pub(super) fn of_mode(mode: &str) -> Self {
        match mode {
            RATE | TIME => Self::Counter,
            _ => Self::Method,
        }
    }
}

impl Whole<'_> {
    /// Returns whose the scores are that stand beside this one in its unit.
    pub(super) fn whose(self, parts: &[f64]) -> Whose {
        let is_group = match self.mode {
            RATE => false,
            TIME => self.has_threads_for(parts) && self.is_mean_of(parts),
            other => Whose::of_mode(other) == Whose::Method,
        };
        match is_group {
            true => Whose::Method,
            false => Whose::Counter,
        }
    }

    fn has_threads_for(self, parts: &[f64]) -> bool {
        let parts = parts.len() as u64;
        self.threads
            .is_some_and(|threads| threads > 1 && threads >= parts)
    }

    /// Returns whether the score is a mean of others, each of which counts for as many threads as its method had.
    fn is_mean_of(self, parts: &[f64]) -> bool {
        let threads = self.threads.unwrap_or_default();
        match *parts {
            [one, other] if threads <= THREADS_MAX => (1..threads).any(|of_one| {
                let share = of_one as f64 / threads as f64;
                self.is(one * share + other * (1.0 - share))
            }),
            _ if parts.len() as u64 == threads => {
                self.is(parts.iter().sum::<f64>() / threads as f64)
            }
            // Too many shares are possible to tell it from chance.
            _ => false,
        }
    }

    fn is(self, other: f64) -> bool {
        // Each of the others was rounded as well.
        (self.score - other).abs() <= 4.0 * self.rounding
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_methods_of_a_group_make_its_score_and_counters_do_not() {
        let whole = |mode, threads, score| Whole {
            mode,
            threads,
            score,
            rounding: 1e-6,
        };
        for (whole, parts, expected) in [
            // Hits and misses of two threads, or a group's two methods.
            (
                whole(RATE, Some(2), 30.0),
                &[20.0, 10.0][..],
                Whose::Counter,
            ),
            (whole(RATE, Some(2), 30.0), &[20.0, 11.0], Whose::Counter),
            // Hits and misses of one thread.
            (whole(RATE, Some(1), 30.0), &[20.0, 10.0], Whose::Counter),
            (whole(RATE, None, 30.0), &[20.0, 10.0], Whose::Counter),
            (whole(TIME, Some(2), 15.0), &[20.0, 10.0], Whose::Method),
            (whole(TIME, Some(4), 17.5), &[20.0, 10.0], Whose::Method),
            (whole(TIME, Some(2), 17.5), &[20.0, 10.0], Whose::Counter),
            (
                whole(TIME, Some(3), 20.0),
                &[20.0, 10.0, 30.0],
                Whose::Method,
            ),
            (
                whole(TIME, Some(3), 21.0),
                &[20.0, 10.0, 30.0],
                Whose::Counter,
            ),
            (
                whole(TIME, Some(4), 15.0),
                &[20.0, 10.0, 30.0],
                Whose::Counter,
            ),
            (
                whole(TIME, Some(4), 9.0),
                &[20.0, 10.0, 30.0],
                Whose::Counter,
            ),
            (whole(TIME, Some(1), 9.0), &[9.0], Whose::Counter),
            (whole("sample", Some(1), 15.0), &[20.0], Whose::Method),
            (whole("ss", None, 15.0), &[20.0], Whose::Method),
        ] {
            assert_eq!(whole.whose(parts), expected, "{whole:?} {parts:?}");
        }
    }
}
