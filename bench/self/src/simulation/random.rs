//! Random numbers that are the same on every machine and in every year.
//!
//! PCG is small, fast and fixed for ever by its paper (O'Neill 2014); the distributions are made here in a line or two
//! each, because a library's may change how many numbers they use.
//!
//! Tests: the first moments of each distribution.

use std::f64::consts::TAU;

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng as _, SeedableRng as _};

/// A stream of random numbers.
pub(super) struct Random {
    bits: Pcg64Mcg,
    /// Normal numbers are made two at a time.
    spare: Option<f64>,
}

impl Random {
    pub(super) fn seeded(seed: u64) -> Self {
        Self {
            bits: Pcg64Mcg::seed_from_u64(seed),
            spare: None,
        }
    }

    /// Returns a number above 0 and below 1.
    pub(super) fn uniform(&mut self) -> f64 {
        let bits = self.bits.next_u64() >> 11;
        (bits as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// Returns whether something happened that has a chance.
    pub(super) fn happens(&mut self, chance: f64) -> bool {
        self.uniform() < chance
    }

    /// Returns an index below a count.
    pub(super) fn below(&mut self, count: usize) -> usize {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the number is between 0 and the count"
        )]
        let index = (self.uniform() * count as f64) as usize;
        index.min(count - 1)
    }

    /// Returns a standard normal number.
    pub(super) fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        let (sine, cosine) = (TAU * self.uniform()).sin_cos();
        self.spare = Some(radius * sine);
        radius * cosine
    }

    /// Returns a waiting time of a mean.
    pub(super) fn exponential(&mut self, mean: f64) -> f64 {
        -mean * self.uniform().ln()
    }

    /// Returns a number of Student's distribution with three degrees of freedom, scaled to a variance of one.
    pub(super) fn student_three(&mut self) -> f64 {
        let squares: f64 = (0..3).map(|_| self.normal().powi(2)).sum();
        self.normal() / squares.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(mut draw: impl FnMut(&mut Random) -> f64) -> (f64, f64) {
        let mut random = Random::seeded(7);
        let values: Vec<f64> = (0..40_000).map(|_| draw(&mut random)).collect();
        let mean = values.iter().sum::<f64>() / 4e4;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        (mean, squares / 4e4)
    }

    fn assert_near(found: (f64, f64), mean: f64, variance: f64) {
        assert!((found.0 - mean).abs() < 0.02, "mean {}", found.0);
        assert!(
            (found.1 - variance).abs() < 0.05 * variance,
            "variance {}",
            found.1
        );
    }

    #[test]
    fn distributions_have_their_moments() {
        assert_near(moments(Random::uniform), 0.5, 1.0 / 12.0);
        assert_near(moments(Random::normal), 0.0, 1.0);
        assert_near(moments(|random| random.exponential(0.5)), 0.5, 0.25);
        assert_near(moments(|random| random.below(6) as f64), 2.5, 35.0 / 12.0);
        // The fourth moment is infinite, so the variance of a sample is not near; the middle half is.
        let mut random = Random::seeded(7);
        let is_inside = |random: &mut Random| random.student_three().abs() < 0.441_6;
        let inside = (0..40_000).filter(|_| is_inside(&mut random)).count();
        assert!((inside as f64 / 4e4 - 0.5).abs() < 0.01, "{inside}");
    }

    #[test]
    fn a_seed_gives_the_same_numbers_for_ever() {
        assert_eq!(Random::seeded(0).bits.next_u64(), 0x5603_f242_407d_eca2);
    }
}
