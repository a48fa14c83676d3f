//! A git repository with a project in it, and a cache folder of its own, so that sessions of tests do not meet.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use tripline_model::{Caveat, Measurement, MetricName, Report, Run, wire};

use crate::project::{Ended, said, scrubbed};

/// A step that prints the times in the file `ns`, and says in the file that `LOG` names which side it is.
pub(crate) const SUITE: &str = "about = \"x\"\n[[step]]\nname = \"times\"\nharness = \"run-file\"\ncommand = [\"sh\", \"run.sh\"]\n";

/// Prints a run whose benchmarks are the lines of the file `ns`: a name and a time.
pub(crate) const PRINT: &str = r#"
print_run() {
    echo '{"tripline_run":{"version":1,"suite":"kv","measured_at":"2026-01-02T03:04:05Z","producer":{"name":"test","version":"0"},"environment":{"name":"elsewhere","facts":{}},"metrics":{"wall_time":{"unit":"ns","better":"lower","nature":"sampled"}}}}'
    while read -r name time; do
        echo "{\"measured\":{\"benchmark\":\"$name\",\"readings\":{\"wall_time\":{\"values\":[$time]}}}}"
    done
    echo '{"end":{}}'
}
"#;

/// A repository that lives as long as the test.
pub(crate) struct Repository {
    folder: TempDir,
    root: PathBuf,
    project: PathBuf,
    cache: PathBuf,
}

impl Repository {
    /// An empty repository whose root is the project.
    pub(crate) fn empty() -> Self {
        Self::with_project_in("")
    }

    /// An empty repository with a project somewhere in it, under paths that are not as plain as one would like.
    pub(crate) fn with_project_in(place: &str) -> Self {
        Self::made(place, [b"a project \xff", b"a cache \xfe"])
    }

    /// An empty repository whose root is the project, under paths that cargo takes.
    pub(crate) fn for_cargo() -> Self {
        Self::made("", [b"project", b"cache"])
    }

    fn made(place: &str, [root, cache]: [&[u8]; 2]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join(OsStr::from_bytes(root));
        let repository = Self {
            project: root.join(place),
            cache: folder.path().join(OsStr::from_bytes(cache)),
            root,
            folder,
        };
        std::fs::create_dir_all(&repository.project).unwrap();
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository
    }

    /// Another repository with the same commits.
    pub(crate) fn copied(&self) -> Self {
        let copy = Self::for_cargo();
        let from = self.root.to_str().unwrap();
        copy.git(&["pull", "--quiet", from, "main"]);
        copy
    }

    /// A repository with two commits, whose only step gives one time at the first of them and another at the second.
    pub(crate) fn with_times(base: &str, head: &str) -> Self {
        let repository = Self::empty();
        repository.with_suite();
        repository.times(base);
        repository.write("bench/kv/side", "base\n");
        repository.commit();
        repository.times(head);
        repository.write("bench/kv/side", "head\n");
        repository.commit();
        repository
    }

    /// Writes the suite with its script.
    pub(crate) fn with_suite(&self) {
        self.write("bench/kv/suite.toml", SUITE);
        self.script("[ -z \"$LOG\" ] || cat side >> \"$LOG\"\nprint_run < ns");
    }

    /// Writes the suite's script, which can print a run.
    pub(crate) fn script(&self, text: &str) {
        self.write("bench/kv/run.sh", &format!("{PRINT}\n{text}\n"));
    }

    /// Sets what the suite's step gives: a line for each benchmark.
    pub(crate) fn times(&self, lines: &str) {
        self.write("bench/kv/ns", &format!("{lines}\n"));
    }

    /// Returns a place in the project.
    pub(crate) fn at(&self, place: &str) -> PathBuf {
        self.project.join(place)
    }

    /// Returns a place outside of the repository.
    pub(crate) fn outside(&self, place: &str) -> PathBuf {
        self.folder.path().join(place)
    }

    pub(crate) fn write(&self, place: &str, text: &str) {
        let path = self.at(place);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Runs git in the repository, and returns what it says.
    #[track_caller]
    pub(crate) fn git(&self, args: &[&str]) -> String {
        let mut command = scrubbed("git");
        nobody(&mut command);
        let said = said(command.args(args).current_dir(&self.root));
        String::from_utf8_lossy(&said).trim().to_owned()
    }

    /// Commits all there is.
    pub(crate) fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", "x"]);
    }

    /// Prepares the binary to be run in the project.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = scrubbed(env!("CARGO_BIN_EXE_tripline"));
        nobody(&mut command);
        command
            .args(args)
            .current_dir(&self.project)
            .env("XDG_CACHE_HOME", &self.cache);
        command
    }

    /// Runs the binary in the project.
    pub(crate) fn tripline(&self, args: &[&str]) -> Ended {
        Ended::of(self.command(args).output().unwrap(), self.folder.path())
    }

    /// Returns the run of one side, `base` or `run`.
    #[track_caller]
    pub(crate) fn run(&self, side: &str) -> Run {
        let place = self.at(&format!("target/tripline/kv/{side}.jsonl"));
        wire::read_run(&std::fs::read(place).expect(side)).unwrap()
    }

    /// Returns the reports that the last check left.
    pub(crate) fn reports(&self) -> Vec<Report> {
        let text = std::fs::read(self.at("target/tripline/report.jsonl")).unwrap();
        wire::read_report(&text).unwrap()
    }

    /// Returns the cache folder.
    pub(crate) fn cache(&self) -> &Path {
        &self.cache
    }

    /// Returns the only folder of sessions.
    pub(crate) fn sessions(&self) -> PathBuf {
        let all = std::fs::read_dir(self.cache.join("tripline/sessions")).unwrap();
        let all: Vec<PathBuf> = all.map(|entry| entry.unwrap().path()).collect();
        assert_eq!(all.len(), 1, "{all:?}");
        all[0].clone()
    }
}

/// Git knows nobody here, and nobody's settings.
fn nobody(command: &mut Command) {
    let person = [
        "GIT_AUTHOR_NAME",
        "GIT_AUTHOR_EMAIL",
        "GIT_COMMITTER_NAME",
        "GIT_COMMITTER_EMAIL",
    ];
    command
        .envs(person.map(|name| (name, "nobody")))
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
}

/// Returns the rounds and values of a benchmark's time.
#[track_caller]
pub(crate) fn times_of(run: &Run, bench: &str) -> (Option<Vec<u32>>, Vec<f64>) {
    let found = run
        .measurements()
        .find(|one| one.bench().within_suite() == bench);
    let metric = MetricName::new("wall_time").unwrap();
    let sample = &found.expect(bench).reading(&metric).unwrap().sample;
    let rounds = sample.rounds().map(<[u32]>::to_vec);
    (rounds, sample.values().to_vec())
}

/// Returns how many rounds were dropped because the machine was disturbed, which no test can prevent.
pub(crate) fn dropped(run: &Run) -> usize {
    let caveats = run.measurements().flat_map(Measurement::caveats);
    let dropped = caveats.filter_map(|caveat| match caveat {
        Caveat::Disturbed { pairs } => Some(*pairs),
        _ => None,
    });
    dropped.max().unwrap_or(0)
}
