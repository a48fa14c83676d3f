//! Runs the steps of a suite and makes a run of what they give.
//!
//! A step that fails is a failure in the run, with the end of its output; the other steps still run. Nothing is written
//! here but logs: the run is put in its place by the caller, whole or not at all.

mod assemble;
mod cargo;
mod durations;
mod environment;
mod freshness;
mod interrupt;
mod launch;
mod process;
mod revision;

use std::fs::File;
use std::time::{Duration, Instant};

use tripline_model::{Failure, FailureKind, Producer, Run};
use tripline_read::{Input, Observed};

pub(crate) use durations::Durations;
pub(crate) use environment::{detect, runner_version};
pub(crate) use interrupt::Interrupt;

use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::project::Project;
use crate::suite::{Step, Suite};
use crate::talk::Progress;
use freshness::Stamp;
use launch::{Built, Launch, Source};
use process::{Finished, How, RunError};

/// Says how long the noisy benchmarks are measured. Counts do not depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Enough to see that they work and where they stand.
    Quick,
    /// As long as the harness's defaults.
    Full,
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
    /// Shows how far the work is.
    pub(crate) progress: &'a Progress,
    /// Knows whether somebody wants it to stop.
    pub(crate) interrupt: &'a Interrupt,
    /// How long steps took before, and take now.
    pub(crate) durations: &'a mut Durations,
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
        let measured_at = jiff::Timestamp::now();
        let measured_at =
            jiff::Timestamp::from_second(measured_at.as_second()).unwrap_or(measured_at);

        let (mut parts, mut built) = (Vec::new(), Vec::new());
        for step in &suite.steps {
            let full_name = format!("{}/{}", suite.name, step.name);
            self.progress
                .step_begins(&full_name, self.durations.left(&full_name));
            let began = Instant::now();
            let part = self.step(suite, step, &folder, &mut built)?;
            let took = began.elapsed();
            if self.interrupt.is_asked() {
                return Ok(None);
            }
            let how = match &part {
                Ok(observed) => {
                    self.durations.note(&full_name, took);
                    crate::talk::counted(
                        observed.first().map_or(0, |first| first.observations.len()),
                        "benchmark",
                    )
                }
                Err(failure) => failure.kind.text(),
            };
            self.progress.step_ended(&full_name, &how, took);
            parts.push((step.name.clone(), part));
        }
        let mut environment = environment
            .join()
            .expect("looking at the machine does not panic")?;
        environment::state_built(&mut environment, &built);
        let mut run = Run::new(suite.name.clone(), measured_at, environment, producer());
        run.revision = revision::of(self.project.root());
        assemble::fill(&mut run, parts);
        Ok(Some(run))
    }

    /// Runs a step as often as it is to be run. The outer error is the machine's, the inner one the step's.
    fn step(
        &self,
        suite: &Suite,
        step: &Step,
        folder: &std::path::Path,
        built: &mut Vec<Built>,
    ) -> Outcome<Result<Vec<Observed>, Failure>> {
        let log_path = folder.join(format!("{}.log", step.name));
        let mut log = File::create(&log_path).map_err(|error| cannot_work_in(&log_path, error))?;
        let scratch = folder.join(step.name.as_str());
        let _ = std::fs::remove_dir_all(&scratch);
        std::fs::create_dir_all(&scratch).map_err(|error| cannot_work_in(&scratch, error))?;

        let launch =
            match Launch::prepare(suite, step, self.effort, &scratch, &mut log, self.interrupt) {
                Ok(launch) => launch,
                Err(failure) => return Ok(Err(failure)),
            };
        built.push(launch.built().clone());
        let repeats = step
            .repeats
            .unwrap_or(if launch.counts() { self.repeats } else { 1 });
        let mut observed = Vec::new();
        for _ in 0..repeats {
            match once(suite, step, &launch, (&log_path, &mut log), self.interrupt)? {
                Ok(mut part) => {
                    for observation in &mut part.observations {
                        observation.caveats.extend_from_slice(launch.caveats());
                    }
                    observed.push(part);
                }
                Err(failure) => return Ok(Err(failure)),
            }
        }
        Ok(Ok(observed))
    }
}

