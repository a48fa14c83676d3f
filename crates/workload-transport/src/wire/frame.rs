//! What a sealed packet says: frames, one behind the other.
//!
//! ```text
//! ping    1
//! ack     2  newest, delay (4), further ranges (1), length, then gap and length of each
//! credit  3  bytes
//! piece   4  stream, offset, length (2), bytes          5: and the stream ends with it
//! close   6  code
//! ```
//!
//! Tests: each is read as it was written; whatever bytes come, reading ends, with frames or with an error.

use std::ops::RangeInclusive;

use super::number;

/// How many ranges one acknowledgement tells: enough for bursts of loss, and small beside a packet.
pub(crate) const RANGES_MAX: usize = 32;

/// The most bytes that stand before those of a piece.
const PIECE_HEADER_BYTES: usize = 1 + 8 + 8 + 2;

const PING: u8 = 1;
const ACK: u8 = 2;
const CREDIT: u8 = 3;
const PIECE: u8 = 4;
const LAST_PIECE: u8 = 5;
const CLOSE: u8 = 6;

/// Which packets arrived, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ack {
    /// How long after its stamp the newest packet arrived, by two clocks: only differences mean something.
    pub(crate) delay: u32,
    ranges: [(u64, u64); RANGES_MAX],
    count: usize,
}

impl Ack {
    /// Takes as many ranges as there is room for; they come newest first, and there is at least one.
    pub(crate) fn new(delay: u32, arrived: impl Iterator<Item = RangeInclusive<u64>>) -> Self {
        let mut ranges = [(0, 0); RANGES_MAX];
        let mut count = 0;
        for (place, range) in ranges.iter_mut().zip(arrived) {
            *place = (*range.start(), *range.end());
            count += 1;
        }
        Self {
            delay,
            ranges,
            count,
        }
    }

    /// The newest packet that arrived.
    pub(crate) const fn newest(&self) -> u64 {
        self.ranges[0].1
    }

    /// The ranges, newest first.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = RangeInclusive<u64>> {
        self.ranges[..self.count]
            .iter()
            .map(|(start, end)| *start..=*end)
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.push(ACK);
        number::write(self.newest(), out);
        out.extend_from_slice(&self.delay.to_be_bytes());
        out.push((self.count - 1) as u8);
        let mut above = None;
        for (start, end) in &self.ranges[..self.count] {
            if let Some(above) = above {
                // Ranges never touch: at least one number lies between.
                number::write(above - end - 2, out);
            }
            number::write(end - start, out);
            above = Some(*start);
        }
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let newest = number::read(bytes)?;
        let (delay, rest) = bytes.split_first_chunk()?;
        let (further, rest) = rest.split_first()?;
        *bytes = rest;
        let count = usize::from(*further) + 1;
        let mut ranges = [(0, 0); RANGES_MAX];
        let mut end = newest;
        for (at, range) in ranges.get_mut(..count)?.iter_mut().enumerate() {
            if at > 0 {
                end = end.checked_sub(number::read(bytes)?.checked_add(2)?)?;
            }
            let start = end.checked_sub(number::read(bytes)?)?;
            *range = (start, end);
            end = start;
        }
        let delay = u32::from_be_bytes(*delay);
        Some(Self {
            delay,
            ranges,
            count,
        })
    }
}

/// Bytes of a stream, and where they belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StreamFrame<'a> {
    pub(crate) stream: u64,
    pub(crate) offset: u64,
    pub(crate) bytes: &'a [u8],
    /// The stream ends behind them.
    pub(crate) is_last: bool,
}

impl StreamFrame<'_> {
    /// Appends the frame, whose bytes [`StreamFrame::room`] allowed.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.push(if self.is_last { LAST_PIECE } else { PIECE });
        number::write(self.stream, out);
        number::write(self.offset, out);
        out.extend_from_slice(&(self.bytes.len() as u16).to_be_bytes());
        out.extend_from_slice(self.bytes);
    }

    /// Returns how many bytes of a stream fit where `room` is left, or nothing where not even the frame's own do.
    pub(crate) const fn room(stream: u64, offset: u64, room: usize) -> Option<usize> {
        if room > PIECE_HEADER_BYTES {
            Some(room - 1 - number::length(stream) - number::length(offset) - 2)
        } else {
            None
        }
    }

    fn read<'a>(bytes: &mut &'a [u8], is_last: bool) -> Option<StreamFrame<'a>> {
        let stream = number::read(bytes)?;
        let offset = number::read(bytes)?;
        let (length, rest) = bytes.split_first_chunk()?;
        let (piece, rest) = rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
        *bytes = rest;
        Some(StreamFrame {
            stream,
            offset,
            bytes: piece,
            is_last,
        })
    }
}

