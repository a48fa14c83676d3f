//! The log: appends, syncs, snapshots, and what is left of it after a crash.
//!
//! Tests: stories, threads, kills and damage in `tests/it/log`; failing disks in `faults`.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Weak};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use parking_lot::Mutex;

use super::batch::{Batch, Summed};
use super::error::{Error, Refused as _, Result};
use super::flusher::Flusher;
use super::folder::{self, Lock};
use super::handover::Handover;
use super::media::{Disk, Media, or_here};
use super::options::{Options, RECORD_BYTES_MAX, SEGMENT_BYTES_MAX, Sync};
use super::records::Records;
use super::recovery::{Recovery, recover};
use super::snapshot;

/// A durable log that many threads may use at once.
///
/// Dropping it closes it and keeps quiet about what fails then; [`Self::close`] tells.
#[derive(Debug)]
pub struct Log {
    folder: PathBuf,
    media: Arc<dyn Media>,
    sync: Sync,
    handover: Arc<Handover<Flusher>>,
    readable: Arc<AtomicU64>,
    syncs: Arc<AtomicU64>,
    ticker: Option<Ticker>,
    /// Held while a snapshot is written.
    snapshots: Mutex<()>,
    /// Held while files are removed, and while those are opened that must not be. Apart from the one above, so that
    /// nobody who restores waits for a snapshot. Inside are the tails that are read, whose segments stay.
    removal: Mutex<Tails>,
    /// Held until the log is closed.
    _lock: Lock,
}

/// Where a state begins again: the newest snapshot, and the records that it does not cover.
#[derive(Debug)]
pub struct Restored {
    /// What the records before the tail add up to, if there is a snapshot.
    pub snapshot: Option<snapshot::Reader>,
    /// The records from there on.
    pub tail: Records,
}

impl Log {
    /// Opens the log in a folder, which is made if it is not there.
    ///
    /// # Errors
    /// The options are beyond a limit, the folder cannot be read or written, somebody else has the log open, or it is
    /// damaged. Nothing that is stored is changed then, unless the disk refuses a write in the middle: whatever is still
    /// to be done, the next opening does.
    pub fn open(folder: impl AsRef<Path>, options: Options) -> Result<(Self, Recovery)> {
        Self::open_on(folder.as_ref(), options, Arc::new(Disk))
    }

    /// Opens a log on a disk of the caller's.
    pub(crate) fn open_on(
        folder: &Path,
        options: Options,
        media: Arc<dyn Media>,
    ) -> Result<(Self, Recovery)> {
        if options.segment_bytes > SEGMENT_BYTES_MAX {
            return Err(Error::SegmentTooLong {
                bytes: options.segment_bytes,
            });
        }
        if options.sync == Sync::Interval(Duration::ZERO) {
            return Err(Error::NoInterval);
        }
        let lock = folder::lock(folder, media.as_ref())?;
        let recovered = recover(folder, media.as_ref(), options.segment_bytes)?;
        let recovery = recovered.recovery;
        let next = recovery.records.end;
        let shared = Arc::clone(&media);
        let flusher = Flusher::new(folder, shared, options.segment_bytes, recovered.open, next);
        let (readable, syncs) = (flusher.readable(), flusher.syncs());
        let first = Batch {
            next,
            ..Batch::default()
        };
        let handover = Arc::new(Handover::new(flusher, first));
        let ticker = match options.sync {
            Sync::Interval(interval) => Some(Ticker::start(interval, Arc::clone(&handover))),
            Sync::Always | Sync::Never => None,
        };
        let log = Self {
            folder: folder.to_path_buf(),
            media,
            sync: options.sync,
            handover,
            readable,
            syncs,
            ticker,
            snapshots: Mutex::new(()),
            removal: Mutex::default(),
            _lock: lock,
        };
        Ok((log, recovery))
    }

