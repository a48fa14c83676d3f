//! The stories of queues; a naive model; threads.
//!
//! No test waits for a clock: what time it is, is a number that the test counts up.

mod model;
mod stories;
mod threads;

use std::time::Duration;

use workload_store::queue::{Priority, Queue, Settings};

/// So many milliseconds after the beginning.
const fn at(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Deliveries end after 100 milliseconds, and there is one retry.
const SETTINGS: Settings = Settings {
    depth_max: 1_000,
    ack_deadline: at(100),
    retries_max: 1,
};

fn queue(settings: Settings) -> Queue {
    Queue::new(settings).expect("the tests use settings that are allowed")
}

fn priority(number: u8) -> Priority {
    Priority::new(number).expect("the tests use priorities up to 9")
}
