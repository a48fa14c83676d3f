//! What arrives, until the application has read it.
//!
//! Bytes are put where they belong in the buffer of their stream, in whatever order they come, so that no more is held
//! than there was credit for. A peer that sends what it had no credit for, or changes where a stream ends, is wrong, and
//! that ends the connection.
//!
//! Tests: any order and any overlap gives the bytes as they were sent; credit comes back with reading, and memory too;
//! what is wrong.

use std::collections::{BTreeMap, VecDeque};

use bytes::{Bytes, BytesMut};

use super::STREAM_COST;
use crate::ranges::Ranges;
use crate::wire::StreamFrame;

/// Pieces that wait for others before them, over all streams. Beyond it a packet counts as not arrived.
const GAPS_MAX: usize = 1_024;

/// Bytes that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Which stream of the other side they are of.
    pub stream: u64,
    /// What follows what was read before.
    pub bytes: Bytes,
    /// The stream ends with them.
    pub is_last: bool,
}

/// What became of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    Kept,
    /// There is no room to remember one more gap: it has to come again.
    NoRoom,
}

/// What a peer must not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// It sent more than it had credit for.
    Credit,
    /// It changed where a stream ends, or sent beyond it.
    End,
}

#[derive(Debug, Default)]
struct Stream {
    // Where the buffer begins: what lies before was read.
    read: u64,
    buffer: BytesMut,
    // How much of what was read lies in the same memory, so that it cannot be given back.
    shared: u64,
    // What lies before this is there without a gap.
    whole: u64,
    later: Ranges,
    end: Option<u64>,
    // The end of what came farthest.
    farthest: u64,
    is_noted: bool,
}

impl Stream {
    /// Puts bytes where they belong.
    fn put(&mut self, offset: u64, bytes: &[u8]) {
        let end = offset + bytes.len() as u64;
        if end <= self.whole {
            return;
        }
        let skipped = self.whole.saturating_sub(offset);
        let (start, bytes) = (offset + skipped, &bytes[skipped as usize..]);
        let at = (start - self.read) as usize;
        if at == self.buffer.len() {
            self.buffer.extend_from_slice(bytes);
        } else {
            let length = self.buffer.len().max(at + bytes.len());
            self.buffer.resize(length, 0);
            self.buffer[at..at + bytes.len()].copy_from_slice(bytes);
        }
        if start > self.whole {
            self.later.insert(start..end);
            return;
        }
        self.whole = end;
        while let Some(first) = self.later.first()
            && first.start <= self.whole
        {
            self.whole = self.whole.max(first.end);
            self.later.pop_first();
        }
    }

    /// Takes out what is there without a gap. What is left stays in the same memory only while it is most of it: an empty
    /// buffer, or a short rest, would hold on to all that was ever read.
    fn take(&mut self) -> Bytes {
        let length = self.whole - self.read;
        self.read = self.whole;
        let bytes = if length == self.buffer.len() as u64 {
            self.shared = 0;
            std::mem::take(&mut self.buffer)
        } else {
            self.shared += length;
            self.buffer.split_to(length as usize)
        };
        if self.shared > self.buffer.len() as u64 {
            self.shared = 0;
            self.buffer = BytesMut::from(&self.buffer[..]);
        }
        bytes.freeze()
    }

    fn is_readable(&self) -> bool {
        self.whole > self.read || self.end == Some(self.read)
    }
}

#[derive(Debug)]
pub(crate) struct Incoming {
    streams: BTreeMap<u64, Stream>,
    // Streams below this number were seen; those that are not among them were read to their end.
    seen: u64,
    readable: VecDeque<u64>,
    gaps: usize,
    window: u64,
    granted: u64,
    used: u64,
    returned: u64,
}

impl Incoming {
    pub(crate) fn new(window: u64) -> Self {
        Self {
            streams: BTreeMap::new(),
            seen: 0,
            readable: VecDeque::new(),
            gaps: 0,
            window,
            granted: window,
            used: 0,
            returned: 0,
        }
    }

    /// Takes a piece in.
    pub(crate) fn take(&mut self, frame: &StreamFrame<'_>) -> Result<Taken, Wrong> {
        let end = frame.offset + frame.bytes.len() as u64;
        self.admit(frame, end)?;
        let Some(stream) = self.streams.get_mut(&frame.stream) else {
            return Ok(Taken::Kept);
        };
        if self.gaps >= GAPS_MAX && frame.offset > stream.whole {
            return Ok(Taken::NoRoom);
        }
        self.used += end.saturating_sub(stream.farthest);
        stream.farthest = stream.farthest.max(end);
        if frame.is_last {
            stream.end = Some(end);
        }
        self.gaps -= stream.later.count();
        stream.put(frame.offset, frame.bytes);
        self.gaps += stream.later.count();
        if stream.is_readable() && !std::mem::replace(&mut stream.is_noted, true) {
            self.readable.push_back(frame.stream);
        }
        Ok(Taken::Kept)
    }

