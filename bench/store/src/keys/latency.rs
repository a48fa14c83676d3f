//! How long each read takes by itself.
//!
//! A clock is read before and after each, and that takes its time too: see [`clock`]. It is in every latency, and nobody
//! takes it off.
//!
//! Tests: the order of percentiles, and which value each is.

use std::hint::black_box;
use std::time::Instant;

use super::Uniform;

/// The latencies of many operations, in nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latencies {
    /// In rising order.
    nanoseconds: Vec<u32>,
}

impl Latencies {
    fn of(mut nanoseconds: Vec<u32>) -> Self {
        nanoseconds.sort_unstable();
        Self { nanoseconds }
    }

    /// Returns the latency that so many of a thousand operations do not exceed, if there is any.
    #[must_use]
    pub fn permille(&self, permille: usize) -> Option<u32> {
        let rank = (self.nanoseconds.len() * permille).div_ceil(1_000);
        self.nanoseconds.get(rank.saturating_sub(1)).copied()
    }
}

impl Uniform {
    /// Has threads read so many keys each, and returns how long each read took.
    ///
    /// # Panics
    /// A key is not found, or another value than its own.
    #[must_use]
    pub fn latencies(&self, threads: usize, each: usize) -> Latencies {
        let all = self.on_threads(threads, |way| {
            timed(way.take(each), |pair| {
                let found = black_box(self.store.get(pair.key));
                assert!(pair.has(found.as_deref()), "a key has not its value");
            })
        });
        Latencies::of(all.concat())
    }
}

/// Returns how long nothing takes: the cost of the clock that every latency holds.
#[must_use]
pub fn clock(times: usize) -> Latencies {
    Latencies::of(timed(0..times, |_| ()))
}

fn timed<I>(items: impl Iterator<Item = I>, mut work: impl FnMut(I)) -> Vec<u32> {
    // Written to before the clock runs, so that no page of it comes into memory while it does.
    let mut spent = vec![u32::MAX; items.size_hint().0];
    let mut count = 0;
    for (item, place) in items.zip(&mut spent) {
        let before = Instant::now();
        work(item);
        // What takes longer than four seconds is as long.
        *place = u32::try_from(before.elapsed().as_nanos()).unwrap_or(u32::MAX);
        count += 1;
    }
    spent.truncate(count);
    spent
}

#[cfg(test)]
mod tests {
    use super::super::Uniform;
    use super::{Latencies, clock};

    #[test]
    fn a_percentile_is_the_least_value_that_so_many_do_not_exceed() {
        let thousand = Latencies::of((1..=1_000).rev().collect());
        let percentiles = [500, 990, 999, 1_000].map(|permille| thousand.permille(permille));
        assert_eq!(percentiles, [500, 990, 999, 1_000].map(Some));
        let three = Latencies::of(vec![30, 10, 20]);
        assert_eq!(
            (three.permille(500), three.permille(999)),
            (Some(20), Some(30))
        );
        assert_eq!(Latencies::of(Vec::new()).permille(500), None);
    }

    #[test]
    fn every_read_is_timed() {
        let uniform = Uniform::smoke();
        for threads in [1, 2] {
            let latencies = uniform.latencies(threads, 300);
            assert_eq!(latencies.nanoseconds.len(), threads * 300);
            assert!(latencies.permille(500) <= latencies.permille(999));
        }
        assert_eq!(clock(300).nanoseconds.len(), 300);
    }
}
