//! A segment as a file: its name, its first bytes, and the walk over its records.
//!
//! The name is the number of the first record. A file has its name only once its first bytes and its length are on the
//! disk; from then on a crash can leave no segment without them.
//!
//! Tests: first bytes that are not right are refused; the walk is tested through the log.

use std::fs::File;
use std::io::{self, BufReader, Read as _};
use std::path::{Path, PathBuf};

use super::error::{Error, Refused as _, Result};
use super::options::{RECORD_BYTES_MAX, SEGMENT_BYTES_MAX};
use super::record::{Fault, HEADER_BYTES, Header, Kind, Place, double_word, word};

/// The version of the format, in each file.
pub(crate) const VERSION: u32 = 1;

/// Begins each segment. A line end of two bytes shows files that something took for text.
const MAGIC: &[u8; 8] = b"wlog\r\n\x1a\0";

/// The bytes before the first record: magic, version, checksum, first sequence, allocated bytes.
pub(crate) const PREFIX_BYTES: usize = 32;

/// A seal and a finish always find room.
pub(crate) const RESERVED_BYTES: u64 = 2 * HEADER_BYTES as u64;

/// The longest file of a segment. More may be asked for than is made, but never more than is read.
const ALLOCATED_BYTES_MAX: u64 = {
    let longest_record = (PREFIX_BYTES + HEADER_BYTES + RECORD_BYTES_MAX) as u64 + RESERVED_BYTES;
    if longest_record > SEGMENT_BYTES_MAX {
        longest_record
    } else {
        SEGMENT_BYTES_MAX
    }
};

/// The largest number in the name of a file. With a record in each nanosecond it would take a century to come here, and
/// as long again until numbers run out, so that whoever counts up from it needs not look.
pub(crate) const FIRST_MAX: u64 = u64::MAX / 2;

const READ_AHEAD_BYTES: usize = 64 << 10;

/// What the first bytes of a segment say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Prefix {
    /// The number of the first record.
    pub(crate) first: u64,
    /// The length that the file was made with.
    pub(crate) allocated: u64,
}

impl Prefix {
    /// Returns the first bytes of a segment.
    pub(crate) fn to_bytes(self) -> [u8; PREFIX_BYTES] {
        let mut bytes = [0; PREFIX_BYTES];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.first.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.allocated.to_le_bytes());
        let sum = crc32fast::hash(&bytes);
        bytes[12..16].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    fn parse(mut bytes: [u8; PREFIX_BYTES], path: &Path) -> Result<Self> {
        let damaged = |what: &str| Error::Damaged {
            file: path.to_path_buf(),
            offset: 0,
            what: what.to_owned(),
        };
        if bytes[..8] != *MAGIC {
            return Err(damaged("it does not begin as a segment of a log does"));
        }
        let found = word(&bytes, 8);
        if found != VERSION {
            return Err(Error::OtherVersion {
                file: path.to_path_buf(),
                found,
            });
        }
        let sum = word(&bytes, 12);
        bytes[12..16].fill(0);
        if sum != crc32fast::hash(&bytes) {
            return Err(damaged("the checksum of its first bytes is wrong"));
        }
        let prefix = Self {
            first: double_word(&bytes, 16),
            allocated: double_word(&bytes, 24),
        };
        if prefix.allocated > ALLOCATED_BYTES_MAX {
            return Err(damaged("it says that it is longer than any segment"));
        }
        if prefix.first > FIRST_MAX {
            return Err(damaged("it begins with a record that no log comes to"));
        }
        Ok(prefix)
    }
}

/// A step of the walk over a segment.
#[derive(Debug)]
pub(crate) enum Step {
    /// A record, whose payload the walk holds until the next step.
    Record(Header),
    Seal,
    Finish,
    /// The file is at its end.
    End,
    /// What stands here is no record.
    Fault(Fault),
}

/// A walk over the records of a segment, in bounded memory.
#[derive(Debug)]
pub(crate) struct Walk {
    pub(crate) path: PathBuf,
    pub(crate) prefix: Prefix,
    file: BufReader<File>,
    file_bytes: u64,
    offset: u64,
    /// The number of the next record.
    pub(crate) next: u64,
    pub(crate) payload: Vec<u8>,
}

