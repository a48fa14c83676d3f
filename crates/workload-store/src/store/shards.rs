//! How many shards a store has, and which one a hash belongs to.
//!
//! The number is a power of two, so that choosing a shard is a shift and a mask. Tests: the refused numbers, and that
//! keys as people number them spread evenly.

/// The bits that the table inside a shard compares before it looks at a key: the top seven of the hash.
///
/// The shard number comes from the bits just below. Were it taken from the very top, all keys of a shard would share
/// most of these seven bits, and the table would compare many more keys in vain.
const TAG_BITS: u32 = 7;

/// The number of shards of a store: a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shards {
    /// Where in a hash the number begins, kept because every operation asks for it.
    shift: u32,
    /// The highest number: ones alone.
    mask: usize,
}

impl Shards {
    /// The largest number of shards: more locks than any machine has threads, and still only 24 MiB of them.
    pub const COUNT_MAX: usize = 1 << 16;

    /// Returns the given number of shards, or nothing if it is not a power of two or above [`Self::COUNT_MAX`].
    #[must_use]
    pub const fn new(count: usize) -> Option<Self> {
        if count.is_power_of_two() && count <= Self::COUNT_MAX {
            Some(Self {
                shift: u64::BITS - TAG_BITS - count.trailing_zeros(),
                mask: count - 1,
            })
        } else {
            None
        }
    }

    /// Returns the number of shards.
    #[must_use]
    pub const fn count(self) -> usize {
        self.mask + 1
    }

    /// Returns the number of the shard that a hash belongs to, always below [`Self::count`].
    #[inline]
    pub(super) const fn of(self, hash: u64) -> usize {
        // The mask keeps at most sixteen bits, so nothing is cut off on any target.
        (hash >> self.shift) as usize & self.mask
    }
}

impl Default for Shards {
    /// Returns 64 shards: enough that a few dozen threads seldom wait, and only 24 KiB when the store is empty.
    fn default() -> Self {
        const { Self::new(64).expect("a power of two") }
    }
}

#[cfg(test)]
mod tests {
    use super::Shards;
    use crate::store::hash;

    #[test]
    fn only_powers_of_two_up_to_the_limit_are_numbers_of_shards() {
        for count in [
            0,
            3,
            63,
            Shards::COUNT_MAX + 1,
            Shards::COUNT_MAX * 2,
            usize::MAX,
        ] {
            assert_eq!(Shards::new(count), None, "{count}");
        }
        for count in [1, 2, 64, Shards::COUNT_MAX] {
            assert_eq!(Shards::new(count).map(Shards::count), Some(count));
        }
        assert_eq!(Shards::default().count(), 64);
    }

    #[test]
    fn every_hash_has_a_shard() {
        for count in [1, 2, 64, Shards::COUNT_MAX] {
            let shards = Shards::new(count).unwrap();
            assert_eq!(shards.of(0), 0);
            assert_eq!(shards.of(u64::MAX), count - 1);
        }
    }

    /// Numbered keys are what people use, and what a weak hash spreads worst.
    #[test]
    fn numbered_keys_spread_evenly() {
        const KEYS_PER_SHARD: usize = 1_000;
        let shards = Shards::default();
        let mut keys = vec![0_usize; shards.count()];
        for number in 0..KEYS_PER_SHARD * shards.count() {
            keys[shards.of(hash::of(format!("key:{number:08}").as_bytes()))] += 1;
        }
        // Five standard deviations of a fair throw are about 158 keys.
        for (shard, &count) in keys.iter().enumerate() {
            assert!(
                count.abs_diff(KEYS_PER_SHARD) < 160,
                "shard {shard} holds {count} keys"
            );
        }
    }
}
