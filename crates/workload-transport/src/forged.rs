//! A peer that holds the keys of a connection and says with them whatever it likes. For tests, and for the fuzzer.
//!
//! Tests: everything that a peer must not do ends the connection with the reason; whatever it says, what is held stays
//! within what was granted, and every turn ends.

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;

use crate::crypto::{Initiator, Sealer};
use crate::wire::{FIRST, Header};
use crate::{
    Accept, ConnectionId, Ended, Endpoint, Event, Random, SecretKey, Settings, Time, Transmit,
};

/// What the endpoint grants: little, so that its limit is near.
const WINDOW: u64 = 4_096;
/// More than that an endpoint never has to say in one turn.
const DATAGRAMS_MAX: usize = 64;
/// The bytes before the answer to the first message.
const ANSWER_PREFIX_BYTES: usize = 9;

/// An endpoint, and the keys of the other side of its only connection.
struct Forger {
    endpoint: Endpoint,
    id: ConnectionId,
    to: u32,
    sealer: Sealer,
    now: Time,
    ended: Option<Ended>,
    read: u64,
}

fn address() -> SocketAddr {
    SocketAddr::from(([10, 0, 0, 1], 1))
}

impl Forger {
    /// Connects to a new endpoint, if nothing is wrong with the handshake.
    fn new() -> Option<Self> {
        Self::granting(1 << 20)
    }

    /// Connects to a new endpoint, and lets it send so many bytes.
    fn granting(granted: u64) -> Option<Self> {
        let mut random = Random::from_seed([1; 32]);
        let [own, other] = [1, 2].map(|byte| SecretKey::from_bytes([byte; 32]));
        let settings = Settings {
            accept: Accept::Only([own.public()].into()),
            window: WINDOW,
            ..Settings::default()
        };
        let mut endpoint = Endpoint::new(other.clone(), Random::from_seed([2; 32]), settings);
        let mut first = vec![FIRST, 0, 0, 0, 7];
        let hello = granted.to_be_bytes();
        let initiator = Initiator::start(&own, &other.public(), hello, &mut random, &mut first)?;
        endpoint.handle_datagram(Time::ZERO, address(), &mut first);
        let mut answer = Vec::new();
        endpoint.poll_transmit(Time::ZERO, 1, &mut answer)?;
        let (prefix, rest) = answer.split_at_checked(ANSWER_PREFIX_BYTES)?;
        let (secrets, _) = initiator.finish(prefix, rest)?;
        let to = u32::from_be_bytes(prefix[5..].try_into().ok()?);
        let mut sealer = Sealer::new(secrets.seal);
        let mut ping = sealed(&mut sealer, to, &[1]);
        endpoint.handle_datagram(Time::ZERO, address(), &mut ping);
        let (id, event) = endpoint.poll_event()?;
        (event == Event::Connected).then_some(Self {
            endpoint,
            id,
            to,
            sealer,
            now: Time::ZERO,
            ended: None,
            read: 0,
        })
    }

    /// Says something under the keys.
    fn say(&mut self, frames: &[u8]) {
        let mut packet = sealed(&mut self.sealer, self.to, frames);
        self.hand_in(&mut packet);
    }

    fn hand_in(&mut self, datagram: &mut [u8]) {
        self.endpoint.handle_datagram(self.now, address(), datagram);
        self.turn();
    }

    /// Lets the endpoint say all that it has to, and returns how many datagrams that were.
    fn turn(&mut self) -> usize {
        let mut out = Vec::new();
        let mut datagrams = 0;
        while let Some(Transmit { bytes, segment, .. }) =
            self.endpoint.poll_transmit(self.now, 44, &mut out)
        {
            datagrams += bytes.div_ceil(segment);
            assert!(datagrams <= DATAGRAMS_MAX, "it has always more to say");
        }
        while let Some((_, event)) = self.endpoint.poll_event() {
            if let Event::Ended(ended) = event {
                assert_eq!(self.ended.replace(ended), None, "it ends once");
            }
        }
        datagrams
    }

    fn read(&mut self) {
        while let Some(chunk) = self.endpoint.read(self.id) {
            assert!(chunk.bytes.len() as u64 <= WINDOW, "more than was granted");
            self.read += chunk.bytes.len() as u64;
        }
        self.turn();
    }

    fn pass(&mut self, span: Duration) {
        self.now = self.now + span;
        self.endpoint.handle_timeout(self.now);
        self.turn();
    }
}

fn sealed(sealer: &mut Sealer, to: u32, frames: &[u8]) -> Vec<u8> {
    let mut packet = Vec::new();
    let number = sealer.next();
    Header { to, number }.write(&mut packet);
    packet.extend_from_slice(&[0; 4]);
    packet.extend_from_slice(frames);
    sealer.seal(&mut packet, 0);
    packet
}

