//! What describes one sample: its middle, its spread, its quantiles.
//!
//! Tested below, and through everything that is built on it.

/// Count, mean and variance of a sample: all that a t-test knows of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// How many values there are.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// Their variance.
    pub variance: f64,
}

impl Moments {
    /// Describes a sample, with the unbiased variance. `None` for fewer than two values.
    #[must_use]
    pub fn of_sample(values: &[f64]) -> Option<Self> {
        let (count, mean) = (values.len(), mean(values)?);
        let variance = (count >= 2).then(|| squares(values, mean) / (count - 1) as f64)?;
        Some(Self {
            count,
            mean,
            variance,
        })
    }

    /// Describes values that are all there are, with the variance that divides by their number.
    ///
    /// Some tools put this variance into a test that expects the other; to compare with them it is needed here.
    #[must_use]
    pub fn of_population(values: &[f64]) -> Option<Self> {
        let mean = mean(values)?;
        Some(Self {
            count: values.len(),
            mean,
            variance: squares(values, mean) / values.len() as f64,
        })
    }

    /// Returns the variance of the mean.
    pub(super) fn variance_of_mean(&self) -> f64 {
        self.variance / self.count as f64
    }
}

/// Returns the arithmetic mean.
#[must_use]
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Returns the unbiased variance. `None` for fewer than two values.
#[must_use]
pub fn variance(values: &[f64]) -> Option<f64> {
    Moments::of_sample(values).map(|moments| moments.variance)
}

fn squares(values: &[f64], mean: f64) -> f64 {
    values.iter().map(|value| (value - mean).powi(2)).sum()
}

/// Returns the middle value, or the middle of the two middle ones.
#[must_use]
pub fn median(values: &[f64]) -> Option<f64> {
    // In linear time: a history is looked at after every commit, and most of what a look costs would be sorting.
    let mut values = values.to_vec();
    let half = values.len() / 2;
    let is_odd = values.len() % 2 == 1;
    let last = values.len().checked_sub(1)?;
    let (below, above, _) = values.select_nth_unstable_by(half.min(last), f64::total_cmp);
    if is_odd {
        return Some(*above);
    }
    let below = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Some(f64::midpoint(below, *above))
}

/// Returns the value below which a share of the values lies, with straight lines between neighbours: of two values the
/// quantile 0.25 lies a quarter of the way from the smaller to the larger.
#[must_use]
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let sorted = sorted(values);
    let last = sorted.len().checked_sub(1)?;
    let place = share.clamp(0.0, 1.0) * last as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the place lies between the first index and the last"
    )]
    let below = place.floor() as usize;
    let above = (below + 1).min(last);
    let part = place - place.floor();
    // Not `low + part * (high - low)`: the difference of two huge numbers has no room.
    Some(sorted[below] * (1.0 - part) + sorted[above] * part)
}

pub(super) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

pub(super) fn median_of_sorted(sorted: &[f64]) -> Option<f64> {
    let above = sorted.get(sorted.len() / 2)?;
    if sorted.len() % 2 == 1 {
        return Some(*above);
    }
    Some(f64::midpoint(sorted[sorted.len() / 2 - 1], *above))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_has_no_middle_and_one_value_no_spread() {
        assert_eq!(
            (mean(&[]), median(&[]), quantile(&[], 0.5)),
            (None, None, None)
        );
        assert_eq!(
            (mean(&[3.0]), median(&[3.0]), variance(&[3.0])),
            (Some(3.0), Some(3.0), None)
        );
        assert_eq!(
            Moments::of_population(&[3.0]).map(|moments| moments.variance),
            Some(0.0)
        );
    }

    #[test]
    fn quantiles_lie_on_lines_between_the_values() {
        let values = [40.0, 10.0, 30.0, 20.0];
        let at = |share| quantile(&values, share).unwrap();
        assert_eq!((at(0.0), at(0.5), at(1.0)), (10.0, 25.0, 40.0));
        assert_eq!((at(0.25), at(-3.0), at(7.0)), (17.5, 10.0, 40.0));
    }

    #[test]
    fn the_middle_of_huge_numbers_is_a_number() {
        assert_eq!(median(&[f64::MAX, f64::MAX]), Some(f64::MAX));
        assert_eq!(median(&[-f64::MAX, f64::MAX]), Some(0.0));
        assert_eq!(quantile(&[-f64::MAX, f64::MAX], 0.5), Some(0.0));
    }

    #[test]
    fn the_two_variances_differ_in_what_they_divide_by() {
        let values = [1.0, 2.0, 3.0, 4.0];
        assert_eq!(variance(&values), Some(5.0 / 3.0));
        assert_eq!(
            Moments::of_population(&values).map(|moments| moments.variance),
            Some(1.25)
        );
    }
}
