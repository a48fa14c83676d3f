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
        let found = pairs.filter(|pair| pair.has(black_box(self.store.get(pair.key)).as_deref()));
        found.count()
    }

    fn set<'p>(&self, pairs: impl Iterator<Item = Pair<'p>>) -> usize {
        let replaced = pairs.filter(|pair| {
            let previous = self.store.set(pair.key, pair.value).expect(FITS);
            pair.has(black_box(previous).as_deref())
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
        let both = self.inputs.pairs().zip(self.inputs.new_pairs());
        let pairs: Vec<Pair<'_>> = both
            .map(|((key, first), (_, value))| Pair {
                key,
                value,
                begins: [first[0], value[0]],
            })
            .collect();
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
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'p> {
    pub(super) key: &'p [u8],
    value: &'p [u8],
    /// What its first value and its second begin with. They stand here, because the values themselves would have to come
    /// into the cache for it.
    begins: [u8; 2],
}

impl Pair<'_> {
    /// Says whether this may be a value of the key, by its length and its beginning: of a hundred reads of wrong ones
    /// hardly any would pass.
    #[inline]
    pub(super) fn has(&self, found: Option<&[u8]>) -> bool {
        found.is_some_and(|it| it.len() == self.value.len() && self.begins.contains(&it[0]))
    }
}

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
    fn a_value_of_another_key_is_noticed() {
        let uniform = Uniform::smoke();
        for key in uniform.inputs.keys() {
            uniform.store.set(key, &[0; 64]).unwrap();
        }
        // A few begin like the key's own by chance, and from the same seed always as many.
        let found = uniform.on_threads(1, |way| uniform.get(way.take(uniform.keys())));
        assert!(found[0] < uniform.keys() / 10);
    }

    #[test]
    fn each_thread_has_a_way_of_its_own_through_all_keys() {
        let uniform = Uniform::smoke();
        let ways = uniform.on_threads(2, |way| {
            way.take(uniform.keys())
                .map(|pair| pair.key.to_vec())
                .collect::<Vec<_>>()
        });
        let expected: Vec<Vec<u8>> = uniform.inputs.keys().map(<[u8]>::to_vec).collect();
        assert_eq!(ways[0], expected);
        let half = expected.len() / 2;
        assert_eq!(ways[1], [&expected[half..], &expected[..half]].concat());
    }
}
