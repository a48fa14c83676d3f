//! One connection as a state that changes when something is handed in: a datagram, a moment, something to send.
//!
//! It has no socket and no clock. [`receive`] takes what came, [`transmit`] fills datagrams, [`timers`] says when to come
//! back. Acknowledgements are dealt with in the first, whether or not the application reads anything.
//!
//! Tests: through the endpoint, on links that lose, repeat, reorder and change what they carry.

mod arrived;
mod moved;
mod receive;
mod timers;
mod transmit;

use std::collections::VecDeque;
use std::net::SocketAddr;

use bytes::Bytes;

use crate::crypto::{Initiator, Opener, Sealer, Secrets};
use crate::recovery::{Ledbat, Pacer, Rtt, Sent};
use crate::streams::{Chunk, Incoming, Outgoing};
use crate::wire::datagram_bytes;
use crate::{Ended, Error, PublicKey, Settings, Statistics, Time};
use arrived::Arrived;
use moved::Moved;

/// What may be under way at first: a message of 32 KiB and what it is packed in.
const WINDOW_PACKETS: u64 = 26;

/// Something the application may want to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The connection is made, and the other side is who it says.
    Connected,
    /// There is something to read.
    Readable,
    /// The other side has all of a stream.
    Delivered(u64),
    /// The connection is no more.
    Ended(Ended),
}

/// How far a connection is.
enum State {
    /// The first message was sent, and is again until it is answered.
    Connecting {
        handshake: Box<Initiator>,
        message: Vec<u8>,
        is_due: bool,
    },
    /// The answer was sent, and is again whenever the first message comes.
    Answered {
        answer: Vec<u8>,
        is_due: bool,
    },
    Open,
    /// This side said that it was all, and says so again to whatever comes.
    Closing {
        code: u64,
        until: Time,
        is_due: bool,
    },
    Closed,
}

struct Keys {
    sealer: Sealer,
    opener: Opener,
}

impl Keys {
    fn new(secrets: &Secrets) -> Self {
        Self {
            sealer: Sealer::new(secrets.seal),
            opener: Opener::new(secrets.open),
        }
    }
}

pub(crate) struct Connection {
    pub(crate) peer: PublicKey,
    remote: SocketAddr,
    peer_id: u32,
    state: State,
    keys: Option<Keys>,
    arrived: Arrived,
    sent: Sent,
    rtt: Rtt,
    ledbat: Ledbat,
    pacer: Pacer,
    outgoing: Outgoing,
    incoming: Incoming,
    /// Never moved: when this side knew of it first.
    began: Time,
    /// Moved when something came that only the other side can have sealed.
    heard: Time,
    /// Moved when a datagram was written.
    said: Time,
    /// Moved when the first packet that wants an answer gets under way, when one was confirmed, and when nothing was in
    /// time: from here on an answer is waited for.
    asked: Time,
    attempts: u32,
    // Since when something was under way and nothing was confirmed.
    unconfirmed_since: Option<Time>,
    // The other side has moved, and nobody knows yet that it is there.
    moved: Option<Moved>,
    loss_at: Option<Time>,
    paced_until: Option<Time>,
    blocked_since: Option<Time>,
    is_ping_due: bool,
    // The credit that was told may not have arrived.
    is_credit_due: bool,
    is_readable_noted: bool,
    // Nothing was said or heard since memory was given back.
    is_small: bool,
    events: VecDeque<Event>,
    statistics: Statistics,
    /// What the endpoint remembers of it: when it is to come back, and whether it stands in line to send.
    pub(crate) noted: Time,
    pub(crate) is_in_line: bool,
}

impl Connection {
    fn new(now: Time, peer: PublicKey, remote: SocketAddr, window: u64) -> Self {
        let packet = datagram_bytes(&remote) as u64;
        Self {
            peer,
            remote,
            peer_id: 0,
            state: State::Closed,
            keys: None,
            arrived: Arrived::default(),
            sent: Sent::default(),
            rtt: Rtt::default(),
            ledbat: Ledbat::new(packet, packet * WINDOW_PACKETS),
            pacer: Pacer::new(packet * WINDOW_PACKETS),
            outgoing: Outgoing::default(),
            incoming: Incoming::new(window),
            began: now,
            heard: now,
            said: now,
            asked: now,
            attempts: 0,
            unconfirmed_since: None,
            moved: None,
            loss_at: None,
            paced_until: None,
            blocked_since: None,
            is_ping_due: false,
            is_credit_due: false,
            is_readable_noted: false,
            is_small: false,
            events: VecDeque::new(),
            statistics: Statistics::default(),
            noted: Time::NEVER,
            is_in_line: false,
        }
    }

