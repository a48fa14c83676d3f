//! Zip files as nobody honest writes them: every field can be set to anything.

use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// One entry of a zip file.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) name: Vec<u8>,
    /// The name before the data, where it differs.
    pub(crate) local_name: Option<Vec<u8>>,
    /// What is packed, as it is packed.
    pub(crate) data: Vec<u8>,
    pub(crate) checksum: u32,
    /// How large it says it is unpacked.
    pub(crate) size: u32,
    pub(crate) flags: u16,
    pub(crate) method: u16,
    pub(crate) attributes: u32,
    pub(crate) extra: Vec<u8>,
    pub(crate) comment: Vec<u8>,
}

impl Entry {
    /// Returns an honest entry that is not packed.
    pub(crate) fn stored(name: &str, bytes: &[u8]) -> Self {
        Self {
            name: name.into(),
            local_name: None,
            data: bytes.to_vec(),
            checksum: checksum(bytes),
            size: bytes.len().try_into().unwrap(),
            flags: 0,
            method: 0,
            attributes: 0o100_644 << 16,
            extra: Vec::new(),
            comment: Vec::new(),
        }
    }
}

/// A zip file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Zip {
    pub(crate) entries: Vec<Entry>,
    /// Before the first entry.
    pub(crate) front: Vec<u8>,
    /// Between the data and the directory.
    pub(crate) middle: Vec<u8>,
    /// Behind the end.
    pub(crate) back: Vec<u8>,
    /// How many entries it says it has, where that differs.
    pub(crate) entries_said: Option<u16>,
    pub(crate) comment: Vec<u8>,
}

impl Zip {
    /// Returns a zip file of one entry.
    pub(crate) fn of(entry: Entry) -> Self {
        Self {
            entries: vec![entry],
            ..Self::default()
        }
    }

    /// Writes it.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut out = self.front.clone();
        let mut directory = Vec::new();
        for entry in &self.entries {
            directory.extend(entry.central(out.len()));
            out.extend(entry.local());
        }
        out.extend(&self.middle);
        let at = long(out.len());
        out.extend(&directory);
        let entries = self
            .entries_said
            .unwrap_or(self.entries.len().try_into().unwrap());
        out.extend([b"PK\x05\x06", &[0; 4][..]].concat());
        out.extend([entries.to_le_bytes(), entries.to_le_bytes()].concat());
        out.extend([long(directory.len()), at].concat());
        out.extend(short(self.comment.len()));
        out.extend(&self.comment);
        out.extend(&self.back);
        out
    }
}

impl Entry {
    fn numbers(&self) -> Vec<u8> {
        let (flags, method) = (self.flags.to_le_bytes(), self.method.to_le_bytes());
        let sizes = [
            self.checksum.to_le_bytes(),
            long(self.data.len()),
            self.size.to_le_bytes(),
        ];
        [&[20, 0][..], &flags, &method, &[0; 4], &sizes.concat()].concat()
    }

    fn local(&self) -> Vec<u8> {
        let name = self.local_name.as_ref().unwrap_or(&self.name);
        let mut out = b"PK\x03\x04".to_vec();
        out.extend(self.numbers());
        out.extend([short(name.len()), short(0)].concat());
        out.extend(name);
        out.extend(&self.data);
        out
    }

    fn central(&self, at: usize) -> Vec<u8> {
        let mut out = b"PK\x01\x02\x14\x03".to_vec();
        out.extend(self.numbers());
        let lengths = [self.name.len(), self.extra.len(), self.comment.len()];
        out.extend(lengths.map(short).concat());
        out.extend([0; 4]);
        out.extend(self.attributes.to_le_bytes());
        out.extend(long(at));
        out.extend([&self.name[..], &self.extra, &self.comment].concat());
        out
    }
}

/// Returns a zip file as a well-meaning program writes it, deflated.
pub(crate) fn deflated(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    writer.start_file(name, options).unwrap();
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap().into_inner()
}

fn short(number: usize) -> [u8; 2] {
    u16::try_from(number).unwrap().to_le_bytes()
}

fn long(number: usize) -> [u8; 4] {
    u32::try_from(number).unwrap().to_le_bytes()
}

/// Returns the CRC-32 of zip files, bit by bit.
fn checksum(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = (sum >> 1) ^ (0xEDB8_8320 & (sum & 1).wrapping_neg());
        }
    }
    !sum
}
