//! The time that the queue takes, by Criterion's interface.
//!
//! Passes are those that `queue_counts` counts. `publish-as-published` repeats the report; its definition is in the
//! library. What consumers do beside one another is in `threads_times`.

use std::hint::black_box;

use bench_store::queue::{self, MESSAGE_BYTES, Messages, Named, as_published};
use criterion::measurement::WallTime;
use criterion::{
    BatchSize, BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use workload_store::queue::{Nack, Queue, Receipt};

/// Each iteration's queue holds a thousand messages, so only few may be alive at once.
const BATCH: BatchSize = BatchSize::LargeInput;

/// A number of messages as a throughput.
fn all(messages: usize) -> Throughput {
    Throughput::Elements(messages as u64)
}

fn long(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("queue");
    let sizes = MESSAGE_BYTES.map(|bytes| (bytes, 1));
    for (bytes, priorities) in sizes.into_iter().chain([(1024, 10)]) {
        let params = format!("bytes={bytes},priorities={priorities}");
        let messages = Messages::full(bytes, priorities);
        let warm = messages.warm_queue();
        group.throughput(all(messages.len()));
        group.bench_function(BenchmarkId::new("publish", &params), |bencher| {
            bencher.iter_batched_ref(
                || warm.lend(),
                |lent| {
                    queue::publish(lent.0, &messages, |id| {
                        let _ = black_box(id);
                    });
                },
                // The next one is lent when this one has come back empty.
                BatchSize::PerIteration,
            );
        });
        let backlog = messages.ready_queue();
        group.bench_function(BenchmarkId::new("cycle", &params), |bencher| {
            bencher.iter(|| {
                queue::cycle(&backlog, &messages, |delivery| drop(black_box(delivery)));
            });
        });
    }
    let messages = Messages::full(1024, 1);
    let (values, warm) = (messages.values(), messages.warm_queue());
    group.bench_function("publish_shared/bytes=1024,priorities=1", |bencher| {
        bencher.iter_batched_ref(
            || warm.lend(),
            |lent| {
                queue::publish_shared(lent.0, &values, |id| {
                    let _ = black_box(id);
                });
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

fn short(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("queue");
    for priorities in [1, 10] {
        let messages = Messages::full(64, priorities);
        group.throughput(all(messages.len()));
        let id = |name: &str| BenchmarkId::new(name, format!("priorities={priorities}"));
        changing(
            &mut group,
            id("consume"),
            || messages.ready_queue(),
            |queue| {
                queue::consume(queue, |delivery| drop(black_box(delivery)));
            },
        );
        settling(&mut group, id("requeue"), &messages, |queue, receipts| {
            queue::nack(queue, receipts, Nack::Requeue, |fate| {
                let _ = black_box(fate);
            });
        });
        settling(&mut group, id("expire"), &messages, |queue, _| {
            black_box(queue::expire(queue));
        });
        changing(
            &mut group,
            id("purge"),
            || messages.ready_queue(),
            |queue| {
                black_box(queue::purge(queue));
            },
        );
    }
    let messages = Messages::full(64, 1);
    let id = |name: &str| BenchmarkId::new(name, "priorities=1");
    settling(&mut group, id("ack"), &messages, |queue, receipts| {
        queue::ack(queue, receipts, |settled| {
            let _ = black_box(settled);
        });
    });
    settling(&mut group, id("bury"), &messages, |queue, receipts| {
        queue::nack(queue, receipts, Nack::DeadLetter, |fate| {
            let _ = black_box(fate);
        });
    });
    changing(
        &mut group,
        id("purge_dead_letters"),
        || messages.dead_queue(),
        |queue| {
            black_box(queue::purge_dead_letters(queue));
        },
    );
    changing(
        &mut group,
        id("take_dead_letter"),
        || messages.dead_queue(),
        |queue| {
            queue::take_dead_letters(queue, |letter| drop(black_box(letter)));
        },
    );
    group.finish();
}

fn named(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("queue");
    let named = Named::new();
    group.throughput(all(named.len()));
    let id = BenchmarkId::new("get", format!("queues={}", named.len()));
    group.bench_function(id, |bencher| {
        bencher.iter(|| queue::get(&named, |queue| drop(black_box(queue))));
    });
    group.finish();
}

fn settling(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: BenchmarkId,
    messages: &Messages,
    pass: impl Fn(&Queue, &[Receipt]),
) {
    let pending = || messages.pending_queue();
    changing(group, id, pending, |(queue, receipts)| {
        pass(queue, receipts);
    });
}

fn changing<Q>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: BenchmarkId,
    queue: impl Fn() -> Q,
    pass: impl Fn(&Q),
) {
    group.bench_function(id, |bencher| {
        bencher.iter_batched_ref(&queue, |queue| pass(queue), BATCH);
    });
}

fn published(criterion: &mut Criterion) {
    let runtime = as_published::runtime();
    let mut group = criterion.benchmark_group("queue");
    group.throughput(all(1));
    for bytes in MESSAGE_BYTES {
        let id = BenchmarkId::new("publish-as-published", format!("bytes={bytes}"));
        group.bench_function(id, |bencher| {
            bencher.iter(|| {
                // Each queue is new, so its first message has the first number.
                assert_eq!(as_published::publish(&runtime, black_box(bytes)), 1);
            });
        });
        let comes_out = as_published::comes_out(&runtime, bytes);
        assert!(comes_out, "what was published is not there");
    }
    group.finish();
}

criterion_group!(benches, long, short, named, published);
criterion_main!(benches);
