//! All of a queue that its lock guards, and what each operation does to it.
//!
//! It is plain data: who may touch it when is the business of `handle.rs`. What an operation removes is handed out, so
//! that it is freed after the lock is released.
//!
//! Deadlines need no heap and no wheel. All deliveries of a queue have the same time, and time never goes backwards
//! here, so they end in the order in which they began: the pending ones are a list, its first is the next to end, and
//! an ack takes its delivery out of the middle.
//!
//! Tests: through the queue, in `tests/it/queue`.

use std::time::Duration;

use super::lanes::Lanes;
use super::message::{Cause, DeadLetter, Delivery, Fate, Message, Nack, Receipt, Stage};
use super::priority::Priority;
use super::settings::Settings;
use super::slots::{List, Slot, Slots};
use super::statistics::Statistics;
use crate::Value;

/// Says why a delivery was neither acknowledged nor given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettleError {
    /// It is settled already, and its deadline has not come yet.
    #[error(
        "message {id} was not settled: this delivery of it was acknowledged or given back before; settle each once"
    )]
    Settled {
        /// The message.
        id: u64,
    },
    /// Its deadline has passed.
    #[error(
        "message {id} was not settled: the deadline of this delivery was {due:?}, and it is {now:?}; \
         be quicker, or give the queue a longer deadline"
    )]
    Late {
        /// The message.
        id: u64,
        /// The deadline.
        due: Duration,
        /// The latest time that the queue was told.
        now: Duration,
    },
    /// It is a delivery of another queue.
    #[error("message {id} was not settled: it was delivered by another queue; settle it there")]
    Foreign {
        /// The message.
        id: u64,
    },
}

/// A queue without its lock.
#[derive(Debug)]
pub(super) struct State {
    queue: u64,
    settings: Settings,
    slots: Slots<Message>,
    ready: Lanes,
    /// From the delivery that ends first to the one that ends last.
    pending: List,
    /// From the one that died first.
    dead: List,
    now: Duration,
    /// The running numbers; those of what is held now are filled in when somebody asks.
    counts: Statistics,
}

