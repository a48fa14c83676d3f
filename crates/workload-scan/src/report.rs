//! What a scan came to, as a value, for people and for programs.
//!
//! Tests: here for the two texts.

use std::fmt::Write as _;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use serde::Serialize;

use crate::Error;
use crate::engine::EngineChoice;
use crate::pacer::Paced;
use crate::plan::Plan;
use crate::verdicts::{Verdict, Verdicts};
use crate::worker::Counters;

/// What a scan came to.
#[derive(Debug)]
pub struct Report {
    pub(crate) plan: Plan,
    pub(crate) verdicts: Verdicts,
    pub(crate) counters: Counters,
    pub(crate) paced: Paced,
    pub(crate) engine: EngineChoice,
    pub(crate) fallback: Option<io::Error>,
    pub(crate) threads: u32,
    pub(crate) elapsed: Duration,
    pub(crate) problem: Option<Error>,
    pub(crate) store_problem: Option<Error>,
}

impl Report {
    /// What went wrong after it had begun. What was found is here all the same.
    pub fn problem(&self) -> Option<&Error> {
        self.problem.as_ref()
    }

    /// Why the store, if there is one, lacks some or all of what is here.
    pub fn store_problem(&self) -> Option<&Error> {
        self.store_problem.as_ref()
    }

    /// Tells whether every port of every target has a verdict.
    pub fn is_complete(&self) -> bool {
        self.missing() == 0
    }

    /// How many ports there are, over all targets.
    pub fn total(&self) -> u64 {
        self.verdicts.count()
    }

    /// How many of them have this verdict.
    pub fn count(&self, verdict: Verdict) -> u64 {
        self.all()
            .filter(|(_, found)| *found == Some(verdict))
            .count() as u64
    }

    /// How many of them have none.
    pub fn missing(&self) -> u64 {
        self.all().filter(|(_, found)| found.is_none()).count() as u64
    }

    /// All ports of all targets in order, with what is known of them.
    pub fn all(&self) -> impl Iterator<Item = (SocketAddr, Option<Verdict>)> + '_ {
        let hosts = self.plan.targets.addresses().iter();
        let asked = hosts.flat_map(|host| {
            self.plan
                .ports
                .iter()
                .map(move |port| SocketAddr::new(*host, port))
        });
        asked
            .zip(0..)
            .map(|(asked, place)| (asked, self.verdicts.get(place)))
    }

    /// Where somebody listens.
    pub fn open(&self) -> Vec<SocketAddr> {
        let open = self
            .all()
            .filter(|(_, found)| *found == Some(Verdict::Open));
        open.map(|(address, _)| address).collect()
    }

    /// What was done for it.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// How the pace was kept.
    pub fn paced(&self) -> &Paced {
        &self.paced
    }

    /// Which engine asked.
    pub fn engine(&self) -> EngineChoice {
        self.engine
    }

    /// Why that is not the first choice.
    pub fn fallback(&self) -> Option<&io::Error> {
        self.fallback.as_ref()
    }

    /// How many threads asked.
    pub fn threads(&self) -> u32 {
        self.threads
    }

    /// How long it took.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// A report for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (address, _) in self
            .all()
            .filter(|(_, found)| *found == Some(Verdict::Open))
        {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{address} open");
        }
        let [open, closed, filtered] = Verdict::ALL.map(|verdict| self.count(verdict));
        let all = self.total();
        let _ = writeln!(
            text,
            "{}: {open} open, {closed} closed, {filtered} filtered of {all} ports in {:.3} s ({}, {} threads)",
            if self.is_complete() {
                "complete"
            } else {
                "partial"
            },
            self.elapsed.as_secs_f64(),
            self.engine.name(),
            self.threads,
        );
        if !self.is_complete() {
            let _ = writeln!(text, "{} ports have no verdict", self.missing());
        }
        text
    }

    /// A report for programs: a JSON document in one line.
    pub fn json(&self) -> String {
        let document = Document {
            version: 1,
            complete: self.is_complete(),
            targets: self.plan.targets.to_string(),
            ports: self.plan.ports.to_string(),
            units: self.total(),
            missing: self.missing(),
            hosts: self.hosts(),
            engine: self.engine.name(),
            fallback: self.fallback.as_ref().map(ToString::to_string),
            threads: self.threads,
            elapsed_ns: nanos(self.elapsed),
            counters: CountersText {
                probes: self.counters.probes,
                retries: self.counters.retries,
                self_connections: self.counters.self_connections,
                not_asked: self.counters.not_asked,
                engine_calls: self.counters.calls,
                in_flight_max: self.counters.in_flight_max,
            },
            pace: PaceText {
                intervals: self.paced.intervals,
                span_ns: nanos(self.paced.span),
                missed: self.paced.missed,
            },
            problem: self.problem.as_ref().map(chain),
            store_problem: self.store_problem.as_ref().map(chain),
        };
        // Numbers and texts always are a document.
        let mut text = serde_json::to_string(&document).unwrap_or_default();
        text.push('\n');
        text
    }

    fn hosts(&self) -> Vec<Host> {
        let mut hosts: Vec<Host> = Vec::new();
        for (address, verdict) in self.all() {
            if hosts.last().is_none_or(|host| host.address != address.ip()) {
                hosts.push(Host::new(address.ip()));
            }
            let Some(host) = hosts.last_mut() else {
                continue;
            };
            match verdict {
                Some(Verdict::Open) => host.open.push(address.port()),
                Some(Verdict::Closed) => host.closed += 1,
                Some(Verdict::Filtered) => host.filtered += 1,
                None => host.missing += 1,
            }
        }
        hosts
    }
}

/// An error with its causes, in one line.
pub(crate) fn chain(error: &Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        let _ = write!(text, ": {cause}");
        source = cause.source();
    }
    text
}

fn nanos(span: Duration) -> u64 {
    u64::try_from(span.as_nanos()).unwrap_or(u64::MAX)
}

/// What programs read. A field is added with the same version, and changed with another.
#[derive(Serialize)]
struct Document {
    version: u32,
    complete: bool,
    targets: String,
    ports: String,
    /// How many ports over all targets: what costs are divided by.
    units: u64,
    missing: u64,
    hosts: Vec<Host>,
    engine: &'static str,
    fallback: Option<String>,
    threads: u32,
    elapsed_ns: u64,
    counters: CountersText,
    pace: PaceText,
    problem: Option<String>,
    store_problem: Option<String>,
}

#[derive(Serialize)]
struct Host {
    address: IpAddr,
    open: Vec<u16>,
    closed: u64,
    filtered: u64,
    missing: u64,
}

impl Host {
    fn new(address: IpAddr) -> Self {
        Self {
            address,
            open: Vec::new(),
            closed: 0,
            filtered: 0,
            missing: 0,
        }
    }
}

#[derive(Serialize)]
struct CountersText {
    probes: u64,
    retries: u64,
    self_connections: u64,
    not_asked: u64,
    engine_calls: u64,
    in_flight_max: u64,
}

#[derive(Serialize)]
struct PaceText {
    intervals: u64,
    span_ns: u64,
    missed: u64,
}
