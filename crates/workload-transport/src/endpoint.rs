//! All connections of one socket: who a datagram is for, whose turn it is to send, and who has to be woken when.
//!
//! It has neither socket nor clock: [`crate::Driver`] gives it the real ones, [`crate::World`] others. Whatever comes
//! from a socket is handed to [`Endpoint::handle_datagram`]; then [`Endpoint::poll_transmit`] is asked until it has nothing
//! more, and [`Endpoint::handle_timeout`] called when the moment of [`Endpoint::next_timeout`] has come.
//!
//! Tests: `tests/it`.

mod accept;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;

use crate::connection::Connection;
use crate::crypto::{Initiator, PublicKey, Random, SecretKey};
use crate::streams::Chunk;
use crate::wire::{ANSWER, FIRST, Header, PACKET};
use crate::{Error, Event, Settings, Statistics, Time};

/// A clock that falls back by less is taken for several that hand in their moments in the wrong order.
const DISORDER_MAX: Duration = Duration::from_secs(1);

/// The longest that passes for an endpoint between two calls.
const LEAP_MAX: Duration = Duration::from_secs(86_400);

/// A connection of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(u32);

/// Datagrams that were written into a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transmit {
    /// Where they go.
    pub to: SocketAddr,
    /// All their bytes, from where the buffer ended before.
    pub bytes: usize,
    /// The bytes of each but the last, which may be shorter.
    pub segment: usize,
}

impl Transmit {
    pub(crate) const fn datagrams(&self) -> usize {
        self.bytes.div_ceil(self.segment)
    }

    /// Returns whether another datagram could follow in the same call, of which at most `most` go into one.
    pub(crate) const fn has_room(&self, most: usize) -> bool {
        self.datagrams() < most && self.bytes.is_multiple_of(self.segment)
    }

    /// Returns whether what follows it can go in the same call: only the last datagram may be shorter.
    pub(crate) fn takes(&self, next: &Self) -> bool {
        let is_short = next.bytes < self.segment;
        self.to == next.to && (is_short || self.segment == next.segment)
    }
}

/// Datagrams that were for no connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Strays {
    /// They were no packets, or named no connection.
    pub unknown: u64,
    /// They would have made a connection, and came from somebody who may not, or did not know the key.
    pub unwelcome: u64,
    /// They would have made a connection, and there was no room for one.
    pub no_room: u64,
    /// They had made a connection before.
    pub repeated: u64,
}

/// All connections of one socket.
pub struct Endpoint {
    secret: SecretKey,
    random: Random,
    settings: Settings,
    // What passed, and what the clock said last.
    now: Time,
    clock: Time,
    connections: BTreeMap<u32, Box<Connection>>,
    // Connections that others are making, by the key that they drew for it.
    half_open: BTreeMap<[u8; 32], u32>,
    // The keys of those that were made last.
    made: VecDeque<[u8; 32]>,
    timers: BTreeSet<(Time, u32)>,
    line: VecDeque<u32>,
    events: VecDeque<(ConnectionId, Event)>,
    strays: Strays,
}

impl Endpoint {
    /// An endpoint that is known by the public key of `secret`.
    pub fn new(secret: SecretKey, random: Random, settings: Settings) -> Self {
        Self {
            secret,
            random,
            settings,
            now: Time::ZERO,
            clock: Time::ZERO,
            connections: BTreeMap::new(),
            half_open: BTreeMap::new(),
            made: VecDeque::new(),
            timers: BTreeSet::new(),
            line: VecDeque::new(),
            events: VecDeque::new(),
            strays: Strays::default(),
        }
    }

    /// What others know it by.
    pub fn public_key(&self) -> PublicKey {
        self.secret.public()
    }

    /// Begins a connection to whoever holds the secret of `peer`. [`Event::Connected`] says when it is made; streams can
    /// be written at once.
    pub fn connect(
        &mut self,
        now: Time,
        remote: SocketAddr,
        peer: &PublicKey,
    ) -> Result<ConnectionId, Error> {
        let now = self.tick(now);
        if self.connections.len() >= self.settings.connections_max {
            return Err(Error::TooMany(self.settings.connections_max));
        }
        let id = self.draw_id();
        let window = self.settings.window;
        let mut message = vec![FIRST];
        message.extend_from_slice(&id.to_be_bytes());
        let handshake = Initiator::start(
            &self.secret,
            peer,
            window.to_be_bytes(),
            &mut self.random,
            &mut message,
        )
        .ok_or(Error::BadKey(remote))?;
        let connection = Connection::connecting(now, *peer, remote, window, (handshake, message));
        self.connections.insert(id, Box::new(connection));
        self.touched(id);
        Ok(ConnectionId(id))
    }

