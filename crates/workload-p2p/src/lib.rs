//! x
mod error;
mod identity;
mod line;
mod negotiation;
mod noise;
mod protobuf;
pub use error::{Cause, Error, Phase, Violation};
pub use identity::{Identity, NoPeerId, PeerId};
pub use line::Counters;
