//! Runs the steps of a suite and makes a run of what they give.
//!
//! A step that fails is a failure in the run, with the end of its output; the other steps still run. Nothing is written
//! here but logs: the run is put in its place by the caller, whole or not at all.

mod agreement;
mod alone;
mod assemble;
mod cargo;
mod debug_build;
mod durations;
mod environment;
mod freshness;
mod group;
mod interrupt;
mod invocation;
mod launch;
mod process;
mod revision;
mod rounds;
mod session;
mod threads;
mod units;
mod whole;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tripline_model::{FactValue, Failure, FailureKind, Part, Producer, Run};
use tripline_read::{Observed, Place};

pub(crate) use alone::served as served_alone;
pub(crate) use assemble::fail_unmeasured;
pub(crate) use durations::{Durations, joined as joined_durations};
pub(crate) use environment::{LEFT_OUT, MACHINE, aslr_can_be_switched_off, detect, runner_version};
pub(crate) use interrupt::Interrupt;
pub(crate) use session::{Ground, Measured, Trees};

use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::project::Project;
use crate::settings;
use crate::suite::{Harness, Step, Suite, Task};
use crate::talk::Progress;
use cargo::Build;
use invocation::Invocation;
use launch::{Built, REMARKS_MAX};
pub(crate) use rounds::rounds_with_extension;
use rounds::{Duet, Enough, Executable, Rounds};

/// Says how long the noisy benchmarks are measured. Counts do not depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Enough to see that they work and where they stand.
    Quick,
    /// As long as the harness's defaults.
    Full,
}

impl Effort {
    fn word(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }
}

/// Names this program as the writer of a run.
pub(crate) fn producer() -> Producer {
    Producer {
        name: "tripline".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

/// What measuring a suite needs beside the suite.
#[derive(Debug)]
pub(crate) struct Measuring<'a> {
    /// Where things are.
    pub(crate) project: &'a Project,
    /// How long to measure.
    pub(crate) effort: Effort,
    /// How often counting steps run, where the suite does not say.
    pub(crate) repeats: u32,
    /// The most rounds in which base and head are measured side by side.
    pub(crate) pairs: usize,
    /// What the order within rounds is drawn from.
    pub(crate) seed: u64,
    /// Shows how far the work is.
    pub(crate) progress: &'a Progress,
    /// Knows whether somebody wants it to stop.
    pub(crate) interrupt: &'a Interrupt,
    /// How long steps took before, and take now.
    pub(crate) durations: &'a mut Durations,
}

/// Where one side of a suite is built and measured.
#[derive(Debug, Clone, Copy)]
struct Site<'a> {
    /// The suite, in the folder where it is built.
    suite: &'a Suite,
    /// Where logs go, and what harnesses leave.
    folder: &'a Path,
    build: &'a Build,
}

/// Why something gave nothing.
#[derive(Debug)]
enum Stop {
    /// The step's reason: it stands in the run, and the other steps go on.
    Step(Failure),
    /// The machine's, with which everything ends.
    Machine(CommandError),
}

/// What a step gave, or why it gave nothing.
type Given<T> = Result<T, Stop>;

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Step(failure)
    }
}

impl From<CommandError> for Stop {
    fn from(error: CommandError) -> Self {
        Self::Machine(error)
    }
}

impl Stop {
    /// Lets a step's reason say whose it is.
    fn said_of(self, whose: Option<&str>) -> Self {
        match self {
            Self::Step(failure) => Self::Step(said_of(failure, whose)),
            Self::Machine(error) => Self::Machine(error),
        }
    }
}

/// Parts the step's reasons from the machine's.
fn parted<T>(given: Given<T>) -> Outcome<Result<T, Failure>> {
    match given {
        Ok(given) => Ok(Ok(given)),
        Err(Stop::Step(failure)) => Ok(Err(failure)),
        Err(Stop::Machine(error)) => Err(error),
    }
}

