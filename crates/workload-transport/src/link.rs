//! A network in memory, on a clock that is a number.
//!
//! Lines delay what they carry, and may be slow, lose, repeat, overtake and change it, each by a seed: the same seed gives
//! the same network. Sending never blocks and nothing sleeps, so that an hour of it takes as long as its work.
//!
//! Tests: each fault by itself, on a line of its own.

mod dice;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use crate::Time;
use dice::Dice;

/// What a line does to datagrams.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// How long each is under way.
    pub delay: Duration,
    /// How many bits a second it takes; headers of IP and UDP are not counted.
    pub rate: Option<u64>,
    /// How many bytes wait for a slow line; more are lost.
    pub queue: u64,
    /// How many of a million are lost.
    pub lost: u32,
    /// How many of a million come twice.
    pub repeated: u32,
    /// How many of a million take three times the delay, and a millisecond more.
    pub late: u32,
    /// How many of a million have a bit changed.
    pub changed: u32,
}

impl Line {
    /// A line that only delays.
    pub const fn new(delay: Duration) -> Self {
        Self {
            delay,
            rate: None,
            queue: 1 << 20,
            lost: 0,
            repeated: 0,
            late: 0,
            changed: 0,
        }
    }
}

/// What was carried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// Datagrams handed in.
    pub datagrams: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Those that were lost, by chance or because too many waited.
    pub lost: u64,
}

/// All lines between some addresses.
#[derive(Debug)]
pub(crate) struct Network {
    line: Line,
    dice: Dice,
    // From and to: when a slow line has passed on what it took.
    busy: BTreeMap<(SocketAddr, SocketAddr), Time>,
    // When, in the order handed in: from, to, and what.
    under_way: BTreeMap<(Time, u64), (SocketAddr, SocketAddr, Vec<u8>)>,
    handed_in: u64,
    carried: Carried,
}

impl Network {
    pub(crate) const fn new(seed: u64, line: Line) -> Self {
        Self {
            line,
            dice: Dice::new(seed),
            busy: BTreeMap::new(),
            under_way: BTreeMap::new(),
            handed_in: 0,
            carried: Carried {
                datagrams: 0,
                bytes: 0,
                lost: 0,
            },
        }
    }

    /// Changes all lines. What is under way arrives as it would have.
    pub(crate) const fn set_line(&mut self, line: Line) {
        self.line = line;
    }

    pub(crate) const fn carried(&self) -> Carried {
        self.carried
    }

    /// Takes a datagram.
    pub(crate) fn send(&mut self, now: Time, from: SocketAddr, to: SocketAddr, datagram: &[u8]) {
        let bytes = datagram.len() as u64;
        self.carried.datagrams += 1;
        self.carried.bytes += bytes;
        let line = self.line;
        let Some(passed_on) = self.pass_on(now, (from, to), bytes) else {
            self.carried.lost += 1;
            return;
        };
        if self.dice.hits(line.lost) {
            self.carried.lost += 1;
            return;
        }
        let copies = 1 + usize::from(self.dice.hits(line.repeated));
        for _ in 0..copies {
            let mut delay = line.delay;
            if self.dice.hits(line.late) {
                delay = delay * 3 + Duration::from_millis(1);
            }
            let mut datagram = datagram.to_vec();
            if self.dice.hits(line.changed) {
                let bit = self.dice.below(8 * bytes.max(1));
                if let Some(byte) = datagram.get_mut((bit / 8) as usize) {
                    *byte ^= 1 << (bit % 8);
                }
            }
            self.handed_in += 1;
            let place = (passed_on + delay, self.handed_in);
            self.under_way.insert(place, (from, to, datagram));
        }
    }

