//! The work: rounds of mixing over a buffer, and the rounds that the feature `planted` adds.
//!
//! Tests: known answers, that rounds add up, and that the extra rounds are as many as promised.

use std::hint::black_box;

/// The slowdowns that can be planted, in percent of the rounds.
pub const PERCENTS: [u32; 2] = [5, 10];

/// The rounds in a unit test: divisible by a hundred, so that a percentage of them is a whole number.
#[cfg(test)]
pub(crate) const ROUNDS_SMOKE: u32 = 100;

/// The rounds in a benchmark: about a tenth of a millisecond, long against a clock's resolution and short enough for
/// hundreds of samples a second.
pub const ROUNDS_FULL: u32 = 1_000;

/// The slowdown that can be planted in `small` and `large`: as small as a wall clock is still asked to see.
pub const PERCENT_CPU: u32 = 3;

/// The rounds of `small`: some microseconds. Of three percent of them two rounds are whole, and copying the buffer, which
/// is nothing in all others, takes about as long as the quarter of one that is left.
pub const ROUNDS_SMALL: u32 = 75;

/// The rounds of `large`: most of a millisecond.
pub const ROUNDS_LARGE: u32 = 7_000;

/// The words of the buffer: half a kibibyte, which stays in the nearest cache, so that memory adds no noise.
const WORDS: usize = 64;

/// The words that are mixed without a jump in between.
const STRETCH: usize = 16;

const _: () = assert!(
    WORDS.is_multiple_of(STRETCH),
    "a word that no stretch holds would not be mixed"
);

/// The words that are mixed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer([u64; WORDS]);

impl Buffer {
    /// Returns the words that every benchmark starts from.
    #[must_use]
    pub fn new() -> Self {
        let mut word = 0;
        Self(std::array::from_fn(|_| {
            word = mixed(word, 0x9e37_79b9_7f4a_7c15);
            word
        }))
    }

    /// Returns the words as bytes, the same on every machine.
    pub(crate) fn bytes(&self) -> impl Iterator<Item = u8> {
        self.0.iter().flat_map(|word| word.to_le_bytes())
    }

    /// Mixes each word with the one before it, round after round.
    ///
    /// Each step needs the result of the last, so no compiler can do several at once or leave one out. Not inlined, so
    /// that all benchmarks run the same instructions, only more or fewer times.
    ///
    /// A compiler makes one piece of a stretch. Over the words one by one it made a loop of 32, whose end a processor
    /// foresaw or not by where the code lay: of ten copies, which lay in four places of a line, the slowest took 2.9 %
    /// longer than the quickest, and these 0.1 % (AMD EPYC of 2017). The two executables of the canary hold it in different
    /// places.
    #[inline(never)]
    fn mix(&mut self, rounds: u32) {
        let mut state = self.0[WORDS - 1];
        for _ in 0..rounds {
            for stretch in self.0.as_chunks_mut::<STRETCH>().0 {
                for word in stretch {
                    state = mixed(state, *word);
                    *word = state;
                }
            }
        }
    }
}

impl Default for Buffer {
    fn default() -> Self {
        Self::new()
    }
}

/// One step: an exclusive or, a multiplication and a rotation, so that every bit soon depends on every other.
const fn mixed(state: u64, word: u64) -> u64 {
    (state ^ word)
        .wrapping_mul(0xd6e8_feb8_6659_fd93)
        .rotate_left(29)
}

/// Does the rounds, whatever the features.
pub fn steady(buffer: &mut Buffer, rounds: u32) {
    buffer.mix(rounds);
}

/// Does the rounds; with the feature `planted`, spends that many percent of them in vain as well.
///
/// The buffer ends the same either way.
pub fn planted(buffer: &mut Buffer, rounds: u32, percent: u32) {
    let wasted = wasted(rounds, percent);
    // Without the feature this is known to be false when compiled, and nothing of it is left.
    if wasted > 0 {
        let mut copy = buffer.clone();
        copy.mix(wasted);
        // Somebody might look at the result, so the rounds cannot be optimized away.
        black_box(&copy);
    }
    buffer.mix(rounds);
}

/// How much of the work is done once more for nothing.
pub(crate) const fn wasted(work: u32, percent: u32) -> u32 {
    if cfg!(feature = "planted") {
        work * percent / 100
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Buffer, PERCENT_CPU, PERCENTS, ROUNDS_FULL, ROUNDS_LARGE, ROUNDS_SMALL, ROUNDS_SMOKE,
        planted, steady, wasted,
    };

    /// The same constant with the feature and without it: this is what keeps the two builds doing the same work.
    #[test]
    fn all_benchmarks_have_the_same_known_answer() {
        let mut buffer = Buffer::new();
        steady(&mut buffer, ROUNDS_SMOKE);
        assert_eq!(buffer.0[0], 0xd0bc_4794_32be_7382, "{:#018x}", buffer.0[0]);
        for percent in PERCENTS {
            let mut other = Buffer::default();
            planted(&mut other, ROUNDS_SMOKE, percent);
            assert_eq!(other, buffer);
        }
    }

    #[test]
    fn rounds_add_up_and_none_is_idle() {
        let mut at_once = Buffer::new();
        at_once.mix(3);
        let mut one_by_one = Buffer::new();
        for _ in 0..3 {
            let before = one_by_one.clone();
            one_by_one.mix(1);
            assert_ne!(one_by_one, before);
        }
        assert_eq!(one_by_one, at_once);
    }

    #[test]
    fn exactly_the_promised_rounds_are_wasted() {
        for (rounds, percent, promised) in [
            (ROUNDS_SMOKE, 5, 5),
            (ROUNDS_SMOKE, 10, 10),
            (ROUNDS_FULL, 5, 50),
            (ROUNDS_FULL, 10, 100),
            (ROUNDS_SMALL, PERCENT_CPU, 2),
            (ROUNDS_LARGE, PERCENT_CPU, 210),
        ] {
            let expected = if cfg!(feature = "planted") {
                promised
            } else {
                0
            };
            assert_eq!(wasted(rounds, percent), expected);
        }
    }
}
