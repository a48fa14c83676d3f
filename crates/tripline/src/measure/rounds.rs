//! Measures sides in rounds: in each round every side is asked for the same, in random order, and gives one value of
//! each metric. How they are asked is the source's business: blocks of executables that serve (`duet`), or whole
//! invocations (`alternating`).
//!
//! The order comes from a seed that is logged and can be given again. Rounds end when more would change nothing
//! (`gathered`); one in which the host was disturbed is dropped on all sides before anybody looks at its values.

mod alternating;
mod duet;
mod gathered;
mod host;
mod middle;
#[cfg(test)]
mod script;
mod server;

use std::time::Instant;

use tripline_model::{BenchId, Failure, FailureKind, StepName};
use tripline_read::Observed;

pub(super) use alternating::{Alternating, Turn};
pub(super) use duet::Duet;
pub(crate) use gathered::rounds_with_extension;
pub(super) use gathered::{Enough, ROUNDS_ALONE};
pub(super) use server::Executable;

use super::Given;
use super::interrupt::Interrupt;
use crate::talk::Progress;
use gathered::{Gathered, Row};

/// What gives a round.
pub(super) trait Source {
    /// Takes one round of the benchmarks that are wanted, and of those that nobody knows yet.
    fn round(
        &mut self,
        wants: &dyn Fn(&BenchId) -> bool,
        random: &mut fastrand::Rng,
    ) -> Given<Vec<Row>>;
}

/// What measuring in rounds needs beside the source.
#[derive(Debug)]
pub(super) struct Rounds<'a> {
    pub(super) step: &'a StepName,
    pub(super) sides: usize,
    pub(super) enough: Enough<'a>,
    pub(super) seed: u64,
    pub(super) progress: &'a Progress,
    pub(super) interrupt: &'a Interrupt,
}

impl Rounds<'_> {
    /// Takes rounds until there are enough, and returns what each side gave.
    pub(super) fn take(&self, source: &mut dyn Source) -> Given<Vec<Observed>> {
        let mut random = fastrand::Rng::with_seed(self.seed);
        let mut gathered = Gathered::new(self.sides);
        let began = Instant::now();
        // A host that is disturbed all the time is measured twice as long, and then no more.
        let rounds_max = 2 * rounds_with_extension(self.enough.rounds);
        for round in 0..u32::try_from(rounds_max).unwrap_or(u32::MAX) {
            if self.interrupt.is_asked() {
                return Err(self.failure(FailureKind::Interrupted).into());
            }
            let rows = source.round(&|bench| gathered.wants(bench, &self.enough), &mut random)?;
            gathered.add(round, rows);
            let (all, done) = gathered.counts(&self.enough);
            self.progress
                .round_ended(round + 1, done, all, began.elapsed());
            if !gathered.wants_any(&self.enough) {
                break;
            }
        }
        let observed = gathered.into_observed();
        if observed.iter().all(|side| side.observations.is_empty()) {
            return Err(self.failure(FailureKind::Nothing).into());
        }
        Ok(observed)
    }

    fn failure(&self, kind: FailureKind) -> Failure {
        Failure::new(self.step.clone(), kind, None, "")
    }
}
