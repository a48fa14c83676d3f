//! What threads append to while somebody else writes: the records of one write, one after the other.
//!
//! Tests: through the log.

use std::ops::Range;

use super::handover::Batch as Follow;
use super::record::{HEADER_BYTES, Header, Kind};

/// The most memory that an empty batch keeps for the next records.
const KEPT_BYTES_MAX: usize = 1 << 20;

/// A payload with its checksum, which its thread makes before it takes any lock.
pub(crate) struct Summed<'a> {
    payload: &'a [u8],
    bytes: u32,
    sum: u32,
}

impl<'a> Summed<'a> {
    /// Returns nothing if the payload is longer than a header can say.
    pub(crate) fn new(payload: &'a [u8]) -> Option<Self> {
        Some(Self {
            payload,
            bytes: u32::try_from(payload.len()).ok()?,
            sum: crc32fast::hash(payload),
        })
    }
}

/// Records on their way to the disk.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// Headers and payloads.
    pub(crate) bytes: Vec<u8>,
    /// The number of the next record.
    pub(crate) next: u64,
    /// Whether somebody waits for more than the write.
    pub(crate) sync: bool,
    /// Whether the log ends with this batch.
    pub(crate) seal: bool,
}

impl Batch {
    /// Appends a record and returns its number.
    pub(crate) fn push(&mut self, summed: &Summed<'_>) -> u64 {
        let sequence = self.next;
        let header = Header {
            kind: Kind::Record,
            payload_sum: summed.sum,
            payload_bytes: summed.bytes,
            sequence,
            durable: 0,
        };
        header.push(&mut self.bytes);
        self.bytes.extend_from_slice(summed.payload);
        self.next += 1;
        sequence
    }

    /// Appends records and returns their numbers.
    pub(crate) fn push_all(&mut self, summed: &[Summed<'_>]) -> Range<u64> {
        let start = self.next;
        // At once: growing bit by bit copies all that is there each time, while others wait for the lock.
        let bytes = summed.iter().map(|it| HEADER_BYTES + it.payload.len());
        self.bytes.reserve(bytes.sum());
        for one in summed {
            self.push(one);
        }
        start..self.next
    }
}

impl Follow for Batch {
    fn follow(&mut self, earlier: &Self) {
        self.bytes.clear();
        self.bytes.shrink_to(KEPT_BYTES_MAX);
        self.next = earlier.next;
        self.sync = false;
        self.seal = false;
    }
}
