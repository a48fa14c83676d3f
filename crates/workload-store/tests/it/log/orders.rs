//! The hand-over between threads, on memory that shows a load whatever its order lets it see.
//!
//! The file of the hand-over is compiled here once more, over loom's locks and atomics. A thread that is served without
//! the lock must then see what was flushed for it: nothing orders that but `flushed`. So the sink's own number is relaxed,
//! and so is the gate, which would otherwise do the ordering in place of `flushed`. That a weaker order would be
//! noticed, the last test shows.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use loom::sync::atomic::AtomicU64;

#[expect(
    clippy::duplicate_mod,
    reason = "`schedules` has it with other locks; the locks are what each tries"
)]
#[path = "../../../src/log/handover.rs"]
mod handover;

use handover::{Batch, Handover, Sink};

thread_local! {
    /// What of `flushed` is done with a weaker order than is asked for. All threads of a model are one of the system's.
    static WEAKENED: Cell<Weakened> = const { Cell::new(Weakened::Nothing) };
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Weakened {
    Nothing,
    Load,
    Store,
}

mod sync {
    use loom::sync::atomic::AtomicU32;

    pub(crate) use loom::sync::Mutex;
    pub(crate) use loom::sync::atomic::Ordering;

    use super::{WEAKENED, Weakened};

    #[derive(Default)]
    pub(crate) struct AtomicU64(loom::sync::atomic::AtomicU64);

    impl AtomicU64 {
        pub(crate) fn new(value: u64) -> Self {
            Self(loom::sync::atomic::AtomicU64::new(value))
        }

        pub(crate) fn load(&self, order: Ordering) -> u64 {
            self.0.load(weaker(order, Weakened::Load))
        }

        pub(crate) fn store(&self, value: u64, order: Ordering) {
            self.0.store(value, weaker(order, Weakened::Store));
        }
    }

    fn weaker(order: Ordering, what: Weakened) -> Ordering {
        if WEAKENED.get() == what {
            Ordering::Relaxed
        } else {
            order
        }
    }

    /// The gate of the log with no order at all.
    #[derive(Default)]
    pub(crate) struct Gate(AtomicU32);

    impl Gate {
        pub(crate) fn ticket(&self) -> u32 {
            self.0.load(Ordering::Relaxed)
        }

        pub(crate) fn wait(&self, ticket: u32) {
            while self.0.load(Ordering::Relaxed) == ticket {
                loom::thread::yield_now();
            }
        }

        pub(crate) fn open(&self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }

        pub(crate) fn open_for_one(&self) {
            self.open();
        }
    }
}

/// How many records there are with those that are gathered.
#[derive(Default)]
struct Records(u64);

impl Batch for Records {
    fn follow(&mut self, earlier: &Self) {
        self.0 = earlier.0;
    }
}

/// Says, as the log's does, how many records can be read.
struct Readable(Arc<AtomicU64>);

impl Sink for Readable {
    type Batch = Records;
    type Failure = ();

    fn flush(&mut self, batch: &mut Records) -> Result<(), ()> {
        self.0.store(batch.0, sync::Ordering::Relaxed);
        Ok(())
    }

    fn lost() {}
}

/// Two threads append, one of them twice: it may flush for the other, who is then told without the lock. Returns whether
/// each saw its record when it was told.
fn told_what_is_there() -> bool {
    let readable = Arc::new(AtomicU64::new(0));
    let sink = Readable(Arc::clone(&readable));
    let handover = Arc::new(Handover::new(sink, Records::default()));
    let append = {
        let handover = Arc::clone(&handover);
        move || {
            let told = handover.submit(|batch| {
                batch.0 += 1;
                batch.0
            });
            told.unwrap() <= readable.load(sync::Ordering::Relaxed)
        }
    };
    let theirs = loom::thread::spawn(append.clone());
    let seen = [append(), append(), theirs.join().unwrap()];
    assert_eq!(handover.gathered(|batch| batch.0), 3);
    seen == [true; 3]
}

/// Returns whether it is so in every order, as far as loom goes.
fn holds_with(weakened: Weakened) -> bool {
    WEAKENED.set(weakened);
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    let broken = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&broken);
    model.check(move || {
        if !told_what_is_there() {
            seen.store(true, sync::Ordering::Relaxed);
        }
    });
    !broken.load(sync::Ordering::Relaxed)
}

#[test]
fn whoever_is_told_without_the_lock_sees_its_record() {
    assert!(holds_with(Weakened::Nothing));
}

#[test]
fn a_weaker_order_would_be_noticed() {
    assert!(!holds_with(Weakened::Load));
    assert!(!holds_with(Weakened::Store));
}
