//! Where we are. Tested in `tests/hub/event`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::EventError;
use super::kinds::{self, Event};
use super::payload::{self, Node};
use crate::address::Address;
use crate::names::{Branch, CommitId, NameError, RepositoryName, Text};

/// One attempt of a workflow run. Later ones are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId {
    /// The number of the run; a run that began later has a greater one.
    pub id: u64,
    /// Which attempt of the run, from 1.
    pub attempt: u64,
}

/// Where we are and what happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// GitHub's interface.
    pub api: Address,
    /// GitHub's pages.
    pub server: Address,
    /// The repository the workflow belongs to.
    pub repository: RepositoryName,
    /// Its number, where the runner or the payload says it.
    pub repository_id: Option<u64>,
    /// The branch that its workflows for others run on, where the event says it.
    pub default_branch: Option<Branch>,
    /// This run.
    pub run: RunId,
    /// What the workflow is called, where the runner says it.
    pub workflow: Option<Text>,
    /// The workflow's file and the reference it was taken from, where the runner says it.
    pub workflow_reference: Option<Text>,
    /// The commit the workflow runs on.
    pub commit: CommitId,
    /// The reference it runs on, in full.
    pub reference: Text,
    /// Where the job summary goes.
    pub summary_file: Option<PathBuf>,
    /// Where outputs of the step go.
    pub output_file: Option<PathBuf>,
    /// Who started it, where the runner says it.
    pub actor: Option<Text>,
    /// What happened.
    pub event: Event,
}

/// Returns where the runner put the payload.
///
/// # Errors
/// The runner does not say it.
pub fn payload_path(lookup: impl Fn(&str) -> Option<String>) -> Result<PathBuf, EventError> {
    let path = Variables(lookup).set("GITHUB_EVENT_PATH");
    path.map(PathBuf::from).ok_or(EventError::Unset {
        name: "GITHUB_EVENT_PATH",
    })
}

impl Context {
    /// Reads what the runner says. Variables come from a function, and the payload is the bytes of the file at
    /// [`payload_path`].
    ///
    /// # Errors
    /// Something that GitHub always says is missing, or is not what it must be.
    pub fn read(
        lookup: impl Fn(&str) -> Option<String>,
        payload: &[u8],
    ) -> Result<Self, EventError> {
        let variables = Variables(lookup);
        let path: Text = variables.parsed("GITHUB_EVENT_PATH")?;
        let file = path.to_string();
        let value = payload::parse(&file, payload)?;
        let top = Node::top(&file, &value);
        let repository: RepositoryName = variables.parsed("GITHUB_REPOSITORY")?;
        is_about(&top, &repository)?;
        let default_branch = top.maybe("repository/default_branch");
        let event = kinds::read(variables.parsed("GITHUB_EVENT_NAME")?, &top)?;
        let reference: Text = variables.parsed("GITHUB_REF")?;
        Ok(Self {
            api: variables.parsed("GITHUB_API_URL")?,
            server: variables.parsed("GITHUB_SERVER_URL")?,
            repository,
            repository_id: match top.maybe("repository/id") {
                Some(id) => Some(id.number()?),
                None => variables.maybe("GITHUB_REPOSITORY_ID")?,
            },
            default_branch: match default_branch {
                Some(branch) => Some(branch.name()?),
                None => branch_of(&event, &reference)?,
            },
            run: RunId {
                id: variables.parsed("GITHUB_RUN_ID")?,
                attempt: variables.maybe("GITHUB_RUN_ATTEMPT")?.unwrap_or(1),
            },
            workflow: variables.maybe("GITHUB_WORKFLOW")?,
            workflow_reference: variables.maybe("GITHUB_WORKFLOW_REF")?,
            commit: variables.parsed("GITHUB_SHA")?,
            reference,
            summary_file: variables.set("GITHUB_STEP_SUMMARY").map(PathBuf::from),
            output_file: variables.set("GITHUB_OUTPUT").map(PathBuf::from),
            actor: variables.maybe("GITHUB_ACTOR")?,
            event,
        })
    }

    /// Returns the page of this run.
    #[must_use]
    pub fn run_page(&self) -> String {
        let (run, attempt) = (self.run.id.to_string(), self.run.attempt.to_string());
        let path = [
            "actions",
            "runs",
            run.as_str(),
            "attempts",
            attempt.as_str(),
        ];
        self.page(&path)
    }

    /// Returns a page of the repository.
    #[must_use]
    pub fn page(&self, path: &[&str]) -> String {
        let start = [self.repository.owner().as_str(), self.repository.name()];
        let all = start.into_iter().chain(path.iter().copied());
        self.server.below(all).into()
    }
}

/// Checks that payload and environment speak of one repository; the payload of a schedule may name none.
fn is_about(top: &Node<'_>, repository: &RepositoryName) -> Result<(), EventError> {
    let Some(named) = top.maybe("repository/full_name") else {
        return Ok(());
    };
    if named.name::<RepositoryName>()?.is_same_as(repository) {
        return Ok(());
    }
    Err(named.wrong(format!("is not {repository}, as `GITHUB_REPOSITORY` says")))
}

/// Returns the default branch, where the event is of no other: a schedule's payload need not name a repository, and what it
/// starts runs on the default branch alone.
fn branch_of(event: &Event, reference: &Text) -> Result<Option<Branch>, EventError> {
    let name = reference.as_str().strip_prefix("refs/heads/");
    let name = name.filter(|_| *event == Event::Schedule);
    let branch = name.map(str::parse).transpose();
    branch.map_err(|error: NameError| EventError::Variable {
        name: "GITHUB_REF",
        problem: error.to_string(),
    })
}

/// The variables of the runner. One that is empty is not set.
struct Variables<F>(F);

impl<F: Fn(&str) -> Option<String>> Variables<F> {
    fn set(&self, name: &'static str) -> Option<String> {
        (self.0)(name).filter(|value| !value.is_empty())
    }

    fn maybe<T: FromStr<Err: fmt::Display>>(
        &self,
        name: &'static str,
    ) -> Result<Option<T>, EventError> {
        let value = self.set(name).map(|value| value.parse());
        value
            .transpose()
            .map_err(|error: T::Err| EventError::Variable {
                name,
                problem: error.to_string(),
            })
    }

    fn parsed<T: FromStr<Err: fmt::Display>>(&self, name: &'static str) -> Result<T, EventError> {
        self.maybe(name)?.ok_or(EventError::Unset { name })
    }
}
