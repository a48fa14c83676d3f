//! The store against a model: an ordered map of the standard library, with a clock that the test moves.
//!
//! The map is slow, locked by nobody, and right. Whatever sequence of calls is made, the store answers as it does, and
//! counts what it counts.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::{
    Just, ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest,
};
use proptest::test_runner::TestCaseError;
use workload_store::{ENTRY_BYTES, Error, Statistics, Store, TimeToLive};

use super::{ms, shards};

type Bytes = Vec<u8>;

/// One call.
#[derive(Clone, Debug)]
enum Call {
    Set(Bytes, Bytes),
    SetFor(Bytes, Bytes, u64),
    Get(Bytes),
    GetCopy(Bytes),
    Exists(Bytes),
    Delete(Bytes),
    Incr(Bytes, i64),
    Decr(Bytes, i64),
    GetMany(Vec<Bytes>),
    SetMany(Vec<(Bytes, Bytes)>),
    DeleteMany(Vec<Bytes>),
    Scan(Bytes),
    ExpireIn(Bytes, u64),
    Persist(Bytes),
    TimeToLive(Bytes),
    Pass(u64),
    RemoveExpired(usize),
}

/// Keys from a small alphabet, so that calls meet; some are longer than what the hasher treats as short.
fn key() -> impl Strategy<Value = Bytes> {
    prop_oneof![vec(0_u8..3, 0..4), vec(0_u8..2, 17..19)]
}

/// Short and long values, both sides of where that changes, and numbers.
fn value() -> impl Strategy<Value = Bytes> {
    prop_oneof![
        3 => vec(any::<u8>(), 0..40),
        1 => (60_usize..70).prop_map(|bytes| vec![b'x'; bytes]),
        1 => Just(vec![b'y'; 5_000]),
        2 => any::<i64>().prop_map(|number| number.to_string().into_bytes()),
    ]
}

fn milliseconds() -> impl Strategy<Value = u64> {
    prop_oneof![3 => 0_u64..50, 1 => 0_u64..100_000]
}

fn call() -> impl Strategy<Value = Call> {
    let number = || prop_oneof![3 => -9_i64..9, 1 => any::<i64>()];
    let writes = prop_oneof![
        3 => (key(), value()).prop_map(|(key, value)| Call::Set(key, value)),
        3 => (key(), value(), milliseconds()).prop_map(|(key, value, left)| Call::SetFor(key, value, left)),
        2 => key().prop_map(Call::Delete),
        2 => (key(), number()).prop_map(|(key, by)| Call::Incr(key, by)),
        1 => (key(), number()).prop_map(|(key, by)| Call::Decr(key, by)),
        1 => vec((key(), value()), 0..4).prop_map(Call::SetMany),
        1 => vec(key(), 0..4).prop_map(Call::DeleteMany),
    ];
    let reads = prop_oneof![
        3 => key().prop_map(Call::Get),
        1 => key().prop_map(Call::GetCopy),
        1 => key().prop_map(Call::Exists),
        1 => vec(key(), 0..4).prop_map(Call::GetMany),
        1 => vec(0_u8..3, 0..3).prop_map(Call::Scan),
    ];
    let times = prop_oneof![
        2 => (key(), milliseconds()).prop_map(|(key, left)| Call::ExpireIn(key, left)),
        1 => key().prop_map(Call::Persist),
        2 => key().prop_map(Call::TimeToLive),
        2 => milliseconds().prop_map(Call::Pass),
        1 => (0_usize..5).prop_map(Call::RemoveExpired),
    ];
    prop_oneof![3 => writes, 2 => reads, 2 => times]
}

/// The slow store.
#[derive(Debug, Default)]
struct Model {
    /// Values with their deadlines.
    map: BTreeMap<Bytes, (Bytes, Option<u64>)>,
    now: u64,
    counts: Statistics,
}

impl Model {
    /// Removes a key that has expired, as every operation on it does.
    fn settle(&mut self, key: &[u8]) {
        let deadline = self.map.get(key).and_then(|entry| entry.1);
        if deadline.is_some_and(|deadline| deadline <= self.now) {
            self.map.remove(key);
            self.counts.expired += 1;
        }
    }

