//! A repository on a GitHub that is not there, with a pull request that is red, and the jobs of the default branch that
//! tell it so and answer it. The workflows themselves are played in `act`.

use std::io::Write as _;
use std::process::Command;

use fake_github::{BOT, Comment, Fake, Job, Permission, Pull, Rights, Run, Side, World};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::project::{Ended, Project, git};

pub(crate) const HOME: &str = "acme/demo";
pub(crate) const FORK: &str = "mallory/demo";
const TOKEN: &str = "ghs_may_write_0123456789";
/// The run of the jobs here.
const JOB: &str = "9000";

pub(crate) struct Stage {
    pub(crate) project: Project,
    remote: TempDir,
    pub(crate) fake: Fake,
    /// What `get` came to, by the report of the pull request.
    pub(crate) report: Vec<u8>,
    /// Where the pull request is.
    pub(crate) head: String,
}

impl Stage {
    /// Pull request 7 comes from a branch of the repository, and 8 from a fork, on the same commit.
    pub(crate) fn new() -> Self {
        let project = Project::with_suite();
        let remote = tempfile::tempdir().unwrap();
        let world = World::new(HOME)
            .with_fork(FORK)
            .with_user("ada", Permission::Write)
            .with_user("mallory", Permission::Read)
            .with_token(TOKEN, Rights::bot());
        let mut stage = Self {
            project,
            remote,
            fake: Fake::start(world),
            report: Vec::new(),
            head: String::new(),
        };
        stage.set_up();
        stage
    }

    fn set_up(&mut self) {
        self.project.write(".gitignore", "target\nevent.json\n");
        self.project.write(".github/workflows/baseline.yml", "");
        self.project.tripline(&["check"]).with(0);
        self.project.tripline(&["baseline", "update"]).with(0);
        let bare = self.remote.path().display().to_string();
        self.git(&["init", "--quiet", "--bare", "--initial-branch=main", &bare]);
        self.git(&["init", "--quiet", "--initial-branch=main"]);
        self.git(&["config", "user.name", "Ada"]);
        self.git(&["config", "user.email", "ada@example.org"]);
        self.git(&["remote", "add", "origin", &bare]);
        self.commit("the project");
        self.git(&["switch", "--quiet", "--create", "tune"]);
        self.report = self.measured(1_500_000);
        self.head = self.commit("tune get");
        self.git(&["push", "--quiet", "origin", "main", "tune"]);
        self.git(&["switch", "--quiet", "main"]);
        let main = Side::new(HOME, "main", &self.git(&["rev-parse", "main"]));
        let mut world = self.fake.world();
        for (number, repository) in [(7, HOME), (8, FORK)] {
            let head = Side::new(repository, "tune", &self.head);
            let pull = Pull::new(number, head, main.clone());
            *world = std::mem::take(&mut *world).with_pull(pull);
        }
        // From here on its branches are those of the remote.
        world.repository_mut(HOME).unwrap().git = Some(self.remote.path().to_owned());
    }

    /// Returns the report of a head on which `get` counts so much, and leaves the files so.
    pub(crate) fn measured(&self, get: u64) -> Vec<u8> {
        self.project.measures(&[("get", get), ("set", 2_000_000)]);
        self.project.tripline(&["check"]).with(10);
        std::fs::read(self.project.at("target/tripline/report.jsonl")).unwrap()
    }

    pub(crate) fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    #[track_caller]
    pub(crate) fn git(&self, args: &[&str]) -> String {
        git(self.project.path(), args)
    }

    /// Asks the remote what its branch `tune` holds.
    pub(crate) fn there(&self, args: &[&str]) -> String {
        let remote = self.remote.path().display().to_string();
        self.git(&[&["--git-dir", &remote], args].concat())
    }

    /// Lets somebody else be faster by a moment: when the next push comes, `tune` moves to a commit that the remote has.
    pub(crate) fn overtake(&self, commit: &str) {
        let hook = self.remote.path().join("hooks/pre-receive");
        // git lets no hook move branches while a push is looked at, unless it does not notice.
        let script = format!(
            "#!/bin/sh\nrm '{0}'\nunset GIT_QUARANTINE_PATH\ngit update-ref refs/heads/tune {commit}\n",
            hook.display()
        );
        // Written by another process: while a thread of ours held it open, another could not start it.
        let shell = format!(
            "mkdir -p '{0}' && cat >'{1}' <<'END'\n{script}END\nchmod +x '{1}'",
            self.remote.path().join("hooks").display(),
            hook.display()
        );
        let written = Command::new("sh").args(["-c", &shell]).status().unwrap();
        assert!(written.success());
    }

    /// Lets a run of stage one leave something, and returns its number.
    pub(crate) fn uploaded(&self, run: u64, repository: &str, report: &[u8]) -> u64 {
        let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file("report.jsonl", options).unwrap();
        zip.write_all(report).unwrap();
        self.uploaded_zip(run, repository, zip.finish().unwrap().into_inner())
    }

