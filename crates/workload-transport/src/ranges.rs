//! A set of numbers as the ranges that it consists of.
//!
//! What arrives and what is acknowledged comes mostly in order, so that the last range grows and nothing moves.
//!
//! Tests: against a set of single numbers, by random calls.

use std::ops::Range;

/// Ranges in order that neither overlap nor touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ranges(Vec<Range<u64>>);

impl Ranges {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn first(&self) -> Option<&Range<u64>> {
        self.0.first()
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &Range<u64>> {
        self.0.iter()
    }

    pub(crate) fn contains(&self, number: u64) -> bool {
        let at = self.0.partition_point(|range| range.end <= number);
        self.0.get(at).is_some_and(|range| range.start <= number)
    }

    /// Adds the numbers of `added`.
    pub(crate) fn insert(&mut self, added: Range<u64>) {
        if added.is_empty() {
            return;
        }
        if let Some(last) = self.0.last_mut()
            && (last.start..=last.end).contains(&added.start)
        {
            last.end = last.end.max(added.end);
            return;
        }
        let from = self.0.partition_point(|range| range.end < added.start);
        let to = self.0.partition_point(|range| range.start <= added.end);
        if from == to {
            self.0.insert(from, added);
            return;
        }
        let merged = self.0[from].start.min(added.start)..self.0[to - 1].end.max(added.end);
        self.0[from] = merged;
        self.0.drain(from + 1..to);
    }

    /// Takes the numbers of `removed` out.
    pub(crate) fn remove(&mut self, removed: Range<u64>) {
        let from = self.0.partition_point(|range| range.end <= removed.start);
        let to = self.0.partition_point(|range| range.start < removed.end);
        if removed.is_empty() || from >= to {
            return;
        }
        let before = self.0[from].start..removed.start;
        let after = removed.end..self.0[to - 1].end;
        let kept = [before, after]
            .into_iter()
            .filter(|range| !range.is_empty());
        self.0.splice(from..to, kept);
    }

    /// Takes the first range out.
    pub(crate) fn pop_first(&mut self) -> Option<Range<u64>> {
        (!self.0.is_empty()).then(|| self.0.remove(0))
    }

    /// Gives back what memory is not needed.
    pub(crate) fn shrink(&mut self) {
        self.0.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn behaves_as_a_set_of_numbers(
            calls in proptest::collection::vec((any::<bool>(), 0_u64..60, 0_u64..12), 0..60)
        ) {
            let mut ranges = Ranges::new();
            let mut numbers = BTreeSet::new();
            for (adds, start, length) in calls {
                if adds {
                    ranges.insert(start..start + length);
                    numbers.extend(start..start + length);
                } else {
                    ranges.remove(start..start + length);
                    numbers.retain(|number| !(start..start + length).contains(number));
                }
                let all: Vec<u64> = ranges.iter().cloned().flatten().collect();
                prop_assert_eq!(&all, &numbers.iter().copied().collect::<Vec<_>>());
                let apart = ranges.0.windows(2).all(|pair| pair[0].end < pair[1].start);
                prop_assert!(apart);
                for number in 0..75 {
                    prop_assert_eq!(ranges.contains(number), numbers.contains(&number));
                }
            }
        }
    }
}
