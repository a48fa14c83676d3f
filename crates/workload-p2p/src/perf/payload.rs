//! What is uploaded and downloaded: the same bytes in every run and at every peer, at random as far as a line or a cipher
//! can tell, and told apart from themselves in another order by their digest.
//!
//! Tests: any piece is the same as the whole says; two halves that are exchanged have another digest.

use std::fmt;

use ring::digest;

/// After so many bytes they come again: no multiple of what is written at once, so that a piece in the wrong place shows.
const PERIOD_BYTES: usize = (64 << 10) + 1;

/// The most that can be written at once: more does not stand in one piece.
pub const WRITE_BYTES_MAX: usize = PERIOD_BYTES;

/// Made when the program is compiled: no clock runs while it is.
static BYTES: [u8; 2 * PERIOD_BYTES] = twice();

const fn twice() -> [u8; 2 * PERIOD_BYTES] {
    let mut bytes = [0; 2 * PERIOD_BYTES];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut at = 0;
    while at < PERIOD_BYTES {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes[at] = (state >> 32) as u8;
        bytes[at + PERIOD_BYTES] = bytes[at];
        at += 1;
    }
    bytes
}

/// As much of the payload as stands in one piece, from a place on, and not more than the given length.
pub fn piece(at: u64, length: usize) -> &'static [u8] {
    let start = (at % PERIOD_BYTES as u64) as usize;
    &BYTES[start..start + length.min(PERIOD_BYTES)]
}

/// What was received, in short.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of a payload of so many bytes.
    pub fn of_payload(bytes: u64) -> Self {
        let mut sink = Sink::new(Check::Digest);
        let mut at = 0;
        while at < bytes {
            let left = usize::try_from(bytes - at).unwrap_or(usize::MAX);
            let piece = piece(at, left);
            sink.take(piece);
            at += piece.len() as u64;
        }
        sink.digest().expect("it was asked for")
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}")
    }
}

/// What is done with what arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// It is counted. That its bytes are right the line's seals say.
    Count,
    /// Its digest is taken as well, which costs about as much as opening its seals.
    Digest,
}

/// Where what arrives goes.
#[derive(Clone)]
pub struct Sink {
    bytes: u64,
    digest: Option<digest::Context>,
}

impl Sink {
    /// An empty one.
    pub fn new(check: Check) -> Self {
        Self {
            bytes: 0,
            digest: (check == Check::Digest).then(|| digest::Context::new(&digest::SHA256)),
        }
    }

    /// Takes what arrived.
    pub fn take(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        if let Some(digest) = &mut self.digest {
            digest.update(bytes);
        }
    }

    /// How much that was.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The digest of all of it, where it was asked for.
    pub fn digest(&self) -> Option<Digest> {
        let digest = self.digest.clone()?.finish();
        let mut bytes = [0; 32];
        bytes.copy_from_slice(digest.as_ref());
        Some(Digest(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(parts: &[&[u8]]) -> Digest {
        let mut sink = Sink::new(Check::Digest);
        parts.iter().for_each(|part| sink.take(part));
        assert_eq!(
            sink.bytes(),
            parts.iter().map(|part| part.len() as u64).sum::<u64>()
        );
        sink.digest().unwrap()
    }

    #[test]
    fn pieces_make_the_whole() {
        let whole: Vec<u8> = (0..200_000).flat_map(|at| piece(at, 1).to_vec()).collect();
        for (at, length) in [
            (0, 65_536),
            (65_536, 65_536),
            (65_537, 1),
            (100_000, 100_000),
        ] {
            let piece = piece(at as u64, length);
            assert!(piece.len() == length.min(PERIOD_BYTES));
            assert!(piece == &whole[at..at + piece.len()]);
        }
        assert_eq!(digest(&[&whole]), Digest::of_payload(200_000));
    }

    #[test]
    fn another_order_has_another_digest() {
        let [one, two] = [0, 65_536].map(|at| piece(at, 65_536));
        assert_eq!(digest(&[one, two]), Digest::of_payload(131_072));
        assert_ne!(digest(&[two, one]), Digest::of_payload(131_072));
        assert_eq!(Sink::new(Check::Count).digest(), None);
    }
}
