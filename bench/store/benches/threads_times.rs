//! The time of what several threads do with one store, one queue or one log, by Criterion's interface.
//!
//! The suite lets this program run on all processors, where the others are bound to one. Its threads stand ready before the
//! clock starts; those of `-as-published`, whose definition is in the library, are started under it. The log is on the
//! disk, and when its times have been given out it is opened anew, first a copy of its files as they were before it was
//! closed, and has to have all its records, or the program fails.

use std::time::{Duration, Instant};

use bench_store::keys::{Action, OPERATIONS, THREADS, Uniform, as_published as keys_as_published};
use bench_store::log::{Place, RECORD_BYTES, RECORDS_PER_WRITER, WRITERS, Writers};
use bench_store::queue::{CONSUMERS, Crowd, Messages, as_published};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use workload_store::log::Sync;

fn all(operations: usize) -> Throughput {
    Throughput::Elements(operations as u64)
}

fn keys(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("kv");
    let mut made = None;
    for threads in THREADS {
        group.throughput(all(threads * OPERATIONS));
        for (name, action) in [
            ("concurrent_get", Action::Get),
            ("concurrent_set", Action::Set),
        ] {
            let id = BenchmarkId::new(name, format!("threads={threads}"));
            group.bench_function(id, |bencher| {
                let uniform = made.get_or_insert_with(Uniform::full);
                bencher.iter_custom(|times| uniform.run(action, threads, times));
            });
        }
    }
    group.finish();
}

fn keys_as_tasks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("kv");
    let concurrent = keys_as_published::Concurrent::new();
    let timed = |times: u64, each: usize, work: &dyn Fn() -> usize| -> Duration {
        let began = Instant::now();
        let done = (0..times).all(|_| work() == each);
        let spent = began.elapsed();
        assert!(done, "keys are missing");
        spent
    };
    for tasks in keys_as_published::TASKS {
        let each = tasks * OPERATIONS;
        group.throughput(all(each));
        let id = |name: &str| BenchmarkId::new(name, format!("threads={tasks}"));
        group.bench_function(id("concurrent_get-as-published"), |bencher| {
            bencher.iter_custom(|times| timed(times, each, &|| concurrent.get(tasks)));
        });
        group.bench_function(id("concurrent_set-as-published"), |bencher| {
            bencher.iter_custom(|times| timed(times, each, &|| concurrent.set(tasks)));
        });
    }
    group.finish();
}

fn deliver(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("queue");
    let messages = Messages::full(64, 1);
    group.throughput(all(messages.len()));
    for consumers in CONSUMERS {
        group.bench_function(BenchmarkId::new("deliver", params(consumers)), |bencher| {
            bencher.iter_custom(|times| Crowd::new(&messages, consumers).deliver(times));
        });
    }
    group.finish();
}

fn deliver_to_tasks(criterion: &mut Criterion) {
    let runtime = as_published::runtime();
    let mut group = criterion.benchmark_group("queue");
    group.throughput(Throughput::Elements(as_published::MESSAGES));
    for consumers in CONSUMERS {
        let id = BenchmarkId::new("deliver-as-published", params(consumers));
        group.bench_function(id, |bencher| {
            bencher.iter_with_large_drop(|| Checked(as_published::deliver(&runtime, consumers)));
        });
    }
    group.finish();
}

fn params(consumers: usize) -> String {
    format!("bytes=64,consumers={consumers}")
}

/// What consumers got, looked at when the time has been taken.
struct Checked(Vec<Vec<u64>>);

impl Drop for Checked {
    fn drop(&mut self) {
        let ids = std::mem::take(&mut self.0);
        assert!(
            as_published::is_complete(ids),
            "a message was lost or came twice"
        );
    }
}

fn writers(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("log");
    let interval = Sync::Interval(Duration::from_secs(1));
    let always = WRITERS.map(|writers| ("always", Sync::Always, writers));
    let others = [
        ("interval", interval, 1),
        ("never", Sync::Never, 1),
        ("never", Sync::Never, 16),
    ];
    for (word, sync, writers) in always.into_iter().chain(others) {
        let params = format!("bytes={RECORD_BYTES},sync={word},writers={writers}");
        group.throughput(Throughput::Elements(RECORDS_PER_WRITER * writers as u64));
        let mut all = None;
        group.bench_function(BenchmarkId::new("append", params), |bencher| {
            let all = all.get_or_insert_with(|| Writers::new(Place::Disk, sync, writers));
            bencher.iter_custom(|times| all.append(times));
        });
        if let Some(all) = all {
            all.check();
        }
    }
    group.finish();
}

criterion_group!(
    benches,
    keys,
    keys_as_tasks,
    deliver,
    deliver_to_tasks,
    writers
);
criterion_main!(benches);
