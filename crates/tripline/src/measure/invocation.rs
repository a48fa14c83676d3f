//! A step whose harness writes what it measured: run once or again and again, and what it wrote is read each time.
//!
//! Tested by `tests/it/measure`, with harnesses that misbehave.

use std::fs::File;
use std::path::{Path, PathBuf};

use tripline_model::{Caveat, Failure, FailureKind, SuiteName};
use tripline_read::{Adapter, Input, Observed, Problem, ReadError};

use super::agreement::Agreement;
use super::freshness::{Stamp, describing};
use super::interrupt::Interrupt;
use super::launch::{self, Launch, Source};
use super::process::{self, Finished, How, RunError};
use super::{Effort, Given, Site, alone, cannot_work_in, threads, whole};
use crate::suite::{Harness, Program, Step, Tool};

/// The harness that counts system calls.
const STRACE: &str = "strace-count";

/// The harnesses that time whole programs.
const TIMING: [&str; 2] = ["hyperfine", "gnu-time"];

/// A step that is ready to be run.
#[derive(Debug)]
pub(super) struct Invocation<'a> {
    suite: &'a SuiteName,
    step: &'a Step,
    pub(super) launch: Launch,
    log: File,
    log_path: PathBuf,
    said: Agreement,
    /// What stood where it writes before its first run.
    first: Option<Stamp>,
}

impl<'a> Invocation<'a> {
    /// Builds what a step runs, and makes its log.
    pub(super) fn prepare(
        site: Site<'a>,
        step: &'a Step,
        effort: Effort,
        interrupt: &Interrupt,
    ) -> Given<Self> {
        let (mut log, log_path, scratch) = site.places_of(step)?;
        let to = (&mut log, interrupt);
        let launch = Launch::prepare(site.suite, step, site.build, effort, &scratch, to)?;
        Ok(Self {
            suite: &site.suite.name,
            step,
            launch,
            log,
            log_path,
            said: Agreement::default(),
            first: None,
        })
    }

