//! The time that the log takes, by Criterion's interface.
//!
//! On the disk: so many records made durable at once, and beside it what the disk alone takes.
//! A log is made when its benchmark is asked for, and grows from block to block; when its times have been given out it is
//! opened anew, first a copy of its files as they were before it was closed, and has to have all its records, or the program
//! fails.
//!
//! In memory, if there is such a place: the passes that `log_counts` counts, each on a log that no other benchmark has
//! touched. `append-as-published` repeats the report; its definition is in the
//! library.

use std::hint::black_box;

use bench_store::log::{self, AsPublished, BATCHES, Floor, Place, RECORD_BYTES, Records, Scratch};
use criterion::measurement::WallTime;
use criterion::{
    BatchSize, BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use workload_store::log::Sync;

/// The number of records in a pass in memory.
const PASS: usize = 1_000;
const ALL: u64 = PASS as u64;

fn of_records(records: usize) -> String {
    format!("bytes={RECORD_BYTES},records={records}")
}

fn batches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("log");
    for count in [1].into_iter().chain(BATCHES) {
        group.throughput(Throughput::Elements(count as u64));
        let mut floor = None;
        group.bench_function(BenchmarkId::new("floor", of_records(count)), |bencher| {
            let floor = floor.get_or_insert_with(|| Floor::new(Place::Disk, count));
            bencher.iter_custom(|times| (0..times).map(|_| floor.write()).sum());
        });
    }
    for count in BATCHES {
        group.throughput(Throughput::Elements(count as u64));
        let records = Records::new(count);
        let params = format!("{},sync=always", of_records(count));
        let mut scratch = None;
        let mut appended = 0;
        group.bench_function(BenchmarkId::new("append_batch", params), |bencher| {
            let scratch = scratch.get_or_insert_with(|| Scratch::new(Place::Disk, Sync::Always));
            bencher.iter(|| {
                let numbers = log::append_batch(scratch.log(), &records);
                appended += count as u64;
                numbers.expect("the disk takes the records")
            });
        });
        if let Some(mut scratch) = scratch {
            scratch.check_copy(appended);
            scratch.reopen(appended);
        }
    }
    group.finish();
}

fn passes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("log");
    group.throughput(Throughput::Elements(PASS as u64));
    let records = Records::new(PASS);
    // Each into an empty log: one that grew would fill the memory.
    group.bench_function(pass("append_unsynced"), |bencher| {
        let append = |scratch: &mut Scratch| {
            log::append(scratch.log(), &records, |number| {
                black_box(number.expect("there is room"));
            });
            assert_eq!(scratch.log().end(), ALL, "records are missing");
        };
        bencher.iter_batched_ref(Scratch::unsynced, append, BatchSize::PerIteration);
    });
    group.bench_function(pass("append_batch_unsynced"), |bencher| {
        let append = |scratch: &mut Scratch| {
            let appended = log::append_batch(scratch.log(), &records);
            assert_eq!(appended.expect("there is room"), 0..ALL);
        };
        bencher.iter_batched_ref(Scratch::unsynced, append, BatchSize::PerIteration);
    });
    group.bench_function(pass("sync"), |bencher| {
        let sync = |scratch: &mut Scratch| {
            log::sync(scratch.log(), &records, |number| {
                black_box(number.expect("there is room"));
            });
            assert_eq!(scratch.log().syncs(), ALL, "records are not synced");
        };
        bencher.iter_batched_ref(Scratch::unsynced, sync, BatchSize::PerIteration);
    });
    group.bench_function(pass("remove_covered"), |bencher| {
        let covered = || Scratch::covered(&records);
        let remove = |scratch: &mut Scratch| {
            let removed = log::remove_covered(scratch.log());
            assert!(removed.expect("the log is whole") > 1, "segments are there");
        };
        bencher.iter_batched_ref(covered, remove, BatchSize::PerIteration);
    });
    on_filled(&mut group, &records);
    group.finish();
}

fn on_filled(group: &mut BenchmarkGroup<'_, WallTime>, records: &Records) {
    group.bench_function(pass("read"), |bencher| {
        let scratch = Scratch::filled(records);
        bencher.iter(|| {
            let mut read = 0;
            log::read(scratch.log(), |record| {
                black_box(record.expect("the log is whole"));
                read += 1;
            });
            assert_eq!(read, ALL, "records are missing");
        });
    });
    group.bench_function(pass("snapshot"), |bencher| {
        let scratch = Scratch::filled(records);
        bencher.iter(|| {
            let written = log::snapshot(scratch.log(), records);
            assert_eq!(written.expect("there is room"), ALL);
        });
    });
    group.bench_function(pass("restore"), |bencher| {
        let scratch = Scratch::filled(records);
        log::snapshot(scratch.log(), records).expect("there is room");
        bencher.iter(|| {
            let restored = log::restore(scratch.log(), |payload| {
                black_box(payload);
            });
            assert_eq!(restored.expect("the log is whole"), ALL);
        });
    });
    group.bench_function(pass("reopen"), |bencher| {
        let mut scratch = Scratch::filled(records);
        bencher.iter(|| scratch.reopen(ALL));
    });
}

fn pass(name: &str) -> BenchmarkId {
    BenchmarkId::new(name, of_records(PASS))
}

fn published(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("log");
    for records in BATCHES {
        group.throughput(Throughput::Elements(records as u64));
        let id = BenchmarkId::new("append-as-published", of_records(records));
        let mut log = None;
        group.bench_function(id, |bencher| {
            let log = log.get_or_insert_with(|| AsPublished::new(Place::Disk, records));
            bencher.iter_batched(
                || log.reset(),
                |()| assert_eq!(log.pass(), 2 * records as u64, "records are missing"),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, batches, passes, published);
criterion_main!(benches);
