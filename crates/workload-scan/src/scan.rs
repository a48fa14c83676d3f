//! A scan from beginning to end: threads, what they share, and what came of it.
//!
//! Tests: `tests/it`.

use std::io;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::clock::Clock;
use crate::engine::blocking::Blocking;
use crate::engine::epoll::Epoll;
use crate::engine::ring::Ring;
use crate::engine::syn::Syn;
use crate::engine::{Engine, EngineChoice};
use crate::feed::{self, Feed};
use crate::pacer::Pacer;
use crate::plan::{Leg, Plan};
use crate::report::Report;
use crate::store::Store;
use crate::verdicts::Verdicts;
use crate::worker::{Counters, Shared, Worker};
use crate::{Error, PortSet, Targets, Timing, limits};

/// Below so many probes for each, another thread costs more than it gives.
const PROBES_A_THREAD: u32 = 64;
const PLACES_A_THREAD: u64 = 256;
/// How often somebody who watches is told.
const PROGRESS_EVERY: Duration = Duration::from_millis(250);

/// What a scan keeps to, beside whom it asks.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How hard it presses.
    pub timing: Timing,
    /// How it asks.
    pub engine: EngineChoice,
    /// How many threads; as many as there are processors, and as pay, unless it is said.
    pub threads: Option<NonZero<u32>>,
    /// How many times as fast as the machine's its clock runs: delays and timeouts are over so much sooner.
    pub clock_speed: u32,
    /// Says stop from outside: what was found until then is reported, and stored, as partial.
    pub stop: Arc<AtomicBool>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            timing: Timing::default(),
            engine: EngineChoice::default(),
            threads: None,
            clock_speed: 1,
            stop: Arc::default(),
        }
    }
}

/// How far a scan is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How many ports have a verdict.
    pub done: u64,
    /// How many ports there are, over all targets.
    pub total: u64,
    /// How many are open.
    pub open: u64,
    /// How long it has taken.
    pub elapsed: Duration,
}

/// A scan that can be run.
#[derive(Debug)]
pub struct Scan {
    plan: Plan,
    settings: Settings,
    store: Option<Store>,
}

impl Scan {
    /// A scan of ports of targets.
    pub fn new(targets: Targets, ports: PortSet, settings: Settings) -> Result<Self, Error> {
        Ok(Self {
            plan: Plan::new(targets, ports)?,
            settings,
            store: None,
        })
    }

    /// Stores what is found while it is found.
    pub fn store(mut self, store: Store) -> Self {
        self.store = Some(store);
        self
    }

    /// Runs it. An error means that it did not begin; what went wrong later is in the report, with what was found.
    pub fn run(self) -> Result<Report, Error> {
        self.run_watched(None)
    }

    /// Runs it, and tells how far it is a few times a second. To watch costs a few additions each time.
    pub fn watch(self, mut watcher: impl FnMut(Progress)) -> Result<Report, Error> {
        self.run_watched(Some(&mut watcher))
    }

    fn run_watched(mut self, watcher: Option<&mut dyn FnMut(Progress)>) -> Result<Report, Error> {
        let legs = self.plan.legs();
        try_out(self.settings.engine, &legs)?;
        let verdicts = Verdicts::new(self.plan.count());
        let store = self.store.take();
        let began = Instant::now();
        let recorder = store.map(|store| store.begin(&self.plan)).transpose()?;
        let (work, stored) = thread::scope(|scope| {
            let (feed, recorder) = match recorder {
                Some(recorder) => {
                    let (feed, receiver) = feed::channel();
                    let plan = &self.plan;
                    let total = self.plan.count();
                    let recorder = scope.spawn(move || recorder.record(plan, total, &receiver));
                    (feed, Some(recorder))
                }
                None => (Feed::none(), None),
            };
            let work = self.ask(&legs, &verdicts, feed, watcher, began);
            // Every end of the feed is dropped by now, so the recorder comes to its own.
            let stored = recorder.map(|recorder| recorder.join().unwrap_or(Err(Error::Panicked)));
            (work, stored.unwrap_or(Ok(())))
        });
        Ok(Report {
            plan: self.plan,
            verdicts,
            counters: work.counters,
            paced: work.pacer.paced(),
            engine: work.engine.unwrap_or(self.settings.engine),
            fallback: work.fallback,
            threads: work.threads,
            elapsed: began.elapsed(),
            problem: work.problem,
            store_problem: stored.err(),
        })
    }