    /// Checks that a piece may come, and begins its stream and all before it.
    fn admit(&mut self, frame: &StreamFrame<'_>, end: u64) -> Result<(), Wrong> {
        let fresh = (frame.stream + 1).saturating_sub(self.seen);
        let stream = self.streams.get(&frame.stream);
        if stream.is_none() && fresh == 0 {
            return Ok(());
        }
        let farthest = stream.map_or(0, |stream| stream.farthest);
        let cost = fresh
            .saturating_mul(STREAM_COST)
            .saturating_add(end.saturating_sub(farthest));
        if cost > self.granted - self.used {
            return Err(Wrong::Credit);
        }
        let known = stream.and_then(|stream| stream.end);
        let is_beyond = known.is_some_and(|known| end > known || (frame.is_last && end != known));
        if is_beyond || (frame.is_last && end < farthest) {
            return Err(Wrong::End);
        }
        let begun = self.seen..self.seen + fresh;
        self.streams.extend(begun.map(|id| (id, Stream::default())));
        self.seen += fresh;
        self.used += fresh * STREAM_COST;
        Ok(())
    }

    /// Takes out what can be read next.
    pub(crate) fn read(&mut self) -> Option<Chunk> {
        let id = self.readable.pop_front()?;
        let stream = self.streams.get_mut(&id)?;
        let bytes = stream.take();
        stream.is_noted = false;
        let is_last = stream.end == Some(stream.read);
        self.returned += bytes.len() as u64;
        if is_last {
            self.streams.remove(&id);
            self.returned += STREAM_COST;
        }
        Some(Chunk {
            stream: id,
            bytes,
            is_last,
        })
    }

    pub(crate) fn is_readable(&self) -> bool {
        !self.readable.is_empty()
    }

    /// Returns the credit to tell the other side, if so much was read that it is worth it, or if it has so little left
    /// that it may wait for it.
    pub(crate) fn credit_due(&self) -> Option<u64> {
        let credit = self.credit();
        let gained = credit - self.granted;
        let left = self.granted - self.used;
        let is_worth_it = gained >= self.window / 4 || left < gained.max(STREAM_COST);
        (gained > 0 && is_worth_it).then_some(credit)
    }

    /// Returns all the credit there is, and counts it as granted.
    pub(crate) fn grant(&mut self) -> u64 {
        self.granted = self.credit();
        self.granted
    }

    const fn credit(&self) -> u64 {
        self.returned + self.window
    }

    /// Forgets what was not read whole: the connection has ended. What is there without a gap can still be read.
    pub(crate) fn end(&mut self) {
        self.streams.retain(|_, stream| stream.is_noted);
    }

    /// Forgets everything: nobody is going to read it.
    pub(crate) fn clear(&mut self) {
        self.streams.clear();
        self.readable.clear();
    }

    /// Gives back what memory an idle connection does not need.
    pub(crate) fn shrink(&mut self) {
        self.readable.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn frame(stream: u64, offset: u64, bytes: &[u8], is_last: bool) -> StreamFrame<'_> {
        StreamFrame {
            stream,
            offset,
            bytes,
            is_last,
        }
    }

    fn content(length: usize) -> Vec<u8> {
        (0..length).map(|at| (at * 31 % 251) as u8).collect()
    }

    proptest! {
        #[test]
        fn any_order_and_overlap_gives_the_bytes_once(
            cuts in proptest::collection::vec((0_usize..500, 0_usize..80, any::<bool>()), 0..80)
        ) {
            let content = content(500);
            let mut incoming = Incoming::new(1 << 20);
            let mut read = Vec::new();
            let mut ended = 0;
            let all = (0..50).map(|at| (at * 10, 10, true));
            for (start, length, reads) in cuts.into_iter().chain(all) {
                let end = (start + length).min(500);
                let piece = frame(0, start as u64, &content[start..end], end == 500);
                prop_assert_eq!(incoming.take(&piece), Ok(Taken::Kept));
                while reads && let Some(chunk) = incoming.read() {
                    read.extend_from_slice(&chunk.bytes);
                    ended += usize::from(chunk.is_last);
                }
            }
            prop_assert_eq!((read, ended), (content, 1));
            prop_assert_eq!((incoming.streams.len(), incoming.gaps), (0, 0));
            prop_assert_eq!(incoming.used, incoming.returned);
        }
    }

