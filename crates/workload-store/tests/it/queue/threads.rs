//! Queues under threads: nothing is lost, nothing comes twice, nothing overtakes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use workload_store::queue::{Delivery, Queue, RETRIES_MAX, Settings, SettleError};

use super::{SETTINGS, at, priority, queue};

/// How long a test waits for what takes moments, before it fails.
const PATIENCE: Duration = Duration::from_mins(1);

const PRODUCERS: u64 = 3;
const CONSUMERS: usize = 3;
const MESSAGES_PER_PRODUCER: u64 = 2_000;
const MESSAGES: u64 = PRODUCERS * MESSAGES_PER_PRODUCER;

fn roomy(settings: Settings) -> Queue {
    let depth_max = u32::try_from(MESSAGES).expect("a few thousand");
    queue(Settings {
        depth_max,
        ..settings
    })
}

/// Publishes the numbers of one producer, in order and with mixed priorities.
fn produce(queue: &Queue, producer: u64) {
    for number in 0..MESSAGES_PER_PRODUCER {
        let payload = producer * MESSAGES_PER_PRODUCER + number;
        let priority = priority((number % 10) as u8);
        queue
            .publish(&payload.to_le_bytes(), priority)
            .expect("there is place for all messages");
    }
}

fn number(delivery: &Delivery) -> u64 {
    let bytes = (*delivery.payload).try_into();
    u64::from_le_bytes(bytes.expect("every payload is a number"))
}

/// Lets producers and consumers loose on a queue, and returns what each consumer says.
fn run<R: Send>(queue: &Queue, consume: impl Fn() -> R + Sync) -> Vec<R> {
    thread::scope(|scope| {
        let consumers: Vec<_> = (0..CONSUMERS).map(|_| scope.spawn(&consume)).collect();
        for producer in 0..PRODUCERS {
            scope.spawn(move || produce(queue, producer));
        }
        let joined = consumers.into_iter().map(ScopedJoinHandle::join);
        joined
            .map(|said| said.expect("no consumer panics"))
            .collect()
    })
}

#[test]
fn every_message_is_delivered_exactly_once_when_all_acks_come_in_time() {
    let queue = roomy(SETTINGS);
    let acked = AtomicU64::new(0);
    let started = Instant::now();
    let delivered = run(&queue, || {
        let mut delivered = Vec::new();
        while acked.load(Ordering::Relaxed) < MESSAGES {
            assert!(started.elapsed() < PATIENCE, "messages are missing");
            let Some(delivery) = queue.consume(Duration::ZERO) else {
                thread::yield_now();
                continue;
            };
            assert_eq!(queue.ack(delivery.receipt, Duration::ZERO), Ok(()));
            acked.fetch_add(1, Ordering::Relaxed);
            assert_eq!(delivery.attempt, 1);
            delivered.push(delivery);
        }
        delivered
    });
    for consumer in &delivered {
        for number in 0..=9 {
            let lane = consumer.iter().filter(|it| it.priority == priority(number));
            assert!(lane.is_sorted_by(|one, next| one.id < next.id));
        }
    }
    let mut numbers: Vec<u64> = delivered.iter().flatten().map(number).collect();
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(0..MESSAGES));
    let statistics = queue.statistics(Duration::ZERO);
    assert_eq!(
        (statistics.delivered, statistics.acknowledged),
        (MESSAGES, MESSAGES)
    );
    assert_eq!((statistics.depth(), statistics.bytes), (0, 0));
}

/// Each consumer forgets what it is given every few times, and each look at the clock takes a millisecond.
#[test]
fn what_forgetful_consumers_drop_is_done_in_the_end() {
    let queue = roomy(Settings {
        retries_max: RETRIES_MAX,
        ..SETTINGS
    });
    let clock = AtomicU64::new(0);
    let now = || at(clock.fetch_add(1, Ordering::Relaxed));
    let acked = AtomicU64::new(0);
    let started = Instant::now();
    let done = run(&queue, || {
        let mut done = Vec::new();
        while acked.load(Ordering::Relaxed) < MESSAGES {
            assert!(started.elapsed() < PATIENCE, "messages are missing");
            let Some(delivery) = queue.consume(now()) else {
                thread::yield_now();
                continue;
            };
            if (delivery.id + u64::from(delivery.attempt)).is_multiple_of(5) {
                continue;
            }
            match queue.ack(delivery.receipt, now()) {
                Ok(()) => {
                    acked.fetch_add(1, Ordering::Relaxed);
                    done.push(number(&delivery));
                }
                // The others let the time pass while this thread was not running.
                Err(error) => assert!(matches!(error, SettleError::Late { .. }), "{error}"),
            }
        }
        done
    });
    let mut numbers: Vec<u64> = done.into_iter().flatten().collect();
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(0..MESSAGES));
    let statistics = queue.statistics(now());
    assert_eq!(statistics.acknowledged, MESSAGES);
    assert_eq!(statistics.delivered, MESSAGES + statistics.expired);
    assert_eq!((statistics.depth(), statistics.bytes), (0, 0));
}
