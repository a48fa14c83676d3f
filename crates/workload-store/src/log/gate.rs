//! A gate that threads wait at, without a lock to come back through.
//!
//! A condition variable hands each thread that it wakes a lock, though here most of them only have to look at a number.
//!
//! Tests: `faults` and `bench/store`, where threads wait at it; the schedules of the hand-over try its kin.

use std::sync::atomic::{AtomicU32, Ordering};

use rustix::thread::futex;

/// All who wait.
const ALL: u32 = i32::MAX as u32;

/// How often it was opened, so that nobody sleeps through an opening.
#[derive(Default)]
pub(crate) struct Gate(AtomicU32);

impl Gate {
    /// Returns what to wait with: any opening after this ends the wait.
    pub(crate) fn ticket(&self) -> u32 {
        self.0.load(Ordering::Acquire)
    }

    /// Waits until the gate was opened since the ticket was taken. It may also return for no reason.
    pub(crate) fn wait(&self, ticket: u32) {
        // A gate that has been opened, a signal: all that can be wrong is a reason to look again.
        let _ = futex::wait(&self.0, futex::Flags::PRIVATE, ticket, None);
    }

    /// Lets everybody through.
    pub(crate) fn open(&self) {
        self.open_for(ALL);
    }

    /// Wakes one who waits, and lets those through who are about to.
    pub(crate) fn open_for_one(&self) {
        self.open_for(1);
    }

    fn open_for(&self, threads: u32) {
        self.0.fetch_add(1, Ordering::Release);
        // Nobody who waits is no failure.
        let _ = futex::wake(&self.0, futex::Flags::PRIVATE, threads);
    }
}
