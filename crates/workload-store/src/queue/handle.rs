//! A queue: the lock, what happens before it is taken, and what happens after it is released.
//!
//! Tests: `tests/it/queue`, and `explored.rs` for the order of threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::lock::Mutex;
use super::message::{DeadLetter, Delivery, Fate, MESSAGE_BYTES_MAX, Message, Nack, Receipt};
use super::priority::Priority;
use super::settings::{Settings, SettingsError};
use super::state::{SettleError, State};
use super::statistics::Statistics;
use crate::Value;

/// Says why a message was not published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PublishError {
    /// The payload is too long.
    #[error(
        "the message was not published: it has {0} bytes, more than {MESSAGE_BYTES_MAX}; send it in parts"
    )]
    Oversized(usize),
    /// There is no place left.
    #[error(
        "the message was not published: the queue holds {0} messages, as many as it may; consume and acknowledge \
         some, take its dead letters, or give it more depth"
    )]
    Full(u32),
}

/// A queue that many threads may use at once. Each operation on it is atomic.
#[derive(Debug)]
pub struct Queue {
    settings: Settings,
    state: Mutex<State>,
}

impl Queue {
    /// Returns an empty queue without a name.
    ///
    /// # Errors
    /// Refuses settings that no queue can have.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        settings.check()?;
        Ok(Self {
            settings,
            state: Mutex::new(State::new(unused_number(), settings)),
        })
    }

    /// Returns what the queue allows.
    #[must_use]
    pub const fn settings(&self) -> Settings {
        self.settings
    }

    /// Publishes a copy of the payload and returns the message's id: 1 for the first, and one more for each.
    ///
    /// # Errors
    /// Refuses a payload beyond [`MESSAGE_BYTES_MAX`], and everything when the queue is full.
    pub fn publish(&self, payload: &[u8], priority: Priority) -> Result<u64, PublishError> {
        check_size(payload)?;
        // Copied before the lock is taken: others wait for links to change, not for the copy.
        self.enqueue(Value::copied(payload), priority)
    }

    /// Publishes a payload that is shared with whoever else holds it: a value of the store, that of another message.
    ///
    /// # Errors
    /// As [`Self::publish`].
    pub fn publish_shared(&self, payload: Value, priority: Priority) -> Result<u64, PublishError> {
        check_size(&payload)?;
        self.enqueue(payload, priority)
    }

    /// Delivers the most urgent message, or nothing if none is ready.
    #[must_use = "what is not settled is delivered again"]
    pub fn consume(&self, now: Duration) -> Option<Delivery> {
        self.state.lock().consume(now)
    }

    /// Says that the work of a delivery is done. The message is gone.
    ///
    /// # Errors
    /// Refuses a delivery that has ended, or that is of another queue.
    pub fn ack(&self, receipt: Receipt, now: Duration) -> Result<(), SettleError> {
        let payload = self.state.lock().ack(receipt, now)?;
        // The lock is released at the end of the line above: others do not wait for the memory to be freed.
        drop(payload);
        Ok(())
    }

    /// Says that the work of a delivery was not done, and returns what became of the message.
    ///
    /// # Errors
    /// As [`Self::ack`].
    pub fn nack(&self, receipt: Receipt, nack: Nack, now: Duration) -> Result<Fate, SettleError> {
        self.state.lock().nack(receipt, nack, now)
    }

    /// Takes the oldest dead letter out.
    #[must_use = "nobody else will see this dead letter"]
    pub fn take_dead_letter(&self, now: Duration) -> Option<DeadLetter> {
        self.state.lock().take_dead_letter(now)
    }

    /// Removes all messages that are ready, and returns how many. Pending ones and dead letters stay.
    pub fn purge(&self, now: Duration) -> usize {
        let purged: Vec<Message> = self.state.lock().purge(now);
        purged.len()
    }

    /// Removes all dead letters, and returns how many.
    pub fn purge_dead_letters(&self, now: Duration) -> usize {
        let purged: Vec<Message> = self.state.lock().purge_dead_letters(now);
        purged.len()
    }

    /// Returns what the queue has done and holds, all of one moment.
    #[must_use]
    pub fn statistics(&self, now: Duration) -> Statistics {
        self.state.lock().statistics(now)
    }

    fn enqueue(&self, payload: Value, priority: Priority) -> Result<u64, PublishError> {
        let mut state = self.state.lock();
        if state.is_full() {
            // The payload is an argument: it is freed after the lock, which is a variable, is released.
            return Err(PublishError::Full(self.settings.depth_max));
        }
        Ok(state.publish(payload, priority))
    }
}

fn check_size(payload: &[u8]) -> Result<(), PublishError> {
    if payload.len() > MESSAGE_BYTES_MAX {
        return Err(PublishError::Oversized(payload.len()));
    }
    Ok(())
}

/// Returns a number that no other queue of the process has, so that a receipt finds only its own.
fn unused_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
