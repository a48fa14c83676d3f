//! Why a log did not do what it was asked to.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::options::{RECORD_BYTES_MAX, SEGMENT_BYTES_MAX};
use super::segment::VERSION;

/// Why something did not happen.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A record above the limit.
    #[error(
        "nothing was written: a record has {bytes} bytes, and the limit is {RECORD_BYTES_MAX}; split it"
    )]
    RecordTooLong {
        /// The length of the record.
        bytes: usize,
    },
    /// A segment size above the limit.
    #[error(
        "the log was not opened: segments of {bytes} bytes were asked for, and the limit is {SEGMENT_BYTES_MAX}"
    )]
    SegmentTooLong {
        /// The size asked for.
        bytes: u64,
    },
    /// An interval between syncs that leaves time for nothing else.
    #[error(
        "the log was not opened: it was asked to sync without any time between; name an interval, or choose \
         `Sync::Always`"
    )]
    NoInterval,
    /// Another handle, here or in another process, has the log open.
    #[error("the log was not opened: somebody else holds {file}; close the other handle first")]
    InUse {
        /// The lock file.
        file: PathBuf,
    },
    /// A file that another version of this crate wrote.
    #[error(
        "{file} was not read: it is of version {found}, and this program reads version {VERSION}; \
         use the program that wrote it"
    )]
    OtherVersion {
        /// The file.
        file: PathBuf,
        /// Its version.
        found: u32,
    },
    /// Something that no crash explains. Nothing was changed.
    #[error(
        "{file} was not read: at byte {offset} {what}; nothing was changed, so keep a copy, and restore the file \
         from a backup or the state from a snapshot"
    )]
    Damaged {
        /// The file.
        file: PathBuf,
        /// Where in it.
        offset: u64,
        /// What is wrong there.
        what: String,
    },
    /// The system refused.
    #[error("{path} was not {done}")]
    Io {
        /// What did not happen to the path: "written", "synced".
        done: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// This write or sync failed, or an earlier one.
    #[error(
        "nothing was acknowledged: a write or a sync of this log failed, now or earlier; \
         mend the cause, open the log anew, and append again what it does not hold"
    )]
    Stopped(#[source] Arc<Self>),
    /// A write panicked: how much of it was done, nobody knows.
    #[error(
        "a write of the log was not finished: it panicked, and the thread that wrote says where"
    )]
    Panicked,
    /// A snapshot that covers records which the log does not have.
    #[error(
        "nothing was done: a snapshot of the records before {covers} does not go with a log that ends before {end}; \
         put back the segments that are missing, or take the snapshot away"
    )]
    AheadOfLog {
        /// The first record that the snapshot does not cover.
        covers: u64,
        /// The first record that the log does not have.
        end: u64,
    },
    /// Records that neither a snapshot nor the log has.
    #[error(
        "nothing was restored: the log begins with record {begin}, and no snapshot covers what is before; \
         put the snapshot back"
    )]
    NotCovered {
        /// The first record that the log has.
        begin: u64,
    },
}

/// What every function of a log returns.
pub(crate) type Result<T> = std::result::Result<T, Error>;

/// Says of which path, and in doing what, the system refused something.
pub(crate) trait Refused<T> {
    /// Turns what the system said into an error that names the path.
    fn not(self, done: &'static str, path: &std::path::Path) -> Result<T>;
}

impl<T> Refused<T> for io::Result<T> {
    fn not(self, done: &'static str, path: &std::path::Path) -> Result<T> {
        self.map_err(|source| Error::Io {
            done,
            path: path.to_path_buf(),
            source,
        })
    }
}
