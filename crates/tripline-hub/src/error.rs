//! What goes wrong between us and GitHub: what did not happen, why, and what to do about it.
//!
//! The chain is two deep: [`HubError`] says what did not happen, its source is the [`Problem`]. Whatever GitHub wrote is
//! cut and made visible before it comes in here. Tested in `tests/hub/client`.

use jiff::Timestamp;

/// Says what did not happen.
#[derive(Debug, thiserror::Error)]
#[error("{not_done}")]
pub struct HubError {
    not_done: String,
    #[source]
    problem: Problem,
    hint: Option<String>,
}

/// Says why it did not.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// GitHub understood the request and does not do it.
    #[error("GitHub answered {status}: {message}")]
    Refused {
        /// The status of the answer.
        status: u16,
        /// What GitHub says about it.
        message: String,
    },
    /// The request never arrived, or was answered with an error of the server each time.
    #[error("{why}, {tries} times in a row")]
    Unreachable {
        /// How often it was tried.
        tries: u32,
        /// What went wrong the last time.
        why: String,
    },
    /// The request arrived, perhaps: repeating it could do the thing twice.
    #[error("{why}, so it may have been done all the same")]
    Uncertain {
        /// What went wrong.
        why: String,
    },
    /// Too many requests were made.
    #[error("the limit on requests is used up until {until}")]
    Limited {
        /// When requests are taken again.
        until: Timestamp,
    },
    /// The answer is not one that GitHub describes.
    #[error("the answer cannot be used: {why}")]
    Unexpected {
        /// What is wrong with it.
        why: String,
    },
    /// The answer is larger than any that makes sense.
    #[error("the answer is larger than {bytes_max} bytes")]
    TooLarge {
        /// The most that is read.
        bytes_max: u64,
    },
    /// No connection is possible, however often it is tried.
    #[error("no connection: {why}")]
    NoConnection {
        /// What is in the way.
        why: String,
    },
    /// We write as somebody else than the one whose comments we look for.
    #[error("the token writes as `{actual}`, and the comment is looked for as one of `{expected}`")]
    WrongAuthor {
        /// Who we were told to be.
        expected: String,
        /// Who we are.
        actual: String,
    },
    /// What is to be sent is more than GitHub takes.
    #[error("there are {chars} characters in it, more than {chars_max}")]
    TooLong {
        /// How many there are.
        chars: usize,
        /// How many GitHub takes.
        chars_max: usize,
    },
}

impl HubError {
    /// Says what did not happen and why.
    pub(crate) fn new(not_done: impl Into<String>, problem: Problem) -> Self {
        Self {
            not_done: not_done.into(),
            problem,
            hint: None,
        }
    }

    /// Adds what to do about it.
    pub(crate) fn hinted(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }

    /// Returns why it did not happen.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Returns what to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref().or_else(|| self.problem.hint())
    }

    /// Returns the status GitHub answered with, where it answered.
    pub(crate) fn status(&self) -> Option<u16> {
        match self.problem {
            Problem::Refused { status, .. } => Some(status),
            _ => None,
        }
    }

    /// Returns whether the thing may have been done all the same.
    pub(crate) fn is_uncertain(&self) -> bool {
        matches!(self.problem, Problem::Uncertain { .. })
    }
}

impl Problem {
    /// Returns what to do about it, whatever it was that did not happen.
    fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Unreachable { .. } | Self::Uncertain { .. } => Some(
                "run the job again when GitHub answers: what was written is found and not written twice",
            ),
            Self::Limited { .. } => Some("run the job again after that"),
            Self::Unexpected { .. } | Self::TooLarge { .. } => Some(
                "see that `GITHUB_API_URL` is GitHub's interface, and that nothing else answers in its place",
            ),
            Self::NoConnection { .. } => Some(
                "see that `GITHUB_API_URL` is right, and that this machine trusts the certificate of the server",
            ),
            Self::TooLong { .. } => Some("leave out what matters least, and link to the rest"),
            Self::Refused { .. } | Self::WrongAuthor { .. } => None,
        }
    }
}
