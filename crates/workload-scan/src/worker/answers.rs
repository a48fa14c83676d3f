//! What answers mean to a worker: a verdict, another probe, or a pause; and what it does about those that do not come.
//!
//! Tests: through `simulated.rs`.

use std::time::Duration;

use super::{Probe, SHORT_MAX, SHORT_PAUSE, SOURCE_TRIES, TELL_EVERY, Worker};
use crate::Error;
use crate::clock::Time;
use crate::engine::{Answer, Engine};
use crate::verdicts::Verdict;

impl<E: Engine> Worker<'_, E> {
    pub(super) fn answered(&mut self, slot: usize, answer: Answer) -> Result<(), Error> {
        let taken = self.slots[slot].take();
        let (mut probe, _) = taken.expect("an answer is for a probe that is out");
        self.free.push(slot);
        self.in_flight -= 1;
        match answer {
            Answer::Open => self.verdict(probe, Verdict::Open),
            Answer::Closed => self.verdict(probe, Verdict::Closed),
            Answer::Unreachable => self.verdict(probe, Verdict::Filtered),
            Answer::Silence if probe.retry >= self.shared.timing.retries => {
                self.give(probe, Verdict::Filtered);
            }
            Answer::Silence => {
                probe.retry += 1;
                self.again.push_back(probe);
            }
            Answer::Itself => {
                self.counters.self_connections += 1;
                self.again.push_back(probe);
            }
            Answer::NotAsked => return self.not_asked(probe),
            Answer::NoSource if self.is_unreachable(&probe) => {
                self.give(probe, Verdict::Filtered);
            }
            Answer::NoSource => return self.not_asked(probe),
        }
        Ok(())
    }

    /// A probe was answered: the port has its verdict, and the network said something about itself.
    fn verdict(&mut self, probe: Probe, verdict: Verdict) {
        if probe.retry > 0 {
            self.window.lost();
        }
        self.window.answered();
        self.give(probe, verdict);
    }

    fn give(&mut self, probe: Probe, verdict: Verdict) {
        self.shared.verdicts.give(probe.place, verdict);
        self.feed.take(probe.place, verdict);
        self.verdicts += 1;
        self.open += u64::from(verdict == Verdict::Open);
        // Where answers come at once there is no wait between them to do it in.
        if self.verdicts >= TELL_EVERY {
            self.tell();
        }
    }

    /// Tells whether it is for good that a probe has no source: a machine that is out of ports gets some back, and has heard
    /// from the target before.
    fn is_unreachable(&mut self, probe: &Probe) -> bool {
        let target = probe.to.ip();
        if self.unreachable.contains(&target) {
            return true;
        }
        if probe.short == 0 || !probe.short.is_multiple_of(SOURCE_TRIES) {
            return false;
        }
        let places = self.shared.plan.neighbours(probe.place);
        let is_new = !self.shared.verdicts.any_answer(places);
        if is_new {
            self.unreachable.insert(target);
        }
        is_new
    }

    /// A probe that did not go: another time, and not at once.
    fn not_asked(&mut self, mut probe: Probe) -> Result<(), Error> {
        self.counters.not_asked += 1;
        probe.short += 1;
        if probe.short > SHORT_MAX {
            return Err(Error::Short(SHORT_MAX));
        }
        let clock = &self.shared.clock;
        self.pause = clock.now() + clock.seemingly(SHORT_PAUSE);
        self.window.lost();
        self.again.push_back(probe);
        Ok(())
    }

    /// Gives up probes that are out of time.
    pub(super) fn expire(&mut self) -> Result<(), Error> {
        let now = self.shared.clock.now();
        if !self.is_late(now) {
            return Ok(());
        }
        // If this thread did not run for a while, they may have been answered in time.
        self.take(Duration::ZERO)?;
        while self.is_late(now)
            && let Some((_, slot, _)) = self.deadlines.pop_front()
        {
            if let Some(answer) = self.engine.give_up(slot).map_err(Error::Refused)? {
                self.answered(slot, answer)?;
            }
        }
        Ok(())
    }

    /// Tells whether the first probe that is still out is out of time.
    fn is_late(&mut self, now: Time) -> bool {
        while let Some((until, slot, number)) = self.deadlines.front().copied() {
            if self.slots[slot].is_some_and(|(_, out)| out == number) {
                return until <= now;
            }
            self.deadlines.pop_front();
        }
        false
    }
}
