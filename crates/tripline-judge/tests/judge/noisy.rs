//! Makes the times of a noisy host from a seed: always the same ones.

use crate::session::Pair;

/// A small generator (xorshift), so that the same seed gives the same numbers for ever.
pub(crate) struct Noise(u64);

impl Noise {
    pub(crate) fn of(seed: u64) -> Self {
        // The first numbers of neighbouring seeds would be alike.
        let mut noise = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..10 {
            noise.share();
        }
        noise
    }

    /// Returns a number from 0 to below 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits are kept")]
    pub(crate) fn share(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a normal number.
    pub(crate) fn normal(&mut self) -> f64 {
        let (radius, angle) = (1.0 - self.share(), self.share());
        (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
    }

    /// Returns pairs of a host that drifts, jitters, and stalls now and then; the head takes `slower` times as long.
    pub(crate) fn pairs(&mut self, count: usize, jitter: f64, slower: f64) -> Vec<Pair> {
        let mut drift = 0.0;
        let mut pairs = Vec::new();
        for _ in 0..count {
            drift = 0.8 * drift + 0.05 * self.normal();
            let [base, head] = [1.0, slower].map(|factor| {
                let stall = if self.share() < 0.03 {
                    0.3 * self.share()
                } else {
                    0.0
                };
                1e6 * factor * (drift + jitter * self.normal() + stall).exp()
            });
            pairs.push((base, head));
        }
        pairs
    }
}
