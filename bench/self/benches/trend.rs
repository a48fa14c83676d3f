//! The wall-clock time of change points: a whole history looked at once, and one value appended to it.
//!
//! The history is the same that `trend_counts` counts with. Tested in the library: its steps are found.

use bench_self::trends::long_history;
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use tripline_judge::trend::{Settings, Tracker, change_points};

/// How many values there are: a commit an hour for more than a year.
const POINTS: usize = 10_000;

fn trend(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("trend");
    let (history, settings) = (long_history(POINTS + 1), Settings::default());
    let (known, next) = (&history[..POINTS], history[POINTS]);
    group.throughput(Throughput::Elements(POINTS as u64));
    group.bench_function(
        BenchmarkId::new("full", format!("points={POINTS}")),
        |bencher| {
            bencher.iter_batched(
                || (),
                |()| change_points(known, &settings),
                BatchSize::LargeInput,
            );
        },
    );
    let tracker = Tracker::resume(known.to_vec(), settings);
    group.throughput(Throughput::Elements(1));
    group.bench_function(
        BenchmarkId::new("append", format!("points={POINTS}")),
        |bencher| {
            let append = |mut tracker: Tracker| {
                let alert = tracker.push(next);
                (tracker, alert)
            };
            bencher.iter_batched(|| tracker.clone(), append, BatchSize::LargeInput);
        },
    );
    group.finish();
}

criterion_group!(benches, trend);
criterion_main!(benches);
