//! What is said about a commit: check runs and statuses.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A check run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CheckRun {
    /// Its number.
    pub id: u64,
    /// The name it has in the list of checks.
    pub name: String,
    /// The commit it is about.
    pub head_sha: String,
    /// `queued`, `in_progress` or `completed`.
    pub status: String,
    /// How it ended.
    pub conclusion: Option<String>,
    /// The caller's own word for it.
    pub external_id: Option<String>,
    /// Where its details are.
    pub details_url: Option<String>,
    /// When it began.
    pub started_at: Option<String>,
    /// When it ended.
    pub completed_at: Option<String>,
    /// The heading of its page.
    pub title: Option<String>,
    /// What its page begins with.
    pub summary: Option<String>,
    /// What else its page says.
    pub text: Option<String>,
    /// All annotations that were sent, in that order, as they were sent.
    pub annotations: Vec<Value>,
    /// Who made it.
    pub author: String,
}

/// A commit status.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Status {
    /// Its number.
    pub id: u64,
    /// The commit it is about.
    pub sha: String,
    /// `error`, `failure`, `pending` or `success`.
    pub state: String,
    /// The name it has in the list of checks.
    pub context: String,
    /// One line.
    pub description: Option<String>,
    /// Where its details are.
    pub target_url: Option<String>,
    /// Who made it.
    pub author: String,
    /// When.
    pub created_at: String,
}
