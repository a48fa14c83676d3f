//! How long either side waits, and how much it takes.
//!
//! Tests: through clients and servers.

use std::time::Duration;

use crate::error::Cause;
use crate::noise::Keys;
use crate::perf::payload::Check;

/// The settings of a client or a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How long connecting may take.
    pub connect: Duration,
    /// How long agreeing on protocols and keys may take.
    pub secure: Duration,
    /// How long substreams that were asked for may show nothing new.
    pub open: Duration,
    /// How long an exchange may show nothing new, in either direction.
    pub stall: Duration,
    /// How long a server keeps a connection on which nothing is asked for.
    pub idle: Duration,
    /// The most that may be uploaded or downloaded at once.
    pub bytes_max: u64,
    /// How many substreams a connection may have.
    pub streams_max: usize,
    /// How many connections a server has at a time.
    pub connections_max: usize,
    /// How much is written at once, [`WRITE_BYTES_MAX`](crate::WRITE_BYTES_MAX) at the most.
    pub write_bytes: usize,
    /// What is done with what arrives.
    pub check: Check,
    /// What the keys of the noise handshake are made of. Where nothing is given they are drawn for each connection, as they
    /// must be; with given ones a connection is the same, byte for byte, as one that was recorded.
    pub seeds: Option<[[u8; 32]; 2]>,
}

impl Default for Settings {
    fn default() -> Self {
        let patience = Duration::from_secs(10);
        Self {
            connect: patience,
            secure: patience,
            open: patience,
            stall: patience,
            idle: 6 * patience,
            bytes_max: 1 << 40,
            streams_max: 4_096,
            connections_max: 64,
            write_bytes: 64 << 10,
            check: Check::Count,
            seeds: None,
        }
    }
}

impl Settings {
    pub(crate) fn keys(&self) -> Result<Keys, Cause> {
        let keys = self.seeds.map(Keys::from_seeds).or_else(Keys::draw);
        keys.ok_or(Cause::NoRandomness)
    }

    pub(crate) fn check_size(&self, declared: u64) -> Result<(), Cause> {
        // Beside an upload stand two sizes, and all of it is counted.
        let limit = self.bytes_max.min(u64::MAX - 16);
        (declared <= limit)
            .then_some(())
            .ok_or(Cause::TooLarge { declared, limit })
    }
}
