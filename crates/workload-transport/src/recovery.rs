//! What is under way, what was lost of it, and how much may be under way at all.

mod ledbat;
mod pacer;
mod rtt;
mod sent;

pub(crate) use ledbat::Ledbat;
pub(crate) use pacer::Pacer;
pub(crate) use rtt::Rtt;
pub(crate) use sent::{Packet, Pieces, Sent, SentPiece};
