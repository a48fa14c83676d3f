//! A repository on a GitHub that is not there: the project, its remote, and a pull request or two.

use std::io::Write as _;
use std::path::PathBuf;

use fake_github::{Comment, Fake, Permission, Pull, PullState, Rights, Run, Side, World};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::demo::Demo;
use super::play::{Play, Played};
use crate::project::git;

/// The repository under test.
pub(crate) const HOME: &str = "acme/demo";
/// A stranger's fork of it.
pub(crate) const FORK: &str = "mallory/demo";

/// The token of a privileged run, and the one of a run that may only read.
const MAY_WRITE: &str = "ghs_may_write_0123456789";
const MAY_READ: &str = "ghs_may_read_0123456789";

/// Where a story is played.
pub(crate) struct Scene {
    folder: TempDir,
    /// The stand-in for GitHub.
    pub(crate) fake: Fake,
    /// Further options of act: variables and secrets of the repository, and where more actions are.
    pub(crate) settings: Vec<[String; 2]>,
    runs: u64,
    /// What the remote held when the last play began.
    before: String,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let world = World::new(HOME)
            .with_fork(FORK)
            .with_user("ada", Permission::Write)
            .with_user("mallory", Permission::Read)
            .with_token(MAY_WRITE, Rights::bot())
            .with_token(MAY_READ, Rights::read_only());
        let mut scene = Self {
            folder: tempfile::tempdir().unwrap(),
            fake: Fake::start(world),
            settings: Vec::new(),
            runs: 4000,
            before: String::new(),
        };
        for place in ["home", "store"] {
            std::fs::create_dir_all(scene.at(place)).unwrap();
        }
        let root = scene.at("demo");
        let head = Demo::make(&root, &scene.at("origin.git")).head();
        let mut world = scene.fake.world();
        world.push(HOME, "main", &head);
        // From here on its branches are those of the remote that git knows.
        if let Some(home) = world.repository_mut(HOME) {
            home.git = Some(scene.at("origin.git"));
        }
        drop(world);
        scene.before = scene.branches();
        scene
    }

    pub(crate) fn at(&self, place: &str) -> PathBuf {
        self.folder.path().join(place)
    }

    /// Says something to all jobs from now on, by a variable of their environment.
    pub(crate) fn say(&mut self, name: &'static str, value: &str) {
        let said = ["--env".to_owned(), format!("{name}={value}")];
        self.settings.push(said);
    }

    /// Opens a pull request of a branch, or notes that it was pushed to.
    pub(crate) fn pull(&self, number: u64, repository: &str, branch: &str, sha: &str, base: &str) {
        let mut world = self.fake.world();
        if let Some(pull) = world.pull_mut(number) {
            sha.clone_into(&mut pull.head.sha);
            return;
        }
        let head = Side::new(repository, branch, sha);
        let pull = Pull::new(number, head, Side::new(HOME, "main", base));
        *world = std::mem::take(&mut *world).with_pull(pull);
    }

    /// Plays stage one of a pull request: what is checked out is the merge, the token may only read. On a fork there is none:
    /// whatever needed one would fail.
    pub(crate) fn measured(&mut self, number: u64) -> (u64, Played) {
        self.runs += 1;
        let payload = self.pull_payload(number);
        let head = self.fake.world().pull(number).unwrap().head.clone();
        let is_own = head.repository.as_deref() == Some(HOME);
        let played = self.play(self.runs, is_own.then_some(MAY_READ)).run(
            "bench-pr",
            "pull_request",
            &payload,
        );
        (self.runs, played)
    }

    /// Plays stage two after a run of stage one: GitHub keeps what the run left behind, and starts the publisher.
    pub(crate) fn published(&mut self, number: u64, run: u64) -> Played {
        let pull = self.fake.world().pull(number).unwrap().clone();
        let report = self.at(&format!("store/{run}/tripline-report/report.jsonl"));
        let zip = zipped(&[("report.jsonl", &std::fs::read(report).unwrap())]);
        self.published_with(run, &pull.head, zip)
    }

    /// Plays stage two of a run that is said to be of this head, with this for its artifact.
    pub(crate) fn published_with(&mut self, run: u64, head: &Side, zip: Vec<u8>) -> Played {
        self.published_of(run, head, "success", Some(zip))
    }

    /// Plays stage two of a run that ended so.
    pub(crate) fn published_of(
        &mut self,
        run: u64,
        head: &Side,
        conclusion: &str,
        zip: Option<Vec<u8>>,
    ) -> Played {
        {
            let mut world = self.fake.world();
            let mut taken = std::mem::take(&mut *world).with_run(Run {
                id: run,
                name: "bench-pr".to_owned(),
                conclusion: Some(conclusion.to_owned()),
                head_repository: head.repository.clone().unwrap_or_default(),
                head_branch: head.branch.clone(),
                head_sha: head.sha.clone(),
                ..Run::default()
            });
            if let Some(zip) = zip {
                taken = taken.with_artifact(run, "tripline-report", zip);
            }
            *world = taken;
        }
        let mut payload = self.run_payload(run, head);
        payload["workflow_run"]["conclusion"] = conclusion.into();
        // It runs what the default branch holds, not what the pull request does.
        Demo::at(&self.at("demo")).git(&["switch", "--quiet", "--detach", "main"]);
        self.runs += 1;
        self.play(self.runs, Some(MAY_WRITE))
            .run("bench-publish", "workflow_run", &payload)
    }

    /// Plays a workflow of the default branch.
    pub(crate) fn on_main(&mut self, workflow: &str, event: &str, payload: &Value) -> Played {
        self.runs += 1;
        self.play(self.runs, Some(MAY_WRITE))
            .run(workflow, event, payload)
    }

    fn play(&mut self, run: u64, token: Option<&'static str>) -> Play {
        self.before = self.branches();
        Play {
            project: self.at("demo"),
            home: self.at("home"),
            store: self.at("store"),
            api: self.fake.url(),
            run,
            token,
            settings: self.settings.clone(),
        }
    }

    /// Asks the remote.
    pub(crate) fn remote(&self, args: &[&str]) -> String {
        let origin = self.at("origin.git").display().to_string();
        git(
            self.folder.path(),
            &[&["--git-dir", &origin], args].concat(),
        )
    }

    /// Closes or reopens a pull request.
    pub(crate) fn set_state(&self, number: u64, state: PullState) {
        self.fake.world().pull_mut(number).unwrap().state = state;
    }

    /// What stands under a pull request.
    pub(crate) fn comments(&self, number: u64) -> Vec<Comment> {
        let world = self.fake.world();
        world.comments_on(number).into_iter().cloned().collect()
    }

    /// The first line that is shown of the only comment under a pull request.
    #[track_caller]
    pub(crate) fn only_comment(&self, number: u64) -> (u64, String) {
        let comments = self.comments(number);
        assert_eq!(comments.len(), 1, "{comments:#?}");
        let lines = comments[0].body.lines();
        let mut shown = lines.filter(|line| !line.is_empty() && !line.starts_with("<!--"));
        (comments[0].id, shown.next().unwrap_or_default().to_owned())
    }

    /// What the remote holds.
    fn branches(&self) -> String {
        self.remote(&["for-each-ref", "--format=%(refname) %(objectname)"])
    }

    /// Fails the test if anything was ever written through GitHub's interface, or pushed by the last play.
    #[track_caller]
    pub(crate) fn assert_nothing_was_written(&self) {
        assert_eq!(self.branches(), self.before, "it pushed");
        let seen = self.fake.seen();
        let writes: Vec<_> = seen.iter().filter(|seen| seen.method != "GET").collect();
        assert!(writes.is_empty(), "{writes:#?}");
    }

    /// Fails the test if a request was none that GitHub describes.
    #[track_caller]
    pub(crate) fn assert_contract(&self) {
        let seen = self.fake.seen();
        let wrong: Vec<_> = seen
            .iter()
            .filter(|seen| seen.violation.is_some())
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    /// How often GitHub's interface was asked; where it keeps files is another place.
    pub(crate) fn requests(&self) -> usize {
        let seen = self.fake.seen();
        seen.iter()
            .filter(|seen| seen.path.starts_with("/repos/"))
            .count()
    }

    fn ids(&self) -> (u64, u64) {
        let world = self.fake.world();
        let id = |name| world.repository(name).map_or(0, |repository| repository.id);
        (id(HOME), id(FORK))
    }

    fn repository(&self, name: &str) -> Value {
        let (home, fork) = self.ids();
        let id = if name == HOME { home } else { fork };
        let (owner, short) = name.split_once('/').unwrap_or_default();
        json!({
            "id": id, "name": short, "full_name": name, "private": false, "fork": name != HOME,
            "default_branch": "main", "owner": { "login": owner, "id": 1, "type": "User" },
            "html_url": format!("https://github.com/{name}"),
        })
    }

    fn pull_payload(&self, number: u64) -> Value {
        let pull = self.fake.world().pull(number).unwrap().clone();
        let side = |side: &Side| {
            let name = side.repository.as_deref().unwrap_or_default();
            json!({
                "label": format!("{}:{}", side.owner().unwrap_or_default(), side.branch),
                "ref": side.branch, "sha": side.sha, "repo": self.repository(name),
                "user": { "login": side.owner(), "id": 1, "type": "User" },
            })
        };
        json!({
            "action": "synchronize", "number": number,
            "pull_request": {
                "number": number, "state": "open", "title": "Tune get", "draft": false,
                "head": side(&pull.head), "base": side(&pull.base),
                "user": { "login": "octocat", "id": 2, "type": "User" },
            },
            "repository": self.repository(HOME),
            "sender": { "login": "octocat", "id": 2, "type": "User" },
        })
    }

    fn run_payload(&self, run: u64, head: &Side) -> Value {
        let name = head.repository.as_deref().unwrap_or_default();
        json!({
            "action": "completed",
            "workflow_run": {
                "id": run, "name": "bench-pr", "path": ".github/workflows/bench-pr.yml", "workflow_id": 1,
                "event": "pull_request", "status": "completed", "conclusion": "success",
                "head_branch": head.branch, "head_sha": head.sha, "run_number": 1, "run_attempt": 1,
                "head_repository": self.repository(name), "repository": self.repository(HOME),
                "pull_requests": [], "html_url": format!("https://github.com/{HOME}/actions/runs/{run}"),
            },
            "workflow": { "id": 1, "name": "bench-pr", "path": ".github/workflows/bench-pr.yml" },
            "repository": self.repository(HOME),
            "sender": { "login": "octocat", "id": 2, "type": "User" },
        })
    }

    /// What GitHub says of a push to the default branch.
    pub(crate) fn push_payload(&self, sha: &str) -> Value {
        json!({
            "ref": "refs/heads/main", "before": "0".repeat(40), "after": sha, "created": false, "deleted": false,
            "forced": false, "repository": self.repository(HOME), "commits": [],
            "head_commit": { "id": sha, "message": "m", "timestamp": "2026-01-02T03:04:05Z" },
            "pusher": { "name": "ada" }, "sender": { "login": "ada", "id": 2, "type": "User" },
        })
    }

    /// What GitHub says of a comment under a pull request.
    pub(crate) fn comment_payload(
        &self,
        number: u64,
        comment: u64,
        author: &str,
        body: &str,
    ) -> Value {
        json!({
            "action": "created",
            "issue": {
                "number": number, "state": "open", "title": "Tune get",
                "pull_request": { "url": format!("https://api.github.com/repos/{HOME}/pulls/{number}") },
                "user": { "login": "octocat", "id": 2, "type": "User" },
            },
            "comment": {
                "id": comment, "body": body, "author_association": "COLLABORATOR",
                "user": { "login": author, "id": 3, "type": "User" },
            },
            "repository": self.repository(HOME),
            "sender": { "login": author, "id": 3, "type": "User" },
        })
    }
}

/// Packs files as the runner packs an artifact.
pub(crate) fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, bytes) in files {
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}
