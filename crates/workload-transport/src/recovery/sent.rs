//! The packets that were sent, until they are acknowledged or given up.
//!
//! Packets are numbered one after another, so that a packet's place follows from its number; those that ask for no answer
//! have an empty place. What arrived is told by ranges, and whatever was sent well before something that arrived is lost.
//! The last that were given up are remembered for a while: on a line slower than was waited for they arrive all the same,
//! and only their acknowledgements tell how slow it is.
//!
//! Tests: what is acknowledged leaves once; three later packets, or time, make one lost; an acknowledgement of what was
//! never sent is told apart; what was given up can still arrive, once.

use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::time::Duration;

use crate::Time;

/// How many packets sent after it must arrive before one counts as lost.
const REORDERING_PACKETS: u64 = 3;
/// How many packets that were given up are remembered. Each time without an answer gives up few but the first.
const LATE_MAX: usize = 64;

/// A part of a stream as it was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SentPiece {
    pub(crate) stream: u64,
    pub(crate) offset: u64,
    pub(crate) length: u16,
    pub(crate) is_last: bool,
}

impl SentPiece {
    pub(crate) fn range(&self) -> std::ops::Range<u64> {
        self.offset..self.offset + u64::from(self.length)
    }
}

/// The parts in one packet: mostly one, which needs no memory of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pieces {
    first: Option<SentPiece>,
    others: Vec<SentPiece>,
}

