//! Batches of records made durable, on a disk, by one thread; beside them what the disk alone takes for the bytes.
//!
//! Each log is opened anew afterwards, read through, and must have every record in its place.

use bench_peers::logs::{Durable, Fjall, Ours, Redb};
use bench_store::log::{BATCHES, Floor, Place, RECORD_BYTES, Records};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, criterion_group, criterion_main};

fn logs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("log");
    for count in BATCHES {
        floor(&mut group, count);
        append::<Ours>(&mut group, count);
        append::<Fjall>(&mut group, count);
        append::<Redb>(&mut group, count);
    }
    group.finish();
}

fn id(count: usize, log: &str) -> BenchmarkId {
    let params = format!("bytes={RECORD_BYTES},log={log},records={count}");
    BenchmarkId::new("append_batch", params)
}

fn floor(group: &mut BenchmarkGroup<'_, WallTime>, count: usize) {
    let mut floor = None;
    group.bench_function(id(count, "floor"), |bencher| {
        let floor = floor.get_or_insert_with(|| Floor::new(Place::Disk, count));
        bencher.iter_custom(|times| (0..times).map(|_| floor.write()).sum());
    });
}

fn append<L: Durable>(group: &mut BenchmarkGroup<'_, WallTime>, count: usize) {
    let records = Records::new(count);
    // Made when the benchmark is asked for, and kept from block to block.
    let mut log = None;
    let mut appended = 0;
    group.bench_function(id(count, L::NAME), |bencher| {
        let (log, _folder) = log.get_or_insert_with(|| {
            let folder = Place::Disk.folder();
            (L::open(folder.path()), folder)
        });
        bencher.iter(|| {
            log.append(&records);
            appended += 1;
        });
    });
    if let Some((log, folder)) = log {
        drop(log);
        let there = L::open(folder.path());
        let has_all = there.has(&records, appended);
        assert!(has_all, "{} does not have every record", L::NAME);
    }
}

criterion_group!(benches, logs);
criterion_main!(benches);
