//! What the whole commands take on a long history: pages made and made again, and a run appended over `file://`.
//!
//! The project is made up: so many commits, each measured once, one metric with its quartiles of each benchmark, and the
//! history on a branch of data. Its last commit is what comes new. Tested below at smoke size, but for the commands, which
//! take a built program.

use std::fmt::{self, Display, Write as _};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde_json::json;
use tripline_model::wire::write_run;
use tripline_model::{
    BenchId, BenchName, CommitId, Environment, EnvironmentName, Measurement, Metric, Params,
    Producer, Reading, Revision, Run, Sample, SuiteName, WorkTree,
};

use crate::histories::noise;
use crate::inputs::{Random, parts};
use crate::store::Size;

/// How often each command is timed; the median is told.
const TIMED: usize = 5;

/// How long all pages may take at the promised size.
const FULL_MAX: Duration = Duration::from_secs(3);

/// How long they may take again after one more commit.
const AGAIN_MAX: Duration = Duration::from_millis(300);

/// How long it may take to append a run.
const APPEND_MAX: Duration = Duration::from_millis(250);

/// How many kilobytes of data it may hold meanwhile: 60 million bytes. It gets no more, so one that needs more fails.
const APPEND_KILOBYTES: u64 = 58_593;

/// How many bytes the remote repository may grow by then.
const GROWTH_MAX: u64 = 10_000;

/// Where the branch of data stands in the clone.
const DATA: &str = "refs/remotes/origin/tripline-data";

/// What the project is called.
const REPOSITORY: &str = "acme/kv";

/// The file with what GitHub says of the push that is measured.
const EVENT: &str = ".git/event.json";

/// What was measured of the commands.
#[derive(Debug, Clone)]
pub struct Commands {
    size: Size,
    full: Duration,
    again: Duration,
    append: Duration,
    /// The bytes that the remote repository grows by.
    growth: u64,
}

/// Makes a project, and times the commands of a program in it.
///
/// # Errors
/// A file cannot be written, or a command fails.
pub fn commands(program: &Path, size: Size, folder: &Path) -> io::Result<Commands> {
    let project = Project::make(size, folder)?;
    let tripline = |args: &[&str]| project.run(Command::new(program).args(args));
    let site = |name: &str, nth: usize| tripline(&["site", "--out", &format!("{name}-{nth}")]);
    // All the commits that the table names: a push moves what the clone knows of the branch.
    project.fetched(&project.after)?;
    // Each has a folder of its own, and none is taken away meanwhile: where much was just taken away, some file systems
    // are slow to make anything.
    let full = median(|nth| timed(|| site("full", nth)))?;
    project.fetched(&project.before)?;
    for nth in 0..TIMED {
        site("again", nth)?;
    }
    project.fetched(&project.after)?;
    let again = median(|nth| timed(|| site("again", nth)))?;
    let mut growth = 0;
    let append = median(|_| {
        project.pushed(&project.before)?;
        let took = timed(|| project.run(&mut project.job(program, "record")))?;
        growth = project.growth()?;
        Ok(took)
    })?;
    Ok(Commands {
        size,
        full,
        again,
        append,
        growth,
    })
}

fn median(measure: impl FnMut(usize) -> io::Result<Duration>) -> io::Result<Duration> {
    let times: io::Result<Vec<Duration>> = (0..TIMED).map(measure).collect();
    let mut times = times?;
    times.sort();
    Ok(times[TIMED / 2])
}

fn timed(run: impl FnOnce() -> io::Result<String>) -> io::Result<Duration> {
    let begin = Instant::now();
    run()?;
    Ok(begin.elapsed())
}

impl Commands {
    /// Returns whether all is as it was promised.
    #[must_use]
    pub fn is_as_promised(&self) -> bool {
        self.full <= FULL_MAX
            && self.again <= AGAIN_MAX
            && self.append <= APPEND_MAX
            && self.growth <= GROWTH_MAX
    }
}

/// A project with a remote, whose history was kept up to the last commit but one, and with it.
struct Project {
    root: PathBuf,
    /// The last commit of the branch that is measured.
    head: String,
    before: String,
    after: String,
}

