//! Random numbers with a fixed seed, the same everywhere and for ever.
//!
//! Tests: the distributions have their moments.

use std::f64::consts::TAU;

/// The generator SplitMix64: one word of state, and every seed is a good one.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    pub(super) fn seeded(seed: u64) -> Self {
        // Mixed, because states that are a step apart give the same numbers a step apart.
        Self(mixed(seed.wrapping_add(GOLDEN)))
    }

    /// Returns a number between 0 and 1, neither of them.
    pub(super) fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        ((mixed(self.0) >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    pub(super) fn happens(&mut self, chance: f64) -> bool {
        self.uniform() < chance
    }

    /// Returns a whole number below a limit, or zero where there is none.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the product lies between 0 and the limit"
        )]
        let number = (self.uniform() * limit as f64) as usize;
        number
    }

    pub(super) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    pub(super) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        radius * (TAU * self.uniform()).cos()
    }

    pub(super) fn exponential(&mut self) -> f64 {
        -self.uniform().ln()
    }

    pub(super) fn student(&mut self, degrees: u32) -> f64 {
        let squares: f64 = (0..degrees).map(|_| self.normal().powi(2)).sum();
        self.normal() / (squares / f64::from(degrees)).sqrt()
    }
}

fn mixed(state: u64) -> u64 {
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions_have_their_moments() {
        type Draw = fn(&mut Random) -> f64;
        let cases: [(Draw, f64, f64); 4] = [
            (Random::uniform, 0.5, 1.0 / 12.0),
            (Random::normal, 0.0, 1.0),
            (Random::exponential, 1.0, 1.0),
            (|random| random.student(8), 0.0, 8.0 / 6.0),
        ];
        for (draw, mean, variance) in cases {
            let mut random = Random::seeded(7);
            let values: Vec<f64> = (0..40_000).map(|_| draw(&mut random)).collect();
            let found = values.iter().sum::<f64>() / 40_000.0;
            let squares: f64 = values.iter().map(|value| (value - found).powi(2)).sum();
            assert!((found - mean).abs() < 0.02, "{found}");
            assert!((squares / 40_000.0 - variance).abs() < 0.06 * variance);
        }
    }

    #[test]
    fn seeds_side_by_side_have_nothing_in_common() {
        let numbers = |seed| {
            let mut random = Random::seeded(seed);
            (0..50).map(|_| random.uniform()).collect::<Vec<_>>()
        };
        let (one, other) = (numbers(1), numbers(2));
        assert_eq!(one, numbers(1));
        assert!(one.iter().all(|number| !other.contains(number)));
    }
}
