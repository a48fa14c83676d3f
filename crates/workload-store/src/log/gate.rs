//! A gate that threads wait at, without a lock to come back through.
//!
//! A condition variable hands each thread that it wakes a lock, though here most of them only have to look at a number.
//!
//! Tests: below, with threads that sleep; the schedules and the orders of the hand-over are tried with kin of it.

use std::sync::atomic::{AtomicU32, Ordering};

use rustix::thread::futex;

/// All who wait.
const ALL: u32 = i32::MAX as u32;

/// How often it was opened, so that nobody sleeps through an opening.
#[derive(Default)]
pub(crate) struct Gate(AtomicU32);

impl Gate {
    /// Returns what to wait with: any opening after this ends the wait.
    pub(crate) fn ticket(&self) -> u32 {
        self.0.load(Ordering::Acquire)
    }

    /// Waits until the gate was opened since the ticket was taken. It may also return for no reason.
    pub(crate) fn wait(&self, ticket: u32) {
        // A gate that has been opened, a signal: all that can be wrong is a reason to look again.
        let _ = futex::wait(&self.0, futex::Flags::PRIVATE, ticket, None);
    }

    /// Lets everybody through.
    pub(crate) fn open(&self) {
        self.open_for(ALL);
    }

    /// Wakes one who waits, and lets those through who are about to.
    pub(crate) fn open_for_one(&self) {
        self.open_for(1);
    }

    fn open_for(&self, threads: u32) {
        self.0.fetch_add(1, Ordering::Release);
        // Nobody who waits is no failure.
        let _ = futex::wake(&self.0, futex::Flags::PRIVATE, threads);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};
    use std::thread::{self, JoinHandle};
    use std::time::{Duration, Instant};

    use super::Gate;

    /// Long enough for any machine: reaching it is a failure.
    const GIVE_UP: Duration = Duration::from_secs(60);

    fn until(reached: impl Fn() -> bool) {
        let began = Instant::now();
        while !reached() {
            assert!(began.elapsed() < GIVE_UP, "it did not come to that");
            thread::yield_now();
        }
    }

    /// Threads that wait at a gate once.
    struct Waiters {
        gate: Arc<Gate>,
        through: Arc<AtomicU32>,
        threads: Vec<(Arc<AtomicI32>, JoinHandle<()>)>,
    }

    impl Waiters {
        /// Returns when all of them sleep.
        fn asleep(count: usize) -> Self {
            let (gate, through) = (Arc::new(Gate::default()), Arc::new(AtomicU32::new(0)));
            let start = |_| {
                let id = Arc::new(AtomicI32::new(0));
                let (gate, through, mine) = (gate.clone(), through.clone(), id.clone());
                let wait = move || {
                    let ticket = gate.ticket();
                    let thread = rustix::thread::gettid().as_raw_nonzero().get();
                    mine.store(thread, Ordering::Release);
                    gate.wait(ticket);
                    through.fetch_add(1, Ordering::Release);
                };
                (id, thread::spawn(wait))
            };
            let threads: Vec<_> = (0..count).map(start).collect();
            let waiters = Self {
                gate,
                through,
                threads,
            };
            until(|| waiters.sleeping() == count);
            waiters
        }

        /// Counts who sleeps now. Where a thread says its number, there is nothing before it to sleep at but the gate.
        fn sleeping(&self) -> usize {
            let ids = self
                .threads
                .iter()
                .map(|(id, _)| id.load(Ordering::Acquire));
            ids.filter(|id| *id != 0 && sleeps(*id)).count()
        }

        fn all_come_through(self) {
            let count = self.threads.len();
            until(|| self.through.load(Ordering::Acquire) as usize == count);
            for (_, thread) in self.threads {
                thread.join().unwrap();
            }
        }
    }

    /// Whether the kernel says so of a thread of this process. It says nothing of one that has ended.
    fn sleeps(id: i32) -> bool {
        let said = std::fs::read_to_string(format!("/proc/self/task/{id}/stat"));
        said.is_ok_and(|said| {
            let after_name = said.rsplit(')').next();
            after_name.is_some_and(|rest| rest.starts_with(" S"))
        })
    }

    #[test]
    fn an_opening_after_the_ticket_is_not_slept_through() {
        for open in [Gate::open, Gate::open_for_one] {
            let (gate, through) = (Gate::default(), AtomicU32::new(0));
            let ticket = gate.ticket();
            open(&gate);
            thread::scope(|scope| {
                scope.spawn(|| {
                    gate.wait(ticket);
                    through.store(1, Ordering::Release);
                });
                // A second opening would wake whoever slept through the first.
                until(|| through.load(Ordering::Acquire) == 1);
            });
        }
    }

    #[test]
    fn everybody_comes_through_an_open_gate() {
        let waiters = Waiters::asleep(4);
        waiters.gate.open();
        waiters.all_come_through();
    }

    #[test]
    fn one_is_woken_and_the_others_sleep_on() {
        let waiters = Waiters::asleep(4);
        waiters.gate.open_for_one();
        until(|| waiters.through.load(Ordering::Acquire) > 0);
        assert_eq!(waiters.sleeping(), 3);
        waiters.gate.open();
        waiters.all_come_through();
    }
}
