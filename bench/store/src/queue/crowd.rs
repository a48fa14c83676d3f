//! One who publishes, and consumers who drain meanwhile.
//!
//! Tests: every message is delivered once, whatever the number of consumers; one that is lost ends it.

use std::hint::black_box;
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use workload_store::queue::Queue;

use super::Messages;

/// The numbers of consumers: those of the report.
pub const CONSUMERS: [usize; 4] = [1, 4, 16, 32];

/// After this a message that has not come is lost.
const PATIENCE: Duration = Duration::from_secs(60);

/// More deliveries than anybody waits for.
const GIVEN_UP: u64 = u64::MAX / 2;

/// Consumers who stand ready, each on its thread, and the messages that one more thread publishes for them.
#[derive(Debug)]
pub struct Crowd<'m> {
    messages: &'m Messages,
    queue: Queue,
    /// The number of deliveries that consumers are done with, acknowledged or refused.
    settled: AtomicU64,
    start: Barrier,
    end: Barrier,
    consumers: usize,
    patience: Duration,
}

impl<'m> Crowd<'m> {
    /// Returns so many consumers of messages.
    #[must_use]
    pub fn new(messages: &'m Messages, consumers: usize) -> Self {
        Self {
            messages,
            queue: messages.new_queue(),
            settled: AtomicU64::new(0),
            start: Barrier::new(consumers + 1),
            end: Barrier::new(consumers + 1),
            consumers,
            patience: PATIENCE,
        }
    }

    /// Delivers all messages so many times, and returns the time from the first publication to the last ack of each.
    ///
    /// # Panics
    /// A message was not delivered within a minute, was delivered twice, or its ack was refused.
    #[must_use]
    pub fn deliver(self, times: u64) -> Duration {
        let (spent, mut ids) = self.run(times);
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

    /// Returns the time, and the ids of all that was acknowledged.
    fn run(&self, times: u64) -> (Duration, Vec<u64>) {
        thread::scope(|scope| {
            let consumers: Vec<_> = (0..self.consumers)
                .map(|_| scope.spawn(|| self.consume(times)))
                .collect();
            let spent = (1..=times).map(|time| self.publish(time)).sum();
            let ids = consumers
                .into_iter()
                .flat_map(|it| it.join().expect("no consumer panics"));
            (spent, ids.collect::<Vec<u64>>())
        })
    }

    fn expected(&self, times: u64) -> u64 {
        times * self.messages.len() as u64
    }

    /// Says whether consumers are done with all deliveries of the first so many times, or a message is lost.
    fn is_over(&self, time: u64) -> bool {
        self.settled.load(Ordering::Acquire) >= self.expected(time)
    }

    fn publish(&self, time: u64) -> Duration {
        self.start.wait();
        let started = Instant::now();
        for (payload, priority) in self.messages.iter() {
            // Who panicked here would leave the consumers waiting; what is refused is missed in the end.
            let _ = black_box(self.queue.publish(payload, priority));
        }
        while !self.is_over(time) {
            if started.elapsed() > self.patience {
                self.settled.store(GIVEN_UP, Ordering::Release);
            }
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
            while !self.is_over(time) {
                let Some(delivery) = self.queue.consume(Duration::ZERO) else {
                    // Who finds nothing lets others go on: there are more threads than processors.
                    thread::yield_now();
                    continue;
                };
                if self.queue.ack(delivery.receipt, Duration::ZERO).is_ok() {
                    ids.push(delivery.id);
                }
                self.settled.fetch_add(1, Ordering::Release);
            }
            self.end.wait();
        }
        ids
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use workload_store::queue::{Priority, Queue, Settings};

    use super::{CONSUMERS, Crowd, Messages};

    #[test]
    fn every_message_is_delivered_once() {
        for consumers in CONSUMERS {
            let messages = Messages::smoke(64, 10);
            // It looks itself.
            let _ = Crowd::new(&messages, consumers).deliver(2);
        }
    }

    #[test]
    fn nobody_waits_for_ever_for_a_lost_message() {
        let messages = Messages::smoke(64, 1);
        let no_room = Settings {
            depth_max: 1,
            ack_deadline: Duration::from_secs(30),
            retries_max: 0,
        };
        let queue = Queue::new(no_room).unwrap();
        queue.publish(b"in the way", Priority::default()).unwrap();
        // Never settled, so that every other message is refused.
        queue.consume(Duration::ZERO).unwrap();
        let crowd = Crowd {
            queue,
            patience: Duration::ZERO,
            ..Crowd::new(&messages, 4)
        };
        assert_eq!(crowd.run(2).1, Vec::<u64>::new());
    }
}
