//! Snapshots: what the records before a certain one add up to, in a file of their own.
//!
//! A snapshot is written and read as a stream, one record in memory at a time. It has its name only once all of it is
//! on the disk. Each checksum begins with the one before, from the first bytes to the trailer, so that a record cannot
//! be missing, twice, or in another place; the trailer says how many there are.
//!
//! Tests: every byte of a snapshot is flipped, and a snapshot is cut at every byte; `faults` fails and loses power at
//! each step of writing one.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::{Error, Refused as _, Result};
use super::folder::{self, Numbered};
use super::media::{Disk, Media, Medium, folder_of};
use super::options::RECORD_BYTES_MAX;
use super::record::{double_word, word};
use super::segment::{FIRST_MAX, VERSION};

const MAGIC: &[u8; 8] = b"wsnap\r\n\x1a";

/// Magic, version, checksum, and the first record that is not covered.
const PREFIX_BYTES: usize = 24;

/// A checksum and a length.
const HEADER_BYTES: usize = 8;

/// Stands where the length of a record would, and is none: see [`RECORD_BYTES_MAX`].
const TRAILER: u32 = u32::MAX;

/// Writes a snapshot. Dropped before [`Self::finish`], it leaves nothing.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    unfinished: PathBuf,
    media: Arc<dyn Media>,
    file: BufWriter<Stream>,
    count: u64,
    sum: u32,
}

impl Writer {
    /// Begins a snapshot of what all records of a log before `covers` add up to.
    ///
    /// # Errors
    /// The file cannot be made or written.
    pub fn create(path: &Path, covers: u64) -> Result<Self> {
        Self::create_on(Arc::new(Disk), path, covers)
    }

    /// Begins a snapshot on a disk of the caller's.
    pub(crate) fn create_on(media: Arc<dyn Media>, path: &Path, covers: u64) -> Result<Self> {
        let unfinished = folder::unfinished_of(path);
        let medium = media.create(&unfinished).not("made", &unfinished)?;
        let prefix = prefix(covers);
        let mut writer = Self {
            path: path.to_path_buf(),
            unfinished,
            media,
            file: BufWriter::new(Stream { medium, offset: 0 }),
            count: 0,
            sum: word(&prefix, 12),
        };
        writer.write(&prefix)?;
        Ok(writer)
    }

    /// Adds a record.
    ///
    /// # Errors
    /// The record is too long, or the file cannot be written.
    pub fn push(&mut self, payload: &[u8]) -> Result<()> {
        let bytes = payload.len();
        let length = u32::try_from(bytes).ok();
        let length = length.filter(|_| bytes <= RECORD_BYTES_MAX);
        let length = length.ok_or(Error::RecordTooLong { bytes })?;
        self.put(length, payload)?;
        self.count += 1;
        Ok(())
    }

    /// Ends the snapshot, brings it to the disk, gives it its name, and returns the number of its records.
    ///
    /// # Errors
    /// The file cannot be written, synced or renamed.
    pub fn finish(mut self) -> Result<u64> {
        self.put(TRAILER, &self.count.to_le_bytes())?;
        self.file.flush().not("written", &self.unfinished)?;
        let medium = &mut self.file.get_mut().medium;
        medium.sync().not("synced", &self.unfinished)?;
        let named = self.media.rename(&self.unfinished, &self.path);
        named.not("given its name", &self.path)?;
        let folder = folder_of(&self.path);
        self.media.sync_folder(folder).not("synced", folder)?;
        Ok(self.count)
    }

    fn put(&mut self, length: u32, payload: &[u8]) -> Result<()> {
        self.sum = sum_after(self.sum, length, payload);
        let mut header = [0; HEADER_BYTES];
        header[..4].copy_from_slice(&self.sum.to_le_bytes());
        header[4..].copy_from_slice(&length.to_le_bytes());
        self.write(&header)?;
        self.write(payload)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).not("written", &self.unfinished)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Not there any more if the snapshot has its name; if it stays, the next opening of the log removes it.
        let _ = self.media.remove(&self.unfinished);
    }
}

/// A file that is written from its beginning to its end.
struct Stream {
    medium: Box<dyn Medium>,
    offset: u64,
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.medium.write_at(bytes, self.offset)?;
        self.offset += written as u64;
        Ok(written)
    }

    /// Nothing is held here: what brings it to the disk is [`Medium::sync`].
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut stream = f.debug_struct("Stream");
        stream.field("offset", &self.offset).finish_non_exhaustive()
    }
}

/// Reads the records of a snapshot, in order.
///
/// The last item is an error if the snapshot is not whole: what came before it is right, and not all. After an error
/// there are no more.
#[derive(Debug)]
pub struct Reader {
    path: PathBuf,
    file: BufReader<File>,
    covers: u64,
    offset: u64,
    count: u64,
    sum: u32,
    ended: bool,
}