impl Project {
    fn make(size: Size, folder: &Path) -> io::Result<Self> {
        let mut project = Self {
            root: folder.to_owned(),
            head: String::new(),
            before: String::new(),
            after: String::new(),
        };
        project.git(&["init", "--quiet", "--bare", "remote.git"])?;
        project.git(&["init", "--quiet", "--initial-branch=main"])?;
        let remote = format!("file://{}", folder.join("remote.git").display());
        project.git(&["remote", "add", "origin", &remote])?;
        let suite = folder.join("bench/kv");
        fs::create_dir_all(&suite)?;
        fs::write(
            suite.join("suite.toml"),
            "about = \"made up\"\n\n[[step]]\nname = \"times\"\nharness = \"criterion\"\nbench = \"times\"\n",
        )?;
        project.import(&commits(size.commits))?;
        project.head = project.git(&["rev-parse", "main"])?;
        fs::write(folder.join(EVENT), push_of(&project.head))?;
        let ids = project.git(&["log", "--reverse", "--format=%H", "main"])?;
        let ids: Vec<&str> = ids.lines().collect();
        let mut runs = Runs::new(size.benchmarks);
        let mut records = String::new();
        let mut last = None;
        for (at, id) in ids.iter().enumerate() {
            if at == 0 || at + 1 == ids.len() {
                let name = if at == 0 { "before" } else { "after" };
                writeln!(
                    records,
                    "commit {DATA}\ncommitter Ada <ada@example.org> 1800000000 +0000\ndata {}\n{name}",
                    name.len()
                )
                .expect("a text takes all that is written");
            }
            let run = runs.of(at, id);
            for file in tripline_history::keep_run(&run).map_err(io::Error::other)? {
                let text = String::from_utf8_lossy(&file.bytes);
                write!(
                    records,
                    "M 100644 inline {}\ndata {}\n{text}\n",
                    file.path,
                    text.len()
                )
                .expect("a text takes all that is written");
            }
            last = Some(run);
        }
        project.import(&records)?;
        project.after = project.git(&["rev-parse", DATA])?;
        project.before = project.git(&["rev-parse", &format!("{DATA}~1")])?;
        let left = folder.join("target/tripline/kv");
        fs::create_dir_all(&left)?;
        let last = last.ok_or_else(|| io::Error::other("there is no commit"))?;
        fs::write(left.join("run.jsonl"), write_run(&last))?;
        project.pushed(&project.before)?;
        Ok(project)
    }

    /// Has the clone's branch of data at a commit.
    fn fetched(&self, commit: &str) -> io::Result<String> {
        self.git(&["update-ref", DATA, commit])
    }

    /// Has the remote's branch of data at a commit, and nothing else in it.
    fn pushed(&self, commit: &str) -> io::Result<()> {
        let remote = self.root.join("remote.git");
        if remote.exists() {
            fs::remove_dir_all(&remote)?;
        }
        self.git(&["init", "--quiet", "--bare", "remote.git"])?;
        let branch = format!("{commit}:refs/heads/tripline-data");
        self.git(&["push", "--quiet", "origin", &branch])?;
        Ok(())
    }

    /// Returns how many bytes the objects take that the remote has since.
    fn growth(&self) -> io::Result<u64> {
        let since = format!("^{}", self.before);
        let usage = [
            "--git-dir=remote.git",
            "rev-list",
            "--objects",
            "--disk-usage",
            "tripline-data",
            &since,
        ];
        self.git(&usage)?.parse().map_err(io::Error::other)
    }

    fn import(&self, stream: &str) -> io::Result<()> {
        let mut child = Command::new("git")
            .args(["fast-import", "--quiet"])
            .current_dir(&self.root)
            .stdin(Stdio::piped())
            .spawn()?;
        let mut stdin = child.stdin.take().expect("it is piped");
        stdin.write_all(stream.as_bytes())?;
        drop(stdin);
        match child.wait()?.success() {
            true => Ok(()),
            false => Err(io::Error::other("git did not take the commits")),
        }
    }

    /// Returns a verb of the program as a job of a push to the default branch runs it: a history is kept of that alone.
    fn job(&self, program: &Path, verb: &str) -> Command {
        let mut command = Command::new("sh");
        let limited = format!("ulimit -d {APPEND_KILOBYTES} && exec \"$@\"");
        command.args(["-c", &limited, "sh"]);
        command.arg(program).arg(verb).envs([
            ("GITHUB_ACTIONS", "true"),
            ("GITHUB_EVENT_NAME", "push"),
            ("GITHUB_EVENT_PATH", EVENT),
            ("GITHUB_REF", "refs/heads/main"),
            ("GITHUB_SHA", &self.head),
            ("GITHUB_REPOSITORY", REPOSITORY),
            ("GITHUB_RUN_ID", "1"),
            ("GITHUB_SERVER_URL", "https://github.com"),
            ("GITHUB_API_URL", "https://api.github.com"),
        ]);
        command
    }

    fn git(&self, args: &[&str]) -> io::Result<String> {
        self.run(Command::new("git").args(args))
    }

    fn run(&self, command: &mut Command) -> io::Result<String> {
        let output = command.current_dir(&self.root).output()?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(io::Error::other(format!("{command:?}: {said}")))
    }
}

/// Returns what GitHub says of a push to the default branch.
fn push_of(head: &str) -> String {
    let repository = json!({ "id": 1, "full_name": REPOSITORY, "default_branch": "main" });
    json!({ "repository": repository, "ref": "refs/heads/main", "before": "b".repeat(40), "after": head }).to_string()
}

