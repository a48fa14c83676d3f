//! What the lock of a shard guards: a table of offsets, the records they lead to, long values and timers.
//!
//! Every function leaves all of them in step. What an operation removes is handed out, so that it is freed after the
//! lock is released. `upkeep.rs` has what no caller asks for: moving, expiring, evicting. Tests: through the store.

use hashbrown::HashTable;

use super::arena::{Arena, ArenaFull, Offset};
use super::clock::Clock;
use super::handle::Handle;
use super::limit::{Budget, ENTRY_BYTES, Eviction, LimitReached};
use super::record::{self, Found, Record, Shape};
use super::slab::Slab;
use super::statistics::Statistics;
use super::sync::AtomicU64;
use super::wheel::Wheel;
use crate::Value;

/// A value on its way into the store.
#[derive(Clone, Debug)]
pub(super) enum New<'a> {
    /// To be copied into the record.
    Short(&'a [u8]),
    /// Copied already, before the lock was taken.
    Long(Value),
}

impl Default for New<'_> {
    fn default() -> Self {
        Self::Short(b"")
    }
}

impl New<'_> {
    fn bytes(&self) -> usize {
        match self {
            Self::Short(value) => value.len(),
            Self::Long(value) => value.len(),
        }
    }

    pub(super) fn short_bytes(&self) -> Option<usize> {
        match self {
            Self::Short(value) => Some(value.len()),
            Self::Long(_) => None,
        }
    }
}

/// A key with its hash.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key<'a> {
    pub(super) hash: u64,
    pub(super) bytes: &'a [u8],
}

/// What all shards of a store share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) clock: Clock,
    pub(super) budget: Budget,
    /// The shard with which the removal of expired keys goes on.
    pub(super) swept: AtomicU64,
}

impl Shared {
    pub(super) fn eviction(&self) -> Eviction {
        self.budget
            .limit()
            .map_or(Eviction::Refuse, |limit| limit.eviction)
    }

    /// Whether every key may be evicted: the one whose use is longest ago, or rarest, and so uses are counted.
    pub(super) fn evicts_any(&self) -> bool {
        matches!(
            self.eviction(),
            Eviction::LeastRecentlyUsed | Eviction::LeastFrequentlyUsed
        )
    }
}

/// Why a write did not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// It adds more than the limit leaves. Its whole cost is what has to fit when all else is gone.
    Limit { needed: u64, whole: u64 },
    /// The arena is full.
    Arena,
}

/// The value that was removed if it is a long one, to be freed outside the lock.
pub(super) type Removed = Option<Value>;

fn shape(key: Key<'_>, value: &New<'_>, deadline: Option<u64>, shared: &Shared) -> Shape {
    Shape::new(key.bytes.len(), value.short_bytes())
        .expiring(deadline.is_some())
        .counting_uses(shared.evicts_any())
}

fn cost(key_bytes: usize, value_bytes: usize) -> u64 {
    (key_bytes + value_bytes) as u64 + ENTRY_BYTES
}

/// Finds the record of a key, expired or not.
///
/// The first record whose tag is that of the key is nearly always its own. It is looked at out here: what the table calls
/// for each record would be a call.
///
/// Here and below, `inline` alone leaves a call, for which every read pays.
#[inline(always)]
fn look_up<'a>(
    table: &HashTable<Offset>,
    arena: &'a Arena,
    key: Key<'_>,
) -> Option<(Offset, Found<'a>)> {
    let at = *table.find(key.hash, |_| true)?;
    match under(arena, at, key) {
        Some(found) => Some((at, found)),
        None => look_further(table, arena, key),
    }
}

/// Finds the record of a key among all whose tag is the same.
#[cold]
#[inline(never)]
fn look_further<'a>(
    table: &HashTable<Offset>,
    arena: &'a Arena,
    key: Key<'_>,
) -> Option<(Offset, Found<'a>)> {
    let mut with_tag = table.iter_hash(key.hash);
    with_tag.find_map(|&at| Some((at, under(arena, at, key)?)))
}

#[inline(always)]
fn under<'a>(arena: &'a Arena, at: Offset, key: Key<'_>) -> Option<Found<'a>> {
    Found::under(key.bytes, arena.find(at)?)
}

/// Returns a handle on what was found. Every record has a value; it is an option, as reads return it, because
/// another form would have to be copied into that.
#[inline(always)]
fn handle(long: &Slab<Option<Value>>, found: Found<'_>) -> Option<Handle> {
    match found.value() {
        Ok((len, value)) => Handle::short(len, value),
        Err(number) => Some(Handle::long(long.at(number).as_ref()?.clone())),
    }
}

