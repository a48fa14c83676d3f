//! Packets as bytes.
//!
//! ```text
//! first    1  own id (4)                 keys and hello, see the handshake
//! answer   2  to (4)      own id (4)     keys and hello
//! packet   3  to (4)      number (8)     sealed: stamp (4), frames
//! ```
//!
//! Ids name the connection at whoever receives, so that a packet finds it from whatever address it comes. Numbers are
//! big-endian. A datagram holds one packet.

mod frame;
mod header;
mod number;

pub(crate) use frame::{
    Ack, Frame, Frames, NoFrame, RANGES_MAX, StreamFrame, write_close, write_one,
};
pub use header::Header;
pub(crate) use header::{ANSWER, FIRST, PACKET, PACKET_HEADER_BYTES};

use std::net::SocketAddr;

/// The bytes that a datagram carries through a network of 1,500 bytes a packet: without the headers of IP and UDP.
pub(crate) const fn datagram_bytes(to: &SocketAddr) -> usize {
    match to {
        SocketAddr::V4(_) => 1_500 - 20 - 8,
        SocketAddr::V6(_) => 1_500 - 40 - 8,
    }
}

/// The bytes of the stamp that each sealed packet begins with.
pub(crate) const STAMP_BYTES: usize = 4;
