//! The substreams of a connection, as a machine without a line.
//!
//! Tests: `tests`, one machine against another and against frames made by hand.

use std::collections::BTreeMap;
use std::time::Duration;

use super::frame::{Flags, HEADER_BYTES, Header, Kind};
use crate::error::{Cause, Violation};
use crate::noise::{Outbox, Role};

/// What either side may send on a new substream, by the protocol.
const FIRST_WINDOW: u32 = 256 << 10;

/// What the other side may send before it hears of us: more than is under way on any line that this runs on.
const WINDOW: u32 = 16 << 20;

/// The number of a substream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StreamId(pub(super) u32);

/// What happened on a connection.
#[derive(Debug)]
pub(crate) enum Event<'a> {
    /// The other side opened a substream.
    Opened(StreamId),
    /// Something arrived.
    Data(StreamId, &'a [u8]),
    /// Nothing more comes.
    Ended(StreamId),
    /// The other side gave the substream up.
    Reset(StreamId),
}

/// What uses the substreams.
pub(crate) trait Application {
    /// Takes what happened. An error ends the connection.
    fn happened(&mut self, mux: &mut Mux, event: Event<'_>) -> Result<(), Cause>;

    /// Writes what it has to send, as far as there is room.
    fn fill(&mut self, mux: &mut Mux);

    /// Whether it needs nothing more of the other side.
    fn is_done(&self) -> bool;

    /// A number that changes when something comes forward: who is silent and who only keeps the line busy, are alike.
    fn progress(&self) -> u64;

    /// How long it waits for that.
    fn patience(&self) -> Duration;
}

/// What a connection may hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) streams_max: usize,
}

struct Stream {
    /// What may be sent.
    credit: u32,
    /// What the other side may send.
    window: u32,
    has_ended_here: bool,
    has_ended_there: bool,
}

/// Where reading stands between two pieces of what arrives.
enum Reading {
    Header([u8; HEADER_BYTES], usize),
    Body {
        stream: u32,
        left: u32,
        is_last: bool,
    },
}

pub(crate) struct Mux {
    pub(crate) outbox: Outbox,
    streams: BTreeMap<u32, Stream>,
    next: u32,
    limits: Limits,
    reading: Reading,
    gone: Option<u32>,
}

impl Mux {
    pub(crate) fn new(outbox: Outbox, role: Role, limits: Limits) -> Self {
        Self {
            outbox,
            streams: BTreeMap::new(),
            next: match role {
                Role::Dialer => 1,
                Role::Listener => 2,
            },
            limits,
            reading: Reading::Header([0; HEADER_BYTES], 0),
            gone: None,
        }
    }

    /// Opens a substream.
    pub(crate) fn open(&mut self) -> Result<StreamId, Cause> {
        let id = self.next;
        let next = id
            .checked_add(2)
            .filter(|_| self.streams.len() < self.limits.streams_max);
        self.next = next.ok_or(Cause::TooMany(self.streams.len()))?;
        self.streams.insert(id, Stream::new(FIRST_WINDOW));
        self.say(Kind::Window, Flags::OPEN, id, WINDOW - FIRST_WINDOW);
        Ok(StreamId(id))
    }

    /// Writes as much as there is room for and the other side allows. Returns how much that was.
    pub(crate) fn write(&mut self, StreamId(id): StreamId, bytes: &[u8]) -> usize {
        let room = self.outbox.room().saturating_sub(HEADER_BYTES);
        let Some(stream) = self
            .streams
            .get_mut(&id)
            .filter(|stream| !stream.has_ended_here)
        else {
            return 0;
        };
        let length = bytes.len().min(room).min(stream.credit as usize);
        if length > 0 {
            stream.credit -= length as u32;
            self.say(Kind::Data, Flags::NONE, id, length as u32);
            self.outbox.push(&bytes[..length]);
        }
        length
    }