    fn ask(
        &self,
        legs: &[Leg],
        verdicts: &Verdicts,
        feed: Feed,
        mut watcher: Option<&mut dyn FnMut(Progress)>,
        began: Instant,
    ) -> Work {
        let (done, open) = (AtomicU64::new(0), AtomicU64::new(0));
        let mut tell = || {
            if let Some(watcher) = &mut watcher {
                watcher(Progress {
                    done: done.load(Ordering::Relaxed),
                    total: verdicts.count(),
                    open: open.load(Ordering::Relaxed),
                    elapsed: began.elapsed(),
                });
            }
        };
        // A scan of its own may fail; whoever says stop to it must not be told it by us.
        let halt = AtomicBool::new(false);
        // One pace and one clock for all legs: who comes to the next has not paused yet.
        let clock = Clock::start(self.settings.clock_speed);
        let mut work = Work::new(Pacer::new(&self.settings.timing));
        let probes = self.settings.timing.parallelism.min(limits::probes_max());
        for leg in legs {
            let workers = self.workers(leg, probes);
            let shared = Shared {
                plan: &self.plan,
                timing: self.settings.timing,
                clock: clock.clone(),
                probes,
                verdicts,
                next: AtomicU64::new(leg.places.start),
                end: leg.places.end,
                workers,
                stop: &self.settings.stop,
                halt: &halt,
                done: &done,
                open: &open,
            };
            self.run_leg(leg, &shared, &feed, &mut work, &mut tell);
            if work.problem.is_some() {
                break;
            }
        }
        tell();
        work
    }

    fn run_leg(
        &self,
        leg: &Leg,
        shared: &Shared<'_>,
        feed: &Feed,
        work: &mut Work,
        tell: &mut dyn FnMut(),
    ) {
        let most = (shared.probes / shared.workers).max(1) as usize;
        work.threads = work.threads.max(shared.workers);
        let engine = self.settings.engine;
        let (sender, receiver) = channel();
        let (mut began, mut refused) = (false, None);
        thread::scope(|scope| {
            for worker in 0..shared.workers {
                let (feed, pacer, sender) = (feed.clone(), work.pacer.clone(), sender.clone());
                scope.spawn(move || {
                    let done = run_one(engine, leg, worker, shared, (feed, pacer), most);
                    // The receiver waits for every worker.
                    let _ = sender.send(done);
                });
            }
            drop(sender);
            let _guard = HaltsOnPanic(shared.halt);
            loop {
                match receiver.recv_timeout(PROGRESS_EVERY) {
                    Ok(Err(error)) => refused = Some(error),
                    Ok(Ok(done)) => {
                        began = true;
                        work.add(done);
                    }
                    Err(RecvTimeoutError::Timeout) => tell(),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        });
        // What one could not begin, the others have done.
        if !began {
            work.problem = refused;
        }
    }

    /// How many threads ask a leg.
    fn workers(&self, leg: &Leg, probes: u32) -> u32 {
        let timing = &self.settings.timing;
        if !timing.delay.is_zero() {
            // A pace is one thread's.
            return 1;
        }
        let places = (leg.places.end - leg.places.start).div_ceil(PLACES_A_THREAD);
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        let pay = match self.settings.engine {
            EngineChoice::Blocking => timing.parallelism,
            _ => timing.parallelism.div_ceil(PROBES_A_THREAD),
        };
        let wanted = self.settings.threads.map_or(
            u32::try_from(processors).unwrap_or(u32::MAX).min(pay),
            NonZero::get,
        );
        let useful = u32::try_from(places).unwrap_or(u32::MAX);
        wanted.min(useful).min(probes).max(1)
    }
}

/// Ends the scan when whoever watches it panics: its threads would be waited for before anybody learns of that.
struct HaltsOnPanic<'a>(&'a AtomicBool);

impl Drop for HaltsOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// What all workers came to.
#[derive(Debug)]
struct Work {
    counters: Counters,
    pacer: Pacer,
    threads: u32,
    engine: Option<EngineChoice>,
    fallback: Option<io::Error>,
    problem: Option<Error>,
}

impl Work {
    fn new(pacer: Pacer) -> Self {
        Self {
            counters: Counters::default(),
            pacer,
            threads: 0,
            engine: None,
            fallback: None,
            problem: None,
        }
    }

