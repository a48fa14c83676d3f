//! Keys that expire wave by wave, for as long as anybody likes.
//!
//! Each key ends a millisecond after the one before it, and when a wave of a thousand is gone it comes again behind all
//! others. So each wave finds the store as the one before did, whatever its size.
//!
//! Tests: each wave removes what is due, and nothing else.

use std::time::Duration;

use workload_store::{Shards, Store};

use super::memory::{KEY_BYTES, key};
use super::stores::FITS;
use crate::VALUE_BYTES;

/// The keys that expire together, and the milliseconds in which they do.
pub const WAVE: usize = 1_000;

const VALUE: [u8; VALUE_BYTES[0]] = [0x5a; VALUE_BYTES[0]];

/// A store with keys that expire, and a clock.
#[derive(Debug)]
pub struct Waves {
    store: Store,
    keys: Vec<[u8; KEY_BYTES]>,
    /// Milliseconds so far.
    now: u64,
    /// The number of keys that have been given a deadline, which is the last one.
    given: u64,
}

impl Waves {
    /// Returns a store with so many keys.
    #[must_use]
    pub fn new(keys: usize) -> Self {
        let mut waves = Self {
            store: Store::new(Shards::default()),
            // One block, and nothing is freed meanwhile: the allocator would put that in order during the first wave.
            keys: (0..keys).map(key).collect(),
            now: 0,
            given: 0,
        };
        waves.refill();
        waves
    }

    /// Sets the keys that are gone.
    pub fn refill(&mut self) {
        while self.given < self.now + self.keys.len() as u64 {
            let key = &self.keys[self.given as usize % self.keys.len()];
            self.given += 1;
            let time_to_live = Duration::from_millis(self.given - self.now);
            let set = self.store.set_for(key, &VALUE, time_to_live);
            drop(set.expect(FITS));
        }
    }

    /// Lets a wave expire and removes it, and returns how many keys that were.
    pub fn remove(&mut self) -> usize {
        self.now += WAVE as u64;
        self.store.advance(Duration::from_millis(self.now));
        self.store.remove_expired(self.keys.len())
    }
}

#[cfg(test)]
mod tests {
    use workload_store::TimeToLive;

    use super::{WAVE, Waves};

    #[test]
    fn each_wave_is_what_is_due() {
        for waves in [1, 3] {
            let all = waves * WAVE;
            let mut waves = Waves::new(all);
            for _ in 0..4 {
                assert_eq!(waves.store.len(), all);
                assert_eq!(waves.remove(), WAVE);
                assert_eq!(waves.store.len(), all - WAVE);
                // What is left is not due, and what comes back is due last.
                let keys = || waves.keys.iter().map(|key| waves.store.time_to_live(key));
                assert!(!keys().any(|left| left == Some(TimeToLive::Persistent)));
                assert_eq!(keys().flatten().count(), all - WAVE);
                waves.refill();
            }
        }
    }
}
