//! What asks a port: one way to do it each in a file, behind one trait.
//!
//! An engine has slots. Somebody starts a probe in a slot, waits for answers, and gives up what takes too long; what an
//! answer means, whom to ask next and when is not the engine's.
//!
//! Sockets are made once and asked over and over: the kernel puts one whose connection was refused back to where it was,
//! and to connect to nobody (`AF_UNSPEC`) does the same with one that is connected or still waits, with a reset instead
//! of minutes of TIME_WAIT. All of them are bound to an address of ours; the port is the kernel's choice with each probe.
//!
//! The kernel repeats a first packet that nobody answers, after a second and then less and less often, for as long as
//! a probe is out: a probe with a timeout beyond a second is several packets, and only the engine without connections
//! sends exactly one.
//!
//! Tests: `tests/it/engines.rs` holds every engine to the same promises; `worker/simulated.rs` is one without sockets.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use rustix::io::Errno;

pub(crate) mod blocking;
pub(crate) mod epoll;
pub(crate) mod ring;
mod socket;
pub(crate) mod syn;

/// What came back for a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// A connection.
    Open,
    /// A refusal by the host.
    Closed,
    /// A refusal by something on the way, or by this machine.
    Unreachable,
    /// Nothing, for as long as somebody waited.
    Silence,
    /// Our own probe: both ends of the connection are one socket, which proves nothing about the port.
    Itself,
    /// This machine was short of something, or was interrupted; nobody was asked.
    NotAsked,
    /// This machine has no address, or no port of one, to ask it from.
    NoSource,
}

/// How to ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineChoice {
    /// The ring where the kernel allows it, or else epoll.
    #[default]
    Auto,
    /// Connections through a ring that the kernel reads: a hundred probes in a system call.
    Ring,
    /// Connections that the kernel reports on.
    Epoll,
    /// One connection at a time in each thread.
    Blocking,
    /// No connection: the first packet of one, written by hand. Needs permission.
    Syn,
}

impl EngineChoice {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Ring => "ring",
            Self::Epoll => "epoll",
            Self::Blocking => "blocking",
            Self::Syn => "syn",
        }
    }
}

/// One way to ask ports.
pub(crate) trait Engine {
    /// Sees to it that there are `wanted` slots, and returns how many there are. Fewer are no error while there is one.
    fn grow(&mut self, wanted: usize) -> io::Result<usize>;

    /// Asks a port in an idle slot; the answer may be there at once.
    fn start(&mut self, slot: usize, to: SocketAddr) -> io::Result<Option<Answer>>;

    /// Gives up what a slot waits for. Where no answer is returned one still comes.
    fn give_up(&mut self, slot: usize) -> io::Result<Option<Answer>>;

    /// Waits until something is answered, for `wanted` answers if they come soon, for `span` at most.
    fn wait(
        &mut self,
        wanted: usize,
        span: Duration,
        answers: &mut Vec<(usize, Answer)>,
    ) -> io::Result<()>;

    /// How many system calls it has made.
    fn calls(&self) -> u64;
}

/// What a connection that failed says; an error where it is none of the port's doing.
fn meaning(error: Errno) -> io::Result<Answer> {
    match error {
        Errno::CONNREFUSED => Ok(Answer::Closed),
        // It was accepted, and was gone before we looked: with a reset, or with an end and then a reset.
        Errno::CONNRESET | Errno::PIPE => Ok(Answer::Open),
        Errno::TIMEDOUT => Ok(Answer::Silence),
        Errno::HOSTUNREACH
        | Errno::NETUNREACH
        | Errno::HOSTDOWN
        | Errno::NETDOWN
        | Errno::NOPROTOOPT
        | Errno::PROTO
        | Errno::ACCESS
        | Errno::PERM
        // What a route into a black hole says.
        | Errno::INVAL => Ok(Answer::Unreachable),
        Errno::INTR
        | Errno::AGAIN
        | Errno::NOBUFS
        | Errno::NOMEM
        | Errno::ADDRINUSE
        | Errno::MFILE
        | Errno::NFILE
        | Errno::CONNABORTED => Ok(Answer::NotAsked),
        // All ports are taken for the moment, or version six is off for good.
        Errno::ADDRNOTAVAIL => Ok(Answer::NoSource),
        other => Err(other.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_port_or_target_says_never_ends_a_scan() {
        for (answer, errors) in [
            (Answer::Open, &[Errno::CONNRESET, Errno::PIPE][..]),
            (Answer::Closed, &[Errno::CONNREFUSED]),
            (Answer::Silence, &[Errno::TIMEDOUT]),
            (
                Answer::Unreachable,
                &[
                    Errno::HOSTUNREACH,
                    Errno::NETUNREACH,
                    Errno::HOSTDOWN,
                    Errno::NETDOWN,
                    Errno::NOPROTOOPT,
                    Errno::PROTO,
                    Errno::ACCESS,
                    Errno::PERM,
                    Errno::INVAL,
                ],
            ),
            (
                Answer::NotAsked,
                &[
                    Errno::INTR,
                    Errno::AGAIN,
                    Errno::NOBUFS,
                    Errno::NOMEM,
                    Errno::ADDRINUSE,
                    Errno::MFILE,
                    Errno::NFILE,
                    Errno::CONNABORTED,
                ],
            ),
            (Answer::NoSource, &[Errno::ADDRNOTAVAIL]),
        ] {
            for error in errors {
                assert_eq!(meaning(*error).unwrap(), answer, "{error}");
            }
        }
        for error in [Errno::BADF, Errno::FAULT, Errno::NOTSOCK] {
            assert!(meaning(error).is_err(), "{error}");
        }
    }
}