    fn set(&mut self, key: Bytes, value: Bytes, deadline: Option<u64>) -> Option<Bytes> {
        self.settle(&key);
        self.counts.writes += 1;
        self.map.insert(key, (value, deadline)).map(|entry| entry.0)
    }

    fn peek(&mut self, key: &[u8]) -> Option<&(Bytes, Option<u64>)> {
        self.settle(key);
        self.map.get(key)
    }

    fn get(&mut self, key: &[u8]) -> Option<Bytes> {
        let found = self.peek(key).map(|entry| entry.0.clone());
        if found.is_some() {
            self.counts.hits += 1;
        } else {
            self.counts.misses += 1;
        }
        found
    }

    fn delete(&mut self, key: &[u8]) -> bool {
        self.settle(key);
        let found = self.map.remove(key).is_some();
        self.counts.deleted += u64::from(found);
        found
    }

    fn count(&mut self, key: Bytes, by: i128) -> Result<i64, Error> {
        let (number, deadline) = match self.peek(&key) {
            None => (0, None),
            Some((value, deadline)) => {
                let text = str::from_utf8(value).map_err(|_not_text| Error::NotANumber)?;
                let number: i64 = text.parse().map_err(|_no_number| Error::NotANumber)?;
                (number, *deadline)
            }
        };
        let sum =
            i64::try_from(i128::from(number) + by).map_err(|_big| Error::Overflow { number })?;
        self.set(key, sum.to_string().into_bytes(), deadline);
        Ok(sum)
    }

    fn expired(&self) -> usize {
        let deadlines = self.map.values().filter_map(|entry| entry.1);
        deadlines.filter(|&deadline| deadline <= self.now).count()
    }

    fn remove_all_expired(&mut self) {
        let keys: Vec<Bytes> = self.map.keys().cloned().collect();
        for key in keys {
            self.settle(&key);
        }
    }

    fn scan(&self, prefix: &[u8]) -> Vec<Bytes> {
        let found = self.map.iter().filter(|(key, (_, deadline))| {
            key.starts_with(prefix) && deadline.is_none_or(|deadline| deadline > self.now)
        });
        found.map(|(key, _)| key.clone()).collect()
    }

    fn statistics(&self) -> Statistics {
        let cost = |(key, (value, _)): (&Bytes, &(Bytes, _))| {
            (key.len() + value.len()) as u64 + ENTRY_BYTES
        };
        Statistics {
            keys: self.map.len() as u64,
            expiring: self.map.values().filter(|entry| entry.1.is_some()).count() as u64,
            bytes: self.map.iter().map(cost).sum(),
            ..self.counts
        }
    }
}

/// Makes a call that writes on both, and compares what they return.
fn write(store: &Store, model: &mut Model, call: Call) -> Result<(), TestCaseError> {
    match call {
        Call::Set(key, value) => {
            let previous = store.set(&key, &value)?;
            let expected = model.set(key, value, None);
            prop_assert_eq!(previous.as_deref(), expected.as_deref());
        }
        Call::SetFor(key, value, 0) => {
            let refused = store.set_for(&key, &value, ms(0));
            prop_assert_eq!(refused, Err(Error::NoTimeToLive));
        }
        Call::SetFor(key, value, left) => {
            let previous = store.set_for(&key, &value, ms(left))?;
            let expected = model.set(key, value, Some(model.now + left));
            prop_assert_eq!(previous.as_deref(), expected.as_deref());
        }
        Call::Delete(key) => prop_assert_eq!(store.delete(&key), model.delete(&key)),
        Call::Incr(key, by) => {
            prop_assert_eq!(store.incr(&key, by), model.count(key, i128::from(by)));
        }
        Call::Decr(key, by) => {
            prop_assert_eq!(store.decr(&key, by), model.count(key, -i128::from(by)));
        }
        Call::SetMany(pairs) => {
            let borrowed: Vec<(&[u8], &[u8])> = pairs
                .iter()
                .map(|(key, value)| (&**key, &**value))
                .collect();
            prop_assert_eq!(store.set_many(&borrowed), Ok(()));
            for (key, value) in pairs {
                model.set(key, value, None);
            }
        }
        Call::DeleteMany(keys) => {
            let borrowed: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
            let found = keys.iter().filter(|key| model.delete(key)).count();
            prop_assert_eq!(store.delete_many(&borrowed), found);
        }
        other => read(store, model, other)?,
    }
    Ok(())
}

