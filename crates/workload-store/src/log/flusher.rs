//! The one who writes: puts batches into segments, syncs, and begins the next segment when one is full.
//!
//! Tests: through the log, and in `faults` with a disk that fails.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::batch::Batch;
use super::error::{Error, Refused as _, Result};
use super::folder;
use super::handover::Sink;
use super::media::{Media, Medium, or_here, write_all_at};
use super::record::{self, HEADER_BYTES, Header, Kind, Place};
use super::segment::{PREFIX_BYTES, Prefix, RESERVED_BYTES};

/// The segment that is written to.
pub(crate) struct Open {
    pub(crate) path: PathBuf,
    pub(crate) medium: Box<dyn Medium>,
    pub(crate) prefix: Prefix,
    /// Where the next record goes.
    pub(crate) offset: u64,
    /// Whether a seal is the last thing in the log.
    pub(crate) sealed: bool,
}

/// Writes batches to segments.
pub(crate) struct Flusher {
    folder: PathBuf,
    media: Arc<dyn Media>,
    segment_bytes: u64,
    open: Open,
    /// The records before this one are written.
    next: u64,
    /// The records before this one are on the disk.
    durable: u64,
    /// Whether something was written since the last sync.
    unsynced: bool,
    /// The records before this one can be read.
    readable: Arc<AtomicU64>,
    /// How many times records were synced.
    syncs: Arc<AtomicU64>,
}

impl Flusher {
    /// Continues a log after its last record, all of which is on the disk.
    pub(crate) fn new(
        folder: &Path,
        media: Arc<dyn Media>,
        segment_bytes: u64,
        open: Open,
        next: u64,
    ) -> Self {
        Self {
            folder: folder.to_path_buf(),
            media,
            segment_bytes,
            open,
            next,
            durable: next,
            unsynced: false,
            readable: Arc::new(AtomicU64::new(next)),
            syncs: Arc::default(),
        }
    }

    /// Returns the number that always is the one after the last written record.
    pub(crate) fn readable(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.readable)
    }

    /// Returns the number that always is that of the syncs so far.
    pub(crate) fn syncs(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.syncs)
    }

    fn write(&mut self, batch: &mut Batch) -> Result<()> {
        let bytes = batch.bytes.as_mut_slice();
        // What is before `written` is in its segment; what is before `at` has its place in the open one.
        let (mut written, mut at) = (0, 0);
        while let Some(header) = bytes[at..].first_chunk_mut::<HEADER_BYTES>() {
            let (whole_bytes, sequence) = record::pushed(header);
            if !self.has_room((at - written + whole_bytes) as u64) {
                self.put(&bytes[written..at], sequence)?;
                written = at;
                self.next_segment(whole_bytes as u64)?;
            }
            if let Some(header) = bytes[at..].first_chunk_mut() {
                record::finish(header, self.place(at - written), self.durable);
            }
            at += whole_bytes;
        }
        self.put(&bytes[written..], batch.next)
    }

    fn has_room(&self, bytes: u64) -> bool {
        self.open.offset + bytes + RESERVED_BYTES <= self.open.prefix.allocated
    }

    fn place(&self, ahead: usize) -> Place {
        Place {
            segment: self.open.prefix.first,
            offset: self.open.offset + ahead as u64,
        }
    }

    /// Writes bytes whose last record is the one before `next`.
    fn put(&mut self, bytes: &[u8], next: u64) -> Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        write_all_at(self.open.medium.as_mut(), bytes, self.open.offset)
            .not("written", &self.open.path)?;
        self.open.offset += bytes.len() as u64;
        self.next = next;
        self.unsynced = true;
        self.open.sealed = false;
        Ok(())
    }

    fn sync(&mut self) -> Result<()> {
        if self.unsynced {
            self.open.medium.sync().not("synced", &self.open.path)?;
            self.syncs.fetch_add(1, Ordering::Relaxed);
            self.unsynced = false;
        }
        self.durable = self.next;
        Ok(())
    }

    fn put_mark(&mut self, kind: Kind) -> Result<()> {
        let header = Header {
            kind,
            payload_sum: 0,
            payload_bytes: 0,
            sequence: self.next,
            durable: self.durable,
        };
        let mut bytes = Vec::with_capacity(HEADER_BYTES);
        header.push(&mut bytes);
        if let Some(header) = bytes.first_chunk_mut() {
            record::finish(header, self.place(0), self.durable);
        }
        self.put(&bytes, self.next)
    }

    /// Says in the log that all of it is on the disk, so that whatever is missing later is known to be missing.
    fn seal(&mut self) -> Result<()> {
        if self.open.sealed || self.open.offset == PREFIX_BYTES as u64 {
            return Ok(());
        }
        self.put_mark(Kind::Seal)?;
        self.sync()?;
        self.open.sealed = true;
        Ok(())
    }

    /// Begins a segment that has room for a record, and finishes the open one.
    ///
    /// In this order, so that a finish says that there is a next segment, and a disk too full for one leaves a log that
    /// can be opened.
    fn next_segment(&mut self, record_bytes: u64) -> Result<()> {
        // The name of the next segment says that all records before it are on the disk.
        self.sync()?;
        let allocated = segment_bytes(self.segment_bytes, record_bytes);
        let next = create(&self.folder, self.media.as_ref(), self.next, allocated)?;
        // A segment without any record has the name of the one that took its place.
        if self.open.offset > PREFIX_BYTES as u64 {
            self.put_mark(Kind::Finish)?;
            self.sync()?;
            // Only now: a crash must find the file either whole or finished.
            let trimmed = self.open.medium.trim(self.open.offset);
            trimmed.not("trimmed", &self.open.path)?;
        }
        self.open = next;
        Ok(())
    }
}

/// Returns how long a segment has to be that begins with a record.
pub(crate) fn segment_bytes(wanted: u64, record_bytes: u64) -> u64 {
    wanted.max(PREFIX_BYTES as u64 + record_bytes + RESERVED_BYTES)
}

/// Makes a segment: allocated, its first bytes on the disk, and only then under its name.
pub(crate) fn create(folder: &Path, media: &dyn Media, first: u64, allocated: u64) -> Result<Open> {
    let path = folder::segment(folder, first);
    let unfinished = folder::unfinished_of(&path);
    let prefix = Prefix { first, allocated };
    let mut medium = media.create(&unfinished).not("made", &unfinished)?;
    medium
        .allocate(allocated)
        .not("given its room on the disk", &unfinished)?;
    write_all_at(medium.as_mut(), &prefix.to_bytes(), 0).not("written", &unfinished)?;
    medium.sync().not("synced", &unfinished)?;
    let named = media.rename(&unfinished, &path);
    named.not("given its name", &path)?;
    media.sync_folder(or_here(folder)).not("synced", folder)?;
    Ok(Open {
        path,
        medium,
        prefix,
        offset: PREFIX_BYTES as u64,
        sealed: false,
    })
}

impl Sink for Flusher {
    type Batch = Batch;
    type Failure = Arc<Error>;

    fn flush(&mut self, batch: &mut Batch) -> std::result::Result<(), Arc<Error>> {
        self.write(batch)?;
        if batch.sync {
            self.sync()?;
        }
        if batch.seal {
            self.seal()?;
        }
        self.readable.store(self.next, Ordering::Release);
        Ok(())
    }

    fn lost() -> Arc<Error> {
        Arc::new(Error::Panicked)
    }
}
