//! The store as somebody else's report measured theirs.
//!
//! What that includes, beside the operation in the name of its tables:
//!
//! - **put** ("SET"): one key, the same each time, so that it and its value never leave the fastest cache; and a fresh vector
//!   of zeros, allocated, copied from and freed again, because theirs took the vector itself.
//! - **`set_many`** ("write throughput by batch size"): no batch but a loop over single sets, a key formatted for each, and
//!   a fresh vector of 64 zeros. But for the first time each key is there already.
//! - **`get_many`** ("read latency, P99"): a mean, of one key that is always the same, or of a loop over a hundred; each key
//!   formatted, each value copied out.
//! - **concurrent** set and get: tasks of a runtime, whose start and end are in the time; a hundred operations each, on
//!   three bytes, their keys formatted; a get copies the value out. The runtime has as many threads as there are processors.
//! - **`remove_expired`** ("TTL cleanup"): a single set of one byte, beside keys of which half have expired. Nothing is
//!   removed.
//! - **memory** ("footprint"): nothing is measured. While a million keys are set, the lengths of keys and values are added
//!   up, with 32 bytes for each entry; the last row is of the moment when 900,001 keys were in.
//!
//! Theirs were asynchronous functions that never waited; ours are plain ones. Theirs went by the clock of the system; ours
//! is told.
//!
//! Tests: what each leaves behind.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Runtime;
use workload_store::{Shards, Store, TimeToLive};

use super::stores::{FITS, FOR_GOOD, set};

/// The numbers of tasks in the report.
pub const TASKS: [usize; 4] = [1, 4, 16, 64];

/// The numbers of keys in one reading of the report.
pub const GETS: [usize; 2] = [1, 100];

/// The operations of a task.
const OPERATIONS: usize = 100;

/// The keys that there are when tasks read.
const KEYS_READ: usize = 1_000;

/// The keys that there are when one reads.
const KEYS: usize = 10_000;

/// What most keys are set to there.
const ZEROS: [u8; 64] = [0; 64];

/// Sets one key to a copy of a value, for so many seconds.
pub fn put(store: &Store, value: &[u8], ttl: u64) {
    set(store, b"test_key", &fresh(value), ttl);
}

/// Says whether the one key has the value, and so many seconds.
#[must_use]
pub fn has_put(store: &Store, value: &[u8], ttl: u64) -> bool {
    let left = match ttl {
        FOR_GOOD => TimeToLive::Persistent,
        seconds => TimeToLive::Left(Duration::from_secs(seconds)),
    };
    let (found, found_left) = (store.get(b"test_key"), store.time_to_live(b"test_key"));
    (found.as_deref(), found_left) == (Some(value), Some(left))
}

/// Sets so many keys, one after the other.
pub fn set_many(store: &Store, keys: usize) {
    for number in 0..keys {
        set(store, format!("key_{number}").as_bytes(), &fresh(&ZEROS), 0);
    }
}

/// Says whether a store has so many keys, each with its value, and no other.
#[must_use]
pub fn has_set_many(store: &Store, keys: usize) -> bool {
    let has = |number| store.get(format!("key_{number}").as_bytes()).as_deref() == Some(&ZEROS[..]);
    store.len() == keys && (0..keys).all(has)
}

/// Returns a store to be read by one.
#[must_use]
pub fn read_store() -> Store {
    let store = Store::new(Shards::default());
    set_many(&store, KEYS);
    store
}

/// Reads the one key, or the first of many, and returns how many were found.
#[must_use]
pub fn get_many(store: &Store, gets: usize) -> usize {
    let keys = if gets == 1 {
        KEYS / 2..KEYS / 2 + 1
    } else {
        0..gets
    };
    keys.filter(|number| {
        let key = format!("key_{}", black_box(number));
        black_box(store.get_copy(key.as_bytes())).is_some()
    })
    .count()
}

/// Returns a store with so many keys, of which half have expired.
#[must_use]
pub fn half_expired(keys: usize) -> Store {
    let store = Store::new(Shards::default());
    for number in 0..keys {
        let ttl = u64::from(number % 2 == 0);
        set(
            &store,
            format!("key_{number}").as_bytes(),
            &fresh(&ZEROS),
            ttl,
        );
    }
    store.advance(Duration::from_secs(2));
    store
}

/// Sets one key, which is all that the clean-up of the report does.
pub fn remove_expired(store: &Store) {
    set(store, b"trigger", &fresh(&[1]), 0);
}

/// Says whether that one key is there beside so many, none of which was removed.
#[must_use]
pub fn has_trigger(store: &Store, keys: usize) -> bool {
    let statistics = store.statistics();
    let all = (statistics.keys, statistics.expired) == (keys as u64 + 1, 0);
    all && store.get(b"trigger").as_deref() == Some(&[1][..])
}

/// The rows of the report about memory: the keys that it names, and those that were in.
pub const MEMORY: [(usize, usize); 3] =
    [(100_000, 100_001), (500_000, 500_001), (1_000_000, 900_001)];

/// What the report takes an entry to cost beside its key and its value.
const ENTRY: usize = 32;

