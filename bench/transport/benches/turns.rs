//! The time of messages over real UDP sockets of which both sides share one processor, by Criterion's interface.
//!
//! Where each side has a processor of its own, what is timed is also how fast one wakes the other, and whoever else is
//! running on either. Here they take turns, so that what is timed is what a message costs both sides and the kernel: steady
//! enough to fail a change. The connection is made and warm before the clock starts.

use bench_transport::{EXCHANGE, Loopback, Until, Work, single};
use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};

fn turns(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("turns");
    for bytes in [1 << 10, 32 << 10] {
        let id = BenchmarkId::new("message", format!("bytes={bytes}"));
        timed(&mut group, id, single(bytes));
    }
    let id = BenchmarkId::new("exchange", "streams=1");
    timed(&mut group, id, EXCHANGE);
    group.finish();
}

fn timed(group: &mut BenchmarkGroup<'_, WallTime>, id: BenchmarkId, work: Work) {
    group.throughput(Throughput::Bytes(work.messages * work.bytes as u64));
    let mut made = None;
    group.bench_function(id, |bencher| {
        let loopback = made.get_or_insert_with(|| Loopback::warm(1, Until::Answered, work));
        bencher.iter_custom(|times| loopback.time(work, times));
    });
}

criterion_group!(benches, turns);
criterion_main!(benches);
