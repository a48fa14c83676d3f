//! The time of what the store does with keys beside the four operations of `times`, by Criterion's interface.
//!
//! Passes are those that `keys_counts` counts. Reads and sets of what is there already change nothing that counts, so all
//! iterations share one store; where keys go or come, each gets a fresh one, but `remove_expired`, whose keys come back.
//! What ends in `-as-published` repeats the report; its definition is in the library. What threads do beside one another is
//! in `threads_times`.

use std::cell::RefCell;
use std::hint::black_box;

use bench_store::keys::{
    self, BATCHES, Batch, EVICTIONS, EXPIRING, EXPIRING_KEYS, FOR_GOOD, PREFIXES, TTLS, WAVE,
    Waves, as_published,
};
use bench_store::{Inputs, VALUE_BYTES};
use criterion::measurement::WallTime;
use criterion::{
    BatchSize, BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use workload_store::{Shards, Store};

/// As in `times`: each iteration's store is large, so only few may be alive at once.
const BATCH: BatchSize = BatchSize::LargeInput;

fn all(operations: usize) -> Throughput {
    Throughput::Elements(operations as u64)
}

fn of_ttl(name: &str, ttl: u64) -> BenchmarkId {
    BenchmarkId::new(name, format!("ttl={ttl}"))
}

/// Times a pass over one store.
fn on_one<S>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: BenchmarkId,
    store: impl Fn() -> S,
    pass: impl Fn(&S),
) {
    checked(group, id, store, pass, |_| true);
}

/// Times a pass over one store, and looks at what the passes left when all times have been given out.
fn checked<S>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: BenchmarkId,
    store: impl Fn() -> S,
    pass: impl Fn(&S),
    is_right: impl Fn(&S) -> bool,
) {
    let mut made = None;
    group.bench_function(id, |bencher| {
        let store = made.get_or_insert_with(&store);
        bencher.iter(|| pass(store));
    });
    assert!(made.as_ref().is_none_or(is_right), "keys are missing");
}

/// Times a pass over a fresh store.
fn on_fresh<S>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: BenchmarkId,
    store: impl Fn() -> S,
    pass: impl Fn(&S),
) {
    group.bench_function(id, |bencher| {
        bencher.iter_batched_ref(&store, |store| pass(store), BATCH);
    });
}

fn puts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("kv");
    for bytes in VALUE_BYTES {
        let inputs = Inputs::full(bytes);
        group.throughput(all(inputs.len()));
        for ttl in TTLS {
            let id = BenchmarkId::new("put", format!("bytes={bytes},ttl={ttl}"));
            let store = || keys::filled(&inputs, ttl);
            on_one(&mut group, id, store, |store| {
                keys::put(store, &inputs, ttl, |previous| drop(black_box(previous)));
            });
        }
    }
    group.finish();
}

fn copies(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("kv");
    for bytes in VALUE_BYTES {
        let inputs = Inputs::full(bytes);
        group.throughput(all(inputs.len()));
        let id = BenchmarkId::new("get_copy", format!("bytes={bytes}"));
        let store = || inputs.filled_store();
        on_one(&mut group, id, store, |store| {
            keys::get_copy(store, &inputs, |copy| drop(black_box(copy)));
        });
    }
    group.finish();
}

/// Keys that are new, where there is room and where there is none.
fn coming(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("kv");
    let inputs = Inputs::full(VALUE_BYTES[0]);
    group.throughput(all(inputs.len()));
    let empty = || inputs.empty_store();
    on_fresh(&mut group, of_ttl("set_for", EXPIRING), empty, |store| {
        keys::set_for(store, &inputs, |previous| drop(black_box(previous)));
    });
    let of_keys = |name: &str| BenchmarkId::new(name, format!("keys={}", inputs.len()));
    for (benchmark, eviction) in EVICTIONS {
        let id = of_keys(benchmark.trim_start_matches("kv/"));
        let full = || keys::full(&inputs, eviction);
        on_fresh(&mut group, id, full, |store| {
            keys::evict(store, &inputs, |set| drop(black_box(set)));
        });
    }
    group.throughput(all(1));
    let store = || keys::filled(&inputs, EXPIRING);
    on_one(&mut group, of_keys("statistics"), store, |store| {
        black_box(store.statistics());
    });
    group.finish();
}

