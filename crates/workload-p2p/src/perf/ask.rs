//! The client's side: one exchange, by the clock.
//!
//! Tests: `tests/it`.

use std::time::{Duration, Instant};

use super::Exchange;
use super::payload::{Digest, Sink, piece};
use crate::error::Cause;
use crate::settings::Settings;
use crate::yamux::{Application, Event, Mux, StreamId};

/// How many bytes a size takes.
const SIZE_BYTES: u64 = 8;

/// Moments of an exchange, all from its beginning: the substream was open, and nothing was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// This side had handed over the last byte of the upload: what was published as the time of an upload. For small ones it is
    /// the time of a copy.
    pub accepted: Duration,
    /// The first byte of the download was here, or the server's word that there is none: all of the upload had arrived there.
    pub confirmed: Duration,
    /// The last byte of the download was here.
    pub done: Duration,
}

/// An exchange under way.
pub(crate) struct Asking<'a> {
    settings: &'a Settings,
    id: StreamId,
    exchange: Exchange,
    began: Instant,
    written: u64,
    sink: Sink,
    accepted: Option<Duration>,
    confirmed: Option<Duration>,
    done: Option<Duration>,
    /// Nothing more can come, so that nothing too much has.
    is_over: bool,
}

impl<'a> Asking<'a> {
    pub(crate) fn new(settings: &'a Settings, id: StreamId, exchange: Exchange) -> Self {
        Self {
            settings,
            id,
            exchange,
            written: 0,
            sink: Sink::new(settings.check),
            accepted: None,
            confirmed: None,
            done: None,
            is_over: false,
            began: Instant::now(),
        }
    }

    /// When what happened; nothing before the end.
    pub(crate) fn times(&self) -> Option<Times> {
        Some(Times {
            accepted: self.accepted?,
            confirmed: self.confirmed?,
            done: self.done?,
        })
    }

    pub(crate) fn digest(&self) -> Option<Digest> {
        self.sink.digest()
    }

    /// Writes what stands at the place reached. Returns how much that was.
    fn write(&self, mux: &mut Mux) -> usize {
        let Exchange { upload, download } = self.exchange;
        let tail = SIZE_BYTES + upload;
        if self.written < SIZE_BYTES {
            mux.write(self.id, &upload.to_be_bytes()[self.written as usize..])
        } else if self.written < tail {
            let left = usize::try_from(tail - self.written).unwrap_or(usize::MAX);
            let length = left.min(self.settings.write_bytes);
            mux.write(self.id, piece(self.written - SIZE_BYTES, length))
        } else {
            mux.write(
                self.id,
                &download.to_be_bytes()[(self.written - tail) as usize..],
            )
        }
    }

    fn take(&mut self, mux: &mut Mux, bytes: &[u8]) -> Result<(), Cause> {
        if bytes.len() as u64 > self.exchange.download - self.sink.bytes() {
            return Err(Cause::Trailing);
        }
        if self.written < self.all() {
            return Err(Cause::Early);
        }
        self.confirmed.get_or_insert_with(|| self.began.elapsed());
        self.sink.take(bytes);
        if self.sink.bytes() == self.exchange.download {
            self.finish(mux);
        }
        Ok(())
    }

    fn take_end(&mut self, mux: &mut Mux) -> Result<(), Cause> {
        if self.sink.bytes() < self.exchange.download {
            return Err(Cause::Short {
                declared: self.exchange.download,
                arrived: self.sink.bytes(),
            });
        }
        if self.written < self.all() {
            return Err(Cause::Early);
        }
        if self.done.is_none() {
            self.finish(mux);
        }
        self.is_over = true;
        Ok(())
    }

    fn finish(&mut self, mux: &mut Mux) {
        let now = self.began.elapsed();
        self.confirmed.get_or_insert(now);
        self.done = Some(now);
        mux.end(self.id);
    }

    fn all(&self) -> u64 {
        self.exchange.upload + 2 * SIZE_BYTES
    }
}

impl Application for Asking<'_> {
    fn happened(&mut self, mux: &mut Mux, event: Event<'_>) -> Result<(), Cause> {
        match event {
            Event::Opened(id) => mux.reset(id),
            Event::Data(id, bytes) if id == self.id => self.take(mux, bytes)?,
            Event::Ended(id) if id == self.id => self.take_end(mux)?,
            Event::Reset(id) if id == self.id && self.done.is_none() => return Err(Cause::Reset),
            Event::Reset(id) if id == self.id => self.is_over = true,
            // Substreams of before are still being closed.
            Event::Data(..) | Event::Ended(_) | Event::Reset(_) => {}
        }
        Ok(())
    }

    fn fill(&mut self, mux: &mut Mux) {
        while self.written < self.all() {
            let written = self.write(mux);
            if written == 0 {
                return;
            }
            self.written += written as u64;
            if self.written >= SIZE_BYTES + self.exchange.upload {
                self.accepted.get_or_insert_with(|| self.began.elapsed());
            }
        }
    }

    fn is_done(&self) -> bool {
        self.is_over
    }

    fn progress(&self) -> u64 {
        self.written + self.sink.bytes()
    }

    fn patience(&self) -> Duration {
        self.settings.stall
    }
}
