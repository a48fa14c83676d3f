//! The hash of a key.
//!
//! The seed is fixed on purpose: a random one would move every bucket in every run, and with it the number of
//! instructions. The price is that somebody who chooses the keys can make them collide, so this store is for trusted
//! keys. Tests: known answers here; the spread over shards is tested beside the shard numbers.

use std::hash::{BuildHasher as _, Hasher as _};

use foldhash::fast::FixedState;

/// Any constant does; changing it changes every count.
const SEED: u64 = 0x7472_6970_6c69_6e65;

const STATE: FixedState = FixedState::with_seed(SEED);

/// Returns the hash of a key: the same in every process on every run.
#[inline]
pub(super) fn of(key: &[u8]) -> u64 {
    let mut hasher = STATE.build_hasher();
    // The bytes alone: `Hash for [u8]` would also hash the length, which the hasher mixes in by itself.
    hasher.write(key);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::of;

    /// A changed answer means that baselines of counts have to be made anew: it must not happen by accident.
    /// (The hasher reads whole words, so another kind of processor has other answers, and baselines of its own.)
    #[test]
    #[cfg(all(target_endian = "little", target_pointer_width = "64"))]
    fn the_hash_is_the_same_in_every_process() {
        let hashes = [
            &b""[..],
            b"key:00000001",
            b"a key of more than sixteen bytes",
        ]
        .map(of);
        assert_eq!(
            hashes,
            [
                0x6294_4cd0_460f_25b7,
                0x1eb8_2848_f214_c03e,
                0xb837_d664_64de_5185
            ],
            "{hashes:#018x?}"
        );
    }

    #[test]
    fn keys_that_differ_only_in_length_differ() {
        assert_ne!(of(b""), of(b"\0"));
        assert_ne!(of(b"\0"), of(b"\0\0"));
    }
}
