//! The wall-clock time of the suite, taken by Criterion.
//!
//! One iteration is one stage over the whole input, the same that `counts` counts under the same name: the id
//! `benchmarks=500` in the function `read` of the group `pipeline` is `pipeline/read{benchmarks=500}`. What a stage
//! gives is dropped after the clock has stopped. Tested by the unit tests of the stages.

use std::process::Command;

use bench_self::{BENCHMARKS, HISTORIES, METRICS, Side};
use criterion::measurement::WallTime;
use criterion::{
    BatchSize, BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};

/// From this size on an iteration takes so long that Criterion's hundred samples would take minutes.
const LARGE: usize = 5_000;

/// A large project: judged and rendered in every form that there is.
const PUBLISHED: usize = 500;

/// How many samples are taken of the large inputs, enough for an interval.
const LARGE_SAMPLES: usize = 20;

/// Outputs are large, so only few may be alive at once.
const BATCH: BatchSize = BatchSize::LargeInput;

fn pipeline(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pipeline");
    for benchmarks in BENCHMARKS {
        group.throughput(Throughput::Elements((benchmarks * METRICS) as u64));
        if benchmarks >= LARGE {
            group.sample_size(LARGE_SAMPLES);
        }
        let output = bench_self::harness_output(benchmarks, Side::Head);
        stage(&mut group, "read", benchmarks, || bench_self::read(&output));
        let runs = bench_self::runs(benchmarks);
        stage(&mut group, "judge", benchmarks, || bench_self::judge(&runs));
        let reports = [bench_self::judge(&runs)];
        stage(&mut group, "render", benchmarks, || {
            bench_self::render(&reports)
        });
        if benchmarks == PUBLISHED {
            stage(&mut group, "publish", benchmarks, || {
                bench_self::publish(&runs)
            });
        }
    }
    group.finish();
}

fn history(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("history");
    for benchmarks in HISTORIES {
        let tree = bench_self::criterion_tree(benchmarks);
        group.throughput(Throughput::Elements(benchmarks as u64));
        stage(&mut group, "criterion", benchmarks, || {
            bench_self::read_tree(&tree)
        });
        let text = bench_self::data_js(benchmarks);
        group.throughput(Throughput::Bytes(text.len() as u64));
        stage(&mut group, "import", benchmarks, || {
            bench_self::import(&text)
        });
        stage(&mut group, "floor", benchmarks, || {
            bench_self::import_floor(&text);
        });
        let (baseline, head) = bench_self::appended(benchmarks);
        group.throughput(Throughput::Bytes(baseline.len() as u64));
        stage(&mut group, "append", benchmarks, || {
            bench_self::append(&baseline, &head)
        });
    }
    group.finish();
}

fn stage<T>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    benchmarks: usize,
    run: impl Fn() -> T,
) {
    let id = BenchmarkId::new(name, format!("benchmarks={benchmarks}"));
    group.bench_function(id, |bencher| {
        // The empty set-up is for the batches: with them Criterion keeps what is returned until the clock has stopped.
        bencher.iter_batched(|| (), |()| run(), BATCH);
    });
}

/// Starts the whole program for the least it can do: whoever types a command waits at least this long.
///
/// The program is the one that runs this suite, and says where it is; whoever runs the benches by hand has none.
fn command(criterion: &mut Criterion) {
    let Some(program) = std::env::var_os("TRIPLINE_BINARY") else {
        return;
    };
    criterion.bench_function("command/help", |bencher| {
        bencher.iter(|| {
            let output = Command::new(&program).arg("--help").output();
            assert!(output.is_ok_and(|output| output.status.success()));
        });
    });
}

criterion_group!(benches, pipeline, history, command);
criterion_main!(benches);
