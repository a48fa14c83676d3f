//! Student's tests: paired, Welch's, and the one that pools both variances.
//!
//! They ask for normal noise, which times seldom have; the verdict of a time does not rest on them. They are here for
//! ratios, for means of many values, and to compare with tools that use them.
//!
//! Tested by the reference values, and by properties over arbitrary samples.

use super::Moments;
use super::distribution::{student_above, student_quantile_above};
use super::tail_of;

/// What a t-test found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// The mean difference: of the pairs, or second minus first.
    pub difference: f64,
    /// The difference in standard errors.
    pub t: f64,
    /// The degrees of freedom.
    pub degrees: f64,
    /// The chance of a difference as large, to either side.
    pub p: f64,
    /// The lower end of the interval of the difference.
    pub low: f64,
    /// The upper end of the interval of the difference.
    pub high: f64,
}

/// Tests paired differences against zero. `None` for fewer than two, and where the numbers are too large to square.
#[must_use]
pub fn paired(differences: &[f64], confidence: f64) -> Option<Outcome> {
    let moments = Moments::of_sample(differences)?;
    let degrees = moments.count as f64 - 1.0;
    outcome(
        moments.mean,
        moments.variance_of_mean(),
        degrees,
        confidence,
    )
}

/// Tests two samples against each other, each with its own variance. `None` where one has fewer than two values, and
/// where the numbers are too large to square.
#[must_use]
pub fn welch(first: &[f64], second: &[f64], confidence: f64) -> Option<Outcome> {
    let (first, second) = (Moments::of_sample(first)?, Moments::of_sample(second)?);
    let parts = [first, second].map(|side| (side.variance_of_mean(), side.count as f64 - 1.0));
    let degrees = satterthwaite(parts);
    let difference = second.mean - first.mean;
    outcome(difference, parts[0].0 + parts[1].0, degrees, confidence)
}

/// Tests two samples against each other as if both had one variance. `None` where one has fewer than two values, and
/// where the numbers are too large to square.
#[must_use]
pub fn pooled(first: &[f64], second: &[f64], confidence: f64) -> Option<Outcome> {
    let (first, second) = (Moments::of_sample(first)?, Moments::of_sample(second)?);
    pooled_of_moments(first, second, confidence)
}

/// Tests two described samples against each other as if both had one variance.
#[must_use]
pub fn pooled_of_moments(first: Moments, second: Moments, confidence: f64) -> Option<Outcome> {
    let [ones, others] = [first, second].map(|side| side.count as f64);
    let degrees = ones + others - 2.0;
    let squares = (ones - 1.0) * first.variance + (others - 1.0) * second.variance;
    let square = squares / degrees * (1.0 / ones + 1.0 / others);
    outcome(second.mean - first.mean, square, degrees, confidence)
}

/// Returns the degrees of freedom of a sum of variances, each with its own.
pub(super) fn satterthwaite(parts: [(f64, f64); 2]) -> f64 {
    let whole = parts[0].0 + parts[1].0;
    let share = |(variance, degrees): (f64, f64)| (variance / whole).powi(2) / degrees;
    let degrees = 1.0 / (share(parts[0]) + share(parts[1]));
    // Where nothing varies there is nothing to weigh.
    if whole > 0.0 {
        degrees
    } else {
        parts[0].1 + parts[1].1
    }
}

/// Returns what follows from a difference and the square of its standard error. Without any variance a difference is
/// certain.
fn outcome(difference: f64, square: f64, degrees: f64, confidence: f64) -> Option<Outcome> {
    let tail = tail_of(confidence)?;
    let error = square.sqrt();
    let t = if difference == 0.0 {
        0.0
    } else {
        difference / error
    };
    let radius = student_quantile_above(tail, degrees) * error;
    let is_usable = difference.is_finite() && radius.is_finite() && degrees > 0.0;
    is_usable.then(|| Outcome {
        difference,
        t,
        degrees,
        p: (2.0 * student_above(t.abs(), degrees)).min(1.0),
        low: difference - radius,
        high: difference + radius,
    })
}
