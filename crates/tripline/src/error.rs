//! Why a command did not do what it was asked: first what did *not* happen, then the chain, then what to do.

use std::error::Error as StdError;
use std::fmt;

use crate::exit::Exit;

/// Describes a failed command.
#[derive(Debug)]
pub(crate) struct CommandError {
    /// How the program ends.
    pub(crate) exit: Exit,
    /// What did not happen.
    pub(crate) not_done: String,
    /// Why, where a deeper error knows.
    pub(crate) cause: Option<Box<dyn StdError + Send + Sync>>,
    /// What to do about it.
    pub(crate) hints: Vec<String>,
}

impl CommandError {
    /// Describes what did not happen.
    pub(crate) fn new(exit: Exit, not_done: impl Into<String>) -> Self {
        Self {
            exit,
            not_done: not_done.into(),
            cause: None,
            hints: Vec::new(),
        }
    }

    /// Adds why.
    pub(crate) fn because(mut self, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.cause = Some(cause.into());
        self
    }

    /// Adds what to do.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.not_done)?;
        let mut cause = self.cause.as_deref().map(|cause| cause as &dyn StdError);
        while let Some(error) = cause {
            write!(f, "\n  caused by: {error}")?;
            cause = error.source();
        }
        for hint in &self.hints {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

/// The result of a command or a part of one.
pub(crate) type Outcome<T> = Result<T, CommandError>;
