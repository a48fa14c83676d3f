//! How each harness is started, and where what it measured is then found.
//!
//! Counts are taken under a path whose length is the same everywhere: the path stands on the heap of the measured
//! process, and where it is longer, allocations fall differently and up to two percent of the instructions move.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use tripline_model::{Caveat, Failure, FailureKind, StepName};
use tripline_read::Problem;

use super::Effort;
use super::cargo::{self, Build};
use super::interrupt::Interrupt;
use super::{debug_build, process, whole};
use crate::suite::{Harness, Step, Suite, Task, Tool, WHOLE};

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

/// What of the caller's environment is left to a program that valgrind counts: each variable costs the loader some
/// instructions, and how many there are is the machine's own.
pub(crate) const COUNTED_VARIABLES: [&str; 2] = ["HOME", "PATH"];

/// Stands in for a counting harness's runner: says on stdout what the executable asks of it.
const STAND_IN: &str = "#!/bin/sh\necho asked\nexec cat\n";

/// What the stand-in says first.
const ASKED: &[u8] = b"asked\n";

/// Says where a harness leaves what it measured.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    /// On stdout.
    Stdout,
    /// In a file or folder.
    Path(PathBuf),
}

/// What is known of a step's executable only once it is built, or was run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Built {
    /// The settings cargo really built it with; absent where a command is run.
    pub(crate) profile: Option<String>,
    /// Whether it counts under the pinned settings of glibc; absent where the step does not count.
    pub(crate) pins_glibc: Option<bool>,
    /// The step whose program is measured whole, and the command that does it.
    pub(crate) argv: Option<(StepName, String)>,
    /// The step whose program has nothing to measure on this machine, and why.
    pub(crate) left_out: Option<(StepName, String)>,
    /// What was decided where the step's output leaves it open, each once, and one more than is told where there are many.
    pub(crate) remarks: Vec<Problem>,
}

/// How many remarks on what a step wrote are told.
pub(crate) const REMARKS_MAX: usize = 8;

/// A step that is ready to run.
#[derive(Debug)]
pub(crate) struct Launch {
    program: OsString,
    args: Vec<OsString>,
    env: Vec<(&'static str, OsString)>,
    /// Whether it sees nothing of the caller's environment but what is named.
    is_secluded: bool,
    folder: PathBuf,
    source: Source,
    counts: bool,
    caveats: Vec<Caveat>,
    built: Built,
    /// Holds the copy that is counted; it is removed when the step is over.
    copy: Option<TempDir>,
}

impl Launch {
    /// Builds what a step runs, and says how it is run.
    pub(crate) fn prepare(
        suite: &Suite,
        step: &Step,
        build: &Build,
        effort: Effort,
        scratch: &Path,
        (log, interrupt): (&mut File, &Interrupt),
    ) -> Result<Self, Failure> {
        let bench = match &step.task {
            Task::Command { argv, output } => {
                debug_build::check(step, &suite.folder, argv)?;
                return Ok(match step.harness {
                    Harness::Whole(tool) => {
                        let args: Vec<OsString> = argv[1..].iter().map(OsString::from).collect();
                        Self::of_whole(
                            suite,
                            step,
                            (tool, effort),
                            (argv[0].as_ref(), &args),
                            scratch,
                        )
                    }
                    _ => Self::of_command(suite, step, argv, output.as_deref()),
                });
            }
            Task::Bench(bench) => bench,
        };
        let artifact = cargo::build(&step.name, &suite.folder, bench, build, (log, interrupt))?;
        let executable = artifact.executable;
        let mut launch = match step.harness.name() {
            WHOLE => {
                Self::of_whole_bench(suite, step, (bench, &executable), (effort, build), scratch)?
            }
            _ if step.harness.counts() => {
                Self::of_counter(suite, step, bench, build, &executable, (scratch, interrupt))?
            }
            "cargo-criterion" => Self::of_cargo_criterion(suite, bench, build, effort, scratch),
            "criterion" => Self::of_criterion(suite, &executable, effort, scratch),
            _ => {
                let args = vec!["--bench".into()];
                Self::plain(suite, executable.into_os_string(), args)
            }
        };
        launch.built.profile = Some(artifact.profile);
        Ok(launch)
    }