/// Writes empty commits, an hour apart.
fn commits(count: usize) -> String {
    let mut stream = String::new();
    for at in 0..count {
        let message = format!("change {at}");
        writeln!(
            stream,
            "commit refs/heads/main\ncommitter Ada <ada@example.org> {} +0000\ndata {}\n{message}",
            1_700_000_000 + 3600 * at,
            message.len()
        )
        .expect("a text takes all that is written");
    }
    stream
}

/// The runs of a suite, one a commit: levels that stay but for a tenth at a third and at two thirds, and scatter.
struct Runs {
    random: Random,
    levels: Vec<f64>,
}

impl Runs {
    fn new(benchmarks: usize) -> Self {
        let mut random = Random::new();
        let levels = (0..benchmarks).map(|_| 50.0 + random.below(10_000_000) as f64 / 7.0);
        Self {
            levels: levels.collect(),
            random,
        }
    }

    fn of(&mut self, at: usize, commit: &str) -> Run {
        let suite = SuiteName::new("kv").expect("the name has the form");
        let hour = i64::try_from(at).expect("there are not so many commits");
        let time = Timestamp::from_second(1_700_000_000 + 3600 * hour).expect("it is a time");
        let name = EnvironmentName::new("debian-12-x86_64").expect("the name has the form");
        let producer = Producer {
            name: "tripline".to_owned(),
            version: "0.1.0".to_owned(),
        };
        let mut run = Run::new(suite.clone(), time, Environment::new(name), producer);
        run.revision = Some(Revision {
            commit: CommitId::new(commit).expect("git says what it is"),
            work_tree: WorkTree::Clean,
        });
        for (index, level) in self.levels.iter_mut().enumerate() {
            if at % 333 == 332 && index % 9 == 0 {
                *level *= 1.1;
            }
            let (group, function, bytes) = parts(index);
            let name = format!("{group}/{function}/{bytes}");
            let bench = BenchId {
                suite: suite.clone(),
                name: BenchName::new(name).expect("the name has the form"),
                params: Params::new(),
            };
            let values: Vec<f64> = (0..5).map(|_| *level * noise(&mut self.random)).collect();
            let reading = Reading {
                metric: Metric::known("wall_time").expect("the metric is known"),
                sample: Sample::new(values).expect("they are numbers above zero"),
            };
            let measured = Measurement::new(bench, vec![reading], None, Vec::new());
            run.insert(measured.expect("it has one reading"))
                .expect("each benchmark is there once");
        }
        run
    }
}

impl Display for Commands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |time: Duration| time.as_secs_f64();
        let Size {
            benchmarks,
            commits,
        } = self.size;
        writeln!(f, "{benchmarks} benchmarks x {commits} commits")?;
        writeln!(
            f,
            "all pages made in         {:.2} s (promised: {}; the page of github-action-benchmark takes 34 s to show as many)",
            seconds(self.full),
            seconds(FULL_MAX)
        )?;
        writeln!(
            f,
            "after one more commit in  {:.2} s (promised: {})",
            seconds(self.again),
            seconds(AGAIN_MAX)
        )?;
        writeln!(
            f,
            "a run appended in         {:.2} s (promised: {}; over file://, with {} kB of data at most)",
            seconds(self.append),
            seconds(APPEND_MAX),
            APPEND_KILOBYTES
        )?;
        write!(
            f,
            "the repository grows by   {} bytes (promised: {GROWTH_MAX})",
            self.growth
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_has_all_its_commits_and_one_that_is_new() {
        let folder = tempfile::tempdir().unwrap();
        let size = Size {
            benchmarks: 3,
            commits: 4,
        };
        let project = Project::make(size, folder.path()).unwrap();
        let records = |commit: &str| {
            let listing = project.git(&["ls-tree", "-r", "--name-only", commit, "records"]);
            listing.unwrap().lines().count()
        };
        assert_eq!((records(&project.before), records(&project.after)), (3, 4));
        assert_eq!(project.growth().unwrap(), 0);
        let branch = format!("{}:refs/heads/tripline-data", project.after);
        project
            .git(&["push", "--quiet", "origin", &branch])
            .unwrap();
        assert!(project.growth().unwrap() > 0);
    }

    #[test]
    fn one_figure_beyond_its_limit_is_enough() {
        let kept = Commands {
            size: Size {
                benchmarks: 3,
                commits: 4,
            },
            full: FULL_MAX,
            again: AGAIN_MAX,
            append: APPEND_MAX,
            growth: GROWTH_MAX,
        };
        assert!(kept.is_as_promised());
        let more = |limit: Duration| limit + Duration::from_millis(1);
        let mut beyond = [(); 4].map(|()| kept.clone());
        beyond[0].full = more(FULL_MAX);
        beyond[1].again = more(AGAIN_MAX);
        beyond[2].append = more(APPEND_MAX);
        beyond[3].growth = GROWTH_MAX + 1;
        assert!(!beyond.iter().any(Commands::is_as_promised));
    }
}
