//! The store: hashes a key once and passes it to the shard the hash belongs to.
//!
//! Tests: small stories here; the model and the threads in `tests/it/store.rs`.

use crate::shard::Shard;
use crate::{Shards, Value, hash};

/// A map from byte keys to byte values that many threads may use at once.
///
/// Each operation on a key is atomic. Operations on different keys are independent of one another.
#[derive(Debug)]
pub struct Store {
    count: Shards,
    shards: Box<[Shard]>,
}

impl Store {
    /// Returns an empty store. It allocates its shards and nothing else until the first key comes.
    #[must_use]
    pub fn new(count: Shards) -> Self {
        let shards = (0..count.count()).map(|_| Shard::default()).collect();
        Self { count, shards }
    }

    /// Stores a copy of the value under a copy of the key, and returns the value that was there before.
    pub fn set(&self, key: &[u8], value: &[u8]) -> Option<Value> {
        // Copied before the lock is taken: others wait for a pointer to change, not for the copy.
        let value = Value::copied(value);
        let hash = hash::of(key);
        self.shard(hash).set(hash, key, value)
    }

    /// Returns a handle on the value of a key. The handle stays good whatever happens to the key afterwards.
    #[must_use]
    pub fn get(&self, key: &[u8]) -> Option<Value> {
        let hash = hash::of(key);
        self.shard(hash).get(hash, key)
    }

    /// Removes a key and its value, and returns whether it was there.
    pub fn delete(&self, key: &[u8]) -> bool {
        let hash = hash::of(key);
        // The entry is freed when this line ends, after the shard has released its lock.
        self.shard(hash).delete(hash, key).is_some()
    }

    /// Returns the number of keys: their sum over the shards, one after the other.
    ///
    /// While other threads write, it may be a number that the store never had at any one moment: a key that moved from
    /// a shard not yet counted to one already counted is missed.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shards.iter().map(Shard::len).sum()
    }

    /// Returns whether there is no key, under the same reservation as [`Self::len`].
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shards.iter().all(|shard| shard.len() == 0)
    }

    fn shard(&self, hash: u64) -> &Shard {
        &self.shards[self.count.of(hash)]
    }
}

#[cfg(test)]
mod tests {
    use super::Store;
    use crate::Shards;

    #[test]
    fn set_returns_what_it_replaces() {
        let store = Store::new(Shards::default());
        assert_eq!(store.set(b"k", b"one"), None);
        assert_eq!(store.set(b"k", b"two").as_deref(), Some(&b"one"[..]));
        assert_eq!(store.get(b"k").as_deref(), Some(&b"two"[..]));
        assert_eq!(store.len(), 1);
    }

    #[test]
    fn a_handle_outlives_overwrite_and_delete() {
        let store = Store::new(Shards::default());
        store.set(b"k", b"one");
        let handle = store.get(b"k").unwrap();
        store.set(b"k", b"two");
        assert!(store.delete(b"k"));
        assert_eq!(&*handle, b"one");
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        let store = Store::new(Shards::default());
        assert!(store.is_empty());
        assert_eq!(store.get(b"k"), None);
        assert!(!store.delete(b"k"));
        store.set(b"k", b"");
        assert!(!store.is_empty());
        assert_eq!(store.get(b"").as_deref(), None);
        assert_eq!(store.get(b"k").as_deref(), Some(&b""[..]));
    }
}