/// One shard.
///
/// In this order: what every read looks at lies beside the lock, in one line of the cache.
#[derive(Debug, Default)]
#[repr(C)]
pub(super) struct State {
    pub(super) table: HashTable<Offset>,
    pub(super) arena: Arena,
    pub(super) long: Slab<Option<Value>>,
    /// There once a key of this shard has a time to live.
    pub(super) wheel: Option<Box<Wheel>>,
    /// The last number drawn.
    pub(super) random: u64,
    /// How many times a key was used, where that decides who is evicted.
    pub(super) uses: u32,
    pub(super) counts: Statistics,
}

impl State {
    /// Returns how many keys there are, with those that have expired and were not removed yet.
    pub(super) fn len(&self) -> usize {
        self.table.len()
    }

    /// Returns the numbers of this shard.
    pub(super) fn statistics(&self) -> Statistics {
        Statistics {
            keys: self.len() as u64,
            expiring: self.wheel.as_ref().map_or(0, |wheel| wheel.len() as u64),
            ..self.counts
        }
    }

    /// Finds a key that has not expired. One that has is removed.
    #[inline(never)]
    pub(super) fn find(&mut self, key: Key<'_>, shared: &Shared) -> Option<Offset> {
        let (at, found) = self.look_up(key)?;
        let shape = found.shape;
        self.unless_expired(at, shape, shared)
    }

    /// Finds the record of a key, expired or not.
    #[inline(always)]
    pub(super) fn look_up(&self, key: Key<'_>) -> Option<(Offset, Found<'_>)> {
        look_up(&self.table, &self.arena, key)
    }

    /// Removes a key that has expired.
    #[inline]
    pub(super) fn unless_expired(
        &mut self,
        at: Offset,
        shape: Shape,
        shared: &Shared,
    ) -> Option<Offset> {
        if shape.is_plain() {
            return Some(at);
        }
        self.unless_past(at, shared)
    }

    /// Removes a key whose time has come.
    #[inline(never)]
    fn unless_past(&mut self, at: Offset, shared: &Shared) -> Option<Offset> {
        if !self.expired(self.arena.at(at), shared) {
            return Some(at);
        }
        // Freed under the lock, which is rare.
        drop(self.expire(at, shared));
        None
    }

    fn expired(&self, record: Record<'_>, shared: &Shared) -> bool {
        self.deadline_of(record)
            .is_some_and(|deadline| deadline <= shared.clock.now())
    }

    fn deadline_of(&self, record: Record<'_>) -> Option<u64> {
        Some(self.wheel.as_ref()?.deadline(record.timer()?))
    }

    /// Returns the deadline of a key that expires.
    pub(super) fn deadline(&self, at: Offset) -> Option<u64> {
        self.deadline_of(self.arena.at(at))
    }

    /// Reads a key for somebody who wants its value.
    #[inline(always)]
    pub(super) fn read(&mut self, key: Key<'_>, shared: &Shared) -> Option<Handle> {
        let Some((at, found)) = look_up(&self.table, &self.arena, key) else {
            self.counts.misses += 1;
            return None;
        };
        if !found.shape.is_plain() {
            return self.read_noting(at, shared);
        }
        self.counts.hits += 1;
        handle(&self.long, found)
    }

    /// Reads a record that may have expired, or that counts its uses.
    #[inline(never)]
    fn read_noting(&mut self, at: Offset, shared: &Shared) -> Option<Handle> {
        let Some(at) = self.unless_past(at, shared) else {
            self.counts.misses += 1;
            return None;
        };
        self.counts.hits += 1;
        self.touch(at, shared);
        self.handle(at)
    }

    /// Returns a handle on a value.
    pub(super) fn handle(&self, at: Offset) -> Option<Handle> {
        handle(&self.long, self.arena.at(at).found())
    }

    fn value_bytes(&self, record: Record<'_>) -> usize {
        record.shape.short_bytes().unwrap_or_else(|| {
            let value = self.long.at(record.found().long()).as_ref();
            value.map_or(0, |value| value.len())
        })
    }

    pub(super) fn cost(&self, record: Record<'_>) -> u64 {
        cost(record.key().len(), self.value_bytes(record))
    }

    /// Notes that a key was used, where that decides who is evicted.
    #[inline]
    pub(super) fn touch(&mut self, at: Offset, shared: &Shared) {
        if self.arena.at(at).shape.counts_uses() {
            self.count_use(at, shared);
        }
    }

    #[inline(never)]
    fn count_use(&mut self, at: Offset, shared: &Shared) {
        let used = match shared.eviction() {
            Eviction::Refuse | Eviction::SoonestToExpire => return,
            Eviction::LeastRecentlyUsed => {
                self.uses = self.uses.wrapping_add(1);
                self.uses
            }
            Eviction::LeastFrequentlyUsed => self.arena.at(at).used().saturating_add(1),
        };
        record::set_used(self.arena.at_mut(at), used);
    }

