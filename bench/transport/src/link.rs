//! The work on a link in memory, on a clock that is a number: whatever comes out is a count, and the same in every run.
//!
//! Tests: every work arrives whole and is the same again; a lock on the send path costs many streams their share, and one
//! alone nothing.

use std::time::Duration;

use workload_transport::{Carried, ConnectionId, Event, Line, Settings, Time, World};

use crate::sides::{Receiver, Sender, Until, Work, content};

const SEND: usize = 0;
const RECEIVE: usize = 1;

/// What all lines take: that of an office.
const RATE: u64 = 1_000_000_000;

/// The line that a link has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Over {
    /// How many milliseconds a datagram is under way, one way.
    pub delay_ms: u64,
    /// How many of a hundred are lost.
    pub lost_percent: u32,
}

impl Over {
    /// A line that delays by two milliseconds and loses one datagram of a hundred.
    pub const LOSSY: Self = Self {
        lost_percent: 1,
        ..Self::delay(2)
    };

    /// A line that only delays.
    #[must_use]
    pub const fn delay(delay_ms: u64) -> Self {
        Self {
            delay_ms,
            lost_percent: 0,
        }
    }

    const fn line(self) -> Line {
        let mut line = Line::new(Duration::from_millis(self.delay_ms));
        line.rate = Some(RATE);
        line.lost = self.lost_percent * 10_000;
        line
    }
}

/// Two endpoints in memory, and connections between them that are made.
pub struct Link {
    world: World,
    connections: Vec<ConnectionId>,
    // As each side knows them.
    known: Vec<(usize, ConnectionId)>,
}

/// What a work took on a link, the making of connections not counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Until each stream was done.
    pub streams: Vec<Duration>,
    /// Until the last byte was where it belongs.
    pub arrived: Duration,
    /// What the lines carried, both ways.
    pub carried: Carried,
    /// Datagrams that said nothing but what had arrived, both ways.
    pub acknowledgements: u64,
    /// Packets that counted as lost, so that what they held was sent again.
    pub retransmissions: u64,
    /// Calls to the socket that both sides made in order to send.
    pub sends: u64,
    /// Calls to the socket that brought them something.
    pub receives: u64,
}

impl Outcome {
    /// Until all streams were done.
    #[must_use]
    pub fn all(&self) -> Duration {
        self.streams.iter().max().copied().unwrap_or_default()
    }

    /// How long a stream took, in the mean.
    #[must_use]
    pub fn mean(&self) -> Duration {
        let all: Duration = self.streams.iter().sum();
        all / self.streams.len().max(1) as u32
    }
}

impl Link {
    /// Makes a link with so many connections.
    ///
    /// # Panics
    /// A connection was not made.
    #[must_use]
    pub fn new(over: Over, streams: usize) -> Self {
        let mut world = World::new(1, over.line());
        for _ in [SEND, RECEIVE] {
            world.add(Settings::default());
        }
        let key = world.endpoint(RECEIVE).public_key();
        let (now, address) = (world.now(), World::address(RECEIVE as u16));
        let one = world.endpoint(SEND);
        let connect = |_| one.connect(now, address, &key);
        let connections: Result<Vec<_>, _> = (0..streams).map(connect).collect();
        let connections = connections.expect("there is room for the connections");
        world.run(Duration::from_secs(1));
        let mut known = Vec::new();
        for side in [SEND, RECEIVE] {
            let endpoint = world.endpoint(side);
            let events = std::iter::from_fn(|| endpoint.poll_event());
            let made = events.filter(|(_, event)| *event == Event::Connected);
            known.extend(made.map(|(id, _)| (side, id)));
        }
        assert_eq!(known.len(), 2 * streams, "connections are missing");
        Self {
            world,
            connections,
            known,
        }
    }