    fn plain(suite: &Suite, program: OsString, args: Vec<OsString>) -> Self {
        Self {
            program,
            args,
            env: Vec::new(),
            is_secluded: false,
            folder: suite.folder.clone(),
            source: Source::Stdout,
            counts: false,
            caveats: Vec::new(),
            built: Built::default(),
            copy: None,
        }
    }

    fn of_command(suite: &Suite, step: &Step, argv: &[String], output: Option<&Path>) -> Self {
        let args = argv[1..].iter().map(OsString::from).collect();
        let source = output.map_or(Source::Stdout, |output| {
            Source::Path(suite.folder.join(output))
        });
        Self {
            source,
            built: Built {
                // What a foreign command counts under is not known.
                pins_glibc: step.harness.counts().then_some(false),
                ..Built::default()
            },
            ..Self::plain(suite, OsString::from(&argv[0]), args)
        }
    }

    /// Puts the executable of a bench under a tool. valgrind's tools count it at a path that is as long everywhere.
    fn of_whole_bench(
        suite: &Suite,
        step: &Step,
        (bench, executable): (&str, &Path),
        (effort, build): (Effort, &Build),
        scratch: &Path,
    ) -> Result<Self, Failure> {
        let Harness::Whole(tool) = step.harness else {
            unreachable!("only such a harness has that name");
        };
        let args = step.program.iter().flat_map(|program| &program.args);
        let args: Vec<OsString> = args.map(OsString::from).collect();
        let (copy, program) = match tool.is_valgrind() {
            false => (None, executable.to_owned()),
            true => {
                let (copy, program) = counted_copy(suite, step, (bench, executable), build)?;
                (Some(copy), program)
            }
        };
        let mut launch = Self::of_whole(
            suite,
            step,
            (tool, effort),
            (program.as_os_str(), &args),
            scratch,
        );
        if let Some((_, argv)) = &mut launch.built.argv {
            // cargo's name for it ends with a digest.
            let cargos = program.file_name().unwrap_or_default().to_string_lossy();
            *argv = argv.replacen(&*cargos, bench, 1);
        }
        launch.copy = copy;
        Ok(launch)
    }

    /// Puts a program under a tool.
    fn of_whole(
        suite: &Suite,
        step: &Step,
        (tool, effort): (Tool, Effort),
        (program, args): (&OsStr, &[OsString]),
        scratch: &Path,
    ) -> Self {
        let output = scratch.join(tool.name());
        let runs = whole::runs(step, effort);
        let mut argv = whole::command(tool, (program, args), runs, output.as_os_str());
        let told = whole::told(tool, program, args, runs);
        let starter = match tool {
            Tool::Alone => {
                std::env::current_exe().map_or_else(|_| "tripline".into(), PathBuf::into_os_string)
            }
            _ => argv.remove(0),
        };
        let is_secluded = tool.is_valgrind();
        Self {
            env: Vec::from_iter(is_secluded.then(|| ("GLIBC_TUNABLES", GLIBC_TUNABLES.into()))),
            is_secluded,
            source: Source::Path(output),
            built: Built {
                argv: Some((step.name.clone(), told)),
                ..Built::default()
            },
            ..Self::plain(suite, starter, argv)
        }
    }

