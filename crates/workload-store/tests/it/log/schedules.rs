//! The hand-over between threads, under locks that try many schedules.
//!
//! The file of the hand-over is compiled here once more. All that differs is the module it takes its locks from: here
//! they are made of shuttle's, which choose at every step which thread goes on, and find it when none can.
//!
//! shuttle takes every atomic operation as sequentially consistent: whether the orders that are written there are enough,
//! `orders.rs` asks. The gate of the log itself, in whose place stands the one below, has tests beside it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

#[path = "../../../src/log/handover.rs"]
mod handover;

use handover::{Batch, Handover, Sink};

mod sync {
    pub(crate) use shuttle::sync::Mutex;
    pub(crate) use shuttle::sync::atomic::{AtomicU64, Ordering};

    /// The gate of the log, of parts that shuttle knows.
    #[derive(Default)]
    pub(crate) struct Gate {
        opened: Mutex<u32>,
        changed: shuttle::sync::Condvar,
    }

    impl Gate {
        pub(crate) fn ticket(&self) -> u32 {
            *self.opened.lock().unwrap()
        }

        pub(crate) fn wait(&self, ticket: u32) {
            // As the real one: it looks once, and who is woken does not look again.
            let opened = self.opened.lock().unwrap();
            if *opened == ticket {
                drop(self.changed.wait(opened));
            }
        }

        pub(crate) fn open(&self) {
            *self.opened.lock().unwrap() += 1;
            self.changed.notify_all();
        }

        pub(crate) fn open_for_one(&self) {
            *self.opened.lock().unwrap() += 1;
            self.changed.notify_one();
        }
    }
}

/// What threads gather: their numbers.
#[derive(Default)]
struct Numbers(Vec<usize>);

impl Batch for Numbers {
    fn follow(&mut self, _: &Self) {
        self.0.clear();
    }
}

/// Remembers what was flushed, and fails at a flush.
struct Memory {
    /// No lock of shuttle's: nothing is to be found out about the memory of a test.
    flushed: Arc<Mutex<Vec<usize>>>,
    flushes_left: usize,
    calls: Arc<AtomicUsize>,
}

impl Sink for Memory {
    type Batch = Numbers;
    type Failure = &'static str;

    fn flush(&mut self, batch: &mut Numbers) -> Result<(), &'static str> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        if self.flushes_left == 0 {
            return Err("full");
        }
        self.flushes_left -= 1;
        // Another thread may go on at each of these, while the sink is away.
        for number in &batch.0 {
            self.flushed.lock().unwrap().push(*number);
            shuttle::thread::yield_now();
        }
        Ok(())
    }

    fn lost() -> &'static str {
        "lost"
    }
}

/// Lets threads submit numbers, and checks that exactly those are flushed whose threads were told so.
fn submit_from_threads(threads: usize, each: usize, flushes: usize) {
    let flushed = Arc::new(Mutex::new(Vec::new()));
    let calls = Arc::new(AtomicUsize::new(0));
    let memory = Memory {
        flushed: Arc::clone(&flushed),
        flushes_left: flushes,
        calls: Arc::clone(&calls),
    };
    let handover = Arc::new(Handover::new(memory, Numbers::default()));
    let submit = |thread: usize| {
        let (handover, flushed) = (Arc::clone(&handover), Arc::clone(&flushed));
        move || {
            let numbers = thread * each..(thread + 1) * each;
            let told = numbers.filter(|number| {
                let told = handover.submit(|batch| batch.0.push(*number)).is_ok();
                // It must be there when the thread is told, not some time later.
                assert!(!told || flushed.lock().unwrap().contains(number));
                told
            });
            told.collect::<Vec<_>>()
        }
    };
    let others: Vec<_> = (1..threads)
        .map(|thread| shuttle::thread::spawn(submit(thread)))
        .collect();
    // This thread is one of them: one that only waits would multiply the schedules.
    let mut told = vec![submit(0)()];
    told.extend(others.into_iter().map(|thread| thread.join().unwrap()));
    for numbers in &told {
        // After a failure a thread is told of nothing more: what it was told is what it submitted first.
        assert!(numbers.windows(2).all(|pair| pair[0] + 1 == pair[1]));
    }
    let mut told: Vec<usize> = told.concat();
    let mut flushed = flushed.lock().unwrap().clone();
    told.sort_unstable();
    flushed.sort_unstable();
    assert_eq!(told, flushed);
    assert!(
        calls.load(Ordering::Relaxed) <= flushes.saturating_add(1),
        "it was flushed after a failure"
    );
    if flushes == NEVER_FAILS {
        let left = handover.gathered(|batch| batch.0.len());
        assert_eq!(left, 0, "gathered, and nobody is there to flush it");
    }
}

const NEVER_FAILS: usize = usize::MAX;

/// There are hundreds of thousands: the first of them, which differ in how they end, and others from anywhere.
#[test]
fn many_schedules_of_two_threads_tell_the_truth() {
    for flushes in [0, 1, NEVER_FAILS] {
        let case = move || submit_from_threads(2, 1, flushes);
        shuttle::check_dfs(case, Some(4_000));
        shuttle::check_random(case, 1_000);
        shuttle::check_pct(case, 500, 3);
    }
}

#[test]
fn many_schedules_of_more_threads_tell_the_truth() {
    for flushes in [1, 2, 4, NEVER_FAILS] {
        shuttle::check_random(move || submit_from_threads(4, 3, flushes), 150);
        shuttle::check_pct(move || submit_from_threads(4, 2, flushes), 100, 3);
    }
}
