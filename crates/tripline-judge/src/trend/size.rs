//! How large a change is: the middle of all differences across it (Hodges and Lehmann 1963), and its interval.
//!
//! Tested below against the same statistics for any samples, which are made for accuracy and not for a thousand change
//! points.

use crate::stats::{Interval, normal_quantile, rank_sum};

/// How many values next to the change are asked, on each side: the size when it happened, and a bound for the work.
const NEAR: usize = 50;

/// The confidence of the interval.
const CONFIDENCE: f64 = 0.95;

/// Up to how many differences the rank of the interval's ends is counted; beyond, the normal distribution gives the same
/// rank but for one or two.
const COUNTED_MAX: usize = 400;

/// The size of a change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Size {
    /// The difference, after less before.
    pub(super) difference: f64,
    /// Its interval. `None` where there are too few values for one.
    pub(super) interval: Option<Interval>,
}

impl Size {
    /// Measures a change between two segments, neither of them empty.
    pub(super) fn of(before: &[f64], after: &[f64]) -> Self {
        let before = &before[before.len().saturating_sub(NEAR)..];
        let after = &after[..after.len().min(NEAR)];
        let differences = before.iter().flat_map(|b| after.iter().map(move |a| a - b));
        let mut differences: Vec<f64> = differences.collect();
        let mut nth = |rank| *differences.select_nth_unstable_by(rank, f64::total_cmp).1;
        let last = before.len() * after.len() - 1;
        let dropped = dropped(before.len(), after.len());
        Self {
            difference: f64::midpoint(nth(last / 2), nth(last.div_ceil(2))),
            interval: dropped.map(|dropped| Interval {
                low: nth(dropped),
                high: nth(last - dropped),
                confidence: CONFIDENCE,
            }),
        }
    }
}

/// Returns how many differences lie beyond each end of the interval.
fn dropped(before: usize, after: usize) -> Option<usize> {
    let pairs = before * after;
    if pairs <= COUNTED_MAX {
        return rank_sum::dropped(before, after, CONFIDENCE);
    }
    let deviation = (pairs as f64 / 12.0 * (before + after + 1) as f64).sqrt();
    let place = pairs as f64 / 2.0 + normal_quantile((1.0 - CONFIDENCE) / 2.0) * deviation - 0.5;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it lies between nothing and the number of pairs"
    )]
    (place >= 0.0).then_some(place as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_rank_sum() {
        let value = |i: u32| f64::from(i * 7919 % 1009) / 100.0;
        for (first, second) in [(3, 5), (8, 9), (20, 20), (30, 40), (50, 50)] {
            let before: Vec<f64> = (0..first).map(value).collect();
            let after: Vec<f64> = (200..200 + second).map(|i| value(i) + 3.0).collect();
            let size = Size::of(&before, &after);
            let exact = rank_sum::hodges_lehmann(&before, &after).unwrap();
            assert!((size.difference - exact).abs() < 1e-12);
            let interval = rank_sum::interval(&before, &after, CONFIDENCE);
            assert_eq!(size.interval.is_some(), interval.is_some());
            if let (Some(size), Some(exact)) = (size.interval, interval) {
                assert!((size.low - exact.low).abs() < 0.1 && (size.high - exact.high).abs() < 0.1);
            }
        }
        assert_eq!(Size::of(&[1.0], &[3.0]).interval, None);
    }
}
