//! Connections that others make.
//!
//! The first message costs whoever answers two agreements of keys. Only a whole one is answered, to where it came from, and
//! the answer is shorter than it, so that nobody can make an endpoint send more to others than was sent to it. A message that
//! comes again, because its answer was lost or because somebody has kept it, makes no second connection: neither while the
//! first one is being made, nor once it was, of as many as are remembered. Of older ones it would begin one; without the
//! sender's secret it never makes a whole one.
//!
//! Tests: `tests/it/handshake.rs`.

use std::net::SocketAddr;

use super::Endpoint;
use crate::Time;
use crate::connection::Connection;
use crate::crypto::{FIRST_BYTES, respond};
use crate::wire::ANSWER;

/// Kind and id before the first message.
const FIRST_PREFIX_BYTES: usize = 5;
/// Kind and both ids before the answer.
const ANSWER_PREFIX_BYTES: usize = 9;
/// How many connections are remembered by the keys that they were made with: 32 KiB of them.
const MADE_MAX: usize = 1 << 10;

impl Endpoint {
    pub(super) fn take_first(&mut self, now: Time, from: SocketAddr, datagram: &[u8]) {
        let first = datagram.split_at_checked(FIRST_PREFIX_BYTES);
        let first = first.filter(|(_, first)| first.len() == FIRST_BYTES);
        let Some((once, _)) = first.and_then(|(_, first)| first.split_first_chunk()) else {
            self.strays.unknown += 1;
            return;
        };
        if let Some(id) = self.half_open.get(once).copied() {
            if let Some(connection) = self.connections.get_mut(&id) {
                connection.answer_again(from);
            }
            return self.touched(id);
        }
        if self.made.contains(once) {
            self.strays.repeated += 1;
            return;
        }
        if self.half_open.len() >= self.settings.half_open_max
            || self.connections.len() >= self.settings.connections_max
        {
            self.strays.no_room += 1;
            return;
        }
        match self.answered(now, from, datagram) {
            Some((id, connection)) => {
                self.connections.insert(id, Box::new(connection));
                self.half_open.insert(*once, id);
                self.touched(id);
            }
            None => self.strays.unwelcome += 1,
        }
    }

    fn answered(
        &mut self,
        now: Time,
        from: SocketAddr,
        datagram: &[u8],
    ) -> Option<(u32, Connection)> {
        let (prefix, first) = datagram.split_at_checked(FIRST_PREFIX_BYTES)?;
        let peer_id = u32::from_be_bytes(prefix[1..].try_into().ok()?);
        let understood = respond(&self.secret, prefix, first)?;
        let peer = understood.other;
        if !self.settings.accept.allows(&peer) {
            return None;
        }
        let id = self.draw_id();
        let window = self.settings.window;
        let granted = u64::from_be_bytes(understood.hello);
        let mut answer = vec![ANSWER];
        answer.extend_from_slice(&prefix[1..]);
        answer.extend_from_slice(&id.to_be_bytes());
        let secrets = understood.answer(window.to_be_bytes(), &mut self.random, &mut answer)?;
        let connection = Connection::answered(
            now,
            peer_id,
            (peer, from),
            [window, granted],
            (&secrets, answer),
        );
        Some((id, connection))
    }

    /// The other side has shown that it has the answer: what it began with is of no more use.
    pub(super) fn was_made(&mut self, made: u32) {
        let made = self.half_open.extract_if(.., |_, id| *id == made);
        self.made.reserve_exact(MADE_MAX - self.made.len());
        for (once, _) in made {
            if self.made.len() == MADE_MAX {
                self.made.pop_front();
            }
            self.made.push_back(once);
        }
    }

    /// Returns the connection that an answer is for.
    pub(super) fn take_answer(&mut self, now: Time, datagram: &[u8]) -> Option<u32> {
        let (prefix, answer) = datagram.split_at_checked(ANSWER_PREFIX_BYTES)?;
        let (to, own) = prefix[1..].split_at(4);
        let to = u32::from_be_bytes(to.try_into().ok()?);
        let own = u32::from_be_bytes(own.try_into().ok()?);
        let connection = self.connections.get_mut(&to)?;
        connection.take_answer(now, own, prefix, answer);
        Some(to)
    }
}
