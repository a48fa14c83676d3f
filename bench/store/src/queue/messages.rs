//! The messages that are published, and queues in every state they can be in.
//!
//! Tests: through the passes.

use std::time::Duration;

use workload_store::Value;
use workload_store::queue::{Delivery, Nack, Priority, Queue, Receipt, Settings};

use crate::inputs::{SEED, SplitMix};

/// The lengths of a message, in bytes: those of the report.
pub const MESSAGE_BYTES: [usize; 4] = [64, 256, 1024, 4096];

/// The messages that are there before others are published: none, and very many.
pub const DEPTHS: [usize; 2] = [0, 100_000];

const COUNT_SMOKE: usize = 50;
const COUNT_FULL: usize = 1_000;

/// Room for twice the messages, and deadlines that come only when a pass is about them.
pub(super) const SETTINGS: Settings = Settings {
    depth_max: 2 * COUNT_FULL as u32,
    ack_deadline: Duration::from_secs(30),
    retries_max: 3,
};

/// More than any hole that the heap may have, and less than the allocator takes from the system directly.
const LID_BYTES: usize = 64 << 10;

/// Payloads of one length, and their priorities.
#[derive(Debug)]
pub struct Messages {
    payloads: Vec<(Box<[u8]>, Priority)>,
}

impl Messages {
    /// Returns messages as unit tests use them, of so many different priorities.
    #[must_use]
    pub fn smoke(bytes: usize, priorities: u8) -> Self {
        Self::generated(COUNT_SMOKE, bytes, priorities)
    }

    /// Returns messages as benchmarks use them, of so many different priorities.
    #[must_use]
    pub fn full(bytes: usize, priorities: u8) -> Self {
        Self::generated(COUNT_FULL, bytes, priorities)
    }

    fn generated(count: usize, bytes: usize, priorities: u8) -> Self {
        let mut random = SplitMix(SEED);
        let mut message = || {
            let number = random.below(usize::from(priorities)) as u8;
            let priority = Priority::new(number).expect("there are at most ten priorities");
            (random.bytes(bytes), priority)
        };
        Self {
            payloads: (0..count).map(|_| message()).collect(),
        }
    }

    /// Returns the number of messages, which is the number of operations in a pass.
    #[must_use]
    pub fn len(&self) -> usize {
        self.payloads.len()
    }

    /// Returns whether there is nothing to do, which is never so.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.payloads.is_empty()
    }

    /// Returns the messages in the order in which they are published.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], Priority)> + Clone {
        let both = self.payloads.iter();
        both.map(|(payload, priority)| (&**payload, *priority))
    }

    /// Returns a queue that never held a message.
    #[must_use]
    pub fn new_queue(&self) -> Queue {
        Queue::new(SETTINGS).expect("the settings are allowed")
    }

    /// Returns a queue in which all messages are ready.
    #[must_use]
    pub fn ready_queue(&self) -> Queue {
        let queue = self.new_queue();
        for (payload, priority) in self.iter() {
            queue.publish(payload, priority).expect("there is room");
        }
        queue
    }

    /// Returns a queue that is empty and has its places.
    #[must_use]
    pub fn warm_queue(&self) -> Warm {
        let queue = self.ready_queue();
        let lid = vec![0; LID_BYTES].into_boxed_slice();
        queue.purge(Duration::ZERO);
        Warm { queue, _lid: lid }
    }

    /// Returns a queue with so many messages before these, and places for these. They have been there once, and those that
    /// were first are gone for them.
    #[must_use]
    pub fn queue_behind(&self, depth: usize) -> Queue {
        let settings = Settings {
            depth_max: (depth + self.len()) as u32,
            ..SETTINGS
        };
        let queue = Queue::new(settings).expect("the settings are allowed");
        for (payload, priority) in self.iter().cycle().take(depth + self.len()) {
            queue.publish(payload, priority).expect("there is room");
        }
        for _ in 0..self.len() {
            let first = queue.consume(Duration::ZERO).expect("it is ready");
            let gone = queue.ack(first.receipt, Duration::ZERO);
            gone.expect("it is pending");
        }
        queue
    }

    /// Returns a queue whose messages all are with consumers, and what those have to settle.
    #[must_use]
    pub fn pending_queue(&self) -> (Queue, Vec<Receipt>) {
        let (queue, deliveries) = self.delivered();
        let receipts = deliveries.iter().map(|delivery| delivery.receipt);
        (queue, receipts.collect())
    }

    /// Returns a queue whose messages all are dead letters.
    #[must_use]
    pub fn dead_queue(&self) -> Queue {
        let (queue, receipts) = self.pending_queue();
        for receipt in receipts {
            let buried = queue.nack(receipt, Nack::DeadLetter, Duration::ZERO);
            buried.expect("it is pending");
        }
        queue
    }

    /// Returns handles on the payloads of all messages, which are shared with nobody else.
    #[must_use]
    pub fn values(&self) -> Vec<Value> {
        let (_, deliveries) = self.delivered();
        deliveries.into_iter().map(|it| it.payload).collect()
    }

    fn delivered(&self) -> (Queue, Vec<Delivery>) {
        let queue = self.ready_queue();
        let deliveries = std::iter::from_fn(|| queue.consume(Duration::ZERO)).collect();
        (queue, deliveries)
    }
}

/// A queue that is used again and again.
///
/// Above its payloads lies something else on the heap, as in any program that runs for a while. Without it the allocator
/// gives their memory back to the system after each pass, and most of the next one's time are page faults.
#[derive(Debug)]
pub struct Warm {
    queue: Queue,
    _lid: Box<[u8]>,
}

impl Warm {
    /// Returns the queue, to be emptied when the loan ends.
    pub fn lend(&self) -> Lent<'_> {
        Lent(&self.queue)
    }
}

/// A loan of a warm queue.
#[derive(Debug)]
pub struct Lent<'q>(pub &'q Queue);

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.0.purge(Duration::ZERO);
    }
}
