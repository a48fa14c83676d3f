//! What threads share: parking_lot's locks and the processor's atomics, except in this crate's own tests.
//!
//! There they are shuttle's, so that `explored.rs` can try every order in which threads take turns. Tests: none of its
//! own; `tests/it/store` uses the real ones.

#[cfg(not(test))]
pub(super) use parking_lot::Mutex;
#[cfg(not(test))]
pub(super) use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(test)]
pub(super) use scheduled::Mutex;
#[cfg(test)]
pub(super) use shuttle::sync::atomic::{AtomicU64, Ordering};

#[cfg(test)]
mod scheduled {
    use shuttle::sync::MutexGuard;

    /// shuttle's mutex as parking_lot would offer it.
    #[derive(Debug, Default)]
    pub(in crate::store) struct Mutex<T>(shuttle::sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(in crate::store) fn lock(&self) -> MutexGuard<'_, T> {
            self.0.lock().expect("a panic ends the whole exploration")
        }
    }
}
