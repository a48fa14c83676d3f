//! Very many queues that have a name.
//!
//! Tests: through the passes.

use std::sync::Arc;

use workload_store::queue::{Queue, Queues, QueuesError};

use super::messages::SETTINGS;

const COUNT: usize = 1_000;

/// Queues, and their names in no order.
#[derive(Debug)]
pub struct Named {
    queues: Queues,
    names: Vec<String>,
}

impl Named {
    /// Returns a thousand queues.
    ///
    /// # Panics
    /// Never: the names are different, and the settings are allowed.
    #[must_use]
    pub fn new() -> Self {
        let queues = Queues::default();
        // By steps that have no divisor with the number of queues, so that each comes once.
        let names = (0..COUNT).map(|step| format!("queue:{:08}", step * 617 % COUNT));
        let names: Vec<String> = names.collect();
        for name in &names {
            let created = queues.create(name, SETTINGS);
            drop(created.expect("the name is free"));
        }
        Self { queues, names }
    }

    /// Returns the number of queues, which is the number of operations in a pass.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns whether there is no queue, which is never so.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    pub(super) fn queues(&self) -> &Queues {
        &self.queues
    }

    /// Removes a queue and creates another one in its place.
    pub(super) fn create_anew(&self, name: &str) -> Result<Arc<Queue>, QueuesError> {
        drop(self.queues.remove(name)?);
        self.queues.create(name, SETTINGS)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }
}

impl Default for Named {
    fn default() -> Self {
        Self::new()
    }
}
