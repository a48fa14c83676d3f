//! What whoever opens a log chooses, and the limits of a log.
//!
//! Tests: the limits are tested where they are held.

use std::time::Duration;

/// The longest key that a record has room for.
pub const KEY_BYTES_MAX: usize = 64 << 10;

/// The longest value that a record has room for.
pub const VALUE_BYTES_MAX: usize = 16 << 20;

/// The room for what a record says beside key and value: an operation, lengths, a time to live.
pub const ENVELOPE_BYTES_MAX: usize = 1 << 10;

/// The longest record.
pub const RECORD_BYTES_MAX: usize = KEY_BYTES_MAX + VALUE_BYTES_MAX + ENVELOPE_BYTES_MAX;

/// The largest segment to ask for: a tail that has to be searched for damage is held in memory.
pub const SEGMENT_BYTES_MAX: u64 = 256 << 20;

/// When records reach the disk.
///
/// Whatever is chosen, an acknowledged record survives the death of the process, because it was handed to the system.
/// The choice is about the death of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sync {
    /// Before they are acknowledged. Threads that wait at the same time share a sync.
    Always,
    /// By a sync that begins this long after the one before has ended, and when the log is closed. Zero is refused.
    Interval(Duration),
    /// When a segment is full, and when [`Log::sync`](super::Log::sync) or a snapshot asks for it. Closing does not.
    Never,
}

/// How a log is kept.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// When records reach the disk.
    pub sync: Sync,
    /// The size of a segment; a record that is longer has a segment to itself.
    pub segment_bytes: u64,
}

impl Default for Options {
    /// Returns what loses nothing: a sync before each acknowledgement, and segments of 32 MiB.
    fn default() -> Self {
        Self {
            sync: Sync::Always,
            segment_bytes: 32 << 20,
        }
    }
}
