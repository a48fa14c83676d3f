//! The time of the suite, taken by Criterion or in the blocks that a driver asks for.
//!
//! The names are those of `counts`: the id `percent=5` in the function `planted` of the group `canary` is
//! `canary/planted{percent=5}`. Tested by the unit tests of the work.

use std::hint::black_box;

use bench_canary::{
    Buffer, LOOPBACK_PERCENTS, Loopback, PERCENT_CPU, PERCENTS, ROUND_TRIPS, ROUNDS_FULL,
    ROUNDS_LARGE, ROUNDS_SMALL,
    controls::{Branchy, Chain, Partner, Stream, Zeros, allocator, alu},
};
use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};

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
        planted(&mut group, &mut buffer, "planted", ROUNDS_FULL, percent);
    }
    for (name, rounds) in [("small", ROUNDS_SMALL), ("large", ROUNDS_LARGE)] {
        group.throughput(Throughput::Elements(u64::from(rounds)));
        planted(&mut group, &mut buffer, name, rounds, PERCENT_CPU);
    }
    group.throughput(Throughput::Elements(u64::from(ROUND_TRIPS)));
    for percent in LOOPBACK_PERCENTS {
        loopback(&mut group, percent);
    }
    group.finish();
}

fn planted(
    group: &mut BenchmarkGroup<'_, WallTime>,
    buffer: &mut Buffer,
    name: &str,
    rounds: u32,
    percent: u32,
) {
    let id = BenchmarkId::new(name, format!("percent={percent}"));
    group.bench_function(id, |bencher| {
        let (rounds, percent) = black_box((rounds, percent));
        bencher.iter(|| bench_canary::planted(black_box(&mut *buffer), rounds, percent));
    });
}

fn loopback(group: &mut BenchmarkGroup<'_, WallTime>, percent: u32) {
    let socket = Loopback::open().expect("a machine that measures has a loopback interface");
    let id = BenchmarkId::new("loopback", format!("percent={percent}"));
    group.bench_function(id, |bencher| {
        let (round_trips, percent) = black_box((ROUND_TRIPS, percent));
        bencher.iter(|| {
            let answer = bench_canary::loopback(&socket, round_trips, percent);
            answer.expect("a datagram that is on its way alone is not lost")
        });
    });
}

/// What each leans on is made before the clock starts, and gone before the next one runs.
fn controls(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("control");
    group.bench_function("alu", |bencher| bencher.iter(alu));
    let mut branchy = Branchy::new();
    group.bench_function("branchy", |bencher| bencher.iter(|| branchy.run()));
    let chain = Chain::new();
    group.bench_function("l2", |bencher| bencher.iter(|| black_box(&chain).walk()));
    let mut stream = Stream::new();
    group.bench_function("memory", |bencher| bencher.iter(|| stream.read()));
    drop(stream);
    group.bench_function("allocator", |bencher| bencher.iter(allocator));
    let mut zeros = Zeros::open().expect("a system that measures has /dev/zero");
    group.bench_function("syscall", |bencher| {
        bencher.iter(|| zeros.read().expect("there are always more zeros"));
    });
    let mut partner = Partner::start();
    group.bench_function("wake", |bencher| bencher.iter(|| partner.wake()));
    group.finish();
}

criterion_group!(benches, canary, controls);
criterion_main!(benches);
