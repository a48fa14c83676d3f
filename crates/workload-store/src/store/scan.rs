//! Scanning: the keys that begin with a prefix, shard by shard.
//!
//! Tests: the model in `tests/it/store`, and a scan during changes.

use super::Store;

/// The keys that begin with a prefix, in no order that means anything.
///
/// It reads a shard at a time, holding its lock for as long as that takes. A key that is there for the whole of the
/// scan is returned, once; one that comes or goes meanwhile may be returned, at most once.
#[derive(Debug)]
pub struct Scan<'a> {
    store: &'a Store,
    prefix: Vec<u8>,
    next_shard: usize,
    found: std::vec::IntoIter<Vec<u8>>,
}

impl Store {
    /// Goes through the keys that begin with a prefix. It looks at every key of the store.
    #[must_use]
    pub fn scan(&self, prefix: &[u8]) -> Scan<'_> {
        Scan {
            store: self,
            prefix: prefix.to_vec(),
            next_shard: 0,
            found: Vec::new().into_iter(),
        }
    }
}

impl Iterator for Scan<'_> {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            if let Some(key) = self.found.next() {
                return Some(key);
            }
            let shard = self.store.shards.get(self.next_shard)?;
            self.next_shard += 1;
            let found = shard.lock().keys(&self.prefix, &self.store.shared);
            self.found = found.into_iter();
        }
    }
}
