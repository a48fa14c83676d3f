//! Opening: reads every segment, tells what a crash leaves behind from damage, and makes what is left durable.
//!
//! A crash tears only what was written since the last sync, and every record says how far that sync had come. So when
//! something is wrong in the last segment, what follows it decides: if a header further on says that this place was on
//! the disk, or that a later life of the log went on behind it, it is damage, and the log is not opened. If nothing
//! does, nobody was promised more than what is before, and the rest is cut off: overwritten with zeros. (But for what
//! came last, which no later record vouches for, and which is cut and told: with `Sync::Always` a batch, else all since
//! the last sync.) A segment that is shorter or longer than it was made, and a fault in any but the last, is always
//! damage. So is a finished segment without the next one, which was begun before; one that was begun behind a segment that
//! is not finished yet has no records, and is removed.
//!
//! Tests: `faults` loses power at every step; `tests/it/log/damage.rs` cuts and flips.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use super::error::{Error, Refused as _, Result};
use super::flusher::{Open, create, segment_bytes};
use super::folder::{self, Numbered};
use super::media::{Media, Medium, or_here, write_all_at};
use super::record::{Fault, HEADER_BYTES, Header, Place};
use super::segment::{PREFIX_BYTES, Prefix, Step, Walk};
use super::snapshot;
use super::zeros::{end_of_data, next_written};

/// What was found when a log was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Recovery {
    /// The numbers of the records that the log has.
    pub records: Range<u64>,
    /// What was cut off its end.
    pub cut: Option<Cut>,
}

/// What was cut off the end of a log, because a crash had left it half written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The file that it stood in.
    pub file: PathBuf,
    /// Where it began.
    pub offset: u64,
    /// How long it was.
    pub bytes: u64,
    /// What was wrong where it began.
    pub why: String,
}

/// A log that is ready to be continued.
pub(crate) struct Recovered {
    pub(crate) recovery: Recovery,
    pub(crate) open: Open,
}

/// What is known of the last segment after the walk over it.
struct Tail {
    path: PathBuf,
    prefix: Prefix,
    /// The number of the next record.
    next: u64,
    /// Where the next record goes.
    offset: u64,
    finished: bool,
    sealed: bool,
    /// Not after where the oldest record begins that no later one vouches for.
    doubtful_from: u64,
    cut: Option<Cut>,
}

/// What is known of a log after reading it.
struct Found {
    records: Range<u64>,
    /// The last segment that something was written to.
    tail: Option<Tail>,
    /// The segment behind it, if that was begun and no more.
    begun: Option<Tail>,
}

/// Reads the log in a folder, and begins one if there is none.
pub(crate) fn recover(folder: &Path, media: &dyn Media, wanted_bytes: u64) -> Result<Recovered> {
    let newest = folder::snapshots(folder)?.pop();
    let newest = newest.as_ref().map(snapshot::open).transpose()?;
    let covers = newest.map_or(0, |snapshot| snapshot.covers());
    let found = read(folder, covers)?;
    // Only now: a log that is not opened is left as it was.
    folder::remove_unfinished(folder)?;
    // A process that died between a name and its sync left what may go with the power: nothing is built on it.
    sync_names(folder, media)?;
    let cut = found.tail.as_ref().and_then(|tail| tail.cut.clone());
    let open = match (found.tail, found.begun) {
        (None, _) => create(folder, media, covers, segment_bytes(wanted_bytes, 0))?,
        (Some(tail), None) => continue_last(media, tail)?,
        (Some(tail), Some(begun)) if tail.finished => {
            // Also this one: its finish may be what a failed sync left in memory.
            continue_last(media, tail)?;
            continue_last(media, begun)?
        }
        (Some(tail), Some(begun)) => {
            let open = continue_last(media, tail)?;
            media.remove(&begun.path).not("removed", &begun.path)?;
            sync_names(folder, media)?;
            open
        }
    };
    let records = found.records;
    let recovery = Recovery { records, cut };
    Ok(Recovered { recovery, open })
}

fn sync_names(folder: &Path, media: &dyn Media) -> Result<()> {
    let synced = media.sync_folder(or_here(folder));
    synced.not("synced", folder)
}

