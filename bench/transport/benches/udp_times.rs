//! The time of messages over real UDP sockets, by Criterion's interface.
//!
//! The suite lets this program run on all processors. Connections are made and warm before the clock starts, all streams
//! begin at once, and the clock stops when the last of them is done. The benchmarks `-as-published` are cold or include the
//! making of connections, as their definitions in the library say; `connect` is what they include.

use std::time::Duration;

use bench_transport::{
    BULK, EXCHANGE, Loopback, MESSAGE_BYTES, SATURATION, STREAMS, Until, Work, as_published, single,
};
use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};

fn messages(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("udp");
    for bytes in MESSAGE_BYTES {
        let id = BenchmarkId::new("message", format!("bytes={bytes}"));
        timed(&mut group, id, 1, single(bytes), Until::Answered);
    }
    let id = BenchmarkId::new("saturate", "messages=1000");
    timed(&mut group, id, 1, SATURATION, Until::Delivered);
    group.finish();
}

fn streams(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("udp");
    for streams in STREAMS {
        let id = |name: &str| BenchmarkId::new(name, format!("streams={streams}"));
        timed(
            &mut group,
            id("exchange"),
            streams,
            EXCHANGE,
            Until::Answered,
        );
        timed(&mut group, id("bulk"), streams, BULK, Until::Delivered);
    }
    group.finish();
}

fn timed(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: BenchmarkId,
    streams: usize,
    work: Work,
    until: Until,
) {
    let bytes = streams as u64 * work.messages * work.bytes as u64;
    group.throughput(Throughput::Bytes(bytes));
    let mut made = None;
    group.bench_function(id, |bencher| {
        let loopback = made.get_or_insert_with(|| Loopback::warm(streams, until, work));
        bencher.iter_custom(|times| loopback.time(work, times));
    });
}

/// Which of the report's clocks is looked at.
type Clock = fn(as_published::Exchanged) -> Duration;

fn published(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("udp");
    for bytes in [1 << 10, 4 << 10, 16 << 10, 32 << 10] {
        group.throughput(Throughput::Bytes(bytes as u64));
        let id = BenchmarkId::new("message-as-published", format!("bytes={bytes}"));
        group.bench_function(id, |bencher| {
            bencher.iter_custom(|times| (0..times).map(|_| as_published::message(bytes)).sum());
        });
    }
    group.throughput(Throughput::Elements(1));
    group.bench_function(BenchmarkId::new("connect", "streams=1"), |bencher| {
        bencher.iter_custom(|times| (0..times).map(|_| as_published::connect()).sum());
    });
    let clocks: [(&str, Clock); 2] = [
        ("exchange-as-published", |exchanged| exchanged.all),
        ("stream-as-published", |exchanged| exchanged.stream),
    ];
    for (name, clock) in clocks {
        let bytes = 4 * EXCHANGE.messages * EXCHANGE.bytes as u64;
        group.throughput(Throughput::Bytes(bytes));
        group.bench_function(BenchmarkId::new(name, "streams=4"), |bencher| {
            let exchange = |_| clock(as_published::exchange(4));
            bencher.iter_custom(|times| (0..times).map(exchange).sum());
        });
    }
    group.finish();
}

criterion_group!(benches, messages, streams, published);
criterion_main!(benches);
