//! The asymptotic confidence sequence: an interval of the mean that may be looked at after every pair.
//!
//! It is wider than an interval for one look, and holds at all looks together. It is faster than counting signs, and only
//! approximate: the central limit theorem has to have set in, which is why it asks for [`COUNT_MIN`] differences and
//! draws outliers in first. (Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas 2021.)
//!
//! Tested by the reference values, and by properties over arbitrary differences.

use super::Interval;
use super::descriptive::{Moments, median};
use super::noise::median_deviation;

/// From how many differences on there is an interval.
pub const COUNT_MIN: usize = 10;

/// Where the sequence is narrowest: this suits 10 to 30 pairs.
pub const RHO_SQUARED: f64 = 0.3;

/// How many median deviations from the median a difference is drawn in to.
const DEVIATIONS: f64 = 3.0;

/// Returns half the width of the sequence after so many values of a standard deviation. `alpha` is for both sides
/// together.
#[must_use]
pub fn radius(count: u32, deviation: f64, alpha: f64, rho_squared: f64) -> f64 {
    let count = f64::from(count);
    let mixed = count * rho_squared + 1.0;
    let squared = 2.0 * mixed / (count * count * rho_squared) * (mixed.sqrt() / alpha).ln();
    deviation * squared.sqrt()
}

/// Returns the differences with outliers drawn in to three median deviations from the median.
#[must_use]
pub fn winsorised(differences: &[f64]) -> Vec<f64> {
    let middle = median(differences).unwrap_or(0.0);
    let reach = DEVIATIONS * median_deviation(differences);
    let (low, high) = (middle - reach, middle + reach);
    differences
        .iter()
        .map(|value| value.max(low).min(high))
        .collect()
}

/// Returns the interval of the mean after these differences, which holds at every length at once. `None` for fewer than
/// [`COUNT_MIN`].
#[must_use]
pub fn interval(differences: &[f64], alpha: f64) -> Option<Interval> {
    if differences.len() < COUNT_MIN || !(alpha > 0.0 && alpha < 1.0) {
        return None;
    }
    let moments = Moments::of_sample(&winsorised(differences))?;
    let count = u32::try_from(moments.count).unwrap_or(u32::MAX);
    let radius = radius(count, moments.variance.sqrt(), alpha, RHO_SQUARED);
    let is_usable = moments.mean.is_finite() && radius.is_finite();
    is_usable.then_some(Interval {
        low: moments.mean - radius,
        high: moments.mean + radius,
        confidence: 1.0 - alpha,
    })
}
