//! The stores that are compared, each in its own few lines.
//!
//! What all promise: a value may be replaced by one thread while another reads it, and who read it keeps it. So a peer's
//! value is an `Arc`, which a reader takes a share of, as our handle is. Tests: that each store does what is asked of it.

use std::ops::Deref;
use std::sync::Arc;

use foldhash::fast::FixedState;
use workload_store::{Handle, Shards, Store};

/// A store of bytes under bytes that many threads may use.
pub trait KeyValue: Default + Send + Sync {
    /// What it is called in parameters.
    const NAME: &str;
    /// What a read gives.
    type Value: Deref<Target = [u8]>;

    /// Returns the value of a key.
    fn get(&self, key: &[u8]) -> Option<Self::Value>;

    /// Stores a copy of a value under a copy of a key, whether there was one before or not.
    fn set(&self, key: &[u8], value: &[u8]);
}

/// Ours.
#[derive(Debug)]
pub struct Ours(Store);

impl Default for Ours {
    fn default() -> Self {
        Self(Store::new(Shards::default()))
    }
}

impl KeyValue for Ours {
    const NAME: &str = "ours";
    type Value = Handle;

    fn get(&self, key: &[u8]) -> Option<Handle> {
        self.0.get(key)
    }

    fn set(&self, key: &[u8], value: &[u8]) {
        let previous = self.0.set(key, value);
        assert!(previous.is_ok(), "key and value are short");
    }
}

/// `dashmap`: shards, each a table under a lock.
#[derive(Debug, Default)]
pub struct Dashmap(dashmap::DashMap<Box<[u8]>, Arc<[u8]>, FixedState>);

impl KeyValue for Dashmap {
    const NAME: &str = "dashmap";
    type Value = Arc<[u8]>;

    fn get(&self, key: &[u8]) -> Option<Arc<[u8]>> {
        self.0.get(key).map(|entry| Arc::clone(&entry))
    }

    fn set(&self, key: &[u8], value: &[u8]) {
        // A key that is there needs no copy.
        match self.0.get_mut(key) {
            Some(mut there) => *there = value.into(),
            None => {
                self.0.insert(key.into(), value.into());
            }
        }
    }
}

/// `scc::HashMap`: a lock for each bucket.
#[derive(Debug, Default)]
pub struct Scc(scc::HashMap<Box<[u8]>, Arc<[u8]>, FixedState>);

impl KeyValue for Scc {
    const NAME: &str = "scc";
    type Value = Arc<[u8]>;

    fn get(&self, key: &[u8]) -> Option<Arc<[u8]>> {
        self.0.read_sync(key, |_, value| Arc::clone(value))
    }

    fn set(&self, key: &[u8], value: &[u8]) {
        if self
            .0
            .update_sync(key, |_, there| *there = value.into())
            .is_none()
        {
            self.0.upsert_sync(key.into(), value.into());
        }
    }
}

/// `papaya`: readers take no lock.
#[derive(Debug, Default)]
pub struct Papaya(papaya::HashMap<Box<[u8]>, Arc<[u8]>, FixedState>);

impl KeyValue for Papaya {
    const NAME: &str = "papaya";
    type Value = Arc<[u8]>;

    fn get(&self, key: &[u8]) -> Option<Arc<[u8]>> {
        self.0.pin().get(key).cloned()
    }

    fn set(&self, key: &[u8], value: &[u8]) {
        self.0.pin().insert(key.into(), value.into());
    }
}

/// `moka`: a cache with a limit, which here is never met.
#[derive(Debug)]
pub struct Moka(moka::sync::Cache<Box<[u8]>, Arc<[u8]>, FixedState>);

impl Default for Moka {
    fn default() -> Self {
        Self(moka::sync::Cache::builder().build_with_hasher(FixedState::default()))
    }
}

impl KeyValue for Moka {
    const NAME: &str = "moka";
    type Value = Arc<[u8]>;

    fn get(&self, key: &[u8]) -> Option<Arc<[u8]>> {
        self.0.get(key)
    }

    fn set(&self, key: &[u8], value: &[u8]) {
        self.0.insert(key.into(), value.into());
    }
}

#[cfg(test)]
mod tests {
    use super::{Dashmap, KeyValue, Moka, Ours, Papaya, Scc};
    use crate::keys::keys;

    fn keeps_what_it_is_given<S: KeyValue>() {
        let store = S::default();
        let keys = keys(1_000);
        for key in &keys {
            store.set(key, b"first");
        }
        let held = store.get(&keys[0]).unwrap();
        for key in &keys {
            store.set(key, key);
        }
        assert_eq!(&*held, b"first", "{}", S::NAME);
        for key in &keys {
            assert_eq!(&*store.get(key).unwrap(), &**key, "{}", S::NAME);
        }
        assert!(store.get(b"no such key").is_none());
    }

    #[test]
    fn every_store_keeps_what_it_is_given() {
        keeps_what_it_is_given::<Ours>();
        keeps_what_it_is_given::<Dashmap>();
        keeps_what_it_is_given::<Scc>();
        keeps_what_it_is_given::<Papaya>();
        keeps_what_it_is_given::<Moka>();
    }
}
