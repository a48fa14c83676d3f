//! What applications say to each other: streams of bytes, each in one direction and in order.
//!
//! A message is a stream that is written at once and ends. Streams wait for nothing but credit, of which a connection has
//! one amount for all: each byte costs one, and each stream [`STREAM_COST`], so that one number bounds what whoever
//! receives must hold, of many short messages as of a long one.

mod incoming;
mod outgoing;

pub use incoming::Chunk;
pub(crate) use incoming::{Incoming, Taken, Wrong};
pub(crate) use outgoing::Outgoing;

/// What a stream costs beside its bytes, because it takes memory until it is read to its end.
pub const STREAM_COST: u64 = 256;
