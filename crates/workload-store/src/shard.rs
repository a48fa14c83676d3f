//! One shard: a lock and the table it guards.
//!
//! What can be done outside the lock is done outside: values are allocated before it is taken, and what an operation
//! removes is handed out and freed after it is released. Tests: the size of the padding; the operations are tested
//! through the store.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry as Slot;
use parking_lot::RwLock;

use crate::Value;

/// A key and its value.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Kept so that a growing table does not read and hash every key again.
    hash: u64,
    key: Box<[u8]>,
    value: Value,
}

impl Entry {
    /// Whether this is the entry of a key. The hashes settle nearly every miss without touching the key's memory.
    fn is_of(&self, hash: u64, key: &[u8]) -> bool {
        self.hash == hash && *self.key == *key
    }
}

/// A part of the store with a lock of its own.
///
/// Padded to two cache lines: processors fetch lines in pairs, and a lock taken in one shard must not slow its
/// neighbours.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Shard {
    table: RwLock<HashTable<Entry>>,
}

impl Shard {
    /// Stores a value and returns the one it replaces.
    pub(crate) fn set(&self, hash: u64, key: &[u8], value: Value) -> Option<Value> {
        let mut table = self.table.write();
        match table.entry(hash, |entry| entry.is_of(hash, key), |entry| entry.hash) {
            Slot::Occupied(mut slot) => Some(std::mem::replace(&mut slot.get_mut().value, value)),
            Slot::Vacant(slot) => {
                // Allocated under the lock, because only here is it known that the key is new.
                slot.insert(Entry {
                    hash,
                    key: Box::from(key),
                    value,
                });
                None
            }
        }
    }

    /// Returns a handle on the value of a key.
    pub(crate) fn get(&self, hash: u64, key: &[u8]) -> Option<Value> {
        let table = self.table.read();
        table
            .find(hash, |entry| entry.is_of(hash, key))
            .map(|entry| entry.value.clone())
    }

    /// Takes the entry of a key out.
    pub(crate) fn delete(&self, hash: u64, key: &[u8]) -> Option<Entry> {
        let mut table = self.table.write();
        let slot = table
            .find_entry(hash, |entry| entry.is_of(hash, key))
            .ok()?;
        Some(slot.remove().0)
    }

    /// Returns the number of keys.
    pub(crate) fn len(&self) -> usize {
        self.table.read().len()
    }
}

#[cfg(test)]
mod tests {
    use super::Shard;

    #[test]
    fn two_shards_never_share_a_pair_of_cache_lines() {
        assert_eq!(size_of::<Shard>(), 128);
        assert_eq!(align_of::<Shard>(), 128);
    }
}