/// Does what `script` says: steps of a kind, a length and so many bytes. It panics where a rule is broken.
pub fn play(mut script: &[u8]) {
    let Some(mut forger) = Forger::new() else {
        return;
    };
    while let [kind, length, rest @ ..] = script {
        let (bytes, rest) = rest.split_at(usize::from(*length).min(rest.len()));
        script = rest;
        match kind % 6 {
            0 => forger.hand_in(&mut bytes.to_vec()),
            1 | 2 => forger.say(bytes),
            3 => forger.pass(Duration::from_millis(u64::from(*length) * 10)),
            4 => forger.read(),
            _ => drop(
                forger
                    .endpoint
                    .send(forger.id, Bytes::copy_from_slice(bytes)),
            ),
        }
    }
    forger.read();
    // Whatever was said, with nobody there any more it is over some time.
    for _ in 0..10_000 {
        let Some(next) = forger.endpoint.next_timeout() else {
            break;
        };
        forger.pass(next.since(forger.now));
        forger.read();
    }
    assert_eq!(forger.endpoint.connections(), 0, "it never ends");
    assert!(forger.ended.is_some(), "it ends without a word");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Violation;
    use crate::wire::{Ack, StreamFrame, write_close};

    fn piece(stream: u64, offset: u64, bytes: &[u8], is_last: bool) -> Vec<u8> {
        let mut out = Vec::new();
        StreamFrame {
            stream,
            offset,
            bytes,
            is_last,
        }
        .write(&mut out);
        out
    }

    fn ack(newest: u64) -> Vec<u8> {
        let mut out = Vec::new();
        Ack::new(0, [newest..=newest].into_iter()).write(&mut out);
        out
    }

    fn close(code: u64) -> Vec<u8> {
        let mut out = Vec::new();
        write_close(code, &mut out);
        out
    }

    #[test]
    fn what_a_peer_must_not_do_ends_the_connection_with_the_reason() {
        let moved = [piece(0, 0, b"abc", true), piece(0, 3, b"d", false)].concat();
        let cases: [(&[u8], Violation); 6] = [
            (&[9], Violation::NoFrame),
            (&[2, 0xff], Violation::NoFrame),
            (&ack(1_000), Violation::NeverSent),
            (&piece(0, 4_000, b"beyond", false), Violation::Credit),
            (&piece(1 << 40, 0, b"", true), Violation::Credit),
            (&moved, Violation::End),
        ];
        for (frames, violation) in cases {
            let mut forger = Forger::new().unwrap();
            forger.say(frames);
            assert_eq!(forger.ended, Some(Ended::Violated(violation)));
            // It says so, and says it again to whatever comes.
            let mut packet = sealed(&mut forger.sealer, forger.to, &[1]);
            let (now, from) = (forger.now, address());
            forger.endpoint.handle_datagram(now, from, &mut packet);
            assert_eq!(forger.turn(), 1);
            forger.pass(Duration::from_secs(10));
            forger.read();
            assert_eq!(forger.endpoint.connections(), 0);
        }
    }

    #[test]
    fn an_end_tells_who_was_wrong() {
        for (code, ended) in [(7, Ended::There(7)), (1 << 32, Ended::Misunderstood)] {
            let mut forger = Forger::new().unwrap();
            forger.say(&close(code));
            assert_eq!(forger.ended, Some(ended));
            assert_eq!(forger.endpoint.connections(), 0);
        }
    }

    #[test]
    fn what_was_read_before_an_end_can_still_be_read() {
        let mut forger = Forger::new().unwrap();
        forger.say(&piece(0, 0, b"all of it", true));
        forger.say(&piece(1, 5, b"a part", false));
        forger.say(&close(0));
        assert_eq!(forger.endpoint.connections(), 1);
        forger.read();
        assert_eq!(forger.read, 9);
        assert_eq!(forger.endpoint.connections(), 0);
    }

    #[test]
    fn a_peer_that_never_confirms_anything_ends_the_connection() {
        let mut forger = Forger::new().unwrap();
        let mut most = 0;
        let limit = Time::ZERO + Duration::from_secs(62);
        let mut streams = 0..;
        while forger.ended.is_none() && forger.now < limit {
            for stream in streams.by_ref().take(5) {
                forger.say(&piece(stream, 0, b"", true));
            }
            forger.read();
            forger.pass(Duration::from_millis(20));
            let statistics = forger.endpoint.statistics(forger.id);
            most = most.max(statistics.map_or(0, |statistics| statistics.under_way));
        }
        assert_eq!(forger.ended, Some(Ended::Unconfirmed));
        // A credit every time, for two seconds at most.
        assert!((1..8_000).contains(&most), "{most}");
    }

    #[test]
    fn a_stale_credit_is_no_sign_of_reading() {
        let mut forger = Forger::granting(0).unwrap();
        let message = Bytes::from_static(b"waits for credit");
        forger.endpoint.send(forger.id, message).unwrap();
        forger.turn();
        for _ in 0..60 {
            assert_eq!(forger.ended, None);
            forger.say(&[3, 0]);
            forger.pass(Duration::from_secs(1));
        }
        assert_eq!(forger.ended, Some(Ended::Stalled));
    }

    #[test]
    fn whatever_a_peer_says_every_turn_ends() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..2_000 {
            let mut script = Vec::new();
            for _ in 0..random.usize(..40) {
                let frame = match random.u8(..6) {
                    0 => ack(random.u64(..6)),
                    1 => vec![3, random.u8(..)],
                    2 => vec![random.u8(..8), random.u8(..), random.u8(..)],
                    3 => vec![1],
                    _ => {
                        let (offset, length) = (random.u64(..2_000), random.usize(..200));
                        let is_last = random.u8(..) < 20;
                        piece(random.u64(..5), offset, &vec![1; length], is_last)
                    }
                };
                let kind = if random.bool() { 1 } else { random.u8(..6) };
                script.extend([kind, frame.len() as u8]);
                script.extend(frame);
            }
            play(&script);
        }
    }

    #[test]
    fn the_corpus_breaks_nothing() {
        let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus");
        let mut played = 0;
        for entry in std::fs::read_dir(corpus).unwrap() {
            play(&std::fs::read(entry.unwrap().path()).unwrap());
            played += 1;
        }
        assert!(played > 0);
    }
}
