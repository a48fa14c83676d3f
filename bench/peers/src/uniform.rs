//! What threads together get done: reads, or nine reads and a write, on keys of which each is as likely as any.
//!
//! A value says whose it is and in which round it was written. Every read must give its key's own, and when all is done
//! every key must have what its last write left: the same draws, drawn again, say which that was.
//!
//! Tests: a store that drops writes and one that mixes up keys are both found out.

use std::hint::black_box;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::keys::{VALUE_BYTES, draws, keys, value};
use crate::stores::KeyValue;

/// The caches hold what this store has, and not what the one before it had.
const WARM: Duration = Duration::from_millis(5);

const COUNTED: Duration = Duration::from_millis(20);

/// So many operations are done between two looks at whether the time is over.
const BETWEEN: u64 = 64;

/// A store that can be asked for a slice, whichever it is.
pub trait Contender {
    /// What it is called in parameters.
    fn name(&self) -> &'static str;

    /// Has so many threads work for a while, and returns their operations per second.
    ///
    /// # Panics
    /// A key was not there, or had the value of another.
    fn slice(&mut self, threads: usize) -> f64;

    /// Returns whether every key has what was written last.
    fn kept_all(&self) -> bool;
}

/// What the threads share.
#[derive(Debug)]
pub struct Work<S> {
    store: S,
    keys: Vec<Box<[u8]>>,
    /// In a hundred operations.
    writes: u32,
    round: u8,
    done: Vec<Done>,
}

/// What a thread did in a round.
#[derive(Debug)]
struct Done {
    round: u8,
    seed: usize,
    operations: u64,
    /// How many reads gave no value of their key.
    wrong: u64,
}

/// A value that is changed to be that of one key and one round: it begins with the key's number.
struct Marked(Vec<u8>);

impl Marked {
    fn new() -> Self {
        Self(value(VALUE_BYTES))
    }

    fn of(&mut self, place: usize, round: u8) -> &[u8] {
        self.0[..8].copy_from_slice(&(place as u64).to_le_bytes());
        self.0[8] = round;
        &self.0
    }
}

/// Whose a value says it is.
fn place_of(value: &[u8]) -> Option<usize> {
    let (number, _) = value.split_first_chunk()?;
    Some(u64::from_le_bytes(*number) as usize)
}

impl<S: KeyValue> Work<S> {
    /// Fills a store.
    #[must_use]
    pub fn new(count: usize, writes: u32) -> Self {
        let (store, keys, mut value) = (S::default(), keys(count), Marked::new());
        for (place, key) in keys.iter().enumerate() {
            store.set(key, value.of(place, 0));
        }
        Self {
            store,
            keys,
            writes,
            round: 0,
            done: Vec::new(),
        }
    }

    /// Does some operations, and returns how many reads went wrong.
    fn some(&self, draw: &mut impl FnMut() -> (u32, usize), value: &mut Marked) -> u64 {
        let mut wrong = 0;
        for _ in 0..BETWEEN {
            let (percent, place) = draw();
            let key = &self.keys[place];
            if percent < self.writes {
                self.store.set(key, value.of(place, self.round));
            } else {
                let there = self.store.get(key);
                let place_read = black_box(there.as_deref()).and_then(place_of);
                wrong += u64::from(place_read != Some(place));
            }
        }
        wrong
    }

    /// Works until told to stop. Returns how much was done in all, and how much of that since the begin.
    fn until(&self, stop: &AtomicBool, begin: &Barrier, seed: usize) -> (Done, u64) {
        let (mut draw, mut value) = (draws(seed, self.keys.len()), Marked::new());
        let (mut operations, mut wrong, warm) = (0, 0, Instant::now());
        while warm.elapsed() < WARM {
            wrong += self.some(&mut draw, &mut value);
            operations += BETWEEN;
        }
        begin.wait();
        let before = operations;
        while !stop.load(Ordering::Relaxed) {
            wrong += self.some(&mut draw, &mut value);
            operations += BETWEEN;
        }
        let done = Done {
            round: self.round,
            seed,
            operations,
            wrong,
        };
        (done, operations - before)
    }

    /// In which round each key was written last.
    fn written(&self) -> Vec<u8> {
        let mut written = vec![0; self.keys.len()];
        for done in &self.done {
            let mut draw = draws(done.seed, self.keys.len());
            for _ in 0..done.operations {
                let (percent, place) = draw();
                if percent < self.writes {
                    written[place] = done.round;
                }
            }
        }
        written
    }
}