impl Measuring<'_> {
    /// Measures a suite. Broken steps are in the run; there is no run where somebody interrupted, because half of one
    /// would look like a whole.
    pub(crate) fn suite(&mut self, suite: &Suite) -> Outcome<Option<Run>> {
        let folder = self.project.output().join(suite.name.as_str());
        std::fs::create_dir_all(&folder).map_err(|error| cannot_work_in(&folder, error))?;
        // Asking valgrind what it shows to libc takes as long as a small step: it goes on beside the builds.
        let root = self.project.root().to_owned();
        let asked = suite.clone();
        let environment = std::thread::spawn(move || detect(&root, Some(&asked)));
        let measured_at = now();
        let build = Build::default();
        let site = Site {
            suite,
            folder: &folder,
            build: &build,
        };
        let (mut parts, mut built) = (Vec::new(), Vec::new());
        for step in &suite.steps {
            let name = name_of(suite, step, &[]);
            let part = self.timed(&name, |measuring| {
                measuring.step(site, step, None, &mut built)
            })?;
            if self.interrupt.is_asked() {
                return Ok(None);
            }
            parts.push((step.name.clone(), part));
        }
        let mut environment = environment
            .join()
            .expect("looking at the machine does not panic")?;
        environment::state_built(&mut environment, &built);
        let mut run = Run::new(suite.name.clone(), measured_at, environment, producer());
        run.revision = revision::of(self.project.root());
        run.part = self.part(suite);
        assemble::fill(&mut run, parts);
        Ok(Some(run))
    }

    /// Says of which part of a suite a run is going to be, where not all of it is measured.
    fn part(&self, suite: &Suite) -> Option<Part> {
        let selection = suite.selection.as_ref()?;
        let how = format!(
            "effort {}, repeats {}, pairs {}",
            self.effort.word(),
            self.repeats,
            self.pairs
        );
        let how = FactValue::new(how).expect("a few words and numbers can be shown");
        Some(selection.part(how))
    }

    /// Does a step, and says when it begins and ends, and what it gave.
    fn timed(
        &mut self,
        name: &str,
        step: impl FnOnce(&mut Self) -> Given<Vec<Observed>>,
    ) -> Outcome<Result<Vec<Observed>, Failure>> {
        self.progress.step_begins(name, self.durations.left(name));
        let began = Instant::now();
        let part = parted(step(self))?;
        let took = began.elapsed();
        let how = match &part {
            Ok(observed) => {
                self.durations.note(name, took);
                let benchmarks = observed.iter().map(|observed| observed.observations.len());
                crate::talk::counted(benchmarks.max().unwrap_or(0), "benchmark")
            }
            Err(failure) => failure.kind.text(),
        };
        self.progress.step_ended(name, &how, took);
        Ok(part)
    }

    /// Runs a step by itself.
    fn step(
        &self,
        site: Site<'_>,
        step: &Step,
        whose: Option<&str>,
        built: &mut Vec<Built>,
    ) -> Given<Vec<Observed>> {
        if matches!(step.harness, Harness::Serves) {
            return self.alone(site, step, built);
        }
        let mut invocation = Invocation::prepare(site, step, self.effort, self.interrupt)?;
        let repeats = match step.harness {
            Harness::Whole(tool) => whole::repeats(tool, step, self.effort, self.repeats),
            _ if invocation.launch.counts() => step.repeats.unwrap_or(self.repeats),
            _ => step.repeats.unwrap_or(1),
        };
        let runs = (0..repeats).map(|_| invocation.run(self.interrupt));
        let observed: Given<Vec<Observed>> = runs.collect();
        let known = invocation.launch.built();
        self.note_of_step(step, known, whose);
        built.push(known.clone());
        let observed = observed?;
        invocation.check_left_out(&observed)?;
        invocation.check_times(&observed)?;
        Ok(observed)
    }

    /// Says of a step that its program has nothing to measure on this machine, and what its output leaves open: that is no
    /// failure, and is not to be overlooked.
    fn note_of_step(&self, step: &Step, built: &Built, whose: Option<&str>) {
        let whose = whose.map_or(String::new(), |whose| format!(" {whose}"));
        let step = format!("note: step `{}`{whose}", step.name);
        if let Some((_, why)) = &built.left_out {
            let line = [&step, " is left out on this machine: ", why].concat();
            self.progress.note(&line);
        }
        for remark in built.remarks.iter().take(REMARKS_MAX) {
            let Place { file, line, .. } = &remark.place;
            let line = format!("{step}: {file}:{line}: {}", remark.text);
            self.progress.note(&line);
        }
        if built.remarks.len() > REMARKS_MAX {
            let line = [&step, ": and more of the kind, which `tripline read` tells"].concat();
            self.progress.note(&line);
        }
    }

    /// Measures a step whose executable serves, without anything beside it.
    fn alone(&self, site: Site<'_>, step: &Step, built: &mut Vec<Built>) -> Given<Vec<Observed>> {
        let executable = self.executable(site, step, built)?;
        let rounds = match self.effort {
            Effort::Quick => 3,
            Effort::Full => 10,
        };
        let policy = settings::policy(self.project, site.suite)?;
        let enough = Enough {
            policy: &policy,
            rounds,
            steps: 1,
        };
        self.in_rounds(site, step, vec![executable], enough)
    }

    /// Builds the executable of a step that serves.
    fn executable(&self, site: Site<'_>, step: &Step, built: &mut Vec<Built>) -> Given<Executable> {
        let Task::Bench(bench) = &step.task else {
            let detail = Some("only a bench can be asked for blocks".to_owned());
            return Err(Failure::new(step.name.clone(), FailureKind::Start, detail, "").into());
        };
        let (mut log, ..) = site.places_of(step)?;
        let folder = &site.suite.folder;
        let to = (&mut log, self.interrupt);
        let artifact = cargo::build(&step.name, folder, bench, site.build, to)?;
        built.push(Built {
            profile: Some(artifact.profile),
            ..Built::default()
        });
        Ok(Executable {
            program: artifact.executable,
            folder: folder.clone(),
            whose: None,
            is_copy: false,
        })
    }

    /// Asks executables that serve, in rounds.
    fn in_rounds(
        &self,
        site: Site<'_>,
        step: &Step,
        sides: Vec<Executable>,
        enough: Enough<'_>,
    ) -> Given<Vec<Observed>> {
        let rounds = self.rounds(step, sides.len(), enough);
        let log = site.folder.join(format!("{}.log", step.name));
        let (name, how_long) = (&site.suite.name, (self.effort, step.timeout));
        let to = (log.as_path(), self.interrupt);
        let mut duet = Duet::open(name, (&step.name, step.cores), sides, how_long, to)?;
        rounds.take(&mut duet)
    }

    fn rounds<'a>(&'a self, step: &'a Step, sides: usize, enough: Enough<'a>) -> Rounds<'a> {
        Rounds {
            step: &step.name,
            sides,
            enough,
            seed: self.seed,
            progress: self.progress,
            interrupt: self.interrupt,
        }
    }
}

