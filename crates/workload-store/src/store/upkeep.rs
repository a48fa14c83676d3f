//! What happens to the records of a shard without being asked for: they move, expire and are evicted.
//!
//! Tests: through the store.

use super::arena::{Arena, ArenaFull, Offset};
use super::handle::Handle;
use super::hash;
use super::limit::Eviction;
use super::record::{self, Body, Record, Shape};
use super::state::{Key, New, Removed, Shared, State};

/// How many keys are drawn to choose one to evict.
const DRAWN: usize = 5;

/// What part of its count of uses a key loses each time it is drawn.
const FADES: u32 = 16;

/// A table with room for so many times its keys is made smaller,
const SPARSE: usize = 8;

/// unless that room is small anyway. A new table has room for so many.
const LEAST_KEYS: usize = 16;

impl State {
    /// Writes another record for a key. It takes over the timer of the one before, if both have one, and leaves that
    /// one's value for the caller.
    pub(super) fn write_anew(
        &mut self,
        key: Key<'_>,
        found: Option<Offset>,
        shape: Shape,
        value: New<'_>,
        previous: &mut Option<Handle>,
    ) -> Result<Offset, ArenaFull> {
        let at = match value {
            New::Short(value) => self.arena.add(shape, key.bytes, Body::Short(value))?,
            New::Long(value) => {
                let number = self.long.add(Some(value));
                let added = self.arena.add(shape, key.bytes, Body::Long(number));
                added.inspect_err(|ArenaFull| drop(self.long.take(number)))?
            }
        };
        let Some(old) = found else {
            self.insert(key.hash, at);
            return Ok(at);
        };
        self.set_place(key.hash, old, at);
        let record = self.arena.at(old);
        *previous = match record.found().value() {
            Ok((len, value)) => Handle::short(len, value),
            Err(number) => self.long.take(number).map(Handle::long),
        };
        if let (Some(wheel), Some(timer)) = (&mut self.wheel, record.timer()) {
            if shape.expires() {
                wheel.moved(timer, at);
                record::set_timer(self.arena.at_mut(at), timer);
            } else {
                wheel.cancel(timer);
            }
        }
        if shape.counts_uses() {
            let used = self.arena.at(old).used();
            record::set_used(self.arena.at_mut(at), used);
        }
        self.arena.drop(old);
        Ok(at)
    }

    fn insert(&mut self, hash: u64, at: Offset) {
        let arena = &self.arena;
        let hash_of = |&at: &Offset| hash::of(arena.at(at).key());
        if self.table.capacity() == 0 {
            // At once: each time that a table grows, all keys are hashed again.
            self.table.reserve(LEAST_KEYS, hash_of);
        }
        self.table.insert_unique(hash, at, hash_of);
    }

    /// Notes that a record has moved.
    fn set_place(&mut self, hash: u64, from: Offset, to: Offset) {
        if let Some(place) = self.table.find_mut(hash, |&at| at == from) {
            *place = to;
        }
    }

    /// Sets, changes or keeps the timer of a record that has room for one.
    #[inline]
    pub(super) fn schedule(&mut self, at: Offset, deadline: Option<u64>) {
        if let Some(deadline) = deadline {
            self.set_timer(at, deadline);
        }
    }

    #[inline(never)]
    fn set_timer(&mut self, at: Offset, deadline: u64) {
        let wheel = self.wheel.get_or_insert_default();
        if let Some(timer) = self.arena.at(at).timer() {
            if wheel.deadline(timer) != deadline {
                wheel.change(timer, deadline);
            }
        } else {
            record::set_timer(self.arena.at_mut(at), wheel.set(at, deadline));
        }
    }

    /// Removes a record and all that belongs to it.
    pub(super) fn remove(&mut self, hash: u64, at: Offset, shared: &Shared) -> Removed {
        if let Ok(place) = self.table.find_entry(hash, |&other| other == at) {
            place.remove();
            self.shrink();
        }
        let record = self.arena.at(at);
        let bytes = self.cost(record);
        if let (Some(wheel), Some(timer)) = (&mut self.wheel, record.timer()) {
            wheel.cancel(timer);
        }
        let removed = if record.shape.is_long() {
            self.long.take(record.found().long())
        } else {
            None
        };
        shared.budget.release(bytes);
        self.counts.bytes -= bytes;
        self.arena.drop(at);
        self.empty_chunks();
        removed
    }

