//! A series as the search sees it: on a scale where relative changes are differences, with ranks, and without outliers.
//!
//! Positive values are taken in natural logarithms, so that a change counts by its share and a change of unit moves
//! nothing but the origin. Negative ones are mirrored first. Values of both signs, or with zeros, have no logarithm: they
//! are divided by the largest, which also takes the unit away.
//!
//! Tested through the detector: the properties of `tests/judge/trend` hold in any unit and with either sign.

use crate::stats::noise::sigma_by_median;

/// The window whose median says what a lone outlier should have been. Three neighbours on either side: a new level shows
/// in the median from its fourth value on and is not touched, but up to three outliers in a row are pulled in.
const WINDOW: usize = 7;

/// How many standard deviations a value may lie from that median. Normal noise lies beyond once in 370 values, and a
/// value that is pulled in still counts for three.
const CLIP: f64 = 3.0;

/// The median of seven values lies within the noise of its own: a distance from it is a little too small to be the
/// standard deviation. For normal noise by this much.
const WINDOW_CORRECTION: f64 = 1.15;

/// A stretch of at least one value in so many is sorted by walking through the order of all.
const SORTED_FROM: usize = 4;

/// How values are made differences of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Scale {
    /// All are positive: natural logarithms.
    Logarithm,
    /// All are negative: natural logarithms, mirrored.
    MirroredLogarithm,
    /// There are zeros, or both signs: shares of this largest magnitude.
    ShareOf(f64),
}

impl Scale {
    /// Chooses the scale of a series. `None` where a value is no finite number.
    fn of(values: &[f64]) -> Option<Self> {
        if !values.iter().all(|value| value.is_finite()) {
            return None;
        }
        if values.iter().all(|value| *value > 0.0) {
            return Some(Self::Logarithm);
        }
        if values.iter().all(|value| *value < 0.0) {
            return Some(Self::MirroredLogarithm);
        }
        let largest = values
            .iter()
            .fold(0.0_f64, |most, value| most.max(value.abs()));
        Some(Self::ShareOf(if largest > 0.0 { largest } else { 1.0 }))
    }

    fn apply(self, value: f64) -> f64 {
        match self {
            Self::Logarithm => value.ln(),
            Self::MirroredLogarithm => -(-value).ln(),
            Self::ShareOf(largest) => value / largest,
        }
    }

    /// Returns a difference on this scale as a share of the level it starts from, given as a value of the series. A
    /// change from zero is infinitely large.
    pub(super) fn share(self, difference: f64, before: f64) -> f64 {
        match self {
            Self::Logarithm => difference.exp_m1(),
            Self::MirroredLogarithm => -(-difference).exp_m1(),
            Self::ShareOf(_) if difference == 0.0 => 0.0,
            Self::ShareOf(largest) => difference / (before.abs() / largest),
        }
    }
}

/// A series on its scale.
#[derive(Debug)]
pub(super) struct Series {
    /// The scale.
    pub(super) scale: Scale,
    /// The values on the scale.
    pub(super) heights: Vec<f64>,
    /// The same, with outliers pulled towards the median of their neighbours.
    pub(super) calm: Vec<f64>,
    /// The rank of each value among all; equal values share one.
    pub(super) ranks: Vec<u32>,
    /// The values in the order of their size.
    order: Vec<u32>,
}

impl Series {
    /// Prepares a series. `None` where a value is no finite number, and where there are more than ranks can count.
    pub(super) fn of(values: &[f64]) -> Option<Self> {
        let scale = Scale::of(values)?;
        let heights: Vec<f64> = values.iter().map(|value| scale.apply(*value)).collect();
        let order = order(values)?;
        Some(Self {
            scale,
            calm: calmed(&heights),
            ranks: dense_ranks(values, &order),
            order,
            heights,
        })
    }

    /// Returns the values of a stretch in the order of their size.
    pub(super) fn sorted(&self, start: usize, end: usize) -> Vec<u32> {
        let is_within = |index: &u32| (start..end).contains(&(*index as usize));
        if (end - start) * SORTED_FROM >= self.len() {
            return self.order.iter().copied().filter(is_within).collect();
        }
        let mut keys: Vec<u64> = (start..end)
            .map(|index| u64::from(self.ranks[index]) << 32 | index as u64)
            .collect();
        keys.sort_unstable();
        keys.iter()
            .map(|key| (key & u64::from(u32::MAX)) as u32)
            .collect()
    }

    pub(super) fn len(&self) -> usize {
        self.heights.len()
    }
}

fn order(values: &[f64]) -> Option<Vec<u32>> {
    let mut order: Vec<u32> = (0..u32::try_from(values.len()).ok()?).collect();
    order.sort_unstable_by(|a, b| values[*a as usize].total_cmp(&values[*b as usize]));
    Some(order)
}