    /// Writes another short value into a record, which keeps its shape, and returns the one before.
    #[inline(always)]
    pub(super) fn replace_short(
        &mut self,
        at: Offset,
        shape: Shape,
        value: &[u8],
    ) -> Option<Handle> {
        self.counts.writes += 1;
        let place = record::body_mut(self.arena.at_mut(at), shape);
        Handle::replace_short(place, value)
    }

    /// Writes another short value into a record that expires and has not, and gives it its deadline. Whose shape changes, or
    /// whose time has come, is left alone.
    #[inline]
    pub(super) fn prolong(
        &mut self,
        key: Key<'_>,
        (at, found): (Offset, Shape),
        value: &[u8],
        deadline: u64,
        shared: &Shared,
    ) -> Option<Option<Handle>> {
        let shape = Shape::new(key.bytes.len(), Some(value.len()))
            .expiring(true)
            .counting_uses(shared.evicts_any());
        if found != shape {
            return None;
        }
        let timer = self.arena.at(at).timer()?;
        let wheel = self.wheel.as_mut()?;
        let before = wheel.deadline(timer);
        if before <= shared.clock.now() {
            return None;
        }
        if before != deadline {
            wheel.change(timer, deadline);
        }
        self.touch(at, shared);
        Some(self.replace_short(at, shape, value))
    }

    /// Puts a long value in the place of another, and returns that.
    #[inline]
    pub(super) fn replace_long(&mut self, number: u32, value: Value) -> Option<Handle> {
        self.counts.writes += 1;
        let place = self.long.at_mut(number);
        self.counts.bytes += value.len() as u64;
        let previous = place.replace(value)?;
        self.counts.bytes -= previous.len() as u64;
        Some(Handle::long(previous))
    }

    /// Writes a value for a key, found or not, and its deadline or that it has none. It takes the value unless it is
    /// refused for the limit, and leaves the one before for the caller.
    ///
    /// Inlined, because a new key is looked up in one function and written in another already: a third would cost it
    /// two percent.
    #[inline(always)]
    pub(super) fn write(
        &mut self,
        key: Key<'_>,
        found: Option<Offset>,
        value: &mut New<'_>,
        deadline: Option<u64>,
        shared: &Shared,
        previous: &mut Option<Handle>,
    ) -> Result<(), Refused> {
        let shape = shape(key, value, deadline, shared);
        if let (Some(at), New::Short(bytes)) = (found, &*value)
            && self.arena.at(at).shape == shape
        {
            // As long as the one before: no sum changes, and no hole is made.
            *previous = self.replace_short(at, shape, bytes);
            self.schedule(at, deadline);
            self.touch(at, shared);
            return Ok(());
        }
        let found = found.map(|at| (at, self.arena.at(at)));
        let before = found.map_or(0, |(_, record)| self.cost(record));
        let after = cost(key.bytes.len(), value.bytes());
        let needed = after.saturating_sub(before);
        let reserved = shared.budget.reserve(needed);
        reserved.map_err(|LimitReached| Refused::Limit {
            needed,
            whole: after,
        })?;
        let at = match (found, std::mem::take(value)) {
            (Some((at, record)), New::Long(value)) if record.shape == shape => {
                let place = self.long.at_mut(record.found().long());
                *previous = place.replace(value).map(Handle::long);
                at
            }
            (found, value) => {
                let found = found.map(|(at, _)| at);
                let moved = self.write_anew(key, found, shape, value, previous);
                moved.map_err(|ArenaFull| {
                    shared.budget.release(needed);
                    Refused::Arena
                })?
            }
        };
        shared.budget.release(before.saturating_sub(after));
        self.counts.writes += 1;
        self.counts.bytes = self.counts.bytes + after - before;
        self.schedule(at, deadline);
        self.touch(at, shared);
        self.empty_chunks();
        Ok(())
    }

    /// Gives a key another deadline, or none. Its value stays, so this is no write that counts.
    pub(super) fn set_deadline(
        &mut self,
        key: Key<'_>,
        found: Offset,
        deadline: Option<u64>,
        shared: &Shared,
    ) -> Result<(), Refused> {
        let record = self.arena.at(found);
        let mut at = found;
        if record.shape.expires() != deadline.is_some() {
            let handle = self.handle(found);
            let value = handle.as_ref().map_or(New::default(), Handle::as_new);
            let shape = shape(key, &value, deadline, shared);
            let moved = self.write_anew(key, Some(found), shape, value, &mut None);
            at = moved.map_err(|ArenaFull| Refused::Arena)?;
        }
        self.schedule(at, deadline);
        self.empty_chunks();
        Ok(())
    }

    /// Returns the keys that begin with a prefix and have not expired.
    pub(super) fn keys(&self, prefix: &[u8], shared: &Shared) -> Vec<Vec<u8>> {
        let records = self.table.iter().map(|&at| self.arena.at(at));
        records
            .filter(|record| record.key().starts_with(prefix) && !self.expired(*record, shared))
            .map(|record| record.key().to_vec())
            .collect()
    }
}