    /// Runs the step once and reads what it wrote. A log that cannot be written is the machine's error.
    pub(super) fn run(&mut self, interrupt: &Interrupt) -> Given<Observed> {
        let mut command = self.launch.command();
        // A suite that measures this very program finds it here.
        if let Ok(program) = std::env::current_exe() {
            command.env("TRIPLINE_BINARY", program);
        }
        let before = self.before();
        if self.first.is_none() {
            self.first.clone_from(&before);
        }
        match process::run(&mut command, &mut self.log, self.step.timeout, interrupt) {
            Ok(finished) => {
                let mut observed = self.read(before.as_ref(), finished)?;
                self.said
                    .take(&observed)
                    .map_err(|detail| self.failure(FailureKind::Output, Some(detail), ""))?;
                self.launch.keep_remarks(&observed.remarks);
                for observation in &mut observed.observations {
                    let caveats = self.launch.caveats();
                    observation.caveats.extend_from_slice(caveats);
                }
                Ok(observed)
            }
            Err(RunError::Log(error)) => Err(cannot_work_in(&self.log_path, error).into()),
            Err(RunError::Start(error)) if self.step.harness.tool() == Some(Tool::PerfStat) => {
                Ok(self.nothing_counted(&format!("perf: {error}")))
            }
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

    /// Returns when the output was last written. What a tool wrote of the run before is taken away.
    fn before(&self) -> Option<Stamp> {
        match (self.step.harness.tool(), self.launch.source()) {
            (Some(tool), Source::Path(path)) => {
                whole::clear(tool, path);
                None
            }
            (_, source) => source.stamp(),
        }
    }

    fn nothing_counted(&self, why: &str) -> Observed {
        let program = self.step.program.as_ref();
        program.map_or_else(Observed::default, |program| {
            whole::nothing_counted(program, why)
        })
    }

    /// Reads what the step gave.
    fn read(&mut self, before: Option<&Stamp>, finished: Finished) -> Result<Observed, Failure> {
        let step = self.step;
        match (step.harness, &step.program, self.launch.source()) {
            (Harness::Whole(tool), Some(program), Source::Path(output)) => {
                let output = output.clone();
                self.whole((tool, program), finished, &output)
            }
            (Harness::Writes(adapter), ..) => {
                let mut observed = self.observed(adapter, before, &finished)?;
                self.check_threads(&mut observed, &finished)?;
                Ok(observed)
            }
            _ => Err(self.failure(FailureKind::Nothing, None, &finished.tail)),
        }
    }

    /// Reads what a program gave that was measured whole.
    fn whole(
        &mut self,
        (tool, program): (Tool, &Program),
        mut finished: Finished,
        output: &Path,
    ) -> Result<Observed, Failure> {
        if tool == Tool::Alone && finished.how == How::Exited(0) {
            match alone::read(output) {
                Ok((how, _)) => finished.how = how,
                Err(why) => {
                    return Err(self.failure(FailureKind::Start, Some(why), &finished.tail));
                }
            }
        }
        if let Some(why) = whole::nothing_here(tool, &finished) {
            self.launch.leave_out(&self.step.name, why);
            return Ok(Observed::default());
        }
        // The program itself may end with any code; perf that may not count writes nothing.
        let is_empty = std::fs::metadata(output).map_or(true, |file| file.len() == 0);
        if tool == Tool::PerfStat && is_empty && matches!(finished.how, How::Exited(_)) {
            return Ok(self.nothing_counted(&finished.tail));
        }
        self.check_end(&finished)?;
        let observed = whole::observed(self.step, (tool, program), &finished, output);
        observed.map_err(|why| self.failure(FailureKind::Output, Some(why), &finished.tail))
    }

    /// Refuses a count of one thread where the program has more.
    fn check_threads(&self, observed: &mut Observed, finished: &Finished) -> Result<(), Failure> {
        if self.step.harness.name() != STRACE {
            return Ok(());
        }
        for observation in &mut observed.observations {
            if let Some(more) = threads::not_counted(&self.step.task, observation) {
                let detail = format!(
                    "strace followed one thread, and {more} more were started whose calls are not counted: add `-f` to its command"
                );
                return Err(self.failure(FailureKind::Output, Some(detail), &finished.tail));
            }
            // Where strace was told to follow, the table only looks as if it had not.
            let is_of_threads = |one: &Caveat| matches!(one, Caveat::ThreadsNotCounted { .. });
            observation.caveats.retain(|one| !is_of_threads(one));
        }
        Ok(())
    }

    /// Refuses a program that has something to measure in one of its runs, and not in another.
    pub(super) fn check_left_out(&self, observed: &[Observed]) -> Result<(), Failure> {
        let Some((_, why)) = &self.launch.built().left_out else {
            return Ok(());
        };
        let is_measured = |one: &Observed| !one.observations.is_empty();
        if !observed.iter().any(is_measured) {
            return Ok(());
        }
        let detail = format!(
            "it was measured in one of its runs, and in another it had nothing to measure: {why}"
        );
        Err(self.failure(FailureKind::Output, Some(detail), ""))
    }

    /// Refuses times of whole programs that were taken once.
    pub(super) fn check_times(&self, observed: &[Observed]) -> Result<(), Failure> {
        let [once] = observed else { return Ok(()) };
        let is_single = |caveat: &Caveat| *caveat == Caveat::SingleSample;
        let single = once
            .observations
            .iter()
            .find(|one| one.caveats.iter().any(is_single));
        match single {
            Some(single) if TIMING.contains(&self.step.harness.name()) => {
                let detail = format!(
                    "`{}` was run once, and a single time says nothing about what the next one would be: \
                     have it run at least three times, or give the step `repeats = 3`",
                    single.bench.within_suite()
                );
                Err(self.failure(FailureKind::Output, Some(detail), ""))
            }
            _ => Ok(()),
        }
    }

    /// Reads what the step wrote, which is newer than what was there before.
    fn observed(
        &self,
        adapter: &Adapter,
        before: Option<&Stamp>,
        finished: &Finished,
    ) -> Result<Observed, Failure> {
        self.check_end(finished)?;
        let nothing =
            |detail: Option<String>| self.failure(FailureKind::Nothing, detail, &finished.tail);
        let unreadable =
            |detail: String| self.failure(FailureKind::Output, Some(detail), &finished.tail);
        if before.is_some() && before == self.launch.source().stamp().as_ref() {
            let detail = "its output is older than this run";
            return Err(nothing(Some(detail.to_owned())));
        }
        let mut passed_over = None;
        let input = match self.launch.source() {
            Source::Stdout => {
                let name = format!("output of {}", self.step.name);
                Input::from_bytes(name, finished.stdout.clone())
            }
            Source::Path(path) => {
                let opened = Input::open(path);
                let mut input = opened.map_err(|error| unreadable(error.to_string()))?;
                let (first, of) = (self.first.as_ref(), (&mut input, &**path));
                let kept = describing(adapter.name);
                passed_over = first
                    .zip(before)
                    .and_then(|(first, before)| before.leave_new(first, of, kept));
                input
            }
        };
        if let Input::Text { bytes, .. } = &input
            && bytes.iter().all(u8::is_ascii_whitespace)
        {
            return Err(nothing(None));
        }
        let observed = adapter.read(&input, self.suite);
        let mut observed = observed.map_err(|error| {
            let error = not_its_own(adapter, &input, &error);
            unreadable(match &passed_over {
                Some(Problem { place, text }) => format!("{error}; {}: {text}", place.file),
                None => error,
            })
        })?;
        observed.remarks.extend(passed_over);
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

/// Says what is wrong with what an adapter cannot read, and whose it is where that can be seen.
fn not_its_own(adapter: &Adapter, input: &Input, error: &ReadError) -> String {
    match tripline_read::sniff(input) {
        Ok(other) if other.name != adapter.name => {
            format!(
                "{error}; it is the output of `{}`, and the step names `{}`",
                other.name, adapter.name
            )
        }
        _ => error.to_string(),
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