    #[test]
    fn credit_comes_back_with_reading() {
        let mut incoming = Incoming::new(1_000);
        incoming.take(&frame(0, 0, &[1; 400], false)).unwrap();
        assert_eq!(incoming.credit_due(), None);
        assert_eq!(incoming.read().unwrap().bytes.len(), 400);
        assert_eq!(incoming.credit_due(), Some(1_400));
        assert_eq!(incoming.grant(), 1_400);
        incoming.take(&frame(0, 400, &[], true)).unwrap();
        assert!(incoming.read().unwrap().is_last);
        assert_eq!(incoming.credit_due(), Some(1_400 + STREAM_COST));
    }

    #[test]
    fn more_than_the_credit_is_wrong() {
        let mut incoming = Incoming::new(1_000);
        let wrong = [
            frame(0, 1_000 - STREAM_COST, &[1], false),
            frame(3, 0, &[], false),
            frame(u64::MAX >> 2, 0, &[], true),
            frame(0, u64::MAX >> 2, &[1], true),
        ];
        for frame in wrong {
            assert_eq!(incoming.take(&frame), Err(Wrong::Credit), "{frame:?}");
        }
        assert_eq!((incoming.used, incoming.streams.len()), (0, 0));
        let most = [1; 1_000 - STREAM_COST as usize];
        assert_eq!(incoming.take(&frame(0, 0, &most, false)), Ok(Taken::Kept));
    }

    #[test]
    fn an_end_does_not_move() {
        let mut incoming = Incoming::new(10_000);
        incoming.take(&frame(0, 0, &[1; 10], false)).unwrap();
        assert_eq!(incoming.take(&frame(0, 0, &[1; 9], true)), Err(Wrong::End));
        incoming.take(&frame(0, 15, &[1; 5], true)).unwrap();
        assert_eq!(incoming.take(&frame(0, 20, &[1], false)), Err(Wrong::End));
        assert_eq!(incoming.take(&frame(0, 15, &[], true)), Err(Wrong::End));
        incoming.take(&frame(0, 10, &[1; 5], false)).unwrap();
        assert_eq!(incoming.read().unwrap().bytes.len(), 20);
        assert_eq!(incoming.take(&frame(0, 30, &[1], true)), Ok(Taken::Kept));
    }

    #[test]
    fn streams_that_were_read_keep_no_memory() {
        // With a gap before the last piece in every second stream, so that something stays behind it.
        let bytes = vec![1; 800_000];
        let mut incoming = Incoming::new(1 << 20);
        let kept = allocation_counter::measure(|| {
            for id in 0..100 {
                for (at, piece) in bytes.chunks(1_000).enumerate() {
                    incoming
                        .take(&frame(id, at as u64 * 1_000, piece, false))
                        .unwrap();
                }
                let beyond = 801_000 - id % 2 * 1_000;
                incoming
                    .take(&frame(id, beyond, &bytes[..100], false))
                    .unwrap();
                assert!(incoming.read().is_some_and(|chunk| !chunk.is_last));
                incoming.grant();
            }
        });
        assert_eq!(incoming.streams.len(), 100);
        assert!(kept.bytes_current < 200_000, "{}", kept.bytes_current);
    }

    #[test]
    fn what_is_behind_a_gap_is_copied_no_more_often_than_read() {
        let content = content(500_000);
        let mut incoming = Incoming::new(1 << 20);
        incoming
            .take(&frame(0, 1_000, &content[1_000..], true))
            .unwrap();
        incoming.take(&frame(0, 0, &content[..500], false)).unwrap();
        let copied = allocation_counter::measure(|| drop(incoming.read()));
        assert!(copied.bytes_total < 1_000, "{}", copied.bytes_total);
        incoming
            .take(&frame(0, 500, &content[500..1_000], false))
            .unwrap();
        assert_eq!(incoming.read().unwrap().bytes, content[500..]);
    }

    #[test]
    fn gaps_are_bounded() {
        let mut incoming = Incoming::new(1 << 20);
        let mut kept = 0;
        for at in 1..2_000 {
            let taken = incoming.take(&frame(0, 2 * at, &[1], false)).unwrap();
            kept += usize::from(taken == Taken::Kept);
        }
        assert_eq!(kept, GAPS_MAX);
        assert_eq!(incoming.take(&frame(0, 0, &[1, 1], false)), Ok(Taken::Kept));
        assert_eq!(incoming.gaps, GAPS_MAX - 1);
    }
}
