//! The locks of queues: parking_lot's, except in this crate's own tests.
//!
//! There they are shuttle's, which hand the turn from thread to thread as a schedule says, so that `explored.rs` can
//! try every schedule. Tests: none of its own; `tests/it/queue` uses the real locks.

#[cfg(not(test))]
pub(super) use parking_lot::{Mutex, RwLock};

#[cfg(test)]
pub(super) use scheduled::{Mutex, RwLock};

#[cfg(test)]
mod scheduled {
    use shuttle::sync::{MutexGuard, RwLockReadGuard, RwLockWriteGuard};

    const POISONED: &str = "a panic ends the whole exploration";

    /// shuttle's mutex as parking_lot would offer it.
    #[derive(Debug)]
    pub(in crate::queue) struct Mutex<T>(shuttle::sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(in crate::queue) const fn new(value: T) -> Self {
            Self(shuttle::sync::Mutex::new(value))
        }

        pub(in crate::queue) fn lock(&self) -> MutexGuard<'_, T> {
            self.0.lock().expect(POISONED)
        }
    }

    /// shuttle's lock for many readers as parking_lot would offer it.
    #[derive(Debug, Default)]
    pub(in crate::queue) struct RwLock<T>(shuttle::sync::RwLock<T>);

    impl<T> RwLock<T> {
        pub(in crate::queue) fn read(&self) -> RwLockReadGuard<'_, T> {
            self.0.read().expect(POISONED)
        }

        pub(in crate::queue) fn write(&self) -> RwLockWriteGuard<'_, T> {
            self.0.write().expect(POISONED)
        }
    }
}
