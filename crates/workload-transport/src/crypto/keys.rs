//! The keys by which two sides know each other.
//!
//! Tests: a public key follows from its secret, and a secret does not show itself.

use std::fmt;

use x25519_dalek::{PublicKey as Point, StaticSecret};

use super::Random;

/// What a side is known by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PublicKey([u8; 32]);

impl PublicKey {
    /// The key that these bytes stand for.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes to hand on.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

/// What a side proves that it is itself with.
#[derive(Clone)]
pub struct SecretKey(StaticSecret);

impl SecretKey {
    /// The key that these bytes stand for; any will do that nobody else knows.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(StaticSecret::from(bytes))
    }

    /// A new key.
    pub fn draw(random: &mut Random) -> Self {
        Self::from_bytes(random.bytes())
    }

    /// What others know it by.
    pub fn public(&self) -> PublicKey {
        PublicKey(Point::from(&self.0).to_bytes())
    }

    /// Returns what only the holders of the two secrets can compute, or nothing for a key that would give the same to
    /// everybody.
    pub(super) fn agree(&self, other: &PublicKey) -> Option<[u8; 32]> {
        let shared = self.0.diffie_hellman(&Point::from(other.0));
        shared.was_contributory().then(|| shared.to_bytes())
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SecretKey(of {:?})", self.public())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_sides_agree_and_a_point_of_low_order_is_refused() {
        let [one, two] = [1, 2].map(|byte| SecretKey::from_bytes([byte; 32]));
        assert_eq!(one.agree(&two.public()), two.agree(&one.public()));
        assert!(one.agree(&two.public()).is_some());
        assert_eq!(one.agree(&PublicKey::from_bytes([0; 32])), None);
    }

    #[test]
    fn a_secret_does_not_show_itself() {
        let shown = format!("{:?}", SecretKey::from_bytes([7; 32]));
        assert!(!shown.contains("0707"), "{shown}");
    }
}
