//! What both sides of a handshake have said and agreed on so far, as a hash and a key that follows from it.
//!
//! Every secret that is mixed in gives a new key, and each key seals one thing, so that a nonce of zero never repeats.
//!
//! Tests: through the handshake.

use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::{digest, hmac};

use super::TAG_BYTES;

/// Which protocol this is: two versions of it never agree on a key.
const PROTOCOL: &[u8] = b"workload-transport 1: IK X25519 AES-128-GCM SHA-256";

/// Returns the keyed hash of `parts`.
pub(super) fn keyed(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    let mut context = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, key));
    parts.iter().for_each(|part| context.update(part));
    let mut bytes = [0; 32];
    bytes.copy_from_slice(context.sign().as_ref());
    bytes
}

/// Returns the key for packets that the first bytes of a secret are.
pub(super) fn packet_key(secret: &[u8; 32]) -> LessSafeKey {
    let bytes = &secret[..AES_128_GCM.key_len()];
    let key = UnboundKey::new(&AES_128_GCM, bytes).expect("the key is as long as the cipher says");
    LessSafeKey::new(key)
}

#[derive(Clone)]
pub(super) struct Chain {
    said: [u8; 32],
    agreed: [u8; 32],
    key: [u8; 32],
}

impl Chain {
    pub(super) fn new() -> Self {
        let mut said = [0; 32];
        said.copy_from_slice(digest::digest(&digest::SHA256, PROTOCOL).as_ref());
        Self {
            said,
            agreed: said,
            key: [0; 32],
        }
    }

    /// Takes in what anybody can read.
    pub(super) fn say(&mut self, bytes: &[u8]) {
        let mut context = digest::Context::new(&digest::SHA256);
        context.update(&self.said);
        context.update(bytes);
        self.said.copy_from_slice(context.finish().as_ref());
    }

    /// Takes in a secret.
    pub(super) fn agree(&mut self, secret: &[u8; 32]) {
        let mixed = keyed(&self.agreed, &[secret]);
        self.agreed = keyed(&mixed, &[&[1]]);
        self.key = keyed(&mixed, &[&self.agreed, &[2]]);
    }

    /// Appends `plain` for the other side alone to read.
    pub(super) fn seal(&mut self, plain: &[u8], out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(plain);
        let nonce = Nonce::assume_unique_for_key([0; 12]);
        let tag = packet_key(&self.key)
            .seal_in_place_separate_tag(nonce, Aad::from(self.said), &mut out[start..])
            .expect("a message of a handshake is short enough for the cipher");
        out.extend_from_slice(tag.as_ref());
        self.say(&out[start..]);
    }

    /// Returns what was sealed, or nothing where the other side did not.
    pub(super) fn open<const N: usize>(&mut self, sealed: &[u8]) -> Option<[u8; N]> {
        let mut bytes = sealed.to_vec();
        let nonce = Nonce::assume_unique_for_key([0; 12]);
        let plain = packet_key(&self.key)
            .open_in_place(nonce, Aad::from(self.said), &mut bytes)
            .ok()?;
        debug_assert_eq!(plain.len() + TAG_BYTES, sealed.len());
        let plain = <[u8; N]>::try_from(&*plain).ok()?;
        self.say(sealed);
        Some(plain)
    }

    /// Returns the secrets of the two directions: of who connected, and of who answered.
    pub(super) fn split(&self) -> [[u8; 32]; 2] {
        let mixed = keyed(&self.agreed, &[]);
        let first = keyed(&mixed, &[&[1]]);
        [first, keyed(&mixed, &[&first, &[2]])]
    }
}
