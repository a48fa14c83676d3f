//! The three messages of XX, as a machine without a line: each side says its keys, and proves them by what follows.
//!
//! Tests: both sides end with the same keys; a message that was changed or cut anywhere does not pass.

use ring::rand::{SecureRandom as _, SystemRandom};
use x25519_dalek::{PublicKey, StaticSecret};

use super::symmetric::{Cipher, Symmetric, TAG_BYTES};

const NAME: &[u8; 32] = b"Noise_XX_25519_ChaChaPoly_SHA256";

const KEY_BYTES: usize = 32;

/// A message that nobody who knows the keys has made.
#[derive(Debug)]
pub(super) struct NotAuthentic;

/// The keys that a side brings along: one that its name is signed over, and one for this connection alone.
pub(crate) struct Keys {
    lasting: StaticSecret,
    passing: StaticSecret,
}

impl Keys {
    /// Returns keys that nobody can foresee, or nothing where the system has no randomness to give.
    pub(crate) fn draw() -> Option<Self> {
        let mut seeds = [[0; 32]; 2];
        let random = SystemRandom::new();
        for seed in &mut seeds {
            random.fill(seed).ok()?;
        }
        Some(Self::from_seeds(seeds))
    }

    /// The keys that these bytes stand for: a handshake can be repeated.
    pub(crate) fn from_seeds([lasting, passing]: [[u8; 32]; 2]) -> Self {
        Self {
            lasting: StaticSecret::from(lasting),
            passing: StaticSecret::from(passing),
        }
    }

    /// The public half of the key that a name is signed over.
    pub(super) fn lasting_public(&self) -> [u8; KEY_BYTES] {
        PublicKey::from(&self.lasting).to_bytes()
    }
}

/// Which of the two a side is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Dialer,
    Listener,
}

pub(super) struct Handshake {
    symmetric: Symmetric,
    keys: Keys,
    theirs_passing: PublicKey,
    theirs_lasting: PublicKey,
}

impl Handshake {
    pub(super) fn new(keys: Keys) -> Self {
        Self {
            symmetric: Symmetric::new(NAME),
            keys,
            theirs_passing: PublicKey::from([0; 32]),
            theirs_lasting: PublicKey::from([0; 32]),
        }
    }

    /// The dialer's first message.
    pub(super) fn write_first(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        self.say_passing(&mut out);
        self.symmetric.seal(&mut out, &[]);
        out
    }

    pub(super) fn read_first(&mut self, message: &[u8]) -> Result<(), NotAuthentic> {
        let rest = self.hear_passing(message)?;
        self.symmetric.open(rest).map(drop)
    }

    /// The listener's answer.
    pub(super) fn write_second(&mut self, payload: &[u8]) -> Result<Vec<u8>, NotAuthentic> {
        let mut out = Vec::new();
        self.say_passing(&mut out);
        self.agree(&self.keys.passing.clone(), self.theirs_passing)?;
        self.say_lasting(&mut out);
        self.agree(&self.keys.lasting.clone(), self.theirs_passing)?;
        self.symmetric.seal(&mut out, payload);
        Ok(out)
    }

    pub(super) fn read_second(&mut self, message: &[u8]) -> Result<Vec<u8>, NotAuthentic> {
        let rest = self.hear_passing(message)?;
        self.agree(&self.keys.passing.clone(), self.theirs_passing)?;
        let rest = self.hear_lasting(rest)?;
        self.agree(&self.keys.passing.clone(), self.theirs_lasting)?;
        self.symmetric.open(rest)
    }

    /// The dialer's second and last message.
    pub(super) fn write_third(&mut self, payload: &[u8]) -> Result<Vec<u8>, NotAuthentic> {
        let mut out = Vec::new();
        self.say_lasting(&mut out);
        self.agree(&self.keys.lasting.clone(), self.theirs_passing)?;
        self.symmetric.seal(&mut out, payload);
        Ok(out)
    }

    pub(super) fn read_third(&mut self, message: &[u8]) -> Result<Vec<u8>, NotAuthentic> {
        let rest = self.hear_lasting(message)?;
        self.agree(&self.keys.passing.clone(), self.theirs_lasting)?;
        self.symmetric.open(rest)
    }

