//! Packets sealed and opened, each under a number that its direction never uses twice.
//!
//! The number is the nonce. Whoever seals counts by itself, so that no caller can repeat one. A key serves
//! [`GENERATION_PACKETS`] numbers and then gives way to one that follows from it: which key a packet needs is told by its
//! number, and nothing has to be agreed on.
//!
//! Tests: numbers count up and seals differ for equal packets; keys change on both sides at the same number; a packet of
//! another generation opens as long as it can arrive; what was changed does not open, and no forger moves the keys on.

use ring::aead::{Aad, LessSafeKey, Nonce};

use super::TAG_BYTES;
use super::chain::{keyed, packet_key};
use crate::wire::{Header, PACKET_HEADER_BYTES};

/// How many packets a key seals: half of what the analysis of AES-GCM in RFC 9001 allows.
const GENERATION_PACKETS: u64 = 1 << 22;

/// A key, with the secret that the next one follows from.
struct Generation {
    index: u64,
    secret: [u8; 32],
    key: LessSafeKey,
    salt: [u8; 12],
}

impl Generation {
    fn new(secret: [u8; 32], index: u64) -> Self {
        let mut salt = [0; 12];
        salt.copy_from_slice(&keyed(&secret, &[b"salt"])[..12]);
        Self {
            index,
            key: packet_key(&keyed(&secret, &[b"key"])),
            salt,
            secret,
        }
    }

    fn next(&self) -> Self {
        Self::new(keyed(&self.secret, &[b"next"]), self.index + 1)
    }

    fn nonce(&self, number: u64) -> Nonce {
        let mut bytes = self.salt;
        for (byte, mixed) in bytes[4..].iter_mut().zip(number.to_be_bytes()) {
            *byte ^= mixed;
        }
        Nonce::assume_unique_for_key(bytes)
    }
}

/// Seals the packets of one direction.
pub struct Sealer {
    keys: Generation,
    next: u64,
}

impl Sealer {
    /// Begins with a secret that both sides agreed on.
    pub fn new(secret: [u8; 32]) -> Self {
        Self {
            keys: Generation::new(secret, 0),
            next: 0,
        }
    }

    /// The number of the next packet.
    pub const fn next(&self) -> u64 {
        self.next
    }

    /// Seals what stands behind the header of the packet that begins at `start`. The header is hashed, so that it cannot
    /// be changed either.
    pub fn seal(&mut self, out: &mut Vec<u8>, start: usize) {
        let number = self.next;
        self.next += 1;
        if number / GENERATION_PACKETS != self.keys.index {
            self.keys = self.keys.next();
        }
        let (header, body) = out[start..].split_at_mut(PACKET_HEADER_BYTES);
        let tag = self
            .keys
            .key
            .seal_in_place_separate_tag(self.keys.nonce(number), Aad::from(&*header), body)
            .expect("a packet is short enough for the cipher");
        out.extend_from_slice(tag.as_ref());
    }
}

/// Opens the packets of one direction.
pub struct Opener {
    keys: Generation,
    before: Option<Generation>,
    // Boxed, because most connections end before they need it.
    after: Option<Box<Generation>>,
}

impl Opener {
    /// Begins with a secret that both sides agreed on.
    pub fn new(secret: [u8; 32]) -> Self {
        Self {
            keys: Generation::new(secret, 0),
            before: None,
            after: None,
        }
    }

    /// Returns the content of a packet; nothing where the other side did not write it just so.
    pub fn open<'a>(&mut self, header: Header, packet: &'a mut [u8]) -> Option<&'a [u8]> {
        if packet.len() < PACKET_HEADER_BYTES + TAG_BYTES {
            return None;
        }
        let wanted = header.number / GENERATION_PACKETS;
        let is_next = wanted == self.keys.index + 1;
        let keys = if wanted == self.keys.index {
            &self.keys
        } else if is_next {
            self.after.get_or_insert_with(|| Box::new(self.keys.next()))
        } else {
            self.before.as_ref().filter(|keys| keys.index == wanted)?
        };
        let (aad, body) = packet.split_at_mut(PACKET_HEADER_BYTES);
        let plain = keys
            .key
            .open_in_place(keys.nonce(header.number), Aad::from(&*aad), body)
            .ok()?;
        if is_next && let Some(after) = self.after.take() {
            self.before = Some(std::mem::replace(&mut self.keys, *after));
        }
        Some(plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: [u8; 32] = [5; 32];

    fn packet(sealer: &mut Sealer, content: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        Header {
            to: 7,
            number: sealer.next(),
        }
        .write(&mut out);
        out.extend_from_slice(content);
        sealer.seal(&mut out, 0);
        out
    }

    fn open(opener: &mut Opener, packet: &[u8]) -> Option<Vec<u8>> {
        let mut packet = packet.to_vec();
        let header = Header::read(&packet)?;
        opener.open(header, &mut packet).map(<[u8]>::to_vec)
    }

    #[test]
    fn a_number_is_used_once() {
        let mut sealer = Sealer::new(SECRET);
        let packets: Vec<_> = (0..1_000).map(|_| packet(&mut sealer, b"same")).collect();
        let mut opener = Opener::new(SECRET);
        let mut seals = std::collections::BTreeSet::new();
        for (number, packet) in (0..).zip(&packets) {
            assert_eq!(Header::read(packet).unwrap().number, number);
            assert!(seals.insert(packet[PACKET_HEADER_BYTES..].to_vec()));
            assert_eq!(open(&mut opener, packet).unwrap(), b"same");
        }
    }

    #[test]
    fn keys_move_on_with_the_numbers() {
        let mut sealer = Sealer::new(SECRET);
        let mut opener = Opener::new(SECRET);
        sealer.next = GENERATION_PACKETS - 1;
        let last = packet(&mut sealer, b"last");
        let first = packet(&mut sealer, b"first");
        let key = |keys: &Generation| keys.secret;
        assert_ne!(key(&sealer.keys), SECRET);
        assert_eq!(open(&mut opener, &first).unwrap(), b"first");
        assert_eq!(open(&mut opener, &last).unwrap(), b"last");
        assert_eq!(key(&opener.keys), key(&sealer.keys));
        sealer.next = 2 * GENERATION_PACKETS;
        let later = packet(&mut sealer, b"later");
        assert_eq!(open(&mut opener, &later).unwrap(), b"later");
        assert_eq!(open(&mut opener, &last), None);
    }

    #[test]
    fn a_forger_moves_no_keys() {
        let mut forger = Sealer::new([6; 32]);
        let mut opener = Opener::new(SECRET);
        for generation in [0, 1, 2, u64::MAX / GENERATION_PACKETS] {
            forger.next = generation * GENERATION_PACKETS;
            forger.keys = Generation::new([6; 32], generation);
            let forged = packet(&mut forger, b"forged");
            assert_eq!(open(&mut opener, &forged), None);
        }
        assert_eq!(opener.keys.index, 0);
        assert_eq!(open(&mut opener, &[0; 20]), None);
    }

    #[test]
    fn a_changed_or_cut_packet_does_not_open() {
        let whole = packet(&mut Sealer::new(SECRET), b"content");
        let mut opener = Opener::new(SECRET);
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            assert_eq!(open(&mut opener, &changed), None, "{at}");
            assert_eq!(open(&mut opener, &whole[..at]), None, "{at}");
        }
        assert!(open(&mut opener, &whole).is_some());
    }
}
