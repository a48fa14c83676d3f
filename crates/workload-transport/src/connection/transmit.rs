//! What is said: datagrams, filled one after another, so that a run of equal ones can leave in one system call.

use super::{Connection, State};
use crate::Time;
use crate::crypto::TAG_BYTES;
use crate::recovery::{Packet, Pieces, SentPiece};
use crate::wire::{Header, datagram_bytes, write_close, write_one};

/// Says that the other side was wrong. What applications say is shorter.
pub(super) const VIOLATION: u64 = 1 << 32;

/// What a packet takes that says neither bytes nor more ranges than there are mostly.
const SHORT_BYTES_MAX: u64 = 64;

impl Connection {
    /// Appends at most `most` datagrams to `out`, all but the last of the same length, and returns that length; nothing
    /// where there is nothing to say now.
    pub(crate) fn transmit(&mut self, now: Time, most: usize, out: &mut Vec<u8>) -> Option<usize> {
        let start = out.len();
        let segment = match &mut self.state {
            State::Connecting {
                message, is_due, ..
            } => say_once(is_due, message, out),
            State::Answered { answer, is_due } => say_once(is_due, answer, out),
            State::Closing { code, is_due, .. } => {
                let code = *code;
                std::mem::take(is_due).then(|| self.write_end(now, code, out))
            }
            State::Open => self.write_packets(now, most, out),
            State::Closed => None,
        }?;
        let bytes = out.len() - start;
        self.statistics.bytes_sent += bytes as u64;
        self.statistics.datagrams_sent += bytes.div_ceil(segment) as u64;
        self.said = now;
        self.is_small = false;
        Some(segment)
    }

    fn write_packets(&mut self, now: Time, most: usize, out: &mut Vec<u8>) -> Option<usize> {
        let full = datagram_bytes(&self.remote);
        let mut first = None;
        for _ in 0..most {
            let Some(bytes) = self.write_packet(now, full, out) else {
                break;
            };
            first.get_or_insert(bytes);
            if bytes < full {
                break;
            }
        }
        first
    }

    /// Appends one packet and returns its length, if there is anything to say.
    fn write_packet(&mut self, now: Time, full: usize, out: &mut Vec<u8>) -> Option<usize> {
        let may_send = self.outgoing.is_ready() && self.may_send(now, full as u64);
        let has_credit = self.is_credit_due || self.incoming.credit_due().is_some();
        if !may_send && !has_credit && !self.arrived.is_due && !self.is_ping_due {
            return None;
        }
        if !may_send && !self.may_go_there(SHORT_BYTES_MAX) {
            return None;
        }
        let start = self.begin(now, out)?;
        if std::mem::take(&mut self.arrived.is_due)
            && let Some(ack) = self.arrived.ack()
        {
            ack.write(out);
        }
        if has_credit {
            self.is_credit_due = false;
            write_one(Some(self.incoming.grant()), out);
        }
        let mut pieces = Pieces::default();
        let has_pieces = may_send && self.write_pieces(start + full - TAG_BYTES, &mut pieces, out);
        let is_ping = std::mem::take(&mut self.is_ping_due) && !has_credit && !has_pieces;
        if is_ping {
            write_one(None, out);
        }
        let bytes = self.seal(start, out)?;
        if let Some(moved) = &mut self.moved {
            moved.sent(bytes as u64);
        }
        let wants_answer = has_credit || has_pieces || is_ping;
        if wants_answer {
            if self.sent.under_way() == 0 {
                self.asked = now;
            }
            self.unconfirmed_since.get_or_insert(now);
            self.pacer.sent(bytes as u64);
        } else {
            self.statistics.acks_sent += 1;
        }
        self.sent.push(wants_answer.then_some(Packet {
            sent: now,
            bytes: bytes as u16,
            pieces,
            has_credit,
        }));
        Some(bytes)
    }

    /// Appends parts of streams up to `end`, and returns whether there were any.
    fn write_pieces(&mut self, end: usize, pieces: &mut Pieces, out: &mut Vec<u8>) -> bool {
        let mut any = false;
        let write = |out: &mut Vec<u8>| -> Option<SentPiece> {
            let room = end.checked_sub(out.len())?;
            self.outgoing.write_frame(room, out)
        };
        let mut write = write;
        while let Some(piece) = write(out) {
            pieces.push(piece);
            any = true;
        }
        any
    }

    /// Returns whether so much may go to where the other side is, or seems to be.
    fn may_go_there(&self, bytes: u64) -> bool {
        self.moved.is_none_or(|moved| moved.allows(bytes))
    }

    /// Returns whether the line takes another packet; where it does not because of the pace, when it will.
    fn may_send(&mut self, now: Time, bytes: u64) -> bool {
        self.paced_until = None;
        if self.sent.under_way() + bytes > self.ledbat.window() || !self.may_go_there(bytes) {
            return false;
        }
        let pace = self.ledbat.pace();
        let when = self.pacer.when(now, bytes, pace, self.rtt.smoothed());
        if when > now {
            self.paced_until = Some(when);
        }
        when <= now
    }

    /// Appends what a sealed packet begins with, and returns where it stands.
    fn begin(&self, now: Time, out: &mut Vec<u8>) -> Option<usize> {
        let start = out.len();
        let number = self.keys.as_ref()?.sealer.next();
        debug_assert!(self.sent.next() == number || !self.is_alive());
        Header {
            to: self.peer_id,
            number,
        }
        .write(out);
        out.extend_from_slice(&now.stamp().to_be_bytes());
        Some(start)
    }

    fn seal(&mut self, start: usize, out: &mut Vec<u8>) -> Option<usize> {
        self.keys.as_mut()?.sealer.seal(out, start);
        Some(out.len() - start)
    }

    fn write_end(&mut self, now: Time, code: u64, out: &mut Vec<u8>) -> usize {
        if let Some(start) = self.begin(now, out) {
            write_close(code, out);
            return self.seal(start, out).unwrap_or(1);
        }
        1
    }
}

/// Appends a message of the handshake, if it is due, and returns its length.
fn say_once(is_due: &mut bool, message: &[u8], out: &mut Vec<u8>) -> Option<usize> {
    std::mem::take(is_due).then(|| {
        out.extend_from_slice(message);
        message.len()
    })
}