    /// Appends a record and returns its number, once the record is as safe as [`Options::sync`] says.
    ///
    /// # Errors
    /// The record is too long, or the log has stopped.
    pub fn append(&self, payload: &[u8]) -> Result<u64> {
        let summed = sum(payload)?;
        self.submit(|batch| {
            batch.sync |= self.sync == Sync::Always;
            batch.push(&summed)
        })
    }

    /// Appends records that come to the disk together, and returns their numbers.
    ///
    /// They are one write for the disk, not one for a crash: the first of them may survive it without the others, as
    /// long as this has not returned.
    ///
    /// # Errors
    /// A record is too long, and then none is written; or the log has stopped.
    pub fn append_batch<P: AsRef<[u8]>>(
        &self,
        payloads: impl IntoIterator<Item = P>,
    ) -> Result<Range<u64>> {
        let payloads: Vec<P> = payloads.into_iter().collect();
        let summed = payloads.iter().map(|payload| sum(payload.as_ref()));
        let summed = summed.collect::<Result<Vec<_>>>()?;
        self.submit(|batch| {
            batch.sync |= self.sync == Sync::Always;
            batch.push_all(&summed)
        })
    }

    /// Returns when all that was appended before is on the disk, whatever the log's [`Sync`] is.
    ///
    /// # Errors
    /// The log has stopped.
    pub fn sync(&self) -> Result<()> {
        self.submit(|batch| batch.sync = true)
    }

    /// Returns the number that the next record would have, if all that was appended is acknowledged.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.readable.load(Ordering::Acquire)
    }

    /// Returns how many times records were synced since the log was opened: with several threads that wait, fewer than
    /// there were records. The mark that ends a full segment counts as one. Making a segment syncs files that hold none
    /// yet, which is not counted.
    #[must_use]
    pub fn syncs(&self) -> u64 {
        self.syncs.load(Ordering::Relaxed)
    }

    /// Returns the number that the next record will have, whether those before are acknowledged or wait for that.
    #[cfg(test)]
    pub(super) fn gathered(&self) -> u64 {
        self.handover.gathered(|batch| batch.next)
    }

    /// Returns the records from a number on, up to what is acknowledged now.
    ///
    /// # Errors
    /// The log no longer has the first of them.
    pub fn records(&self, from: u64) -> Result<Records> {
        let begin = self.begin()?;
        if from < begin {
            return Err(Error::NotCovered { begin });
        }
        Ok(Records::new(&self.folder, from, self.end()))
    }

    /// Returns the number of the first record that the log has, or would have.
    fn begin(&self) -> Result<u64> {
        let segments = folder::segments(&self.folder)?;
        Ok(segments
            .first()
            .map_or_else(|| self.end(), |file| file.number))
    }

    /// Writes a snapshot of what all records before `covers` add up to, and returns the number of its records.
    ///
    /// The records of the snapshot are bytes that mean something to the caller alone. They are written as they come.
    ///
    /// # Errors
    /// The log does not have all the covered records, a record is too long, or the disk refuses. Older snapshots stay.
    pub fn snapshot<P: AsRef<[u8]>>(
        &self,
        covers: u64,
        records: impl IntoIterator<Item = P>,
    ) -> Result<u64> {
        let _alone = self.snapshots.lock();
        let end = self.end();
        if covers > end {
            return Err(Error::AheadOfLog { covers, end });
        }
        // A log that came back shorter than its snapshot would give its next records numbers that are covered already.
        self.sync()?;
        let path = folder::snapshot(&self.folder, covers);
        let media = Arc::clone(&self.media);
        let mut writer = snapshot::Writer::create_on(media, &path, covers)?;
        for record in records {
            writer.push(record.as_ref())?;
        }
        writer.finish()
    }

    /// Returns the newest snapshot and the records behind it. Until those are dropped, [`Self::remove_covered`] keeps
    /// their segments.
    ///
    /// # Errors
    /// Records are missing between them, or the snapshot cannot be read.
    pub fn restore(&self) -> Result<Restored> {
        let mut tails = self.removal.lock();
        let newest = folder::snapshots(&self.folder)?.pop();
        let from = newest.as_ref().map_or(0, |file| file.number);
        let snapshot = newest.as_ref().map(snapshot::open).transpose()?;
        let tail = self.records(from)?.kept(tails.begin(from));
        Ok(Restored { snapshot, tail })
    }

    /// Removes the segments and snapshots that the newest snapshot makes needless, and returns how many files those were.
    /// What somebody who restored still reads, a later call removes.
    ///
    /// # Errors
    /// The newest snapshot cannot be read to its end, and then nothing is removed; or the disk refuses.
    pub fn remove_covered(&self) -> Result<usize> {
        let tails = self.removal.lock();
        let mut snapshots = folder::snapshots(&self.folder)?;
        let Some(newest) = snapshots.pop() else {
            return Ok(0);
        };
        let covers = tails
            .first()
            .map_or(newest.number, |tail| tail.min(newest.number));
        for record in snapshot::open(&newest)? {
            record?;
        }
        let segments = folder::segments(&self.folder)?;
        // A segment is covered when the one behind it begins no later than the tail does.
        let covered = segments
            .windows(2)
            .filter(|pair| pair[1].number <= covers)
            .map(|pair| &pair[0]);
        let needless: Vec<_> = covered.chain(&snapshots).collect();
        // The snapshot first: its name may have been given by a process that died before it synced the folder.
        if !needless.is_empty() {
            self.sync_folder()?;
        }
        for file in &needless {
            self.media.remove(&file.path).not("removed", &file.path)?;
            // One by one: a crash must not keep a segment and lose one behind it.
            self.sync_folder()?;
        }
        Ok(needless.len())
    }

    fn sync_folder(&self) -> Result<()> {
        let synced = self.media.sync_folder(or_here(&self.folder));
        synced.not("synced", &self.folder)
    }

    /// Syncs what the log's [`Sync`] promises, and closes the log.
    ///
    /// # Errors
    /// The last sync failed, or an earlier write or sync: what the log holds is known when it is opened anew.
    pub fn close(mut self) -> Result<()> {
        self.shut()
    }

    fn shut(&mut self) -> Result<()> {
        self.ticker = None;
        let last = self.sync != Sync::Never;
        self.submit(|batch| (batch.sync, batch.seal) = (last, last))
    }

    fn submit<T>(&self, add: impl FnOnce(&mut Batch) -> T) -> Result<T> {
        self.handover.submit(add).map_err(Error::Stopped)
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        // Whoever wants to know calls `close`; a second seal is none.
        let _ = self.shut();
    }
}

