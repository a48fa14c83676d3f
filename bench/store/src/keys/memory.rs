//! What keys take of the memory: how much more of a process is in memory when they are in its store.
//!
//! It is measured and not reckoned, so tables, holes and the allocator's own are in it. Each number needs a process of its
//! own: what another store gave back may still be there, and would be taken for nothing.
//!
//! Tests: the keys are there, with their values; and they take no less than their bytes.

use std::io;

use workload_store::{Shards, Store};

use super::stores::FITS;
use crate::VALUE_BYTES;

/// The numbers of keys: those of the report.
pub const SIZES: [usize; 3] = [100_000, 500_000, 1_000_000];

/// The length of a key.
pub(super) const KEY_BYTES: usize = 12;

/// Returns a store with so many keys of 12 bytes, and values of 64 bytes. Nothing else stays in memory.
#[must_use]
pub fn fill(keys: usize) -> Store {
    let store = Store::new(Shards::default());
    for number in 0..keys {
        drop(store.set(&key(number), &value(number)).expect(FITS));
    }
    store
}

/// Returns whether a store has what [`fill`] puts in, each key with its own value, and nothing else.
#[must_use]
pub fn is_filled(store: &Store, keys: usize) -> bool {
    let has = |number| store.get(&key(number)).as_deref() == Some(&value(number)[..]);
    store.len() == keys && (0..keys).all(has)
}

/// Returns the bytes of this process that are in memory.
///
/// # Errors
/// The system does not say.
pub fn resident() -> io::Result<u64> {
    // The other files that say it are behind by some pages for each thread.
    let said = std::fs::read_to_string("/proc/self/smaps_rollup")?;
    let line = said.lines().find_map(|line| line.strip_prefix("Rss:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
    let missing = || io::Error::other("the system does not say how much of a process is in memory");
    kibibytes
        .map(|kibibytes: u64| kibibytes << 10)
        .ok_or_else(missing)
}

pub(super) fn key(number: usize) -> [u8; KEY_BYTES] {
    let mut key = *b"key:00000000";
    let mut rest = number;
    for digit in key.iter_mut().rev().take(8) {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    key
}

fn value(number: usize) -> [u8; VALUE_BYTES[0]] {
    let mut value = [0x5a; VALUE_BYTES[0]];
    value[..8].copy_from_slice(&(number as u64).to_le_bytes());
    value
}

#[cfg(test)]
mod tests {
    use super::{KEY_BYTES, fill, is_filled, key, resident, value};
    use crate::VALUE_BYTES;

    const KEYS: usize = 20_000;

    #[test]
    fn every_key_is_in_the_store() {
        assert_eq!(
            (&key(0), &key(12_345_678)),
            (b"key:00000000", b"key:12345678")
        );
        let store = fill(KEYS);
        assert!(is_filled(&store, KEYS));
        assert!(!is_filled(&store, KEYS - 1));
        store.set(&key(7), &value(8)).unwrap();
        assert!(!is_filled(&store, KEYS), "one has another's value");
    }

    /// This process has other threads, whose memory comes and goes; but no less than this.
    #[test]
    fn what_is_in_the_store_is_in_memory() {
        let store = fill(KEYS);
        let least = KEYS * (KEY_BYTES + VALUE_BYTES[0]);
        assert!(resident().unwrap() > least as u64);
        assert_eq!(store.len(), KEYS);
    }
}
