//! Pull requests, and what is said on them.

use serde::{Deserialize, Serialize};

use crate::time;

/// A pull request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pull {
    /// The number people know it by.
    pub number: u64,
    /// One line.
    pub title: String,
    /// What its author wrote.
    pub body: Option<String>,
    /// Whether it is still open.
    pub state: PullState,
    /// Whether it was merged; then it is closed, too.
    pub merged: bool,
    /// Whether it is not to be reviewed yet.
    pub draft: bool,
    /// Who opened it.
    pub author: String,
    /// Names of labels.
    pub labels: Vec<String>,
    /// What is to be merged.
    pub head: Side,
    /// Where to.
    pub base: Side,
}

/// Whether a pull request is still open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PullState {
    /// It is.
    #[default]
    Open,
    /// It is not.
    Closed,
}

/// One side of a pull request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Side {
    /// `owner/name`; nothing where a fork was deleted.
    pub repository: Option<String>,
    /// The branch, without `refs/heads/`.
    pub branch: String,
    /// The commit.
    pub sha: String,
}

impl Side {
    /// A branch of a repository, and the commit it is at.
    pub fn new(repository: &str, branch: &str, sha: &str) -> Self {
        Self {
            repository: Some(repository.to_owned()),
            branch: branch.to_owned(),
            sha: sha.to_owned(),
        }
    }

    /// Who owns the repository.
    pub fn owner(&self) -> Option<&str> {
        let (owner, _) = self.repository.as_deref()?.split_once('/')?;
        Some(owner)
    }
}

impl Pull {
    /// An open pull request of somebody called `octocat`.
    pub fn new(number: u64, head: Side, base: Side) -> Self {
        Self {
            number,
            head,
            base,
            ..Self::default()
        }
    }
}

impl Default for Pull {
    fn default() -> Self {
        Self {
            number: 1,
            title: "A change".to_owned(),
            body: None,
            state: PullState::Open,
            merged: false,
            draft: false,
            author: "octocat".to_owned(),
            labels: Vec::new(),
            head: Side::default(),
            base: Side::default(),
        }
    }
}

/// A comment on an issue or pull request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Comment {
    /// Later comments have higher ones.
    pub id: u64,
    /// The number of the issue or pull request.
    pub issue: u64,
    /// Who wrote it.
    pub author: String,
    /// What it says, in Markdown.
    pub body: String,
    /// When it was written.
    pub created_at: String,
    /// When it was last changed.
    pub updated_at: String,
}

impl Default for Comment {
    fn default() -> Self {
        Self {
            id: 1,
            issue: 1,
            author: "octocat".to_owned(),
            body: String::new(),
            created_at: time::stamp(time::START),
            updated_at: time::stamp(time::START),
        }
    }
}

/// A reaction to a comment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reaction {
    /// Its number.
    pub id: u64,
    /// The comment.
    pub comment: u64,
    /// Who reacted.
    pub login: String,
    /// How: `+1`, `eyes` and so on.
    pub content: String,
    /// When.
    pub created_at: String,
}
