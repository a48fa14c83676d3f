//! A step whose harness writes what it measured: run once or again and again, and what it wrote is read each time.
//!
//! Tested by `tests/it/measure`, with harnesses that misbehave.

use std::fs::File;
use std::path::PathBuf;

use tripline_model::{Failure, FailureKind, SuiteName};
use tripline_read::{Adapter, Input, Observed};

use super::freshness::Stamp;
use super::interrupt::Interrupt;
use super::launch::{self, Launch, Source};
use super::process::{self, Finished, How, RunError};
use super::{Effort, Given, Site, cannot_work_in};
use crate::suite::Step;

/// A step that is ready to be run.
#[derive(Debug)]
pub(super) struct Invocation<'a> {
    adapter: &'static Adapter,
    suite: &'a SuiteName,
    step: &'a Step,
    pub(super) launch: Launch,
    log: File,
    log_path: PathBuf,
}

impl<'a> Invocation<'a> {
    /// Builds what a step runs, and makes its log.
    pub(super) fn prepare(
        site: Site<'a>,
        step: &'a Step,
        adapter: &'static Adapter,
        effort: Effort,
        interrupt: &Interrupt,
    ) -> Given<Self> {
        let (mut log, log_path, scratch) = site.places_of(step)?;
        let to = (&mut log, interrupt);
        let launch = Launch::prepare(site.suite, step, site.build, effort, &scratch, to)?;
        Ok(Self {
            adapter,
            suite: &site.suite.name,
            step,
            launch,
            log,
            log_path,
        })
    }

    /// Runs the step once and reads what it wrote. A log that cannot be written is the machine's error.
    pub(super) fn run(&mut self, interrupt: &Interrupt) -> Given<Observed> {
        let mut command = self.launch.command();
        // A suite that measures this very program finds it here.
        if let Ok(program) = std::env::current_exe() {
            command.env("TRIPLINE_BINARY", program);
        }
        let before = self.launch.source().stamp();
        match process::run(&mut command, &mut self.log, self.step.timeout, interrupt) {
            Ok(finished) => {
                let mut observed = self.observed(before.as_ref(), &finished)?;
                for observation in &mut observed.observations {
                    let caveats = self.launch.caveats();
                    observation.caveats.extend_from_slice(caveats);
                }
                Ok(observed)
            }
            Err(RunError::Log(error)) => Err(cannot_work_in(&self.log_path, error).into()),
            Err(error) => {
                let program = command.get_program().to_string_lossy();
                let detail = format!("`{program}`: {error}");
                Err(self.failure(FailureKind::Start, Some(detail), "").into())
            }
        }
    }

    fn failure(&self, kind: FailureKind, detail: Option<String>, output: &str) -> Failure {
        Failure::new(self.step.name.clone(), kind, detail, output)
    }

    /// Reads what the step wrote, which is newer than what was there before.
    fn observed(&self, before: Option<&Stamp>, finished: &Finished) -> Result<Observed, Failure> {
        self.check_end(finished)?;
        let nothing =
            |detail: Option<String>| self.failure(FailureKind::Nothing, detail, &finished.tail);
        let unreadable =
            |detail: String| self.failure(FailureKind::Output, Some(detail), &finished.tail);
        if before.is_some() && before == self.launch.source().stamp().as_ref() {
            let detail = "its output is older than this run";
            return Err(nothing(Some(detail.to_owned())));
        }
        let input = match self.launch.source() {
            Source::Stdout => {
                let name = format!("output of {}", self.step.name);
                Input::from_bytes(name, finished.stdout.clone())
            }
            Source::Path(path) => {
                Input::open(path).map_err(|error| unreadable(error.to_string()))?
            }
        };
        if let Input::Text { bytes, .. } = &input
            && bytes.iter().all(u8::is_ascii_whitespace)
        {
            return Err(nothing(None));
        }
        let observed = self.adapter.read(&input, self.suite);
        let observed = observed.map_err(|error| unreadable(error.to_string()))?;
        if let Some(problem) = observed.problems.first() {
            let others = match observed.problems.len() - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            let (file, line) = (&problem.place.file, problem.place.line);
            let detail = format!("{file}:{line}: {}{others}", problem.text);
            return Err(unreadable(detail));
        }
        if observed.observations.is_empty() {
            return Err(nothing(None));
        }
        Ok(observed)
    }

    /// Makes a failure of an end that is not a good one.
    fn check_end(&self, finished: &Finished) -> Result<(), Failure> {
        let kind = match finished.how {
            How::Exited(0) => return Ok(()),
            How::Exited(code) => FailureKind::Exit(code),
            How::Signaled(signal) => FailureKind::Signal(signal),
            How::TimedOut => FailureKind::Timeout(self.step.timeout.as_secs()),
            How::Flooded(_) => FailureKind::Output,
            How::Interrupted => FailureKind::Interrupted,
        };
        let detail = match finished.how {
            How::Flooded(limit) => Some(limit.to_string()),
            _ => launch::explanation(self.step, &finished.tail),
        };
        Err(self.failure(kind, detail, &finished.tail))
    }
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
