//! What gives an endpoint a socket: it receives, sends, and lets time pass, and owns all three.
//!
//! One turn takes in whatever has come, does what is due and sends what follows from it. Acknowledgements are part of
//! that, so that a sender that never reads anything goes on all the same.
//!
//! Tests: on both sockets, in `tests/it`.

mod host;
mod udp;

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use crate::{Endpoint, SocketError, Time, Transmit};

pub use host::{Failed, Host};
pub use udp::{Clock, Udp, Waker};

/// Datagrams in and out.
pub trait Socket {
    /// Sends datagrams: all of `contents`, cut as `transmit` says. An error of the kind [`io::ErrorKind::WouldBlock`]
    /// keeps them for the next turn; after any other they count as sent, and are lost.
    fn send(&mut self, now: Time, transmit: &Transmit, contents: &[u8]) -> io::Result<()>;

    /// Hands all datagrams that have come, and are not too many for one turn, to `take`, and returns whether there may be
    /// more.
    fn receive(
        &mut self,
        now: Time,
        take: &mut dyn FnMut(SocketAddr, &mut [u8]),
    ) -> io::Result<bool>;

    /// How many datagrams it sends at a time.
    fn most(&self) -> usize;
}

/// For so long a socket is left alone that had only an error to give: it would have the next at once.
const DEAF_SPAN: Duration = Duration::from_millis(10);

/// How often a driver called its socket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Calls {
    /// Calls that sent.
    pub sends: u64,
    /// Calls that received.
    pub receives: u64,
    /// Calls that waited until there was something to do.
    pub waits: u64,
    /// Calls that ended with an error, other than that the socket was not ready.
    pub errors: u64,
}

/// An endpoint on a socket.
pub struct Driver<S> {
    /// The connections. After a call that may have something to say, [`Driver::flush`] says it.
    pub endpoint: Endpoint,
    socket: S,
    out: Vec<u8>,
    // What the socket did not take: `out` begins with it.
    kept: Option<Transmit>,
    // What was written behind what is sent next, and does not fit into the same call.
    behind: Option<Transmit>,
    // What it did not do, until it does.
    unsent: Option<SocketError>,
    deaf: Option<(Time, SocketError)>,
    calls: Calls,
}

impl<S: Socket> Driver<S> {
    /// Gives an endpoint its socket.
    pub fn new(endpoint: Endpoint, socket: S) -> Self {
        Self {
            endpoint,
            socket,
            out: Vec::new(),
            kept: None,
            behind: None,
            unsent: None,
            deaf: None,
            calls: Calls::default(),
        }
    }

    /// Takes in what has come, does what is due, and sends what follows. Returns whether more may have come.
    pub fn turn(&mut self, now: Time) -> bool {
        let more = self.receive(now);
        self.endpoint.handle_timeout(now);
        self.flush(now);
        more
    }

    /// Takes in what has come, without answering yet. Returns whether more may have come.
    pub fn receive(&mut self, now: Time) -> bool {
        let is_deaf = |since: Time| since <= now && now < since + DEAF_SPAN;
        if self.deaf.as_ref().is_some_and(|(since, _)| is_deaf(*since)) {
            return false;
        }
        let endpoint = &mut self.endpoint;
        self.calls.receives += 1;
        let received = self.socket.receive(now, &mut |from, datagram| {
            endpoint.handle_datagram(now, from, datagram);
        });
        let failed = received.as_ref().err();
        let has_failed = failed.is_some_and(|error| error.kind() != io::ErrorKind::WouldBlock);
        self.calls.errors += u64::from(has_failed);
        let more = *received.as_ref().unwrap_or(&false);
        self.deaf = received
            .err()
            .filter(|_| has_failed)
            .map(|error| (now, SocketError::Unreceived(error)));
        more
    }

    /// Sends all that there is to say. What a socket does not take is kept: [`Driver::is_held_up`].
    pub fn flush(&mut self, now: Time) {
        while let Some(transmit) = self.kept.take().or_else(|| self.gather(now)) {
            self.calls.sends += 1;
            let sent = self
                .socket
                .send(now, &transmit, &self.out[..transmit.bytes]);
            match sent {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.kept = Some(transmit);
                    self.endpoint.hold_up();
                    return;
                }
                Err(error) => {
                    self.calls.errors += 1;
                    self.unsent = Some(SocketError::Unsent(transmit.to, error));
                }
                Ok(()) => self.unsent = self.unsent.take().filter(|it| !it.is_of(transmit.to)),
            }
            self.out.drain(..transmit.bytes);
        }
    }

    /// Writes what one call can carry, of as many connections as go the same way in datagrams of one length: messages of
    /// many connections so cost one call, and wake the other side once.
    fn gather(&mut self, now: Time) -> Option<Transmit> {
        let most = self.socket.most();
        let mut first = match self.behind.take() {
            Some(behind) => behind,
            None => self.endpoint.poll_transmit(now, most, &mut self.out)?,
        };
        while first.has_room(most) {
            let room = most - first.datagrams();
            match self.endpoint.poll_transmit(now, room, &mut self.out) {
                Some(next) if first.takes(&next) => first.bytes += next.bytes,
                next => {
                    self.behind = next;
                    break;
                }
            }
        }
        Some(first)
    }

    /// Returns when to take the next turn if nothing comes until then.
    pub fn next(&self) -> Option<Time> {
        let hears = self.deaf.as_ref().map(|(since, _)| *since + DEAF_SPAN);
        self.endpoint.next_timeout().into_iter().chain(hears).min()
    }

    /// Returns what the socket did not do when it was asked last: it receives nothing, or what was sent to an address was
    /// lost. It is tried again, and nobody ends for that alone.
    pub fn last_error(&self) -> Option<&SocketError> {
        let deaf = self.deaf.as_ref().map(|(_, error)| error);
        self.unsent.as_ref().or(deaf)
    }

    /// Returns the same, but nothing that was lost on the way to anybody else.
    pub fn last_error_of(&self, remote: Option<SocketAddr>) -> Option<&SocketError> {
        let is_of = |error: &&SocketError| remote.is_some_and(|remote| error.is_of(remote));
        let deaf = self.deaf.as_ref().map(|(_, error)| error);
        self.unsent.as_ref().filter(is_of).or(deaf)
    }

    /// Returns whether something waits for the socket to take it.
    pub const fn is_held_up(&self) -> bool {
        self.kept.is_some()
    }

    /// Returns how often the socket was called.
    pub const fn calls(&self) -> Calls {
        self.calls
    }

    /// The socket.
    pub const fn socket(&self) -> &S {
        &self.socket
    }

    pub(crate) const fn socket_mut(&mut self) -> &mut S {
        &mut self.socket
    }
}
