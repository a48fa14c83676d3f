//! Messages over UDP on this machine, by our transport and by quinn, in turn.
//!
//! Single messages with an answer of one byte; 25 messages of 1 KiB one after the other, on one connection and on four at the
//! same time; messages of 1 MiB, two under way, until the other side has them. Two runtimes of one thread are quinn's nearest
//! to ours; one for both sides, of one thread or of two, is what else it may be run on.

use bench_peers::transports::{Ours, Quinn, QuinnTogether, Transport};
use bench_transport::{BULK, EXCHANGE, Until, Work, single};
use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};

fn transports(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("transport");
    for bytes in [1 << 10, 32 << 10, 1 << 20] {
        let id = ("message", format!("bytes={bytes}"));
        all(&mut group, &id, 1, single(bytes), Until::Answered);
    }
    for streams in [1, 4] {
        let params = format!("streams={streams}");
        let id = ("exchange", params.clone());
        all(&mut group, &id, streams, EXCHANGE, Until::Answered);
        let id = ("bulk", params);
        all(&mut group, &id, streams, BULK, Until::Delivered);
    }
    group.finish();
}

fn all(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: &(&str, String),
    streams: usize,
    work: Work,
    until: Until,
) {
    one::<Ours>(group, id, streams, work, until);
    one::<Quinn>(group, id, streams, work, until);
    one::<QuinnTogether<1>>(group, id, streams, work, until);
    one::<QuinnTogether<2>>(group, id, streams, work, until);
}

fn one<T: Transport>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    (name, params): &(&str, String),
    streams: usize,
    work: Work,
    until: Until,
) {
    let bytes = streams as u64 * work.messages * work.bytes as u64;
    group.throughput(Throughput::Bytes(bytes));
    let mut made = None;
    let id = BenchmarkId::new(*name, format!("{params},transport={}", T::NAME));
    group.bench_function(id, |bencher| {
        let transport = made.get_or_insert_with(|| {
            let mut transport = T::connect(streams, until);
            transport.time(work, 3);
            transport
        });
        bencher.iter_custom(|times| transport.time(work, times));
    });
}

criterion_group!(benches, transports);
criterion_main!(benches);
