//! What applications say to each other: streams of bytes, each in one direction and in order.
//!
//! A message is a stream that is written at once and ends. Streams wait for nothing but credit, of which a connection has
//! one amount for all: each byte costs one, and each stream [`STREAM_COST`], so that one number bounds what whoever
//! receives must hold, of many short messages as of a long one.

mod incoming;
mod outgoing;

use bytes::Bytes;

pub use incoming::Chunk;
pub(crate) use incoming::{Incoming, Taken, Wrong};
pub(crate) use outgoing::Outgoing;

/// Cuts a message as a connection does, into what stands sealed in each of as many packets as it takes, `room` bytes each: one
/// behind the other in `out`. Returns how many there are. What this takes is what a message costs beside its cipher.
pub fn cut(message: Bytes, room: usize, out: &mut Vec<u8>) -> usize {
    let mut outgoing = Outgoing::default();
    outgoing.grant(u64::MAX);
    let id = outgoing.open();
    outgoing.write(id, message);
    outgoing.finish(id);
    std::iter::from_fn(|| outgoing.write_frame(room, out)).count()
}

/// What a stream costs beside its bytes, because it takes memory until it is read to its end.
pub const STREAM_COST: u64 = 256;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Frame, Frames};

    #[test]
    fn a_message_that_was_cut_is_all_there_in_packets_of_the_room_there_was() {
        let message: Vec<u8> = (0..10_000_u32).map(|at| (at * 7) as u8).collect();
        let mut out = Vec::new();
        assert_eq!(cut(message.clone().into(), 1_443, &mut out), 7);
        let mut came = Vec::new();
        for packet in out.chunks(1_443) {
            let frames: Vec<_> = Frames::new(packet).collect::<Result<_, _>>().unwrap();
            let [Frame::Piece(frame)] = frames.as_slice() else {
                unreachable!("a packet holds a piece of the message");
            };
            assert_eq!(frame.offset, came.len() as u64);
            came.extend_from_slice(frame.bytes);
            assert_eq!(frame.is_last, came.len() == message.len());
        }
        assert_eq!(came, message);
    }
}
