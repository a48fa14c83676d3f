//! What threads together get done: reads, or nine reads and a write, on a hundred thousand keys, each as likely as any.
//!
//! All stores are filled, and then asked in turn for short slices of the same work; another one begins each round. What
//! slows the machine for a moment so slows one slice of one store, and what slows it for long all of them alike. Prints the
//! median of a store's slices, in operations per second; how often the program is run is the suite's to say.

use std::hint::black_box;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use bench_peers::keys::{VALUE_BYTES, draws, keys, value};
use bench_peers::stores::{Dashmap, KeyValue, Moka, Ours, Papaya, Scc};
use bench_store::tally::{Tally, list};

const KEYS: usize = 100_000;

/// The slices of a store: of each as many begin a round, and one is in the middle.
const ROUNDS: usize = 15;

/// The caches hold what this store has, and not what the one before it had.
const WARM: Duration = Duration::from_millis(5);

const COUNTED: Duration = Duration::from_millis(20);

/// So many operations are done between two looks at whether the time is over.
const BETWEEN: u64 = 64;

fn main() {
    let mut tallies = Vec::new();
    for threads in [1, 2] {
        for writes in [0, 10] {
            tallies.extend(side_by_side(threads, writes));
        }
    }
    println!("{}", list("peers", &tallies));
}

/// Measures all stores with so many threads, and so many percent of their operations writes.
fn side_by_side(threads: usize, writes: u32) -> Vec<Tally> {
    let stores: [Box<dyn Contender>; 5] = [
        Box::new(Work::<Ours>::new(writes)),
        Box::new(Work::<Dashmap>::new(writes)),
        Box::new(Work::<Scc>::new(writes)),
        Box::new(Work::<Papaya>::new(writes)),
        Box::new(Work::<Moka>::new(writes)),
    ];
    let mut slices = vec![Vec::new(); stores.len()];
    for round in 0..ROUNDS {
        for turn in 0..stores.len() {
            let at = (round + turn) % stores.len();
            slices[at].push(stores[at].slice(threads, round));
        }
    }
    for slices in &mut slices {
        slices.sort_unstable();
    }
    let tally = |store: usize| Tally {
        benchmark: format!(
            "store/uniform{{bytes={VALUE_BYTES},keys={KEYS},store={},threads={threads},writes={writes}}}",
            stores[store].name()
        ),
        metric: "item_throughput",
        unit: "1/s",
        value: slices[store][ROUNDS / 2],
    };
    (0..stores.len()).map(tally).collect()
}

/// A store that can be asked for a slice, whichever it is.
trait Contender {
    fn name(&self) -> &'static str;

    /// Has so many threads work for a while, and returns their operations per second.
    fn slice(&self, threads: usize, round: usize) -> u64;
}

impl<S: KeyValue> Contender for Work<S> {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn slice(&self, threads: usize, round: usize) -> u64 {
        let (begin, stop, done) = (
            Barrier::new(threads + 1),
            AtomicBool::new(false),
            AtomicU64::new(0),
        );
        let began = thread::scope(|scope| {
            for thread in 0..threads {
                let (begin, stop, done) = (&begin, &stop, &done);
                scope.spawn(move || {
                    let mut draw = draws(round * threads + thread, KEYS);
                    let warm = Instant::now();
                    while warm.elapsed() < WARM {
                        self.some(&mut draw);
                    }
                    begin.wait();
                    let mut operations = 0;
                    while !stop.load(Ordering::Relaxed) {
                        operations += self.some(&mut draw);
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
        let seconds = began.elapsed().as_secs_f64();
        (done.into_inner() as f64 / seconds) as u64
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
    /// Fills a store.
    fn new(writes: u32) -> Self {
        let work = Self {
            store: S::default(),
            keys: keys(KEYS),
            value: value(VALUE_BYTES),
            writes,
        };
        for key in &work.keys {
            work.store.set(key, &work.value);
        }
        work
    }

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
