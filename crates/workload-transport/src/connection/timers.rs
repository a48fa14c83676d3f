//! When to come back, and what it means that nothing came until then.

use std::time::Duration;

use super::{Connection, Event, State};
use crate::{Ended, Settings, Time};

/// For how long a connection that this side closed still answers, at least and in waits for an answer.
const LINGER_MIN: Duration = Duration::from_millis(500);
const LINGER_WAITS: u32 = 3;

/// A connection on which nothing was said or heard for so long gives memory back, where no sign of life is asked for sooner.
const REST: Duration = Duration::from_secs(10);

impl Connection {
    /// Returns when something is due if nothing comes.
    pub(crate) fn deadline(&self, settings: &Settings) -> Time {
        let answer = self.asked + self.rtt.wait(self.attempts);
        let hard = self.hard_deadline(settings);
        match &self.state {
            State::Connecting { .. } => answer.min(hard),
            State::Answered { .. } | State::Closing { .. } | State::Closed => hard,
            State::Open => {
                let answer = (self.sent.under_way() > 0).then_some(answer);
                // A sign of life that is due and may not be said is not waited for again.
                let waits = match settings.keep_alive {
                    Some(_) => !self.is_ping_due,
                    None => !self.is_small,
                };
                let quiet = waits.then(|| self.quiet(settings));
                [answer, quiet, self.loss_at, self.paced_until]
                    .into_iter()
                    .flatten()
                    .fold(hard, Time::min)
            }
        }
    }

    /// Returns when it ends if nothing comes, or its end is over: that waits for no socket.
    pub(crate) fn hard_deadline(&self, settings: &Settings) -> Time {
        match &self.state {
            State::Connecting { .. } | State::Answered { .. } => {
                self.began + settings.handshake_timeout
            }
            State::Closing { until, .. } => *until,
            State::Closed => Time::NEVER,
            State::Open => {
                let silent = self.heard + settings.idle_timeout;
                let stalled = self.stalled(settings);
                stalled.map_or(silent, |(stalled, _)| stalled.min(silent))
            }
        }
    }

    /// Returns when it ends because the other side is there and does not do its part, and with which word.
    fn stalled(&self, settings: &Settings) -> Option<(Time, Ended)> {
        let blocked = self.blocked_since.map(|since| (since, Ended::Stalled));
        let unconfirmed = self
            .unconfirmed_since
            .map(|since| (since, Ended::Unconfirmed));
        let first = [blocked, unconfirmed].into_iter().flatten();
        let (since, ended) = first.min_by_key(|(since, _)| *since)?;
        Some((since + settings.stall_timeout, ended))
    }

    /// Does what is due.
    pub(crate) fn come_back(&mut self, now: Time, settings: &Settings) {
        let answer = self.asked + self.rtt.wait(self.attempts);
        match &mut self.state {
            State::Connecting { .. } if now >= self.began + settings.handshake_timeout => {
                self.end(Ended::NoAnswer);
                self.state = State::Closed;
            }
            // Nobody here was told that it had begun.
            State::Answered { .. } if now >= self.began + settings.handshake_timeout => {
                self.state = State::Closed;
            }
            State::Connecting { is_due, .. } if now >= answer => {
                *is_due = true;
                self.attempts += 1;
                self.asked = now;
            }
            State::Closing { until, .. } if now >= *until => self.state = State::Closed,
            State::Open => self.come_back_open(now, answer, settings),
            _ => {}
        }
    }

    fn come_back_open(&mut self, now: Time, answer: Time, settings: &Settings) {
        if now >= self.heard + settings.idle_timeout {
            self.end(Ended::Silent);
            self.state = State::Closed;
            return;
        }
        if let Some((stalled, ended)) = self.stalled(settings)
            && now >= stalled
        {
            self.end(ended);
            self.say_close(now, 0);
            return;
        }
        if self.paced_until.is_some_and(|until| now >= until) {
            self.paced_until = None;
        }
        if self.loss_at.is_some_and(|at| now >= at) {
            self.find_lost(now);
        }
        if self.sent.under_way() > 0 && now >= answer {
            self.give_up(now);
        }
        if now >= self.quiet(settings) {
            self.is_ping_due |= settings.keep_alive.is_some();
            self.shrink();
        }
    }

    /// Returns when nothing will have been said or heard for long.
    fn quiet(&self, settings: &Settings) -> Time {
        self.heard.max(self.said) + settings.keep_alive.unwrap_or(REST)
    }

    /// Nothing was heard for as long as one waits: everything is sent again, slowly. What arrives of it after all is
    /// acknowledged all the same.
    fn give_up(&mut self, now: Time) {
        let Self {
            sent,
            outgoing,
            statistics,
            is_credit_due,
            ..
        } = self;
        statistics.timeouts += 1;
        sent.give_up(|packet| {
            statistics.packets_lost += 1;
            *is_credit_due |= packet.has_credit;
            for piece in packet.pieces.iter() {
                statistics.bytes_lost += outgoing.lost(piece);
            }
        });
        self.ledbat.silent(self.sent.next());
        self.attempts += 1;
        self.asked = now;
        self.loss_at = None;
        self.is_ping_due = true;
    }

    /// Notes since when nothing but credit is missing. To be called when all was said that can be.
    pub(crate) fn note_blocked(&mut self, now: Time) {
        if !self.outgoing.is_blocked() {
            self.blocked_since = None;
        } else if self.blocked_since.is_none() {
            self.blocked_since = Some(now);
        }
    }

    /// Says that this was all, and forgets what was not read.
    pub(crate) fn close(&mut self, now: Time, code: u32) {
        self.incoming.clear();
        if self.is_alive() {
            let has_keys = self.keys.is_some();
            self.end(Ended::Here);
            if has_keys {
                self.say_close(now, u64::from(code));
            } else {
                self.state = State::Closed;
            }
        }
    }

    pub(super) fn say_close(&mut self, now: Time, code: u64) {
        let linger = self.rtt.wait(0) * LINGER_WAITS;
        self.state = State::Closing {
            code,
            until: now + linger.max(LINGER_MIN),
            is_due: true,
        };
    }

    /// Lets go of what can no longer be sent or read whole.
    pub(super) fn end(&mut self, ended: Ended) {
        self.outgoing.clear();
        self.incoming.end();
        self.sent.clear();
        self.blocked_since = None;
        self.unconfirmed_since = None;
        self.events.push_back(Event::Ended(ended));
    }

    /// Gives back what memory an idle connection does not need.
    fn shrink(&mut self) {
        self.is_small = true;
        self.arrived.shrink();
        self.sent.shrink();
        self.outgoing.shrink();
        self.incoming.shrink();
        self.events.shrink_to_fit();
    }
}
