//! A project in a temporary folder, and the binary run in it with a scrubbed environment.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A project that lives as long as the test.
pub(crate) struct Project {
    folder: TempDir,
}

impl Project {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// A project with one suite `kv` whose only step prints the run in `head.jsonl`.
    pub(crate) fn with_suite() -> Self {
        let project = Self::new();
        project.write(
            "bench/kv/suite.toml",
            "about = \"a suite\"\n[[step]]\nname = \"counts\"\nharness = \"run-file\"\ncommand = [\"cat\", \"head.jsonl\"]\n",
        );
        project.measures(&[("get", 1_000_000), ("set", 2_000_000)]);
        project
    }

    /// Sets what the suite's step prints.
    pub(crate) fn measures(&self, benches: &[(&str, u64)]) {
        self.write("bench/kv/head.jsonl", &run_file(benches));
    }

    /// Measures a base, and a head whose `get` is a tenth slower, into `base.jsonl` and `head.jsonl`.
    pub(crate) fn base_and_head(&self) {
        self.tripline(&["measure", "--out", "base.jsonl"]).with(0);
        self.measures(&[("get", 1_100_000), ("set", 2_000_000)]);
        self.tripline(&["measure", "--out", "head.jsonl"]).with(0);
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn at(&self, place: &str) -> PathBuf {
        self.path().join(place)
    }

    pub(crate) fn write(&self, place: &str, text: &str) {
        let path = self.at(place);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Writes lines behind those of a file.
    pub(crate) fn append(&self, place: &str, text: &str) {
        self.write(place, &format!("{}\n{text}", self.read(place)));
    }

    pub(crate) fn read(&self, place: &str) -> String {
        std::fs::read_to_string(self.at(place)).expect(place)
    }

    /// Prepares the binary to be run in this project.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = scrubbed(env!("CARGO_BIN_EXE_tripline"));
        command.args(args).current_dir(self.path());
        command
    }

    /// Runs the binary in this project.
    pub(crate) fn tripline(&self, args: &[&str]) -> Ended {
        Ended::of(self.command(args).output().unwrap(), self.path())
    }
}

/// A command that sees nothing of the machine's continuous integration, of our own options, or of cargo's settings for
/// the test that runs it.
pub(crate) fn scrubbed(program: impl Into<OsString>) -> Command {
    let mut command = Command::new(program.into());
    let foreign = [
        "GITHUB_",
        "RUNNER_",
        "ACTIONS_",
        "GH_",
        "TRIPLINE_",
        "CARGO_",
        "CRITERION_",
        "IAI_",
        "INSTA_",
    ];
    let alone = [
        "CI",
        "NO_COLOR",
        "COLUMNS",
        "GLIBC_TUNABLES",
        "RUSTFLAGS",
        "RUST_BACKTRACE",
        "LD_LIBRARY_PATH",
    ];
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy().into_owned();
        let kept = ["CARGO_HOME", "TRIPLINE_TOOLS"].contains(&text.as_str());
        if !kept
            && (foreign.iter().any(|start| text.starts_with(start))
                || alone.contains(&text.as_str()))
        {
            command.env_remove(name);
        }
    }
    command.stdin(Stdio::null());
    command
}

/// Has git do something in a folder, and returns what it says.
#[track_caller]
pub(crate) fn git(folder: &Path, args: &[&str]) -> String {
    let said = said(scrubbed("git").args(args).current_dir(folder));
    String::from_utf8(said).unwrap().trim().to_owned()
}

/// Returns what a command says that must end well.
#[track_caller]
pub(crate) fn said(command: &mut Command) -> Vec<u8> {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    output.stdout
}

/// Starts a command in a group of its own, and waits until what it runs has left a mark.
#[track_caller]
pub(crate) fn started(command: &mut Command, mark: &Path) -> Child {
    let child = command
        .process_group(0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while !mark.exists() {
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "it did not start"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
    child
}

/// Sets what git tells a hook of another repository. Whoever follows it leaves the one that the command is run in.
pub(crate) fn below_a_hook_of(command: &mut Command, other: &Path) {
    command
        .env("GIT_DIR", other.join(".git"))
        .env("GIT_INDEX_FILE", other.join(".git/index"))
        .env("GIT_WORK_TREE", other)
        .env("GIT_PREFIX", "bench/")
        .env("GIT_LITERAL_PATHSPECS", "1");
}

/// How the binary ended, with the project's folder replaced by a word.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ended {
    pub(crate) fn of(output: Output, folder: &Path) -> Self {
        let clean = |bytes: Vec<u8>| {
            String::from_utf8(bytes)
                .unwrap()
                .replace(&folder.display().to_string(), "[PROJECT]")
        };
        Self {
            code: output.status.code(),
            out: clean(output.stdout),
            err: clean(output.stderr),
        }
    }

    /// Fails the test, showing all that was said, unless the binary ended with this code.
    #[track_caller]
    pub(crate) fn with(self, code: i32) -> Self {
        assert_eq!(
            self.code,
            Some(code),
            "\nstdout:\n{}\nstderr:\n{}",
            self.out,
            self.err
        );
        self
    }
}

/// Writes a run of suite `kv` by hand, as another program would.
pub(crate) fn run_file(benches: &[(&str, u64)]) -> String {
    let header = r#"{"tripline_run":{"version":1,"suite":"kv","measured_at":"2026-01-02T03:04:05Z","producer":{"name":"test","version":"0"},"environment":{"name":"elsewhere","facts":{}},"metrics":{"instructions":{"unit":"count","better":"lower","nature":"exact"}}}}"#;
    let line = |(name, count): &(&str, u64)| {
        format!(
            r#"{{"measured":{{"benchmark":"{name}","readings":{{"instructions":{{"values":[{count}]}}}}}}}}"#
        )
    };
    let lines: Vec<String> = benches.iter().map(line).collect();
    format!("{header}\n{}\n{{\"end\":{{}}}}\n", lines.join("\n"))
}