impl Walk {
    /// Opens a segment and reads its first bytes.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).not("opened", path)?;
        let file_bytes = file.metadata().not("read", path)?.len();
        let mut file = BufReader::with_capacity(READ_AHEAD_BYTES, file);
        let damaged = |offset, what: &str| Error::Damaged {
            file: path.to_path_buf(),
            offset,
            what: what.to_owned(),
        };
        let mut prefix = [0; PREFIX_BYTES];
        if file_bytes < PREFIX_BYTES as u64 {
            return Err(damaged(file_bytes, "it ends before its first record"));
        }
        file.read_exact(&mut prefix).not("read", path)?;
        let prefix = Prefix::parse(prefix, path)?;
        if file_bytes > prefix.allocated {
            return Err(damaged(
                prefix.allocated,
                "it goes on where it ended when it was made",
            ));
        }
        Ok(Self {
            path: path.to_path_buf(),
            prefix,
            file,
            file_bytes,
            offset: PREFIX_BYTES as u64,
            next: prefix.first,
            payload: Vec::new(),
        })
    }

    /// Returns where the next step begins; after a fault, where the fault is.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads what comes next.
    pub(crate) fn step(&mut self) -> Result<Step> {
        match self.read() {
            Ok(step) => Ok(step),
            // Shorter than it was a moment ago.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Ok(Step::Fault(Fault::Short))
            }
            Err(error) => Err(error).not("read", &self.path),
        }
    }

    fn read(&mut self) -> io::Result<Step> {
        let left = self.file_bytes - self.offset;
        if left == 0 {
            return Ok(Step::End);
        }
        if left < HEADER_BYTES as u64 {
            return Ok(Step::Fault(Fault::Short));
        }
        let mut header = [0; HEADER_BYTES];
        self.file.read_exact(&mut header)?;
        let place = Place {
            segment: self.prefix.first,
            offset: self.offset,
        };
        match Header::parse(&header, place) {
            Ok(header) if header.sequence != self.next => {
                let (expected, found) = (self.next, header.sequence);
                Ok(Step::Fault(Fault::Sequence { expected, found }))
            }
            Ok(header) if header.whole_bytes() as u64 > left => Ok(Step::Fault(Fault::Short)),
            Ok(header) => self.read_payload(header),
            Err(fault) => Ok(Step::Fault(fault)),
        }
    }

    fn read_payload(&mut self, header: Header) -> io::Result<Step> {
        self.payload.resize(header.payload_bytes as usize, 0);
        self.file.read_exact(&mut self.payload)?;
        if crc32fast::hash(&self.payload) != header.payload_sum {
            return Ok(Step::Fault(Fault::PayloadSum));
        }
        self.offset += header.whole_bytes() as u64;
        Ok(match header.kind {
            Kind::Record => {
                self.next += 1;
                Step::Record(header)
            }
            Kind::Seal => Step::Seal,
            Kind::Finish => Step::Finish,
        })
    }

    /// Says that what stands here is damage.
    pub(crate) fn damaged(&self, what: &impl ToString) -> Error {
        Error::Damaged {
            file: self.path.clone(),
            offset: self.offset,
            what: what.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{PREFIX_BYTES, Prefix};
    use crate::log::flusher::segment_bytes;
    use crate::log::{Error, Log, Options, RECORD_BYTES_MAX, SEGMENT_BYTES_MAX, folder};

    const PREFIX: Prefix = Prefix {
        first: 70_000,
        allocated: 1 << 20,
    };

    #[test]
    fn first_bytes_are_read_as_they_were_written() {
        assert_eq!(
            Prefix::parse(PREFIX.to_bytes(), Path::new("f")).unwrap(),
            PREFIX
        );
    }

    #[test]
    fn every_flipped_bit_of_the_first_bytes_is_found() {
        for bit in 0..PREFIX_BYTES * 8 {
            let mut bytes = PREFIX.to_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(
                Prefix::parse(bytes, Path::new("f")).is_err(),
                "bit {bit} was not missed"
            );
        }
    }

    #[test]
    fn no_segment_is_longer_than_the_longest_that_is_made() {
        let longest = segment_bytes(SEGMENT_BYTES_MAX, RECORD_BYTES_MAX as u64);
        for (allocated, is_made) in [(longest, true), (longest + 1, false), (u64::MAX, false)] {
            let prefix = Prefix {
                allocated,
                ..PREFIX
            };
            let parsed = Prefix::parse(prefix.to_bytes(), Path::new("f"));
            assert_eq!(parsed.is_ok(), is_made, "{allocated}");
        }
    }

    #[test]
    fn a_segment_whose_numbers_would_run_out_is_damage() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder::segment(folder.path(), u64::MAX);
        let prefix = Prefix {
            first: u64::MAX,
            allocated: 4_096,
        };
        let mut bytes = prefix.to_bytes().to_vec();
        bytes.resize(4_096, 0);
        fs::write(&path, bytes).unwrap();
        let error = Log::open(folder.path(), Options::default()).unwrap_err();
        assert!(
            matches!(&error, Error::Damaged { file, .. } if *file == path),
            "{error}"
        );
    }

    #[test]
    fn another_version_is_named() {
        let mut bytes = PREFIX.to_bytes();
        bytes[8] = 9;
        let error = Prefix::parse(bytes, Path::new("f")).unwrap_err();
        assert!(
            matches!(error, Error::OtherVersion { found: 9, .. }),
            "{error}"
        );
    }
}
