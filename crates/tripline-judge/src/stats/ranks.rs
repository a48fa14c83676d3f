//! Ranks, with the middle rank for values that are equal.
//!
//! Ranks are kept doubled: a middle rank is a half of a whole number at the worst, so its double is whole, and sums of
//! ranks are exact.
//!
//! Tested below.

/// The ranks of a sample, counted from one.
#[derive(Debug, PartialEq)]
pub(super) struct Ranks {
    /// Twice the rank of each value, in the order of the values.
    pub(super) doubled: Vec<usize>,
    /// The sum of t^3 - t over all groups of t equal values, by which ties lower the variance of a sum of ranks.
    pub(super) ties: f64,
}

impl Ranks {
    pub(super) fn of(values: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_unstable_by(|a, b| values[*a].total_cmp(&values[*b]));
        let mut ranks = Self {
            doubled: vec![0; values.len()],
            ties: 0.0,
        };
        let mut before = 0;
        for equal in order.chunk_by(|a, b| values[*a] == values[*b]) {
            for index in equal {
                ranks.doubled[*index] = 2 * before + equal.len() + 1;
            }
            before += equal.len();
            let size = equal.len() as f64;
            ranks.ties += size * (size * size - 1.0);
        }
        ranks
    }

    pub(super) fn has_ties(&self) -> bool {
        self.ties > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_the_middle_rank() {
        let ranks = Ranks::of(&[5.0, 2.0, 5.0, 5.0, -1.0, 2.0]);
        assert_eq!(ranks.doubled, [10, 5, 10, 10, 2, 5]);
        assert_eq!(ranks.ties, 24.0 + 6.0);
        assert!(ranks.has_ties() && !Ranks::of(&[3.0, 1.0]).has_ties());
        assert_eq!(Ranks::of(&[]).doubled, Vec::<usize>::new());
    }

    #[test]
    fn the_two_zeros_are_equal() {
        assert_eq!(Ranks::of(&[0.0, -0.0]).doubled, [3, 3]);
    }
}