/// Reads all segments of a log whose newest snapshot covers all records before one.
fn read(folder: &Path, covers: u64) -> Result<Found> {
    let segments = folder::segments(folder)?;
    let Some((last, earlier)) = segments.split_last() else {
        return Ok(Found {
            records: covers..covers,
            tail: None,
            begun: None,
        });
    };
    // A segment is begun before the one in front of it is finished: a crash may come between.
    let (last, earlier, begun) = match earlier.split_last() {
        Some((before, earlier)) if is_empty(last)? => (before, earlier, Some(last)),
        _ => (last, earlier, None),
    };
    let first = segments[0].number;
    let mut next = first;
    for segment in earlier {
        next = check_finished(segment, next)?;
    }
    let tail = read_last(last, next)?;
    let begun = begun.map(|begun| read_last(begun, tail.next)).transpose()?;
    let end = tail.next;
    if tail.finished && begun.is_none() {
        return Err(Error::Damaged {
            file: tail.path,
            offset: tail.offset,
            what: format!(
                "another segment follows, and there is none that begins with record {end}"
            ),
        });
    }
    if covers > end {
        return Err(Error::AheadOfLog { covers, end });
    }
    Ok(Found {
        records: first..end,
        tail: Some(tail),
        begun,
    })
}

/// Returns whether nothing stands behind the first bytes of a segment.
fn is_empty(segment: &Numbered) -> Result<bool> {
    let file = File::open(&segment.path).not("opened", &segment.path)?;
    let end = end_of_data(&file, PREFIX_BYTES as u64).not("read", &segment.path)?;
    Ok(end == PREFIX_BYTES as u64)
}

/// Opens a segment whose first record must have a certain number.
fn open(segment: &Numbered, next: u64) -> Result<Walk> {
    let walk = Walk::open(&segment.path)?;
    if walk.prefix.first != segment.number {
        let named = format!(
            "it says that it begins with record {}, and its name says otherwise",
            walk.prefix.first
        );
        return Err(walk.damaged(&named));
    }
    if segment.number != next {
        let missing = format!(
            "it begins where record {next} belongs, so the segment before is missing or short"
        );
        return Err(walk.damaged(&missing));
    }
    Ok(walk)
}

/// Reads a segment that another one follows: nothing may be wrong in it.
fn check_finished(segment: &Numbered, next: u64) -> Result<u64> {
    let mut walk = open(segment, next)?;
    loop {
        match walk.step()? {
            Step::Record(_) | Step::Seal => {}
            Step::Finish => {
                check_rest(&walk)?;
                return Ok(walk.next);
            }
            Step::End => return Err(walk.damaged(&"it ends, and more of it was written")),
            Step::Fault(fault) => return Err(walk.damaged(&fault)),
        }
    }
}

/// Checks that nothing stands behind the finish of a segment.
fn check_rest(walk: &Walk) -> Result<()> {
    let file = File::open(&walk.path).not("opened", &walk.path)?;
    let end = end_of_data(&file, walk.offset()).not("read", &walk.path)?;
    if end == walk.offset() {
        Ok(())
    } else {
        Err(walk.damaged(&"something stands behind its last record"))
    }
}

fn read_last(segment: &Numbered, next: u64) -> Result<Tail> {
    let mut walk = open(segment, next)?;
    let mut doubtful_from = walk.offset();
    let (mut finished, mut sealed) = (false, false);
    let cut = loop {
        let before = walk.offset();
        let step = walk.step()?;
        sealed = matches!(step, Step::Seal) || (sealed && matches!(step, Step::Fault(_)));
        match step {
            // All that is before this record was on the disk when it was written.
            Step::Record(header) if header.durable == header.sequence => doubtful_from = before,
            Step::Record(_) | Step::Seal => {}
            Step::Finish => {
                check_rest(&walk)?;
                finished = true;
                break None;
            }
            Step::End => return Err(walk.damaged(&"it ends, and it was made longer")),
            Step::Fault(fault) => break judge(&walk, fault)?,
        }
    };
    Ok(Tail {
        next: walk.next,
        offset: walk.offset(),
        path: walk.path,
        prefix: walk.prefix,
        finished,
        sealed,
        doubtful_from,
        cut,
    })
}