    fn add(&mut self, done: Done) {
        self.counters.add(&done.counters);
        // Where there is a pace, there is one worker.
        self.pacer = done.pacer;
        self.engine = self.engine.or(Some(done.engine));
        self.fallback = self.fallback.take().or(done.fallback);
        self.problem = self.problem.take().or(done.result.err());
    }
}

/// What one worker came to.
struct Done {
    engine: EngineChoice,
    fallback: Option<io::Error>,
    counters: Counters,
    pacer: Pacer,
    result: Result<(), Error>,
}

/// Finds out before the scan begins whether an engine that was asked for works at all.
fn try_out(engine: EngineChoice, legs: &[Leg]) -> Result<(), Error> {
    for leg in legs {
        let (tried, advice) = match engine {
            EngineChoice::Ring => (
                Ring::open(leg.source, 1)
                    .and_then(|mut ring| ring.grow(1))
                    .map(drop),
                "take `auto`, which uses it where the kernel is 6.11 or newer and no sandbox refuses it",
            ),
            EngineChoice::Syn => (
                Syn::open(leg.source, 1).map(drop),
                "it needs IPv4 and the permission for raw sockets (root, or CAP_NET_RAW); `auto` needs neither",
            ),
            EngineChoice::Auto | EngineChoice::Epoll | EngineChoice::Blocking => return Ok(()),
        };
        tried.map_err(|source| Error::Engine {
            engine: engine.name(),
            advice,
            source,
        })?;
    }
    Ok(())
}

/// What a worker's thread does; an error where it could not begin.
fn run_one(
    choice: EngineChoice,
    leg: &Leg,
    worker: u32,
    shared: &Shared<'_>,
    rest: (Feed, Pacer),
    most: usize,
) -> Result<Done, Error> {
    let source = leg.source;
    match choice {
        EngineChoice::Auto => match Ring::open(source, most) {
            Ok(ring) => work(EngineChoice::Ring, Ok(ring), shared, rest, most),
            Err(refused) => Ok(Done {
                fallback: Some(refused),
                ..work(EngineChoice::Epoll, Epoll::open(source), shared, rest, most)?
            }),
        },
        EngineChoice::Ring => work(choice, Ring::open(source, most), shared, rest, most),
        EngineChoice::Epoll => work(choice, Epoll::open(source), shared, rest, most),
        EngineChoice::Blocking => {
            let patience = shared.clock.really(shared.timing.timeout);
            work(choice, Blocking::open(source, patience), shared, rest, most)
        }
        EngineChoice::Syn => {
            // A raw socket gets a copy of whatever comes to its address, so no two share one.
            let source = shared.plan.own_source(leg, worker);
            work(choice, Syn::open(source, most), shared, rest, most)
        }
    }
}

fn work(
    engine: EngineChoice,
    opened: io::Result<impl Engine>,
    shared: &Shared<'_>,
    rest: (Feed, Pacer),
    most: usize,
) -> Result<Done, Error> {
    let opened = opened.map_err(Error::Refused)?;
    let (counters, pacer, result) = Worker::new(shared, opened, rest, most).run();
    let result = match result {
        // It has taken nothing that is missing now: a machine may have room for some threads, and not for all.
        Err(error) if counters.probes == 0 => return Err(error),
        result => result,
    };
    if result.is_err() {
        // The others would go on for nothing: what was found is partial already.
        shared.halt.store(true, Ordering::Relaxed);
    }
    Ok(Done {
        engine,
        fallback: None,
        counters,
        pacer,
        result,
    })
}
