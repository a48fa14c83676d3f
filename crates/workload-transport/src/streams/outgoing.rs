//! What is to be sent, until the other side has it.
//!
//! Bytes stay where the application put them; packets are filled from there, and filled again where one was lost. Streams
//! take turns, packet by packet.
//!
//! Tests: turns, credit, and that whatever is lost and however often, everything is sent until it has arrived.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use bytes::Bytes;

use super::STREAM_COST;
use crate::ranges::Ranges;
use crate::recovery::SentPiece;
use crate::wire::StreamFrame;

/// How far the end of a stream is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Open,
    Due,
    Sent,
    Arrived,
}

#[derive(Debug)]
struct Stream {
    // What was written and has not arrived, each with its place.
    pieces: VecDeque<(u64, Bytes)>,
    length: u64,
    // What lies before this was sent at least once.
    sent: u64,
    lost: Ranges,
    arrived: Ranges,
    end: End,
    is_fresh_queued: bool,
    is_free_queued: bool,
}

impl Stream {
    const fn new() -> Self {
        Self {
            pieces: VecDeque::new(),
            length: 0,
            sent: 0,
            lost: Ranges::new(),
            arrived: Ranges::new(),
            end: End::Open,
            is_fresh_queued: false,
            is_free_queued: false,
        }
    }

    /// Returns whether there is something to send that costs nothing: what was lost, and an end.
    fn has_free(&self) -> bool {
        !self.lost.is_empty() || (self.end == End::Due && self.sent == self.length)
    }

    const fn has_fresh(&self) -> bool {
        self.sent < self.length
    }

    /// Returns the bytes from `offset`, as far as they lie in one piece and within `most`.
    fn bytes(&self, offset: u64, most: u64) -> &[u8] {
        let at = self.pieces.partition_point(|(start, _)| *start <= offset);
        let Some((start, bytes)) = at.checked_sub(1).and_then(|at| self.pieces.get(at)) else {
            return &[];
        };
        let from = ((offset - start) as usize).min(bytes.len());
        let rest = &bytes[from..];
        &rest[..rest.len().min(usize::try_from(most).unwrap_or(usize::MAX))]
    }

    /// Lets go of what has arrived from the beginning without a gap, and returns how many bytes that were.
    fn let_go(&mut self) -> u64 {
        let arrived = self.arrived.first().filter(|range| range.start == 0);
        let end = arrived.map_or(0, |range| range.end);
        let mut gone = 0;
        while let Some((start, bytes)) = self.pieces.front()
            && start + bytes.len() as u64 <= end
        {
            gone += bytes.len() as u64;
            self.pieces.pop_front();
        }
        gone
    }

    fn has_arrived(&self) -> bool {
        self.end == End::Arrived && self.pieces.is_empty()
    }
}

#[derive(Debug, Default)]
pub(crate) struct Outgoing {
    streams: BTreeMap<u64, Stream>,
    // The number of the next stream.
    next: u64,
    // Streams below this number are known to the other side, or will be.
    announced: u64,
    // Streams with something that costs nothing, and with bytes never sent.
    free: VecDeque<u64>,
    fresh: VecDeque<u64>,
    // No stream among the fresh can be paid for, as was found out since credit came last.
    is_stuck: bool,
    // What the other side granted at first: what it has room for.
    window: u64,
    granted: u64,
    used: u64,
    buffered: u64,
    // How many streams were ended, and the other side does not have them.
    ended: u64,
}

impl Outgoing {
    pub(crate) fn open(&mut self) -> u64 {
        let id = self.next;
        self.next += 1;
        self.streams.insert(id, Stream::new());
        id
    }

    /// Returns whether a stream can be written to.
    pub(crate) fn is_open(&self, id: u64) -> bool {
        let stream = self.streams.get(&id);
        stream.is_some_and(|stream| stream.end == End::Open)
    }

    pub(crate) fn write(&mut self, id: u64, bytes: Bytes) {
        if let Some(stream) = self.streams.get_mut(&id)
            && !bytes.is_empty()
        {
            let length = bytes.len() as u64;
            stream.pieces.push_back((stream.length, bytes));
            stream.length += length;
            self.buffered += length;
            if !std::mem::replace(&mut stream.is_fresh_queued, true) {
                self.queue_fresh(id);
            }
        }
    }

