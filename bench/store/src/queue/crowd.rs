//! One who publishes, and consumers who drain meanwhile.
//!
//! Tests: every message is delivered once, whatever the number of consumers.

use std::hint::black_box;
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use workload_store::queue::Queue;

use super::Messages;

/// The numbers of consumers: those of the report.
pub const CONSUMERS: [usize; 4] = [1, 4, 16, 32];

/// Consumers who stand ready, each on its thread, and the messages that one more thread publishes for them.
#[derive(Debug)]
pub struct Crowd<'m> {
    messages: &'m Messages,
    queue: Queue,
    acknowledged: AtomicU64,
    start: Barrier,
    end: Barrier,
    consumers: usize,
}

impl<'m> Crowd<'m> {
    /// Returns so many consumers of messages.
    #[must_use]
    pub fn new(messages: &'m Messages, consumers: usize) -> Self {
        Self {
            messages,
            queue: messages.new_queue(),
            acknowledged: AtomicU64::new(0),
            start: Barrier::new(consumers + 1),
            end: Barrier::new(consumers + 1),
            consumers,
        }
    }

    /// Delivers all messages so many times, and returns the time from the first publication to the last ack of each.
    ///
    /// # Panics
    /// A message was not delivered, or was delivered twice.
    #[must_use]
    pub fn deliver(self, times: u64) -> Duration {
        let (spent, mut ids) = thread::scope(|scope| {
            let consumers: Vec<_> = (0..self.consumers)
                .map(|_| scope.spawn(|| self.consume(times)))
                .collect();
            let spent = (1..=times).map(|time| self.publish(time)).sum();
            let ids = consumers
                .into_iter()
                .flat_map(|it| it.join().expect("no consumer panics"));
            (spent, ids.collect::<Vec<u64>>())
        });
        ids.sort_unstable();
        let all = self.expected(times);
        assert!(
            ids.into_iter().eq(1..=all),
            "a message was lost or came twice"
        );
        let left = self.queue.statistics(Duration::ZERO).depth();
        assert_eq!(left, 0, "messages were delivered and not acknowledged");
        spent
    }

    fn expected(&self, times: u64) -> u64 {
        times * self.messages.len() as u64
    }

    fn publish(&self, time: u64) -> Duration {
        self.start.wait();
        let started = Instant::now();
        for (payload, priority) in self.messages.iter() {
            black_box(self.queue.publish(payload, priority)).expect("there is room");
        }
        while self.acknowledged.load(Ordering::Acquire) < self.expected(time) {
            thread::yield_now();
        }
        let spent = started.elapsed();
        self.end.wait();
        spent
    }

    /// Returns the ids of all that one consumer acknowledged.
    fn consume(&self, times: u64) -> Vec<u64> {
        let mut ids = Vec::with_capacity(self.messages.len());
        for time in 1..=times {
            self.start.wait();
            while self.acknowledged.load(Ordering::Acquire) < self.expected(time) {
                let Some(delivery) = self.queue.consume(Duration::ZERO) else {
                    // Who finds nothing lets others go on: there are more threads than processors.
                    thread::yield_now();
                    continue;
                };
                let settled = self.queue.ack(delivery.receipt, Duration::ZERO);
                settled.expect("the deadline is far away");
                ids.push(delivery.id);
                self.acknowledged.fetch_add(1, Ordering::Release);
            }
            self.end.wait();
        }
        ids
    }
}

#[cfg(test)]
mod tests {
    use super::{CONSUMERS, Crowd, Messages};

    #[test]
    fn every_message_is_delivered_once() {
        for consumers in CONSUMERS {
            let messages = Messages::smoke(64, 10);
            // It looks itself.
            let _ = Crowd::new(&messages, consumers).deliver(2);
        }
    }
}
