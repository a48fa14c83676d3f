//! One shard: a lock and what it guards.
//!
//! The lock lets in one thread at a time, also to read: it is held for some ten nanoseconds, in which readers that
//! were let in together would get in each other's way at its counter all the same. In return a read may count itself,
//! note that its key was used and remove what has expired. Tests: the padding.

use super::state::State;
use super::sync::Mutex;

/// A part of the store with a lock of its own.
///
/// Padded to pairs of cache lines: processors fetch lines in pairs, and a lock taken in one shard must not slow its
/// neighbours.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Shard {
    state: Mutex<State>,
}

impl Shard {
    /// Waits for the shard and returns what it holds.
    #[inline]
    pub(super) fn lock(&self) -> impl std::ops::DerefMut<Target = State> {
        self.state.lock()
    }
}

#[cfg(test)]
mod tests {
    use super::Shard;

    #[test]
    fn two_shards_never_share_a_pair_of_cache_lines() {
        assert_eq!(size_of::<Shard>() % 128, 0);
        assert_eq!(align_of::<Shard>(), 128);
    }
}
