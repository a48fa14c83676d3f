//! The hand-over between threads that append and the one that writes.
//!
//! There is no thread for writing: whoever waits and finds the sink free takes it, and with it everything that was
//! gathered, and flushes for all. So a single writer pays for no wake-up, and with many of them one flush serves all
//! who came while the last one ran. The sink being out of its place *is* the sign that somebody flushes.
//!
//! Batches are numbered, and at any time there are at most two: one that is flushed and one that is gathered. Those who
//! wait for the odd ones and for the even ones wait apart, each at a gate of their own, so that the end of a flush wakes
//! those it served and, of the others, the one who will flush next. Whoever was served sees so without the lock: it is
//! wanted by all who were woken with them.
//!
//! Tests: `tests/it/log/schedules.rs` compiles this very file with locks that try many schedules, and `orders.rs` there with
//! atomics that show whatever their orders let be seen; in `faults` a flush panics.

use std::fmt;
use std::sync::PoisonError;

use super::sync::{AtomicU64, Gate, Mutex, Ordering};

/// What is gathered while the sink is busy.
pub(crate) trait Batch: Default {
    /// Becomes the empty batch that follows an earlier one; its own memory may be used again.
    fn follow(&mut self, earlier: &Self);
}

/// Where batches go, one after the other.
pub(crate) trait Sink {
    type Batch: Batch;
    type Failure: Clone;

    /// Flushes a batch. After a failure it is not called any more.
    fn flush(&mut self, batch: &mut Self::Batch) -> Result<(), Self::Failure>;

    /// Returns what to say of a flush that panicked. The sink is gone then.
    fn lost() -> Self::Failure;
}

/// A sink that many threads share.
pub(crate) struct Handover<S: Sink> {
    state: Mutex<State<S>>,
    /// The number of flushed batches. It changes with the state, under its lock.
    flushed: AtomicU64,
    /// Those who wait for batches of even number, and of odd number.
    gates: [Gate; 2],
}

struct State<S: Sink> {
    gathered: S::Batch,
    /// The number of the batch that is gathered; all before are flushed, or the last of them is on its way.
    number: u64,
    /// The memory of a flushed batch, for the next one.
    spare: S::Batch,
    /// In its place unless somebody flushes.
    sink: Option<S>,
    /// Why nothing is flushed any more.
    failure: Option<S::Failure>,
}

impl<S: Sink> Handover<S> {
    /// Returns a hand-over to a sink that continues after what a batch says.
    pub(crate) fn new(sink: S, first: S::Batch) -> Self {
        Self {
            state: Mutex::new(State {
                gathered: first,
                number: 0,
                spare: S::Batch::default(),
                sink: Some(sink),
                failure: None,
            }),
            flushed: AtomicU64::new(0),
            gates: [Gate::default(), Gate::default()],
        }
    }

    /// Adds to the batch that is gathered, and returns when it is flushed: by this thread or by another.
    pub(crate) fn submit<T>(&self, add: impl FnOnce(&mut S::Batch) -> T) -> Result<T, S::Failure> {
        let mut state = whole(self.state.lock());
        if let Some(failure) = &state.failure {
            return Err(failure.clone());
        }
        let answer = add(&mut state.gathered);
        let mine = state.number;
        loop {
            if self.is_flushed(mine) {
                return Ok(answer);
            }
            if let Some(failure) = &state.failure {
                return Err(failure.clone());
            }
            // All before mine are flushed if the sink is free, so mine is what is gathered.
            if let Some(sink) = state.sink.take() {
                let batch = state.take();
                drop(state);
                return self.flush(sink, batch, mine).map(|()| answer);
            }
            // Taken under the lock: whatever is flushed from here on opens the gate for this thread.
            let ticket = self.gate(mine).ticket();
            drop(state);
            self.gate(mine).wait(ticket);
            if self.is_flushed(mine) {
                return Ok(answer);
            }
            state = whole(self.state.lock());
        }
    }

    /// Looks at what is gathered.
    #[cfg(test)]
    pub(crate) fn gathered<T>(&self, look: impl FnOnce(&S::Batch) -> T) -> T {
        look(&whole(self.state.lock()).gathered)
    }

    /// Flushes a batch outside the lock, puts the sink back, and wakes whom that concerns.
    fn flush(&self, mut sink: S, mut batch: S::Batch, number: u64) -> Result<(), S::Failure> {
        let mut watch = Watch {
            handover: self,
            returned: false,
        };
        let flushed = sink.flush(&mut batch);
        watch.returned = true;
        let mut state = whole(self.state.lock());
        state.sink = Some(sink);
        state.spare = batch;
        match &flushed {
            Ok(()) => self.flushed.store(number + 1, Ordering::Release),
            Err(failure) => state.failure = Some(failure.clone()),
        }
        drop(state);
        // First whoever flushes next: the disk is idle.
        match &flushed {
            Ok(()) => self.gate(number + 1).open_for_one(),
            Err(_) => self.gate(number + 1).open(),
        }
        self.gate(number).open();
        flushed
    }

    fn is_flushed(&self, number: u64) -> bool {
        self.flushed.load(Ordering::Acquire) > number
    }

    fn gate(&self, number: u64) -> &Gate {
        &self.gates[usize::from(number % 2 == 1)]
    }
}

/// Stops the hand-over if a flush does not return: nobody may wait for a sink that does not come back.
struct Watch<'a, S: Sink> {
    handover: &'a Handover<S>,
    returned: bool,
}

impl<S: Sink> Drop for Watch<'_, S> {
    fn drop(&mut self) {
        if !self.returned {
            whole(self.handover.state.lock()).failure = Some(S::lost());
            self.handover.gates.iter().for_each(Gate::open);
        }
    }
}

/// Returns a lock's content also if a thread panicked with it: it did so before it changed anything but its own record.
fn whole<T>(held: Result<T, PoisonError<T>>) -> T {
    held.unwrap_or_else(PoisonError::into_inner)
}

impl<S: Sink> fmt::Debug for Handover<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What is inside is behind a lock, and long.
        f.debug_struct("Handover").finish_non_exhaustive()
    }
}

impl<S: Sink> State<S> {
    /// Takes what is gathered, and begins the next batch.
    fn take(&mut self) -> S::Batch {
        let mut next = std::mem::take(&mut self.spare);
        next.follow(&self.gathered);
        self.number += 1;
        std::mem::replace(&mut self.gathered, next)
    }
}
