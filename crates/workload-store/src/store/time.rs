//! Keys that expire.
//!
//! # How stale a key may be
//!
//! A key is not found any more, by any operation, from the moment at which [`Store::advance`] was told that its
//! deadline has come: what a reader sees is as old as the last call of it, and no older. The memory of such a key is
//! given back by the next operation on it, by an eviction, or by [`Store::remove_expired`]. When that returns less
//! than it was allowed to remove, no key is left that had expired when it was called.
//!
//! Tests: `tests/it/store`; the wheel by itself in `wheel.rs`.

use std::time::Duration;

use super::sync::Ordering;
use super::{Error, Handle, Store, copied};

/// What is known of the end of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeToLive {
    /// It has none.
    Persistent,
    /// It ends after so long, in whole milliseconds.
    Left(Duration),
}

impl Store {
    /// Says how late it is: how long after a moment of the caller's choice. A time before the last one is ignored.
    ///
    /// Nothing else in the store knows the time, so whoever gives keys a time to live calls this now and then, from a
    /// timer or before a batch of operations. It costs one atomic instruction.
    pub fn advance(&self, now: Duration) {
        self.shared.clock.advance(now);
    }

    /// Like [`Self::set`], for a while: a part of a millisecond counts as a whole one.
    ///
    /// # Errors
    ///
    /// As [`Self::set`], and when the while is none.
    pub fn set_for(
        &self,
        key: &[u8],
        value: &[u8],
        time_to_live: Duration,
    ) -> Result<Option<Handle>, Error> {
        let value = copied(key, value)?;
        let deadline = self.deadline(time_to_live)?;
        self.write(key, value, Some(deadline))
    }

    /// Gives a key another time to live from now on, and returns whether it was there.
    ///
    /// # Errors
    ///
    /// When the time is none.
    pub fn expire_in(&self, key: &[u8], time_to_live: Duration) -> Result<bool, Error> {
        let deadline = self.deadline(time_to_live)?;
        self.set_deadline(key, Some(deadline))
    }

    /// Lets a key stay for good, and returns whether it was there and had a time to live.
    ///
    /// # Errors
    ///
    /// When its shard can hold no more records, because it is written anew.
    pub fn persist(&self, key: &[u8]) -> Result<bool, Error> {
        if self
            .time_to_live(key)
            .is_none_or(|left| left == TimeToLive::Persistent)
        {
            return Ok(false);
        }
        self.set_deadline(key, None)
    }

    /// Returns how long a key still has, if it is there.
    #[must_use]
    pub fn time_to_live(&self, key: &[u8]) -> Option<TimeToLive> {
        let (key, shard) = self.at(key);
        let mut state = shard.lock();
        let found = state.find(key, &self.shared)?;
        let Some(deadline) = state.deadline(found) else {
            return Some(TimeToLive::Persistent);
        };
        let left = deadline.saturating_sub(self.shared.clock.now());
        Some(TimeToLive::Left(Duration::from_millis(left)))
    }

    /// Removes keys that have expired, up to so many, and returns how many they were.
    ///
    /// It goes through the shards and holds the lock of each for one key at a time. Where it stopped because it had
    /// removed enough, the next call goes on with the shard behind: none waits for ever while others are full.
    pub fn remove_expired(&self, at_most: usize) -> usize {
        if at_most == 0 {
            return 0;
        }
        let mut removed = 0;
        let first = self.shared.swept.load(Ordering::Relaxed) as usize;
        for place in (first..self.shards.len()).chain(0..first) {
            while removed < at_most {
                // Freed after the lock is released, which is at the end of the next line.
                let expired = self.shards[place].lock().expire_next(&self.shared);
                if expired.is_none() {
                    break;
                }
                removed += 1;
            }
            if removed == at_most {
                // Only a place to begin: calls at once may begin at the same one.
                let next = (place + 1) % self.shards.len();
                self.shared.swept.store(next as u64, Ordering::Relaxed);
                break;
            }
        }
        removed
    }

    fn set_deadline(&self, key: &[u8], deadline: Option<u64>) -> Result<bool, Error> {
        self.change(key, |state, key, shared| {
            let Some(found) = state.find(key, shared) else {
                return Ok(false);
            };
            let had = state.deadline(found).is_some();
            state.set_deadline(key, found, deadline, shared)?;
            Ok(had || deadline.is_some())
        })
    }

    fn deadline(&self, time_to_live: Duration) -> Result<u64, Error> {
        if time_to_live.is_zero() {
            return Err(Error::NoTimeToLive);
        }
        Ok(self.shared.clock.deadline(time_to_live))
    }
}
