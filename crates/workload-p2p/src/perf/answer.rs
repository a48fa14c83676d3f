//! The server's side: what a connection's substreams have asked for, and how far that is.
//!
//! A substream that breaks the rules is reset and told of; its connection goes on.
//!
//! Tests: `tests/it`, with clients that keep to the protocol and others.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use super::PROTOCOL;
use super::number::Number;
use super::payload::{Digest, Sink, piece};
use crate::error::Cause;
use crate::line::Deadline;
use crate::negotiation::Listening;
use crate::settings::Settings;
use crate::yamux::{Application, Event, Mux, StreamId};

/// An exchange that was served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Served {
    /// How much was received.
    pub uploaded: u64,
    /// How much was sent.
    pub downloaded: u64,
    /// The digest of what was received, where it was asked for.
    pub digest: Option<Digest>,
}

struct Answer {
    state: State,
    sink: Sink,
    /// Whether anything moved since they were last looked through.
    has_moved: bool,
}

enum State {
    Negotiating(Listening),
    UploadSize(Number),
    Receiving {
        declared: u64,
    },
    DownloadSize(Number),
    Sending {
        wanted: u64,
        sent: u64,
    },
    /// All is said, and the client has not said that it has no more.
    Over,
}

/// All substreams of a connection.
pub(crate) struct Serving<'a> {
    settings: &'a Settings,
    tell: &'a mut dyn FnMut(Result<Served, Cause>),
    answers: BTreeMap<StreamId, Answer>,
    sending: VecDeque<StreamId>,
    progress: u64,
    /// When they are looked through for those that stand still.
    look: Deadline,
}

impl<'a> Serving<'a> {
    pub(crate) fn new(
        settings: &'a Settings,
        tell: &'a mut dyn FnMut(Result<Served, Cause>),
    ) -> Self {
        Self {
            settings,
            tell,
            answers: BTreeMap::new(),
            sending: VecDeque::new(),
            progress: 0,
            look: Deadline::after(settings.stall),
        }
    }

    /// Whether nothing is under way, so that a client may go.
    pub(crate) fn is_idle(&self) -> bool {
        self.answers.values().all(Answer::is_idle)
    }

    /// Of how many substreams something is kept, and how many wait to be sent to.
    #[cfg(test)]
    pub(crate) fn kept(&self) -> [usize; 2] {
        [self.answers.len(), self.sending.len()]
    }

    fn give_up(&mut self, mux: &mut Mux, id: StreamId, cause: Cause) {
        self.answers.remove(&id);
        self.progress += 1;
        mux.reset(id);
        (self.tell)(Err(cause));
    }

    /// Gives up exchanges in which nothing moved since the last look: another one on the same connection may go on for ever.
    fn give_up_still(&mut self, mux: &mut Mux) {
        self.look = Deadline::after(self.settings.stall);
        let mut still = Vec::new();
        for (id, answer) in &mut self.answers {
            let has_moved = std::mem::take(&mut answer.has_moved);
            if !has_moved && !answer.is_idle() {
                still.push(*id);
            }
        }
        for id in still {
            self.give_up(mux, id, Cause::TimedOut(self.settings.stall));
        }
    }

    fn take(&mut self, mux: &mut Mux, id: StreamId, bytes: &[u8]) {
        let Some(answer) = self.answers.get_mut(&id) else {
            return;
        };
        self.progress += bytes.len() as u64;
        answer.has_moved = true;
        let was_sending = answer.is_sending();
        let mut said = Vec::new();
        let taken = answer.take(bytes, self.settings, &mut said);
        if !said.is_empty() {
            mux.write_first(id, &said);
        }
        match taken {
            Err(cause) => self.give_up(mux, id, cause),
            Ok(()) if !was_sending && answer.is_sending() => self.sending.push_back(id),
            Ok(()) => {}
        }
    }

    /// Returns whether the substream has sent all.
    fn send(&mut self, mux: &mut Mux, id: StreamId) -> Sent {
        let Some(answer) = self.answers.get_mut(&id) else {
            return Sent::All;
        };
        let State::Sending { wanted, sent } = &mut answer.state else {
            return Sent::All;
        };
        let left = usize::try_from(*wanted - *sent).unwrap_or(usize::MAX);
        let piece = piece(*sent, left.min(self.settings.write_bytes));
        let written = mux.write(id, piece);
        *sent += written as u64;
        self.progress += written as u64;
        answer.has_moved |= written > 0;
        if *sent < *wanted {
            return if written > 0 {
                Sent::Some
            } else {
                Sent::Nothing
            };
        }
        let served = Served {
            uploaded: answer.sink.bytes(),
            downloaded: *wanted,
            digest: answer.sink.digest(),
        };
        answer.state = State::Over;
        self.progress += 1;
        mux.end(id);
        if !mux.has(id) {
            self.answers.remove(&id);
        }
        (self.tell)(Ok(served));
        Sent::All
    }
}

