//! The instructions of the queue, counted under Callgrind: passes of one thread.
//!
//! As in `counts`, neither making nor freeing the inputs is in a count.
#![expect(
    missing_docs,
    clippy::exit,
    reason = "the framework's macros write public items that nobody can name, and a main function that exits"
)]

use std::hint::black_box;

use bench_store::queue::{self as passes, Messages, Named};
use iai_callgrind::{LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};
use workload_store::Value;
use workload_store::queue::{Nack, Queue, Receipt};

/// The length of a message where it does not matter.
const SHORT: usize = 64;

fn warm(bytes: usize, priorities: u8) -> (Queue, Messages) {
    let messages = Messages::full(bytes, priorities);
    let queue = messages.ready_queue();
    passes::purge(&queue);
    (queue, messages)
}

fn behind(depth: usize) -> (Queue, Messages) {
    let messages = Messages::full(SHORT, 1);
    (messages.queue_behind(depth), messages)
}

fn backlog(bytes: usize, priorities: u8) -> (Queue, Messages) {
    let messages = Messages::full(bytes, priorities);
    (messages.ready_queue(), messages)
}

fn shared(bytes: usize) -> (Queue, Vec<Value>) {
    let (queue, messages) = warm(bytes, 1);
    (queue, messages.values())
}

fn ready(priorities: u8) -> Queue {
    Messages::full(SHORT, priorities).ready_queue()
}

fn pending(priorities: u8) -> (Queue, Vec<Receipt>) {
    Messages::full(SHORT, priorities).pending_queue()
}

fn dead(priorities: u8) -> Queue {
    Messages::full(SHORT, priorities).dead_queue()
}

#[library_benchmark(setup = warm)]
#[bench::bytes_64_priorities_1(64, 1)]
#[bench::bytes_256_priorities_1(256, 1)]
#[bench::bytes_1024_priorities_1(1024, 1)]
#[bench::bytes_1024_priorities_10(1024, 10)]
#[bench::bytes_4096_priorities_1(4096, 1)]
#[bench::depth_0(args = (0), setup = behind)]
#[bench::depth_100000(args = (100_000), setup = behind)]
fn publish((queue, messages): (Queue, Messages)) -> (Queue, Messages) {
    passes::publish(&queue, &messages, |id| {
        let _ = black_box(id);
    });
    (queue, messages)
}

#[library_benchmark(setup = backlog)]
#[bench::bytes_64_priorities_1(64, 1)]
#[bench::bytes_256_priorities_1(256, 1)]
#[bench::bytes_1024_priorities_1(1024, 1)]
#[bench::bytes_1024_priorities_10(1024, 10)]
#[bench::bytes_4096_priorities_1(4096, 1)]
fn cycle((queue, messages): (Queue, Messages)) -> (Queue, Messages) {
    passes::cycle(&queue, &messages, |delivery| drop(black_box(delivery)));
    (queue, messages)
}

#[library_benchmark(setup = shared)]
#[bench::bytes_1024_priorities_1(1024)]
fn publish_shared((queue, values): (Queue, Vec<Value>)) -> (Queue, Vec<Value>) {
    passes::publish_shared(&queue, &values, |id| {
        let _ = black_box(id);
    });
    (queue, values)
}

#[library_benchmark(setup = ready)]
#[bench::priorities_1(1)]
#[bench::priorities_10(10)]
fn consume(queue: Queue) -> Queue {
    passes::consume(&queue, |delivery| drop(black_box(delivery)));
    queue
}

#[library_benchmark(setup = pending)]
#[bench::priorities_1(1)]
fn ack((queue, receipts): (Queue, Vec<Receipt>)) -> (Queue, Vec<Receipt>) {
    passes::ack(&queue, &receipts, |settled| {
        let _ = black_box(settled);
    });
    (queue, receipts)
}

#[library_benchmark(setup = pending)]
#[bench::priorities_1(1)]
#[bench::priorities_10(10)]
fn requeue((queue, receipts): (Queue, Vec<Receipt>)) -> (Queue, Vec<Receipt>) {
    passes::nack(&queue, &receipts, Nack::Requeue, |fate| {
        let _ = black_box(fate);
    });
    (queue, receipts)
}

#[library_benchmark(setup = pending)]
#[bench::priorities_1(1)]
fn bury((queue, receipts): (Queue, Vec<Receipt>)) -> (Queue, Vec<Receipt>) {
    passes::nack(&queue, &receipts, Nack::DeadLetter, |fate| {
        let _ = black_box(fate);
    });
    (queue, receipts)
}

#[library_benchmark(setup = pending)]
#[bench::priorities_1(1)]
#[bench::priorities_10(10)]
fn expire((queue, receipts): (Queue, Vec<Receipt>)) -> (Queue, Vec<Receipt>) {
    black_box(passes::expire(&queue));
    (queue, receipts)
}

#[library_benchmark(setup = dead)]
#[bench::priorities_1(1)]
fn take_dead_letter(queue: Queue) -> Queue {
    passes::take_dead_letters(&queue, |letter| drop(black_box(letter)));
    queue
}

#[library_benchmark(setup = ready)]
#[bench::priorities_1(1)]
#[bench::priorities_10(10)]
fn purge(queue: Queue) -> Queue {
    black_box(passes::purge(&queue));
    queue
}

#[library_benchmark(setup = dead)]
#[bench::priorities_1(1)]
fn purge_dead_letters(queue: Queue) -> Queue {
    black_box(passes::purge_dead_letters(&queue));
    queue
}

#[library_benchmark(setup = Named::new)]
#[bench::queues_1000()]
fn get(named: Named) -> Named {
    passes::get(&named, |queue| drop(black_box(queue)));
    named
}

#[library_benchmark(setup = Named::new)]
#[bench::queues_1000()]
fn create_anew(named: Named) -> Named {
    passes::create_anew(&named, |queue| drop(black_box(queue)));
    named
}

#[library_benchmark(setup = ready)]
#[bench::priorities_1(1)]
fn statistics(queue: Queue) -> Queue {
    passes::statistics(&queue, |it| {
        black_box(it);
    });
    queue
}

library_benchmark_group!(
    name = queue;
    benchmarks = publish, cycle, publish_shared, consume, ack, requeue, bury, expire, take_dead_letter, purge,
        purge_dead_letters, get, create_anew, statistics
);

// The environment is cleared but for this: see `counts`.
main!(
    config = LibraryBenchmarkConfig::default().pass_through_env("GLIBC_TUNABLES");
    library_benchmark_groups = queue
);
