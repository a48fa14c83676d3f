//! A line to the other side, with what has arrived on it and was not looked at yet.
//!
//! A [`Wire`] never blocks but in `wait`, so that one thread sends and receives at once: neither side can wait for ever for
//! the other to read.
//!
//! Tests: what arrives can be taken in pieces; a deadline ends a wait, and so does an end.

mod inbox;
#[cfg(test)]
pub(crate) mod pipe;
mod tcp;

use std::io;
use std::time::{Duration, Instant};

use crate::error::Cause;

pub(crate) use inbox::Inbox;
pub(crate) use tcp::{Tcp, connect};

/// What a line can be waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Interest {
    Read,
    Write,
    Both,
}

/// What carries bytes.
pub(crate) trait Wire {
    /// Reads what is there; nothing is the end. Where there is nothing yet, it says that it would block.
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize>;

    /// Writes as much as there is room for, or says that it would block.
    fn write(&mut self, from: &[u8]) -> io::Result<usize>;

    /// Waits until something of interest can be done. Returns whether it can.
    fn wait(&mut self, interest: Interest, timeout: Duration) -> io::Result<bool>;
}

const AGES: Duration = Duration::from_secs(1 << 32);

/// Until when something may take, and how long that was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    at: Instant,
    allowed: Duration,
}

impl Deadline {
    pub(crate) fn after(allowed: Duration) -> Self {
        let now = Instant::now();
        // A time that no clock shows is one that nobody lives to see.
        let at = now.checked_add(allowed).unwrap_or(now + AGES);
        Self { at, allowed }
    }

    pub(crate) fn left(&self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }

    /// Whoever keeps the line busy is not waited for, and so has to be looked at.
    pub(crate) fn check(&self) -> Result<(), Cause> {
        match self.left().is_zero() {
            true => Err(Cause::TimedOut(self.allowed)),
            false => Ok(()),
        }
    }
}

/// What a line has carried, and in how many system calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counters {
    /// Calls that sent something.
    pub sends: u64,
    /// How much they sent.
    pub bytes_sent: u64,
    /// Calls that received something.
    pub receives: u64,
    /// How much they received.
    pub bytes_received: u64,
    /// Calls that waited.
    pub waits: u64,
}

impl Counters {
    /// What was added since.
    #[must_use]
    pub const fn since(self, before: Self) -> Self {
        Self {
            sends: self.sends - before.sends,
            bytes_sent: self.bytes_sent - before.bytes_sent,
            receives: self.receives - before.receives,
            bytes_received: self.bytes_received - before.bytes_received,
            waits: self.waits - before.waits,
        }
    }
}

/// What came of reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Came {
    Bytes,
    Nothing,
    End,
}

pub(crate) struct Line<W> {
    wire: W,
    pub(crate) inbox: Inbox,
    pub(crate) counters: Counters,
    has_more: bool,
}

impl<W: Wire> Line<W> {
    pub(crate) fn new(wire: W) -> Self {
        Self {
            wire,
            inbox: Inbox::default(),
            counters: Counters::default(),
            has_more: false,
        }
    }

    #[cfg(test)]
    pub(crate) fn into_wire(self) -> W {
        self.wire
    }

    /// Whether the last reading took all there was room for, so that there is more.
    pub(crate) const fn has_more(&self) -> bool {
        self.has_more
    }

    /// Reads what is there.
    pub(crate) fn receive(&mut self) -> Result<Came, Cause> {
        let space = self.inbox.space();
        let length = space.len();
        let read = retried(|| self.wire.read(space))?;
        self.has_more = read == Some(length);
        match read {
            None => Ok(Came::Nothing),
            Some(0) => Ok(Came::End),
            Some(bytes) => {
                self.inbox.filled(bytes);
                self.counters.receives += 1;
                self.counters.bytes_received += bytes as u64;
                Ok(Came::Bytes)
            }
        }
    }

