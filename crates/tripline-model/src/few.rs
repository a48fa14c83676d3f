//! Sets and maps of a few values, and their order, without a sort for each type of value.
//!
//! `collect` sorts first, which pays where there are many, and each type of value brings a sort of its own into the binary:
//! five kilobytes, a hundred times over. What is asked once, of a few, needs none: it is put into its set one after another,
//! or ordered by the one sort below, which is slower. Tested through all that use it, and the order below.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the set of a few values.
pub fn set_of<T: Ord>(values: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    set.extend(values);
    set
}

/// Returns the map of a few keys, each with the last of its values.
pub fn map_of<K: Ord, V>(pairs: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.extend(pairs);
    map
}

/// Sorts values. What is alike stays as it came, here and below.
pub fn sort<T: Ord>(values: &mut [T]) {
    sort_by(values, T::cmp);
}

/// Sorts values by a key, which is computed for each comparison.
pub fn sort_by_key<T, K: Ord>(values: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(values, |a, b| key(a).cmp(&key(b)));
}

/// Sorts values by a comparison.
pub fn sort_by<T>(values: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let order = order_of(values.len(), &mut |a, b| compare(&values[a], &values[b]));
    put_in_order(order, &mut |a, b| values.swap(a, b));
}

/// Returns the places of so many values in their order.
pub fn order_of(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}

/// Swaps values until at each place is the one that the order names for it.
fn put_in_order(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut place = start;
        while order[place] != start {
            let wanted = std::mem::replace(&mut order[place], place);
            swap(place, wanted);
            place = wanted;
        }
        order[place] = place;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_order_is_that_of_a_stable_sort(keys in prop::collection::vec(0..10_u8, 0..100)) {
            let mut sorted: Vec<(u8, usize)> = keys.into_iter().zip(0..).collect();
            let mut expected = sorted.clone();
            expected.sort_by_key(|(key, _)| *key);
            sort_by_key(&mut sorted, |(key, _)| *key);
            prop_assert_eq!(sorted, expected);
        }
    }
}
