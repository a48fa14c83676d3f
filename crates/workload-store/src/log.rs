//! A durable log: records of bytes, numbered from zero on, that survive what they were promised to survive.
//!
//! A log is a folder of segments, files that are allocated before they are filled. Threads append to a shared batch;
//! the first of them that finds nobody writing writes it for all (`handover`), syncs if the log's [`Sync`] says so, and
//! releases everybody whose record was in it. When a write or a sync fails, all of them are told, and nothing is
//! acknowledged any more until the log is opened anew: after a failed sync nobody knows what the disk holds.
//!
//! Opening reads everything. What a crash can leave behind is cut off and returned as a [`Cut`]; what a crash cannot
//! explain is an [`Error::Damaged`], and then no byte is changed. The two are told apart because each record also says
//! what was durable when it was written: a record that a later one vouches for must be whole (`recovery`).
//!
//! A [`snapshot`] holds what the records before a certain one add up to; [`Log::restore`] gives its newest and the
//! records from there on, and [`Log::remove_covered`] removes what is no longer needed for that.
//!
//! Tests: each file checks its own promise; `faults` breaks the disk under the log, `tests/it/log/damage.rs` cuts and flips
//! what is stored, `kill.rs` there kills processes that write, `schedules.rs` tries many schedules.
//!
//! ```
//! use workload_store::log::{Log, Options};
//!
//! let folder = tempfile::tempdir()?;
//! let (log, _) = Log::open(folder.path(), Options::default())?;
//! assert_eq!(log.append(b"green")?, 0);
//! assert_eq!(log.append_batch([b"blue", b"grey"])?, 1..3);
//! log.close()?;
//!
//! let (log, recovery) = Log::open(folder.path(), Options::default())?;
//! assert_eq!((recovery.records, recovery.cut), (0..3, None));
//! let last = log.records(2)?.next().expect("there are three")?;
//! assert_eq!(last.payload, b"grey");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch;
mod durable;
mod error;
#[cfg(test)]
mod faults;
mod flusher;
mod folder;
mod gate;
mod handover;
mod media;
mod options;
mod record;
mod records;
mod recovery;
mod segment;
pub mod snapshot;
mod zeros;

/// What the hand-over waits with. Named here so that a test can put in others, which try many schedules.
mod sync {
    pub(crate) use std::sync::Mutex;
    pub(crate) use std::sync::atomic::{AtomicU64, Ordering};

    pub(crate) use super::gate::Gate;
}

pub use durable::{Log, Restored};
pub use error::Error;
pub use options::{
    ENVELOPE_BYTES_MAX, KEY_BYTES_MAX, Options, RECORD_BYTES_MAX, SEGMENT_BYTES_MAX, Sync,
    VALUE_BYTES_MAX,
};
pub use records::{Record, Records};
pub use recovery::{Cut, Recovery};
