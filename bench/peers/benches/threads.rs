//! What threads together get done: reads, or nine reads and a write, on a hundred thousand keys, each as likely as any.
//!
//! All stores are filled, and then asked in turn for short slices of the same work; another one begins each round. What
//! slows the machine for a moment so slows one slice of one store, and what slows it for long all of them alike. Prints the
//! median of a store's slices, in operations per second; and of each peer how much ours got done in its round, in
//! thousandths of what the peer did: the median of the rounds, the least and the most. How often the program is run is
//! the suite's to say. When all is done every store is asked for what was written last.

use bench_peers::keys::VALUE_BYTES;
use bench_peers::stores::{Dashmap, Moka, Ours, Papaya, Scc};
use bench_peers::uniform::{Contender, Work};
use bench_store::tally::{Tally, list};

const KEYS: usize = 100_000;

/// The slices of a store: of each as many begin a round, and one is in the middle.
const ROUNDS: usize = 15;

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
    // Ours is the first.
    let mut stores: [Box<dyn Contender>; 5] = [
        Box::new(Work::<Ours>::new(KEYS, writes)),
        Box::new(Work::<Dashmap>::new(KEYS, writes)),
        Box::new(Work::<Scc>::new(KEYS, writes)),
        Box::new(Work::<Papaya>::new(KEYS, writes)),
        Box::new(Work::<Moka>::new(KEYS, writes)),
    ];
    let mut slices = vec![Vec::new(); stores.len()];
    for round in 0..ROUNDS {
        for turn in 0..stores.len() {
            let at = (round + turn) % stores.len();
            slices[at].push(stores[at].slice(threads));
        }
    }
    let mut tallies = Vec::new();
    for (store, its) in stores.iter().zip(&slices) {
        let name = store.name();
        assert!(store.kept_all(), "{name} lost the last write of a key");
        let benchmark = format!(
            "store/uniform{{bytes={VALUE_BYTES},keys={KEYS},store={name},threads={threads},writes={writes}}}"
        );
        let tally = |metric, unit, value| Tally::of(&benchmark, metric, unit, value);
        let done = sorted(its.iter().copied());
        tallies.push(tally("item_throughput", "1/s", done[ROUNDS / 2]));
        if name != stores[0].name() {
            let within_rounds = slices[0].iter().zip(its);
            let ours = sorted(within_rounds.map(|(ours, its)| 1000.0 * ours / its));
            tallies.push(tally("ours_in_thousandths", "count", ours[ROUNDS / 2]));
            tallies.push(tally("ours_in_thousandths_least", "count", ours[0]));
            tallies.push(tally("ours_in_thousandths_most", "count", ours[ROUNDS - 1]));
        }
    }
    tallies
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<u64> {
    let mut values: Vec<u64> = values.map(|value| value.round() as u64).collect();
    values.sort_unstable();
    values
}
