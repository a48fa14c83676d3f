//! How a peer is set up.

use std::io;

use tokio::runtime::{Builder, Runtime};

/// How a peer is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setup {
    /// As its documentation says, with its defaults.
    AsItComes,
    /// For bandwidth: on one thread, and with fewer and longer pieces than by default.
    Tuned,
}

impl Setup {
    /// What it runs on. Where one thread does all, nobody who has bytes wakes another thread to take them.
    pub(crate) fn runtime(self) -> io::Result<Runtime> {
        match self {
            Self::AsItComes => Runtime::new(),
            Self::Tuned => Builder::new_current_thread().enable_all().build(),
        }
    }
}
