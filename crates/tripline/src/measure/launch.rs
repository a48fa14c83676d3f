//! How each harness is started, and where what it measured is then found.
//!
//! Counts are taken under a path whose length is the same everywhere: the path stands on the heap of the measured
//! process, and where it is longer, allocations fall differently and up to two percent of the instructions move.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use tripline_model::{Failure, FailureKind};

use super::Effort;
use super::cargo;
use super::interrupt::Interrupt;
use crate::suite::{Step, Suite, Task};

/// The form of the path that executables are counted under; `?` is any letter or digit.
pub(crate) const COUNTED_PATH: &str = "/tmp/tripline-????????/<suite>-<bench>";

/// The settings of glibc that counts are taken under.
///
/// Which variant of `memcpy` and its kin runs depends on the processor, and so would the counts. These are switched to
/// what every processor of the last ten years has, and the sizes at which strategies change are fixed.
pub(crate) const GLIBC_TUNABLES: &str = "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX512CD,-AVX512DQ,-ERMS,-FSRM\
    :glibc.cpu.x86_data_cache_size=32768\
    :glibc.cpu.x86_shared_cache_size=1048576\
    :glibc.cpu.x86_non_temporal_threshold=786432\
    :glibc.cpu.x86_rep_movsb_threshold=2048\
    :glibc.cpu.x86_rep_stosb_threshold=2048";

/// Says where a harness leaves what it measured.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    /// On stdout.
    Stdout,
    /// In a file or folder.
    Path(PathBuf),
}

/// A step that is ready to run.
#[derive(Debug)]
pub(crate) struct Launch {
    program: OsString,
    args: Vec<OsString>,
    env: Vec<(&'static str, OsString)>,
    folder: PathBuf,
    source: Source,
    counts: bool,
    /// Holds the copy that is counted; it is removed when the step is over.
    _copy: Option<TempDir>,
}

impl Launch {
    /// Builds what a step runs, and says how it is run.
    pub(crate) fn prepare(
        suite: &Suite,
        step: &Step,
        effort: Effort,
        scratch: &Path,
        log: &mut File,
        interrupt: &Interrupt,
    ) -> Result<Self, Failure> {
        let bench = match &step.task {
            Task::Command { argv, output } => {
                return Ok(Self::of_command(suite, argv, output.as_deref()));
            }
            Task::Bench(bench) => bench,
        };
        let executable = cargo::build(&step.name, &suite.folder, bench, log, interrupt)?;
        match step.adapter.name {
            "iai-callgrind" | "gungraun" => {
                Self::of_counter(suite, step, bench, &executable, scratch)
            }
            "cargo-criterion" => Ok(Self::of_cargo_criterion(suite, bench, effort, scratch)),
            "criterion" => Ok(Self::of_criterion(suite, &executable, effort, scratch)),
            _ => Ok(Self::plain(
                suite,
                executable.into_os_string(),
                vec!["--bench".into()],
            )),
        }
    }

    fn plain(suite: &Suite, program: OsString, args: Vec<OsString>) -> Self {
        Self {
            program,
            args,
            env: Vec::new(),
            folder: suite.folder.clone(),
            source: Source::Stdout,
            counts: false,
            _copy: None,
        }
    }

    fn of_command(suite: &Suite, argv: &[String], output: Option<&Path>) -> Self {
        let args = argv[1..].iter().map(OsString::from).collect();
        let source = output.map_or(Source::Stdout, |output| {
            Source::Path(suite.folder.join(output))
        });
        Self {
            source,
            ..Self::plain(suite, OsString::from(&argv[0]), args)
        }
    }