    /// Gives back most of a table that is nearly empty: whoever draws keys from it goes through what is left.
    #[inline]
    fn shrink(&mut self) {
        if self.table.capacity() > SPARSE * self.table.len().max(LEAST_KEYS) {
            self.shrink_table();
        }
    }

    #[inline(never)]
    fn shrink_table(&mut self) {
        let arena = &self.arena;
        let hash = |&at: &Offset| hash::of(arena.at(at).key());
        self.table.shrink_to(2 * self.table.len(), hash);
    }

    /// Removes a record that has expired.
    pub(super) fn expire(&mut self, at: Offset, shared: &Shared) -> Removed {
        self.counts.expired += 1;
        let hash = hash::of(self.arena.at(at).key());
        self.remove(hash, at, shared)
    }

    /// Removes a key whose deadline has passed, and says whether there was one.
    pub(super) fn expire_next(&mut self, shared: &Shared) -> Option<Removed> {
        let at = self.wheel.as_mut()?.due(shared.clock.now())?;
        Some(self.expire(at, shared))
    }

    /// Removes a key to make room: one that has expired, or else the one that the policy chooses.
    pub(super) fn evict(&mut self, shared: &Shared) -> Option<Removed> {
        if let Some(removed) = self.expire_next(shared) {
            return Some(removed);
        }
        let at = match shared.eviction() {
            Eviction::Refuse => return None,
            Eviction::SoonestToExpire => self.wheel.as_ref()?.soonest()?,
            Eviction::LeastRecentlyUsed => {
                let drawn = self.draw()?;
                let idle = |at: &Offset| self.uses.wrapping_sub(self.arena.at(*at).used());
                drawn.into_iter().max_by_key(idle)?
            }
            Eviction::LeastFrequentlyUsed => {
                let drawn = self.draw()?;
                let uses = |at: &Offset| self.arena.at(*at).used();
                let rarest = drawn.into_iter().min_by_key(uses)?;
                for at in drawn {
                    let used = self.arena.at(at).used();
                    record::set_used(self.arena.at_mut(at), used - used.div_ceil(FADES));
                }
                rarest
            }
        };
        self.counts.evicted += 1;
        let hash = hash::of(self.arena.at(at).key());
        Some(self.remove(hash, at, shared))
    }

    /// Draws keys: neighbours in the table, where hashes have scattered them. Where there are fewer, the first is
    /// repeated.
    fn draw(&mut self) -> Option<[Offset; DRAWN]> {
        // A linear congruential generator: its upper half is random enough to choose victims.
        self.random = self
            .random
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        let buckets = self.table.num_buckets().max(1);
        let start = (self.random >> 32) as usize % buckets;
        let places = (start..buckets).chain(0..start);
        let mut keys = places.filter_map(|place| self.table.get_bucket(place).copied());
        let mut drawn = [keys.next()?; DRAWN];
        for (place, at) in drawn[1..].iter_mut().zip(keys) {
            *place = at;
        }
        Some(drawn)
    }

    /// Moves what lives in chunks of holes, and frees these.
    #[inline]
    pub(super) fn empty_chunks(&mut self) {
        while let Some((number, bytes)) = self.arena.next_to_empty() {
            self.empty_chunk(number, &bytes);
        }
    }

    #[inline(never)]
    fn empty_chunk(&mut self, number: usize, bytes: &[u8]) {
        let mut start = 0;
        while start < bytes.len() {
            let record = Record::of(&bytes[start..]);
            if !record.shape.is_dead() {
                let from = Arena::offset(number, start);
                // There is room: half a chunk is moved at most, and one is kept for that.
                let Ok(to) = self.arena.copy(record) else {
                    unreachable!("a chunk is kept for moving");
                };
                self.set_place(hash::of(record.key()), from, to);
                if let (Some(wheel), Some(timer)) = (&mut self.wheel, record.timer()) {
                    wheel.moved(timer, to);
                }
            }
            start += record.bytes().len();
        }
        self.arena.emptied(number);
    }
}
