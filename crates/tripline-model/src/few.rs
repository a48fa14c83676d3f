//! Sets and maps of a few values, made by putting one after another into them.
//!
//! `collect` sorts first, which pays where there are many, and each type of value brings a sort of its own into the binary:
//! five kilobytes, a hundred times over. What is asked once, of a few, needs none. Tested through all that use it.

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