    pub(crate) fn finish(&mut self, id: u64) {
        if let Some(stream) = self.streams.get_mut(&id)
            && stream.end == End::Open
        {
            stream.end = End::Due;
            self.ended += 1;
            if stream.has_fresh() {
                return;
            }
            if id < self.announced {
                self.queue_free(id);
            } else if !std::mem::replace(&mut stream.is_fresh_queued, true) {
                self.queue_fresh(id);
            }
        }
    }

    /// The bytes that the application wrote and the other side does not have.
    pub(crate) const fn buffered(&self) -> u64 {
        self.buffered
    }

    /// What waits for the other side to have it: the bytes, and what streams take that were ended.
    pub(crate) const fn waiting(&self) -> u64 {
        self.buffered + self.ended * STREAM_COST
    }

    /// Takes what the other side granted. Returns whether it is more than before: credit that comes late is old news.
    pub(crate) fn grant(&mut self, granted: u64) -> bool {
        if self.granted == 0 {
            self.window = granted;
        }
        let is_more = granted > self.granted;
        if is_more {
            self.granted = granted;
            self.is_stuck = false;
        }
        is_more
    }

    /// Returns how many streams are open, if one more could never be paid for while they are, or would take more than
    /// `most` bytes.
    pub(crate) fn too_many(&self, most: u64) -> Option<u64> {
        let open = self.streams.len() as u64 - self.ended;
        let most = if self.granted > 0 {
            most.min(self.window)
        } else {
            most
        };
        (open > 0 && (open + 1) * STREAM_COST > most).then_some(open)
    }

    /// Returns whether there is something that may be sent.
    pub(crate) fn is_ready(&mut self) -> bool {
        self.next_free().is_some() || self.turn_to_paid()
    }

    /// Returns whether something waits for nothing but credit.
    pub(crate) fn is_blocked(&mut self) -> bool {
        self.next_free().is_none() && !self.fresh.is_empty() && !self.turn_to_paid()
    }

    /// Lets a stream stand in line with bytes never sent. Where it is the only one that can be paid for it goes first, so
    /// that those before it are not all looked at again.
    fn queue_fresh(&mut self, id: u64) {
        if self.is_stuck && self.can_pay(id) {
            self.is_stuck = false;
            self.fresh.push_front(id);
        } else {
            self.fresh.push_back(id);
        }
    }

    /// Turns to the next stream that there is credit for, past those that wait for more. Returns whether there is one.
    fn turn_to_paid(&mut self) -> bool {
        if self.is_stuck {
            return false;
        }
        let at = self.fresh.iter().position(|id| self.can_pay(*id));
        self.is_stuck = at.is_none() && !self.fresh.is_empty();
        self.fresh.rotate_left(at.unwrap_or(0));
        at.is_some()
    }

    fn can_pay(&self, id: u64) -> bool {
        let needs_byte = self.streams.get(&id).is_some_and(Stream::has_fresh);
        self.left_for(id)
            .is_some_and(|left| left > 0 || !needs_byte)
    }

    /// Returns how many bytes of a stream there is credit for; nothing where there is none for the stream itself.
    fn left_for(&self, id: u64) -> Option<u64> {
        let cost = (id + 1).saturating_sub(self.announced) * STREAM_COST;
        (self.granted - self.used).checked_sub(cost)
    }

    /// Appends a frame of the next stream in turn, if one fits into `room` and may be sent.
    pub(crate) fn write_frame(&mut self, room: usize, out: &mut Vec<u8>) -> Option<SentPiece> {
        if let Some(id) = self.next_free() {
            let stream = self.streams.get_mut(&id)?;
            let lost = stream.lost.first().cloned();
            let range = lost.unwrap_or(stream.length..stream.length);
            let piece = frame(stream, id, range, room, out)?;
            stream.lost.remove(piece.range());
            stream.is_free_queued = false;
            self.free.pop_front();
            self.queue_free(id);
            return Some(piece);
        }
        if !self.turn_to_paid() {
            return None;
        }
        let id = *self.fresh.front()?;
        let left = self.left_for(id)?;
        let stream = self.streams.get_mut(&id)?;
        let end = stream.length.min(stream.sent.saturating_add(left));
        let piece = frame(stream, id, stream.sent..end, room, out)?;
        stream.sent = piece.range().end;
        stream.is_fresh_queued = stream.has_fresh();
        self.used += u64::from(piece.length);
        self.used += (id + 1).saturating_sub(self.announced) * STREAM_COST;
        self.announced = self.announced.max(id + 1);
        self.fresh.pop_front();
        if stream.is_fresh_queued {
            self.fresh.push_back(id);
        }
        Some(piece)
    }

