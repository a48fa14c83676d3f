//! The instructions of the log, counted under Callgrind: passes of one thread over a thousand records and as
//! many as are made durable at once, in memory.
//!
//! As in `counts`, neither making nor freeing the inputs is in a count; what the system does is in none.
#![expect(
    missing_docs,
    clippy::exit,
    reason = "the framework's macros write public items that nobody can name, and a main function that exits"
)]

use std::hint::black_box;

use bench_store::log::{self as passes, Records, Scratch};
use iai_callgrind::{LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};

fn empty(records: usize) -> (Scratch, Records) {
    (Scratch::unsynced(), Records::new(records))
}

fn filled(records: usize) -> (Scratch, Records) {
    let records = Records::new(records);
    (Scratch::filled(&records), records)
}

fn covered(records: usize) -> Scratch {
    Scratch::covered(&Records::new(records))
}

fn snapshotted(records: usize) -> (Scratch, Records) {
    let (scratch, records) = filled(records);
    passes::snapshot(scratch.log(), &records).expect("there is room");
    (scratch, records)
}

#[library_benchmark(setup = empty)]
#[bench::bytes_110_records_1000(1_000)]
fn append_unsynced((scratch, records): (Scratch, Records)) -> (Scratch, Records) {
    passes::append(scratch.log(), &records, |number| {
        let _ = black_box(number);
    });
    (scratch, records)
}

#[library_benchmark(setup = empty)]
#[bench::bytes_110_records_10(10)]
#[bench::bytes_110_records_100(100)]
#[bench::bytes_110_records_1000(1_000)]
#[bench::bytes_110_records_10000(10_000)]
fn append_batch_unsynced((scratch, records): (Scratch, Records)) -> (Scratch, Records) {
    let _ = black_box(passes::append_batch(scratch.log(), &records));
    (scratch, records)
}

#[library_benchmark(setup = empty)]
#[bench::bytes_110_records_1000(1_000)]
fn sync((scratch, records): (Scratch, Records)) -> (Scratch, Records) {
    passes::sync(scratch.log(), &records, |number| {
        let _ = black_box(number);
    });
    (scratch, records)
}

#[library_benchmark(setup = covered)]
#[bench::bytes_110_records_1000(1_000)]
fn remove_covered(scratch: Scratch) -> Scratch {
    let _ = black_box(passes::remove_covered(scratch.log()));
    scratch
}

#[library_benchmark(setup = filled)]
#[bench::bytes_110_records_1000(1_000)]
fn read((scratch, records): (Scratch, Records)) -> (Scratch, Records) {
    passes::read(scratch.log(), |record| drop(black_box(record)));
    (scratch, records)
}

#[library_benchmark(setup = filled)]
#[bench::bytes_110_records_1000(1_000)]
fn reopen((mut scratch, records): (Scratch, Records)) -> (Scratch, Records) {
    scratch.reopen(1_000);
    (scratch, records)
}

#[library_benchmark(setup = filled)]
#[bench::bytes_110_records_1000(1_000)]
fn snapshot((scratch, records): (Scratch, Records)) -> (Scratch, Records) {
    let _ = black_box(passes::snapshot(scratch.log(), &records));
    (scratch, records)
}

#[library_benchmark(setup = snapshotted)]
#[bench::bytes_110_records_1000(1_000)]
fn restore((scratch, records): (Scratch, Records)) -> (Scratch, Records) {
    let _ = black_box(passes::restore(scratch.log(), |payload| {
        black_box(payload);
    }));
    (scratch, records)
}

library_benchmark_group!(
    name = log;
    benchmarks = append_unsynced, append_batch_unsynced, sync, remove_covered, read, reopen, snapshot, restore
);

// The environment is cleared but for this: see `counts`.
main!(
    config = LibraryBenchmarkConfig::default().pass_through_env("GLIBC_TUNABLES");
    library_benchmark_groups = log
);