fn sum(payload: &[u8]) -> Result<Summed<'_>> {
    let bytes = payload.len();
    let in_limit = bytes <= RECORD_BYTES_MAX;
    in_limit
        .then(|| Summed::new(payload))
        .flatten()
        .ok_or(Error::RecordTooLong { bytes })
}

/// Where the tails begin that somebody may still read.
#[derive(Debug, Default)]
struct Tails(Vec<Weak<u64>>);

impl Tails {
    /// Notes a tail. It counts until what is returned is dropped.
    fn begin(&mut self, from: u64) -> Arc<u64> {
        self.0.retain(|tail| tail.strong_count() > 0);
        let tail = Arc::new(from);
        self.0.push(Arc::downgrade(&tail));
        tail
    }

    /// Returns the lowest of their numbers.
    fn first(&self) -> Option<u64> {
        self.0.iter().filter_map(Weak::upgrade).map(|it| *it).min()
    }
}

/// A thread that syncs once in an interval, until it is dropped.
#[derive(Debug)]
struct Ticker {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    fn start(interval: Duration, handover: Arc<Handover<Flusher>>) -> Self {
        let (stop, stopped) = mpsc::channel();
        let tick = move || {
            while stopped.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                // A failure stops the log: the next append tells.
                if handover.submit(|batch| batch.sync = true).is_err() {
                    break;
                }
            }
        };
        Self {
            stop: Some(stop),
            thread: Some(thread::spawn(tick)),
        }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