    /// Takes a datagram. It is opened where it lies.
    pub fn handle_datagram(&mut self, now: Time, from: SocketAddr, datagram: &mut [u8]) {
        let now = self.tick(now);
        let id = match datagram.first() {
            Some(&PACKET) => self.take_packet(now, from, datagram),
            Some(&FIRST) => return self.take_first(now, from, datagram),
            Some(&ANSWER) => self.take_answer(now, datagram),
            _ => None,
        };
        match id {
            Some(id) => self.touched(id),
            None => self.strays.unknown += 1,
        }
    }

    fn take_packet(&mut self, now: Time, from: SocketAddr, packet: &mut [u8]) -> Option<u32> {
        let header = Header::read(packet)?;
        let connection = self.connections.get_mut(&header.to)?;
        let was_half_open = connection.is_half_open();
        connection.take_packet(now, from, header, packet);
        if was_half_open && !connection.is_half_open() {
            self.was_made(header.to);
        }
        Some(header.to)
    }

    /// Appends datagrams for one destination to `out`: at most `most`, all but the last of the same length. Returns
    /// nothing where nobody has anything to say now.
    pub fn poll_transmit(&mut self, now: Time, most: usize, out: &mut Vec<u8>) -> Option<Transmit> {
        let now = self.tick(now);
        while let Some(id) = self.line.pop_front() {
            let Some(connection) = self.connections.get_mut(&id) else {
                continue;
            };
            let start = out.len();
            if let Some(segment) = connection.transmit(now, most, out) {
                // It may have more to say: after the others.
                self.line.push_back(id);
                return Some(Transmit {
                    to: connection.remote(),
                    bytes: out.len() - start,
                    segment,
                });
            }
            connection.is_in_line = false;
            connection.note_blocked(now);
            self.settle(id);
        }
        None
    }

    /// The socket takes nothing now: whoever stands in line is woken only for its end, which needs no socket.
    pub(crate) fn hold_up(&mut self) {
        for at in 0..self.line.len() {
            let id = self.line[at];
            let Some(connection) = self.connections.get(&id) else {
                continue;
            };
            let deadline = connection.hard_deadline(&self.settings);
            self.set_timer(id, deadline);
        }
    }

    /// Returns when [`Endpoint::handle_timeout`] is to be called if nothing comes until then.
    pub fn next_timeout(&self) -> Option<Time> {
        let (time, _) = self.timers.first()?;
        Some(self.clock + time.since(self.now))
    }

    /// Does what is due.
    pub fn handle_timeout(&mut self, now: Time) {
        let now = self.tick(now);
        while let Some((time, id)) = self.timers.first().copied()
            && time <= now
        {
            self.timers.remove(&(time, id));
            if let Some(connection) = self.connections.get_mut(&id) {
                connection.noted = Time::NEVER;
                connection.come_back(now, &self.settings);
                self.touched(id);
            }
        }
    }

    /// Takes out what happened next.
    pub fn poll_event(&mut self) -> Option<(ConnectionId, Event)> {
        self.events.pop_front()
    }

    /// Begins a stream to the other side. Each that is open takes of what the other side has room for, and of the send
    /// buffer, before anything is written.
    pub fn open(&mut self, id: ConnectionId) -> Result<u64, Error> {
        Self::find(&mut self.connections, id)?.open(&self.settings)
    }

    /// Adds bytes to a stream; they are shared, and not copied.
    pub fn write(&mut self, id: ConnectionId, stream: u64, bytes: Bytes) -> Result<(), Error> {
        let connection = Self::find(&mut self.connections, id)?;
        connection.write(stream, bytes, &self.settings)?;
        self.touched(id.0);
        Ok(())
    }

    /// Ends a stream. What was written still arrives.
    pub fn finish(&mut self, id: ConnectionId, stream: u64) -> Result<(), Error> {
        self.connection(id)?.finish(stream);
        self.touched(id.0);
        Ok(())
    }