    /// The key that the other side's name must be signed over.
    pub(super) fn theirs_lasting(&self) -> [u8; KEY_BYTES] {
        self.theirs_lasting.to_bytes()
    }

    /// The ciphers of both directions, the dialer's first.
    pub(super) fn split(&self) -> [Cipher; 2] {
        self.symmetric.split()
    }

    fn say_passing(&mut self, out: &mut Vec<u8>) {
        let key = PublicKey::from(&self.keys.passing).to_bytes();
        out.extend_from_slice(&key);
        self.symmetric.hear(&key);
    }

    fn hear_passing<'a>(&mut self, message: &'a [u8]) -> Result<&'a [u8], NotAuthentic> {
        let (key, rest) = message
            .split_first_chunk::<KEY_BYTES>()
            .ok_or(NotAuthentic)?;
        self.symmetric.hear(key);
        self.theirs_passing = PublicKey::from(*key);
        Ok(rest)
    }

    fn say_lasting(&mut self, out: &mut Vec<u8>) {
        let key = self.keys.lasting_public();
        self.symmetric.seal(out, &key);
    }

    fn hear_lasting<'a>(&mut self, message: &'a [u8]) -> Result<&'a [u8], NotAuthentic> {
        let parts = message.split_at_checked(KEY_BYTES + TAG_BYTES);
        let (sealed, rest) = parts.ok_or(NotAuthentic)?;
        let key = self.symmetric.open(sealed)?;
        let key = <[u8; KEY_BYTES]>::try_from(key).or(Err(NotAuthentic))?;
        self.theirs_lasting = PublicKey::from(key);
        Ok(rest)
    }

    /// Mixes in what only the holders of the two keys know; a key that would give the same to everybody is refused.
    fn agree(&mut self, ours: &StaticSecret, theirs: PublicKey) -> Result<(), NotAuthentic> {
        let shared = ours.diffie_hellman(&theirs);
        shared
            .was_contributory()
            .then_some(())
            .ok_or(NotAuthentic)?;
        self.symmetric.mix(shared.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides() -> [Handshake; 2] {
        [[1, 2], [3, 4]].map(|seeds| Handshake::new(Keys::from_seeds(seeds.map(|seed| [seed; 32]))))
    }

    #[test]
    fn both_sides_end_with_the_same_keys() {
        let [mut dialer, mut listener] = sides();
        listener.read_first(&dialer.write_first()).unwrap();
        let second = listener.write_second(b"listener").unwrap();
        assert_eq!(dialer.read_second(&second).unwrap(), b"listener");
        let third = dialer.write_third(b"dialer").unwrap();
        assert_eq!(listener.read_third(&third).unwrap(), b"dialer");
        assert_eq!(dialer.theirs_lasting(), listener.keys.lasting_public());
        assert_eq!(listener.theirs_lasting(), dialer.keys.lasting_public());
        for (mut seals, mut opens) in dialer.split().into_iter().zip(listener.split()) {
            for _ in 0..3 {
                let mut content = b"content".to_vec();
                let tag = seals.seal(&[], &mut content);
                content.extend(tag);
                assert_eq!(opens.open(&[], &mut content).unwrap(), b"content");
            }
        }
    }

    #[test]
    fn a_changed_or_cut_message_does_not_pass() {
        let [mut dialer, mut listener] = sides();
        let first = dialer.write_first();
        listener.read_first(&first).unwrap();
        let second = listener.write_second(b"listener").unwrap();
        for at in 0..second.len() {
            let fresh = || {
                let [mut dialer, _] = sides();
                dialer.write_first();
                dialer
            };
            assert!(fresh().read_second(&second[..at]).is_err(), "{at}");
            let mut changed = second.clone();
            // The highest bit of a key says nothing.
            changed[at] ^= 1;
            assert!(fresh().read_second(&changed).is_err(), "{at}");
        }
    }

    #[test]
    fn a_key_that_gives_everybody_the_same_is_refused() {
        let [_, mut listener] = sides();
        listener.read_first(&[0; 32]).unwrap();
        assert!(listener.write_second(b"").is_err());
    }
}
