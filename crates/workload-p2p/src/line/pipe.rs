//! A line within the process: what one end writes the other reads.
//!
//! Tests: with the line, and every test of two sides that needs no socket.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{Interest, Wire};

/// As much as a socket takes before it would block.
const PIPE_BYTES: usize = 1 << 20;

#[derive(Default)]
struct Both {
    ways: [VecDeque<u8>; 2],
    gone: [bool; 2],
}

#[derive(Default)]
struct Shared {
    both: Mutex<Both>,
    changed: Condvar,
}

/// One of two ends.
pub(crate) struct Pipe {
    shared: Arc<Shared>,
    side: usize,
    /// The most that it takes at once.
    takes: usize,
}

/// Returns both ends.
pub(crate) fn pair() -> [Pipe; 2] {
    let shared = Arc::<Shared>::default();
    [0, 1].map(|side| Pipe {
        shared: shared.clone(),
        side,
        takes: PIPE_BYTES,
    })
}

impl Pipe {
    /// An end that never takes more than so much at once.
    pub(crate) fn narrow(mut self, takes: usize) -> Self {
        self.takes = takes;
        self
    }

    fn lock(&self) -> MutexGuard<'_, Both> {
        // Nothing in here is ever half done.
        self.shared
            .both
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn can(&self, both: &Both, interest: Interest) -> bool {
        let other = 1 - self.side;
        let can_read = !both.ways[other].is_empty() || both.gone[other];
        let can_write = both.ways[self.side].len() < PIPE_BYTES || both.gone[other];
        match interest {
            Interest::Read => can_read,
            Interest::Write => can_write,
            Interest::Both => can_read || can_write,
        }
    }
}

impl Wire for Pipe {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let other = 1 - self.side;
        let mut both = self.lock();
        if both.ways[other].is_empty() && !both.gone[other] {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let read = io::Read::read(&mut both.ways[other], into)?;
        drop(both);
        self.shared.changed.notify_all();
        Ok(read)
    }

    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        let mut both = self.lock();
        if both.gone[1 - self.side] {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let way = &mut both.ways[self.side];
        let length = from.len().min(PIPE_BYTES - way.len()).min(self.takes);
        if length == 0 && !from.is_empty() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        way.extend(&from[..length]);
        drop(both);
        self.shared.changed.notify_all();
        Ok(length)
    }

    fn wait(&mut self, interest: Interest, timeout: Duration) -> io::Result<bool> {
        let until = Instant::now() + timeout;
        let mut both = self.lock();
        while !self.can(&both, interest) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            let waited = self.shared.changed.wait_timeout(both, left);
            both = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        Ok(true)
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        self.lock().gone[self.side] = true;
        self.shared.changed.notify_all();
    }
}
