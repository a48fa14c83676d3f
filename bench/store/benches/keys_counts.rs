//! The instructions of what the store does with keys beside the four operations of `counts`, counted under Callgrind.
//!
//! As there, neither making nor freeing the inputs is in a count.
#![expect(
    missing_docs,
    clippy::exit,
    reason = "the framework's macros write public items that nobody can name, and a main function that exits"
)]

use std::hint::black_box;

use bench_store::Inputs;
use bench_store::keys::{self as passes, Batch, EXPIRING, FOR_GOOD, PREFIXES, Waves};
use iai_callgrind::{LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};
use workload_store::{Eviction, Store};

/// The length of a value where it does not matter.
const SHORT: usize = 64;

fn again(bytes: usize, ttl: u64) -> (Store, Inputs, u64) {
    let inputs = Inputs::full(bytes);
    (passes::filled(&inputs, ttl), inputs, ttl)
}

fn living(ttl: u64) -> (Store, Inputs) {
    let (store, inputs, _) = again(SHORT, ttl);
    (store, inputs)
}

fn counters(ttl: u64) -> (Store, Inputs) {
    let inputs = Inputs::full(SHORT);
    (passes::counters(&inputs, ttl), inputs)
}

fn asked(found: usize) -> (Store, Inputs) {
    let inputs = Inputs::full(SHORT);
    let store = if found == 0 {
        passes::strangers(&inputs)
    } else {
        inputs.filled_store()
    };
    (store, inputs)
}

fn copied(bytes: usize) -> (Store, Inputs) {
    let inputs = Inputs::full(bytes);
    (inputs.filled_store(), inputs)
}

fn empty() -> (Store, Inputs) {
    let inputs = Inputs::full(SHORT);
    (inputs.empty_store(), inputs)
}

fn crowded(eviction: Eviction) -> (Store, Inputs) {
    let inputs = Inputs::full(SHORT);
    (passes::full(&inputs, eviction), inputs)
}

fn past() -> (Store, Inputs) {
    let inputs = Inputs::full(SHORT);
    (passes::past(&inputs), inputs)
}

fn evict(store: Store, inputs: Inputs) -> (Store, Inputs) {
    passes::evict(&store, &inputs, |set| drop(black_box(set)));
    (store, inputs)
}

fn batch(count: usize) -> (Store, Batch<'static>) {
    // For as long as the process lives, which is one benchmark: a batch refers to its inputs.
    let inputs: &'static Inputs = Box::leak(Box::new(Batch::inputs(count)));
    (inputs.filled_store(), Batch::of(inputs))
}

fn scanned(found: usize) -> (Store, &'static [u8]) {
    let mut all = PREFIXES.into_iter();
    let (prefix, _) = all.find(|it| it.1 == found).expect("one finds so many");
    (living(FOR_GOOD).0, prefix)
}

#[library_benchmark(setup = again)]
#[bench::bytes_64_ttl_0(64, 0)]
#[bench::bytes_64_ttl_3600(64, 3600)]
#[bench::bytes_1024_ttl_0(1024, 0)]
#[bench::bytes_1024_ttl_3600(1024, 3600)]
#[bench::bytes_4096_ttl_0(4096, 0)]
#[bench::bytes_4096_ttl_3600(4096, 3600)]
fn put((store, inputs, ttl): (Store, Inputs, u64)) -> (Store, Inputs) {
    passes::put(&store, &inputs, ttl, |previous| drop(black_box(previous)));
    (store, inputs)
}

#[library_benchmark(setup = copied)]
#[bench::bytes_64(64)]
#[bench::bytes_1024(1024)]
#[bench::bytes_4096(4096)]
fn get_copy((store, inputs): (Store, Inputs)) -> (Store, Inputs) {
    passes::get_copy(&store, &inputs, |copy| drop(black_box(copy)));
    (store, inputs)
}

#[library_benchmark(setup = empty)]
#[bench::ttl_3600()]
fn set_for((store, inputs): (Store, Inputs)) -> (Store, Inputs) {
    passes::set_for(&store, &inputs, |previous| drop(black_box(previous)));
    (store, inputs)
}

#[library_benchmark(setup = crowded)]
#[bench::keys_1000(Eviction::Refuse)]
fn evict_refused((store, inputs): (Store, Inputs)) -> (Store, Inputs) {
    evict(store, inputs)
}

#[library_benchmark(setup = crowded)]
#[bench::keys_1000(Eviction::LeastRecentlyUsed)]
fn evict_least_recent((store, inputs): (Store, Inputs)) -> (Store, Inputs) {
    evict(store, inputs)
}

#[library_benchmark(setup = crowded)]
#[bench::keys_1000(Eviction::LeastFrequentlyUsed)]
fn evict_least_frequent((store, inputs): (Store, Inputs)) -> (Store, Inputs) {
    evict(store, inputs)
}