impl Pieces {
    pub(crate) fn push(&mut self, piece: SentPiece) {
        match self.first {
            None => self.first = Some(piece),
            Some(_) => self.others.push(piece),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &SentPiece> {
        self.first.iter().chain(&self.others)
    }
}

/// A packet that asks for an answer.
#[derive(Clone, Debug)]
pub(crate) struct Packet {
    pub(crate) sent: Time,
    pub(crate) bytes: u16,
    pub(crate) pieces: Pieces,
    /// It told the other side how much it may send.
    pub(crate) has_credit: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Sent {
    // The number of the first place.
    first: u64,
    places: VecDeque<Option<Packet>>,
    under_way: u64,
    newest_arrived: Option<u64>,
    // What was given up last, oldest first: it may be late and not lost.
    late: VecDeque<(u64, Packet)>,
}

/// The other side acknowledged a packet that was never sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NeverSent;

impl Sent {
    /// The number that the next packet has.
    pub(crate) fn next(&self) -> u64 {
        self.first + self.places.len() as u64
    }

    /// The bytes that wait for an answer.
    pub(crate) const fn under_way(&self) -> u64 {
        self.under_way
    }

    /// Takes in the next packet, or that there was one which asks for no answer.
    pub(crate) fn push(&mut self, packet: Option<Packet>) {
        self.under_way += packet.as_ref().map_or(0, |packet| u64::from(packet.bytes));
        self.places.push_back(packet);
        self.drop_empty();
    }

    /// Takes what arrived for the first time, and hands each packet with its number to `taken`.
    pub(crate) fn arrived(
        &mut self,
        ranges: impl Iterator<Item = RangeInclusive<u64>>,
        mut taken: impl FnMut(u64, Packet),
    ) -> Result<(), NeverSent> {
        for range in ranges {
            if *range.end() >= self.next() {
                return Err(NeverSent);
            }
            self.newest_arrived = self.newest_arrived.max(Some(*range.end()));
            self.arrived_late(&range, &mut taken);
            for number in (*range.start()).max(self.first)..=*range.end() {
                let place = &mut self.places[(number - self.first) as usize];
                if let Some(packet) = place.take() {
                    self.under_way -= u64::from(packet.bytes);
                    taken(number, packet);
                }
            }
        }
        self.drop_empty();
        Ok(())
    }

    /// Takes what counts as lost: what was sent well before something that arrived, by number or by time. Returns when
    /// the next packet will, should nothing arrive until then.
    pub(crate) fn lost(
        &mut self,
        now: Time,
        late: Duration,
        mut taken: impl FnMut(u64, Packet),
    ) -> Option<Time> {
        let newest = self.newest_arrived?;
        let mut next = None;
        for (number, place) in (self.first..newest).zip(&mut self.places) {
            let Some(packet) = place else { continue };
            let due = packet.sent + late;
            if number + REORDERING_PACKETS > newest && due > now {
                next = Some(due);
                break;
            }
            if let Some(packet) = place.take() {
                self.under_way -= u64::from(packet.bytes);
                taken(number, packet);
            }
        }
        self.drop_empty();
        next
    }

    fn arrived_late(&mut self, range: &RangeInclusive<u64>, mut taken: impl FnMut(u64, Packet)) {
        while let Some(at) = self.late.iter().position(|(it, _)| range.contains(it))
            && let Some((number, packet)) = self.late.remove(at)
        {
            taken(number, packet);
        }
    }

    /// Shows all that is under way, and counts it as lost.
    pub(crate) fn give_up(&mut self, mut shown: impl FnMut(&Packet)) {
        let first = self.first;
        self.first = self.next();
        self.under_way = 0;
        for (number, place) in (first..).zip(std::mem::take(&mut self.places)) {
            let Some(packet) = place else { continue };
            shown(&packet);
            if self.late.len() >= LATE_MAX {
                self.late.pop_front();
            }
            self.late.push_back((number, packet));
        }
    }

    /// Forgets everything but which number is next: the connection has ended.
    pub(crate) fn clear(&mut self) {
        *self = Self {
            first: self.next(),
            ..Self::default()
        };
    }

    fn drop_empty(&mut self) {
        while let Some(None) = self.places.front() {
            self.places.pop_front();
            self.first += 1;
        }
    }

    /// Gives back what memory an idle connection does not need.
    pub(crate) fn shrink(&mut self) {
        self.places.shrink_to_fit();
        self.late = VecDeque::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(count: u64) -> Sent {
        let mut sent = Sent::default();
        for number in 0..count {
            sent.push(Some(Packet {
                sent: Time::ZERO + Duration::from_millis(number),
                bytes: 100,
                pieces: Pieces::default(),
                has_credit: false,
            }));
        }
        sent
    }

    fn arrive(sent: &mut Sent, range: RangeInclusive<u64>) -> Result<Vec<u64>, NeverSent> {
        let mut numbers = Vec::new();
        sent.arrived([range].into_iter(), |number, _| numbers.push(number))?;
        Ok(numbers)
    }

    fn lost(sent: &mut Sent, millis: u64) -> (Vec<u64>, Option<Time>) {
        let mut numbers = Vec::new();
        let now = Time::ZERO + Duration::from_millis(millis);
        let next = sent.lost(now, Duration::from_millis(50), |number, _| {
            numbers.push(number);
        });
        (numbers, next)
    }

    #[test]
    fn a_packet_arrives_once() {
        let mut sent = sent(10);
        assert_eq!(arrive(&mut sent, 2..=4), Ok(vec![2, 3, 4]));
        assert_eq!(arrive(&mut sent, 0..=5), Ok(vec![0, 1, 5]));
        assert_eq!(arrive(&mut sent, 0..=5), Ok(vec![]));
        assert_eq!(sent.under_way(), 400);
        assert_eq!(sent.places.len(), 4);
    }

    #[test]
    fn what_was_never_sent_cannot_arrive() {
        let mut sent = sent(10);
        assert_eq!(arrive(&mut sent, 9..=10), Err(NeverSent));
        assert_eq!(arrive(&mut sent, 0..=u64::MAX), Err(NeverSent));
        assert_eq!(arrive(&mut sent, 9..=9), Ok(vec![9]));
    }

    #[test]
    fn three_later_packets_or_time_make_one_lost() {
        let mut sent = sent(10);
        assert_eq!(lost(&mut sent, 1_000), (vec![], None));
        arrive(&mut sent, 5..=5).unwrap();
        let next = Some(Time::ZERO + Duration::from_millis(3 + 50));
        assert_eq!(lost(&mut sent, 10), (vec![0, 1, 2], next));
        assert_eq!(lost(&mut sent, 54), (vec![3, 4], None));
        assert_eq!(sent.under_way(), 400);
    }

    #[test]
    fn what_was_given_up_can_still_arrive_once() {
        let mut sent = sent(100);
        let mut shown = 0;
        sent.give_up(|_| shown += 1);
        assert_eq!((shown, sent.under_way(), sent.next()), (100, 0, 100));
        assert_eq!(arrive(&mut sent, 98..=99), Ok(vec![98, 99]));
        assert_eq!(arrive(&mut sent, 98..=99), Ok(vec![]));
        assert_eq!(arrive(&mut sent, 0..=97).unwrap().len(), LATE_MAX - 2);
        assert_eq!(arrive(&mut sent, 100..=100), Err(NeverSent));
        assert_eq!(sent.under_way(), 0);
    }

    #[test]
    fn places_of_packets_without_an_answer_take_no_memory() {
        let mut sent = sent(0);
        (0..1_000).for_each(|_| sent.push(None));
        assert_eq!((sent.next(), sent.places.len()), (1_000, 0));
        assert!(sent.places.capacity() < 16);
    }
}