/// Sets so many keys, and returns the sum of what they are taken to cost.
#[must_use]
pub fn memory(keys: usize) -> u64 {
    let store = Store::new(Shards::default());
    let cost = |number| {
        let key = format!("key_{number}");
        set(&store, key.as_bytes(), &fresh(&ZEROS), 0);
        (key.len() + ZEROS.len() + ENTRY) as u64
    };
    (0..keys).map(cost).sum()
}

/// What tasks read or write.
#[derive(Debug)]
pub struct Concurrent {
    runtime: Runtime,
    store: Arc<Store>,
}

impl Concurrent {
    /// Returns a runtime, and a store with the keys that tasks read.
    #[must_use]
    pub fn new() -> Self {
        let store = Store::new(Shards::default());
        for number in 0..KEYS_READ {
            set(&store, format!("key_{number}").as_bytes(), &[1, 2, 3], 0);
        }
        Self {
            runtime: crate::queue::as_published::runtime(),
            store: Arc::new(store),
        }
    }

    /// Starts tasks that set a hundred keys each, and waits for them. Returns how many they set.
    #[must_use]
    pub fn set(&self, tasks: usize) -> usize {
        self.run(tasks, |store, task| {
            for number in 0..OPERATIONS {
                let key = format!("key_{task}_{number}");
                drop(store.set(key.as_bytes(), &fresh(&[1, 2, 3])).expect(FITS));
            }
            OPERATIONS
        })
    }

    /// Starts tasks that get a hundred keys each, and waits for them. Returns how many they found.
    #[must_use]
    pub fn get(&self, tasks: usize) -> usize {
        self.run(tasks, |store, task| {
            let found = (0..OPERATIONS).filter(|number| {
                let key = format!("key_{}", (task * OPERATIONS + number) % KEYS_READ);
                black_box(store.get_copy(key.as_bytes())).is_some()
            });
            found.count()
        })
    }

    fn run(&self, tasks: usize, work: fn(&Store, usize) -> usize) -> usize {
        self.runtime.block_on(async {
            let start = |task| tokio::spawn(one(Arc::clone(&self.store), task, work));
            let started: Vec<_> = (0..tasks).map(start).collect();
            let mut done = 0;
            for task in started {
                done += task.await.expect("no task panics");
            }
            done
        })
    }
}

impl Default for Concurrent {
    fn default() -> Self {
        Self::new()
    }
}

async fn one(store: Arc<Store>, task: usize, work: fn(&Store, usize) -> usize) -> usize {
    work(&store, task)
}

/// A vector that the compiler cannot spare: theirs took one with each set.
fn fresh(value: &[u8]) -> Vec<u8> {
    black_box(value.to_vec())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use workload_store::{Shards, Store, TimeToLive};

    use super::{
        Concurrent, GETS, KEYS_READ, TASKS, get_many, half_expired, has_put, has_set_many,
        has_trigger, memory, put, read_store, remove_expired, set_many,
    };

    #[test]
    fn put_sets_the_one_key() {
        let store = Store::new(Shards::default());
        for ttl in [0, 3_600] {
            put(&store, &[7; 64], ttl);
            put(&store, &[8; 64], ttl);
            assert_eq!(
                (store.len(), store.get_copy(b"test_key")),
                (1, Some(vec![8; 64]))
            );
        }
        let hour = TimeToLive::Left(Duration::from_secs(3_600));
        assert_eq!(store.time_to_live(b"test_key"), Some(hour));
        assert!(has_put(&store, &[8; 64], 3_600));
        assert!(!has_put(&store, &[8; 64], 0) && !has_put(&store, &[7; 64], 3_600));
    }

    #[test]
    fn a_batch_is_so_many_single_sets() {
        let store = Store::new(Shards::default());
        set_many(&store, 100);
        set_many(&store, 100);
        assert_eq!((store.len(), store.statistics().writes), (100, 200));
        assert!(has_set_many(&store, 100) && !has_set_many(&store, 99));
        store.set(b"key_7", b"another").unwrap();
        assert!(!has_set_many(&store, 100));
    }

    #[test]
    fn every_key_that_is_read_is_found() {
        let store = read_store();
        for gets in GETS {
            assert_eq!(get_many(&store, gets), gets);
        }
    }

    #[test]
    fn the_sum_of_the_memory_is_of_keys_values_and_a_guess() {
        assert_eq!(memory(0), 0);
        assert_eq!(memory(11), 10 * (5 + 64 + 32) + (6 + 64 + 32));
    }

    #[test]
    fn the_clean_up_removes_nothing() {
        let store = half_expired(100);
        assert!(!has_trigger(&store, 100));
        remove_expired(&store);
        assert_eq!((store.len(), store.statistics().expired), (101, 0));
        assert!(has_trigger(&store, 100));
        assert_eq!(store.remove_expired(1_000), 50);
    }

    #[test]
    fn every_task_does_its_operations() {
        let concurrent = Concurrent::new();
        for tasks in TASKS {
            assert_eq!(concurrent.get(tasks), 100 * tasks);
            assert_eq!(concurrent.set(tasks), 100 * tasks);
            assert_eq!(concurrent.store.len(), KEYS_READ + 100 * tasks);
        }
    }
}
