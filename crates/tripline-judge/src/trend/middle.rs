//! Medians in linear time. A history is looked at after every commit, and most of what a look costs would be sorting.
//!
//! Tested below against sorting.

/// What turns a median distance into the standard deviation of normal noise.
const NORMAL_BY_MEDIAN: f64 = 1.4826;

/// Returns the median, or zero for no values.
pub(super) fn median(values: &[f64]) -> f64 {
    median_of(&mut values.to_vec())
}

/// Returns the standard deviation by the median distance from the median, which up to half of the values cannot move.
pub(super) fn deviation(values: &[f64]) -> f64 {
    deviation_from(values, median(values))
}

/// Returns the standard deviation by the median distance from a middle that is known.
pub(super) fn deviation_from(values: &[f64], middle: f64) -> f64 {
    let distances = values.iter().map(|value| (value - middle).abs());
    NORMAL_BY_MEDIAN * median_of(&mut distances.collect::<Vec<_>>())
}

fn median_of(values: &mut [f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let half = values.len() / 2;
    let is_odd = values.len() % 2 == 1;
    let (below, above, _) = values.select_nth_unstable_by(half, f64::total_cmp);
    if is_odd {
        return *above;
    }
    let below = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    f64::midpoint(below, *above)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats;

    #[test]
    fn middles_are_those_of_sorting() {
        for count in 1..40_u32 {
            let values: Vec<f64> = (0..count).map(|i| f64::from(i * 7919 % 23)).collect();
            assert_eq!(Some(median(&values)), stats::median(&values));
            assert_eq!(deviation(&values), stats::noise::sigma_by_median(&values));
        }
        assert_eq!((median(&[]), deviation(&[])), (0.0, 0.0));
    }
}
