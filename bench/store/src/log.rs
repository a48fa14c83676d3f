//! The benchmarks of the durable log.
//!
//! `log/append_batch` makes so many records durable in one call, and `log/floor` writes as many bytes to a file
//! allocated as the log's are and syncs them: what the disk alone takes. In `log/append` threads append one record after
//! the other and each waits until its own is as safe as the log's `sync` says; one iteration is [`RECORDS_PER_WRITER`]
//! records of each. Those of one thread that no disk takes part in are passes over a thousand records.
//!
//! What ends in `-as-published` repeats the definition of somebody else's report: see [`AsPublished`].
//!
//! What a pass returns is checked while it is timed. When the times of its benchmark have been given out, a copy of a log
//! on the disk is opened, taken before the log is closed, and then the log itself; and the program fails unless each has all
//! the records. That shows that they were handed to the system, as they must be to outlive the process. That they outlive the
//! machine no bench can show: that is proved by the log's own tests with a disk that fails, and here the syncs are counted.
//!
//! Tests: each benchmark's records are there after the log was opened anew.

mod answers;
mod as_published;
mod floor;
mod passes;
mod records;
mod writers;

pub use answers::answers;
pub use as_published::AsPublished;
pub use floor::Floor;
pub use passes::{append, append_batch, read, remove_covered, restore, snapshot, sync};
pub use records::{BATCHES, Place, RECORD_BYTES, Records, Scratch};
pub use writers::{RECORDS_PER_WRITER, WRITERS, Writers};
