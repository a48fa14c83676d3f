//! Whole invocations that alternate: for any command, and for harnesses whose benches cannot be asked for blocks.
//!
//! A round is one invocation of each side, in random order; the value of a round is the median of what the invocation
//! measured. The first round is thrown away: whoever comes first reads its files from disk.
//!
//! Tested by `tests/it/session`, with scripts.

use std::collections::BTreeSet;
use std::time::Instant;

use tripline_model::{BenchId, Failure, FailureKind, Nature, StepName};
use tripline_read::{Observation, Observed};

use super::Source;
use super::gathered::{Row, Taken, Value};
use super::host::Snapshot;
use crate::measure::{Given, said_of};

/// One side of a step that is run whole.
pub(in crate::measure) struct Turn<'a> {
    /// What its failures say of where they happened.
    pub(in crate::measure) whose: Option<&'static str>,
    /// Runs it once, and reads what it wrote.
    pub(in crate::measure) run: Box<dyn FnMut() -> Given<Observed> + 'a>,
}

/// The sides of a step that is run whole.
pub(in crate::measure) struct Alternating<'a> {
    step: &'a StepName,
    sides: Vec<Turn<'a>>,
    /// What each side measures, once it was run.
    benches: Vec<BTreeSet<BenchId>>,
}

impl<'a> Alternating<'a> {
    pub(in crate::measure) fn new(step: &'a StepName, sides: Vec<Turn<'a>>) -> Self {
        Self {
            step,
            sides,
            benches: Vec::new(),
        }
    }

    /// Runs each side once, in random order.
    fn invoke(&mut self, random: &mut fastrand::Rng) -> Given<Vec<Observed>> {
        let mut order: Vec<usize> = (0..self.sides.len()).collect();
        random.shuffle(&mut order);
        let mut observed: Vec<Observed> = self.sides.iter().map(|_| Observed::default()).collect();
        for side in order {
            let Turn { whose, run } = &mut self.sides[side];
            observed[side] = run().map_err(|stop| stop.said_of(*whose))?;
        }
        Ok(observed)
    }

    /// Refuses a side that measures one thing now and another thing then: of such rounds no pairs can be made.
    fn check(&self, observed: &[Observed]) -> Result<(), Failure> {
        for ((side, first), now) in self.sides.iter().zip(&self.benches).zip(observed) {
            let now = benches_of(now);
            if let Some(odd) = first.symmetric_difference(&now).next() {
                let detail = format!("it measured `{odd}` in one of its runs and not in another");
                let step = self.step.clone();
                let failure = Failure::new(step, FailureKind::Output, Some(detail), "");
                return Err(said_of(failure, side.whose));
            }
        }
        Ok(())
    }
}

fn benches_of(observed: &Observed) -> BTreeSet<BenchId> {
    let observations = observed.observations.iter();
    observations.map(|one| one.bench.clone()).collect()
}

impl Source for Alternating<'_> {
    fn round(
        &mut self,
        wants: &dyn Fn(&BenchId) -> bool,
        random: &mut fastrand::Rng,
    ) -> Given<Vec<Row>> {
        if self.benches.is_empty() {
            let thrown_away = self.invoke(random)?;
            self.benches = thrown_away.iter().map(benches_of).collect();
        }
        let (before, began) = (Snapshot::take(None), Instant::now());
        let observed = self.invoke(random)?;
        self.check(&observed)?;
        let seconds = began.elapsed().as_secs_f64();
        let disturbance = before.disturbance(&Snapshot::take(None), None, seconds);
        let mut rows: Vec<Row> = Vec::new();
        let count = self.sides.len();
        for (side, observed) in observed.into_iter().enumerate() {
            for observation in observed.observations {
                // An invocation measures all its benchmarks; those that are done are not looked at.
                if !wants(&observation.bench) {
                    continue;
                }
                let at = rows.iter().position(|row| row.bench == observation.bench);
                let at = at.unwrap_or_else(|| {
                    rows.push(Row {
                        bench: observation.bench.clone(),
                        sides: vec![None; count],
                        is_disturbed: disturbance.is_some(),
                    });
                    rows.len() - 1
                });
                rows[at].sides[side] = Some(taken(observation));
            }
        }
        Ok(rows)
    }
}

/// Takes one value of each metric: the median of what an invocation measured.
fn taken(observation: Observation) -> Taken {
    let value = |reading: tripline_model::Reading| {
        let iterations = reading.sample.iterations();
        Value {
            value: reading.sample.median(),
            iterations: match reading.metric.nature {
                Nature::Sampled => {
                    iterations.map(|all| all.iter().fold(0, |sum: u64, n| sum.saturating_add(*n)))
                }
                Nature::Exact | Nature::Summarized => None,
            },
            metric: reading.metric,
        }
    };
    Taken {
        values: observation.readings.into_iter().map(value).collect(),
        answer: observation.answer,
        // An invocation that measures once is what a round wants.
        caveats: observation
            .caveats
            .into_iter()
            .filter(|caveat| !matches!(caveat, tripline_model::Caveat::SingleSample))
            .collect(),
    }
}
