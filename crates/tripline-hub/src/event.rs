//! What happened, and where we are: out of the runner's environment and the payload of the event.
//!
//! The payload of a `workflow_run` is GitHub's own word, but the strings in it are not: a branch or a title is named by
//! whoever opened the pull request. Branches, commits and logins are types that hold their form; free text is bounded.
//! Nothing is read from the process here: variables come through a function, the payload as bytes.
//!
//! Tested in `tests/hub/event`, on payloads as GitHub publishes them.

mod context;
mod kinds;
mod payload;

pub use context::{Context, RunId, payload_path};
pub use kinds::{
    Event, Head, HeadRepository, IssueComment, PullRequest, PullSide, Push, WorkflowRun,
};

/// Says why the event could not be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EventError {
    /// A variable that the runner sets is not there.
    #[error("the event was not read: `{name}` is not set")]
    Unset {
        /// The variable.
        name: &'static str,
    },
    /// A variable holds what it cannot.
    #[error("the event was not read: `{name}` is wrong: {problem}")]
    Variable {
        /// The variable.
        name: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// The payload lacks something or holds what it cannot.
    #[error("the event was not read: in `{file}`, {place} {problem}")]
    Payload {
        /// The file.
        file: String,
        /// Where in the file, as a JSON pointer.
        place: String,
        /// What is wrong there.
        problem: String,
    },
}

impl EventError {
    /// Returns what to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unset { .. } | Self::Variable { .. } => {
                "run it in a job of GitHub Actions, or set what the runner sets there"
            }
            Self::Payload { .. } => {
                "give the payload as GitHub delivers it, and the variables of the same event"
            }
        }
    }
}