impl<S: KeyValue> Contender for Work<S> {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn slice(&mut self, threads: usize) -> f64 {
        self.round += 1;
        let (begin, stop) = (Barrier::new(threads + 1), AtomicBool::new(false));
        let first = usize::from(self.round) * threads;
        let (did, took) = thread::scope(|scope| {
            let (work, begin, stop) = (&*self, &begin, &stop);
            let start = |seed| scope.spawn(move || work.until(stop, begin, seed));
            let started: Vec<_> = (first..first + threads).map(start).collect();
            begin.wait();
            let began = Instant::now();
            thread::sleep(COUNTED);
            stop.store(true, Ordering::Relaxed);
            let joined = started.into_iter().map(|thread| thread.join());
            let did: Result<Vec<_>, _> = joined.collect();
            (did.expect("nothing here panics"), began.elapsed())
        });
        let wrong: u64 = did.iter().map(|(done, _)| done.wrong).sum();
        assert_eq!(wrong, 0, "{} gave no value of the key", S::NAME);
        let counted: u64 = did.iter().map(|(_, counted)| counted).sum();
        self.done.extend(did.into_iter().map(|(done, _)| done));
        counted as f64 / took.as_secs_f64()
    }

    fn kept_all(&self) -> bool {
        let mut value = Marked::new();
        let mut keys = self.keys.iter().enumerate().zip(self.written());
        keys.all(|((place, key), round)| {
            let there = self.store.get(key);
            there.is_some_and(|it| *it == *value.of(place, round))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{BETWEEN, Contender, Done, Marked, Work};
    use crate::keys::draws;
    use crate::stores::{Dashmap, KeyValue, Ours};

    /// Two rounds of what a thread does, without a clock, and how many of its reads went wrong.
    fn worked<S: KeyValue>() -> (Work<S>, u64) {
        let (mut work, mut all_wrong) = (Work::<S>::new(100, 10), 0);
        for round in 1..=2 {
            work.round = round;
            let seed = usize::from(round);
            let (mut draw, mut value) = (draws(seed, 100), Marked::new());
            let wrong = work.some(&mut draw, &mut value);
            all_wrong += wrong;
            work.done.push(Done {
                round,
                seed,
                operations: BETWEEN,
                wrong,
            });
        }
        (work, all_wrong)
    }

    #[test]
    fn what_was_written_last_is_there() {
        let (ours, wrong) = worked::<Ours>();
        assert!(ours.kept_all() && wrong == 0);
        let (dashmap, wrong) = worked::<Dashmap>();
        assert!(dashmap.kept_all() && wrong == 0);
    }

    #[test]
    fn threads_leave_what_they_wrote() {
        let mut work = Work::<Ours>::new(100, 10);
        assert!(work.slice(2) > 0.0);
        assert!(work.slice(2) > 0.0);
        assert!(work.kept_all());
        assert!(work.written().contains(&2));
    }

    /// Keeps what was there.
    #[derive(Default)]
    struct Forgetful(Dashmap);

    impl KeyValue for Forgetful {
        const NAME: &str = "forgetful";
        type Value = Arc<[u8]>;

        fn get(&self, key: &[u8]) -> Option<Arc<[u8]>> {
            self.0.get(key)
        }

        fn set(&self, key: &[u8], value: &[u8]) {
            if self.0.get(key).is_none() {
                self.0.set(key, value);
            }
        }
    }

    /// Takes keys for one another.
    #[derive(Default)]
    struct Mixed(Dashmap);

    impl KeyValue for Mixed {
        const NAME: &str = "mixed";
        type Value = Arc<[u8]>;

        fn get(&self, key: &[u8]) -> Option<Arc<[u8]>> {
            self.0.get(&key[..key.len() - 1])
        }

        fn set(&self, key: &[u8], value: &[u8]) {
            self.0.set(&key[..key.len() - 1], value);
        }
    }

    #[test]
    fn a_store_that_drops_writes_is_found_out() {
        let (forgetful, _) = worked::<Forgetful>();
        assert!(!forgetful.kept_all());
    }

    #[test]
    fn a_store_that_mixes_up_keys_is_found_out() {
        let (_, wrong) = worked::<Mixed>();
        assert!(wrong > 0);
    }
}