    fn of_counter(
        suite: &Suite,
        step: &Step,
        bench: &str,
        executable: &Path,
        scratch: &Path,
    ) -> Result<Self, Failure> {
        let start = |error: std::io::Error| {
            let detail = format!("no copy of the executable could be made under /tmp: {error}");
            Failure::new(step.name.clone(), FailureKind::Start, Some(detail), "")
        };
        let copy = tempfile::Builder::new()
            .prefix("tripline-")
            .rand_bytes(8)
            .tempdir_in("/tmp")
            .map_err(start)?;
        let program = copy.path().join(format!("{}-{bench}", suite.name));
        std::fs::copy(executable, &program).map_err(start)?;
        let mut home = OsString::from("--home=");
        home.push(scratch);
        let args = vec!["--bench".into(), "--output-format=json".into(), home];
        Ok(Self {
            env: vec![("GLIBC_TUNABLES", GLIBC_TUNABLES.into())],
            counts: true,
            _copy: Some(copy),
            ..Self::plain(suite, program.into_os_string(), args)
        })
    }

    fn of_criterion(suite: &Suite, executable: &Path, effort: Effort, scratch: &Path) -> Self {
        let mut args: Vec<OsString> = vec!["--bench".into(), "--noplot".into()];
        args.extend(criterion_args(effort));
        Self {
            env: vec![("CRITERION_HOME", scratch.into())],
            source: Source::Path(scratch.to_owned()),
            ..Self::plain(suite, executable.into(), args)
        }
    }

    fn of_cargo_criterion(suite: &Suite, bench: &str, effort: Effort, scratch: &Path) -> Self {
        let cargo = cargo::command(&suite.folder).get_program().to_owned();
        let mut args: Vec<OsString> = [
            "criterion",
            "--message-format=json",
            "--plotting-backend=disabled",
            "--bench",
            bench,
            "--",
        ]
        .map(OsString::from)
        .to_vec();
        args.extend(criterion_args(effort));
        Self {
            env: vec![("CRITERION_HOME", scratch.into())],
            ..Self::plain(suite, cargo, args)
        }
    }

    /// Returns the command, anew for each repeat.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(&self.args)
            .current_dir(&self.folder)
            .env_remove("IAI_CALLGRIND_RUNNER")
            .env_remove("GUNGRAUN_RUNNER")
            .envs(self.env.iter().map(|(key, value)| (key, value)));
        command
    }

    /// Returns where what it measured is found.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// Returns whether it counts, so that taking it twice shows whether it is deterministic.
    pub(crate) fn counts(&self) -> bool {
        self.counts
    }
}

/// Returns how long Criterion measures. Its own estimates are not read, so they are made as cheaply as it allows.
fn criterion_args(effort: Effort) -> impl Iterator<Item = OsString> {
    let (warm_up, measurement, samples) = match effort {
        Effort::Quick => ("0.2", "0.4", "10"),
        Effort::Full => ("1", "3", "50"),
    };
    [
        "--warm-up-time",
        warm_up,
        "--measurement-time",
        measurement,
        "--sample-size",
        samples,
        "--nresamples",
        "1000",
    ]
    .into_iter()
    .map(OsString::from)
}

/// Says more about an end whose reason is known, from what stands at the end of the output.
pub(crate) fn explanation(step: &Step, tail: &str) -> Option<String> {
    let known: &[(&str, &str, &str)] = &[
        (
            "cargo-criterion",
            "unknown variant `",
            "cargo-criterion knows only the throughputs `Bytes` and `Elements`: use those, or `harness = \"criterion\"`",
        ),
        (
            "cargo-criterion",
            "no such command: `criterion`",
            "cargo-criterion is not installed: run `tools/setup`, or `cargo install --locked cargo-criterion@1.1.0`",
        ),
        (
            "iai-callgrind",
            "iai-callgrind-runner",
            "the runner must be on PATH in the version of the bench's iai-callgrind: `tripline doctor` says which",
        ),
    ];
    let found = known
        .iter()
        .find(|(harness, sign, _)| step.adapter.name == *harness && tail.contains(sign));
    found.map(|(_, _, advice)| (*advice).to_owned())
}
