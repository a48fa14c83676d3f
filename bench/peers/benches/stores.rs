//! One thread: a hot key, and keys one after the other into an empty store.
//!
//! `set_hot` replaces the value of one key again and again and `get_hot` reads it, as the report of the store does;
//! `set_sequence` makes each of ten thousand keys, whose bytes stand ready. Dropping a store is not timed. Each store is
//! asked afterwards what it has.

use std::hint::black_box;

use bench_peers::keys::{VALUE_BYTES, keys, value};
use bench_peers::stores::{Dashmap, KeyValue, Moka, Ours, Papaya, Scc};
use criterion::measurement::WallTime;
use criterion::{
    BatchSize, BenchmarkGroup, BenchmarkId, Criterion, criterion_group, criterion_main,
};

const KEYS: usize = 10_000;

fn stores(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("store");
    for bytes in [64, 1024, 4096] {
        set_hot::<Ours>(&mut group, bytes);
        set_hot::<Dashmap>(&mut group, bytes);
        set_hot::<Scc>(&mut group, bytes);
        set_hot::<Papaya>(&mut group, bytes);
        set_hot::<Moka>(&mut group, bytes);
    }
    get_hot::<Ours>(&mut group);
    get_hot::<Dashmap>(&mut group);
    get_hot::<Scc>(&mut group);
    get_hot::<Papaya>(&mut group);
    get_hot::<Moka>(&mut group);
    set_sequence::<Ours>(&mut group);
    set_sequence::<Dashmap>(&mut group);
    set_sequence::<Scc>(&mut group);
    set_sequence::<Papaya>(&mut group);
    set_sequence::<Moka>(&mut group);
    group.finish();
}

fn set_hot<S: KeyValue>(group: &mut BenchmarkGroup<'_, WallTime>, bytes: usize) {
    let id = BenchmarkId::new("set_hot", format!("bytes={bytes},store={}", S::NAME));
    let store = S::default();
    // Two values in turn: one that was not set would be the other.
    let mut other = value(bytes);
    other.reverse();
    let (values, mut sets) = ([value(bytes), other], 0);
    group.bench_function(id, |bencher| {
        bencher.iter(|| {
            sets += 1;
            store.set(black_box(b"key:00005000"), black_box(&values[sets % 2]));
        });
        let there = store.get(b"key:00005000");
        let is_last = there.is_some_and(|it| *it == *values[sets % 2]);
        assert!(is_last, "another value is there");
    });
}

fn get_hot<S: KeyValue>(group: &mut BenchmarkGroup<'_, WallTime>) {
    let id = BenchmarkId::new("get_hot", format!("bytes={VALUE_BYTES},store={}", S::NAME));
    let store = filled::<S>(&keys(KEYS));
    group.bench_function(id, |bencher| {
        bencher.iter(|| {
            // Looked at where it is, as readers do: to move a handle of ours is to copy its bytes.
            let there = store.get(black_box(b"key:00005000"));
            black_box(there.as_deref().expect("it is there"));
        });
    });
}

fn set_sequence<S: KeyValue>(group: &mut BenchmarkGroup<'_, WallTime>) {
    let params = format!("bytes={VALUE_BYTES},keys={KEYS},store={}", S::NAME);
    let (keys, value) = (keys(KEYS), value(VALUE_BYTES));
    group.bench_function(BenchmarkId::new("set_sequence", params), |bencher| {
        let fill = |store: &mut S| {
            for key in &keys {
                store.set(key, black_box(&value));
            }
        };
        bencher.iter_batched_ref(S::default, fill, BatchSize::PerIteration);
        let store = filled::<S>(&keys);
        let has = |key: &[u8]| store.get(key).is_some_and(|it| *it == *value);
        assert!(keys.iter().all(|key| has(key)), "a key is missing");
    });
}

fn filled<S: KeyValue>(keys: &[Box<[u8]>]) -> S {
    let (store, value) = (S::default(), value(VALUE_BYTES));
    for key in keys {
        store.set(key, &value);
    }
    store
}

criterion_group!(benches, stores);
criterion_main!(benches);