    /// Writes a few bytes at the beginning of a substream, where the other side allows them by the protocol.
    pub(crate) fn write_first(&mut self, StreamId(id): StreamId, bytes: &[u8]) {
        if let Some(stream) = self.streams.get_mut(&id) {
            let length = bytes.len() as u32;
            stream.credit = stream.credit.saturating_sub(length);
            self.say(Kind::Data, Flags::NONE, id, length);
            self.outbox.push(bytes);
        }
    }

    /// Says that nothing more comes.
    pub(crate) fn end(&mut self, StreamId(id): StreamId) {
        if let Some(stream) = self
            .streams
            .get_mut(&id)
            .filter(|stream| !stream.has_ended_here)
        {
            stream.has_ended_here = true;
            self.say(Kind::Data, Flags::END, id, 0);
            self.forget_ended(id);
        }
    }

    /// Gives a substream up.
    pub(crate) fn reset(&mut self, StreamId(id): StreamId) {
        if self.streams.remove(&id).is_some() {
            self.say(Kind::Window, Flags::RESET, id, 0);
        }
    }

    /// Says that this side goes.
    pub(crate) fn go_away(&mut self, code: u32) {
        self.say(Kind::GoAway, Flags::NONE, 0, code);
    }

    /// The code with which the other side went.
    pub(crate) const fn gone(&self) -> Option<u32> {
        self.gone
    }

    /// Whether what arrived last was whole.
    pub(crate) const fn is_between_frames(&self) -> bool {
        matches!(self.reading, Reading::Header(_, 0))
    }

    /// Makes sure that so many more substreams may be opened.
    pub(crate) fn check_room(&self, count: usize) -> Result<(), Cause> {
        let open = self.streams.len();
        match count <= self.limits.streams_max.saturating_sub(open) {
            true => Ok(()),
            false => Err(Cause::TooMany(open)),
        }
    }

    /// Whether a substream is not over yet.
    pub(crate) fn has(&self, StreamId(id): StreamId) -> bool {
        self.streams.contains_key(&id)
    }

    /// How many substreams there are.
    #[cfg(test)]
    pub(crate) fn streams(&self) -> usize {
        self.streams.len()
    }

