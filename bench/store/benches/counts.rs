//! The instructions of the suite, counted under Callgrind.
//!
//! The set-up runs before counting starts. Each function returns what it was given, because the framework drops a
//! returned value after counting has stopped: neither making nor freeing the inputs is in a count. Tested by running
//! it twice: the counts are equal to the last instruction.
#![expect(
    missing_docs,
    clippy::exit,
    reason = "the framework's macros write public items that nobody can name, and a main function that exits"
)]

use std::hint::black_box;

use bench_store::Inputs;
use iai_callgrind::{LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};
use workload_store::Store;

fn empty(bytes: usize) -> (Store, Inputs) {
    let inputs = Inputs::full(bytes);
    (inputs.empty_store(), inputs)
}

fn filled(bytes: usize) -> (Store, Inputs) {
    let inputs = Inputs::full(bytes);
    (inputs.filled_store(), inputs)
}

#[library_benchmark(setup = filled)]
#[bench::bytes_64(64)]
#[bench::bytes_1024(1024)]
#[bench::bytes_4096(4096)]
fn get((store, inputs): (Store, Inputs)) -> (Store, Inputs) {
    bench_store::get(&store, &inputs, |value| drop(black_box(value)));
    (store, inputs)
}

#[library_benchmark(setup = empty)]
#[bench::bytes_64(64)]
#[bench::bytes_1024(1024)]
#[bench::bytes_4096(4096)]
fn set((store, inputs): (Store, Inputs)) -> (Store, Inputs) {
    bench_store::set(&store, &inputs, |previous| drop(black_box(previous)));
    (store, inputs)
}

#[library_benchmark(setup = filled)]
#[bench::bytes_64(64)]
#[bench::bytes_1024(1024)]
#[bench::bytes_4096(4096)]
fn overwrite((store, inputs): (Store, Inputs)) -> (Store, Inputs) {
    bench_store::overwrite(&store, &inputs, |previous| drop(black_box(previous)));
    (store, inputs)
}

#[library_benchmark(setup = filled)]
#[bench::bytes_64(64)]
#[bench::bytes_1024(1024)]
#[bench::bytes_4096(4096)]
fn delete((store, inputs): (Store, Inputs)) -> (Store, Inputs) {
    bench_store::delete(&store, &inputs, |found| {
        black_box(found);
    });
    (store, inputs)
}

library_benchmark_group!(name = kv; benchmarks = get, set, overwrite, delete);

// The framework clears the environment. The C library's tunables are let through, because they choose its variants of
// the memory functions, and a count is only comparable when base and head use the same.
main!(
    config = LibraryBenchmarkConfig::default().pass_through_env("GLIBC_TUNABLES");
    library_benchmark_groups = kv
);
