//! Threads that go through very many keys, each on its own way: the working set is larger than the caches.
//!
//! Tests: every key is found with a value it can have, whatever the number of threads.

use std::hint::black_box;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use workload_store::Store;

use super::stores::FITS;
use crate::{Inputs, VALUE_BYTES};

/// The numbers of threads: those of the report, and as many as the smallest machine has processors.
pub const THREADS: [usize; 5] = [1, 2, 4, 16, 64];

/// The operations of each thread in one iteration: as many as the report has.
pub const OPERATIONS: usize = 100;

const KEYS_SMOKE: usize = 2_000;
const KEYS_FULL: usize = 100_000;

/// What threads do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// They read.
    Get,
    /// They set keys to their second value.
    Set,
}

/// A store with keys in shuffled order.
#[derive(Debug)]
pub struct Uniform {
    pub(super) store: Store,
    inputs: Inputs,
}

impl Uniform {
    /// Returns a store as unit tests use it.
    #[must_use]
    pub fn smoke() -> Self {
        Self::of(KEYS_SMOKE)
    }

    /// Returns a store as benchmarks use it.
    #[must_use]
    pub fn full() -> Self {
        Self::of(KEYS_FULL)
    }

    fn of(keys: usize) -> Self {
        let inputs = Inputs::of(keys, VALUE_BYTES[0]);
        let store = inputs.filled_store();
        Self { store, inputs }
    }

    /// Returns the number of keys.
    #[must_use]
    pub fn keys(&self) -> usize {
        self.inputs.len()
    }

    /// Has each thread do its operations so many times, and returns the time from the first to the last of all.
    ///
    /// # Panics
    /// A key is not found.
    #[must_use]
    pub fn run(&self, action: Action, threads: usize, times: u64) -> Duration {
        let each = usize::try_from(times).map_or(usize::MAX, |it| it.saturating_mul(OPERATIONS));
        let spans = self.on_threads(threads, |way| {
            let began = Instant::now();
            let done = match action {
                Action::Get => self.get(way.take(each)),
                Action::Set => self.set(way.take(each)),
            };
            assert_eq!(done, each, "keys are missing");
            (began, Instant::now())
        });
        // By the threads' own clocks: whoever only waits for them may be woken late.
        let began = spans.iter().map(|(began, _)| *began).min();
        let ended = spans.iter().map(|(_, ended)| *ended).max();
        let spent = began.zip(ended).map(|(began, ended)| ended - began);
        spent.unwrap_or_default()
    }

    fn get<'p>(&self, pairs: impl Iterator<Item = Pair<'p>>) -> usize {
        let found = pairs.filter(|(key, _)| black_box(self.store.get(key)).is_some());
        found.count()
    }

    fn set<'p>(&self, pairs: impl Iterator<Item = Pair<'p>>) -> usize {
        let replaced = pairs.filter(|(key, value)| {
            let previous = self.store.set(key, value).expect(FITS);
            black_box(previous).is_some()
        });
        replaced.count()
    }

    /// Starts threads together, each with a way of its own through all keys.
    pub(super) fn on_threads<T: Send>(
        &self,
        threads: usize,
        work: impl Fn(Way<'_>) -> T + Sync,
    ) -> Vec<T> {
        let start = Barrier::new(threads);
        let pairs: Vec<Pair<'_>> = self.inputs.new_pairs().collect();
        thread::scope(|scope| {
            let (start, pairs, work) = (&start, &pairs, &work);
            let started = (0..threads).map(|thread| {
                let at = pairs.len() * thread / threads;
                scope.spawn(move || {
                    start.wait();
                    work(Way { pairs, at })
                })
            });
            let started: Vec<_> = started.collect();
            let joined = started
                .into_iter()
                .map(|it| it.join().expect("no thread panics"));
            joined.collect()
        })
    }
}

/// A key and its second value.
pub(super) type Pair<'p> = (&'p [u8], &'p [u8]);

/// All keys, again and again.
#[derive(Debug)]
pub(super) struct Way<'p> {
    pairs: &'p [Pair<'p>],
    at: usize,
}

impl<'p> Iterator for Way<'p> {
    type Item = Pair<'p>;

    fn next(&mut self) -> Option<Pair<'p>> {
        let next = self.pairs.get(self.at).or_else(|| {
            self.at = 0;
            self.pairs.first()
        });
        self.at += 1;
        next.copied()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::MAX, None)
    }
}

#[cfg(test)]
mod tests {
    use super::{Action, Uniform};

    /// That no key is missing they see themselves.
    #[test]
    fn threads_find_every_key_and_leave_values_whole() {
        for threads in [1, 4] {
            let uniform = Uniform::smoke();
            let all_hold = |second: bool| {
                let inputs = &uniform.inputs;
                let mut keys = inputs.pairs().zip(inputs.new_pairs());
                keys.all(|((key, old), (_, new))| {
                    let expected = if second { new } else { old };
                    uniform.store.get(key).as_deref() == Some(expected)
                })
            };
            let rounds = uniform.keys() as u64 / 100;
            let _ = uniform.run(Action::Get, threads, rounds);
            assert!(all_hold(false));
            let _ = uniform.run(Action::Set, threads, rounds);
            assert!(all_hold(true));
            assert_eq!(uniform.store.len(), uniform.keys());
        }
    }

    #[test]
    fn each_thread_has_a_way_of_its_own_through_all_keys() {
        let uniform = Uniform::smoke();
        let ways = uniform.on_threads(2, |way| {
            way.take(uniform.keys())
                .map(|(key, _)| key.to_vec())
                .collect::<Vec<_>>()
        });
        let expected: Vec<Vec<u8>> = uniform.inputs.keys().map(<[u8]>::to_vec).collect();
        assert_eq!(ways[0], expected);
        let half = expected.len() / 2;
        assert_eq!(ways[1], [&expected[half..], &expected[..half]].concat());
    }
}