fn dense_ranks(values: &[f64], order: &[u32]) -> Vec<u32> {
    let mut ranks = vec![0; values.len()];
    let groups = order.chunk_by(|a, b| values[*a as usize] == values[*b as usize]);
    for (rank, group) in (0..).zip(groups) {
        for index in group {
            ranks[*index as usize] = rank;
        }
    }
    ranks
}

/// Pulls what lies far from the median of its neighbours towards it (Hampel's filter, but clipping instead of replacing).
fn calmed(heights: &[f64]) -> Vec<f64> {
    let medians = running_medians(heights);
    let pairs = || heights.iter().zip(&medians);
    let distances: Vec<f64> = pairs().map(|(height, median)| height - median).collect();
    let reach = CLIP * WINDOW_CORRECTION * sigma_by_median(&distances);
    pairs()
        .map(|(height, median)| height.clamp(median - reach, median + reach))
        .collect()
}

/// Returns the median of the window around each value; near an end, of the window that ends there.
fn running_medians(heights: &[f64]) -> Vec<f64> {
    let width = WINDOW.min(heights.len());
    let mut window = heights[..width].to_vec();
    window.sort_unstable_by(f64::total_cmp);
    let mut start = 0;
    (0..heights.len())
        .map(|index| {
            // The window moves on by one value, once the one in question is beyond its middle.
            if index > start + WINDOW / 2 && start + width < heights.len() {
                replace(&mut window, heights[start], heights[start + width]);
                start += 1;
            }
            window[width / 2]
        })
        .collect()
}

/// Replaces a value of a sorted window.
fn replace(window: &mut Vec<f64>, old: f64, new: f64) {
    let place = |window: &[f64], value: f64| {
        window.partition_point(|other| other.total_cmp(&value).is_lt())
    };
    window.remove(place(window, old));
    window.insert(place(window, new), new);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_of_the_level_before_whatever_the_scale() {
        let near = |one: f64, other: f64| assert!((one - other).abs() < 1e-12, "{one} {other}");
        for (before, after) in [(100.0, 110.0), (-100.0, -110.0), (110.0, 100.0)] {
            let scale = Scale::of(&[before, after]).unwrap();
            let difference = scale.apply(after) - scale.apply(before);
            let expected = (after - before) / f64::abs(before);
            near(scale.share(difference, before), expected);
        }
        let mixed = Scale::of(&[-2.0, 0.0, 4.0]).unwrap();
        assert_eq!(mixed, Scale::ShareOf(4.0));
        near(mixed.share(mixed.apply(3.0) - mixed.apply(-2.0), -2.0), 2.5);
        assert_eq!(mixed.share(0.25, 0.0), f64::INFINITY);
        assert_eq!(mixed.share(0.0, 0.0), 0.0);
    }

    #[test]
    fn what_is_no_finite_number_has_no_scale() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(Series::of(&[1.0, bad, 2.0]).is_none());
        }
        assert!(Series::of(&[]).is_some_and(|series| series.len() == 0));
    }

    #[test]
    fn equal_values_share_a_rank_and_the_two_zeros_are_equal() {
        let series = Series::of(&[3.0, -1.0, 3.0, 0.0, -0.0, 7.0]).unwrap();
        assert_eq!(series.ranks, [2, 0, 2, 1, 1, 3]);
    }

    #[test]
    fn a_stretch_is_sorted_alike_whether_it_is_long_or_short() {
        let values: Vec<f64> = (0..200_u32).map(|i| f64::from(i * 7919 % 211)).collect();
        let series = Series::of(&values).unwrap();
        for (start, end) in [(0, 200), (50, 150), (7, 12), (199, 200)] {
            let mut expected: Vec<u32> = (start..end).collect();
            expected.sort_by_key(|index| series.ranks[*index as usize]);
            assert_eq!(series.sorted(start as usize, end as usize), expected);
        }
    }

    #[test]
    fn running_medians_are_those_of_sorting_each_window() {
        for count in 0..30_usize {
            let heights: Vec<f64> = (0..count).map(|i| (i * 7919 % 13) as f64 - 6.0).collect();
            let expected = (0..count).map(|index| {
                let width = WINDOW.min(count);
                let start = index.saturating_sub(WINDOW / 2).min(count - width);
                let mut window = heights[start..start + width].to_vec();
                window.sort_by(f64::total_cmp);
                window[width / 2]
            });
            assert_eq!(running_medians(&heights), expected.collect::<Vec<_>>());
        }
    }

    #[test]
    fn outliers_are_pulled_in_and_levels_are_not() {
        let mut heights: Vec<f64> = (0..40).map(|i| f64::from(i % 4)).collect();
        heights
            .iter_mut()
            .skip(20)
            .for_each(|height| *height += 50.0);
        let steady = calmed(&heights);
        assert_eq!(steady, heights);
        heights[10] += 1_000.0;
        let calm = calmed(&heights);
        assert!(calm[10] < 20.0, "{}", calm[10]);
        heights[10] = calm[10];
        assert_eq!(calm, heights);
    }
}