    /// A connection that this side makes.
    pub(crate) fn connecting(
        now: Time,
        peer: PublicKey,
        remote: SocketAddr,
        window: u64,
        (handshake, message): (Initiator, Vec<u8>),
    ) -> Self {
        Self {
            state: State::Connecting {
                handshake: Box::new(handshake),
                message,
                is_due: true,
            },
            ..Self::new(now, peer, remote, window)
        }
    }

    /// A connection that the other side makes; it granted `granted` bytes.
    pub(crate) fn answered(
        now: Time,
        peer_id: u32,
        (peer, remote): (PublicKey, SocketAddr),
        [window, granted]: [u64; 2],
        (secrets, answer): (&Secrets, Vec<u8>),
    ) -> Self {
        let mut connection = Self {
            peer_id,
            keys: Some(Keys::new(secrets)),
            state: State::Answered {
                answer,
                is_due: true,
            },
            ..Self::new(now, peer, remote, window)
        };
        connection.outgoing.grant(granted);
        connection
    }

    pub(crate) const fn is_half_open(&self) -> bool {
        matches!(self.state, State::Answered { .. })
    }

    const fn is_alive(&self) -> bool {
        !matches!(self.state, State::Closing { .. } | State::Closed)
    }

    /// Returns whether nothing is left: not even something to read.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.state, State::Closed)
            && !self.incoming.is_readable()
            && self.events.is_empty()
    }

    pub(crate) fn open(&mut self, settings: &Settings) -> Result<u64, Error> {
        if !self.is_alive() {
            return Err(Error::NoConnection);
        }
        match self.outgoing.too_many(settings.send_buffer) {
            Some(open) => Err(Error::TooManyStreams(open)),
            None => Ok(self.outgoing.open()),
        }
    }

    /// Sends a stream that is all there at once: it waits for its turn, however many others are open.
    pub(crate) fn send(&mut self, message: Bytes, settings: &Settings) -> Result<u64, Error> {
        self.check_room(settings)?;
        let stream = self.outgoing.open();
        self.outgoing.write(stream, message);
        self.outgoing.finish(stream);
        Ok(stream)
    }

    /// Adds bytes to a stream. They are not copied.
    pub(crate) fn write(
        &mut self,
        stream: u64,
        bytes: Bytes,
        settings: &Settings,
    ) -> Result<(), Error> {
        self.check_room(settings)?;
        if !self.outgoing.is_open(stream) {
            return Err(Error::NoStream(stream));
        }
        self.outgoing.write(stream, bytes);
        Ok(())
    }

    /// Returns whether a write would be taken.
    fn check_room(&self, settings: &Settings) -> Result<(), Error> {
        let waiting = self.outgoing.waiting();
        if !self.is_alive() {
            Err(Error::NoConnection)
        } else if waiting > 0 && waiting >= settings.send_buffer {
            Err(Error::Full(waiting))
        } else {
            Ok(())
        }
    }

    pub(crate) fn finish(&mut self, stream: u64) {
        self.outgoing.finish(stream);
    }

    pub(crate) fn read(&mut self) -> Option<Chunk> {
        let chunk = self.incoming.read();
        if chunk.is_none() {
            self.is_readable_noted = false;
        }
        chunk
    }

    pub(crate) fn is_readable(&self) -> bool {
        self.incoming.is_readable()
    }

    pub(crate) fn event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    pub(crate) const fn remote(&self) -> SocketAddr {
        self.remote
    }

    pub(crate) fn statistics(&self) -> Statistics {
        Statistics {
            round_trip: self.rtt.smoothed(),
            queueing: self.ledbat.queueing(),
            window: self.ledbat.window(),
            under_way: self.sent.under_way(),
            buffered: self.outgoing.buffered(),
            ..self.statistics
        }
    }
}