    /// Sends a message: a stream of its own, which [`Event::Delivered`] names when the other side has it.
    pub fn send(&mut self, id: ConnectionId, message: Bytes) -> Result<u64, Error> {
        let connection = Self::find(&mut self.connections, id)?;
        let stream = connection.send(message, &self.settings)?;
        self.touched(id.0);
        Ok(stream)
    }

    /// Takes out what arrived next, of whatever stream. What is not read holds the other side up.
    pub fn read(&mut self, id: ConnectionId) -> Option<Chunk> {
        let connection = self.connections.get_mut(&id.0)?;
        let chunk = connection.read();
        self.touched(id.0);
        chunk
    }

    /// Returns whether there is something to read.
    pub(crate) fn is_readable(&self, id: ConnectionId) -> bool {
        let connection = self.connections.get(&id.0);
        connection.is_some_and(|connection| connection.is_readable())
    }

    /// Ends a connection at once. What was not delivered is lost, and so is what was not read; the other side learns the
    /// code. One that has ended by itself stays until it was read or is closed.
    pub fn close(&mut self, now: Time, id: ConnectionId, code: u32) {
        let now = self.tick(now);
        if let Some(connection) = self.connections.get_mut(&id.0) {
            connection.close(now, code);
            self.touched(id.0);
        }
    }

    /// Returns who the other side is.
    pub fn peer(&self, id: ConnectionId) -> Option<PublicKey> {
        Some(self.connections.get(&id.0)?.peer)
    }

    /// Returns where the other side is.
    pub fn remote(&self, id: ConnectionId) -> Option<SocketAddr> {
        Some(self.connections.get(&id.0)?.remote())
    }

    /// Returns what a connection did.
    pub fn statistics(&self, id: ConnectionId) -> Option<Statistics> {
        Some(self.connections.get(&id.0)?.statistics())
    }

    /// Returns how many datagrams were for no connection.
    pub const fn strays(&self) -> Strays {
        self.strays
    }

    /// Returns how many connections there are, those included that are ending or being made.
    pub fn connections(&self) -> usize {
        self.connections.len()
    }

    /// Time goes on as the clock does, and never back: one that falls back, or leaps so far that whatever was asked for is
    /// long over, goes on from where it is.
    fn tick(&mut self, clock: Time) -> Time {
        if self.clock <= clock {
            self.now = self.now + clock.since(self.clock).min(LEAP_MAX);
            self.clock = clock;
        } else if self.clock.since(clock) > DISORDER_MAX {
            self.clock = clock;
        }
        self.now
    }

    fn find(
        connections: &mut BTreeMap<u32, Box<Connection>>,
        id: ConnectionId,
    ) -> Result<&mut Connection, Error> {
        let connection = connections.get_mut(&id.0).ok_or(Error::NoConnection)?;
        Ok(connection)
    }

    fn connection(&mut self, id: ConnectionId) -> Result<&mut Connection, Error> {
        Self::find(&mut self.connections, id)
    }

    /// Something changed: events are passed on, and the connection stands in line to say what follows from it.
    fn touched(&mut self, id: u32) {
        let Some(connection) = self.connections.get_mut(&id) else {
            return;
        };
        while let Some(event) = connection.event() {
            self.events.push_back((ConnectionId(id), event));
        }
        if !std::mem::replace(&mut connection.is_in_line, true) {
            self.line.push_back(id);
        }
    }

    /// A connection has nothing more to say: it is woken when something is due.
    fn settle(&mut self, id: u32) {
        let Some(connection) = self.connections.get(&id) else {
            return;
        };
        let deadline = connection.deadline(&self.settings);
        self.set_timer(id, deadline);
    }

    /// Sets the timer of a connection, or forgets the connection where it is over.
    fn set_timer(&mut self, id: u32, deadline: Time) {
        let Some(connection) = self.connections.get_mut(&id) else {
            return;
        };
        if deadline != connection.noted {
            self.timers.remove(&(connection.noted, id));
            connection.noted = deadline;
            if deadline != Time::NEVER {
                self.timers.insert((deadline, id));
            }
        }
        if connection.is_over() {
            self.timers.remove(&(connection.noted, id));
            self.connections.remove(&id);
            self.half_open.retain(|_, half_open| *half_open != id);
        }
    }

    /// Returns a number that no connection has, and that nobody can guess.
    fn draw_id(&mut self) -> u32 {
        loop {
            let id = self.random.word();
            if !self.connections.contains_key(&id) {
                return id;
            }
        }
    }
}
