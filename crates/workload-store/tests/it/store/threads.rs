//! The store under threads: nothing is lost or torn when calls overlap.

use std::thread;

use workload_store::{ENTRY_BYTES, Eviction, Limit, Statistics, Store};

use super::{ms, shards};

const THREADS: u8 = 4;
const KEYS_PER_THREAD: u32 = 2_000;

/// Fills and half empties the range of one thread, while writing a key that all threads share.
fn work(store: &Store, thread: u8) {
    for number in 0..KEYS_PER_THREAD {
        let key = format!("{thread}:{number}");
        assert_eq!(store.set(key.as_bytes(), &number.to_le_bytes()), Ok(None));
        store
            .set(b"shared", &[thread; 100])
            .expect("there is no limit");
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
    let store = Store::new(shards(2));
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

#[test]
fn a_scan_during_changes_finds_what_stays_once() {
    let store = Store::new(shards(4));
    for number in 0..1_000_u32 {
        let stays = format!("stays:{number}");
        assert_eq!(store.set(stays.as_bytes(), b""), Ok(None));
    }
    thread::scope(|scope| {
        scope.spawn(|| {
            for number in 0..20_000_u32 {
                let comes = format!("comes:{number}");
                assert_eq!(store.set(comes.as_bytes(), b"and goes"), Ok(None));
                // Values of another length: records move while they are scanned.
                let stays = format!("stays:{}", number % 1_000);
                let value = vec![b'v'; (number % 60) as usize];
                assert!(store.set(stays.as_bytes(), &value).is_ok());
                assert!(store.delete(comes.as_bytes()));
            }
        });
        for _ in 0..20 {
            let mut found: Vec<Vec<u8>> = store.scan(b"stays:").collect();
            assert_eq!(found.len(), 1_000);
            found.sort_unstable();
            found.dedup();
            assert_eq!(found.len(), 1_000);
        }
    });
}

#[test]
fn threads_never_get_above_the_limit_together() {
    for count in [1, 2] {
        fill_together(count);
    }
}

fn fill_together(count: usize) {
    const LIMIT: u64 = 200 * (ENTRY_BYTES + 20);
    let limit = Limit {
        bytes: LIMIT,
        eviction: Eviction::LeastRecentlyUsed,
    };
    let store = Store::limited(shards(count), limit);
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let store = &store;
            scope.spawn(move || {
                for number in 0..2_000_u32 {
                    let key = format!("{thread}:{number}");
                    let value = vec![thread; (number % 100) as usize];
                    assert_eq!(store.set_for(key.as_bytes(), &value, ms(5)), Ok(None));
                    store.advance(ms(u64::from(number) / 100));
                    // The sum over several shards is not of one moment.
                    assert!(count > 1 || store.statistics().bytes <= LIMIT);
                }
            });
        }
    });
    let Statistics {
        writes,
        expired,
        evicted,
        keys,
        ..
    } = store.statistics();
    assert_eq!(writes, expired + evicted + keys);
    store.advance(ms(1_000_000));
    store.remove_expired(usize::MAX);
    assert_eq!(store.statistics().bytes, 0);
    // What was counted between the shards is zero too: the whole limit can be used.
    let whole = vec![0; (LIMIT - ENTRY_BYTES - 1) as usize];
    assert_eq!(store.set(b"k", &whole), Ok(None));
    assert_eq!(store.statistics().bytes, LIMIT);
}