#[library_benchmark(setup = crowded)]
#[bench::keys_1000(Eviction::SoonestToExpire)]
fn evict_soonest((store, inputs): (Store, Inputs)) -> (Store, Inputs) {
    evict(store, inputs)
}

#[library_benchmark(setup = living)]
#[bench::keys_1000(EXPIRING)]
fn statistics((store, inputs): (Store, Inputs)) -> (Store, Inputs) {
    black_box(store.statistics());
    (store, inputs)
}

#[library_benchmark(setup = past)]
#[bench::keys_1000()]
fn get_expired((store, inputs): (Store, Inputs)) -> (Store, Inputs) {
    bench_store::get(&store, &inputs, |value| drop(black_box(value)));
    (store, inputs)
}

#[library_benchmark(setup = living)]
#[bench::keys_1000(EXPIRING)]
fn advance((store, inputs): (Store, Inputs)) -> (Store, Inputs) {
    passes::advance(&store);
    (store, inputs)
}

#[library_benchmark(setup = asked)]
#[bench::found_0(0)]
#[bench::found_1000(1000)]
fn exists((store, inputs): (Store, Inputs)) -> (Store, Inputs) {
    passes::exists(&store, &inputs, |found| {
        black_box(found);
    });
    (store, inputs)
}

#[library_benchmark(setup = counters)]
#[bench::ttl_0(0)]
#[bench::ttl_3600(3600)]
fn incr((store, inputs): (Store, Inputs)) -> (Store, Inputs) {
    passes::count(&store, &inputs, Store::incr, |sum| {
        black_box(sum);
    });
    (store, inputs)
}

#[library_benchmark(setup = counters)]
#[bench::ttl_0(0)]
fn decr((store, inputs): (Store, Inputs)) -> (Store, Inputs) {
    passes::count(&store, &inputs, Store::decr, |sum| {
        black_box(sum);
    });
    (store, inputs)
}

#[library_benchmark(setup = batch)]
#[bench::batch_10(10)]
#[bench::batch_100(100)]
#[bench::batch_1000(1000)]
#[bench::batch_10000(10000)]
fn get_many((store, batch): (Store, Batch<'static>)) -> (Store, Batch<'static>) {
    drop(black_box(passes::get_many(&store, &batch)));
    (store, batch)
}

#[library_benchmark(setup = batch)]
#[bench::batch_10(10)]
#[bench::batch_100(100)]
#[bench::batch_1000(1000)]
#[bench::batch_10000(10000)]
fn set_many((store, batch): (Store, Batch<'static>)) -> (Store, Batch<'static>) {
    let _ = black_box(passes::set_many(&store, &batch));
    (store, batch)
}

#[library_benchmark(setup = batch)]
#[bench::batch_10(10)]
#[bench::batch_100(100)]
#[bench::batch_1000(1000)]
#[bench::batch_10000(10000)]
fn delete_many((store, batch): (Store, Batch<'static>)) -> (Store, Batch<'static>) {
    black_box(passes::delete_many(&store, &batch));
    (store, batch)
}

#[library_benchmark(setup = scanned)]
#[bench::found_10(10)]
#[bench::found_1000(1000)]
fn scan((store, prefix): (Store, &'static [u8])) -> Store {
    passes::scan(&store, prefix, |key| drop(black_box(key)));
    store
}

#[library_benchmark(setup = living)]
#[bench::ttl_0(0)]
#[bench::ttl_3600(3600)]
fn expire_in((store, inputs): (Store, Inputs)) -> (Store, Inputs) {
    passes::expire_in(&store, &inputs, |there| {
        black_box(there);
    });
    (store, inputs)
}

#[library_benchmark(setup = living)]
#[bench::ttl_0(0)]
#[bench::ttl_3600(3600)]
fn time_to_live((store, inputs): (Store, Inputs)) -> (Store, Inputs) {
    passes::time_to_live(&store, &inputs, |left| {
        black_box(left);
    });
    (store, inputs)
}

#[library_benchmark(setup = living)]
#[bench::ttl_3600(3600)]
fn persist((store, inputs): (Store, Inputs)) -> (Store, Inputs) {
    passes::persist(&store, &inputs, |had| {
        black_box(had);
    });
    (store, inputs)
}

#[library_benchmark(setup = Waves::new)]
#[bench::keys_1000(1_000)]
#[bench::keys_10000(10_000)]
#[bench::keys_100000(100_000)]
fn remove_expired(mut waves: Waves) -> Waves {
    black_box(waves.remove());
    waves
}

library_benchmark_group!(
    name = kv;
    benchmarks = put, get_copy, set_for, evict_refused, evict_least_recent, evict_least_frequent, evict_soonest,
        statistics, get_expired, advance, exists, incr, decr, get_many, set_many, delete_many, scan, expire_in, time_to_live, persist,
        remove_expired
);

// The environment is cleared but for this: see `counts`.
main!(
    config = LibraryBenchmarkConfig::default().pass_through_env("GLIBC_TUNABLES");
    library_benchmark_groups = kv
);
