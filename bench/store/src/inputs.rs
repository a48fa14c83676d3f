//! What the benchmarks work on: keys, values and the order in which the keys are visited.
//!
//! All of it comes from a small generator with a fixed seed, so that two runs do the same work to the last instruction.
//! Tests: that it does, and that keys differ from one another as values do.

use workload_store::{Shards, Store};

/// The lengths of a value, in bytes: a counter or session, a small document, a page.
pub const VALUE_BYTES: [usize; 3] = [64, 1024, 4096];

/// The keys in a unit test: more than a bucket group of any shard, and done in no time.
const KEYS_SMOKE: usize = 200;

/// The keys in a benchmark: enough that tables have grown several times, few enough to be counted in about a second.
const KEYS_FULL: usize = 1_000;

/// Any constant does; changing it changes every answer.
pub(crate) const SEED: u64 = 0x5eed;

/// Keys, values of one length, and a shuffled order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inputs {
    keys: Vec<Box<[u8]>>,
    values: Vec<Box<[u8]>>,
    order: Vec<usize>,
}

impl Inputs {
    /// Returns inputs as unit tests use them.
    #[must_use]
    pub fn smoke(value_bytes: usize) -> Self {
        Self::generated(KEYS_SMOKE, value_bytes)
    }

    /// Returns inputs as benchmarks use them.
    #[must_use]
    pub fn full(value_bytes: usize) -> Self {
        Self::generated(KEYS_FULL, value_bytes)
    }

    /// Returns inputs of so many keys, where their number is what a benchmark is about.
    #[must_use]
    pub fn of(count: usize, value_bytes: usize) -> Self {
        Self::generated(count, value_bytes)
    }

    fn generated(count: usize, value_bytes: usize) -> Self {
        let mut random = SplitMix(SEED);
        let keys = (0..count).map(|number| format!("key:{number:08}").into_bytes().into());
        let keys = keys.collect();
        let values = (0..count).map(|_| random.bytes(value_bytes)).collect();
        let mut order: Vec<usize> = (0..count).collect();
        // Fisher and Yates: keys are not visited in the order in which they were allocated, because a real store is not
        // read that way, and a processor that guesses the next line would flatter the times.
        for last in (1..count).rev() {
            order.swap(last, random.below(last + 1));
        }
        Self {
            keys,
            values,
            order,
        }
    }

    /// Returns the number of keys, which is the number of operations in a pass.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns whether there is nothing to do, which is never so.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns each key once, in shuffled order.
    pub fn keys(&self) -> impl Iterator<Item = &[u8]> {
        self.order.iter().map(|&at| &*self.keys[at])
    }

    /// Returns each key once with the value it is first set to, in shuffled order.
    pub fn pairs(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.order
            .iter()
            .map(|&at| (&*self.keys[at], &*self.values[at]))
    }

    /// Returns each key once with the value it is overwritten with: the first value of the key that was made after it.
    pub fn new_pairs(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.order
            .iter()
            .map(|&at| (&*self.keys[at], &*self.values[(at + 1) % self.values.len()]))
    }

    /// Returns a store without a key.
    #[must_use]
    pub fn empty_store(&self) -> Store {
        Store::new(Shards::default())
    }

    /// Returns a store in which each key has its first value.
    #[must_use]
    pub fn filled_store(&self) -> Store {
        let store = self.empty_store();
        for (key, value) in self.keys.iter().zip(&self.values) {
            store
                .set(key, value)
                .expect("no input is as long as the store's limits");
        }
        store
    }
}

/// The generator "`SplitMix64`" of Steele, Lea and Flood: three lines, and good enough to fill values and shuffle keys.
pub(crate) struct SplitMix(pub(crate) u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Box<[u8]> {
        (0..count).map(|_| self.next().to_le_bytes()[0]).collect()
    }

    /// A number below the bound. The remainder's slight preference for small numbers does not matter to a shuffle that
    /// nobody bets on.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Inputs, KEYS_FULL, KEYS_SMOKE, SplitMix, VALUE_BYTES};

    #[test]
    fn inputs_are_the_same_every_time() {
        for bytes in VALUE_BYTES {
            assert_eq!(Inputs::smoke(bytes), Inputs::smoke(bytes));
        }
        assert_eq!(Inputs::full(64).len(), KEYS_FULL);
    }

    /// The first three numbers for the seed 1234567, as published with the generator.
    #[test]
    fn the_generator_is_the_published_one() {
        let mut random = SplitMix(1_234_567);
        let numbers = [random.next(), random.next(), random.next()];
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn every_key_is_visited_once_and_its_two_values_differ() {
        let inputs = Inputs::smoke(64);
        assert!(!inputs.is_empty());
        assert_eq!(inputs.keys().collect::<BTreeSet<_>>().len(), KEYS_SMOKE);
        assert!(!inputs.keys().is_sorted());
        for ((key, first), (new_key, second)) in inputs.pairs().zip(inputs.new_pairs()) {
            assert_eq!(key, new_key);
            assert_eq!(first.len(), 64);
            assert_eq!(second.len(), 64);
            assert_ne!(first, second);
        }
    }

    #[test]
    fn a_filled_store_holds_every_pair() {
        let inputs = Inputs::smoke(64);
        let store = inputs.filled_store();
        assert_eq!(store.len(), KEYS_SMOKE);
        assert!(
            inputs
                .pairs()
                .all(|(key, value)| store.get(key).as_deref() == Some(value))
        );
        assert!(inputs.empty_store().is_empty());
    }
}
