//! Everything that this crate offers, used from outside.

mod driver;
mod faults;
mod handshake;
mod hostile;
mod link;
mod memory;
mod pair;
mod streams;
mod udp;
