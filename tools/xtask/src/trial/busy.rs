//! Something else that a core has to do.
//!
//! Tested below.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
};

/// A thread that keeps a core busy until this is dropped.
pub(super) struct Busy {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Busy {
    pub(super) fn begin() -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let theirs = Arc::clone(&over);
        let thread = thread::spawn(move || while !theirs.load(Ordering::Relaxed) {});
        Self {
            over,
            thread: Some(thread),
        }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_is_let_go() {
        let busy = Busy::begin();
        let over = Arc::downgrade(&busy.over);
        assert_eq!(over.strong_count(), 2);
        drop(busy);
        assert_eq!(over.strong_count(), 0, "the thread goes on");
    }
}
