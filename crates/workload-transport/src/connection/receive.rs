//! What came, and what it means.

use std::net::SocketAddr;

use super::{Connection, Event, Keys, Moved, State};
use crate::streams::{Taken, Wrong};
use crate::wire::{Ack, Frame, Frames, Header, NoFrame, STAMP_BYTES, StreamFrame};
use crate::{Ended, Time, Violation};

/// What a packet asks for.
#[derive(Clone, Copy, Default)]
struct Content {
    wants_answer: bool,
    is_close: bool,
    /// Something in it could not be kept: it counts as not arrived.
    has_to_come_again: bool,
}

impl Connection {
    /// Takes the answer to the first message; `own` is its prefix.
    pub(crate) fn take_answer(&mut self, now: Time, peer_id: u32, prefix: &[u8], answer: &[u8]) {
        let State::Connecting { handshake, .. } = &self.state else {
            return;
        };
        let Some((secrets, hello)) = handshake.finish(prefix, answer) else {
            self.statistics.refused += 1;
            return;
        };
        if self.attempts == 0 {
            self.rtt.sample(now.since(self.asked));
        }
        self.peer_id = peer_id;
        self.keys = Some(Keys::new(&secrets));
        self.outgoing.grant(u64::from_be_bytes(hello));
        self.state = State::Open;
        self.heard = now;
        self.attempts = 0;
        // The other side knows that this one is there now and was not then as soon as it has a packet.
        self.is_ping_due = true;
        self.events.push_back(Event::Connected);
    }

    /// The first message came again: its answer may have been lost, or have gone to where nobody is.
    pub(crate) fn answer_again(&mut self, from: SocketAddr) {
        if let State::Answered { is_due, .. } = &mut self.state {
            self.remote = from;
            *is_due = true;
        }
    }

    /// Takes a sealed packet.
    pub(crate) fn take_packet(
        &mut self,
        now: Time,
        from: SocketAddr,
        header: Header,
        packet: &mut [u8],
    ) {
        if self.arrived.has(header.number) {
            self.statistics.repeated += 1;
            return;
        }
        let keys = self.keys.as_mut();
        let plain = keys.and_then(|keys| keys.opener.open(header, packet));
        let Some((stamp, frames)) = plain.and_then(|plain| plain.split_first_chunk()) else {
            self.statistics.refused += 1;
            return;
        };
        let _: &[u8; STAMP_BYTES] = stamp;
        self.heard = now;
        self.is_small = false;
        if let State::Answered { .. } = self.state {
            self.state = State::Open;
            self.attempts = 0;
            self.events.push_back(Event::Connected);
        }
        let content = match self.take_frames(now, frames) {
            Ok(content) => content,
            Err(violation) => return self.violated(now, violation),
        };
        if content.has_to_come_again {
            return;
        }
        self.statistics.packets_received += 1;
        let delay = now.stamp().wrapping_sub(u32::from_be_bytes(*stamp));
        let is_newest = self.arrived.take(header.number, delay);
        self.arrived.is_due |= content.wants_answer;
        if is_newest && self.remote != from {
            self.move_to(from);
        }
        if let Some(moved) = &mut self.moved
            && self.remote == from
        {
            moved.came(packet.len());
        }
        if let State::Closing { is_due, .. } = &mut self.state {
            *is_due = !content.is_close;
        }
    }

    /// Only the other side can have written a newer packet: it has moved, or somebody passes its packets on. It is asked,
    /// and until it has answered the new line is one of which nothing is known.
    fn move_to(&mut self, remote: SocketAddr) {
        self.remote = remote;
        self.statistics.migrations += 1;
        self.moved = Some(Moved::new(self.sent.next()));
        self.ledbat.silent(self.sent.next());
        self.is_ping_due = true;
    }

    fn take_frames(&mut self, now: Time, frames: &[u8]) -> Result<Content, Violation> {
        let mut content = Content::default();
        for frame in Frames::new(frames) {
            let frame = frame.map_err(|NoFrame| Violation::NoFrame)?;
            if let Frame::Close(code) = frame {
                content.is_close = true;
                self.closed_there(code);
                break;
            }
            if !self.is_alive() {
                continue;
            }
            match frame {
                Frame::Ping => content.wants_answer = true,
                Frame::Ack(ack) => self.take_ack(now, &ack)?,
                Frame::Credit(granted) => {
                    content.wants_answer = true;
                    if self.outgoing.grant(granted) {
                        self.blocked_since = None;
                    }
                }
                Frame::Piece(piece) => {
                    content.wants_answer = true;
                    content.has_to_come_again |= self.take_piece(&piece)? == Taken::NoRoom;
                }
                Frame::Close(_) => {}
            }
        }
        Ok(content)
    }

    fn take_piece(&mut self, piece: &StreamFrame<'_>) -> Result<Taken, Violation> {
        let taken = self.incoming.take(piece).map_err(|wrong| match wrong {
            Wrong::Credit => Violation::Credit,
            Wrong::End => Violation::End,
        })?;
        if self.incoming.is_readable() && !std::mem::replace(&mut self.is_readable_noted, true) {
            self.events.push_back(Event::Readable);
        }
        Ok(taken)
    }

    fn take_ack(&mut self, now: Time, ack: &Ack) -> Result<(), Violation> {
        let Self {
            sent,
            outgoing,
            events,
            rtt,
            moved,
            ..
        } = self;
        let under_way = sent.under_way();
        let mut is_progress = false;
        let taken = sent.arrived(ack.ranges(), |number, packet| {
            is_progress = true;
            *moved = moved.filter(|moved| !moved.is_shown_by(number));
            if number == ack.newest() {
                rtt.sample(now.since(packet.sent));
            }
            for piece in packet.pieces.iter() {
                if outgoing.arrived(piece) {
                    events.push_back(Event::Delivered(piece.stream));
                }
            }
        });
        if taken.is_err() {
            return Err(Violation::NeverSent);
        }
        if is_progress {
            self.attempts = 0;
            self.asked = now;
            self.unconfirmed_since = (sent.under_way() > 0).then_some(now);
        }
        let bytes = under_way - sent.under_way();
        if bytes > 0 {
            self.ledbat.acknowledged(now, ack.delay, bytes, under_way);
            self.find_lost(now);
        }
        Ok(())
    }

    /// Looks for packets that will not arrive any more.
    pub(super) fn find_lost(&mut self, now: Time) {
        let Self {
            sent,
            outgoing,
            ledbat,
            statistics,
            is_credit_due,
            ..
        } = self;
        let next = sent.next();
        self.loss_at = sent.lost(now, self.rtt.reordering(), |number, packet| {
            statistics.packets_lost += 1;
            *is_credit_due |= packet.has_credit;
            for piece in packet.pieces.iter() {
                statistics.bytes_lost += outgoing.lost(piece);
            }
            ledbat.lost(number, next);
        });
    }

    fn closed_there(&mut self, code: u64) {
        if self.is_alive() {
            let ended = u32::try_from(code).map_or(Ended::Misunderstood, Ended::There);
            self.end(ended);
        }
        self.state = State::Closed;
    }

    /// The other side did what it must not.
    fn violated(&mut self, now: Time, violation: Violation) {
        if self.is_alive() {
            self.end(Ended::Violated(violation));
            self.say_close(now, super::transmit::VIOLATION);
        }
    }
}
