//! Random numbers from a seed: what cannot be foreseen comes in from outside, once.
//!
//! Each block is a keyed hash of a counter. From the system's own randomness this is as good as that; from a seed of a
//! test it is the same in every run, handshakes included.
//!
//! Tests: equal seeds give equal numbers, and others others.

use ring::hmac;
use ring::rand::{SecureRandom as _, SystemRandom};

/// A source of random numbers.
pub struct Random {
    key: hmac::Key,
    counter: u64,
}

impl Random {
    /// Returns the source that a seed stands for.
    pub fn from_seed(seed: [u8; 32]) -> Self {
        Self {
            key: hmac::Key::new(hmac::HMAC_SHA256, &seed),
            counter: 0,
        }
    }

    /// Returns a source that nobody can foresee, or nothing where the system has no randomness to give.
    pub fn from_system() -> Option<Self> {
        let mut seed = [0; 32];
        SystemRandom::new().fill(&mut seed).ok()?;
        Some(Self::from_seed(seed))
    }

    /// Returns the next bytes.
    pub fn bytes(&mut self) -> [u8; 32] {
        let tag = hmac::sign(&self.key, &self.counter.to_be_bytes());
        self.counter += 1;
        let mut bytes = [0; 32];
        bytes.copy_from_slice(tag.as_ref());
        bytes
    }

    /// Returns a number of 32 bits.
    pub(crate) fn word(&mut self) -> u32 {
        let bytes = self.bytes();
        u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_stands_for_its_numbers() {
        let draw = |seed| {
            let mut random = Random::from_seed([seed; 32]);
            [random.bytes(), random.bytes()]
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert_ne!(draw(1)[0], draw(1)[1]);
    }
}
