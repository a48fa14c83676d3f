//! What an endpoint does for each of its connections, and how long it waits.
//!
//! Tests: through the endpoint.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::PublicKey;

/// Whom an endpoint answers.
#[derive(Clone, Debug, Default)]
pub enum Accept {
    /// Nobody: it only connects.
    Nobody,
    /// Whoever knows its public key. The application learns who it is.
    #[default]
    Anyone,
    /// These.
    Only(BTreeSet<PublicKey>),
}

impl Accept {
    pub(crate) fn allows(&self, key: &PublicKey) -> bool {
        match self {
            Self::Nobody => false,
            Self::Anyone => true,
            Self::Only(keys) => keys.contains(key),
        }
    }
}

/// The settings of an endpoint.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whom it answers.
    pub accept: Accept,
    /// How many bytes the other side of a connection may send that the application has not read.
    pub window: u64,
    /// How many bytes a connection holds for the application until the other side has them; each stream that was ended
    /// counts [`crate::STREAM_COST`] more. One write may go beyond it.
    pub send_buffer: u64,
    /// A connection on which nothing was heard for so long has ended.
    pub idle_timeout: Duration,
    /// A connection on which nothing was said for so long says that it is there.
    pub keep_alive: Option<Duration>,
    /// A connection that was not made after so long never will be.
    pub handshake_timeout: Duration,
    /// A connection whose other side reads nothing for so long while bytes wait for it, or confirms nothing while packets
    /// do, has ended.
    pub stall_timeout: Duration,
    /// How many connections there are at most, those included that others are making.
    pub connections_max: usize,
    /// How many connections others may be making at a time.
    pub half_open_max: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            accept: Accept::default(),
            window: 1 << 20,
            send_buffer: 4 << 20,
            idle_timeout: Duration::from_secs(30),
            keep_alive: Some(Duration::from_secs(10)),
            handshake_timeout: Duration::from_secs(10),
            stall_timeout: Duration::from_secs(60),
            connections_max: 1 << 16,
            half_open_max: 1 << 10,
        }
    }
}
