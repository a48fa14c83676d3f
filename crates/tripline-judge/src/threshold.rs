//! Whether a difference reaches a share of a value, without rounding where both are whole numbers.
//!
//! A count of exactly one percent more must fail a gate of one percent, and 0.01 is no binary fraction: with floating
//! point, whether 0.01 x 700 is 7 or a little more is the luck of the number. So whole numbers are compared as whole
//! numbers, with the share in billionths; and what is a fraction, as a count divided by another may be, reaches a share as
//! well that it misses by rounding alone.
//!
//! *Note:* a share is taken of the smaller side. For a growing count that is the base, as everybody expects; for a
//! shrinking one it is the head, so that the same two numbers are as far apart in either order. With the base on both
//! sides, +0.1 % could be a regression whose removal is no improvement.
//!
//! Tested below at the thresholds themselves, and by the mirror property in `tests/judge`.

use std::cmp::Ordering;

use tripline_model::{COUNT_MAX, Tolerance};

/// The parts a share is counted in. Shares finer than a billionth are rounded to one; no policy is so fine.
const BILLION: f64 = 1e9;

/// What fractions may lose in rounding, as a share of the greater.
const ROUNDING: f64 = 1e-12;

/// Returns whether two values differ by more than a tolerance allows: by more than the floor, and by the relative
/// tolerance or more. A change of exactly 0.1 % is reported where 0.1 % is the tolerance.
#[must_use]
pub fn differ(base: f64, head: f64, tolerance: Tolerance) -> bool {
    let difference = (head - base).abs();
    difference > tolerance.floor && reaches(base, head, tolerance.relative)
}

/// Returns whether two values that differ by more than a tolerance allows do so by no more than its very share.
pub(crate) fn is_at_share(base: f64, head: f64, tolerance: Tolerance) -> bool {
    let difference = (head - base).abs();
    difference > tolerance.floor
        && beside_share(base, head, tolerance.relative).is_some_and(Ordering::is_eq)
}

/// Returns whether two values differ by a share of the smaller or more. No difference reaches an infinite share.
pub(crate) fn reaches(base: f64, head: f64, share: f64) -> bool {
    share != f64::INFINITY && beside_share(base, head, share).is_some_and(Ordering::is_ge)
}

/// Compares by how much two values differ with a share of the smaller.
fn beside_share(base: f64, head: f64, share: f64) -> Option<Ordering> {
    let difference = (head - base).abs();
    let smaller = base.min(head);
    let parts = (share * BILLION).round();
    match (whole(difference), whole(smaller), whole(parts)) {
        // Each factor is at most 2^53, so the products have at most 106 bits.
        (Some(difference), Some(smaller), Some(parts)) => {
            Some((difference * 1_000_000_000).cmp(&(parts * smaller)))
        }
        _ => {
            let excess = difference - share * smaller;
            let is_rounding = excess.abs() <= ROUNDING * base.max(head);
            excess.partial_cmp(&0.0).map(|order| match is_rounding {
                true => Ordering::Equal,
                false => order,
            })
        }
    }
}

/// Returns a value as a whole number, if it is one that is kept exactly.
fn whole(value: f64) -> Option<u128> {
    let is_whole = value.fract() == 0.0 && (0.0..=COUNT_MAX).contains(&value);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the value is whole, and within 0 and 2^53"
    )]
    is_whole.then_some(value as u128)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_reached_at_the_very_number() {
        // Every multiple of 100 up to a million: one percent of it is whole, and floating point errs on some of them.
        for hundreds in 1..=10_000_u32 {
            let base = f64::from(hundreds) * 100.0;
            let one_percent = f64::from(hundreds);
            assert!(reaches(base, base + one_percent, 0.01), "{base}");
            assert!(!reaches(base, base + one_percent - 1.0, 0.01), "{base}");
        }
    }

    #[test]
    fn the_largest_counts_are_told_apart() {
        let base = COUNT_MAX - 1.0;
        assert!(reaches(base, COUNT_MAX, 0.0));
        assert!(!reaches(base, COUNT_MAX, 1e-9));
        assert!(reaches(1.0, COUNT_MAX, 1.0));
    }

    #[test]
    fn zero_is_infinitely_far_from_everything_else() {
        assert!(reaches(0.0, 1.0, 1_000.0));
        assert!(reaches(1.0, 0.0, 1_000.0));
        assert!(!reaches(0.0, 1.0, f64::INFINITY));
    }

    #[test]
    fn both_the_floor_and_the_share_are_needed() {
        let tolerance = Tolerance {
            relative: 0.001,
            floor: 50.0,
        };
        assert!(!differ(1_000.0, 1_050.0, tolerance));
        assert!(differ(1_000.0, 1_051.0, tolerance));
        assert!(!differ(1_000_000.0, 1_000_999.0, tolerance));
        assert!(differ(1_000_000.0, 1_001_000.0, tolerance));
    }

    #[test]
    fn the_very_share_is_told_from_more_and_from_less() {
        let of = |relative, floor| Tolerance { relative, floor };
        assert!(is_at_share(50.0, 51.0, of(0.02, 0.0)));
        assert!(is_at_share(51.0, 50.0, of(0.02, 0.0)));
        assert!(is_at_share(0.5, 0.625, of(0.25, 0.0)));
        for (base, head) in [
            (50.0, 52.0),
            (500.0, 509.0),
            (0.0, 0.0),
            (0.0, 1.0),
            (7.0, 7.0),
        ] {
            assert!(!is_at_share(base, head, of(0.02, 0.0)), "{base} {head}");
        }
        assert!(!is_at_share(50.0, 51.0, of(0.02, 1.0)));
        assert!(!is_at_share(50.0, 51.0, of(0.0, 0.0)));
    }

    #[test]
    fn fractions_are_compared_as_they_are() {
        assert!(reaches(0.5, 0.625, 0.25));
        assert!(!reaches(0.5, 0.6, 0.25));
    }

    #[test]
    fn a_quotient_of_counts_reaches_a_share_where_the_count_does() {
        for hundreds in 1..=1_000_u32 {
            for divisor in [3.0, 7.0, 10_000.0] {
                let of = |count: u32| f64::from(count) / divisor;
                let base = of(hundreds * 100);
                assert!(reaches(base, of(hundreds * 101), 0.01), "{base}");
                assert!(!reaches(base, of(hundreds * 101 - 1), 0.01), "{base}");
            }
        }
    }
}
