//! Why something did not happen: in which phase, and what stood against it.
//!
//! Tests: each where it arises.

use std::fmt;
use std::io;
use std::time::Duration;

use crate::PeerId;

/// What was being done, and so what did not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Phase {
    /// Reaching the other side's address.
    Connect,
    /// Agreeing on protocols and keys.
    Secure,
    /// Opening substreams.
    Open,
    /// Moving bytes.
    Exchange,
    /// Answering whoever connected.
    Serve,
    /// Listening for connections.
    Listen,
}

impl fmt::Display for Phase {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Connect => "no connection was made",
            Self::Secure => "the connection was not secured",
            Self::Open => "not every substream was opened",
            Self::Exchange => "the exchange was not finished",
            Self::Serve => "the connection was given up",
            Self::Listen => "nobody is served",
        })
    }
}

/// What did not happen, and why.
#[derive(Debug, thiserror::Error)]
#[error("{phase}: {cause}")]
pub struct Error {
    /// What was being done.
    pub phase: Phase,
    /// What stood against it.
    pub cause: Cause,
}

/// What stands against something.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Cause {
    /// The system says no.
    #[error("{0}")]
    System(#[source] io::Error),
    /// The other side did nothing for too long.
    #[error(
        "the other side did not go on within {0:?}; see whether it still runs, or allow it more time"
    )]
    TimedOut(Duration),
    /// The other side ended the connection in the middle.
    #[error("the other side ended the connection in the middle; see what it says about that")]
    Ended,
    /// The other side said that it goes, with a code.
    #[error("the other side closed the connection with code {0}; see what it says about that")]
    GoneAway(u32),
    /// The other side does not speak multistream-select.
    #[error("the other side does not speak multistream-select 1.0.0; check the address")]
    NotMultistream,
    /// The other side has no such protocol.
    #[error("the other side does not speak `{0}`; see which version it is")]
    NotSpoken(&'static str),
    /// The other side speaks none of what was asked for.
    #[error("the other side asked for {0} protocols, and none of them is spoken here")]
    NothingCommon(usize),
    /// What came cannot be part of a handshake, or was changed on its way.
    #[error(
        "what the other side sent is no part of a noise handshake ({0}); check that it is a libp2p node"
    )]
    NoHandshake(&'static str),
    /// Somebody else answers.
    #[error("{found} answered where {wanted} was asked for; check the address")]
    WrongPeer {
        /// Who was asked for.
        wanted: PeerId,
        /// Who answered.
        found: PeerId,
    },
    /// What came was not sealed with the keys agreed on.
    #[error("what arrived was changed on its way: a frame does not open with the keys agreed on")]
    NotSealed,
    /// The other side broke the rules of yamux.
    #[error("the other side {0}")]
    Violation(Violation),
    /// The other side gave up a substream.
    #[error("the other side reset the substream; see what it says about that")]
    Reset,
    /// There is no room for more substreams.
    #[error("{0} substreams are open, and so many more are not allowed; open fewer, or allow more")]
    TooMany(usize),
    /// There is no room for more connections.
    #[error("{0} connections are open, and no more are allowed; close some, or allow more")]
    TooManyConnections(usize),
    /// The system gives no randomness.
    #[error("the system gives no random numbers, and keys must be made of them")]
    NoRandomness,
    /// The other side wants to move more than is allowed.
    #[error(
        "{declared} bytes were declared, and {limit} are the most; ask for less, or raise the limit"
    )]
    TooLarge {
        /// How many it says.
        declared: u64,
        /// How many are allowed.
        limit: u64,
    },
    /// The other side sent less than it said.
    #[error("the other side declared {declared} bytes and ended after {arrived}")]
    Short {
        /// How many it said.
        declared: u64,
        /// How many came.
        arrived: u64,
    },
    /// The other side ended within a size.
    #[error("the other side ended where a size of eight bytes was to come")]
    NoNumber,
    /// The other side answered what it had not heard yet.
    #[error(
        "the other side answered before it was asked: it confirms nothing; see which version it is"
    )]
    Early,
    /// The other side sent more than it said.
    #[error("the other side went on after the end of the exchange: it sent more than it declared")]
    Trailing,
}

impl Cause {
    pub(crate) const fn during(self, phase: Phase) -> Error {
        Error { phase, cause: self }
    }
}

impl From<io::Error> for Cause {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// A rule of yamux that was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// Another version, or a kind of frame that there is not.
    #[error("sent what is no yamux frame")]
    NoFrame,
    /// It opened a substream that it must not open.
    #[error("opened a substream under a number that is taken or not its own")]
    BadNumber,
    /// It sent more than it was allowed to.
    #[error("sent more on a substream than its window allows")]
    BeyondWindow,
    /// It sent on after the end.
    #[error("sent on a substream after ending it")]
    AfterEnd,
    /// It gave more credit than a number holds.
    #[error("gave more credit on a substream than there can be")]
    CreditOverflow,
}

impl From<Violation> for Cause {
    fn from(violation: Violation) -> Self {
        Self::Violation(violation)
    }
}