/// One thing that a packet says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "a frame lives on the stack for as long as it is looked at; a box would be an allocation per acknowledgement"
)]
pub(crate) enum Frame<'a> {
    /// Answer, please.
    Ping,
    Ack(Ack),
    /// How much may be sent in all, since the beginning.
    Credit(u64),
    Piece(StreamFrame<'a>),
    /// This was all, and why.
    Close(u64),
}

/// Appends a ping, or a credit.
pub(crate) fn write_one(credit: Option<u64>, out: &mut Vec<u8>) {
    match credit {
        None => out.push(PING),
        Some(bytes) => {
            out.push(CREDIT);
            number::write(bytes, out);
        }
    }
}

/// Appends an end.
pub(crate) fn write_close(code: u64, out: &mut Vec<u8>) {
    out.push(CLOSE);
    number::write(code, out);
}

/// The frames of a packet; the first that cannot be read is an error, and the last.
pub(crate) struct Frames<'a>(&'a [u8]);

/// Bytes that are no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoFrame;

impl<'a> Frames<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    fn read(&mut self, kind: u8) -> Option<Frame<'a>> {
        let bytes = &mut self.0;
        Some(match kind {
            PING => Frame::Ping,
            ACK => Frame::Ack(Ack::read(bytes)?),
            CREDIT => Frame::Credit(number::read(bytes)?),
            PIECE | LAST_PIECE => Frame::Piece(StreamFrame::read(bytes, kind == LAST_PIECE)?),
            CLOSE => Frame::Close(number::read(bytes)?),
            _ => return None,
        })
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = Result<Frame<'a>, NoFrame>;

    fn next(&mut self) -> Option<Self::Item> {
        let (kind, rest) = self.0.split_first()?;
        self.0 = rest;
        let frame = self.read(*kind);
        if frame.is_none() {
            self.0 = &[];
        }
        Some(frame.ok_or(NoFrame))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(bytes: &[u8]) -> Vec<Frame<'_>> {
        Frames::new(bytes).map(Result::unwrap).collect()
    }

    #[test]
    fn each_is_read_as_written() {
        let ack = Ack::new(9, [90..=100, 7..=88, 0..=5].into_iter());
        let piece = StreamFrame {
            stream: 70_000,
            offset: 1 << 40,
            bytes: b"bytes",
            is_last: true,
        };
        let mut out = Vec::new();
        write_one(None, &mut out);
        ack.write(&mut out);
        write_one(Some(1 << 20), &mut out);
        piece.write(&mut out);
        write_close(3, &mut out);
        let wanted = [
            Frame::Ping,
            Frame::Ack(ack),
            Frame::Credit(1 << 20),
            Frame::Piece(piece),
            Frame::Close(3),
        ];
        assert_eq!(read(&out), wanted);
        assert_eq!(ack.ranges().collect::<Vec<_>>(), [90..=100, 7..=88, 0..=5]);
    }

    #[test]
    fn an_acknowledgement_tells_the_newest() {
        let ranges = (0..100).rev().map(|n| 10 * n..=10 * n + 3);
        let mut out = Vec::new();
        Ack::new(0, ranges).write(&mut out);
        assert!(out.len() < 200, "{}", out.len());
        let [Frame::Ack(ack)] = read(&out)[..] else {
            unreachable!("one frame was written")
        };
        assert_eq!(ack.newest(), 993);
        assert_eq!(ack.ranges().count(), RANGES_MAX);
    }

    #[test]
    fn a_piece_fills_the_room_that_it_asked_for() {
        for (stream, offset) in [(0, 0), (1 << 61, 1 << 61), (63, 64)] {
            let fits = StreamFrame::room(stream, offset, 300).unwrap();
            let bytes = vec![1; fits];
            let mut out = Vec::new();
            let frame = StreamFrame {
                stream,
                offset,
                bytes: &bytes,
                is_last: false,
            };
            frame.write(&mut out);
            assert_eq!(out.len(), 300);
        }
        assert_eq!(StreamFrame::room(0, 0, PIECE_HEADER_BYTES), None);
    }

    proptest! {
        #[test]
        fn whatever_comes_reading_ends(bytes in proptest::collection::vec(0_u8..8, 0..200)) {
            let frames: Vec<_> = Frames::new(&bytes).collect();
            let errors = frames.iter().filter(|frame| frame.is_err()).count();
            prop_assert!(errors <= 1 && frames.len() <= bytes.len());
            prop_assert!(errors == 0 || frames.last().is_some_and(Result::is_err));
        }
    }
}
