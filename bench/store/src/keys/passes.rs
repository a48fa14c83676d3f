//! The bodies of the benchmarks of one thread. As those of the four operations that everybody knows, each hands what it got
//! to `see`.
//!
//! Tests: what each pass returns and leaves behind.

use std::time::Duration;

use workload_store::{BatchError, Error, Handle, Store, TimeToLive};

use super::stores::{Batch, EXPIRING, FITS, FOR_GOOD};
use crate::Inputs;

/// So many times the store is told the time: as many as a pass has keys.
const TICKS: u64 = 1_000;

/// Sets every key to its second value, for so many seconds.
pub fn put(store: &Store, inputs: &Inputs, ttl: u64, mut see: impl FnMut(Option<Handle>)) {
    let time_to_live = Duration::from_secs(ttl);
    for (key, value) in inputs.new_pairs() {
        let set = match ttl {
            FOR_GOOD => store.set(key, value),
            _ => store.set_for(key, value, time_to_live),
        };
        see(set.expect(FITS));
    }
}

/// Reads every key, and copies its value out of the store.
pub fn get_copy(store: &Store, inputs: &Inputs, mut see: impl FnMut(Option<Vec<u8>>)) {
    for key in inputs.keys() {
        see(store.get_copy(key));
    }
}

/// Sets every key to its first value, for an hour.
pub fn set_for(store: &Store, inputs: &Inputs, mut see: impl FnMut(Option<Handle>)) {
    let time_to_live = Duration::from_secs(EXPIRING);
    for (key, value) in inputs.pairs() {
        see(store.set_for(key, value, time_to_live).expect(FITS));
    }
}

/// Sets every key to its first value in a store that has no room for it, and may refuse it.
pub fn evict(store: &Store, inputs: &Inputs, mut see: impl FnMut(Result<Option<Handle>, Error>)) {
    for (key, value) in inputs.pairs() {
        see(store.set(key, value));
    }
}

/// Tells the store a thousand times how late it is, a millisecond later each time.
pub fn advance(store: &Store) {
    for tick in 1..=TICKS {
        store.advance(Duration::from_millis(tick));
    }
}

/// Asks whether each key is there.
pub fn exists(store: &Store, inputs: &Inputs, mut see: impl FnMut(bool)) {
    for key in inputs.keys() {
        see(store.exists(key));
    }
}

/// Counts every key up or down by one.
pub fn count(
    store: &Store,
    inputs: &Inputs,
    step: impl Fn(&Store, &[u8], i64) -> Result<i64, Error>,
    mut see: impl FnMut(i64),
) {
    for key in inputs.keys() {
        see(step(store, key, 1).expect("every key is a number far from the ends"));
    }
}

/// Reads all keys of a call.
#[must_use]
pub fn get_many(store: &Store, batch: &Batch<'_>) -> Vec<Option<Handle>> {
    store.get_many(&batch.keys)
}

/// Sets all keys of a call.
///
/// # Errors
/// Never: no input is as long as the store's limits.
pub fn set_many(store: &Store, batch: &Batch<'_>) -> Result<(), BatchError> {
    store.set_many(&batch.pairs)
}

/// Deletes all keys of a call, and returns how many they were.
#[must_use]
pub fn delete_many(store: &Store, batch: &Batch<'_>) -> usize {
    store.delete_many(&batch.keys)
}

/// Goes through the keys that begin with a prefix.
pub fn scan(store: &Store, prefix: &[u8], mut see: impl FnMut(Vec<u8>)) {
    for key in store.scan(prefix) {
        see(key);
    }
}

/// Gives every key an hour to live.
pub fn expire_in(store: &Store, inputs: &Inputs, mut see: impl FnMut(bool)) {
    let time_to_live = Duration::from_secs(EXPIRING);
    for key in inputs.keys() {
        see(store.expire_in(key, time_to_live).expect(FITS));
    }
}

/// Asks how long every key still has.
pub fn time_to_live(store: &Store, inputs: &Inputs, mut see: impl FnMut(Option<TimeToLive>)) {
    for key in inputs.keys() {
        see(store.time_to_live(key));
    }
}

