//! Small cases, taken through every order in which their threads can run.
//!
//! shuttle replaces the locks of this crate's own tests (`lock.rs`) and decides at each of them whose turn it is. The
//! cases are small enough that all schedules are tried, not a sample.

use std::sync::Arc;
use std::time::Duration;

use shuttle::scheduler::DfsScheduler;
use shuttle::{Config, Runner, thread};

use super::{Delivery, Priority, PublishError, Queue, Queues, QueuesError, Settings, SettleError};

const DEADLINE: Duration = Duration::from_secs(1);

const SETTINGS: Settings = Settings {
    depth_max: 10,
    ack_deadline: DEADLINE,
    retries_max: 1,
};

/// Runs a case under every schedule there is.
fn explore(case: impl Fn() + Send + Sync + 'static) {
    let every_schedule = DfsScheduler::new(None, false);
    let schedules = Runner::new(every_schedule, Config::default()).run(case);
    assert!(schedules > 1, "the threads never met");
}

fn consume_and_ack(queue: &Queue) -> Option<Delivery> {
    let delivery = queue.consume(Duration::ZERO)?;
    assert_eq!(queue.ack(delivery.receipt, Duration::ZERO), Ok(()));
    Some(delivery)
}

/// Two consumers get each message once between them, however they and the producer take turns.
#[test]
fn every_message_is_delivered_once() {
    explore(|| {
        let queue = Arc::new(Queue::new(SETTINGS).unwrap());
        queue.publish(b"one", Priority::default()).unwrap();
        let consumers = [(); 2].map(|()| {
            let queue = Arc::clone(&queue);
            thread::spawn(move || consume_and_ack(&queue))
        });
        queue.publish(b"two", Priority::default()).unwrap();
        let mut delivered = Vec::new();
        for consumer in consumers {
            delivered.extend(consumer.join().unwrap());
        }
        delivered.extend(std::iter::from_fn(|| consume_and_ack(&queue)));
        delivered.sort_unstable_by_key(|delivery| delivery.id);
        let payloads: Vec<&[u8]> = delivered
            .iter()
            .map(|delivery| &*delivery.payload)
            .collect();
        assert_eq!(payloads, [b"one", b"two"]);
        assert_eq!(queue.statistics(Duration::ZERO).depth(), 0);
    });
}

/// Two producers and one place: one of them gets it.
#[test]
fn the_last_place_is_given_once() {
    explore(|| {
        let narrow = Settings {
            depth_max: 1,
            ..SETTINGS
        };
        let queue = Arc::new(Queue::new(narrow).unwrap());
        let other = Arc::clone(&queue);
        let theirs = thread::spawn(move || other.publish(b"theirs", Priority::default()));
        let ours = queue.publish(b"ours", Priority::default());
        let mut both = [theirs.join().unwrap(), ours];
        both.sort_unstable_by_key(Result::is_err);
        assert_eq!(both, [Ok(1), Err(PublishError::Full(1))]);
    });
}

/// An ack and the deadline race: either the ack wins and nobody else sees the message, or it is told that it is late.
#[test]
fn an_ack_and_the_deadline_have_one_winner() {
    explore(|| {
        let queue = Arc::new(Queue::new(SETTINGS).unwrap());
        queue.publish(b"once", Priority::default()).unwrap();
        let first = queue.consume(Duration::ZERO).unwrap();
        let receipt = first.receipt;
        let slow = Arc::clone(&queue);
        let ack = thread::spawn(move || slow.ack(receipt, Duration::ZERO));
        let again = queue.consume(DEADLINE);
        match ack.join().unwrap() {
            Ok(()) => assert_eq!(again, None),
            Err(error) => {
                assert!(matches!(error, SettleError::Late { id: 1, .. }), "{error}");
                let again = again.unwrap();
                assert_eq!((again.id, again.attempt), (1, 2));
                assert_eq!(queue.ack(again.receipt, DEADLINE), Ok(()));
            }
        }
        assert_eq!(queue.statistics(DEADLINE).acknowledged, 1);
    });
}

/// Two threads create the same queue: one of them does, and both then mean the same one.
#[test]
fn a_name_is_given_once() {
    explore(|| {
        let queues = Arc::new(Queues::default());
        let others = Arc::clone(&queues);
        let creates = thread::spawn(move || others.create("letters", SETTINGS).is_ok());
        let created = queues.create("letters", SETTINGS);
        assert_ne!(creates.join().unwrap(), created.is_ok());
        let found = queues.get("letters").unwrap();
        match created {
            Ok(queue) => assert!(Arc::ptr_eq(&queue, &found)),
            Err(error) => assert_eq!(error, QueuesError::Exists("letters".to_owned())),
        }
    });
}
