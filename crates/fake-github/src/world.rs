//! The state: what exists on this GitHub, as plain data that a test may build, look at and change.
//!
//! Everything but the contents of repositories belongs to the first repository, which is the one under test; others are
//! its forks. The same types are the JSON of the program's `--world` and `--state-out`, so one may be fed the other.
//!
//! Tested through the operations, and for its JSON in `tests/fake/program.rs`.

use std::{collections::BTreeMap, path::PathBuf};

use serde::{Deserialize, Serialize};

mod actions;
mod checks;
mod issues;
mod repository;
mod rights;

pub use actions::{Artifact, Deployment, Dispatch, Job, Run};
pub use checks::{CheckRun, Status};
pub use issues::{Comment, Pull, PullState, Reaction, Side};
pub use repository::{Commit, Repository, digest};
pub use rights::{Access, BOT, Permission, Rights, Scope};

use crate::{fault::Fault, time};

/// All there is.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct World {
    /// The first is the one under test.
    pub repositories: Vec<Repository>,
    /// What people may do in the repository under test, by login.
    pub permissions: BTreeMap<String, Permission>,
    /// Whom a token stands for and what it may be used for, by the token.
    pub tokens: BTreeMap<String, Rights>,
    /// Pull requests.
    pub pulls: Vec<Pull>,
    /// Comments on issues and pull requests.
    pub comments: Vec<Comment>,
    /// Reactions to comments.
    pub reactions: Vec<Reaction>,
    /// Check runs.
    pub check_runs: Vec<CheckRun>,
    /// Commit statuses.
    pub statuses: Vec<Status>,
    /// Workflow runs.
    pub runs: Vec<Run>,
    /// Jobs of their attempts, as far as somebody asks for them.
    pub jobs: Vec<Job>,
    /// Artifacts of workflow runs.
    pub artifacts: Vec<Artifact>,
    /// A folder whose files `RUN_ID/NAME.zip` are artifacts too, from the moment they are there.
    pub artifact_folder: Option<PathBuf>,
    /// Workflows that were asked to start.
    pub dispatches: Vec<Dispatch>,
    /// Sites that were asked to be published.
    pub deployments: Vec<Deployment>,
    /// What goes wrong next. Each is taken off when it has happened as often as it should.
    pub faults: Vec<Fault>,
    /// How the repository under test is set up.
    pub settings: Settings,
    /// Seconds since 1970 at which the last thing happened. The clock moves by one with each write.
    pub now: i64,
    /// The last number given to anything; the next thing gets the next one.
    pub last_id: u64,
}

/// Settings of the repository under test, and of the server around it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Whether workflows run at all.
    pub actions_enabled: bool,
    /// Whose actions may run: `all`, `local_only` or `selected`.
    pub allowed_actions: String,
    /// "Allow GitHub Actions to create and approve pull requests".
    pub actions_may_create_pulls: bool,
    /// What the token of a workflow may do where the workflow does not say: write, or only read.
    pub workflows_may_write: bool,
    /// Requests an hour.
    pub rate_limit: u64,
    /// Requests already counted. At the limit everything is refused.
    pub rate_used: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            actions_enabled: true,
            allowed_actions: "all".to_owned(),
            actions_may_create_pulls: true,
            workflows_may_write: false,
            rate_limit: 1000,
            rate_used: 0,
        }
    }
}

impl Default for World {
    fn default() -> Self {
        Self {
            repositories: Vec::new(),
            permissions: BTreeMap::new(),
            tokens: BTreeMap::new(),
            pulls: Vec::new(),
            comments: Vec::new(),
            reactions: Vec::new(),
            check_runs: Vec::new(),
            statuses: Vec::new(),
            runs: Vec::new(),
            jobs: Vec::new(),
            artifacts: Vec::new(),
            artifact_folder: None,
            dispatches: Vec::new(),
            deployments: Vec::new(),
            faults: Vec::new(),
            settings: Settings::default(),
            now: time::START,
            last_id: 1000,
        }
    }
}

impl World {
    /// A world with one public repository (`owner/name`), its owner as administrator, and nothing in it.
    pub fn new(repository: &str) -> Self {
        let mut world = Self::default();
        let id = world.new_id();
        let repository = Repository::new(id, repository);
        world
            .permissions
            .insert(repository.owner().to_owned(), Permission::Admin);
        world.repositories.push(repository);
        world
    }

    /// Adds somebody with a role in the repository under test.
    #[must_use]
    pub fn with_user(mut self, login: &str, permission: Permission) -> Self {
        self.permissions.insert(login.to_owned(), permission);
        self
    }

    /// Adds a fork of the repository under test.
    #[must_use]
    pub fn with_fork(mut self, name: &str) -> Self {
        let id = self.new_id();
        let mut fork = Repository::new(id, name);
        fork.fork_of = self.repositories.first().map(|home| home.name.clone());
        self.repositories.push(fork);
        self
    }

    /// Adds a pull request. Its branches come to be in the repositories, where they are not there yet.
    #[must_use]
    pub fn with_pull(mut self, pull: Pull) -> Self {
        for side in [&pull.head, &pull.base] {
            let repository = side
                .repository
                .as_deref()
                .and_then(|name| self.repository_mut(name));
            if let Some(repository) = repository {
                let reference = format!("refs/heads/{}", side.branch);
                let refs = &mut repository.refs;
                refs.entry(reference).or_insert_with(|| side.sha.clone());
            }
        }
        self.pulls.push(pull);
        self
    }

