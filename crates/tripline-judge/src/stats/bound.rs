//! How high a single new value may lie before it is odd, given the history of its level.
//!
//! For trend pages and hints of a drift, never for a verdict: one value is one value. The bound is Student's prediction
//! bound with the median and a robust noise in place of mean and deviation, in logarithms, and never nearer than a floor.
//! A history that does not vary at all has a bound too: the floor.
//!
//! Tested by the reference values, and by properties.

use super::descriptive::median;
use super::distribution::student_quantile_above;

/// Returns the logarithm above which a new value is odd, with at most a probability `alpha` by chance, and at least a
/// relative `floor` above the median. `None` for fewer than two values.
///
/// The noise is an argument because a series may have borrowed what it knows of it.
#[must_use]
pub fn upper(logs: &[f64], sigma: f64, alpha: f64, floor: f64) -> Option<f64> {
    if logs.len() < 2 {
        return None;
    }
    let middle = median(logs)?;
    let count = logs.len() as f64;
    let of_median = std::f64::consts::FRAC_PI_2 / count;
    let t = student_quantile_above(alpha.min(0.5), count - 1.0);
    let reach = t * sigma * (1.0 + of_median).sqrt();
    Some(middle + reach.max(floor.ln_1p()))
}
