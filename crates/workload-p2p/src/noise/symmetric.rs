//! What both sides of a handshake have heard so far, as a hash, and the keys that follow from it.
//!
//! Tests: with the handshake.

use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use ring::{digest, hmac};

use super::handshake::NotAuthentic;

/// How many bytes a seal adds.
pub(super) const TAG_BYTES: usize = 16;

/// A key that counts what it seals or opens.
pub(super) struct Cipher {
    key: LessSafeKey,
    count: u64,
}

impl Cipher {
    fn new(key: &[u8; 32]) -> Self {
        let key =
            UnboundKey::new(&CHACHA20_POLY1305, key).expect("the cipher's keys have 32 bytes");
        Self {
            key: LessSafeKey::new(key),
            count: 0,
        }
    }

    fn nonce(&mut self) -> Nonce {
        let mut bytes = [0; 12];
        bytes[4..].copy_from_slice(&self.count.to_le_bytes());
        // At a million frames a second it takes half a million years to come round.
        self.count += 1;
        Nonce::assume_unique_for_key(bytes)
    }

    /// Seals in place and returns what is to stand behind.
    pub(super) fn seal(&mut self, heard: &[u8], content: &mut [u8]) -> [u8; TAG_BYTES] {
        let nonce = self.nonce();
        let tag = self
            .key
            .seal_in_place_separate_tag(nonce, Aad::from(heard), content)
            .expect("a frame is short enough for the cipher");
        let mut bytes = [0; TAG_BYTES];
        bytes.copy_from_slice(tag.as_ref());
        bytes
    }

    /// Opens in place.
    pub(super) fn open<'a>(
        &mut self,
        heard: &[u8],
        sealed: &'a mut [u8],
    ) -> Result<&'a mut [u8], NotAuthentic> {
        let nonce = self.nonce();
        self.key
            .open_in_place(nonce, Aad::from(heard), sealed)
            .or(Err(NotAuthentic))
    }
}

pub(super) struct Symmetric {
    chain: [u8; 32],
    heard: [u8; 32],
    cipher: Option<Cipher>,
}

impl Symmetric {
    /// Begins with the name of all that is used, which has as many bytes as a hash.
    pub(super) fn new(name: &[u8; 32]) -> Self {
        let mut new = Self {
            chain: *name,
            heard: *name,
            cipher: None,
        };
        // libp2p agrees on nothing beforehand.
        new.hear(&[]);
        new
    }

    pub(super) fn hear(&mut self, bytes: &[u8]) {
        let mut hash = digest::Context::new(&digest::SHA256);
        hash.update(&self.heard);
        hash.update(bytes);
        self.heard.copy_from_slice(hash.finish().as_ref());
    }

    pub(super) fn mix(&mut self, secret: &[u8; 32]) {
        let [chain, key] = self.derive(secret);
        self.chain = chain;
        self.cipher = Some(Cipher::new(&key));
    }

    /// Appends the content, sealed once there is a key.
    pub(super) fn seal(&mut self, out: &mut Vec<u8>, content: &[u8]) {
        let start = out.len();
        out.extend_from_slice(content);
        if let Some(cipher) = &mut self.cipher {
            let tag = cipher.seal(&self.heard, &mut out[start..]);
            out.extend_from_slice(&tag);
        }
        self.hear(&out[start..]);
    }

    pub(super) fn open(&mut self, sealed: &[u8]) -> Result<Vec<u8>, NotAuthentic> {
        let mut content = sealed.to_vec();
        if let Some(cipher) = &mut self.cipher {
            let length = cipher.open(&self.heard, &mut content)?.len();
            content.truncate(length);
        }
        self.hear(sealed);
        Ok(content)
    }

    /// The ciphers of both directions, the initiator's first.
    pub(super) fn split(&self) -> [Cipher; 2] {
        self.derive(&[]).map(|key| Cipher::new(&key))
    }

    fn derive(&self, secret: &[u8]) -> [[u8; 32]; 2] {
        let extracted = keyed(&self.chain, &[secret]);
        let first = keyed(&extracted, &[&[1]]);
        let second = keyed(&extracted, &[&first, &[2]]);
        [first, second]
    }
}

fn keyed(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    let mut context = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, key));
    parts.iter().for_each(|part| context.update(part));
    let mut bytes = [0; 32];
    bytes.copy_from_slice(context.sign().as_ref());
    bytes
}
