//! The store: hashes a key once and passes it to the shard the hash belongs to.
//!
//! Tests: `tests/it/store` compares it with a model; every schedule of small cases in `store/explored.rs`.

mod arena;
mod clock;
mod error;
#[cfg(test)]
mod explored;
mod handle;
mod hash;
mod limit;
mod many;
mod number;
mod record;
mod scan;
mod shard;
mod shards;
mod slab;
mod state;
mod statistics;
mod sync;
mod time;
mod upkeep;
mod wheel;

pub use error::{BatchError, Error};
pub use handle::Handle;
pub use limit::{ENTRY_BYTES, Eviction, Limit};
pub use scan::Scan;
pub use shards::Shards;
pub use statistics::Statistics;
pub use time::TimeToLive;

use std::ops::DerefMut;

use crate::Value;
use arena::Offset;
use clock::Clock;
use limit::Budget;
use record::{SHORT_BYTES_MAX, Shape};
use shard::Shard;
use state::{Key, New, Refused, Shared, State};
use sync::AtomicU64;

/// The longest key.
pub const KEY_BYTES_MAX: usize = 64 << 10;

/// The longest value.
pub const VALUE_BYTES_MAX: usize = 16 << 20;

/// A map from byte keys to byte values that many threads may use at once.
///
/// Each operation on a key is atomic. Operations on different keys are independent of one another.
#[derive(Debug)]
pub struct Store {
    count: Shards,
    shards: Box<[Shard]>,
    shared: Shared,
}

impl Store {
    /// Returns an empty store. It allocates its shards and nothing else until the first key comes.
    #[must_use]
    pub fn new(count: Shards) -> Self {
        Self::made(count, None)
    }

    /// Returns an empty store that never holds more than the limit.
    #[must_use]
    pub fn limited(count: Shards, limit: Limit) -> Self {
        Self::made(count, Some(limit))
    }

    fn made(count: Shards, limit: Option<Limit>) -> Self {
        Self {
            count,
            shards: (0..count.count()).map(|_| Shard::default()).collect(),
            shared: Shared {
                clock: Clock::default(),
                budget: Budget::new(limit),
                swept: AtomicU64::new(0),
            },
        }
    }

    /// Stores a copy of the value under a copy of the key, for good, and returns the value that was there before.
    ///
    /// # Errors
    ///
    /// When the key or the value is too long, or the memory limit leaves no room.
    pub fn set(&self, key: &[u8], value: &[u8]) -> Result<Option<Handle>, Error> {
        let value = copied(key, value)?;
        self.write(key, value, None)
    }

    /// Returns a handle on the value of a key. The handle stays good whatever happens to the key afterwards.
    #[must_use]
    pub fn get(&self, key: &[u8]) -> Option<Handle> {
        let (key, shard) = self.at(key);
        shard.lock().read(key, &self.shared)
    }

    /// Returns a copy of the value of a key.
    #[must_use]
    pub fn get_copy(&self, key: &[u8]) -> Option<Vec<u8>> {
        // Copied from the handle, after the shard has released its lock.
        self.get(key).map(|value| value.to_vec())
    }

    /// Returns whether a key is there. This is no use of it: neither the statistics nor an eviction take notice.
    #[must_use]
    pub fn exists(&self, key: &[u8]) -> bool {
        let (key, shard) = self.at(key);
        shard.lock().find(key, &self.shared).is_some()
    }

    /// Removes a key and its value, and returns whether it was there.
    pub fn delete(&self, key: &[u8]) -> bool {
        let (key, shard) = self.at(key);
        let mut state = shard.lock();
        let Some(found) = state.find(key, &self.shared) else {
            return false;
        };
        state.counts.deleted += 1;
        let removed = state.remove(key.hash, found, &self.shared);
        // A long value takes its time to be freed: others need not wait for it.
        drop(state);
        drop(removed);
        true
    }