/// Lets every key stay for good.
pub fn persist(store: &Store, inputs: &Inputs, mut see: impl FnMut(bool)) {
    for key in inputs.keys() {
        see(store.persist(key).expect(FITS));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use workload_store::{Error, Eviction, Store, TimeToLive};

    use super::super::stores::{
        Batch, EVICTIONS, EXPIRING, FOR_GOOD, TTLS, counters, filled, full, past, strangers,
    };
    use super::super::{BATCHES, PREFIXES};
    use super::{
        TICKS, advance, count, delete_many, evict, exists, expire_in, get_copy, get_many, persist,
        put, scan, set_for, set_many, time_to_live,
    };
    use crate::{Inputs, VALUE_BYTES};

    fn all_have(store: &Store, inputs: &Inputs, ttl: u64) -> bool {
        let expected = match ttl {
            FOR_GOOD => TimeToLive::Persistent,
            seconds => TimeToLive::Left(Duration::from_secs(seconds)),
        };
        inputs
            .keys()
            .all(|key| store.time_to_live(key) == Some(expected))
    }

    #[test]
    fn put_replaces_every_value_and_keeps_what_each_has_to_live() {
        for bytes in VALUE_BYTES {
            for ttl in TTLS {
                let inputs = Inputs::smoke(bytes);
                let store = filled(&inputs, ttl);
                let mut replaced = Vec::new();
                put(&store, &inputs, ttl, |value| replaced.extend(value));
                let replaced = replaced.iter().map(|value| &**value);
                assert!(replaced.eq(inputs.pairs().map(|(_, value)| value)));
                let mut pairs = inputs.new_pairs();
                assert!(pairs.all(|(key, value)| store.get(key).as_deref() == Some(value)));
                assert!(all_have(&store, &inputs, ttl));
            }
        }
    }

    #[test]
    fn a_copy_is_of_every_value() {
        for bytes in VALUE_BYTES {
            let inputs = Inputs::smoke(bytes);
            let mut copies = Vec::new();
            get_copy(&inputs.filled_store(), &inputs, |copy| copies.extend(copy));
            let copies = copies.iter().map(Vec::as_slice);
            assert!(copies.eq(inputs.pairs().map(|(_, value)| value)));
        }
    }

    #[test]
    fn set_for_makes_every_key_for_an_hour() {
        let inputs = Inputs::smoke(64);
        let store = inputs.empty_store();
        set_for(&store, &inputs, |previous| assert_eq!(previous, None));
        let mut pairs = inputs.pairs();
        assert!(pairs.all(|(key, value)| store.get(key).as_deref() == Some(value)));
        assert!(all_have(&store, &inputs, EXPIRING));
    }

    #[test]
    fn who_comes_to_a_full_store_takes_the_place_of_one_or_is_refused() {
        let inputs = Inputs::smoke(64);
        let all = inputs.len() as u64;
        for (name, eviction) in EVICTIONS {
            let store = full(&inputs, eviction);
            let before = store.statistics();
            assert_eq!((before.keys, before.evicted), (all, 0), "{name}");
            let refuses = eviction == Eviction::Refuse;
            evict(&store, &inputs, |set| match set {
                Ok(previous) => assert!(!refuses && previous.is_none(), "{name}"),
                Err(error) => assert!(refuses && matches!(error, Error::MemoryLimit { .. })),
            });
            let after = store.statistics();
            let evicted = if refuses { 0 } else { all };
            assert_eq!((after.keys, after.evicted), (all, evicted), "{name}");
            assert_eq!(after.bytes, before.bytes, "{name}");
        }
        let soonest = full(&inputs, Eviction::SoonestToExpire);
        evict(&soonest, &inputs, |set| assert_eq!(set, Ok(None)));
        assert!(all_have(&soonest, &inputs, FOR_GOOD));
    }

    #[test]
    fn the_time_comes_and_goes_on() {
        let inputs = Inputs::smoke(64);
        let store = filled(&inputs, EXPIRING);
        advance(&store);
        time_to_live(&store, &inputs, |left| {
            let later = Duration::from_secs(EXPIRING) - Duration::from_millis(TICKS);
            assert_eq!(left, Some(TimeToLive::Left(later)));
        });
    }

    #[test]
    fn whoever_reads_what_has_expired_removes_it() {
        let inputs = Inputs::smoke(64);
        let store = past(&inputs);
        assert_eq!(store.len(), inputs.len());
        crate::get(&store, &inputs, |value| assert_eq!(value, None));
        let removed = store.statistics().expired as usize;
        assert_eq!((store.len(), removed), (0, inputs.len()));
    }

    #[test]
    fn exists_tells_keys_from_strangers() {
        let inputs = Inputs::smoke(64);
        for (store, expected) in [
            (filled(&inputs, FOR_GOOD), true),
            (strangers(&inputs), false),
        ] {
            assert_eq!(store.len(), inputs.len());
            let mut seen = 0;
            exists(&store, &inputs, |found| {
                assert_eq!(found, expected);
                seen += 1;
            });
            assert_eq!(seen, inputs.len());
        }
    }

    #[test]
    fn counting_goes_by_one_and_keeps_what_each_has_to_live() {
        for ttl in TTLS {
            let inputs = Inputs::smoke(64);
            let store = counters(&inputs, ttl);
            count(&store, &inputs, Store::incr, |sum| {
                assert_eq!(sum, 5_000_001);
            });
            count(&store, &inputs, Store::decr, |sum| {
                assert_eq!(sum, 5_000_000);
            });
            assert!(all_have(&store, &inputs, ttl));
        }
    }

    #[test]
    fn calls_for_many_are_for_all_of_them() {
        for count in &BATCHES[..2] {
            let inputs = Batch::inputs(*count);
            let batch = Batch::of(&inputs);
            let store = filled(&inputs, FOR_GOOD);
            set_many(&store, &batch).unwrap();
            let found = get_many(&store, &batch);
            let found = found.iter().map(|value| value.as_deref());
            assert!(found.eq(inputs.new_pairs().map(|(_, value)| Some(value))));
            assert_eq!(delete_many(&store, &batch), *count);
            assert!(store.is_empty());
        }
    }

    #[test]
    fn a_scan_finds_what_its_param_says() {
        let inputs = Inputs::full(64);
        let store = filled(&inputs, FOR_GOOD);
        for (prefix, expected) in PREFIXES {
            let mut found = Vec::new();
            scan(&store, prefix, |key| found.push(key));
            assert_eq!(found.len(), expected);
            assert!(found.iter().all(|key| key.starts_with(prefix)));
        }
    }

    #[test]
    fn times_to_live_are_given_and_taken() {
        let inputs = Inputs::smoke(64);
        for ttl in TTLS {
            let store = filled(&inputs, ttl);
            expire_in(&store, &inputs, |there| assert!(there));
            assert!(all_have(&store, &inputs, EXPIRING));
            time_to_live(&store, &inputs, |left| {
                let hour = Duration::from_secs(EXPIRING);
                assert_eq!(left, Some(TimeToLive::Left(hour)));
            });
            persist(&store, &inputs, |had| assert!(had));
            assert!(all_have(&store, &inputs, FOR_GOOD));
            assert_eq!(store.len(), inputs.len());
        }
    }
}
