//! Spreads work over shards: what takes longest goes first, each time to the shard that has least to do.
//!
//! The longest shard takes at most a third longer than the best there is (Graham, Bounds on multiprocessing timing
//! anomalies, 1969); the same work is always spread in the same way. Tested below, against all ways there are.

use tripline_model::few;

/// Returns which pieces of work each shard does, given how long each takes: in the order given, and no shard without
/// work.
pub(crate) fn spread(durations: &[u64], shards: usize) -> Vec<Vec<usize>> {
    let mut longest_first: Vec<usize> = (0..durations.len()).collect();
    few::sort_by_key(&mut longest_first, |at| std::cmp::Reverse(durations[*at]));
    let count = shards.min(durations.len());
    let mut spread: Vec<(u64, Vec<usize>)> = vec![(0, Vec::new()); count];
    for at in longest_first {
        // Where several have as little to do, one that has nothing comes first: no shard is left without work.
        let least = spread
            .iter_mut()
            .min_by_key(|(load, work)| (*load, work.len()));
        if let Some((load, work)) = least {
            *load = load.saturating_add(durations[at]);
            work.push(at);
        }
    }
    spread
        .into_iter()
        .map(|(_, mut work)| {
            few::sort(&mut work);
            work
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn longest(durations: &[u64], spread: &[Vec<usize>]) -> u64 {
        let load = |work: &Vec<usize>| work.iter().map(|at| durations[*at]).sum();
        spread.iter().map(load).max().unwrap_or(0)
    }

    /// Tries all ways there are.
    fn best(durations: &[u64], loads: &mut [u64]) -> u64 {
        let Some((first, rest)) = durations.split_first() else {
            return loads.iter().copied().max().unwrap_or(0);
        };
        let mut least = u64::MAX;
        for at in 0..loads.len() {
            loads[at] += first;
            least = least.min(best(rest, loads));
            loads[at] -= first;
        }
        least
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_longest_shard_is_a_third_longer_than_the_best_at_most(
            durations in prop::collection::vec(0..100_u64, 1..8),
            shards in 1..5_usize,
        ) {
            let spread = spread(&durations, shards);
            let mut all: Vec<usize> = spread.concat();
            all.sort_unstable();
            prop_assert!(all.into_iter().eq(0..durations.len()), "each piece is done once");
            prop_assert!(spread.iter().all(|work| !work.is_empty() && work.is_sorted()));
            prop_assert_eq!(spread.len(), shards.min(durations.len()));
            let best = best(&durations, &mut vec![0; shards]);
            prop_assert!(3 * longest(&durations, &spread) <= 4 * best);
        }

        #[test]
        fn the_same_work_is_spread_in_the_same_way(
            durations in prop::collection::vec(any::<u64>(), 0..50),
            shards in 1..20_usize,
        ) {
            prop_assert_eq!(spread(&durations, shards), spread(&durations, shards));
        }
    }

    #[test]
    fn what_is_known_in_advance_comes_out() {
        assert_eq!(spread(&[1, 7, 3, 5], 2), [[0, 1], [2, 3]]);
        assert_eq!(spread(&[0, 0, 0], 2), [vec![0, 2], vec![1]]);
        assert_eq!(spread(&[4], 3), [[0]]);
        assert!(spread(&[], 3).is_empty());
    }
}
