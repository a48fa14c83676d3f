//! x
mod identity;
mod protobuf;
pub use identity::{Identity, NoPeerId, PeerId};
