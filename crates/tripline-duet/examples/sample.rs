//! A bench as the tests drive it: every part of the interface that benches use, and benches that misbehave.
//!
//! Each benchmark says how often its routine ran, on standard output, where a bench may say anything. Those that
//! misbehave are last, and Criterion itself runs into trouble with them: run it with a filter. Run by
//! `tests/serving.rs`, and by hand with `cargo run --example sample -- --bench calls`.
#![expect(
    clippy::print_stdout,
    clippy::panic,
    reason = "printing and panicking is what some of these benches are for"
)]

use std::{
    cell::Cell,
    future::{Future, ready},
    io,
    pin::pin,
    process::Command,
    task::{Context, Poll, Waker},
    time::Duration,
};

// As a bench has it whose manifest renames the dependency.
use tripline_duet as criterion;

use criterion::{
    AxisScale, BatchSize, Bencher, BenchmarkGroup, BenchmarkId, Criterion, PlotConfiguration,
    SamplingMode, Throughput, async_executor::AsyncExecutor, black_box, criterion_group,
    criterion_main, measurement::WallTime,
};

/// Runs a benchmark of a routine that counts its calls, and says how many there were.
fn count(name: &str, run: impl FnOnce(&Cell<u64>)) {
    let calls = Cell::new(0);
    run(&calls);
    println!("{name} ran {} times", calls.get());
}

fn call(calls: &Cell<u64>) -> u64 {
    calls.set(calls.get() + 1);
    black_box(calls.get())
}

/// Every way to have a routine run.
fn calls(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("calls");
    group.bench_function("iter", |bencher| {
        count("iter", |calls| bencher.iter(|| call(calls)));
    });
    group.throughput(Throughput::Elements(3));
    group.bench_function(BenchmarkId::new("batched", "size=7"), |bencher| {
        count("batched", |calls| {
            let size = BatchSize::NumIterations(7);
            bencher.iter_batched(|| vec![0; 100], |input| (input, call(calls)), size);
        });
    });
    group.throughput(Throughput::ElementsAndBytes {
        elements: 3,
        bytes: 24,
    });
    let input = [5_u64; 4];
    group.bench_with_input(
        BenchmarkId::from_parameter(9),
        &input[..],
        |bencher, input: &[u64]| {
            count("batched by reference", |calls| {
                let routine = |copy: &mut Vec<u64>| copy.push(call(calls));
                bencher.iter_batched_ref(|| input.to_vec(), routine, BatchSize::SmallInput);
            });
        },
    );
    group.bench_function("large drop".to_owned(), |bencher| {
        count("large drop", |calls| {
            bencher.iter_with_large_drop(|| vec![call(calls); 100]);
        });
    });
    group.bench_function("setup", |bencher| {
        count("setup", |calls| {
            bencher.iter_with_setup(|| 1, |one| one + call(calls));
        });
    });
    group.finish();
}

/// A runtime without a dependency: it polls until there is an answer.
struct Spin;

impl AsyncExecutor for Spin {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        loop {
            let polled = future
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()));
            if let Poll::Ready(output) = polled {
                return output;
            }
        }
    }
}

/// Every way to have a routine awaited.
fn awaited(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("awaited");
    group.bench_function("iter", |bencher| {
        count("awaited iter", |calls| {
            bencher.to_async(Spin).iter(|| async { call(calls) });
        });
    });
    group.bench_function("batched", |bencher| {
        count("awaited batched", |calls| {
            let routine = async |input: Vec<i32>| (input, call(calls));
            let size = BatchSize::NumIterations(7);
            bencher
                .to_async(Spin)
                .iter_batched(|| vec![0; 100], routine, size);
        });
    });
    group.bench_function("batched by reference", |bencher| {
        count("awaited batched by reference", |calls| {
            let routine = |input: &mut Vec<u64>| {
                input.push(call(calls));
                ready(input.len())
            };
            bencher
                .to_async(Spin)
                .iter_batched_ref(Vec::new, routine, BatchSize::SmallInput);
        });
    });
    group.bench_function("large drop", |bencher| {
        count("awaited large drop", |calls| {
            let routine = || async { vec![call(calls); 100] };
            bencher.to_async(Spin).iter_with_large_drop(routine);
        });
    });
    group.bench_function("custom", |bencher| {
        let routine = async |iterations| Duration::from_nanos(20 * iterations);
        bencher.to_async(Spin).iter_custom(routine);
    });
    group.finish();
}

/// Benchmarks in no group, one of which takes the time itself.
fn alone(criterion: &mut Criterion) {
    fn ten_nanoseconds_each(bencher: &mut Bencher<'_, WallTime>) {
        bencher.iter_custom(|iterations| Duration::from_nanos(10 * iterations));
    }
    criterion
        .bench_function("alone", ten_nanoseconds_each)
        .bench_with_input(BenchmarkId::new("alone", 5), &5, |bencher, five| {
            bencher.iter(|| five + 1);
        });
}

/// Every setting that a group has.
fn settings(criterion: &mut Criterion) {
    fn set(group: &mut BenchmarkGroup<'_, WallTime>) {
        group
            .sample_size(10)
            .warm_up_time(Duration::from_millis(10))
            .measurement_time(Duration::from_millis(20))
            .nresamples(1_001)
            .noise_threshold(0.02)
            .confidence_level(0.9)
            .significance_level(0.1)
            .sampling_mode(SamplingMode::Flat)
            .plot_config(PlotConfiguration::default().summary_scale(AxisScale::Logarithmic))
            .throughput(Throughput::Bytes(8));
    }
    let mut group = criterion.benchmark_group("settings");
    set(&mut group);
    group.bench_function("all", |bencher| bencher.iter(|| black_box(1) + 1));
}

/// A bench that uses the standard streams as if they were its own.
fn streams(criterion: &mut Criterion) {
    criterion.bench_function("streams", |bencher| {
        println!("next\nquit\nend");
        let told = Command::new("echo").arg("end, says a child").status();
        assert!(told.is_ok_and(|status| status.success()));
        let mut read = String::new();
        let bytes = io::stdin().read_line(&mut read);
        println!("streams read {bytes:?}");
        bencher.iter(|| black_box(1) + 1);
    });
}

fn twice(criterion: &mut Criterion) {
    for _ in 0..2 {
        let mut group = criterion.benchmark_group("twice");
        group.bench_function("named", |bencher| bencher.iter(|| black_box(1) + 1));
        group.finish();
    }
}

fn misbehaved(criterion: &mut Criterion) {
    criterion.bench_function("missed", |_| ());
    criterion.bench_function("panics", |_| panic!("on purpose"));
    criterion.bench_function("last", |bencher| bencher.iter(|| black_box(1) + 1));
}

criterion_group!(benches, calls, awaited, alone, streams, twice);
criterion_group! {
    name = configured;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(10))
        .measurement_time(Duration::from_millis(20))
        .nresamples(1_001)
        .noise_threshold(0.02)
        .confidence_level(0.9)
        .significance_level(0.1)
        .with_output_color(false)
        .without_plots();
    targets = settings, misbehaved
}
criterion_main!(benches, configured);
