//! Measures two sides of suites in one session: base and head, of two revisions or of two sets of features.
//!
//! What counts, computes an answer or is enough once is taken side by side only in the sense of one job: each side is built
//! and measured in its turn, at the same paths. What is timed is built in the same way, and then measured in rounds
//! (`beside`).
//!
//! A side that cannot be measured is a failure of the head's run: without its base nothing of the head was judged, and
//! that must not look like having found nothing.
//!
//! Tested by `tests/it/session`, `tests/it/duet` and `tests/it/canary`, with real repositories and executables.

mod beside;
mod ground;
mod side;
mod trees;

use tripline_model::{OF_THE_BASE, Part, Run, SessionId};

pub(crate) use ground::Ground;
pub(crate) use trees::Trees;

use super::{Measuring, Site, name_of, parted, said_of};
use crate::error::Outcome;
use crate::suite::{Harness, Step, Suite};
use side::Side;

/// One of the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SideName {
    /// What is compared with.
    Base,
    /// What is judged.
    Head,
}

impl SideName {
    const BOTH: [Self; 2] = [Self::Base, Self::Head];

    /// Returns its name in paths, of the same length for both.
    fn word(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Head => "head",
        }
    }

    /// Returns what its failures say of where they happened: those of the head need not.
    fn whose(self) -> Option<&'static str> {
        match self {
            Self::Base => Some(OF_THE_BASE),
            Self::Head => None,
        }
    }
}

/// Both runs of a suite; the base may not have the suite.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) base: Option<Run>,
    pub(crate) head: Run,
}

impl Measuring<'_> {
    /// Measures both sides of suites. There is nothing where somebody interrupted.
    pub(crate) fn session(
        &mut self,
        ground: &Ground<'_>,
        suites: &[Suite],
    ) -> Outcome<Option<Vec<Measured>>> {
        let mut sides = Vec::with_capacity(2);
        for name in SideName::BOTH {
            let prepared = self.prepared(ground, name, suites);
            // Whoever interrupts from the keyboard interrupts git as well, which then complains.
            if self.interrupt.is_asked() {
                return Ok(None);
            }
            sides.push(prepared?);
        }
        let (heads, bases) = (sides.pop(), sides.pop());
        let both = bases.into_iter().flatten().zip(heads.into_iter().flatten());
        // The seed can be given again, and two sessions are never one.
        let id = format!("{:016x}-{:08x}", self.seed, fastrand::u32(..));
        let id = SessionId::new(id).expect("digits are an id");
        let mut measured = Vec::with_capacity(suites.len());
        for (mut base, mut head) in both {
            for step in steps_of(&base, &head) {
                self.beside(&step, &mut base, &mut head)?;
                if self.interrupt.is_asked() {
                    return Ok(None);
                }
            }
            let part = self.part(&head.asked);
            measured.push(Measured::of(base, head, part.as_ref(), &id));
        }
        Ok(Some(measured))
    }

    /// Builds all of a side, and measures what is not timed.
    fn prepared(
        &mut self,
        ground: &Ground<'_>,
        name: SideName,
        suites: &[Suite],
    ) -> Outcome<Vec<Side>> {
        ground.enter(name)?;
        let mut sides = Vec::with_capacity(suites.len());
        for suite in suites {
            let mut side = Side::open(ground, name, suite, &self.project.output())?;
            for step in side
                .suite
                .iter()
                .flat_map(|suite| suite.steps.clone())
                .collect::<Vec<_>>()
            {
                self.prepare(&step, &mut side)?;
                if self.interrupt.is_asked() {
                    return Ok(Vec::new());
                }
            }
            sides.push(side);
        }
        Ok(sides)
    }

    /// Builds a step of one side. One that is not timed is measured as well.
    fn prepare(&mut self, step: &Step, side: &mut Side) -> Outcome<()> {
        let site = Site {
            suite: side.suite.as_ref().unwrap_or(&side.asked),
            folder: &side.folder,
            build: &side.build,
        };
        let name = name_of(&side.asked, step, &[side.word]);
        let (whose, built) = (side.name.whose(), &mut side.built);
        match step.harness {
            Harness::Serves => {
                self.progress.step_begins(&format!("{name}: build"), None);
                // The other side is built at the same place, so what was built is kept elsewhere.
                let executable = parted(self.executable(site, step, built))?;
                side.keep(step, executable)
            }
            _ if step.goes_by_rounds() => Ok(()),
            Harness::Writes(_) | Harness::Whole(_) => {
                let part =
                    self.timed(&name, |measuring| measuring.step(site, step, whose, built))?;
                side.parts.push((step.name.clone(), part));
                Ok(())
            }
        }
    }
}

/// Returns the timed steps of both sides, the head's first. One that both time by another harness is two: each is measured
/// by itself, because their numbers are not those of one thing.
fn steps_of(base: &Side, head: &Side) -> Vec<Step> {
    let of_base = base.timed_steps().filter(|step| !head.has(step));
    head.timed_steps().chain(of_base).cloned().collect()
}

impl Measured {
    /// Makes the runs of what the sides gave.
    fn of(base: Side, head: Side, part: Option<&Part>, id: &SessionId) -> Self {
        let base = base.into_run(part, id);
        let mut head = head
            .into_run(part, id)
            .expect("a head without the suite was an error when it was opened");
        if base.is_none() {
            // Nothing was measured beside it. A base that is lost on the way is told apart from one that never was.
            head.session = None;
        }
        let of_base = base.iter().flat_map(|base| base.failures.clone());
        head.failures
            .extend(of_base.map(|failure| said_of(failure, SideName::Base.whose())));
        Self { base, head }
    }
}