    pub(crate) fn uploaded_zip(&self, run: u64, repository: &str, zip: Vec<u8>) -> u64 {
        let mut world = self.fake.world();
        *world = std::mem::take(&mut *world)
            .with_run(Run {
                id: run,
                head_repository: repository.to_owned(),
                head_branch: "tune".to_owned(),
                head_sha: self.head.clone(),
                ..Run::default()
            })
            .with_artifact(run, "tripline-report", zip);
        world.artifacts.last().unwrap().id
    }

    /// Lets a run be tried again: these jobs ran in an attempt, each with how it ended and when it was started.
    pub(crate) fn tried(&self, (run, attempt): (u64, u64), jobs: &[(&str, &str, &str)]) {
        let jobs = jobs.iter().map(|(name, conclusion, started_at)| Job {
            run,
            attempt,
            name: (*name).to_owned(),
            conclusion: (*conclusion).to_owned(),
            started_at: (*started_at).to_owned(),
        });
        self.fake.world().jobs.extend(jobs);
    }

    /// Lets stage two tell what an attempt of a run left, which ended so.
    pub(crate) fn told(
        &self,
        repository: &str,
        (run, attempt): (u64, u64),
        conclusion: &str,
    ) -> Ended {
        let mut telling = self.telling(repository, (run, attempt), conclusion);
        Ended::of(telling.output().unwrap(), self.project.path())
    }

    /// Prepares stage two to do so.
    pub(crate) fn telling(
        &self,
        repository: &str,
        (run, attempt): (u64, u64),
        conclusion: &str,
    ) -> Command {
        let payload = json!({
            "action": "completed",
            "workflow_run": {
                "id": run, "run_attempt": attempt,
                "name": "bench-pr", "path": ".github/workflows/bench-pr.yml",
                "event": "pull_request", "conclusion": conclusion,
                "head_branch": "tune", "head_sha": self.head,
                "head_repository": self.repository(repository), "repository": self.repository(HOME),
                "pull_requests": [],
            },
            "repository": self.repository(HOME),
        });
        self.prepared("workflow_run", &payload, &["publish"])
    }

    /// Lets somebody comment on a pull request, and answers.
    pub(crate) fn answered(&self, pull: u64, who: &str, text: &str) -> Ended {
        let comment = self.fake.world().add_comment(pull, who, text);
        self.answer(pull, who, (comment, text), &[])
    }

    /// Answers a comment, of which the event says this.
    pub(crate) fn answer(
        &self,
        pull: u64,
        who: &str,
        (comment, text): (u64, &str),
        args: &[&str],
    ) -> Ended {
        let payload = json!({
            "action": "created",
            "issue": { "number": pull, "pull_request": { "url": "x" } },
            "comment": {
                "id": comment, "body": text, "author_association": "NONE", "user": { "login": who },
            },
            "repository": self.repository(HOME),
        });
        self.job(
            "issue_comment",
            &payload,
            &[&["baseline", "answer"], args].concat(),
        )
    }

    /// Runs the program in a job of the default branch.
    pub(crate) fn job(&self, event: &str, payload: &Value, args: &[&str]) -> Ended {
        let mut command = self.prepared(event, payload, args);
        Ended::of(command.output().unwrap(), self.project.path())
    }

    fn prepared(&self, event: &str, payload: &Value, args: &[&str]) -> Command {
        self.project.write("event.json", &payload.to_string());
        let mut command: Command = self.project.command(args);
        command
            .env("GITHUB_EVENT_NAME", event)
            .env("GITHUB_EVENT_PATH", self.project.at("event.json"))
            .env("GITHUB_REPOSITORY", HOME)
            .env("GITHUB_API_URL", self.fake.url())
            .env("GITHUB_SERVER_URL", "https://github.com")
            .env("GITHUB_RUN_ID", JOB)
            .env("GITHUB_SHA", self.git(&["rev-parse", "main"]))
            .env("GITHUB_REF", "refs/heads/main")
            .env("GITHUB_ACTOR", "ada")
            .env("GITHUB_STEP_SUMMARY", self.project.at("target/summary.md"))
            .env("GITHUB_TOKEN", TOKEN);
        command
    }

    fn repository(&self, name: &str) -> Value {
        let world = self.fake.world();
        let repository = world.repository(name).unwrap();
        json!({
            "id": repository.id, "full_name": name, "default_branch": "main",
            "owner": { "login": repository.owner() },
        })
    }

    /// What we said on a pull request.
    pub(crate) fn said(&self, pull: u64) -> Vec<Comment> {
        let world = self.fake.world();
        let comments = world.comments_on(pull).into_iter();
        comments.filter(|it| it.author == BOT).cloned().collect()
    }

    /// The reactions so far.
    pub(crate) fn reactions(&self) -> Vec<String> {
        let world = self.fake.world();
        let reactions = world.reactions.iter();
        reactions.map(|it| it.content.clone()).collect()
    }

    /// How often GitHub's interface was asked; where it keeps files is another place.
    pub(crate) fn requests(&self) -> usize {
        let seen = self.fake.seen();
        let asked = seen.iter().filter(|it| it.path.starts_with("/repos/"));
        asked.count()
    }

    /// How often something was to be changed.
    pub(crate) fn writes(&self) -> usize {
        let seen = self.fake.seen();
        seen.iter().filter(|it| it.method != "GET").count()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert_eq!(self.fake.violations(), [""; 0]);
        }
    }
}
