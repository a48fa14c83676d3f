//! What a connection did, as numbers.

use std::time::Duration;

/// The numbers of a connection since its beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Datagrams sent, of every kind.
    pub datagrams_sent: u64,
    /// Their bytes.
    pub bytes_sent: u64,
    /// Datagrams that said nothing but what had arrived.
    pub acks_sent: u64,
    /// Packets that the other side wrote, each for the first time.
    pub packets_received: u64,
    /// Packets that had arrived before, or came too late to tell.
    pub repeated: u64,
    /// Datagrams that the other side did not write just so.
    pub refused: u64,
    /// Packets that counted as lost.
    pub packets_lost: u64,
    /// Bytes of streams that had to be sent again.
    pub bytes_lost: u64,
    /// How often nothing was heard for as long as one waits.
    pub timeouts: u64,
    /// How often the other side came from another address.
    pub migrations: u64,
    /// How long an answer takes, smoothed.
    pub round_trip: Duration,
    /// How long packets wait in queues.
    pub queueing: Duration,
    /// The bytes that may be under way.
    pub window: u64,
    /// The bytes that are.
    pub under_way: u64,
    /// The bytes that the application wrote and the other side does not have.
    pub buffered: u64,
}
