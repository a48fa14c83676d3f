//! Substreams on which both sides have agreed what is spoken.
//!
//! Tests: `tests/it`.

use std::time::{Duration, Instant};

use super::PROTOCOL;
use crate::error::Cause;
use crate::negotiation::{Dialing, proposal};
use crate::settings::Settings;
use crate::yamux::{Application, Event, Mux, StreamId};

/// Opens substreams, all at once.
pub(crate) struct Opening<'a> {
    settings: &'a Settings,
    began: Instant,
    asked: Vec<Asked>,
    missing: usize,
}

struct Asked {
    id: StreamId,
    dialing: Dialing,
    took: Option<Duration>,
}

impl<'a> Opening<'a> {
    pub(crate) fn new(mux: &mut Mux, settings: &'a Settings, count: usize) -> Result<Self, Cause> {
        let began = Instant::now();
        mux.check_room(count)?;
        let proposal = proposal(PROTOCOL);
        let mut asked = Vec::with_capacity(count);
        for _ in 0..count {
            let id = mux.open()?;
            mux.write_first(id, &proposal);
            asked.push(Asked {
                id,
                dialing: Dialing::new(PROTOCOL),
                took: None,
            });
        }
        Ok(Self {
            settings,
            began,
            asked,
            missing: count,
        })
    }

    /// The substreams, with how long each took from the first request on.
    pub(crate) fn opened(self) -> impl Iterator<Item = (StreamId, Duration)> {
        self.asked
            .into_iter()
            .filter_map(|asked| Some((asked.id, asked.took?)))
    }

    /// All that were asked for.
    pub(crate) fn ids(&self) -> impl Iterator<Item = StreamId> {
        self.asked.iter().map(|asked| asked.id)
    }

    /// They were asked for in the order of their numbers.
    fn asked(&mut self, id: StreamId) -> Option<&mut Asked> {
        let at = self
            .asked
            .binary_search_by_key(&id, |asked| asked.id)
            .ok()?;
        self.asked.get_mut(at)
    }
}

impl Application for Opening<'_> {
    fn happened(&mut self, mux: &mut Mux, event: Event<'_>) -> Result<(), Cause> {
        let began = self.began;
        match event {
            // A client serves nobody.
            Event::Opened(id) => mux.reset(id),
            Event::Data(id, mut bytes) => {
                let Some(asked) = self.asked(id) else {
                    return Ok(());
                };
                if asked.took.is_none() && asked.dialing.take(&mut bytes)? {
                    asked.took = Some(began.elapsed());
                    self.missing -= 1;
                }
                if !bytes.is_empty() {
                    return Err(Cause::Trailing);
                }
            }
            Event::Ended(id) if self.asked(id).is_some() => return Err(Cause::Ended),
            Event::Reset(id) if self.asked(id).is_some() => return Err(Cause::Reset),
            Event::Ended(_) | Event::Reset(_) => {}
        }
        Ok(())
    }

    fn fill(&mut self, _mux: &mut Mux) {}

    fn is_done(&self) -> bool {
        self.missing == 0
    }

    fn progress(&self) -> u64 {
        self.missing as u64
    }

    fn patience(&self) -> Duration {
        self.settings.open
    }
}