    /// Does a work on all connections, and hands what arrives to `see`.
    ///
    /// # Panics
    /// Something did not arrive.
    pub fn run(&mut self, work: Work, until: Until, see: impl FnMut(&[u8])) -> Outcome {
        let message = content(work.bytes);
        let before = self.counted();
        let began = self.world.now();
        let mut receiver = Receiver::new(until);
        let ended = self.talk(
            Sender::new(work, until, message, &self.connections),
            &mut receiver,
            see,
        );
        let messages = work.messages * self.connections.len() as u64;
        let whole = (messages * work.bytes as u64, messages);
        assert_eq!(receiver.received(), whole, "something did not arrive");
        let after = self.counted();
        Outcome {
            streams: ended.iter().map(|end| end.since(began)).collect(),
            arrived: receiver.arrived().since(began),
            carried: Carried {
                datagrams: after.carried.datagrams - before.carried.datagrams,
                bytes: after.carried.bytes - before.carried.bytes,
                lost: after.carried.lost - before.carried.lost,
            },
            acknowledgements: after.acknowledgements - before.acknowledgements,
            retransmissions: after.retransmissions - before.retransmissions,
            sends: after.sends - before.sends,
            receives: after.receives - before.receives,
        }
    }

    /// Lets time pass in which nobody says anything of their own.
    pub fn rest(&mut self, span: Duration) {
        self.world.run(span);
    }

    fn talk(
        &mut self,
        mut sender: Sender,
        receiver: &mut Receiver,
        mut see: impl FnMut(&[u8]),
    ) -> Vec<Time> {
        loop {
            let now = self.world.now();
            receiver.look(now, self.world.endpoint(RECEIVE), &mut see);
            sender.look(now, self.world.endpoint(SEND));
            if let Some(ended) = sender.ended() {
                // What is still to be said of it belongs to it.
                self.world.flush();
                return ended;
            }
            assert!(self.world.step(), "nothing happens any more");
        }
    }

    /// Counts what was done since the beginning.
    fn counted(&mut self) -> Outcome {
        let calls = [SEND, RECEIVE].map(|side| self.world.node(side).calls());
        let mut counted = Outcome {
            streams: Vec::new(),
            arrived: Duration::ZERO,
            carried: self.world.carried(),
            acknowledgements: 0,
            retransmissions: 0,
            sends: calls.iter().map(|calls| calls.sends).sum(),
            receives: calls.iter().map(|calls| calls.receives).sum(),
        };
        for (side, id) in &self.known {
            let statistics = self.world.endpoint(*side).statistics(*id);
            let statistics = statistics.expect("the connection is there");
            counted.acknowledgements += statistics.acks_sent;
            counted.retransmissions += statistics.packets_lost;
        }
        counted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BULK, EXCHANGE, SATURATION, STREAMS, single};

    fn run(over: Over, streams: usize, work: Work, until: Until) -> Outcome {
        Link::new(over, streams).run(work, until, |_| ())
    }

    #[test]
    fn every_work_is_the_same_again() {
        for work in [EXCHANGE, BULK, SATURATION] {
            for over in [Over::delay(2), Over::LOSSY] {
                let once = run(over, 2, work, Until::Delivered);
                assert_eq!(once, run(over, 2, work, Until::Delivered));
                assert_eq!(once.retransmissions > 0, once.carried.lost > 0);
            }
        }
    }

    #[test]
    fn a_message_of_32_kib_takes_one_way_and_its_bytes() {
        let outcome = run(Over::delay(2), 1, single(32 << 10), Until::Delivered);
        let bytes = outcome.carried.bytes * 8;
        assert!(outcome.arrived >= Duration::from_millis(2));
        assert!(outcome.arrived <= Duration::from_micros(2_300));
        assert!(outcome.arrived <= Duration::from_millis(2) + Duration::from_nanos(bytes));
        assert!(outcome.all() >= Duration::from_millis(4));
        assert_eq!((outcome.carried.lost, outcome.retransmissions), (0, 0));
        // What comes at the same moment is taken in by one call, and nobody calls for nothing.
        let datagrams = outcome.carried.datagrams;
        assert!((2..=datagrams).contains(&outcome.receives));
    }

    /// What the ratio in the suite's file is made of: with a lock many streams take as long as one after the other.
    #[test]
    fn many_streams_take_as_long_as_one_unless_there_is_a_lock() {
        let [alone, two, four, eight] =
            STREAMS.map(|streams| run(Over::delay(2), streams, EXCHANGE, Until::Answered).all());
        assert!(alone >= Duration::from_millis(100) && alone <= Duration::from_millis(102));
        for (streams, together) in [(2, two), (4, four), (8, eight)] {
            let least = if cfg!(feature = "serialised") {
                alone * streams
            } else {
                alone
            };
            assert!(together >= least && together <= least + least / 20);
        }
    }
}