/// Decides what a fault in the last segment is: the end of the log, a torn write to cut, or damage.
fn judge(walk: &Walk, fault: Fault) -> Result<Option<Cut>> {
    let file = File::open(&walk.path).not("opened", &walk.path)?;
    let bytes = file.metadata().not("read", &walk.path)?.len();
    if bytes < walk.prefix.allocated {
        return Err(walk.damaged(&format!(
            "{fault}, and the file is {bytes} bytes long, though it was made with {}",
            walk.prefix.allocated
        )));
    }
    if matches!(fault, Fault::Sequence { .. } | Fault::Unknown) {
        // A checksum that is right is no torn write.
        return Err(walk.damaged(&fault));
    }
    let offset = walk.offset();
    let end = end_of_data(&file, offset).not("read", &walk.path)?;
    if end == offset {
        return Ok(None);
    }
    // Headers end in zeros of their own.
    let rest_bytes = bytes.min(end + HEADER_BYTES as u64) - offset;
    let mut rest = vec![0; usize::try_from(rest_bytes).unwrap_or(usize::MAX)];
    file.read_exact_at(&mut rest, offset)
        .not("read", &walk.path)?;
    if is_vouched_for(walk, &rest) {
        return Err(walk.damaged(&format!(
            "{fault}, and what follows says that this was durable"
        )));
    }
    Ok(Some(Cut {
        file: walk.path.clone(),
        offset,
        bytes: end - offset,
        why: fault.to_string(),
    }))
}

/// Returns whether a header behind a fault says that what stood there was on the disk.
fn is_vouched_for(walk: &Walk, rest: &[u8]) -> bool {
    // Behind the fault, because a header that stands right at it is part of what is torn.
    let headers = rest.windows(HEADER_BYTES).enumerate().skip(1);
    headers
        // Few windows pass this, and a checksum over each would take long.
        .filter(|(_, window)| (1..=3).contains(&window[12]) && window[13..16] == [0; 3])
        .filter_map(|(ahead, window)| {
            let place = Place {
                segment: walk.prefix.first,
                offset: walk.offset() + ahead as u64,
            };
            Header::parse(window.first_chunk()?, place).ok()
        })
        // The number that belongs at the fault, further on: at the fault was the seal of an earlier life.
        .any(|header| header.durable > walk.next || header.sequence == walk.next)
}

/// Opens the last segment, cuts off what was torn, and brings what is left to the disk.
fn continue_last(media: &dyn Media, tail: Tail) -> Result<Open> {
    let path = tail.path;
    let mut medium = media.open(&path).not("opened for writing", &path)?;
    clear(medium.as_mut(), &path, tail.offset)?;
    write_again(medium.as_mut(), &path, tail.doubtful_from..tail.offset)?;
    medium.sync().not("synced", &path)?;
    Ok(Open {
        path,
        medium,
        prefix: tail.prefix,
        offset: tail.offset,
        sealed: tail.sealed,
    })
}

/// Writes zeros over all that was ever written behind the last record, also where there are zeros to be read: an earlier
/// opening may have written those, and its sync failed (see [`write_again`]).
fn clear(medium: &mut dyn Medium, path: &Path, from: u64) -> Result<()> {
    let file = File::open(path).not("opened", path)?;
    let mut at = from;
    while let Some((start, stop)) = next_written(&file, at).not("read", path)? {
        write_zeros(medium, start, stop - start).not("cut", path)?;
        at = stop;
    }
    Ok(())
}

const PIECE_BYTES: usize = 64 << 10;

fn write_zeros(medium: &mut dyn Medium, offset: u64, bytes: u64) -> std::io::Result<()> {
    let zeros = [0; PIECE_BYTES];
    let mut done = 0;
    while done < bytes {
        let piece = (bytes - done).min(PIECE_BYTES as u64);
        // Never longer than a piece, so nothing is cut off.
        write_all_at(medium, &zeros[..piece as usize], offset + done)?;
        done += piece;
    }
    Ok(())
}

/// Writes what was read once more.
///
/// After a failed sync the system may hold pages as clean that never reached the disk: a sync alone would succeed and
/// do nothing.
fn write_again(medium: &mut dyn Medium, path: &Path, range: Range<u64>) -> Result<()> {
    let file = File::open(path).not("opened", path)?;
    let mut piece = vec![0; PIECE_BYTES];
    let mut at = range.start;
    while at < range.end {
        let bytes = (range.end - at).min(PIECE_BYTES as u64) as usize;
        file.read_exact_at(&mut piece[..bytes], at)
            .not("read", path)?;
        write_all_at(medium, &piece[..bytes], at).not("written again", path)?;
        at += bytes as u64;
    }
    Ok(())
}