/// Runs a step once and reads what it wrote. A log that cannot be written is the machine's error.
fn once(
    suite: &Suite,
    step: &Step,
    launch: &Launch,
    (log_path, log): (&std::path::Path, &mut File),
    interrupt: &Interrupt,
) -> Outcome<Result<Observed, Failure>> {
    let mut command = launch.command();
    // A suite that measures this very program finds it here.
    if let Ok(program) = std::env::current_exe() {
        command.env("TRIPLINE_BINARY", program);
    }
    let before = launch.source().stamp();
    match process::run(&mut command, log, step.timeout, interrupt) {
        Ok(finished) => Ok(observed(suite, step, launch, before.as_ref(), &finished)),
        Err(RunError::Log(error)) => Err(cannot_work_in(log_path, error)),
        Err(error) => {
            let program = command.get_program().to_string_lossy().into_owned();
            Ok(Err(Failure::new(
                step.name.clone(),
                FailureKind::Start,
                Some(format!("`{program}`: {error}")),
                "",
            )))
        }
    }
}

/// Reads what a step wrote, which is newer than what was there before.
fn observed(
    suite: &Suite,
    step: &Step,
    launch: &Launch,
    before: Option<&Stamp>,
    finished: &Finished,
) -> Result<Observed, Failure> {
    check_end(step, finished)?;
    if before.is_some() && before == launch.source().stamp().as_ref() {
        let detail = Some("its output is older than this run".to_owned());
        return Err(Failure::new(
            step.name.clone(),
            FailureKind::Nothing,
            detail,
            &finished.tail,
        ));
    }
    let unreadable = |detail: String| {
        Failure::new(
            step.name.clone(),
            FailureKind::Output,
            Some(detail),
            &finished.tail,
        )
    };
    let input = match launch.source() {
        Source::Stdout => {
            Input::from_bytes(format!("output of {}", step.name), finished.stdout.clone())
        }
        Source::Path(path) => Input::open(path).map_err(|error| unreadable(error.to_string()))?,
    };
    if let Input::Text { bytes, .. } = &input
        && bytes.iter().all(u8::is_ascii_whitespace)
    {
        return Err(Failure::new(
            step.name.clone(),
            FailureKind::Nothing,
            None,
            &finished.tail,
        ));
    }
    let observed =
        (step.adapter.read)(&input, &suite.name).map_err(|error| unreadable(error.to_string()))?;
    if let Some(problem) = observed.problems.first() {
        let others = match observed.problems.len() - 1 {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        let detail = format!(
            "{}:{}: {}{others}",
            problem.place.file, problem.place.line, problem.text
        );
        return Err(unreadable(detail));
    }
    if observed.observations.is_empty() {
        return Err(Failure::new(
            step.name.clone(),
            FailureKind::Nothing,
            None,
            &finished.tail,
        ));
    }
    Ok(observed)
}

impl Source {
    /// Returns when a file or folder of output was last written; stdout is always new.
    fn stamp(&self) -> Option<Stamp> {
        match self {
            Self::Stdout => None,
            Self::Path(path) => Some(Stamp::of(path)),
        }
    }
}

/// Makes a failure of an end that is not a good one.
fn check_end(step: &Step, finished: &Finished) -> Result<(), Failure> {
    let kind = match finished.how {
        How::Exited(0) => return Ok(()),
        How::Exited(code) => FailureKind::Exit(code),
        How::Signaled(signal) => FailureKind::Signal(signal),
        How::TimedOut => FailureKind::Timeout(step.timeout.as_secs()),
        How::Flooded(_) => FailureKind::Output,
        How::Interrupted => FailureKind::Interrupted,
    };
    let detail = match finished.how {
        How::Flooded(limit) => Some(limit.to_string()),
        _ => launch::explanation(step, &finished.tail),
    };
    Err(Failure::new(
        step.name.clone(),
        kind,
        detail,
        &finished.tail,
    ))
}

fn cannot_work_in(place: &std::path::Path, error: std::io::Error) -> CommandError {
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

/// Returns how long all steps of the suites took before, if every one is known.
pub(crate) fn expected(durations: &Durations, suites: &[Suite]) -> Option<Duration> {
    let names = suites
        .iter()
        .flat_map(|suite| suite.steps.iter().map(move |step| (suite, step)));
    names
        .map(|(suite, step)| durations.before(&format!("{}/{}", suite.name, step.name)))
        .sum()
}
