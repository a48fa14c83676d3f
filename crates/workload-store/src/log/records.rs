//! Reading records from a number on.
//!
//! Tests: through the log.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::{Error, Result};
use super::folder;
use super::segment::{Step, Walk};

/// A record of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its number.
    pub sequence: u64,
    /// What was appended.
    pub payload: Vec<u8>,
}

/// The records from a certain one up to the one that was last when reading began, in bounded memory.
///
/// After an error there are no more: nothing is skipped. A segment that is removed meanwhile is an error; those of the
/// tail that was restored stay as long as it does.
#[derive(Debug)]
pub struct Records {
    folder: PathBuf,
    /// The next record to hand out.
    from: u64,
    end: u64,
    walk: Option<Walk>,
    /// While it is there, the log keeps the segments.
    _kept: Option<Arc<u64>>,
}

impl Records {
    pub(crate) fn new(folder: &Path, from: u64, end: u64) -> Self {
        Self {
            folder: folder.to_path_buf(),
            from,
            end,
            walk: None,
            _kept: None,
        }
    }

    /// Returns them with what has the log keep their segments.
    pub(crate) fn kept(self, kept: Arc<u64>) -> Self {
        Self {
            _kept: Some(kept),
            ..self
        }
    }

    /// Opens the segment that holds the next record.
    fn open(&self) -> Result<Walk> {
        let segments = folder::segments(&self.folder)?;
        let holds = segments.iter().rfind(|file| file.number <= self.from);
        let Some(segment) = holds else {
            let begin = segments.first().map_or(self.end, |file| file.number);
            return Err(Error::NotCovered { begin });
        };
        Walk::open(&segment.path)
    }

    fn read(&mut self) -> Result<Record> {
        let mut walk = match self.walk.take() {
            Some(walk) => walk,
            None => self.open()?,
        };
        loop {
            let sequence = walk.next;
            match walk.step()? {
                Step::Record(_) if sequence == self.from => {
                    let payload = std::mem::take(&mut walk.payload);
                    self.walk = Some(walk);
                    return Ok(Record { sequence, payload });
                }
                Step::Record(_) | Step::Seal => {}
                Step::Finish if walk.next == self.from => walk = self.open()?,
                Step::Finish | Step::End => {
                    return Err(walk.damaged(&format!("record {} is missing", self.from)));
                }
                Step::Fault(fault) => return Err(walk.damaged(&fault)),
            }
        }
    }
}

impl Iterator for Records {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.from >= self.end {
            return None;
        }
        let record = self.read();
        match &record {
            Ok(_) => self.from += 1,
            Err(_) => self.from = self.end,
        }
        Some(record)
    }
}