    /// Lets a stream stand in line, if it has something that costs nothing and does not stand there already.
    fn queue_free(&mut self, id: u64) {
        if let Some(stream) = self.streams.get_mut(&id)
            && stream.has_free()
            && !std::mem::replace(&mut stream.is_free_queued, true)
        {
            self.free.push_back(id);
        }
    }

    /// Returns the next stream with something free; what arrived after all meanwhile drops out.
    fn next_free(&mut self) -> Option<u64> {
        while let Some(id) = self.free.front() {
            if let Some(stream) = self.streams.get_mut(id) {
                if stream.has_free() {
                    return Some(*id);
                }
                stream.is_free_queued = false;
            }
            self.free.pop_front();
        }
        None
    }

    /// A piece arrived. Returns whether that was all of its stream.
    pub(crate) fn arrived(&mut self, piece: &SentPiece) -> bool {
        let Some(stream) = self.streams.get_mut(&piece.stream) else {
            return false;
        };
        stream.arrived.insert(piece.range());
        stream.lost.remove(piece.range());
        if piece.is_last {
            stream.end = End::Arrived;
        }
        self.buffered -= stream.let_go();
        let is_all = stream.has_arrived();
        if is_all {
            self.ended -= 1;
            self.streams.remove(&piece.stream);
        }
        is_all
    }

    /// A piece was lost. Returns how many of its bytes have to be sent again.
    pub(crate) fn lost(&mut self, piece: &SentPiece) -> u64 {
        let Some(stream) = self.streams.get_mut(&piece.stream) else {
            return 0;
        };
        for missing in missing(piece.range(), &stream.arrived) {
            stream.lost.insert(missing);
        }
        if piece.is_last && stream.end == End::Sent {
            stream.end = End::Due;
        }
        self.queue_free(piece.stream);
        u64::from(piece.length)
    }

    /// Forgets everything: the connection has ended.
    pub(crate) fn clear(&mut self) {
        *self = Self {
            next: self.next,
            ..Self::default()
        };
    }

    /// Gives back what memory an idle connection does not need.
    pub(crate) fn shrink(&mut self) {
        self.free.shrink_to_fit();
        self.fresh.shrink_to_fit();
    }
}

/// Appends a frame of `range`, as far as it fits into `room`.
fn frame(
    stream: &mut Stream,
    id: u64,
    range: Range<u64>,
    room: usize,
    out: &mut Vec<u8>,
) -> Option<SentPiece> {
    let fits = StreamFrame::room(id, range.start, room)?;
    let bytes = stream.bytes(range.start, (range.end - range.start).min(fits as u64));
    let end = range.start + bytes.len() as u64;
    let is_last = end == stream.length && stream.end != End::Open;
    StreamFrame {
        stream: id,
        offset: range.start,
        bytes,
        is_last,
    }
    .write(out);
    let piece = SentPiece {
        stream: id,
        offset: range.start,
        length: bytes.len() as u16,
        is_last,
    };
    if is_last && stream.end == End::Due {
        stream.end = End::Sent;
    }
    Some(piece)
}

