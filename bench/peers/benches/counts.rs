//! The instructions of one thread at one key, counted under Callgrind: what the processor's time of `stores` rests on.
//!
//! A thousand operations each; neither making nor freeing a store is in a count. As in the suite of the store, each
//! function returns what it was given.
#![expect(
    missing_docs,
    reason = "the framework's macros write public items that nobody can name"
)]

use std::hint::black_box;

use bench_peers::keys::{VALUE_BYTES, keys, value};
use bench_peers::stores::{Dashmap, KeyValue, Ours, Papaya, Scc};
use iai_callgrind::{LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};

const KEYS: usize = 10_000;
const TIMES: usize = 1_000;

/// A store with keys, and two values of a length.
struct Filled<S> {
    store: S,
    values: [Vec<u8>; 2],
}

fn filled<S: KeyValue>(bytes: usize) -> Filled<S> {
    let store = S::default();
    let mut other = value(bytes);
    other.reverse();
    let values = [value(bytes), other];
    for key in keys(KEYS) {
        store.set(&key, &values[0]);
    }
    Filled { store, values }
}

fn set<S: KeyValue>(filled: Filled<S>) -> Filled<S> {
    for value in filled.values.iter().cycle().take(TIMES) {
        filled
            .store
            .set(black_box(b"key:00005000"), black_box(value));
    }
    filled
}

fn get<S: KeyValue>(filled: Filled<S>) -> Filled<S> {
    for _ in 0..TIMES {
        let there = filled.store.get(black_box(b"key:00005000"));
        black_box(there.as_deref().expect("it is there"));
    }
    filled
}

#[library_benchmark(setup = filled::<Ours>)]
#[bench::bytes_64(VALUE_BYTES)]
fn get_hot_ours(filled: Filled<Ours>) -> Filled<Ours> {
    get(filled)
}

#[library_benchmark(setup = filled::<Ours>)]
#[bench::bytes_64(64)]
#[bench::bytes_4096(4096)]
fn set_hot_ours(filled: Filled<Ours>) -> Filled<Ours> {
    set(filled)
}

#[library_benchmark(setup = filled::<Dashmap>)]
#[bench::bytes_64(VALUE_BYTES)]
fn get_hot_dashmap(filled: Filled<Dashmap>) -> Filled<Dashmap> {
    get(filled)
}

#[library_benchmark(setup = filled::<Dashmap>)]
#[bench::bytes_64(64)]
#[bench::bytes_4096(4096)]
fn set_hot_dashmap(filled: Filled<Dashmap>) -> Filled<Dashmap> {
    set(filled)
}

#[library_benchmark(setup = filled::<Scc>)]
#[bench::bytes_64(VALUE_BYTES)]
fn get_hot_scc(filled: Filled<Scc>) -> Filled<Scc> {
    get(filled)
}

#[library_benchmark(setup = filled::<Scc>)]
#[bench::bytes_64(64)]
#[bench::bytes_4096(4096)]
fn set_hot_scc(filled: Filled<Scc>) -> Filled<Scc> {
    set(filled)
}

#[library_benchmark(setup = filled::<Papaya>)]
#[bench::bytes_64(VALUE_BYTES)]
fn get_hot_papaya(filled: Filled<Papaya>) -> Filled<Papaya> {
    get(filled)
}

#[library_benchmark(setup = filled::<Papaya>)]
#[bench::bytes_64(64)]
#[bench::bytes_4096(4096)]
fn set_hot_papaya(filled: Filled<Papaya>) -> Filled<Papaya> {
    set(filled)
}

library_benchmark_group!(
    name = store;
    benchmarks = get_hot_ours, set_hot_ours, get_hot_dashmap, set_hot_dashmap,
        get_hot_scc, set_hot_scc, get_hot_papaya, set_hot_papaya
);

// The environment is cleared but for this: see `counts` of the suite of the store.
main!(
    config = LibraryBenchmarkConfig::default().pass_through_env("GLIBC_TUNABLES");
    library_benchmark_groups = store
);
