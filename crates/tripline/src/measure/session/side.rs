//! One side of a session: what it has of a suite, what of it is built, and what it gave.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tripline_model::{
    Environment, Failure, FailureKind, Part as PartOfSuite, Revision, Run, SessionId, StepName,
};

use super::{Ground, SideName};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::measure::assemble::{self, Part};
use crate::measure::cargo::Build;
use crate::measure::launch::Built;
use crate::measure::rounds::Executable;
use crate::measure::{cannot_work_in, detect, environment, now, producer, said_of};
use crate::suite::{Step, Suite};

/// One side of one suite.
#[derive(Debug)]
pub(super) struct Side {
    pub(super) name: SideName,
    /// What it is called.
    pub(super) word: &'static str,
    /// The suite that was asked for.
    pub(super) asked: Suite,
    /// The suite as this side has it, where it is built; none where the side does not have it.
    pub(super) suite: Option<Suite>,
    /// The same suite, where it is run.
    run: Option<Suite>,
    /// Where logs go, and what harnesses leave.
    pub(super) folder: PathBuf,
    pub(super) build: Build,
    /// How it is built where it is run.
    pub(super) build_to_run: Build,
    pub(super) built: Vec<Built>,
    pub(super) parts: Vec<Part>,
    executables: BTreeMap<StepName, Result<Executable, Failure>>,
    environment: Environment,
    revision: Option<Revision>,
    measured_at: jiff::Timestamp,
}

impl Side {
    /// Looks at what a side, whose files are in place, has of a suite.
    pub(super) fn open(
        ground: &Ground<'_>,
        name: SideName,
        asked: &Suite,
        output: &Path,
    ) -> Outcome<Self> {
        let folder = output.join(asked.name.as_str()).join(ground.word(name));
        std::fs::create_dir_all(&folder).map_err(|error| cannot_work_in(&folder, error))?;
        let built_at = ground.built_at();
        let of_side = |error: CommandError| error.hint(format!("it is the {}'s", name.word()));
        let suite = ground.suite_at(&built_at, asked).map_err(of_side)?;
        let suite = suite.map(|suite| suite.narrowed_like(asked));
        let run = ground
            .suite_at(&ground.run_at(name), asked)
            .map_err(of_side)?
            .map(|suite| suite.narrowed_like(asked));
        if suite.is_none() && name == SideName::Head {
            return Err(left_out(asked));
        }
        Ok(Self {
            name,
            word: ground.word(name),
            asked: asked.clone(),
            environment: detect(&built_at, Some(suite.as_ref().unwrap_or(asked)))?,
            suite,
            run,
            folder,
            build: ground.build(name),
            build_to_run: ground.build_to_run(name),
            built: Vec::new(),
            parts: Vec::new(),
            executables: BTreeMap::new(),
            revision: ground.revision(name),
            measured_at: now(),
        })
    }

    /// Returns the steps that are timed.
    pub(super) fn timed_steps(&self) -> impl Iterator<Item = &Step> {
        let steps = self.run.iter().flat_map(|suite| &suite.steps);
        steps.filter(|step| step.goes_by_rounds())
    }

    /// Returns how many steps of the whole suite are timed.
    pub(super) fn timed_in_all(&self) -> usize {
        self.run.as_ref().map_or(0, Suite::timed_in_all)
    }

    /// Returns whether it has a step, by the same harness.
    pub(super) fn has(&self, step: &Step) -> bool {
        self.timed_steps()
            .any(|own| own.name == step.name && own.harness.name() == step.harness.name())
    }

    /// Returns whether it has a step of the same name by another harness, which is another step.
    pub(super) fn times_otherwise(&self, step: &Step) -> bool {
        !self.has(step) && self.timed_steps().any(|own| own.name == step.name)
    }

    /// Returns its own form of a step, and the suite where it is run.
    pub(super) fn to_run<'a>(&'a self, step: &'a Step) -> (&'a Suite, &'a Step) {
        let suite = self.run.as_ref().unwrap_or(&self.asked);
        let own = suite.steps.iter().find(|own| own.name == step.name);
        (suite, own.unwrap_or(step))
    }

    /// Keeps a copy of an executable, or why there is none.
    pub(super) fn keep(
        &mut self,
        step: &Step,
        executable: Result<Executable, Failure>,
    ) -> Outcome<()> {
        let kept = match executable {
            Err(failure) => Err(failure),
            Ok(Executable {
                program, folder, ..
            }) => {
                let name = format!("{}-{}", self.asked.name, step.name);
                let copy = self.folder.join(step.name.as_str()).join(name);
                std::fs::copy(&program, &copy).map_err(|error| cannot_work_in(&copy, error))?;
                let run = self.run.as_ref().map(|suite| suite.folder.clone());
                Ok(Executable {
                    program: copy,
                    folder: run.unwrap_or(folder),
                    whose: self.name.whose(),
                    is_copy: true,
                })
            }
        };
        self.executables.insert(step.name.clone(), kept);
        Ok(())
    }

    /// Returns the executable of a step.
    pub(super) fn executable(&self, step: &Step) -> Result<Executable, Failure> {
        let kept = self.executables.get(&step.name).cloned();
        let kept = kept.unwrap_or_else(|| {
            let detail = Some("it was not built".to_owned());
            Err(Failure::new(
                step.name.clone(),
                FailureKind::Start,
                detail,
                "",
            ))
        });
        kept.map_err(|failure| said_of(failure, self.name.whose()))
    }

    /// Makes a run of what it gave; none where it does not have the suite.
    pub(super) fn into_run(
        mut self,
        part: Option<&PartOfSuite>,
        session: &SessionId,
    ) -> Option<Run> {
        let suite = self.suite?;
        environment::state_built(&mut self.environment, &self.built);
        let mut run = Run::new(suite.name, self.measured_at, self.environment, producer());
        run.revision = self.revision;
        run.session = Some(session.clone());
        run.part = part.cloned();
        assemble::fill(&mut run, self.parts);
        Some(run)
    }
}

/// The head's files are those that git sees.
fn left_out(suite: &Suite) -> CommandError {
    let what = format!(
        "nothing was measured: git ignores `{}`",
        suite.file.display()
    );
    CommandError::new(Exit::BadInput, what)
        .hint("a session measures what git sees: take it out of `.gitignore`")
}
