//! The twelve bytes in front of everything.
//!
//! Tests: a header comes back from its bytes; what is none is refused.

use crate::error::Violation;

pub(super) const HEADER_BYTES: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Data,
    Window,
    Ping,
    GoAway,
}

/// What else a frame says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flags(u16);

impl Flags {
    pub(super) const NONE: Self = Self(0);
    /// The substream begins.
    pub(super) const OPEN: Self = Self(1);
    /// The beginning was heard.
    pub(super) const HEARD: Self = Self(2);
    /// Nothing more comes.
    pub(super) const END: Self = Self(4);
    /// The substream is given up.
    pub(super) const RESET: Self = Self(8);

    pub(super) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) kind: Kind,
    pub(super) flags: Flags,
    pub(super) stream: u32,
    /// Of data, how much follows; of the others, what they say.
    pub(super) length: u32,
}

impl Header {
    pub(super) fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[1] = self.kind as u8;
        bytes[2..4].copy_from_slice(&self.flags.0.to_be_bytes());
        bytes[4..8].copy_from_slice(&self.stream.to_be_bytes());
        bytes[8..].copy_from_slice(&self.length.to_be_bytes());
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8; HEADER_BYTES]) -> Result<Self, Violation> {
        let &[version, kind, f1, f2, s1, s2, s3, s4, l1, l2, l3, l4] = bytes;
        let kind = match (version, kind) {
            (0, 0) => Kind::Data,
            (0, 1) => Kind::Window,
            (0, 2) => Kind::Ping,
            (0, 3) => Kind::GoAway,
            _ => return Err(Violation::NoFrame),
        };
        Ok(Self {
            kind,
            flags: Flags(u16::from_be_bytes([f1, f2])),
            stream: u32::from_be_bytes([s1, s2, s3, s4]),
            length: u32::from_be_bytes([l1, l2, l3, l4]),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_comes_back_from_its_bytes() {
        for (kind, first) in [
            (Kind::Data, 0),
            (Kind::Window, 1),
            (Kind::Ping, 2),
            (Kind::GoAway, 3),
        ] {
            let header = Header {
                kind,
                flags: Flags::END,
                stream: 0x0102_0304,
                length: 0x0506_0708,
            };
            let bytes = header.to_bytes();
            assert_eq!(bytes, [0, first, 0, 4, 1, 2, 3, 4, 5, 6, 7, 8]);
            assert_eq!(Header::from_bytes(&bytes), Ok(header));
        }
        for wrong in [[1; HEADER_BYTES], [0, 4, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]] {
            assert_eq!(Header::from_bytes(&wrong), Err(Violation::NoFrame));
        }
    }
}
