//! The wall-clock time of the suite, taken by Criterion.
//!
//! The names are those of `counts`: the id `percent=5` in the function `planted` of the group `canary` is
//! `canary/planted{percent=5}`. Tested by the unit tests of the work.

use std::hint::black_box;

use bench_canary::{Buffer, PERCENTS, ROUNDS_FULL};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn canary(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("canary");
    // The same for all, with the feature or without: wasted rounds are no progress.
    group.throughput(Throughput::Elements(u64::from(ROUNDS_FULL)));
    // An iteration goes on from where the last one ended. Its cost does not depend on the words in the buffer.
    let mut buffer = Buffer::new();
    let steady = BenchmarkId::new("steady", format!("rounds={ROUNDS_FULL}"));
    group.bench_function(steady, |bencher| {
        bencher.iter(|| bench_canary::steady(black_box(&mut buffer), black_box(ROUNDS_FULL)));
    });
    for percent in PERCENTS {
        let planted = BenchmarkId::new("planted", format!("percent={percent}"));
        group.bench_function(planted, |bencher| {
            let (rounds, percent) = black_box((ROUNDS_FULL, percent));
            bencher.iter(|| bench_canary::planted(black_box(&mut buffer), rounds, percent));
        });
    }
    group.finish();
}

criterion_group!(benches, canary);
criterion_main!(benches);
