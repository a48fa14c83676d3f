//! Queues by their names.
//!
//! The lock here is taken to find, create or remove a queue, never while a queue is used: a program that keeps its
//! handles meets nobody here. Tests: `tests/it/queue`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::handle::Queue;
use super::lock::RwLock;
use super::settings::{Settings, SettingsError};

/// The greatest length of a queue's name, in bytes.
pub const NAME_BYTES_MAX: usize = 255;

/// Says why there is no such queue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueuesError {
    /// Nobody created it, or somebody removed it.
    #[error("there is no queue `{0}`; create it first")]
    Unknown(String),
    /// The name is taken.
    #[error("no queue was created: there is one called `{0}`; use that one, or another name")]
    Exists(String),
    /// The name is empty or too long.
    #[error(
        "no queue was created: a name of {0} bytes is no name; it has from 1 to {NAME_BYTES_MAX}"
    )]
    NameLength(usize),
    /// The settings make no sense.
    #[error(transparent)]
    Settings(#[from] SettingsError),
}

/// All queues that have a name.
#[derive(Debug, Default)]
pub struct Queues {
    queues: RwLock<BTreeMap<Box<str>, Arc<Queue>>>,
}

impl Queues {
    /// Creates a queue and returns a handle on it.
    ///
    /// # Errors
    /// Refuses a name that is taken, empty or longer than [`NAME_BYTES_MAX`], and settings that no queue can have.
    pub fn create(&self, name: &str, settings: Settings) -> Result<Arc<Queue>, QueuesError> {
        if !(1..=NAME_BYTES_MAX).contains(&name.len()) {
            return Err(QueuesError::NameLength(name.len()));
        }
        let queue = Arc::new(Queue::new(settings)?);
        let mut queues = self.queues.write();
        if queues.contains_key(name) {
            return Err(QueuesError::Exists(name.to_owned()));
        }
        queues.insert(Box::from(name), Arc::clone(&queue));
        Ok(queue)
    }

    /// Returns a handle on a queue, to be kept rather than asked for again.
    ///
    /// # Errors
    /// Says that there is no such queue.
    pub fn get(&self, name: &str) -> Result<Arc<Queue>, QueuesError> {
        let found = self.queues.read().get(name).cloned();
        found.ok_or_else(|| QueuesError::Unknown(name.to_owned()))
    }

    /// Forgets a queue. Whoever has a handle may go on with it; with the last one its messages are freed.
    ///
    /// # Errors
    /// Says that there is no such queue.
    pub fn remove(&self, name: &str) -> Result<Arc<Queue>, QueuesError> {
        let removed = self.queues.write().remove(name);
        removed.ok_or_else(|| QueuesError::Unknown(name.to_owned()))
    }

    /// Returns the names of all queues, in order.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let queues = self.queues.read();
        queues.keys().map(ToString::to_string).collect()
    }
}
