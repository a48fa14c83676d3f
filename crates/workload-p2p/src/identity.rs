//! Who a node is: an Ed25519 key, and the name that libp2p makes of its public half.
//!
//! Tests: the name of the key in RFC 8032 is the one that libp2p gives it, and the report's own node comes out as it was
//! published; a name comes back from its text, and what is none is refused.

mod base58;

use std::fmt;
use std::str::FromStr;

use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};

use crate::protobuf;

/// What stands before an Ed25519 key in libp2p's envelope: its kind is one, and thirty-two bytes follow.
const KEY_ENVELOPE: [u8; 4] = [0x08, 0x01, 0x12, 0x20];

/// How long a key in its envelope is.
const ENVELOPE_BYTES: usize = KEY_ENVELOPE.len() + 32;

/// What stands before the envelope in a name: the "hash" that is the thing itself, and its length.
const NAME_START: [u8; 2] = [0x00, ENVELOPE_BYTES as u8];

/// What a node proves that it is itself with.
pub struct Identity(Ed25519KeyPair);

impl Identity {
    /// The node that these bytes stand for; any will do that nobody else knows.
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        let pair = Ed25519KeyPair::from_seed_unchecked(seed);
        Self(pair.expect("any thirty-two bytes are a seed"))
    }

    /// The node that a text stands for.
    pub fn from_text(text: &str) -> Self {
        Self::from_seed(&Self::seed(text))
    }

    /// The seed that a text stands for, as the published program takes it: its bytes, cut or filled up with zeros.
    pub fn seed(text: &str) -> [u8; 32] {
        let mut seed = [0; 32];
        let length = text.len().min(seed.len());
        seed[..length].copy_from_slice(&text.as_bytes()[..length]);
        seed
    }

    /// What others know it by.
    pub fn peer_id(&self) -> PeerId {
        PeerId(self.public())
    }

    pub(crate) fn envelope(&self) -> [u8; ENVELOPE_BYTES] {
        envelope(&self.public())
    }

    pub(crate) fn sign(&self, message: &[u8]) -> Vec<u8> {
        self.0.sign(message).as_ref().to_vec()
    }

    fn public(&self) -> [u8; 32] {
        let mut key = [0; 32];
        key.copy_from_slice(self.0.public_key().as_ref());
        key
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Identity(of {})", self.peer_id())
    }
}

/// What a node is known by. Of the kinds that libp2p has, this is the one for Ed25519 keys: the key stands in the name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PeerId([u8; 32]);

impl PeerId {
    /// Reads a key in its envelope.
    pub(crate) fn from_envelope(bytes: &[u8]) -> Option<Self> {
        let (mut is_ed25519, mut key) = (false, None);
        for field in protobuf::fields(bytes) {
            match field? {
                (1, protobuf::Value::Number(kind)) => is_ed25519 = kind == 1,
                (2, protobuf::Value::Bytes(bytes)) => key = <[u8; 32]>::try_from(bytes).ok(),
                _ => {}
            }
        }
        is_ed25519.then_some(())?;
        key.map(Self)
    }

    /// Whether this node signed the message.
    pub(crate) fn has_signed(&self, message: &[u8], signature: &[u8]) -> bool {
        UnparsedPublicKey::new(&ED25519, &self.0)
            .verify(message, signature)
            .is_ok()
    }
}

fn envelope(key: &[u8; 32]) -> [u8; ENVELOPE_BYTES] {
    let mut bytes = [0; ENVELOPE_BYTES];
    bytes[..KEY_ENVELOPE.len()].copy_from_slice(&KEY_ENVELOPE);
    bytes[KEY_ENVELOPE.len()..].copy_from_slice(key);
    bytes
}

impl fmt::Display for PeerId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = NAME_START.to_vec();
        name.extend(envelope(&self.0));
        formatter.write_str(&base58::encode(&name))
    }
}

impl fmt::Debug for PeerId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}")
    }
}

/// The text names no node that could be known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "it is no name of a node with an Ed25519 key; such a name begins with `12D3KooW` and has 52 letters and digits"
)]
pub struct NoPeerId;

impl FromStr for PeerId {
    type Err = NoPeerId;

    fn from_str(text: &str) -> Result<Self, NoPeerId> {
        let name = base58::decode(text).ok_or(NoPeerId)?;
        let key = name
            .strip_prefix(&NAME_START)
            .and_then(|rest| rest.strip_prefix(&KEY_ENVELOPE))
            .ok_or(NoPeerId)?;
        key.try_into().map(Self).or(Err(NoPeerId))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_node_has_its_published_name() {
        let name = Identity::from_text("secret").peer_id().to_string();
        assert_eq!(name, "12D3KooWBpZHDZu7YSbvPaPXKhkRNJvR7MkTJMQQAVBKx9mCqz3q");
    }

    #[test]
    fn a_name_comes_back_from_its_text() {
        for seed in 0..50 {
            let peer = Identity::from_seed(&[seed; 32]).peer_id();
            assert_eq!(peer.to_string().parse(), Ok(peer));
            assert_eq!(PeerId::from_envelope(&envelope(&peer.0)), Some(peer));
        }
    }

    #[test]
    fn what_is_no_name_is_refused() {
        let whole = Identity::from_seed(&[1; 32]).peer_id().to_string();
        let longer = format!("{whole}1");
        for text in [
            "",
            "1",
            "QmNot",
            &whole[1..],
            &whole[..51],
            &longer,
            "0OIl",
            "ü",
            &"z".repeat(10_000),
        ] {
            assert_eq!(text.parse::<PeerId>(), Err(NoPeerId), "{text}");
        }
    }

    #[test]
    fn a_key_of_another_kind_is_refused() {
        let mut bytes = Identity::from_seed(&[1; 32]).envelope();
        bytes[1] = 2;
        assert_eq!(PeerId::from_envelope(&bytes), None);
        assert_eq!(PeerId::from_envelope(&bytes[..30]), None);
        assert_eq!(PeerId::from_envelope(&[]), None);
    }

    #[test]
    fn only_what_was_signed_counts_as_signed() {
        let node = Identity::from_seed(&[1; 32]);
        let signature = node.sign(b"this");
        assert!(node.peer_id().has_signed(b"this", &signature));
        assert!(!node.peer_id().has_signed(b"that", &signature));
        assert!(
            !Identity::from_seed(&[2; 32])
                .peer_id()
                .has_signed(b"this", &signature)
        );
    }

    #[test]
    fn a_secret_does_not_show_itself() {
        let shown = format!("{:?}", Identity::from_text("secret"));
        assert!(!shown.contains("secret"), "{shown}");
    }
}
