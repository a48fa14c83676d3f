//! What threads together get done: reads, or nine reads and a write, on a hundred thousand keys, each as likely as any.
//!
//! Every store is filled, used for a moment by all threads and then for the time that counts. Prints operations per
//! second; how often the program is run is the suite's to say.

use std::hint::black_box;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use bench_peers::keys::{VALUE_BYTES, draws, keys, value};
use bench_peers::stores::{Dashmap, KeyValue, Moka, Ours, Papaya, Scc};
use bench_store::tally::{Tally, list};

const KEYS: usize = 100_000;

/// Caches and branch predictors have seen the work, and lazy allocations are done.
const WARM: Duration = Duration::from_millis(50);

const COUNTED: Duration = Duration::from_millis(300);

/// So many operations are done between two looks at whether the time is over.
const BETWEEN: u64 = 64;

fn main() {
    let mut tallies = Vec::new();
    for threads in [1, 2] {
        for writes in [0, 10] {
            tallies.push(throughput::<Ours>(threads, writes));
            tallies.push(throughput::<Dashmap>(threads, writes));
            tallies.push(throughput::<Scc>(threads, writes));
            tallies.push(throughput::<Papaya>(threads, writes));
            tallies.push(throughput::<Moka>(threads, writes));
        }
    }
    println!("{}", list("peers", &tallies));
}

/// Measures a store with so many threads, and so many percent of their operations writes.
fn throughput<S: KeyValue>(threads: usize, writes: u32) -> Tally {
    let work = Work {
        store: S::default(),
        keys: keys(KEYS),
        value: value(VALUE_BYTES),
        writes,
    };
    for key in &work.keys {
        work.store.set(key, &work.value);
    }
    let (begin, stop, done) = (
        Barrier::new(threads + 1),
        AtomicBool::new(false),
        AtomicU64::new(0),
    );
    let spent = thread::scope(|scope| {
        for thread in 0..threads {
            let (work, begin, stop, done) = (&work, &begin, &stop, &done);
            scope.spawn(move || {
                let mut draw = draws(thread, KEYS);
                let warm = Instant::now();
                while warm.elapsed() < WARM {
                    work.some(&mut draw);
                }
                begin.wait();
                let mut operations = 0;
                while !stop.load(Ordering::Relaxed) {
                    operations += work.some(&mut draw);
                }
                done.fetch_add(operations, Ordering::Relaxed);
            });
        }
        begin.wait();
        let began = Instant::now();
        thread::sleep(COUNTED);
        stop.store(true, Ordering::Relaxed);
        began
    });
    let seconds = spent.elapsed().as_secs_f64();
    Tally {
        benchmark: format!(
            "store/uniform{{bytes={VALUE_BYTES},keys={KEYS},store={},threads={threads},writes={writes}}}",
            S::NAME
        ),
        metric: "item_throughput",
        unit: "1/s",
        value: (done.into_inner() as f64 / seconds) as u64,
    }
}

/// What the threads share.
struct Work<S> {
    store: S,
    keys: Vec<Box<[u8]>>,
    value: Vec<u8>,
    /// In a hundred operations.
    writes: u32,
}

impl<S: KeyValue> Work<S> {
    /// Does some operations, and returns their number.
    fn some(&self, draw: &mut impl FnMut() -> (u32, usize)) -> u64 {
        for _ in 0..BETWEEN {
            let (percent, place) = draw();
            let key = &self.keys[place];
            if percent < self.writes {
                self.store.set(key, &self.value);
            } else {
                let there = self.store.get(key);
                black_box(there.as_deref().expect("every key is there"));
            }
        }
        BETWEEN
    }
}
