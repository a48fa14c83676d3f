//! An encrypted transport over UDP: streams and messages between two sides that know each other's public keys.
//!
//! It is one of the real systems that get measured. Its core has neither socket nor clock: an [`Endpoint`] is handed
//! datagrams and moments, and says what to send and when to come back. A [`Driver`] gives it a socket: [`Udp`], or a
//! [`Port`] of a [`World`] whose clock is a number, so that what happens there is the same in every run and can be counted.
//!
//! Every packet is sealed with AES-128-GCM under keys that both sides agree on by X25519, and fits a network of 1,500 bytes
//! a packet. What is lost comes again; how much is under way is up to LEDBAT, which yields to others; what a receiver has
//! to hold is bounded by the credit that it grants.
//!
//! Tests: each file checks its own promise; `tests/it` lets endpoints talk over lines that lose, repeat, reorder and change
//! what they carry, and over real sockets.
//!
//! ```
//! use std::time::Duration;
//! use workload_transport::{Line, Settings, World};
//!
//! let mut world = World::new(1, Line::new(Duration::from_millis(2)));
//! let [one, two] = [0; 2].map(|_| world.add(Settings::default()));
//! let key = world.endpoint(two).public_key();
//! let now = world.now();
//! let connection = world.endpoint(one).connect(now, World::address(1), &key)?;
//! world.endpoint(one).send(connection, "hello".into())?;
//! world.run(Duration::from_millis(10));
//! let (theirs, _) = world.endpoint(two).poll_event().unwrap();
//! assert_eq!(world.endpoint(two).read(theirs).unwrap().bytes, "hello");
//! # Ok::<(), workload_transport::Error>(())
//! ```

mod connection;
mod crypto;
mod driver;
mod endpoint;
mod error;
#[cfg(any(test, feature = "fuzzing"))]
pub mod forged;
mod link;
mod ranges;
mod recovery;
mod settings;
mod statistics;
mod streams;
mod time;
mod wire;
mod world;

pub use connection::Event;
pub use crypto::{Opener, PublicKey, Random, Sealer, SecretKey};
pub use driver::{Calls, Clock, Driver, Failed, Host, Socket, Udp, Waker};
pub use endpoint::{ConnectionId, Endpoint, Strays, Transmit};
pub use error::{Ended, Error, SocketError, Violation};
pub use link::{Carried, Line};
pub use settings::{Accept, Settings};
pub use statistics::Statistics;
pub use streams::{Chunk, STREAM_COST, cut};
pub use time::Time;
pub use wire::Header;
pub use world::{Port, World};