impl Site<'_> {
    /// Makes a step's log, and its folder for what the harness leaves.
    fn places_of(&self, step: &Step) -> Outcome<(File, PathBuf, PathBuf)> {
        let log_path = self.folder.join(format!("{}.log", step.name));
        let log = File::create(&log_path).map_err(|error| cannot_work_in(&log_path, error))?;
        let scratch = self.folder.join(step.name.as_str());
        let _ = std::fs::remove_dir_all(&scratch);
        std::fs::create_dir_all(&scratch).map_err(|error| cannot_work_in(&scratch, error))?;
        Ok((log, log_path, scratch))
    }
}

/// Returns a failure that says whose it is, where that is not the head's.
pub(crate) fn said_of(mut failure: Failure, whose: Option<&str>) -> Failure {
    if let Some(whose) = whose {
        failure.detail = Some(match failure.detail {
            Some(detail) => format!("{whose}: {detail}"),
            None => whose.to_owned(),
        });
    }
    failure
}

/// Returns the time, to the second.
fn now() -> jiff::Timestamp {
    let now = jiff::Timestamp::now();
    jiff::Timestamp::from_second(now.as_second()).unwrap_or(now)
}

fn cannot_work_in(place: &Path, error: std::io::Error) -> CommandError {
    CommandError::new(
        Exit::BadInput,
        format!(
            "nothing was measured: `{}` cannot be written",
            place.display()
        ),
    )
    .because(error)
    .hint("make the folder writable, or set CARGO_TARGET_DIR to one that is")
}

/// What the sides of a canary are called, in equally many letters.
pub(crate) const PLANTED: [&str; 2] = ["healthy", "planted"];

/// Returns the names under which steps are run, in order: where there are sides, what is not timed comes first, one side
/// after the other.
pub(crate) fn names(suites: &[Suite], sides: Option<[&'static str; 2]>) -> Vec<String> {
    let all = suites
        .iter()
        .flat_map(|suite| suite.steps.iter().map(move |step| (suite, step)));
    let Some(sides) = sides else {
        return all.map(|(suite, step)| name_of(suite, step, &[])).collect();
    };
    let (beside, in_turn): (Vec<_>, Vec<_>) = all.partition(|(_, step)| step.goes_by_rounds());
    let of_side = |side| {
        in_turn
            .iter()
            .map(move |(suite, step)| name_of(suite, step, &[side]))
    };
    let beside = beside
        .iter()
        .map(|(suite, step)| name_of(suite, step, &sides));
    sides.into_iter().flat_map(of_side).chain(beside).collect()
}

/// Returns the name under which a step is run, with the sides it is run for.
fn name_of(suite: &Suite, step: &Step, sides: &[&str]) -> String {
    let sides = match sides {
        [] => String::new(),
        sides => format!(" ({})", sides.join(", ")),
    };
    format!("{}/{}{sides}", suite.name, step.name)
}

/// Returns how long all steps took before, if every one is known.
pub(crate) fn expected(durations: &Durations, names: &[String]) -> Option<Duration> {
    names.iter().map(|name| durations.before(name)).sum()
}
