//! Workflow runs and what they leave behind.

use std::path::PathBuf;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::Value;

use crate::time;

/// A workflow run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Run {
    /// Its number.
    pub id: u64,
    /// The workflow's name.
    pub name: String,
    /// The workflow's file.
    pub path: String,
    /// The workflow's number.
    pub workflow_id: u64,
    /// What started it.
    pub event: String,
    /// How far it is.
    pub status: String,
    /// How it ended.
    pub conclusion: Option<String>,
    /// The repository the commit comes from.
    pub head_repository: String,
    /// The branch the commit comes from.
    pub head_branch: String,
    /// The commit.
    pub head_sha: String,
    /// Who started it.
    pub actor: String,
    /// Counted from 1; a second try is 2.
    pub attempt: u64,
}

impl Default for Run {
    fn default() -> Self {
        Self {
            id: 1,
            name: "bench".to_owned(),
            path: ".github/workflows/bench-pr.yml".to_owned(),
            workflow_id: 1,
            event: "pull_request".to_owned(),
            status: "completed".to_owned(),
            conclusion: Some("success".to_owned()),
            head_repository: String::new(),
            head_branch: String::new(),
            head_sha: String::new(),
            actor: "octocat".to_owned(),
            attempt: 1,
        }
    }
}

/// A job of an attempt of a workflow run, which has come to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The run.
    pub run: u64,
    /// The attempt, from 1.
    pub attempt: u64,
    /// What it is called; one of a called workflow has the caller's name in front.
    pub name: String,
    /// How it ended.
    pub conclusion: String,
    /// When it was started.
    pub started_at: String,
}

/// An artifact of a workflow run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Artifact {
    /// Its number.
    pub id: u64,
    /// The workflow run it belongs to.
    pub run: u64,
    /// Its name.
    pub name: String,
    /// What GitHub says its size is. A test may let it lie.
    pub size_in_bytes: u64,
    /// Whether it is gone: then it is still listed, and its bytes answer 410.
    #[serde(default)]
    pub expired: bool,
    /// When it was uploaded.
    #[serde(default = "at_the_beginning")]
    pub created_at: String,
    /// Its bytes, where they are not in a file.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        serialize_with = "to_base64",
        deserialize_with = "from_base64"
    )]
    pub zip: Vec<u8>,
    /// The file that holds its bytes.
    #[serde(default)]
    pub file: Option<PathBuf>,
}

impl Artifact {
    /// An artifact of just these bytes, from when the world began.
    pub fn new(id: u64, run: u64, name: &str, zip: Vec<u8>) -> Self {
        Self {
            id,
            run,
            name: name.to_owned(),
            size_in_bytes: u64::try_from(zip.len()).unwrap_or(u64::MAX),
            expired: false,
            created_at: at_the_beginning(),
            zip,
            file: None,
        }
    }
}

/// A workflow that was asked to start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dispatch {
    /// Its file name or number.
    pub workflow: String,
    /// The branch or tag.
    pub reference: String,
    /// What it was given.
    pub inputs: Value,
}

/// A site that was asked to be published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deployment {
    /// Its number.
    pub id: u64,
    /// What was asked, word for word.
    pub request: Value,
}

fn at_the_beginning() -> String {
    time::stamp(time::START)
}

fn to_base64<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&STANDARD.encode(bytes))
}

fn from_base64<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(deserializer)?;
    STANDARD.decode(text).map_err(D::Error::custom)
}
