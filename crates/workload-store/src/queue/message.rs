//! A message, as the queue keeps it and as consumers see it.
//!
//! Tests: the size of what the queue keeps.

use std::time::Duration;

use super::priority::Priority;
use super::slots::Slot;
use crate::Value;

/// The greatest payload: 16 MiB.
pub const MESSAGE_BYTES_MAX: usize = 16 << 20;

/// A message in its slot.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) payload: Value,
    pub(super) id: u64,
    /// When the current delivery ends; means nothing while the message is not pending.
    pub(super) due: Duration,
    /// How many times it has been delivered.
    pub(super) attempts: u32,
    pub(super) priority: Priority,
    pub(super) stage: Stage,
}

/// Where a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Ready,
    Pending,
    Dead(Cause),
}

/// A message in the hands of a consumer, who has to settle it before the deadline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The id that publishing returned.
    pub id: u64,
    /// The bytes, shared with the queue.
    pub payload: Value,
    /// The priority it was published with.
    pub priority: Priority,
    /// Which delivery of this message it is, from 1. Above 1 somebody may have worked on it before.
    pub attempt: u32,
    /// What settles this delivery, and no other.
    pub receipt: Receipt,
}

/// Names one delivery of one message of one queue.
///
/// Ids are never used twice, so a receipt that outlives its delivery finds another message in the slot, or a later
/// delivery of the same one, and is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receipt {
    pub(super) queue: u64,
    pub(super) id: u64,
    pub(super) due: Duration,
    pub(super) slot: Slot,
    pub(super) attempt: u32,
}

impl Receipt {
    /// Returns the moment by which the delivery has to be settled: an ack at this very moment is late.
    #[must_use]
    pub const fn deadline(&self) -> Duration {
        self.due
    }
}

/// What a consumer wants for a message that it gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nack {
    /// Another try, if the retries allow one.
    Requeue,
    /// No further try: it would fail again.
    DeadLetter,
}

/// What became of a message that was given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is ready again.
    Requeued,
    /// It is a dead letter.
    DeadLettered,
}

/// Why a message is dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A consumer asked for it.
    Declared,
    /// A consumer gave it back, and no retry was left.
    Nacked,
    /// The deadline passed, and no retry was left.
    Expired,
}

/// A message that is delivered no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadLetter {
    /// The id that publishing returned.
    pub id: u64,
    /// The bytes.
    pub payload: Value,
    /// The priority it was published with.
    pub priority: Priority,
    /// How many times it was delivered.
    pub attempts: u32,
    /// Why it is dead.
    pub cause: Cause,
}

#[cfg(test)]
mod tests {
    use super::Message;

    /// With the links of its slot, eight bytes more, it then fits a cache line.
    #[test]
    #[cfg(target_pointer_width = "64")]
    fn a_message_is_small() {
        assert_eq!(size_of::<Option<Message>>(), 48);
    }
}
