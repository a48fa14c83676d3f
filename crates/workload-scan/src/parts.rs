//! What a scan costs beside its packets: the worker that asks and decides, over a network that refuses at once, and the map
//! of verdicts. There is no socket in it, so all of it can be counted, and is the same in every run.
//!
//! Tests: every port has the verdict that it is due.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use crate::clock::Clock;
use crate::engine::{Answer, Engine};
use crate::feed::Feed;
use crate::pacer::Pacer;
use crate::plan::Plan;
use crate::verdicts::Verdicts;
use crate::worker::{Shared, Worker};
use crate::{Error, PortSet, Template, Timing, Verdict};

/// So long that nothing is ever out of time, however slowly instructions are counted.
const PATIENCE: Duration = Duration::from_secs(3_600);

/// A map of verdicts.
pub struct Map(Verdicts);

impl Map {
    /// Nothing is known of so many ports.
    pub fn new(ports: u64) -> Self {
        Self(Verdicts::new(ports))
    }

    /// Gives a verdict on each: one of the three, in turn.
    pub fn fill(&self) {
        for (place, verdict) in (0..self.0.count()).zip(Verdict::ALL.into_iter().cycle()) {
            self.0.give(place, verdict);
        }
    }

    /// How many are open.
    pub fn open(&self) -> u64 {
        let all = (0..self.0.count()).map(|place| self.0.get(place));
        all.filter(|found| *found == Some(Verdict::Open)).count() as u64
    }
}

/// One thread's scan of a host whose ports all refuse.
pub struct Refused {
    plan: Plan,
    verdicts: Verdicts,
    timing: Timing,
}

impl Refused {
    /// Nobody has been asked yet.
    pub fn new(ports: PortSet) -> Result<Self, Error> {
        let plan = Plan::new(IpAddr::from(Ipv4Addr::LOCALHOST).into(), ports)?;
        Ok(Self {
            verdicts: Verdicts::new(plan.count()),
            timing: Timing {
                timeout: PATIENCE,
                ..Template::Normal.timing()
            },
            plan,
        })
    }

    /// Asks all, and returns how many probes that took.
    pub fn ask(&self) -> Result<u64, Error> {
        let (stop, halt) = (AtomicBool::new(false), AtomicBool::new(false));
        let (done, open) = (AtomicU64::new(0), AtomicU64::new(0));
        let shared = Shared {
            plan: &self.plan,
            timing: self.timing,
            clock: Clock::start(1),
            verdicts: &self.verdicts,
            next: AtomicU64::new(0),
            end: self.plan.count(),
            workers: 1,
            probes: self.timing.parallelism,
            stop: &stop,
            halt: &halt,
            done: &done,
            open: &open,
        };
        let most = usize::try_from(self.timing.parallelism).unwrap_or(usize::MAX);
        let rest = (Feed::none(), Pacer::new(&self.timing));
        let (counters, _, result) = Worker::new(&shared, Refusing::default(), rest, most).run();
        result.map(|()| counters.probes)
    }

    /// How many ports are closed.
    pub fn closed(&self) -> u64 {
        let all = (0..self.plan.count()).map(|place| self.verdicts.get(place));
        all.filter(|found| *found == Some(Verdict::Closed)).count() as u64
    }
}

/// Answers at the next look whatever was asked before it, as a ring does on a loopback.
#[derive(Default)]
struct Refusing {
    asked: Vec<usize>,
}

impl Engine for Refusing {
    fn grow(&mut self, wanted: usize) -> io::Result<usize> {
        self.asked.reserve(wanted);
        Ok(wanted)
    }

    fn start(&mut self, slot: usize, _to: SocketAddr) -> io::Result<Option<Answer>> {
        self.asked.push(slot);
        Ok(None)
    }

    fn give_up(&mut self, _slot: usize) -> io::Result<Option<Answer>> {
        Ok(Some(Answer::Silence))
    }

    fn wait(
        &mut self,
        _wanted: usize,
        _span: Duration,
        answers: &mut Vec<(usize, Answer)>,
    ) -> io::Result<()> {
        answers.extend(self.asked.drain(..).map(|slot| (slot, Answer::Closed)));
        Ok(())
    }

    fn calls(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_port_has_the_verdict_that_it_is_due() {
        let scan = Refused::new(PortSet::all()).unwrap();
        assert_eq!(scan.closed(), 0);
        assert_eq!(scan.ask().unwrap(), 65_535);
        assert_eq!(scan.closed(), 65_535);
        let map = Map::new(1_000);
        assert_eq!(map.open(), 0);
        map.fill();
        assert_eq!(map.open(), 334);
    }
}
