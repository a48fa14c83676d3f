//! The queue as somebody else's report measured theirs.
//!
//! What that includes, beside the operation in the name of its tables:
//!
//! - **publish**: a set of queues made anew for each message, a queue created in it and freed again with its message; a
//!   payload of zeros, allocated each time; and `block_on` of a runtime. Theirs also formatted an id, ours is a number.
//!   Theirs moved the payload into the message; ours copies it, here as in **deliver**.
//! - **deliver**: a set of queues made anew for each thousand messages. All of them are published *before* the first
//!   consumer is started, so nothing is concurrent between the two sides; consumers are tasks of a runtime, and their
//!   start is in the time. How long a payload was it does not say; here it has 64 bytes.
//!
//! Tests: what was published is delivered, once.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use workload_store::queue::{Priority, Queue, Queues, Settings};

/// The number of messages in the report.
pub const MESSAGES: u64 = 1_000;

const DELIVER_BYTES: usize = 64;

/// The runtime that benches run in there: as many threads as there are processors.
///
/// # Panics
/// The system refuses threads.
#[must_use]
pub fn runtime() -> Runtime {
    let built = Builder::new_multi_thread().build();
    built.expect("the system gives a few threads")
}

/// Publishes one message into a queue of its own, and returns its id.
#[must_use]
pub fn publish(runtime: &Runtime, bytes: usize) -> u64 {
    let queues = Queues::default();
    let queue = create(&queues);
    runtime.block_on(async { put(&queue, bytes) })
}

/// Publishes one message as [`publish`] does, and says whether its payload comes out of the queue.
#[must_use]
pub fn comes_out(runtime: &Runtime, bytes: usize) -> bool {
    let queues = Queues::default();
    let queue = create(&queues);
    let id = runtime.block_on(async { put(&queue, bytes) });
    let delivery = queue.consume(Duration::ZERO);
    delivery.is_some_and(|it| it.id == id && *it.payload == *vec![0; bytes])
}

/// Publishes a thousand messages, then starts consumers that drain the queue, and returns the ids that each got.
#[must_use]
pub fn deliver(runtime: &Runtime, consumers: usize) -> Vec<Vec<u64>> {
    let queues = Queues::default();
    let queue = create(&queues);
    runtime.block_on(async {
        for _ in 0..MESSAGES {
            put(&queue, DELIVER_BYTES);
        }
        let start = |_| tokio::spawn(consume(Arc::clone(&queue)));
        let started: Vec<_> = (0..consumers).map(start).collect();
        let mut ids = Vec::with_capacity(consumers);
        for consumer in started {
            ids.push(consumer.await.expect("no consumer panics"));
        }
        ids
    })
}

/// Says whether each message is in it once.
#[must_use]
pub fn is_complete(ids: Vec<Vec<u64>>) -> bool {
    let mut ids: Vec<u64> = ids.into_iter().flatten().collect();
    ids.sort_unstable();
    ids.into_iter().eq(1..=MESSAGES)
}

fn create(queues: &Queues) -> Arc<Queue> {
    let settings = Settings {
        depth_max: 100_000,
        ack_deadline: Duration::from_secs(30),
        retries_max: 3,
    };
    let created = queues.create("bench", settings);
    created.expect("the name is free, and the settings are allowed")
}

fn put(queue: &Queue, bytes: usize) -> u64 {
    let published = queue.publish(&vec![0; bytes], Priority::default());
    published.expect("there is room")
}

fn consume(queue: Arc<Queue>) -> impl Future<Output = Vec<u64>> {
    let drain = move || {
        let delivery = queue.consume(Duration::ZERO)?;
        let settled = queue.ack(delivery.receipt, Duration::ZERO);
        settled.expect("the deadline is far away");
        Some(delivery.id)
    };
    async { std::iter::from_fn(drain).collect() }
}

#[cfg(test)]
mod tests {
    use super::super::CONSUMERS;
    use super::{comes_out, deliver, is_complete, publish, runtime};

    #[test]
    fn each_queue_is_a_new_one() {
        let runtime = runtime();
        assert_eq!((publish(&runtime, 64), publish(&runtime, 1024)), (1, 1));
        assert!(comes_out(&runtime, 64) && comes_out(&runtime, 4096));
    }

    #[test]
    fn every_message_is_delivered_once() {
        let runtime = runtime();
        for consumers in CONSUMERS {
            let ids = deliver(&runtime, consumers);
            assert_eq!(ids.len(), consumers);
            assert!(is_complete(ids));
        }
        assert!(!is_complete(vec![vec![1, 1]]));
    }
}
