//! What one message costs inside: cut into packets and sealed, opened and put together, acknowledged; each by itself.
//!
//! Tests: each part does what it says.

use std::time::Duration;

use bytes::Bytes;
use workload_transport::{
    ConnectionId, Event, Header, Line, Opener, Sealer, Settings, Time, World, cut,
};

use crate::sides::content;

const SEND: usize = 0;
const RECEIVE: usize = 1;

/// As many datagrams leave at a time as fit into one call on a real socket.
const MOST: usize = 44;

/// As many bytes as those have.
const SAID_BYTES: usize = MOST * 1_472;

/// The longest content of a packet that fits a network of 1,500 bytes.
pub const CONTENT_BYTES: usize = 1_443;

/// What of it is left for messages: each packet begins with a stamp of when it was sent.
const FRAMES_BYTES: usize = CONTENT_BYTES - 4;

/// Two endpoints that are connected, a message, and what was said of it so far.
pub struct Parts {
    world: World,
    now: Time,
    id: ConnectionId,
    message: Bytes,
    // Datagrams one behind the other, and how long each is: memory that a driver would have too, and that is nobody's work.
    said: Vec<u8>,
    lengths: Vec<usize>,
}

impl Parts {
    /// Two sides that are connected, and a message that is not sent.
    ///
    /// # Panics
    /// They are not connected.
    #[must_use]
    pub fn ready(bytes: usize) -> Self {
        let mut world = World::new(1, Line::new(Duration::from_millis(1)));
        for _ in [SEND, RECEIVE] {
            world.add(Settings::default());
        }
        let key = world.endpoint(RECEIVE).public_key();
        let (now, address) = (world.now(), World::address(RECEIVE as u16));
        let id = world.endpoint(SEND).connect(now, address, &key);
        world.run(Duration::from_secs(1));
        for side in [SEND, RECEIVE] {
            let event = world.endpoint(side).poll_event();
            assert!(matches!(event, Some((_, Event::Connected))));
        }
        Self {
            now: world.now(),
            world,
            id: id.expect("there is room for a connection"),
            message: content(bytes),
            said: Vec::with_capacity(SAID_BYTES),
            lengths: Vec::with_capacity(MOST),
        }
    }

    /// Those whose message was said and not received.
    #[must_use]
    pub fn sent(bytes: usize) -> Self {
        let mut parts = Self::ready(bytes);
        parts.transmit();
        parts
    }

    /// Those whose message was received, and the sending side does not know it.
    #[must_use]
    pub fn received(bytes: usize) -> Self {
        let mut parts = Self::sent(bytes);
        parts.receive();
        parts.say(RECEIVE);
        parts
    }

    /// Sends the message: it is cut into packets, which are sealed.
    ///
    /// # Panics
    /// There is no room for it.
    pub fn transmit(&mut self) {
        let message = self.message.clone();
        let sent = self.world.endpoint(SEND).send(self.id, message);
        sent.expect("there is room for a message");
        self.say(SEND);
    }

    /// Takes in what was sent and reads it. Returns how many bytes there were.
    pub fn receive(&mut self) -> usize {
        self.hear(RECEIVE, SEND);
        let endpoint = self.world.endpoint(RECEIVE);
        let mut bytes = 0;
        while let Some((id, _)) = endpoint.poll_event() {
            while let Some(chunk) = endpoint.read(id) {
                bytes += chunk.bytes.len();
            }
        }
        bytes
    }

    /// Takes in what the other side said to it. Returns whether it has the message.
    pub fn acknowledge(&mut self) -> bool {
        self.hear(SEND, RECEIVE);
        let event = self.world.endpoint(SEND).poll_event();
        matches!(event, Some((_, Event::Delivered(_))))
    }

    /// Does all of it, a while after what was before. Returns whether the other side has the message.
    pub fn whole(&mut self) -> bool {
        self.now = self.now + Duration::from_millis(10);
        self.transmit();
        self.receive();
        self.say(RECEIVE);
        self.acknowledge()
    }

    /// Returns how many datagrams were said and not heard.
    #[must_use]
    pub fn datagrams(&self) -> usize {
        self.lengths.len()
    }

    fn say(&mut self, side: usize) {
        self.said.clear();
        self.lengths.clear();
        let endpoint = self.world.endpoint(side);
        while let Some(transmit) = endpoint.poll_transmit(self.now, MOST, &mut self.said) {
            let (segment, mut left) = (transmit.segment, transmit.bytes);
            while left > 0 {
                self.lengths.push(segment.min(left));
                left -= segment.min(left);
            }
        }
    }

    fn hear(&mut self, side: usize, from: usize) {
        let from = World::address(from as u16);
        let endpoint = self.world.endpoint(side);
        let mut said = self.said.as_mut_slice();
        for length in self.lengths.drain(..) {
            let (datagram, rest) = said.split_at_mut(length);
            endpoint.handle_datagram(self.now, from, datagram);
            said = rest;
        }
    }
}

/// A message, and room for what it is cut into.
pub struct Whole {
    message: Bytes,
    pieces: Vec<u8>,
}

impl Whole {
    /// A message that is not cut.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self {
            message: content(bytes),
            // The frames take a few bytes of each packet.
            pieces: Vec::with_capacity(bytes + bytes / 10 + CONTENT_BYTES),
        }
    }

    /// Cuts it into what packets hold before they are sealed, and returns how many there are.
    pub fn cut(&mut self) -> usize {
        cut(self.message.clone(), FRAMES_BYTES, &mut self.pieces)
    }
}

/// Packets of one direction, and their keys on both sides.
pub struct Packets {
    sealer: Sealer,
    opener: Opener,
    packets: Vec<Vec<u8>>,
}

impl Packets {
    /// So many packets of the longest content, not sealed.
    #[must_use]
    pub fn plain(count: u64) -> Self {
        let sealer = Sealer::new([5; 32]);
        let packet = |number| {
            let mut packet = Vec::with_capacity(1_472);
            Header { to: 7, number }.write(&mut packet);
            packet.extend_from_slice(&content(CONTENT_BYTES));
            packet
        };
        Self {
            sealer,
            opener: Opener::new([5; 32]),
            packets: (0..count).map(packet).collect(),
        }
    }

    /// The same, sealed.
    #[must_use]
    pub fn sealed(count: u64) -> Self {
        let mut packets = Self::plain(count);
        packets.seal();
        packets
    }

    /// Seals all.
    pub fn seal(&mut self) {
        for packet in &mut self.packets {
            self.sealer.seal(packet, 0);
        }
    }

    /// Opens all, and returns how many the other side has written just so.
    pub fn open(&mut self) -> usize {
        let mut whole = 0;
        for packet in &mut self.packets {
            let header = Header::read(packet);
            let opened = header.and_then(|header| self.opener.open(header, packet));
            whole += usize::from(opened.is_some());
        }
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_does_what_it_says() {
        for (bytes, datagrams) in [(1 << 10, 1), (32 << 10, 23)] {
            assert_eq!(Parts::sent(bytes).datagrams(), datagrams);
            assert_eq!(Parts::sent(bytes).receive(), bytes);
            assert!(Parts::received(bytes).acknowledge());
            assert_eq!(Whole::new(bytes).cut(), datagrams);
            let mut parts = Parts::ready(bytes);
            assert!((0..100).all(|_| parts.whole()));
        }
    }

    #[test]
    fn what_was_sealed_opens_and_nothing_else() {
        assert_eq!(Packets::sealed(10).open(), 10);
        assert_eq!(Packets::plain(10).open(), 0);
        assert_eq!(Packets::sealed(1).packets[0].len(), 1_472);
    }
}
