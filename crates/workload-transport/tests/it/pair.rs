//! Two endpoints on a network in memory, and what each has seen.

use std::collections::BTreeMap;
use std::time::Duration;

use bytes::Bytes;
use workload_transport::{ConnectionId, Ended, Event, Line, Settings, Time, World};

pub(crate) const ONE: usize = 0;
pub(crate) const TWO: usize = 1;
pub(crate) const MILLISECOND: Duration = Duration::from_millis(1);

/// Bytes that differ from place to place, so that a wrong order shows.
pub(crate) fn content(length: usize, seed: usize) -> Bytes {
    (0..length)
        .map(|at| (((at + seed) * 2_654_435_761) >> 11) as u8)
        .collect()
}

/// What one side has seen of its connection.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) id: Option<ConnectionId>,
    pub(crate) connected: Option<Time>,
    pub(crate) ended: Option<(Time, Ended)>,
    pub(crate) delivered: Vec<(u64, Time)>,
    /// What was read of each stream, and when it ended.
    pub(crate) streams: BTreeMap<u64, (Vec<u8>, Option<Time>)>,
}

pub(crate) struct Pair {
    pub(crate) world: World,
    pub(crate) seen: [Seen; 2],
    /// Whether a side reads what has come.
    pub(crate) reads: [bool; 2],
}

impl Pair {
    /// Two sides, of which the first begins to connect.
    pub(crate) fn new(seed: u64, line: Line, settings: [Settings; 2]) -> Self {
        let mut world = World::new(seed, line);
        for settings in settings {
            world.add(settings);
        }
        let mut pair = Self {
            world,
            seen: Default::default(),
            reads: [true; 2],
        };
        pair.seen[ONE].id = Some(pair.connect());
        pair
    }

    /// Two sides that are connected, over a line that only delays.
    pub(crate) fn connected(delay: Duration) -> Self {
        let mut pair = Self::new(1, Line::new(delay), Default::default());
        pair.run(delay * 4);
        assert!(pair.seen.iter().all(|seen| seen.connected.is_some()));
        pair
    }

    pub(crate) fn connect(&mut self) -> ConnectionId {
        let key = self.world.endpoint(TWO).public_key();
        let (now, address) = (self.world.now(), World::address(TWO as u16));
        let one = self.world.endpoint(ONE);
        one.connect(now, address, &key)
            .expect("there is room for a connection")
    }

    pub(crate) fn id(&self, side: usize) -> ConnectionId {
        self.seen[side].id.expect("the side knows its connection")
    }

    pub(crate) fn send(&mut self, side: usize, message: Bytes) -> u64 {
        let id = self.id(side);
        let sent = self.world.endpoint(side).send(id, message);
        sent.expect("there is room for a message")
    }

    pub(crate) fn close(&mut self, side: usize, code: u32) {
        let (id, now) = (self.id(side), self.world.now());
        self.world.endpoint(side).close(now, id, code);
    }

    /// Lets time pass.
    pub(crate) fn run(&mut self, span: Duration) {
        let until = self.world.now() + span;
        self.run_until(until, |_| false);
        self.world.run(until.since(self.world.now()));
        self.look();
    }

    /// Lets time pass until something is so, or `until`. Returns whether it is.
    pub(crate) fn run_until(&mut self, until: Time, is_so: impl Fn(&Self) -> bool) -> bool {
        self.look();
        while !is_so(self) {
            self.world.flush();
            if self.world.next().is_none_or(|next| next > until) {
                return false;
            }
            self.world.step();
            self.look();
        }
        true
    }

    /// Takes out what happened, and reads.
    fn look(&mut self) {
        let now = self.world.now();
        for (side, seen) in self.seen.iter_mut().enumerate() {
            let endpoint = self.world.endpoint(side);
            while let Some((id, event)) = endpoint.poll_event() {
                if *seen.id.get_or_insert(id) != id {
                    continue;
                }
                match event {
                    Event::Connected => assert_eq!(seen.connected.replace(now), None),
                    Event::Delivered(stream) => seen.delivered.push((stream, now)),
                    Event::Ended(ended) => assert_eq!(seen.ended.replace((now, ended)), None),
                    Event::Readable => {}
                }
            }
            let Some(id) = seen.id.filter(|_| self.reads[side]) else {
                continue;
            };
            while let Some(chunk) = endpoint.read(id) {
                let (bytes, ended) = seen.streams.entry(chunk.stream).or_default();
                assert_eq!(*ended, None, "nothing follows an end");
                bytes.extend_from_slice(&chunk.bytes);
                *ended = chunk.is_last.then_some(now);
            }
        }
    }

    /// The whole streams that a side has read.
    pub(crate) fn messages(&self, side: usize) -> Vec<&[u8]> {
        let streams = self.seen[side].streams.values();
        let whole = streams.filter(|(_, ended)| ended.is_some());
        whole.map(|(bytes, _)| bytes.as_slice()).collect()
    }

    /// Holds what a side has read to what the other sent as its first streams: each from its beginning, once and in order,
    /// and an end only where it is.
    pub(crate) fn has_read_only(&self, side: usize, sent: &[Bytes]) {
        for (stream, (bytes, ended)) in &self.seen[side].streams {
            let message = &sent[*stream as usize];
            assert!(message.starts_with(bytes), "stream {stream}");
            assert!(ended.is_none() || bytes == message, "stream {stream}");
        }
    }
}
