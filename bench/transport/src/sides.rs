//! The two sides of a benchmark, on whatever network: they see an endpoint and the time, and neither socket nor clock.
//!
//! Tests: on both networks, in `link` and `loopback`; and what is cut or in a wrong order is refused.

use bytes::Bytes;
use workload_transport::{Chunk, ConnectionId, Endpoint, Event, Time};

/// What each stream of messages has to do. Every one is a connection of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// How many messages it sends.
    pub messages: u64,
    /// How long each is.
    pub bytes: usize,
    /// How many are under way at a time.
    pub waiting: u64,
}

/// When a message counts as done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// The application on the other side has read all of it, and its answer of one byte was read here.
    Answered,
    /// The transport on the other side has all of it, and said so.
    Delivered,
}

/// Where a message says how long it is, so that whoever reads it can tell that all of it came.
const LENGTH: usize = size_of::<u64>();

/// How much of each piece is looked at: what is inside a packet was authenticated, so what is lost, doubled or in a wrong order
/// shows where a piece begins, and looking at all of it would be a part of what is timed.
const LOOKED_AT: usize = 16;

/// Returns a message: its length, and then bytes that differ from place to place, so that a wrong order shows.
#[must_use]
pub fn content(bytes: usize) -> Bytes {
    let length = (bytes as u64).to_le_bytes();
    let rest = (LENGTH..bytes).map(byte_at);
    length.into_iter().chain(rest).take(bytes).collect()
}

const fn byte_at(at: usize) -> u8 {
    (at.wrapping_mul(2_654_435_761) >> 11) as u8
}

struct Stream {
    id: ConnectionId,
    begun: u64,
    done: u64,
    ended: Option<Time>,
}

/// The side that sends.
pub struct Sender {
    work: Work,
    until: Until,
    message: Bytes,
    streams: Vec<Stream>,
}

impl Sender {
    /// Somebody who will send so much on each of these connections.
    #[must_use]
    pub fn new(work: Work, until: Until, message: Bytes, connections: &[ConnectionId]) -> Self {
        let stream = |id: &ConnectionId| Stream {
            id: *id,
            begun: 0,
            done: 0,
            ended: None,
        };
        Self {
            work,
            until,
            message,
            streams: connections.iter().map(stream).collect(),
        }
    }

    /// Takes in what happened, and sends what may be sent now.
    ///
    /// # Panics
    /// A connection has ended.
    pub fn look(&mut self, now: Time, endpoint: &mut Endpoint) {
        while let Some((id, event)) = endpoint.poll_event() {
            let done = match event {
                Event::Delivered(_) => u64::from(self.until == Until::Delivered),
                Event::Readable => answers(endpoint, id),
                Event::Connected => 0,
                Event::Ended(ended) => panicked(&ended),
            };
            self.note(now, id, done);
        }
        for at in 0..self.streams.len() {
            self.send(at, endpoint);
        }
    }

    fn note(&mut self, now: Time, id: ConnectionId, done: u64) {
        let stream = self.streams.iter_mut().find(|stream| stream.id == id);
        let Some(stream) = stream.filter(|_| done > 0) else {
            return;
        };
        stream.done += done;
        if stream.done == self.work.messages {
            stream.ended = Some(now);
        }
    }

    fn send(&mut self, at: usize, endpoint: &mut Endpoint) {
        loop {
            let stream = &self.streams[at];
            let may_begin = stream.begun < self.work.messages
                && stream.begun - stream.done < self.work.waiting
                && !self.is_locked_out(at);
            if !may_begin {
                return;
            }
            let sent = endpoint.send(stream.id, self.message.clone());
            sent.expect("there is room for what may be under way");
            self.streams[at].begun += 1;
        }
    }

    /// Returns whether another stream holds the lock on the send path. There is none, unless it was planted.
    fn is_locked_out(&self, at: usize) -> bool {
        let holds = |(other, stream): (usize, &Stream)| other != at && stream.begun > stream.done;
        cfg!(feature = "serialised") && self.streams.iter().enumerate().any(holds)
    }

    /// Returns when each stream was done, once all are.
    #[must_use]
    pub fn ended(&self) -> Option<Vec<Time>> {
        self.streams.iter().map(|stream| stream.ended).collect()
    }
}

/// Reads the answers of a connection, and returns how many there were.
fn answers(endpoint: &mut Endpoint, id: ConnectionId) -> u64 {
    let chunks = std::iter::from_fn(|| endpoint.read(id));
    chunks.map(|chunk| u64::from(chunk.is_last)).sum()
}