    /// Returns the number of keys: their sum over the shards, one after the other.
    ///
    /// While other threads write, it may be a number that the store never had at any one moment: a key that moved from
    /// a shard not yet counted to one already counted is missed. Keys that have expired count until they are removed.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.lock().len()).sum()
    }

    /// Returns whether there is no key, under the same reservation as [`Self::len`].
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shards.iter().all(|shard| shard.lock().len() == 0)
    }

    /// Returns what the store has done so far and what it holds, under the same reservation as [`Self::len`].
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let mut sum = Statistics::default();
        for shard in &self.shards {
            sum += shard.lock().statistics();
        }
        sum
    }

    /// Stores a value, and makes room for it if there is a limit.
    #[inline(always)]
    fn write(
        &self,
        key: &[u8],
        value: New<'_>,
        deadline: Option<u64>,
    ) -> Result<Option<Handle>, Error> {
        let (key, shard) = self.at(key);
        let mut state = shard.lock();
        let found = state.look_up(key);
        // What is written most is there already, and nothing of it changes but its value. Handed out from here, because
        // a handle is as long as a short value: each level that returned it would copy it.
        let shape = Shape::new(key.bytes.len(), value.short_bytes());
        let same = found.filter(|(_, found)| deadline.is_none() && found.shape == shape);
        match (value, same) {
            (New::Short(value), Some((at, _))) => Ok(state.replace_short(at, shape, value)),
            (New::Long(value), Some((_, found))) if self.shared.budget.limit().is_none() => {
                let number = found.long();
                Ok(state.replace_long(number, value))
            }
            (value, _) => {
                let found = found.map(|(at, found)| (at, found.shape));
                self.write_slowly(state, key, found, value, deadline)
            }
        }
    }

    /// Stores a value under a key that is new, or whose record changes, or where a sum has to stay below the limit.
    #[inline(never)]
    fn write_slowly(
        &self,
        mut state: impl DerefMut<Target = State>,
        key: Key<'_>,
        found: Option<(Offset, Shape)>,
        mut value: New<'_>,
        deadline: Option<u64>,
    ) -> Result<Option<Handle>, Error> {
        let (shared, mut previous) = (&self.shared, None);
        if let (New::Short(value), Some(found), Some(deadline)) = (&value, found, deadline)
            && let Some(previous) = state.prolong(key, found, value, deadline, shared)
        {
            return Ok(previous);
        }
        let found = found.and_then(|(at, shape)| state.unless_expired(at, shape, shared));
        let written = state.write(key, found, &mut value, deadline, shared, &mut previous);
        drop(state);
        if let Err(refused) = written {
            self.make_room(key, refused)?;
            self.change(key.bytes, |state, key, shared| {
                let found = state.find(key, shared);
                let written = state.write(key, found, &mut value, deadline, shared, &mut previous);
                Ok(written?)
            })?;
        }
        Ok(previous)
    }

    /// Tries a change of a key until it has its room or none can be made. The lock is not held while room is made
    /// elsewhere, hence a change looks its key up anew each time.
    #[inline]
    fn change<T>(
        &self,
        key: &[u8],
        mut change: impl FnMut(&mut State, Key<'_>, &Shared) -> Result<T, Undone>,
    ) -> Result<T, Error> {
        let (key, shard) = self.at(key);
        loop {
            let done = change(&mut shard.lock(), key, &self.shared);
            match done {
                Ok(done) => return Ok(done),
                Err(Undone::Error(error)) => return Err(error),
                Err(Undone::Refused(refused)) => self.make_room(key, refused)?,
            }
        }
    }

    /// Evicts a key: from the shard of the key that was refused, or else from the next one that has any.
    fn make_room(&self, key: Key<'_>, refused: Refused) -> Result<(), Error> {
        let Refused::Limit { needed, whole } = refused else {
            return Err(Error::ShardFull);
        };
        let limit = self
            .shared
            .budget
            .limit()
            .map_or(u64::MAX, |limit| limit.bytes);
        let (before, from_first) = self.shards.split_at(self.count.of(key.hash));
        // What can never fit costs nobody their place.
        let mut shards = from_first.iter().chain(before).filter(|_| whole <= limit);
        let evicted = shards.find_map(|shard| {
            let mut state = shard.lock();
            state.evict(&self.shared)
        });
        let made = evicted.is_some() || (whole <= limit && self.missed(needed));
        made.then_some(())
            .ok_or(Error::MemoryLimit { needed, limit })
    }

    /// Whether there is room, or a key for it, though none was found. Another thread came further meanwhile, so this one
    /// may try again.
    #[cold]
    fn missed(&self, needed: u64) -> bool {
        // Where every key may go, it was evicted meanwhile, or written into a shard that was looked at before. Where only
        // some may, who evicted the last of them may have left room.
        self.shared.evicts_any() || self.shared.budget.has_room(needed)
    }

    #[inline]
    fn at<'a>(&self, bytes: &'a [u8]) -> (Key<'a>, &Shard) {
        let hash = hash::of(bytes);
        let key = Key { hash, bytes };
        (key, self.shard(key))
    }

    #[inline]
    fn shard(&self, key: Key<'_>) -> &Shard {
        &self.shards[self.count.of(key.hash)]
    }
}

/// Why a change was not made this time.
enum Undone {
    /// Room may help.
    Refused(Refused),
    /// Nothing helps.
    Error(Error),
}

impl From<Refused> for Undone {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl From<Error> for Undone {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

fn check(key: &[u8], value: &[u8]) -> Result<(), Error> {
    if key.len() > KEY_BYTES_MAX {
        return Err(Error::KeyTooLong(key.len()));
    }
    if value.len() > VALUE_BYTES_MAX {
        return Err(Error::ValueTooLong(value.len()));
    }
    Ok(())
}

/// Makes a value ready for the store. A long one is copied here, before a lock is taken: others wait for a number to
/// change, not for the copy.
fn copied<'a>(key: &[u8], value: &'a [u8]) -> Result<New<'a>, Error> {
    check(key, value)?;
    Ok(if value.len() > SHORT_BYTES_MAX {
        New::Long(Value::copied(value))
    } else {
        New::Short(value)
    })
}
