//! The kinds of events that cause something here. Tested in `tests/hub/event`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::payload::Node;
use super::{EventError, RunId};
use crate::names::{Branch, CommitId, Login, Text};

/// The longest comment GitHub takes, in bytes.
const COMMENT_BYTES_MAX: usize = 4 * 65_536;
/// The longest input of a dispatched workflow GitHub takes.
const INPUT_BYTES_MAX: usize = 65_535;

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A pull request was opened, changed or closed. Jobs caused by it run with the rights of whoever wrote it.
    PullRequest(Box<PullRequest>),
    /// Another workflow ended.
    WorkflowRun(Box<WorkflowRun>),
    /// A reference was moved.
    Push(Push),
    /// It is time.
    Schedule,
    /// Somebody started the workflow, with these inputs.
    WorkflowDispatch(BTreeMap<String, String>),
    /// Somebody commented on an issue or a pull request.
    IssueComment(IssueComment),
    /// Something we do nothing about, by name.
    Other(Text),
}

/// One side of a pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullSide {
    /// The commit it is at.
    pub commit: CommitId,
    /// The branch.
    pub branch: Branch,
    /// Where the branch is, unless that repository was deleted.
    pub repository: Option<HeadRepository>,
}

/// A repository as events name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadRepository {
    /// Its number.
    pub id: u64,
    /// Whose it is.
    pub owner: Login,
}

/// A pull request, as an event tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullRequest {
    /// Its number.
    pub number: u64,
    /// What was done to it.
    pub action: Text,
    /// What it brings.
    pub head: PullSide,
    /// What it is to change.
    pub base: PullSide,
    /// The commit that joins both, where GitHub has made it.
    pub merge_commit: Option<CommitId>,
}

impl PullRequest {
    /// Returns whether it comes from another repository, and so from anybody.
    #[must_use]
    pub fn is_fork(&self) -> bool {
        let id = |side: &PullSide| side.repository.as_ref().map(|repository| repository.id);
        // A repository that was deleted cannot have been this one.
        id(&self.head).is_none() || id(&self.head) != id(&self.base)
    }
}

/// Where the code of a workflow run came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The commit.
    pub commit: CommitId,
    /// The branch, where it was one.
    pub branch: Option<Branch>,
    /// The repository, unless it was deleted.
    pub repository: Option<HeadRepository>,
}

/// A workflow run that ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkflowRun {
    /// Which run, and which attempt.
    pub run: RunId,
    /// What its workflow is called.
    pub name: Option<Text>,
    /// The file of its workflow, such as `.github/workflows/bench.yml`.
    pub path: Text,
    /// What caused it, such as `pull_request`.
    pub event: Text,
    /// How it ended.
    pub conclusion: Option<Text>,
    /// Where its code came from.
    pub head: Head,
    /// The number of the repository it ran in.
    pub repository_id: u64,
    /// The pull requests GitHub names. Empty for forks, and so nothing to rely on.
    pub pull_requests: Vec<u64>,
}

impl WorkflowRun {
    /// Returns whether its workflow is the one in this file.
    #[must_use]
    pub fn is_of(&self, path: &str) -> bool {
        // GitHub writes the reference behind it at times: `.github/workflows/bench.yml@main`.
        let whole = self.path.as_str();
        let file = whole.split_once('@').map_or(whole, |(file, _)| file);
        file == path
    }
}

/// A reference that was moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Push {
    /// The reference, in full.
    pub reference: Text,
    /// Where it was; all zeros where it is new.
    pub before: CommitId,
    /// Where it is; all zeros where it is gone.
    pub after: CommitId,
}

/// A comment on an issue or a pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssueComment {
    /// What was done to it.
    pub action: Text,
    /// Its number.
    pub id: u64,
    /// What it says: anybody's text.
    pub body: String,
    /// Who wrote it.
    pub author: Login,
    /// What GitHub says they are to the repository, such as `MEMBER`. It grants nothing.
    pub association: Text,
    /// The number of the issue or pull request.
    pub issue: u64,
    /// Whether that is a pull request.
    pub is_on_pull: bool,
}