impl State {
    pub(super) fn new(queue: u64, settings: Settings) -> Self {
        Self {
            queue,
            settings,
            slots: Slots::new(),
            ready: Lanes::default(),
            pending: List::default(),
            dead: List::default(),
            now: Duration::ZERO,
            counts: Statistics::default(),
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.slots.len() >= self.settings.depth_max
    }

    /// Makes a message ready, in a queue that is not full, and returns its id.
    pub(super) fn publish(&mut self, payload: Value, priority: Priority) -> u64 {
        self.counts.published += 1;
        self.counts.bytes += payload.len() as u64;
        let id = self.counts.published;
        let message = Message {
            payload,
            id,
            due: Duration::ZERO,
            attempts: 0,
            priority,
            stage: Stage::Ready,
        };
        self.ready
            .change(priority, |lane| self.slots.push(lane, message));
        id
    }

    pub(super) fn consume(&mut self, now: Duration) -> Option<Delivery> {
        self.advance(now);
        let (priority, slot) = self.ready.first()?;
        self.ready.change(priority, |lane| {
            self.slots.shift(lane, &mut self.pending, slot);
        });
        self.counts.delivered += 1;
        let message = &mut self.slots[slot];
        message.stage = Stage::Pending;
        message.attempts += 1;
        message.due = self.now.saturating_add(self.settings.ack_deadline);
        Some(Delivery {
            id: message.id,
            payload: message.payload.clone(),
            priority,
            attempt: message.attempts,
            receipt: Receipt {
                queue: self.queue,
                id: message.id,
                due: message.due,
                slot,
                attempt: message.attempts,
            },
        })
    }

    pub(super) fn ack(&mut self, receipt: Receipt, now: Duration) -> Result<Value, SettleError> {
        let slot = self.settle(receipt, now)?;
        self.counts.acknowledged += 1;
        let payload = self.slots.remove(&mut self.pending, slot).payload;
        self.counts.bytes -= payload.len() as u64;
        Ok(payload)
    }

    pub(super) fn nack(
        &mut self,
        receipt: Receipt,
        nack: Nack,
        now: Duration,
    ) -> Result<Fate, SettleError> {
        let slot = self.settle(receipt, now)?;
        self.counts.nacked += 1;
        Ok(match nack {
            Nack::Requeue => self.retry(slot, Cause::Nacked),
            Nack::DeadLetter => self.bury(slot, Cause::Declared),
        })
    }

    pub(super) fn take_dead_letter(&mut self, now: Duration) -> Option<DeadLetter> {
        self.advance(now);
        let slot = self.dead.first()?;
        let Stage::Dead(cause) = self.slots[slot].stage else {
            unreachable!("only dead letters are in their list");
        };
        let message = self.slots.remove(&mut self.dead, slot);
        self.counts.taken += 1;
        self.counts.bytes -= message.payload.len() as u64;
        Some(DeadLetter {
            id: message.id,
            payload: message.payload,
            priority: message.priority,
            attempts: message.attempts,
            cause,
        })
    }

    pub(super) fn purge(&mut self, now: Duration) -> Vec<Message> {
        self.advance(now);
        let mut purged = Vec::with_capacity(self.ready.len() as usize);
        while let Some((priority, slot)) = self.ready.first() {
            let message = self
                .ready
                .change(priority, |lane| self.slots.remove(lane, slot));
            purged.push(message);
        }
        self.count_purged(&purged);
        purged
    }

    pub(super) fn purge_dead_letters(&mut self, now: Duration) -> Vec<Message> {
        self.advance(now);
        let mut purged = Vec::with_capacity(self.dead.len() as usize);
        while let Some(slot) = self.dead.first() {
            purged.push(self.slots.remove(&mut self.dead, slot));
        }
        self.count_purged(&purged);
        purged
    }

    pub(super) fn statistics(&mut self, now: Duration) -> Statistics {
        self.advance(now);
        Statistics {
            ready: self.ready.len().into(),
            pending: self.pending.len().into(),
            dead: self.dead.len().into(),
            ..self.counts
        }
    }

    /// Lets time pass, and ends the deliveries whose deadline came.
    fn advance(&mut self, now: Duration) {
        self.now = self.now.max(now);
        while let Some(slot) = self.pending.first() {
            if self.slots[slot].due > self.now {
                return;
            }
            self.counts.expired += 1;
            self.retry(slot, Cause::Expired);
        }
    }

    /// Returns the slot of the delivery that a receipt names, if it can still be settled.
    fn settle(&mut self, receipt: Receipt, now: Duration) -> Result<Slot, SettleError> {
        let id = receipt.id;
        if receipt.queue != self.queue {
            return Err(SettleError::Foreign { id });
        }
        self.advance(now);
        if receipt.due <= self.now {
            return Err(SettleError::Late {
                id,
                due: receipt.due,
                now: self.now,
            });
        }
        let is_current = self.slots.get(receipt.slot).is_some_and(|message| {
            message.id == id
                && message.attempts == receipt.attempt
                && message.stage == Stage::Pending
        });
        if is_current {
            Ok(receipt.slot)
        } else {
            Err(SettleError::Settled { id })
        }
    }

    /// Makes a pending message ready again, or a dead letter if it was tried often enough.
    fn retry(&mut self, slot: Slot, cause: Cause) -> Fate {
        let message = &mut self.slots[slot];
        if message.attempts > self.settings.retries_max {
            return self.bury(slot, cause);
        }
        message.stage = Stage::Ready;
        let priority = message.priority;
        self.ready.change(priority, |lane| {
            self.slots.shift(&mut self.pending, lane, slot);
        });
        self.counts.requeued += 1;
        Fate::Requeued
    }

    /// Makes a pending message a dead letter.
    fn bury(&mut self, slot: Slot, cause: Cause) -> Fate {
        self.slots[slot].stage = Stage::Dead(cause);
        self.slots.shift(&mut self.pending, &mut self.dead, slot);
        self.counts.dead_lettered += 1;
        Fate::DeadLettered
    }

    fn count_purged(&mut self, purged: &[Message]) {
        self.counts.purged += purged.len() as u64;
        for message in purged {
            self.counts.bytes -= message.payload.len() as u64;
        }
    }
}
