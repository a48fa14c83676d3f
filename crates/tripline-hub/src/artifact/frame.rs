//! The frame of a zip file of one entry, read strictly.
//!
//! A zip file says everything twice, before each file and at its end, and programs differ in which of the two they
//! believe; archives that read differently to two readers live from that. So here both must agree, and nothing may lie
//! between, before or behind: the entry begins at the first byte, the directory is right behind it, and the end right
//! behind that. Numbers are little-endian, and named as in PKWARE's application note. Tested in `tests/hub/artifact`.

use super::refusal::Refusal;

const END_MARK: u32 = 0x0605_4b50;
const END_BYTES: usize = 22;
/// What stands right before the end where the end's numbers are too short: other numbers count then.
const LARGE_MARK: &[u8] = b"PK\x06\x07";
const LARGE_BYTES: usize = 20;
const CENTRAL_MARK: u32 = 0x0201_4b50;
const CENTRAL_BYTES: usize = 46;
const LOCAL_MARK: u32 = 0x0403_4b50;
const LOCAL_BYTES: usize = 30;
const DESCRIPTOR_MARK: u32 = 0x0807_4b50;

/// Encryption, strong encryption, and a masked directory.
const ENCRYPTED_FLAGS: u16 = 1 | 1 << 6 | 1 << 13;
/// Checksum and sizes follow the data, because whoever wrote it did not know them before.
const DESCRIPTOR_FLAG: u16 = 1 << 3;

/// The kind of file, as Unix has it in the upper half of the attributes.
const KIND_MASK: u32 = 0o170_000;
const KIND_FILE: u32 = 0o100_000;
/// The mark of a folder in the lower half, as DOS has it.
const DOS_FOLDER: u32 = 0x10;

/// What the frame says about the one entry.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frame<'a> {
    /// Its name.
    pub(super) name: &'a [u8],
    /// How large it is unpacked, if that is true.
    pub(super) size: u32,
    /// How it is packed.
    pub(super) method: u16,
}

/// The numbers that both headers of an entry hold.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
struct Numbers {
    flags: u16,
    method: u16,
    checksum: u32,
    packed: u32,
    size: u32,
}

impl<'a> Frame<'a> {
    /// Reads the frame.
    pub(super) fn of(zip: &'a [u8]) -> Result<Self, Refusal> {
        let bytes = Bytes(zip);
        let directory_at = directory(bytes)?;
        let header = bytes.skip(directory_at, "its directory is missing")?;
        let (numbers, name) = central(header)?;
        let local = local(bytes, numbers, name)?;
        let packed_end = local + numbers.packed as usize;
        let behind = zip
            .get(packed_end..directory_at)
            .ok_or_else(|| Refusal::malformed("its directory lies within its data"))?;
        if !is_descriptor(behind, numbers) {
            return Err(Refusal::malformed(
                "something lies between its data and its directory",
            ));
        }
        Ok(Self {
            name,
            size: numbers.size,
            method: numbers.method,
        })
    }
}

/// Reads the end, and returns where the directory begins.
fn directory(bytes: Bytes<'_>) -> Result<usize, Refusal> {
    let no_end = "it does not end where a zip file ends";
    let end_at = bytes.0.len().checked_sub(END_BYTES);
    let end_at = end_at.ok_or_else(|| Refusal::malformed(no_end))?;
    let end = bytes.skip(end_at, no_end)?;
    if end.long(0)? != END_MARK || end.short(20)? != 0 {
        return Err(Refusal::malformed(no_end));
    }
    let (disk, directory_disk) = (end.short(4)?, end.short(6)?);
    let (entries_here, entries) = (end.short(8)?, end.short(10)?);
    if disk != 0 || directory_disk != 0 || entries_here != entries {
        return Err(Refusal::malformed("it is one of several parts"));
    }
    if entries != 1 {
        return Err(Refusal::Entries { entries });
    }
    let before = bytes.0[..end_at].last_chunk::<LARGE_BYTES>();
    if before.is_some_and(|before| before.starts_with(LARGE_MARK)) {
        return Err(Refusal::malformed(
            "it says that it is larger than files of its kind can be",
        ));
    }
    let (size, start) = (end.long(12)? as usize, end.long(16)? as usize);
    if start.checked_add(size) != Some(end_at) {
        return Err(Refusal::malformed(
            "its directory does not lie right before its end",
        ));
    }
    Ok(start)
}