enum Sent {
    Nothing,
    Some,
    All,
}

impl Application for Serving<'_> {
    fn happened(&mut self, mux: &mut Mux, event: Event<'_>) -> Result<(), Cause> {
        match event {
            Event::Opened(id) => {
                self.progress += 1;
                let answer = Answer {
                    state: State::Negotiating(Listening::new(PROTOCOL)),
                    sink: Sink::new(self.settings.check),
                    has_moved: true,
                };
                self.answers.insert(id, answer);
            }
            Event::Data(id, bytes) => self.take(mux, id, bytes),
            Event::Ended(id) => {
                self.progress += 1;
                match self.answers.get(&id).and_then(Answer::cause_of_end) {
                    Some(cause) => self.give_up(mux, id, cause),
                    None if self.answers.get(&id).is_some_and(Answer::is_idle) => {
                        self.answers.remove(&id);
                        mux.end(id);
                    }
                    None => {}
                }
            }
            Event::Reset(id) => {
                self.progress += 1;
                let answer = self.answers.remove(&id);
                if answer.is_some_and(|answer| !answer.is_idle()) {
                    (self.tell)(Err(Cause::Reset));
                }
            }
        }
        Ok(())
    }

    fn fill(&mut self, mux: &mut Mux) {
        if self.look.check().is_err() {
            self.give_up_still(mux);
        }
        let mut stuck = 0;
        while stuck < self.sending.len()
            && let Some(id) = self.sending.pop_front()
        {
            match self.send(mux, id) {
                Sent::All => {}
                Sent::Some => {
                    stuck = 0;
                    self.sending.push_back(id);
                }
                Sent::Nothing => {
                    stuck += 1;
                    self.sending.push_back(id);
                }
            }
        }
    }

    fn is_done(&self) -> bool {
        false
    }

    fn progress(&self) -> u64 {
        self.progress
    }

    fn patience(&self) -> Duration {
        match self.is_idle() {
            true => self.settings.idle,
            false => self.settings.stall,
        }
    }
}

impl Answer {
    const fn is_sending(&self) -> bool {
        matches!(self.state, State::Sending { .. })
    }

    /// Whether nothing was asked for yet, or all is answered: whoever goes now has lost nothing.
    const fn is_idle(&self) -> bool {
        match &self.state {
            State::Negotiating(_) | State::Over => true,
            State::UploadSize(number) => number.is_empty(),
            _ => false,
        }
    }

    /// What is wrong with a client that says that nothing more comes.
    fn cause_of_end(&self) -> Option<Cause> {
        match &self.state {
            State::Negotiating(listening) => match listening.cause_of_end() {
                Cause::Ended => None,
                cause => Some(cause),
            },
            State::UploadSize(number) if number.is_empty() => None,
            State::UploadSize(_) | State::DownloadSize(_) => Some(Cause::NoNumber),
            State::Receiving { declared } => Some(Cause::Short {
                declared: *declared,
                arrived: self.sink.bytes(),
            }),
            State::Sending { .. } | State::Over => None,
        }
    }

    fn take(
        &mut self,
        mut input: &[u8],
        settings: &Settings,
        said: &mut Vec<u8>,
    ) -> Result<(), Cause> {
        loop {
            match &mut self.state {
                State::Negotiating(listening) => {
                    if !listening.take(&mut input, said)? {
                        return Ok(());
                    }
                    self.state = State::UploadSize(Number::default());
                }
                State::UploadSize(number) => {
                    let Some(declared) = number.take(&mut input) else {
                        return Ok(());
                    };
                    settings.check_size(declared)?;
                    self.state = State::Receiving { declared };
                }
                State::Receiving { declared } => {
                    let left = usize::try_from(*declared - self.sink.bytes()).unwrap_or(usize::MAX);
                    let (ours, rest) = input.split_at(left.min(input.len()));
                    self.sink.take(ours);
                    if self.sink.bytes() < *declared {
                        return Ok(());
                    }
                    input = rest;
                    self.state = State::DownloadSize(Number::default());
                }
                State::DownloadSize(number) => {
                    let Some(wanted) = number.take(&mut input) else {
                        return Ok(());
                    };
                    settings.check_size(wanted)?;
                    self.state = State::Sending { wanted, sent: 0 };
                }
                State::Sending { .. } | State::Over => {
                    return input.is_empty().then_some(()).ok_or(Cause::Trailing);
                }
            }
        }
    }
}
