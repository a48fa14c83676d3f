//! Asks one port after the other through an engine, and decides what the answers mean.
//!
//! A worker takes pieces of the places from a counter that all share, so none waits for another. It keeps the slots of
//! its engine busy as far as window and pace allow, asks silent ports again, and writes each verdict into the one
//! map. It knows neither sockets nor threads.
//!
//! Tests: `simulated.rs` runs whole scans over a network that is a function, by a clock that is a number.

use std::collections::{BTreeSet, VecDeque};
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::Error;
use crate::clock::{Clock, Time};
use crate::engine::{Answer, Engine};
use crate::feed::Feed;
use crate::pacer::Pacer;
use crate::plan::Plan;
use crate::timing::Timing;
use crate::verdicts::Verdicts;

mod answers;
mod counters;
#[cfg(test)]
mod simulated;
mod window;

pub use counters::Counters;
use window::Window;

/// How many places a worker takes at a time: whole words of the map.
const PIECE: u64 = 64;
/// How many verdicts may pass before others learn of them.
const TELL_EVERY: u64 = 1_024;
/// How often somebody who waits looks whether to stop.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// How long nothing is begun after this machine was short of something, by its own clock.
const SHORT_PAUSE: Duration = Duration::from_millis(1);
/// How often that may happen to one probe before it is an error.
const SHORT_MAX: u32 = 10_000;
/// How often there may be nothing to ask a target from that never answered, before it counts as one out of reach.
const SOURCE_TRIES: u32 = 16;

/// What the workers of a leg share.
pub(crate) struct Shared<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) timing: Timing,
    pub(crate) clock: Clock,
    pub(crate) verdicts: &'a Verdicts,
    /// The first place that nobody has taken, and the end of all.
    pub(crate) next: AtomicU64,
    pub(crate) end: u64,
    /// How many workers there are, and how many probes all of them may have out.
    pub(crate) workers: u32,
    pub(crate) probes: u32,
    /// Says stop from outside, and from another worker that cannot go on.
    pub(crate) stop: &'a AtomicBool,
    pub(crate) halt: &'a AtomicBool,
    pub(crate) done: &'a AtomicU64,
    pub(crate) open: &'a AtomicU64,
}

#[derive(Clone, Copy, Debug)]
struct Probe {
    place: u64,
    to: SocketAddr,
    /// How many went before.
    retry: u8,
    /// How often this machine was short of something for it.
    short: u32,
}

/// One of the threads of a scan.
pub(crate) struct Worker<'a, E> {
    shared: &'a Shared<'a>,
    engine: E,
    feed: Feed,
    window: Window,
    pacer: Pacer,
    piece: std::ops::Range<u64>,
    again: VecDeque<Probe>,
    slots: Vec<Option<(Probe, u64)>>,
    free: Vec<usize>,
    /// Probes in the order in which they go out of time, by the number they went as. Those that were answered stay in it.
    deadlines: VecDeque<(Time, usize, u64)>,
    answers: Vec<(usize, Answer)>,
    fresh: usize,
    in_flight: usize,
    /// Until when nothing is begun.
    pause: Time,
    /// Targets that there is nothing to ask from.
    unreachable: BTreeSet<IpAddr>,
    verdicts: u64,
    open: u64,
    counters: Counters,
}

