//! The store against a model, and the store under threads.
//!
//! Whatever sequence of calls is made, the store must answer as an ordered map of the standard library does: that map
//! is slow, locked by nobody, and right. The threads then show that nothing is lost or torn when calls overlap.

use std::collections::BTreeMap;
use std::thread;

use proptest::collection::vec;
use proptest::prelude::{
    Just, ProptestConfig, Strategy, any, prop_assert_eq, prop_oneof, proptest,
};
use workload_store::{Shards, Store};

/// One call.
#[derive(Clone, Debug)]
enum Call {
    Set(Vec<u8>, Vec<u8>),
    Get(Vec<u8>),
    Delete(Vec<u8>),
}

/// Keys from a small alphabet, so that calls meet; some are longer than what the hasher treats as short.
fn key() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![vec(0_u8..3, 0..4), vec(0_u8..2, 17..19)]
}

fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        3 => (key(), vec(any::<u8>(), 0..40)).prop_map(|(key, value)| Call::Set(key, value)),
        2 => key().prop_map(Call::Get),
        2 => key().prop_map(Call::Delete),
    ]
}

fn shards() -> impl Strategy<Value = Shards> {
    prop_oneof![Just(1), Just(2), Just(64)]
        .prop_map(|count| Shards::new(count).expect("all three are powers of two"))
}

proptest! {
    // A failing sequence is printed whole, so nothing needs to be written beside the sources.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_store_answers_as_the_model_does(shards in shards(), calls in vec(call(), 0..300)) {
        let store = Store::new(shards);
        let mut model = BTreeMap::new();
        for call in calls {
            match call {
                Call::Set(key, value) => {
                    let previous = store.set(&key, &value);
                    let expected = model.insert(key, value);
                    prop_assert_eq!(previous.as_deref(), expected.as_deref());
                }
                Call::Get(key) => {
                    let found = store.get(&key);
                    prop_assert_eq!(found.as_deref(), model.get(&key).map(Vec::as_slice));
                }
                Call::Delete(key) => prop_assert_eq!(store.delete(&key), model.remove(&key).is_some()),
            }
            prop_assert_eq!(store.len(), model.len());
            prop_assert_eq!(store.is_empty(), model.is_empty());
        }
        for (key, value) in &model {
            let found = store.get(key);
            prop_assert_eq!(found.as_deref(), Some(value.as_slice()));
        }
    }
}

const THREADS: u8 = 4;
const KEYS_PER_THREAD: u32 = 2_000;

/// Fills and half empties the range of one thread, while writing a key that all threads share.
fn work(store: &Store, thread: u8) {
    for number in 0..KEYS_PER_THREAD {
        let key = format!("{thread}:{number}");
        assert_eq!(store.set(key.as_bytes(), &number.to_le_bytes()), None);
        store.set(b"shared", &[thread; 100]);
        // A torn value would mix the numbers of two threads.
        let shared = store
            .get(b"shared")
            .expect("no thread deletes the shared key");
        assert!(shared.len() == 100 && shared.iter().all(|byte| *byte == shared[0]));
        if number % 2 == 1 {
            assert!(store.delete(key.as_bytes()));
        }
    }
}

#[test]
fn threads_lose_nothing_of_one_another() {
    // Two shards for four threads: they are sure to meet.
    let store = Store::new(Shards::new(2).expect("two is a power of two"));
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let store = &store;
            scope.spawn(move || work(store, thread));
        }
    });
    assert_eq!(
        store.len(),
        usize::from(THREADS) * KEYS_PER_THREAD as usize / 2 + 1
    );
    for thread in 0..THREADS {
        for number in (0..KEYS_PER_THREAD).step_by(2) {
            let value = store.get(format!("{thread}:{number}").as_bytes());
            assert_eq!(value.as_deref(), Some(&number.to_le_bytes()[..]));
        }
    }
}