fn passes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("kv");
    let inputs = Inputs::full(VALUE_BYTES[0]);
    group.throughput(all(inputs.len()));
    let exists = |store: &Store| {
        keys::exists(store, &inputs, |found| {
            black_box(found);
        });
    };
    let id = |found: usize| BenchmarkId::new("exists", format!("found={found}"));
    on_one(&mut group, id(0), || keys::strangers(&inputs), exists);
    on_one(
        &mut group,
        id(inputs.len()),
        || inputs.filled_store(),
        exists,
    );
    for ttl in TTLS {
        let numbers = || keys::counters(&inputs, ttl);
        on_one(&mut group, of_ttl("incr", ttl), numbers, |store| {
            keys::count(store, &inputs, Store::incr, |sum| {
                black_box(sum);
            });
        });
        let store = || keys::filled(&inputs, ttl);
        on_one(&mut group, of_ttl("time_to_live", ttl), store, |store| {
            keys::time_to_live(store, &inputs, |left| {
                black_box(left);
            });
        });
        on_fresh(&mut group, of_ttl("expire_in", ttl), store, |store| {
            keys::expire_in(store, &inputs, |there| {
                black_box(there);
            });
        });
    }
    let numbers = || keys::counters(&inputs, FOR_GOOD);
    on_one(&mut group, of_ttl("decr", FOR_GOOD), numbers, |store| {
        keys::count(store, &inputs, Store::decr, |sum| {
            black_box(sum);
        });
    });
    let store = || keys::filled(&inputs, EXPIRING);
    on_fresh(&mut group, of_ttl("persist", EXPIRING), store, |store| {
        keys::persist(store, &inputs, |had| {
            black_box(had);
        });
    });
    for (prefix, found) in PREFIXES {
        let id = BenchmarkId::new("scan", format!("found={found}"));
        on_one(
            &mut group,
            id,
            || inputs.filled_store(),
            |store| {
                keys::scan(store, prefix, |key| drop(black_box(key)));
            },
        );
    }
    group.finish();
}

fn calls(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("kv");
    for count in BATCHES {
        let inputs = Batch::inputs(count);
        let batch = Batch::of(&inputs);
        group.throughput(all(count));
        let id = |name: &str| BenchmarkId::new(name, format!("batch={count}"));
        let store = || inputs.filled_store();
        on_one(&mut group, id("get_many"), store, |store| {
            drop(black_box(keys::get_many(store, &batch)));
        });
        on_one(&mut group, id("set_many"), store, |store| {
            keys::set_many(store, &batch).expect("no input is as long as the store's limits");
        });
        on_fresh(&mut group, id("delete_many"), store, |store| {
            assert_eq!(keys::delete_many(store, &batch), count, "keys are missing");
        });
    }
    group.finish();
}

fn waves(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("kv");
    group.throughput(all(WAVE));
    for count in EXPIRING_KEYS {
        let mut made = None;
        let id = BenchmarkId::new("remove_expired", format!("keys={count}"));
        group.bench_function(id, |bencher| {
            let waves = made.get_or_insert_with(|| RefCell::new(Waves::new(count)));
            bencher.iter_batched(
                || waves.borrow_mut().refill(),
                |()| assert_eq!(waves.borrow_mut().remove(), WAVE, "keys are missing"),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

fn published(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("kv");
    let empty = || Store::new(Shards::default());
    for bytes in VALUE_BYTES {
        let value = vec![0; bytes];
        for ttl in TTLS {
            let id = BenchmarkId::new("put-as-published", format!("bytes={bytes},ttl={ttl}"));
            let put = |store: &Store| as_published::put(store, &value, ttl);
            checked(&mut group, id, empty, put, |store| {
                as_published::has_put(store, &value, ttl)
            });
        }
    }
    for count in BATCHES {
        group.throughput(all(count));
        let id = BenchmarkId::new("set_many-as-published", format!("batch={count}"));
        let set = |store: &Store| as_published::set_many(store, count);
        checked(&mut group, id, empty, set, |store| {
            as_published::has_set_many(store, count)
        });
    }
    for count in as_published::GETS {
        group.throughput(all(count));
        let id = BenchmarkId::new("get_many-as-published", format!("batch={count}"));
        on_one(&mut group, id, as_published::read_store, |store| {
            assert_eq!(as_published::get_many(store, count), count);
        });
    }
    group.throughput(all(1));
    for count in EXPIRING_KEYS {
        let id = BenchmarkId::new("remove_expired-as-published", format!("keys={count}"));
        let store = || as_published::half_expired(count);
        checked(
            &mut group,
            id,
            store,
            as_published::remove_expired,
            |store| as_published::has_trigger(store, count),
        );
    }
    group.finish();
}

criterion_group!(
    benches, puts, copies, coming, passes, calls, waves, published
);
criterion_main!(benches);
