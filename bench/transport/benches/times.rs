//! The processor's time of the transport's parts, by Criterion's interface: one thread, no socket.
//!
//! The passes are those that `counts` counts. Setting up two sides is not timed.

use bench_transport::parts::{Packets, Parts};
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const PACKETS: u64 = 100;
const BYTES: usize = 32 << 10;

fn parts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parts");
    group.throughput(Throughput::Elements(PACKETS));
    let id = |name: &str| BenchmarkId::new(name, format!("packets={PACKETS}"));
    group.bench_function(id("seal"), |bencher| {
        bencher.iter_batched_ref(
            || Packets::plain(PACKETS),
            Packets::seal,
            BatchSize::LargeInput,
        );
    });
    group.bench_function(id("open"), |bencher| {
        bencher.iter_batched_ref(
            || Packets::sealed(PACKETS),
            |packets| assert_eq!(packets.open() as u64, PACKETS),
            BatchSize::LargeInput,
        );
    });
    group.throughput(Throughput::Bytes(BYTES as u64));
    let mut made = None;
    group.bench_function(
        BenchmarkId::new("whole", format!("bytes={BYTES}")),
        |bencher| {
            let parts = made.get_or_insert_with(|| Parts::ready(BYTES));
            bencher.iter(|| assert!(parts.whole(), "the message did not arrive"));
        },
    );
    group.finish();
}

criterion_group!(benches, parts);
criterion_main!(benches);