    fn of_counter(
        suite: &Suite,
        step: &Step,
        bench: &str,
        build: &Build,
        executable: &Path,
        (scratch, interrupt): (&Path, &Interrupt),
    ) -> Result<Self, Failure> {
        let mute = |error: std::io::Error| {
            let detail = format!("it could not be asked what it counts: {error}");
            Failure::new(step.name.clone(), FailureKind::Start, Some(detail), "")
        };
        let (copy, program) = counted_copy(suite, step, (bench, executable), build)?;
        let config = config_of(step, &program, &suite.folder, interrupt).map_err(mute)?;
        let changes = changes_collection(&config).then_some(Caveat::CollectionChanged);
        let mut home = OsString::from("--home=");
        home.push(scratch);
        let args = vec!["--bench".into(), "--output-format=json".into(), home];
        Ok(Self {
            env: vec![("GLIBC_TUNABLES", GLIBC_TUNABLES.into())],
            counts: true,
            caveats: changes.into_iter().collect(),
            built: Built {
                pins_glibc: Some(passes_tunables(&config)),
                ..Built::default()
            },
            copy: Some(copy),
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

    fn of_cargo_criterion(
        suite: &Suite,
        bench: &str,
        build: &Build,
        effort: Effort,
        scratch: &Path,
    ) -> Self {
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
        let target = build.target.iter();
        let target = target.map(|target| ("CARGO_TARGET_DIR", target.as_os_str().to_owned()));
        Self {
            env: target.chain([("CRITERION_HOME", scratch.into())]).collect(),
            ..Self::plain(suite, cargo, args)
        }
    }

    /// Returns the command, anew for each repeat.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args).current_dir(&self.folder);
        without_runner_settings(&mut command);
        if self.is_secluded {
            let kept = COUNTED_VARIABLES.iter();
            let kept = kept.map(|name| (name, std::env::var_os(name).unwrap_or_default()));
            command.env_clear().envs(kept);
        }
        command.envs(self.env.iter().map(|(key, value)| (key, value)));
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

    /// Returns the reasons to trust all that it measures less.
    pub(crate) fn caveats(&self) -> &[Caveat] {
        &self.caveats
    }

    /// Keeps what was remarked on when the step's output was read. What each run has is remarked on once; of very many the
    /// first say what is meant.
    pub(crate) fn keep_remarks(&mut self, remarks: &[Problem]) {
        let kept = &mut self.built.remarks;
        for remark in remarks {
            let is_same = |known: &Problem| {
                (&known.place.file, &known.text) == (&remark.place.file, &remark.text)
            };
            if kept.len() <= REMARKS_MAX && !kept.iter().any(is_same) {
                kept.push(remark.clone());
            }
        }
    }

    /// Notes that its program has nothing to measure on this machine.
    pub(crate) fn leave_out(&mut self, step: &StepName, why: String) {
        self.built.left_out = Some((step.clone(), why));
    }

    /// Returns what is known of it since it was built.
    pub(crate) fn built(&self) -> &Built {
        &self.built
    }
}

/// Makes the copy of an executable that is counted.
fn counted_copy(
    suite: &Suite,
    step: &Step,
    (bench, executable): (&str, &Path),
    build: &Build,
) -> Result<(TempDir, PathBuf), Failure> {
    let start = |error: std::io::Error| {
        let detail = format!("no copy of the executable could be made under /tmp: {error}");
        Failure::new(step.name.clone(), FailureKind::Start, Some(detail), "")
    };
    let copy = counted_folder(build.letters.as_deref()).map_err(start)?;
    let program = copy.path().join(format!("{}-{bench}", suite.name));
    std::fs::copy(executable, &program).map_err(start)?;
    Ok((copy, program))
}

/// Makes the folder that an executable is counted in: see [`COUNTED_PATH`].
fn counted_folder(letters: Option<&str>) -> std::io::Result<TempDir> {
    let mut folder = tempfile::Builder::new();
    let prefix = format!("tripline-{}", letters.unwrap_or_default());
    let random = if letters.is_some() { 0 } else { 8 };
    folder.prefix(&prefix).rand_bytes(random).tempdir_in("/tmp")
}

/// Takes away the variables by which a person sets a counting harness's runner: what is counted, and how, is decided by
/// the bench's own file, or else a shell's leftovers would change a baseline.
fn without_runner_settings(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let bytes = name.as_encoded_bytes();
        if bytes.starts_with(b"IAI_CALLGRIND_") || bytes.starts_with(b"GUNGRAUN_") {
            command.env_remove(name);
        }
    }
}

/// Returns what a counting executable asks of its harness's runner, in the form it is handed over: names and arguments
/// stand in it as they are.
///
/// The executable is asked, not searched: a short text like `GLIBC_TUNABLES` is often no text in it but the operands of
/// two instructions, and a text that is in it may be one the bench never uses.
fn config_of(
    step: &Step,
    program: &Path,
    folder: &Path,
    interrupt: &Interrupt,
) -> std::io::Result<Vec<u8>> {
    use std::os::unix::fs::PermissionsExt as _;

    let stand_ins = tempfile::tempdir()?;
    let stand_in = stand_ins
        .path()
        .join(format!("{}-runner", step.harness.name()));
    std::fs::write(&stand_in, STAND_IN)?;
    std::fs::set_permissions(&stand_in, std::fs::Permissions::from_mode(0o755))?;
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let places =
        std::iter::once(stand_ins.path().to_owned()).chain(std::env::split_paths(&inherited));
    let path = std::env::join_paths(places).map_err(std::io::Error::other)?;

    let mut command = Command::new(program);
    // With `--list`, a runner that is started in spite of the stand-in runs nothing.
    command.args(["--bench", "--list"]).current_dir(folder);
    without_runner_settings(&mut command);
    command.env("PATH", path);
    // What goes wrong here goes wrong again when the step runs, and is logged then.
    let mut nowhere = File::options().write(true).open("/dev/null")?;
    let finished = process::run(&mut command, &mut nowhere, step.timeout, interrupt)
        .map_err(std::io::Error::other)?;
    match finished.stdout.strip_prefix(ASKED) {
        Some(config) => Ok(config.to_owned()),
        // The path of a runner was baked into it when it was compiled. Longer texts are found in it all the same.
        None => std::fs::read(program),
    }
}

/// Returns whether a bench changes what Callgrind counts, on top of what its harness has it count: a second toggle
/// switches collection off where the first switches it on.
fn changes_collection(config: &[u8]) -> bool {
    [b"toggle-collect".as_slice(), b"collect-atstart"]
        .iter()
        .any(|option| !after_each(config, option).is_empty())
}

/// Returns whether a bench lets our settings of glibc through; else they are cleared with the rest of the environment.
///
/// The name is followed by a zero where it is let through, and by a one where the bench sets a value of its own.
fn passes_tunables(config: &[u8]) -> bool {
    let found = after_each(config, b"GLIBC_TUNABLES");
    !found.is_empty() && found.iter().all(|after| after.first() == Some(&0))
}

/// Returns what follows each place where a word stands.
fn after_each<'a>(bytes: &'a [u8], word: &[u8]) -> Vec<&'a [u8]> {
    let places = bytes.windows(word.len()).enumerate();
    places
        .filter(|(_, window)| *window == word)
        .map(|(at, _)| &bytes[at + word.len()..])
        .collect()
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
            "cargo-criterion is not installed: run `cargo install --locked cargo-criterion@1.1.0`",
        ),
        (
            "iai-callgrind",
            "iai-callgrind-runner",
            "the runner must be on PATH in the version of the bench's iai-callgrind: `tripline doctor` says which",
        ),
    ];
    let found = known
        .iter()
        .find(|(harness, sign, _)| step.harness.name() == *harness && tail.contains(sign));
    found.map(|(_, _, advice)| (*advice).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tunables_are_pinned_only_where_they_are_let_through() {
        assert!(passes_tunables(b"\x0e\0GLIBC_TUNABLES\0\0"));
        assert!(!passes_tunables(b"\x0e\0GLIBC_TUNABLES\x01\x03\0=own"));
        assert!(!passes_tunables(b"GLIBC_TUNABLES\0 GLIBC_TUNABLES\x01"));
        assert!(!passes_tunables(b"GLIBC_TUNABLES"));
        assert!(!passes_tunables(b""));
    }

    #[test]
    fn options_that_change_collection_are_seen() {
        assert!(changes_collection(b"\x18\0--toggle-collect=a::b\0"));
        assert!(changes_collection(b"--collect-atstart=yes"));
        assert!(!changes_collection(b"--cache-sim=no"));
        assert!(!changes_collection(b""));
    }
}