/// Returns the parts of `range` that are not among `arrived`.
fn missing(range: Range<u64>, arrived: &Ranges) -> Vec<Range<u64>> {
    let mut parts = Vec::new();
    let mut start = range.start;
    for there in arrived.iter().filter(|there| there.end > range.start) {
        if there.start >= range.end {
            break;
        }
        if start < there.start {
            parts.push(start..there.start);
        }
        start = there.end;
    }
    if start < range.end {
        parts.push(start..range.end);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outgoing(credit: u64) -> Outgoing {
        let mut outgoing = Outgoing::default();
        outgoing.grant(credit);
        outgoing
    }

    fn message(outgoing: &mut Outgoing, length: usize) -> u64 {
        let id = outgoing.open();
        outgoing.write(id, Bytes::from(vec![id as u8; length]));
        outgoing.finish(id);
        id
    }

    fn sent(outgoing: &mut Outgoing, room: usize) -> Option<SentPiece> {
        outgoing.write_frame(room, &mut Vec::new())
    }

    #[test]
    fn streams_take_turns() {
        let mut outgoing = outgoing(1 << 20);
        for _ in 0..3 {
            message(&mut outgoing, 150);
        }
        let turns: Vec<_> = std::iter::from_fn(|| sent(&mut outgoing, 105)).collect();
        let order: Vec<_> = turns
            .iter()
            .map(|piece| (piece.stream, piece.offset))
            .collect();
        let again = turns[0].length.into();
        let wanted = [(0, 0), (1, 0), (2, 0), (0, again), (1, again), (2, again)];
        assert_eq!(order, wanted);
        assert!(turns[3..].iter().all(|piece| piece.is_last));
        assert!(
            turns
                .iter()
                .all(|piece| outgoing.arrived(piece) == piece.is_last)
        );
        assert_eq!(outgoing.buffered(), 0);
    }

    #[test]
    fn nothing_is_sent_without_credit_and_ends_need_none() {
        let mut outgoing = outgoing(0);
        let id = outgoing.open();
        outgoing.write(id, Bytes::from_static(&[1; 100]));
        assert!(outgoing.is_blocked() && !outgoing.is_ready());
        assert_eq!(sent(&mut outgoing, 1_000), None);
        outgoing.grant(STREAM_COST + 40);
        assert_eq!(sent(&mut outgoing, 1_000).unwrap().length, 40);
        assert!(outgoing.is_blocked());
        outgoing.grant(STREAM_COST + 100);
        assert_eq!(sent(&mut outgoing, 1_000).unwrap().length, 60);
        assert!(!outgoing.is_blocked() && !outgoing.is_ready());
        let other = message(&mut outgoing, 1);
        outgoing.finish(id);
        let end = sent(&mut outgoing, 1_000).unwrap();
        assert_eq!((end.stream, end.length, end.is_last), (id, 0, true));
        outgoing.grant(2 * STREAM_COST + 101);
        assert_eq!(sent(&mut outgoing, 1_000).unwrap().stream, other);
    }

    #[test]
    fn a_stream_that_cannot_be_paid_for_holds_up_no_other() {
        let mut outgoing = outgoing(2 * STREAM_COST);
        let ids = [(); 4].map(|()| outgoing.open());
        for id in [3, 0, 2, 1] {
            outgoing.write(ids[id], Bytes::from_static(&[1; 10]));
        }
        assert!(outgoing.is_ready());
        assert_eq!(sent(&mut outgoing, 1_000).unwrap().stream, ids[0]);
        assert_eq!(sent(&mut outgoing, 1_000), None);
        assert!(outgoing.is_blocked() && !outgoing.is_ready());
        outgoing.grant(4 * STREAM_COST + 40);
        let order = std::iter::from_fn(|| sent(&mut outgoing, 1_000));
        assert_eq!(order.map(|piece| u64::from(piece.length)).sum::<u64>(), 30);
        outgoing.open();
        assert!(!outgoing.is_blocked() && !outgoing.is_ready());
    }

    #[test]
    fn what_is_lost_is_sent_until_it_has_arrived() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut outgoing = outgoing(1 << 30);
        let ids: Vec<_> = (0..20).map(|n| message(&mut outgoing, 977 * n)).collect();
        let mut under_way = VecDeque::new();
        let mut done = Vec::new();
        while done.len() < ids.len() {
            under_way.extend(sent(&mut outgoing, random.usize(20..1_400)));
            let at = random.usize(..=under_way.len());
            let Some(piece) = under_way.remove(at) else {
                continue;
            };
            // What counts as lost arrives now and then all the same.
            let is_lost = random.u8(..) < 128;
            if is_lost {
                outgoing.lost(&piece);
            }
            if !is_lost || random.u8(..) < 30 {
                done.extend(outgoing.arrived(&piece).then_some(piece.stream));
            }
        }
        done.sort_unstable();
        assert_eq!(done, ids);
        assert_eq!((outgoing.buffered(), outgoing.streams.len()), (0, 0));
    }

    #[test]
    fn what_arrived_after_all_is_nothing_to_send() {
        let mut outgoing = outgoing(2 * STREAM_COST + 150);
        message(&mut outgoing, 100);
        let piece = sent(&mut outgoing, 1_000).unwrap();
        outgoing.lost(&piece);
        assert!(outgoing.is_ready());
        assert!(outgoing.arrived(&piece));
        assert!(!outgoing.is_ready());
        message(&mut outgoing, 100);
        let first = sent(&mut outgoing, 1_000).unwrap();
        outgoing.lost(&first);
        outgoing.arrived(&first);
        assert_eq!(first.length, 50);
        assert!(outgoing.is_blocked() && !outgoing.is_ready());
    }

    #[test]
    fn an_empty_message_is_one_too() {
        let mut outgoing = outgoing(STREAM_COST);
        message(&mut outgoing, 0);
        let piece = sent(&mut outgoing, 100).unwrap();
        assert!(piece.is_last && outgoing.arrived(&piece));
    }
}
