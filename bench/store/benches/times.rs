//! The wall-clock time of the suite, taken by Criterion.
//!
//! One iteration is one pass over all keys, the same that `counts` counts under the same name: the id `bytes=64` in
//! the function `get` of the group `kv` is `kv/get{bytes=64}`. A pass that changes its store gets a fresh one for each
//! iteration; making and dropping it is not timed. Tested by the unit tests of the passes.

use std::hint::black_box;

use bench_store::{Inputs, VALUE_BYTES};
use criterion::measurement::WallTime;
use criterion::{
    BatchSize, BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use workload_store::Store;

/// Each iteration's store holds up to 4 MiB, so only few may be alive at once.
///
/// As each is freed, the allocator gives its memory back to the system. So `set` also pays for the page faults of
/// growing, as a real store does on its way up; with the longest values they are most of its time, and none of its
/// count. `overwrite` shows the same copies without the faults.
const BATCH: BatchSize = BatchSize::LargeInput;

fn kv(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("kv");
    for bytes in VALUE_BYTES {
        let inputs = Inputs::full(bytes);
        group.throughput(Throughput::Elements(inputs.len() as u64));
        get(&mut group, bytes, &inputs);
        changing(
            &mut group,
            "set",
            bytes,
            &inputs,
            Inputs::empty_store,
            |store, inputs| {
                bench_store::set(store, inputs, |previous| drop(black_box(previous)));
            },
        );
        changing(
            &mut group,
            "overwrite",
            bytes,
            &inputs,
            Inputs::filled_store,
            |store, inputs| {
                bench_store::overwrite(store, inputs, |previous| drop(black_box(previous)));
            },
        );
        changing(
            &mut group,
            "delete",
            bytes,
            &inputs,
            Inputs::filled_store,
            |store, inputs| {
                bench_store::delete(store, inputs, |found| {
                    black_box(found);
                });
            },
        );
    }
    group.finish();
}

/// Reading changes nothing, so all iterations share one store.
fn get(group: &mut BenchmarkGroup<'_, WallTime>, bytes: usize, inputs: &Inputs) {
    let store = inputs.filled_store();
    group.bench_function(id("get", bytes), |bencher| {
        bencher.iter(|| bench_store::get(&store, inputs, |value| drop(black_box(value))));
    });
}

fn changing(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    bytes: usize,
    inputs: &Inputs,
    store: fn(&Inputs) -> Store,
    pass: fn(&Store, &Inputs),
) {
    group.bench_function(id(name, bytes), |bencher| {
        bencher.iter_batched(
            || store(inputs),
            |store| {
                pass(&store, inputs);
                // Returned, because Criterion drops what it is given after the clock has stopped.
                store
            },
            BATCH,
        );
    });
}

fn id(name: &str, bytes: usize) -> BenchmarkId {
    BenchmarkId::new(name, format!("bytes={bytes}"))
}

criterion_group!(benches, kv);
criterion_main!(benches);
