//! A record as bytes: a header of fixed size, then the payload.
//!
//! | bytes | what |
//! | --- | --- |
//! | 4 | checksum of the rest of the header, and of the place where it stands |
//! | 4 | checksum of the payload |
//! | 4 | length of the payload |
//! | 4 | kind: record, seal, finish |
//! | 8 | sequence: the number of the record, or of the next one |
//! | 8 | durable: the records before this one were on disk when this was written |
//!
//! Numbers are little-endian. The place is part of the checksum, so that bytes that look like a record are one only
//! where they were written: a payload may hold pieces of this very log. The payload has a checksum of its own, because
//! a thread can make that before it waits for its number.
//!
//! Tests: every flipped bit of a header is found, and so is a header in another place.

use std::fmt;

use super::options::RECORD_BYTES_MAX;

/// The size of a header, and of a seal or a finish.
pub(crate) const HEADER_BYTES: usize = 32;

/// What a header stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A record of the caller.
    Record = 1,
    /// The log was closed, all of it on disk.
    Seal = 2,
    /// The segment ends here.
    Finish = 3,
}

/// Where a header stands: the first sequence of its segment, and the offset in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) segment: u64,
    pub(crate) offset: u64,
}

/// What a header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) kind: Kind,
    pub(crate) payload_sum: u32,
    pub(crate) payload_bytes: u32,
    pub(crate) sequence: u64,
    pub(crate) durable: u64,
}

/// Why bytes are no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Zeros,
    Short,
    HeaderSum,
    PayloadSum,
    Unknown,
    Sequence { expected: u64, found: u64 },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zeros => write!(f, "zeros stand where a record was"),
            Self::Short => write!(f, "the file ends in the middle of a record"),
            Self::HeaderSum => write!(f, "the checksum of a record's header is wrong"),
            Self::PayloadSum => write!(f, "the checksum of a record's payload is wrong"),
            Self::Unknown => write!(f, "a header is of no known kind or length"),
            Self::Sequence { expected, found } => {
                write!(f, "record {found} stands where {expected} belongs")
            }
        }
    }
}

impl Header {
    /// Appends the header to a batch. What only the flusher knows, [`finish`] fills in.
    pub(crate) fn push(self, bytes: &mut Vec<u8>) {
        let mut header = [0; HEADER_BYTES];
        header[4..8].copy_from_slice(&self.payload_sum.to_le_bytes());
        header[8..12].copy_from_slice(&self.payload_bytes.to_le_bytes());
        header[12..16].copy_from_slice(&(self.kind as u32).to_le_bytes());
        header[16..24].copy_from_slice(&self.sequence.to_le_bytes());
        header[24..32].copy_from_slice(&self.durable.to_le_bytes());
        bytes.extend_from_slice(&header);
    }

    /// Reads what stands at a place, without its payload.
    pub(crate) fn parse(header: &[u8; HEADER_BYTES], place: Place) -> Result<Self, Fault> {
        if *header == [0; HEADER_BYTES] {
            return Err(Fault::Zeros);
        }
        if word(header, 0) != sum_at(header, place) {
            return Err(Fault::HeaderSum);
        }
        let kind = match word(header, 12) {
            1 => Kind::Record,
            2 => Kind::Seal,
            3 => Kind::Finish,
            _ => return Err(Fault::Unknown),
        };
        let payload_bytes = word(header, 8);
        if payload_bytes as usize > RECORD_BYTES_MAX {
            return Err(Fault::Unknown);
        }
        Ok(Self {
            kind,
            payload_sum: word(header, 4),
            payload_bytes,
            sequence: double_word(header, 16),
            durable: double_word(header, 24),
        })
    }

    /// Returns the length of header and payload together.
    pub(crate) fn whole_bytes(&self) -> usize {
        HEADER_BYTES + self.payload_bytes as usize
    }
}

/// Fills into a pushed header what is known only now: what is durable, and the checksum with the place.
pub(crate) fn finish(header: &mut [u8; HEADER_BYTES], place: Place, durable: u64) {
    header[24..32].copy_from_slice(&durable.to_le_bytes());
    let sum = sum_at(header, place);
    header[0..4].copy_from_slice(&sum.to_le_bytes());
}

/// Reads a length and a sequence that this process pushed itself.
pub(crate) fn pushed(header: &[u8; HEADER_BYTES]) -> (usize, u64) {
    (
        HEADER_BYTES + word(header, 8) as usize,
        double_word(header, 16),
    )
}

fn sum_at(header: &[u8; HEADER_BYTES], place: Place) -> u32 {
    // One piece of bytes, because the checksum is quickest on long ones.
    let mut summed = [0; HEADER_BYTES + 12];
    summed[..28].copy_from_slice(&header[4..]);
    summed[28..36].copy_from_slice(&place.segment.to_le_bytes());
    summed[36..44].copy_from_slice(&place.offset.to_le_bytes());
    crc32fast::hash(&summed)
}

/// Returns the four bytes at an offset as a number.
pub(crate) fn word(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(word)
}

/// Returns the eight bytes at an offset as a number.
pub(crate) fn double_word(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

#[cfg(test)]
mod tests {
    use super::{HEADER_BYTES, Header, Kind, Place, finish};

    const PLACE: Place = Place {
        segment: 7,
        offset: 4_096,
    };

    fn written() -> ([u8; HEADER_BYTES], Header) {
        let header = Header {
            kind: Kind::Record,
            payload_sum: 0x1234_5678,
            payload_bytes: 110,
            sequence: 9,
            durable: 8,
        };
        let mut bytes = Vec::new();
        header.push(&mut bytes);
        let mut bytes = bytes.try_into().expect("a header is that long");
        finish(&mut bytes, PLACE, 8);
        (bytes, header)
    }

    #[test]
    fn a_header_is_read_as_it_was_written() {
        let (bytes, header) = written();
        assert_eq!(Header::parse(&bytes, PLACE), Ok(header));
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let (bytes, _) = written();
        for bit in 0..HEADER_BYTES * 8 {
            let mut flipped = bytes;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(Header::parse(&flipped, PLACE).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn a_header_in_another_place_is_none() {
        let (bytes, _) = written();
        for place in [
            Place {
                offset: PLACE.offset + 1,
                ..PLACE
            },
            Place {
                segment: PLACE.segment + 1,
                ..PLACE
            },
        ] {
            assert!(Header::parse(&bytes, place).is_err(), "{place:?}");
        }
    }
}
