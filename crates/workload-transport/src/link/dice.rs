//! Chance from a seed: SplitMix64, written out, so that no update of a dependency changes a network.

#[derive(Clone, Copy, Debug)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// Returns a number below `end`, which is not zero.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }

    /// Returns whether something happens that does so many times in a million.
    pub(super) fn hits(&mut self, of_a_million: u32) -> bool {
        // Nothing is drawn for what never happens: a fault that is off moves no other.
        of_a_million > 0 && self.below(1_000_000) < u64::from(of_a_million)
    }
}
