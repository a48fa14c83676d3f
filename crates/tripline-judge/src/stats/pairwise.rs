//! Order statistics of all pairs, without making the pairs.
//!
//! A sample of a thousand has half a million pairwise means, and two segments of five thousand have 25 million
//! differences: too many to sort for one median. But in sorted samples the pairs that are at most some value are counted
//! in one walk with two fingers, and a binary search over that value finds the pair of any rank: there are only 2^64
//! numbers, so it takes at most 64 walks.
//!
//! Tested below against sorting all pairs.

use super::descriptive::sorted;

/// The means of all pairs of a sample, each value paired with itself too (Walsh averages).
pub(super) struct Means {
    sorted: Vec<f64>,
}

/// The differences of all pairs of two samples, second minus first.
pub(super) struct Differences {
    first: Vec<f64>,
    second: Vec<f64>,
}

/// All pairs of something.
pub(super) trait Pairs {
    /// How many pairs there are.
    fn count(&self) -> usize;
    /// How many of them are at most a value.
    fn at_most(&self, value: f64) -> usize;
    /// The smallest and the largest pair.
    fn ends(&self) -> Option<(f64, f64)>;

    /// Returns the pair of a rank, counted from zero.
    fn nth(&self, rank: usize) -> Option<f64> {
        let (low, high) = self.ends().filter(|_| rank < self.count())?;
        let (mut low, mut high) = (place(low), place(high));
        while low < high {
            let middle = low + (high - low) / 2;
            if self.at_most(at(middle)) > rank {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        // Adding zero makes a plain zero of a negative one.
        Some(at(low) + 0.0)
    }

    /// Returns the median of the pairs.
    fn median(&self) -> Option<f64> {
        let above = self.nth(self.count() / 2)?;
        if self.count() % 2 == 1 {
            return Some(above);
        }
        Some(f64::midpoint(self.nth(self.count() / 2 - 1)?, above))
    }
}

impl Means {
    pub(super) fn of(values: &[f64]) -> Self {
        // Halved beforehand, so that the sum of two huge numbers has room.
        let halves: Vec<f64> = values.iter().map(|value| value / 2.0).collect();
        Self {
            sorted: sorted(&halves),
        }
    }
}

impl Pairs for Means {
    fn count(&self) -> usize {
        self.sorted.len() * (self.sorted.len() + 1) / 2
    }

    fn at_most(&self, value: f64) -> usize {
        let (mut end, mut count) = (self.sorted.len(), 0);
        for (index, first) in self.sorted.iter().enumerate() {
            while end > index && first + self.sorted[end - 1] > value {
                end -= 1;
            }
            if end <= index {
                break;
            }
            count += end - index;
        }
        count
    }

    fn ends(&self) -> Option<(f64, f64)> {
        let (first, last) = (self.sorted.first()?, self.sorted.last()?);
        Some((first + first, last + last))
    }
}

impl Differences {
    pub(super) fn of(first: &[f64], second: &[f64]) -> Self {
        Self {
            first: sorted(first),
            second: sorted(second),
        }
    }
}

impl Pairs for Differences {
    fn count(&self) -> usize {
        self.first.len() * self.second.len()
    }

    fn at_most(&self, value: f64) -> usize {
        let (mut start, mut count) = (0, 0);
        for second in &self.second {
            while start < self.first.len() && second - self.first[start] > value {
                start += 1;
            }
            count += self.first.len() - start;
        }
        count
    }

    fn ends(&self) -> Option<(f64, f64)> {
        let smallest = self.second.first()? - self.first.last()?;
        let largest = self.second.last()? - self.first.first()?;
        Some((smallest, largest))
    }
}

/// The bit that tells negative numbers.
const SIGN: u64 = 1 << 63;

/// Returns the place of a number among all numbers.
fn place(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

/// Returns the number at a place.
fn at(place: u64) -> f64 {
    f64::from_bits(if place & SIGN == 0 {
        !place
    } else {
        place & !SIGN
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn values() -> impl Strategy<Value = Vec<f64>> {
        // Small whole numbers make ties; the others make none.
        let value = prop_oneof![
            (-5..5_i8).prop_map(f64::from),
            -1e6..1e6,
            prop::num::f64::NORMAL,
            Just(f64::MAX)
        ];
        prop::collection::vec(value, 0..20)
    }

    fn all(pairs: &impl Pairs) -> Vec<f64> {
        (0..pairs.count())
            .map(|rank| pairs.nth(rank).unwrap())
            .collect()
    }

    proptest! {
        #[test]
        fn numbers_and_places_have_one_order(one in prop::num::f64::ANY, other in prop::num::f64::ANY) {
            prop_assert_eq!(at(place(one)).to_bits(), one.to_bits());
            prop_assert_eq!(place(one).cmp(&place(other)), one.total_cmp(&other));
        }

        #[test]
        fn means_are_those_of_sorting(values in values()) {
            let mut expected = Vec::new();
            for (index, one) in values.iter().enumerate() {
                expected.extend(values[index..].iter().map(|other| one / 2.0 + other / 2.0));
            }
            prop_assert_eq!(all(&Means::of(&values)), sorted(&expected));
        }

        #[test]
        fn differences_are_those_of_sorting(first in values(), second in values()) {
            let each = |one: &f64| second.iter().map(move |other| other - one).collect::<Vec<_>>();
            let expected: Vec<f64> = first.iter().flat_map(each).collect();
            prop_assert_eq!(all(&Differences::of(&first, &second)), sorted(&expected));
        }
    }

    #[test]
    fn no_values_have_no_pairs() {
        assert_eq!(
            (Means::of(&[]).median(), Means::of(&[1.0]).nth(1)),
            (None, None)
        );
        assert_eq!(Differences::of(&[1.0], &[]).median(), None);
    }
}