    /// Takes what arrived.
    pub(crate) fn receive(
        &mut self,
        mut bytes: &[u8],
        application: &mut impl Application,
    ) -> Result<(), Cause> {
        while !bytes.is_empty() {
            match &mut self.reading {
                Reading::Header(header, have) => {
                    let length = bytes.len().min(HEADER_BYTES - *have);
                    header[*have..*have + length].copy_from_slice(&bytes[..length]);
                    *have += length;
                    bytes = &bytes[length..];
                    if *have == HEADER_BYTES {
                        let header = Header::from_bytes(header)?;
                        self.reading = Reading::Header([0; HEADER_BYTES], 0);
                        self.take_header(header, application)?;
                    }
                }
                Reading::Body {
                    stream,
                    left,
                    is_last,
                } => {
                    let length = bytes.len().min(*left as usize);
                    let (piece, rest) = bytes.split_at(length);
                    bytes = rest;
                    *left -= length as u32;
                    let (id, is_whole, is_last) = (*stream, *left == 0, *is_last);
                    if is_whole {
                        self.reading = Reading::Header([0; HEADER_BYTES], 0);
                    }
                    // What comes on a substream that was given up here is passed over.
                    if self.streams.contains_key(&id) {
                        application.happened(self, Event::Data(StreamId(id), piece))?;
                        if is_whole {
                            self.after_data(id, is_last, application)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn take_header(
        &mut self,
        header: Header,
        application: &mut impl Application,
    ) -> Result<(), Cause> {
        match header.kind {
            Kind::Ping if header.flags.has(Flags::OPEN) => {
                self.say(Kind::Ping, Flags::HEARD, 0, header.length);
                Ok(())
            }
            Kind::Ping => Ok(()),
            Kind::GoAway => {
                self.gone = Some(header.length);
                Ok(())
            }
            Kind::Data | Kind::Window => self.take_stream_header(header, application),
        }
    }

    fn take_stream_header(
        &mut self,
        header: Header,
        application: &mut impl Application,
    ) -> Result<(), Cause> {
        let id = header.stream;
        let is_last = header.flags.has(Flags::END);
        let is_data = header.kind == Kind::Data;
        if header.flags.has(Flags::RESET) {
            if is_data && header.length > 0 {
                self.reading = Reading::Body {
                    stream: id,
                    left: header.length,
                    is_last,
                };
            }
            if self.streams.remove(&id).is_some() {
                application.happened(self, Event::Reset(StreamId(id)))?;
            }
            return Ok(());
        }
        if header.flags.has(Flags::OPEN) {
            self.accept(id, application)?;
        }
        if is_data {
            if let Some(stream) = self.streams.get_mut(&id) {
                if stream.has_ended_there {
                    return Err(Violation::AfterEnd.into());
                }
                let left = stream.window.checked_sub(header.length);
                stream.window = left.ok_or(Violation::BeyondWindow)?;
            }
            if header.length > 0 {
                self.reading = Reading::Body {
                    stream: id,
                    left: header.length,
                    is_last,
                };
                return Ok(());
            }
        } else if let Some(stream) = self.streams.get_mut(&id) {
            let credit = stream.credit.checked_add(header.length);
            stream.credit = credit.ok_or(Violation::CreditOverflow)?;
        }
        if is_last {
            self.take_end(id, application)
        } else {
            Ok(())
        }
    }

    fn accept(&mut self, id: u32, application: &mut impl Application) -> Result<(), Cause> {
        if id == 0 || id % 2 == self.next % 2 || self.streams.contains_key(&id) {
            return Err(Violation::BadNumber.into());
        }
        if self.streams.len() >= self.limits.streams_max {
            self.say(Kind::Window, Flags::RESET, id, 0);
            return Ok(());
        }
        self.streams.insert(id, Stream::new(FIRST_WINDOW));
        self.say(Kind::Window, Flags::HEARD, id, WINDOW - FIRST_WINDOW);
        application.happened(self, Event::Opened(StreamId(id)))
    }

    /// Gives back what the application has taken, once that is half a window: a word for each frame would be half of what
    /// is said.
    fn after_data(
        &mut self,
        id: u32,
        is_last: bool,
        application: &mut impl Application,
    ) -> Result<(), Cause> {
        if is_last {
            return self.take_end(id, application);
        }
        if let Some(stream) = self.streams.get_mut(&id)
            && stream.window <= WINDOW / 2
        {
            let taken = WINDOW - stream.window;
            stream.window = WINDOW;
            self.say(Kind::Window, Flags::NONE, id, taken);
        }
        Ok(())
    }

    fn take_end(&mut self, id: u32, application: &mut impl Application) -> Result<(), Cause> {
        let Some(stream) = self.streams.get_mut(&id) else {
            return Ok(());
        };
        if stream.has_ended_there {
            return Err(Violation::AfterEnd.into());
        }
        stream.has_ended_there = true;
        application.happened(self, Event::Ended(StreamId(id)))?;
        self.forget_ended(id);
        Ok(())
    }

    fn forget_ended(&mut self, id: u32) {
        let is_over = |stream: &Stream| stream.has_ended_here && stream.has_ended_there;
        if self.streams.get(&id).is_some_and(is_over) {
            self.streams.remove(&id);
        }
    }

    fn say(&mut self, kind: Kind, flags: Flags, stream: u32, length: u32) {
        let header = Header {
            kind,
            flags,
            stream,
            length,
        };
        self.outbox.push(&header.to_bytes());
    }
}

impl Stream {
    /// Both sides begin alike, and this one allows more at once.
    const fn new(credit: u32) -> Self {
        Self {
            credit,
            window: WINDOW,
            has_ended_here: false,
            has_ended_there: false,
        }
    }
}
