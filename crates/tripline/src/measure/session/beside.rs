//! A timed step of a session: both sides are measured in rounds, or the one that has the step by itself. What the base
//! has is found out also where the head gives nothing.
//!
//! Tested by `tests/it/session` and `tests/it/duet`.

use tripline_read::Observed;

use super::side::Side;
use crate::error::Outcome;
use crate::measure::invocation::Invocation;
use crate::measure::rounds::{Alternating, Enough, Executable, ROUNDS_ALONE, Turn};
use crate::measure::{Given, Measuring, Site, Stop, name_of, parted};
use crate::settings;
use crate::suite::{Harness, Step};

impl Measuring<'_> {
    /// Measures a timed step of both sides, or of the one that has it.
    pub(super) fn beside(&mut self, step: &Step, base: &mut Side, head: &mut Side) -> Outcome<()> {
        let policy = settings::policy(self.project, &head.asked)?;
        // What other parts of the suite hold is judged together with this.
        let steps = head.timed_in_all().max(1);
        let same = [&*base, &*head].into_iter();
        let same = same.filter(|side| !side.times_otherwise(step));
        let words: Vec<&str> = same.map(|side| side.word).collect();
        let name = name_of(&head.asked, step, &words);
        let sides = [&mut *base, &mut *head];
        let mut sides: Vec<&mut Side> = sides.into_iter().filter(|side| side.has(step)).collect();
        let rounds = match sides.len() {
            2 => self.pairs,
            _ => self.pairs.min(ROUNDS_ALONE),
        };
        let enough = Enough {
            policy: &policy,
            rounds,
            steps,
        };
        match self.timed(&name, |measuring| measuring.taken(step, &mut sides, enough))? {
            Ok(observed) => {
                for (side, observed) in sides.into_iter().zip(observed) {
                    side.parts.push((step.name.clone(), Ok(vec![observed])));
                }
            }
            Err(failure) => {
                let is_of_base = failure.is_of_base();
                head.parts.push((step.name.clone(), Err(failure)));
                // Which benchmarks a canary holds is said by what it expects. A base that failed would fail again, or
                // give what makes the head look broken.
                if head.has(step) && head.asked.canary.is_none() && !is_of_base {
                    self.base_alone(step, base, enough)?;
                }
            }
        }
        Ok(())
    }

    /// Measures the base by itself where a step gave nothing: nobody could say which benchmarks are broken unless
    /// somebody knows which there were.
    fn base_alone(&self, step: &Step, base: &mut Side, enough: Enough<'_>) -> Outcome<()> {
        if !base.has(step) || self.interrupt.is_asked() {
            return Ok(());
        }
        let name = name_of(&base.asked, step, &[base.word]);
        self.progress
            .step_begins(&format!("{name}: what the base has"), None);
        let enough = Enough {
            rounds: self.pairs.min(ROUNDS_ALONE),
            ..enough
        };
        // What fails here too was said of the head.
        if let Ok(observed) = parted(self.taken(step, &mut [&mut *base], enough))? {
            base.parts.push((step.name.clone(), Ok(observed)));
        }
        Ok(())
    }

    fn taken(
        &self,
        step: &Step,
        sides: &mut [&mut Side],
        enough: Enough<'_>,
    ) -> Given<Vec<Observed>> {
        if matches!(step.harness, Harness::Serves) {
            return self.asked(step, sides, enough);
        }
        let mut invocations = Vec::with_capacity(sides.len());
        for side in sides.iter() {
            invocations.push(self.invocation(step, side)?);
        }
        let turns = invocations.iter_mut().zip(sides.iter());
        let turns = turns.map(|(invocation, side)| Turn {
            whose: side.name.whose(),
            run: Box::new(|| invocation.run(self.interrupt)),
        });
        let mut source = Alternating::new(&step.name, turns.collect());
        let observed = self.rounds(step, sides.len(), enough).take(&mut source);
        drop(source);
        let built = invocations.iter().map(|one| one.launch.built().clone());
        let built: Vec<_> = built.collect();
        let is_left_out = built.iter().all(|built| built.left_out.is_some());
        for (side, built) in sides.iter_mut().zip(built) {
            self.note_of_step(step, &built, side.name.whose());
            side.built.push(built);
        }
        match observed {
            // What is on no side is missing on none.
            Err(Stop::Step(_)) if is_left_out => {
                Ok(sides.iter().map(|_| Observed::default()).collect())
            }
            observed => observed,
        }
    }

    /// Asks the executables of sides whose benches serve.
    fn asked(&self, step: &Step, sides: &[&mut Side], enough: Enough<'_>) -> Given<Vec<Observed>> {
        let executables = sides.iter().map(|side| side.executable(step));
        let executables = executables.collect::<Result<Vec<Executable>, _>>()?;
        let Some(last) = sides.last() else {
            return Ok(Vec::new());
        };
        let site = Site {
            suite: &last.asked,
            folder: &last.folder,
            build: &last.build,
        };
        self.in_rounds(site, step, executables, enough)
    }

    /// Prepares a step of one side, in the form that this side gives it.
    fn invocation<'a>(&self, step: &'a Step, side: &'a Side) -> Given<Invocation<'a>> {
        let (suite, step) = side.to_run(step);
        let site = Site {
            suite,
            folder: &side.folder,
            build: &side.build_to_run,
        };
        let prepared = Invocation::prepare(site, step, self.effort, self.interrupt);
        prepared.map_err(|stop| stop.said_of(side.name.whose()))
    }
}