impl<'a, E: Engine> Worker<'a, E> {
    /// A worker with up to `most` probes out at a time, which goes on at the pace of whoever asked before it.
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        engine: E,
        (feed, pacer): (Feed, Pacer),
        most: usize,
    ) -> Self {
        let places = shared.end - shared.next.load(Ordering::Relaxed).min(shared.end);
        Self {
            window: Window::new(most, places / u64::from(shared.workers)),
            pacer,
            shared,
            engine,
            feed,
            piece: 0..0,
            again: VecDeque::new(),
            slots: Vec::new(),
            free: Vec::new(),
            deadlines: VecDeque::new(),
            answers: Vec::new(),
            fresh: 0,
            in_flight: 0,
            pause: Time::default(),
            unreachable: BTreeSet::new(),
            verdicts: 0,
            open: 0,
            counters: Counters::default(),
        }
    }

    /// Asks until nothing is left, or somebody says stop.
    pub(crate) fn run(mut self) -> (Counters, Pacer, Result<(), Error>) {
        let result = self.ask();
        self.tell();
        self.feed.flush();
        self.counters.calls += self.engine.calls();
        (self.counters, self.pacer, result)
    }

    fn ask(&mut self) -> Result<(), Error> {
        loop {
            let due = self.fill()?;
            self.tell();
            if self.stopped() || (self.in_flight == 0 && due.is_none()) {
                return Ok(());
            }
            // Some are out since before the last wait: answers take their time.
            if self.free.is_empty() && self.in_flight > self.fresh {
                self.window.full();
            }
            let span = self.span(due);
            self.take(span)?;
            self.expire()?;
        }
    }

    /// Waits for answers, and takes them.
    fn take(&mut self, span: Duration) -> Result<(), Error> {
        let mut answers = std::mem::take(&mut self.answers);
        let waited = self.engine.wait(self.fresh, span, &mut answers);
        self.fresh = self.fresh.saturating_sub(answers.len());
        for (slot, answer) in answers.drain(..) {
            self.answered(slot, answer)?;
        }
        self.answers = answers;
        // What came before a refusal has its verdict.
        waited.map_err(Error::Refused)
    }

    /// Starts probes as far as it may; returns when the next may go, if there is one that only has to wait for that.
    fn fill(&mut self) -> Result<Option<Time>, Error> {
        let clock = &self.shared.clock;
        let mut now = clock.now();
        // Where answers come at once all of the scan is one round of this: others want to hear of it on the way.
        let until = now + clock.seemingly(LOOK_EVERY);
        self.fresh = 0;
        while self.in_flight < self.window.size() && !self.stopped() {
            if !self.pacer.is_idle() {
                now = clock.now();
            }
            let due = self.pacer.due().max(self.pause);
            if now < due || now >= until {
                return Ok(self.has_more().then_some(due.max(now)));
            }
            let Some(slot) = self.slot()? else { break };
            let Some(probe) = self.probe() else {
                self.free.push(slot);
                break;
            };
            if self.start(slot, probe, now)? {
                now = clock.now();
            }
        }
        Ok(None)
    }

    /// Starts a probe; tells whether it was answered at once.
    fn start(&mut self, slot: usize, probe: Probe, now: Time) -> Result<bool, Error> {
        if !self.pacer.is_idle() {
            self.pacer.goes(now);
        }
        self.counters.probes += 1;
        self.counters.retries += u64::from(probe.retry > 0);
        let number = self.counters.probes;
        self.slots[slot] = Some((probe, number));
        self.in_flight += 1;
        let most = self.counters.in_flight_max.max(self.in_flight as u64);
        self.counters.in_flight_max = most;
        let answer = self.engine.start(slot, probe.to).map_err(Error::Refused)?;
        match answer {
            Some(answer) => self.answered(slot, answer)?,
            None => {
                self.fresh += 1;
                let until = now + self.shared.timing.timeout;
                self.deadlines.push_back((until, slot, number));
            }
        }
        Ok(answer.is_some())
    }

    /// An idle slot; a new one where the window has grown and nothing is out.
    fn slot(&mut self) -> Result<Option<usize>, Error> {
        if self.free.is_empty() && self.slots.len() < self.window.size() {
            let have = self
                .engine
                .grow(self.window.size())
                .map_err(Error::Refused)?;
            if have < self.window.size() {
                self.window.limit(have);
            }
            self.free.extend((self.slots.len()..have).rev());
            self.slots.resize(have.max(self.slots.len()), None);
        }
        Ok(self.free.pop())
    }

    fn has_more(&mut self) -> bool {
        !self.again.is_empty() || self.refill()
    }

    fn refill(&mut self) -> bool {
        if self.piece.is_empty() {
            let begin = self.shared.next.fetch_add(PIECE, Ordering::Relaxed);
            self.piece = begin..(begin + PIECE).min(self.shared.end);
        }
        !self.piece.is_empty()
    }

    fn probe(&mut self) -> Option<Probe> {
        if let Some(probe) = self.again.pop_front() {
            return Some(probe);
        }
        if !self.refill() {
            return None;
        }
        let place = self.piece.next()?;
        Some(Probe {
            place,
            to: self.shared.plan.address(place),
            retry: 0,
            short: 0,
        })
    }

    /// How long to wait, by the machine's clock.
    fn span(&self, due: Option<Time>) -> Duration {
        let clock = &self.shared.clock;
        let deadline = self.deadlines.front().map(|(until, ..)| *until);
        let Some(next) = deadline.into_iter().chain(due).min() else {
            return LOOK_EVERY;
        };
        clock.really(next.since(clock.now())).min(LOOK_EVERY)
    }

    fn stopped(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed) || self.shared.halt.load(Ordering::Relaxed)
    }

    /// Lets others know how far it is, and hands over what it found if that is due.
    fn tell(&mut self) {
        self.shared
            .done
            .fetch_add(std::mem::take(&mut self.verdicts), Ordering::Relaxed);
        let open = std::mem::take(&mut self.open);
        if open > 0 {
            self.shared.open.fetch_add(open, Ordering::Relaxed);
        }
        self.feed.offer();
    }
}