/// Reads what happened.
pub(super) fn read(name: Text, top: &Node<'_>) -> Result<Event, EventError> {
    Ok(match name.as_str() {
        "pull_request" => Event::PullRequest(Box::new(pull_request(top)?)),
        "workflow_run" => Event::WorkflowRun(Box::new(workflow_run(&top.at("workflow_run")?)?)),
        "push" => Event::Push(Push {
            reference: top.at("ref")?.name()?,
            before: top.at("before")?.name()?,
            after: top.at("after")?.name()?,
        }),
        "schedule" => Event::Schedule,
        "workflow_dispatch" => Event::WorkflowDispatch(inputs(top)?),
        "issue_comment" => Event::IssueComment(issue_comment(top)?),
        _ => Event::Other(name),
    })
}

fn pull_request(top: &Node<'_>) -> Result<PullRequest, EventError> {
    let pull = top.at("pull_request")?;
    Ok(PullRequest {
        number: pull.at("number")?.number()?,
        action: top.at("action")?.name()?,
        head: side(&pull.at("head")?)?,
        base: side(&pull.at("base")?)?,
        merge_commit: pull
            .maybe("merge_commit_sha")
            .map(|sha| sha.name())
            .transpose()?,
    })
}

fn side(node: &Node<'_>) -> Result<PullSide, EventError> {
    Ok(PullSide {
        commit: node.at("sha")?.name()?,
        branch: node.at("ref")?.name()?,
        repository: node
            .maybe("repo")
            .map(|node| repository(&node))
            .transpose()?,
    })
}

fn repository(node: &Node<'_>) -> Result<HeadRepository, EventError> {
    Ok(HeadRepository {
        id: node.at("id")?.number()?,
        owner: node.at("owner/login")?.name()?,
    })
}

fn workflow_run(node: &Node<'_>) -> Result<WorkflowRun, EventError> {
    let pulls = match node.maybe("pull_requests") {
        Some(pulls) => pulls.elements()?,
        None => Vec::new(),
    };
    let numbers = pulls.iter().map(|pull| pull.at("number")?.number());
    Ok(WorkflowRun {
        run: RunId {
            id: node.at("id")?.number()?,
            attempt: node.at("run_attempt")?.number()?,
        },
        name: node.maybe("name").map(|name| name.name()).transpose()?,
        path: node.at("path")?.name()?,
        event: node.at("event")?.name()?,
        conclusion: node.maybe("conclusion").map(|how| how.name()).transpose()?,
        head: Head {
            commit: node.at("head_sha")?.name()?,
            branch: node
                .maybe("head_branch")
                .map(|name| name.name())
                .transpose()?,
            repository: node
                .maybe("head_repository")
                .map(|node| repository(&node))
                .transpose()?,
        },
        repository_id: node.at("repository/id")?.number()?,
        pull_requests: numbers.collect::<Result<_, _>>()?,
    })
}

fn inputs(top: &Node<'_>) -> Result<BTreeMap<String, String>, EventError> {
    let Some(inputs) = top.maybe("inputs") else {
        return Ok(BTreeMap::new());
    };
    let mut given = BTreeMap::new();
    for (name, node) in inputs.members()? {
        let value = match node.value() {
            Value::Bool(yes) => yes.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Null => String::new(),
            _ => node.text(INPUT_BYTES_MAX)?.to_owned(),
        };
        given.insert(name.to_owned(), value);
    }
    Ok(given)
}

fn issue_comment(top: &Node<'_>) -> Result<IssueComment, EventError> {
    let comment = top.at("comment")?;
    Ok(IssueComment {
        action: top.at("action")?.name()?,
        id: comment.at("id")?.number()?,
        body: comment.at("body")?.text(COMMENT_BYTES_MAX)?.to_owned(),
        author: comment.at("user/login")?.name()?,
        association: comment.at("author_association")?.name()?,
        issue: top.at("issue/number")?.number()?,
        is_on_pull: top.maybe("issue/pull_request").is_some(),
    })
}