    /// Returns when a line has taken so many bytes, or nothing where too many wait already.
    fn pass_on(&mut self, now: Time, line: (SocketAddr, SocketAddr), bytes: u64) -> Option<Time> {
        let Some(rate) = self.line.rate else {
            return Some(now);
        };
        let span = |bytes: u64| {
            let nanos = u128::from(bytes) * 8 * 1_000_000_000 / u128::from(rate.max(1));
            Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
        };
        let busy = self.busy.entry(line).or_default();
        if busy.since(now) > span(self.line.queue) {
            return None;
        }
        *busy = (*busy).max(now) + span(bytes);
        Some(*busy)
    }

    /// Returns when the next datagram arrives.
    pub(crate) fn next(&self) -> Option<Time> {
        self.under_way.keys().next().map(|(time, _)| *time)
    }

    /// Takes out what arrives next, if it has: from, to, and what.
    pub(crate) fn receive(&mut self, now: Time) -> Option<(SocketAddr, SocketAddr, Vec<u8>)> {
        let first = self.under_way.first_entry()?;
        (first.key().0 <= now).then(|| first.remove())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: Duration = Duration::from_millis(1);

    fn address(port: u16) -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], port))
    }

    /// Returns when what arrives of a thousand datagrams of 1,000 bytes, sent at once.
    fn arrivals(line: Line) -> Vec<(Time, Vec<u8>)> {
        let mut network = Network::new(7, line);
        for number in 0..1_000_u32 {
            let datagram = [number.to_be_bytes().as_slice(), &[0; 996]].concat();
            network.send(Time::ZERO, address(1), address(2), &datagram);
        }
        std::iter::from_fn(|| {
            let now = network.next()?;
            Some((now, network.receive(now)?.2))
        })
        .collect()
    }

    fn numbers(arrivals: &[(Time, Vec<u8>)]) -> Vec<u32> {
        let number = |datagram: &[u8]| u32::from_be_bytes(datagram[..4].try_into().unwrap());
        arrivals
            .iter()
            .map(|(_, datagram)| number(datagram))
            .collect()
    }

    #[test]
    fn delays_and_keeps_the_order() {
        let arrived = arrivals(Line::new(2 * MILLISECOND));
        let then = Time::ZERO + 2 * MILLISECOND;
        assert!(arrived.iter().all(|(time, _)| *time == then));
        assert!(numbers(&arrived).into_iter().eq(0..1_000));
    }

    #[test]
    fn a_slow_line_takes_one_after_another_and_holds_so_many() {
        let line = Line {
            rate: Some(8_000_000),
            queue: 99_000,
            ..Line::new(MILLISECOND)
        };
        let arrived = arrivals(line);
        assert_eq!(arrived.len(), 100);
        for (at, (time, _)) in (2..).zip(&arrived) {
            assert_eq!(*time, Time::ZERO + at * MILLISECOND);
        }
    }

    #[test]
    fn loses_repeats_and_overtakes_as_often_as_it_is_told() {
        let line = Line::new(MILLISECOND);
        let lost = arrivals(Line {
            lost: 300_000,
            ..line
        });
        assert!((650..750).contains(&lost.len()), "{}", lost.len());
        let repeated = arrivals(Line {
            repeated: 100_000,
            ..line
        });
        assert!((1_050..1_150).contains(&repeated.len()));
        let late = arrivals(Line {
            late: 100_000,
            ..line
        });
        assert_eq!(late.len(), 1_000);
        assert!(!numbers(&late).is_sorted());
        let then = Time::ZERO + MILLISECOND;
        let overtaken = late.iter().filter(|(time, _)| *time > then).count();
        assert!((50..150).contains(&overtaken), "{overtaken}");
    }

    #[test]
    fn changes_one_bit() {
        let line = Line {
            changed: 1_000_000,
            ..Line::new(MILLISECOND)
        };
        for (number, (_, datagram)) in (0_u32..).zip(arrivals(line)) {
            let sent = [number.to_be_bytes().as_slice(), &[0; 996]].concat();
            let differing: u32 = sent
                .iter()
                .zip(&datagram)
                .map(|(a, b)| (a ^ b).count_ones())
                .sum();
            assert_eq!(differing, 1);
        }
    }
}