/// Reads the entry of the directory.
fn central(header: Bytes<'_>) -> Result<(Numbers, &[u8]), Refusal> {
    if header.long(0)? != CENTRAL_MARK {
        return Err(Refusal::malformed("its directory does not begin as one"));
    }
    let numbers = header.numbers(8)?;
    let lengths = [header.short(28)?, header.short(30)?, header.short(32)?];
    let whole = lengths
        .iter()
        .map(|length| usize::from(*length))
        .sum::<usize>()
        + CENTRAL_BYTES;
    if whole + END_BYTES != header.0.len() || lengths[2] != 0 {
        return Err(Refusal::malformed(
            "there is more in its directory than one entry",
        ));
    }
    let (disk, attributes, local_at) = (header.short(34)?, header.long(38)?, header.long(42)?);
    if disk != 0 || local_at != 0 {
        return Err(Refusal::malformed(
            "its entry does not begin at its first byte",
        ));
    }
    let name = header.part(CENTRAL_BYTES, lengths[0])?;
    let kind = (attributes >> 16) & KIND_MASK;
    if !matches!(kind, 0 | KIND_FILE) || attributes & DOS_FOLDER != 0 || name.ends_with(b"/") {
        return Err(Refusal::NoFile);
    }
    if numbers.flags & ENCRYPTED_FLAGS != 0 {
        return Err(Refusal::Encrypted);
    }
    Ok((numbers, name))
}

/// Compares the header before the data with the one in the directory, and returns where the data begin.
fn local(bytes: Bytes<'_>, central: Numbers, name: &[u8]) -> Result<usize, Refusal> {
    if bytes.long(0)? != LOCAL_MARK {
        return Err(Refusal::malformed("it does not begin as a zip file"));
    }
    let numbers = bytes.numbers(6)?;
    let untold = Numbers {
        checksum: 0,
        packed: 0,
        size: 0,
        ..central
    };
    let is_later = central.flags & DESCRIPTOR_FLAG != 0;
    if numbers != central && !(is_later && numbers == untold) {
        return Err(Refusal::malformed("its two headers differ"));
    }
    let (name_bytes, extra_bytes) = (bytes.short(26)?, bytes.short(28)?);
    if bytes.part(LOCAL_BYTES, name_bytes)? != name {
        return Err(Refusal::malformed("its two headers differ in the name"));
    }
    Ok(LOCAL_BYTES + usize::from(name_bytes) + usize::from(extra_bytes))
}

/// Returns whether what lies behind the data is what may lie there: nothing, or the numbers once more.
fn is_descriptor(behind: &[u8], numbers: Numbers) -> bool {
    if numbers.flags & DESCRIPTOR_FLAG == 0 {
        return behind.is_empty();
    }
    let told: Vec<u8> = [numbers.checksum, numbers.packed, numbers.size]
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    behind == told || behind.strip_prefix(&DESCRIPTOR_MARK.to_le_bytes()) == Some(&told[..])
}

/// Bytes out of which numbers are read, wherever somebody says that they are.
#[derive(Clone, Copy)]
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn skip(self, at: usize, otherwise: &str) -> Result<Self, Refusal> {
        let rest = self.0.get(at..);
        rest.map(Self).ok_or_else(|| Refusal::malformed(otherwise))
    }

    fn array<const N: usize>(self, at: usize) -> Result<[u8; N], Refusal> {
        let found = self.0.get(at..).and_then(<[u8]>::first_chunk);
        found
            .copied()
            .ok_or_else(|| Refusal::malformed("it is cut"))
    }

    fn short(self, at: usize) -> Result<u16, Refusal> {
        self.array(at).map(u16::from_le_bytes)
    }

    fn long(self, at: usize) -> Result<u32, Refusal> {
        self.array(at).map(u32::from_le_bytes)
    }

    fn part(self, at: usize, length: u16) -> Result<&'a [u8], Refusal> {
        let part = self.0.get(at..at + usize::from(length));
        part.ok_or_else(|| Refusal::malformed("it is cut"))
    }

    /// Reads what follows the version in both headers; time and date lie between method and checksum.
    fn numbers(self, at: usize) -> Result<Numbers, Refusal> {
        Ok(Numbers {
            flags: self.short(at)?,
            method: self.short(at + 2)?,
            checksum: self.long(at + 8)?,
            packed: self.long(at + 12)?,
            size: self.long(at + 16)?,
        })
    }
}
