//! What belongs together by a key, in the order in which the keys first stand.
//!
//! Keys are ordered rather than hashed, so that hostile names cannot make this slow. Tested below.

use std::collections::BTreeMap;
use std::convert::Infallible;

/// Values by their keys.
#[derive(Debug)]
pub(crate) struct Grouped<K, V> {
    all: Vec<(K, V)>,
    known: BTreeMap<K, usize>,
}

impl<K, V> Default for Grouped<K, V> {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            known: BTreeMap::new(),
        }
    }
}

impl<K: Ord + Clone, V> Grouped<K, V> {
    /// Returns the value of a key, which is made where the key is a new one.
    pub(crate) fn of(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let Ok(value) = self.try_of(key, || Ok::<V, Infallible>(make()));
        value
    }

    /// Returns the value of a key, which is made where the key is a new one. What cannot be made is not kept.
    pub(crate) fn try_of<E>(
        &mut self,
        key: K,
        make: impl FnOnce() -> Result<V, E>,
    ) -> Result<&mut V, E> {
        let index = if let Some(index) = self.known.get(&key) {
            *index
        } else {
            let index = self.all.len();
            self.all.push((key.clone(), make()?));
            self.known.insert(key, index);
            index
        };
        Ok(&mut self.all[index].1)
    }

    /// Returns the keys.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> + Clone {
        self.all.iter().map(|(key, _)| key)
    }

    /// Returns the values.
    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.all.iter().map(|(_, value)| value)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns each key with its value.
    pub(crate) fn into_all(self) -> Vec<(K, V)> {
        self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_in_their_order() {
        let mut grouped: Grouped<&str, Vec<u8>> = Grouped::default();
        for (key, value) in [("b", 1), ("a", 2), ("b", 3)] {
            grouped.of(key, Vec::new).push(value);
        }
        assert_eq!(grouped.try_of("c", || Err("refused")), Err("refused"));
        assert_eq!(grouped.keys().copied().collect::<String>(), "ba");
        assert_eq!(grouped.into_all(), [("b", vec![1, 3]), ("a", vec![2])]);
    }
}
