//! Why something did not happen, and why a connection is no more.
//!
//! Tests: each where it arises.

use std::io;
use std::net::SocketAddr;

/// Why something did not happen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no such connection.
    #[error("nothing was done: the connection has ended; make another")]
    NoConnection,
    /// There is no such stream, or it was finished.
    #[error("nothing was written: stream {0} is not open; open another")]
    NoStream(u64),
    /// As many streams are open as there is room for.
    #[error(
        "no stream was opened: {0} are open, and there is no room for more; finish some, or ask for a larger window there"
    )]
    TooManyStreams(u64),
    /// The send buffer is full.
    #[error(
        "nothing was written: {0} bytes, messages themselves counted, wait for the other side to have them; write again when it has some"
    )]
    Full(u64),
    /// There are as many connections as are allowed.
    #[error(
        "no connection was made: there are {0} already, which is the limit; close some, or raise it"
    )]
    TooMany(usize),
    /// The key is one that anybody could have.
    #[error("no connection to {0} was made: its public key is none; ask for the right one")]
    BadKey(SocketAddr),
}

/// Why a connection is no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Ended {
    /// This side closed it.
    #[error("this side closed the connection")]
    Here,
    /// The other side closed it.
    #[error("the other side closed the connection with code {0}")]
    There(u32),
    /// The other side says that this one was wrong.
    #[error(
        "the other side ended the connection, because it could not make sense of what this side sent"
    )]
    Misunderstood,
    /// The other side was wrong.
    #[error("the connection was ended, because the other side {0}")]
    Violated(Violation),
    /// Nobody answered.
    #[error(
        "no connection was made: nobody answered in time; check the address and the public key"
    )]
    NoAnswer,
    /// The other side is gone.
    #[error("the connection was ended, because nothing was heard of the other side for too long")]
    Silent,
    /// The other side is there and reads nothing.
    #[error("the connection was ended, because the other side did not read for too long")]
    Stalled,
    /// The other side is there and confirms nothing.
    #[error(
        "the connection was ended, because the other side confirmed nothing of what was sent for too long"
    )]
    Unconfirmed,
}

impl Ended {
    /// Returns whether a socket that does not do its part looks just so.
    pub(crate) const fn may_be_of_the_socket(self) -> bool {
        matches!(self, Self::NoAnswer | Self::Silent | Self::Unconfirmed)
    }
}

/// What the other side did that it must not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// It wrote what is no packet.
    #[error("sent a packet that cannot be read")]
    NoFrame,
    /// It confirmed what was never sent.
    #[error("said that a packet had arrived which was never sent")]
    NeverSent,
    /// It sent what it must not.
    #[error("sent more than it was allowed to")]
    Credit,
    /// It changed where a stream ends.
    #[error("changed where a stream ends")]
    End,
}

/// What a socket did not do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SocketError {
    /// It did not send.
    #[error("nothing was sent to {0}: {1}")]
    Unsent(SocketAddr, #[source] io::Error),
    /// It had no datagram to give, but an error.
    #[error("nothing was received: {0}")]
    Unreceived(#[source] io::Error),
}

impl SocketError {
    pub(crate) fn is_of(&self, address: SocketAddr) -> bool {
        matches!(self, Self::Unsent(to, _) if *to == address)
    }
}