#[expect(
    clippy::panic,
    reason = "what was measured until then is worth nothing"
)]
fn panicked(ended: &workload_transport::Ended) -> ! {
    panic!("nothing was measured: {ended}")
}

/// The side that receives.
#[derive(Debug, Default)]
pub struct Receiver {
    answers: bool,
    bytes: u64,
    messages: u64,
    arrived: Time,
    // The messages of which a part came.
    partly: Vec<((ConnectionId, u64), Partly)>,
}

#[derive(Debug, Default)]
struct Partly {
    // What has come of it.
    length: usize,
    came: usize,
}

impl Partly {
    fn take(&mut self, chunk: &Chunk) -> Result<(), &'static str> {
        // A packet may have room for the first byte only.
        let of_length = LENGTH.saturating_sub(self.came).min(chunk.bytes.len());
        let (length, rest) = chunk.bytes.split_at(of_length);
        for byte in length {
            self.length |= usize::from(*byte) << (8 * self.came);
            self.came += 1;
        }
        let mut looked_at = rest.iter().enumerate().take(LOOKED_AT);
        if !looked_at.all(|(at, byte)| *byte == byte_at(self.came + at)) {
            return Err("a wrong order");
        }
        self.came += rest.len();
        let is_whole = self.came >= LENGTH && self.came == self.length;
        if chunk.is_last == is_whole {
            Ok(())
        } else {
            Err("an end where it should not be")
        }
    }
}

impl Receiver {
    /// Somebody who reads all, and answers if whoever sends waits for it.
    #[must_use]
    pub fn new(until: Until) -> Self {
        Self {
            answers: until == Until::Answered,
            ..Self::default()
        }
    }

    /// Takes in what happened, and hands each piece that came to `see`.
    ///
    /// # Panics
    /// What came is not what was sent, or there is no room for an answer.
    pub fn look(&mut self, now: Time, endpoint: &mut Endpoint, mut see: impl FnMut(&[u8])) {
        while let Some((id, event)) = endpoint.poll_event() {
            if event != Event::Readable {
                continue;
            }
            while let Some(chunk) = endpoint.read(id) {
                see(&chunk.bytes);
                self.check(id, &chunk);
                self.bytes += chunk.bytes.len() as u64;
                self.arrived = now;
                self.messages += u64::from(chunk.is_last);
                if chunk.is_last && self.answers {
                    let answered = endpoint.send(id, Bytes::from_static(b"!"));
                    answered.expect("an answer is short");
                }
            }
        }
    }

    fn check(&mut self, id: ConnectionId, chunk: &Chunk) {
        let of = (id, chunk.stream);
        let found = self.partly.iter().position(|(its, _)| *its == of);
        let at = found.unwrap_or_else(|| {
            self.partly.push((of, Partly::default()));
            self.partly.len() - 1
        });
        let taken = self.partly[at].1.take(chunk);
        assert_eq!(taken, Ok(()), "what came is not what was sent");
        if chunk.is_last {
            self.partly.swap_remove(at);
        }
    }

    /// Returns how many bytes and whole messages came.
    #[must_use]
    pub const fn received(&self) -> (u64, u64) {
        (self.bytes, self.messages)
    }

    /// Returns when the last piece came.
    #[must_use]
    pub const fn arrived(&self) -> Time {
        self.arrived
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(pieces: &[(usize, usize)]) -> Result<(), &'static str> {
        let message = content(64);
        let chunk = |at: usize| Chunk {
            stream: 1,
            bytes: message.slice(pieces[at].0..pieces[at].1),
            is_last: at + 1 == pieces.len(),
        };
        let mut partly = Partly::default();
        (0..pieces.len()).try_for_each(|at| partly.take(&chunk(at)))
    }

    #[test]
    fn a_message_is_taken_in_order_and_whole() {
        assert_eq!(take(&[(0, 20), (20, 21), (21, 64)]), Ok(()));
        assert_eq!(take(&[(0, 1), (1, 1), (1, 5), (5, 9), (9, 64)]), Ok(()));
        assert_eq!(take(&[(0, 5)]), Err("an end where it should not be"));
        assert_eq!(take(&[(0, 20), (40, 64), (20, 40)]), Err("a wrong order"));
        assert_eq!(
            take(&[(0, 20), (20, 40)]),
            Err("an end where it should not be")
        );
    }
}
