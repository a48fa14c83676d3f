//! The perf protocol between peers: how fast bytes go from one to the other, and substreams open between them.
//!
//! It is one of the real systems that get measured. Over TCP it speaks multistream-select, noise and yamux as litep2p and
//! libp2p do, all written here, so that any of the three can be either side; what is spoken on a substream is
//! `/litep2p-perf/1.0.0`, which was published with a comparison of the other two.
//!
//! What one exchange costs inside, without a line, is counted by [`parts`].
//!
//! A [`Client`] and a [`Server`] block, and each connection has one thread: see `connection.rs` for why.
//!
//! Tests: each file checks its own promise; `tests/it` lets clients and servers talk over the loopback interface, to each
//! other and to those that do what they must not.
//!
//! ```
//! use workload_p2p::{Client, Direction, Identity, Server, Settings};
//!
//! let server = Server::start(
//!     "127.0.0.1:0".parse().unwrap(),
//!     Identity::from_text("server"),
//!     Settings::default(),
//!     |_| {},
//! )?;
//! let identity = Identity::from_text("client");
//! let mut client = Client::connect(&server.address(), &identity, Settings::default())?;
//! let outcome = client.transfer(Direction::Upload, 1 << 20)?;
//! assert!(outcome.counters.is_some_and(|counters| counters.bytes_sent > 1 << 20));
//! # Ok::<(), workload_p2p::Error>(())
//! ```

mod address;
pub mod cli;
mod client;
mod connection;
mod error;
#[cfg(test)]
mod hostile;
mod identity;
mod line;
mod negotiation;
mod noise;
pub mod parts;
mod perf;
mod protobuf;
mod server;
mod settings;
mod yamux;

pub use address::{Address, NoAddress};
pub use client::{Client, Outcome};
pub use error::{Cause, Error, Phase, Violation};
pub use identity::{Identity, NoPeerId, PeerId};
pub use line::Counters;
pub use perf::payload::{Check, Digest, Sink, WRITE_BYTES_MAX, piece};
pub use perf::{Direction, Exchange, PROTOCOL, Served, Times};
pub use server::{Server, Tell};
pub use settings::Settings;