impl Reader {
    /// Opens a snapshot.
    ///
    /// # Errors
    /// The file cannot be read, or does not begin as a snapshot of this version does.
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).not("opened", path)?;
        let mut reader = Self {
            path: path.to_path_buf(),
            file: BufReader::new(file),
            covers: 0,
            offset: 0,
            count: 0,
            sum: 0,
            ended: false,
        };
        let mut found = [0; PREFIX_BYTES];
        reader.read(&mut found)?;
        if found[..8] != *MAGIC {
            return Err(reader.damaged("it does not begin as a snapshot does"));
        }
        let version = word(&found, 8);
        if version != VERSION {
            return Err(Error::OtherVersion {
                file: reader.path,
                found: version,
            });
        }
        reader.covers = double_word(&found, 16);
        if found != prefix(reader.covers) {
            return Err(reader.damaged("the checksum of its first bytes is wrong"));
        }
        reader.sum = word(&found, 12);
        reader.offset = PREFIX_BYTES as u64;
        Ok(reader)
    }

    /// Returns the number of the first record that is not covered.
    #[must_use]
    pub fn covers(&self) -> u64 {
        self.covers
    }

    fn next_record(&mut self) -> Result<Option<Vec<u8>>> {
        let mut header = [0; HEADER_BYTES];
        self.read(&mut header)?;
        let length = word(&header, 4);
        let is_trailer = length == TRAILER;
        let bytes = if is_trailer { 8 } else { length as usize };
        if bytes > RECORD_BYTES_MAX {
            return Err(self.damaged("a length is beyond the limit"));
        }
        let mut payload = vec![0; bytes];
        self.read(&mut payload)?;
        self.sum = sum_after(self.sum, length, &payload);
        if self.sum != word(&header, 0) {
            return Err(self.damaged("a checksum is wrong"));
        }
        if is_trailer {
            return self.check_end(double_word(&payload, 0)).map(|()| None);
        }
        self.count += 1;
        self.offset += (HEADER_BYTES + bytes) as u64;
        Ok(Some(payload))
    }

    fn check_end(&mut self, count: u64) -> Result<()> {
        if count != self.count {
            return Err(self.damaged("the number of records is wrong"));
        }
        let mut more = [0];
        match self.file.read(&mut more).not("read", &self.path)? {
            0 => Ok(()),
            _ => Err(self.damaged("something stands behind its end")),
        }
    }

    fn read(&mut self, bytes: &mut [u8]) -> Result<()> {
        match self.file.read_exact(bytes) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(self.damaged("it ends, and more of it was written"))
            }
            other => other.not("read", &self.path),
        }
    }

    fn damaged(&self, what: &str) -> Error {
        Error::Damaged {
            file: self.path.clone(),
            offset: self.offset,
            what: what.to_owned(),
        }
    }
}

impl Iterator for Reader {
    type Item = Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let record = self.next_record().transpose();
        self.ended = !matches!(record, Some(Ok(_)));
        record
    }
}

/// Opens a snapshot that must cover what its name says.
pub(crate) fn open(file: &Numbered) -> Result<Reader> {
    let reader = Reader::open(&file.path)?;
    if reader.covers != file.number {
        return Err(reader.damaged("it says that it covers other records than its name does"));
    }
    if reader.covers > FIRST_MAX {
        return Err(reader.damaged("it covers records that no log comes to"));
    }
    Ok(reader)
}

fn prefix(covers: u64) -> [u8; PREFIX_BYTES] {
    let mut bytes = [0; PREFIX_BYTES];
    bytes[..8].copy_from_slice(MAGIC);
    bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
    bytes[16..].copy_from_slice(&covers.to_le_bytes());
    let sum = crc32fast::hash(&bytes);
    bytes[12..16].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Returns the checksum of a record that follows one with a certain checksum.
fn sum_after(sum: u32, length: u32, payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&sum.to_le_bytes());
    hasher.update(&length.to_le_bytes());
    hasher.update(payload);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::{Reader, Writer};
    use crate::log::{Error, RECORD_BYTES_MAX};

    const RECORDS: [&[u8]; 4] = [b"one", b"", b"three", &[7; 300]];

    fn written(folder: &Path) -> PathBuf {
        let path = folder.join("snapshot");
        let mut writer = Writer::create(&path, 42).unwrap();
        for record in RECORDS {
            writer.push(record).unwrap();
        }
        assert_eq!(writer.finish().unwrap(), RECORDS.len() as u64);
        path
    }

    /// Whatever is wrong, what is read before the error was written, in order.
    fn assert_refused(path: &Path, what: &str) {
        let Ok(reader) = Reader::open(path) else {
            return;
        };
        let read: Vec<_> = reader.collect();
        let (last, before) = read.split_last().expect("at least an error");
        assert!(last.is_err(), "{what} was not missed");
        for (read, written) in before.iter().zip(RECORDS) {
            assert_eq!(read.as_deref().unwrap(), written, "{what}");
        }
    }

    #[test]
    fn a_snapshot_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = written(folder.path());
        let reader = Reader::open(&path).unwrap();
        assert_eq!(reader.covers(), 42);
        let read: Result<Vec<_>, _> = reader.collect();
        assert_eq!(read.unwrap(), RECORDS);
    }

    #[test]
    fn every_flip_and_every_cut_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = written(folder.path());
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            fs::write(&path, &whole[..at]).unwrap();
            assert_refused(&path, &format!("a cut at {at}"));
            for bit in 0..8 {
                let mut flipped = whole.clone();
                flipped[at] ^= 1 << bit;
                fs::write(&path, flipped).unwrap();
                assert_refused(&path, &format!("bit {bit} of byte {at}"));
            }
        }
        fs::write(&path, [&whole[..], b"x"].concat()).unwrap();
        assert_refused(&path, "a byte behind the end");
    }

    #[test]
    fn an_unfinished_snapshot_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = Writer::create(&folder.path().join("snapshot"), 0).unwrap();
        writer.push(b"one").unwrap();
        drop(writer);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_record_beyond_the_limit_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = Writer::create(&folder.path().join("snapshot"), 0).unwrap();
        let error = writer.push(&vec![0; RECORD_BYTES_MAX + 1]).unwrap_err();
        assert!(matches!(error, Error::RecordTooLong { .. }), "{error}");
    }
}