/// Makes a call that reads on both.
fn read(store: &Store, model: &mut Model, call: Call) -> Result<(), TestCaseError> {
    match call {
        Call::Get(key) => {
            let (found, expected) = (store.get(&key), model.get(&key));
            prop_assert_eq!(found.as_deref(), expected.as_deref());
        }
        Call::GetCopy(key) => prop_assert_eq!(store.get_copy(&key), model.get(&key)),
        Call::Exists(key) => prop_assert_eq!(store.exists(&key), model.peek(&key).is_some()),
        Call::GetMany(keys) => {
            let borrowed: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
            let found = store.get_many(&borrowed);
            let found: Vec<Option<&[u8]>> = found.iter().map(Option::as_deref).collect();
            let expected: Vec<Option<Bytes>> = keys.iter().map(|key| model.get(key)).collect();
            let expected: Vec<Option<&[u8]>> = expected.iter().map(Option::as_deref).collect();
            prop_assert_eq!(found, expected);
        }
        Call::Scan(prefix) => {
            let mut found: Vec<Bytes> = store.scan(&prefix).collect();
            found.sort_unstable();
            prop_assert_eq!(found, model.scan(&prefix));
        }
        other => time(store, model, other)?,
    }
    Ok(())
}

/// Makes a call that is about time on both.
fn time(store: &Store, model: &mut Model, call: Call) -> Result<(), TestCaseError> {
    match call {
        Call::ExpireIn(key, 0) => {
            prop_assert_eq!(store.expire_in(&key, ms(0)), Err(Error::NoTimeToLive));
        }
        Call::ExpireIn(key, left) => {
            model.settle(&key);
            let deadline = model.now + left;
            let found = model
                .map
                .get_mut(&key)
                .map(|entry| entry.1 = Some(deadline));
            prop_assert_eq!(store.expire_in(&key, ms(left)), Ok(found.is_some()));
        }
        Call::Persist(key) => {
            model.settle(&key);
            let had = model.map.get_mut(&key).and_then(|entry| entry.1.take());
            prop_assert_eq!(store.persist(&key), Ok(had.is_some()));
        }
        Call::TimeToLive(key) => {
            let now = model.now;
            let expected = model.peek(&key).map(|entry| match entry.1 {
                None => TimeToLive::Persistent,
                Some(deadline) => TimeToLive::Left(ms(deadline - now)),
            });
            prop_assert_eq!(store.time_to_live(&key), expected);
        }
        Call::Pass(milliseconds) => {
            model.now += milliseconds;
            store.advance(ms(model.now));
        }
        Call::RemoveExpired(at_most) => {
            prop_assert_eq!(store.remove_expired(at_most), model.expired().min(at_most));
            // Which of them went is the store's choice; when all are gone, both agree again.
            store.remove_expired(usize::MAX);
            model.remove_all_expired();
        }
        other => prop_assert!(false, "{other:?} is nobody's"),
    }
    Ok(())
}

proptest! {
    // A failing sequence is printed whole, so nothing needs to be written beside the sources.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_store_answers_as_the_model_does(
        count in prop_oneof![Just(1), Just(2), Just(64)],
        calls in vec(call(), 0..300),
    ) {
        let store = Store::new(shards(count));
        let mut model = Model::default();
        for call in calls {
            write(&store, &mut model, call)?;
            prop_assert_eq!(store.statistics(), model.statistics());
            prop_assert_eq!(store.len(), model.map.len());
            prop_assert_eq!(store.is_empty(), model.map.is_empty());
        }
        for key in model.scan(b"") {
            let found = store.get(&key);
            prop_assert_eq!(found.as_deref(), Some(&*model.map[&key].0));
            prop_assert!(store.delete(&key));
        }
        store.remove_expired(usize::MAX);
        prop_assert_eq!(store.statistics().bytes, 0);
    }
}