    /// Adds a comment of somebody on an issue or pull request.
    #[must_use]
    pub fn with_comment(mut self, issue: u64, author: &str, body: &str) -> Self {
        self.add_comment(issue, author, body);
        self
    }

    /// Adds a workflow run.
    #[must_use]
    pub fn with_run(mut self, run: Run) -> Self {
        self.runs.push(run);
        self
    }

    /// Adds a job of an attempt of a workflow run.
    #[must_use]
    pub fn with_job(mut self, job: Job) -> Self {
        self.jobs.push(job);
        self
    }

    /// Adds an artifact of a workflow run.
    #[must_use]
    pub fn with_artifact(mut self, run: u64, name: &str, zip: impl Into<Vec<u8>>) -> Self {
        let mut artifact = Artifact::new(self.new_id(), run, name, zip.into());
        artifact.created_at = self.tick();
        self.artifacts.push(artifact);
        self
    }

    /// Adds a token.
    #[must_use]
    pub fn with_token(mut self, token: &str, rights: Rights) -> Self {
        self.tokens.insert(token.to_owned(), rights);
        self
    }

    /// Commits one file to a branch of the repository under test.
    #[must_use]
    pub fn with_file(mut self, branch: &str, path: &str, bytes: &[u8]) -> Self {
        let at = self.tick();
        if let Some(home) = self.repositories.first_mut() {
            let message = format!("Add {path}");
            home.commit_file(branch, path, Some(bytes), &message, &at);
        }
        self
    }

    /// The repository under test.
    pub fn home(&self) -> Option<&Repository> {
        self.repositories.first()
    }

    /// Finds a repository by `owner/name`, in whatever case.
    pub fn repository(&self, name: &str) -> Option<&Repository> {
        let mut all = self.repositories.iter();
        all.find(|repository| repository.name.eq_ignore_ascii_case(name))
    }

    /// Finds a repository by `owner/name`, in whatever case, to change it.
    pub fn repository_mut(&mut self, name: &str) -> Option<&mut Repository> {
        let mut all = self.repositories.iter_mut();
        all.find(|repository| repository.name.eq_ignore_ascii_case(name))
    }

    /// Finds a pull request by its number.
    pub fn pull(&self, number: u64) -> Option<&Pull> {
        self.pulls.iter().find(|pull| pull.number == number)
    }

    /// Finds a pull request by its number, to change it.
    pub fn pull_mut(&mut self, number: u64) -> Option<&mut Pull> {
        self.pulls.iter_mut().find(|pull| pull.number == number)
    }

    /// The comments on one issue or pull request, oldest first.
    pub fn comments_on(&self, issue: u64) -> Vec<&Comment> {
        let mut found: Vec<&Comment> = self
            .comments
            .iter()
            .filter(|comment| comment.issue == issue)
            .collect();
        found.sort_by_key(|comment| comment.id);
        found
    }

    /// Adds a comment, and returns its number.
    pub fn add_comment(&mut self, issue: u64, author: &str, body: &str) -> u64 {
        let id = self.new_id();
        let at = self.tick();
        self.comments.push(Comment {
            id,
            issue,
            author: author.to_owned(),
            body: body.to_owned(),
            created_at: at.clone(),
            updated_at: at,
        });
        id
    }

    /// Moves a branch to a commit, and the open pull requests from and to it with it: what a push does.
    pub fn push(&mut self, repository: &str, branch: &str, sha: &str) {
        if let Some(repository) = self.repository_mut(repository) {
            let reference = format!("refs/heads/{branch}");
            repository.refs.insert(reference, sha.to_owned());
        }
        self.follow_branches();
    }

    /// Lets open pull requests follow their branches.
    pub(crate) fn follow_branches(&mut self) {
        for pull in &mut self.pulls {
            if pull.state == PullState::Closed {
                continue;
            }
            for side in [&mut pull.head, &mut pull.base] {
                let reference = format!("refs/heads/{}", side.branch);
                let mut repositories = self.repositories.iter();
                let repository = repositories.find(|it| Some(&it.name) == side.repository.as_ref());
                if let Some(sha) = repository.and_then(|it| it.refs.get(&reference)) {
                    side.sha.clone_from(sha);
                }
            }
        }
    }

    /// A number higher than all before, also where a test gave some itself.
    pub(crate) fn new_id(&mut self) -> u64 {
        let given = [
            self.repositories.iter().map(|it| it.id).max(),
            self.comments.iter().map(|it| it.id).max(),
            self.reactions.iter().map(|it| it.id).max(),
            self.check_runs.iter().map(|it| it.id).max(),
            self.statuses.iter().map(|it| it.id).max(),
            self.artifacts.iter().map(|it| it.id).max(),
            self.deployments.iter().map(|it| it.id).max(),
        ];
        let highest = given.into_iter().flatten().max().unwrap_or_default();
        self.last_id = self.last_id.max(highest) + 1;
        self.last_id
    }

    /// Lets a second pass, and says what time it is.
    pub(crate) fn tick(&mut self) -> String {
        self.now += 1;
        time::stamp(self.now)
    }
}
