//! The middle of a few differences of logarithms, with the surest interval that so many allow.
//!
//! Tested below, and through everything that is judged in pairs.

use std::cmp::Ordering;

use crate::stats::{Interval, signed_rank};

/// How sure an interval is to hold the truth, where there are enough values.
const CONFIDENCE: f64 = 0.99;

/// How far apart two values are said to be at most, in logarithms: zero lies so far from everything else.
const BEYOND: f64 = 1_000.0;

/// Returns the logarithm of head over base. A zero on one side gives a number beyond all others, and not an infinite
/// one, which has no middle with its opposite.
///
/// The larger is divided by the smaller, whichever it is: so the sides swapped give the very same number turned around,
/// and two pairs of one ratio the very same, whatever their scale. Ranks would tell them apart by their last digit.
pub(crate) fn ln_ratio(base: f64, head: f64) -> f64 {
    let ln = |large: f64, small: f64| (large / small).ln().min(BEYOND);
    match base.partial_cmp(&head) {
        Some(Ordering::Less) => ln(head, base),
        Some(Ordering::Greater) => -ln(base, head),
        Some(Ordering::Equal) | None => 0.0,
    }
}

/// Returns the interval of the middle of the values with 99 %, or the most that is possible with fewer than eight of
/// them. A single value has none.
pub(crate) fn interval(values: &[f64]) -> Option<Interval> {
    let count = i32::try_from(values.len()).unwrap_or(i32::MAX);
    let possible = 1.0 - 2.0 * 0.5_f64.powi(count);
    signed_rank::interval(values, possible.min(CONFIDENCE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_values_are_less_sure() {
        let confidence = |count: u32| {
            let values: Vec<f64> = (0..count).map(f64::from).collect();
            interval(&values).map(|interval| interval.confidence)
        };
        assert_eq!([0, 1].map(confidence), [None, None]);
        assert_eq!([2, 3, 5].map(confidence), [0.5, 0.75, 0.9375].map(Some));
        for count in [8, 30, 50, 51, 400] {
            let confidence = confidence(count).unwrap();
            assert!((0.99..0.999).contains(&confidence), "{count}: {confidence}");
        }
    }

    #[test]
    fn zero_is_far_from_everything_and_equal_to_itself() {
        assert_eq!(ln_ratio(0.0, 0.0), 0.0);
        assert_eq!(ln_ratio(0.0, 5e-324), BEYOND);
        assert_eq!(ln_ratio(tripline_model::COUNT_MAX, 0.0), -BEYOND);
        assert_eq!(ln_ratio(5e-324, tripline_model::COUNT_MAX), BEYOND);
    }

    #[test]
    fn ratios_are_equal_to_the_last_digit() {
        for (base, head) in [(100.0, 110.0), (7.0, 3.0), (0.1, 0.3)] {
            assert_eq!(ln_ratio(base, head), -ln_ratio(head, base));
            assert_eq!(ln_ratio(base, head), ln_ratio(8.0 * base, 8.0 * head));
        }
        assert_eq!(ln_ratio(7.0, 3.0), ln_ratio(700.0, 300.0));
    }
}