    /// Sends what there is room for. Returns how much that was.
    pub(crate) fn offer(&mut self, bytes: &[u8]) -> Result<usize, Cause> {
        let sent = retried(|| self.wire.write(bytes))?.unwrap_or(0);
        self.counters.sends += u64::from(sent > 0);
        self.counters.bytes_sent += sent as u64;
        Ok(sent)
    }

    /// Waits until something of interest can be done.
    pub(crate) fn wait(&mut self, interest: Interest, deadline: Deadline) -> Result<(), Cause> {
        self.counters.waits += 1;
        deadline.check()?;
        match self.wire.wait(interest, deadline.left())? {
            true => Ok(()),
            // Woken a moment early: the caller looks again.
            false => deadline.check(),
        }
    }

    /// Sends all of it.
    pub(crate) fn send(&mut self, mut bytes: &[u8], deadline: Deadline) -> Result<(), Cause> {
        loop {
            bytes = &bytes[self.offer(bytes)?..];
            if bytes.is_empty() {
                return Ok(());
            }
            self.wait(Interest::Write, deadline)?;
        }
    }

    /// Waits until something more has arrived.
    pub(crate) fn fill(&mut self, deadline: Deadline) -> Result<(), Cause> {
        loop {
            deadline.check()?;
            match self.receive()? {
                Came::Bytes => return Ok(()),
                Came::End => return Err(Cause::Ended),
                Came::Nothing => self.wait(Interest::Read, deadline)?,
            }
        }
    }

    /// Lets somebody take what has arrived off the front.
    pub(crate) fn take<T>(&mut self, take: impl FnOnce(&mut &[u8]) -> T) -> T {
        let mut input = self.inbox.bytes();
        let before = input.len();
        let taken = take(&mut input);
        let used = before - input.len();
        self.inbox.used(used);
        taken
    }

    /// Lets somebody take what arrives off the front, until there was enough.
    pub(crate) fn take_until(
        &mut self,
        deadline: Deadline,
        mut take: impl FnMut(&mut &[u8]) -> Result<bool, Cause>,
    ) -> Result<(), Cause> {
        while !self.take(&mut take)? {
            self.fill(deadline)?;
        }
        Ok(())
    }
}

/// Does it again where a signal came between; nothing where it would block.
fn retried(mut call: impl FnMut() -> io::Result<usize>) -> io::Result<Option<usize>> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(None),
            other => return other.map(Some),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn any_time_may_be_allowed() {
        assert!(Deadline::after(Duration::MAX).left() > LONG);
    }

    #[test]
    fn what_arrives_can_be_taken_in_pieces() {
        let [one, two] = pipe::pair();
        let [mut one, mut two] = [Line::new(one), Line::new(two)];
        one.send(b"abcdef", Deadline::after(LONG)).unwrap();
        let mut pieces = Vec::new();
        for _ in 0..3 {
            two.take_until(Deadline::after(LONG), |input| {
                let Some((piece, rest)) = input.split_at_checked(2) else {
                    return Ok(false);
                };
                pieces.push(piece.to_vec());
                *input = rest;
                Ok(true)
            })
            .unwrap();
        }
        assert_eq!(pieces, [b"ab", b"cd", b"ef"]);
        assert_eq!((one.counters.sends, one.counters.bytes_sent), (1, 6));
        assert_eq!((two.counters.receives, two.counters.bytes_received), (1, 6));
    }

    #[test]
    fn a_deadline_and_an_end_end_a_wait() {
        let [one, two] = pipe::pair();
        let mut one = Line::new(one);
        let soon = Duration::from_millis(1);
        let error = one.fill(Deadline::after(soon)).unwrap_err();
        assert!(matches!(error, Cause::TimedOut(after) if after == soon));
        let full = one.send(&[0; 10 << 20], Deadline::after(soon));
        assert!(matches!(full, Err(Cause::TimedOut(_))));
        // Nor does it help that there is always something.
        let mut two = Line::new(two);
        let busy = two.fill(Deadline::after(Duration::ZERO));
        assert!(matches!(busy, Err(Cause::TimedOut(_))));
        drop(two);
        let error = one.fill(Deadline::after(LONG)).unwrap_err();
        assert!(matches!(error, Cause::Ended));
    }
}
