//! Ratios of two measured things: how much longer it takes with eight threads, how much of the ideal is reached.
//!
//! The ratio of two means is not normal, and its interval is not symmetric. In logarithms it nearly is, which is the
//! delta method; Fieller's interval is exact for normal means, and says when there is none: a denominator that may as
//! well be zero leaves the ratio unbounded. Measured in one round, both sides share what disturbed them, and the paired
//! intervals are narrower.
//!
//! *Note:* always the ratio of means, never the mean of ratios, which is too large by the noise of the denominator.
//!
//! Tested by the reference values, and by properties over arbitrary samples.

use super::descriptive::Moments;
use super::distribution::student_quantile_above;
use super::{signed_rank, student, tail_of};

/// From which `g` on the delta method is too crude, and Fieller's interval is taken.
const FIELLER_FROM: f64 = 0.05;

/// A ratio and its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The ratio.
    pub ratio: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// There is no bounded interval: the denominator may as well be zero.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("the ratio has no bounds: the denominator is too uncertain, with g = {g} and not below 1")]
pub struct Unbounded {
    /// The squared relative error of the denominator in units of the confidence; infinite with too few values.
    pub g: f64,
}

/// Returns the ratio of the means with its interval by the delta method in logarithms. `None` where a side has fewer than
/// two values or a mean that is not positive.
#[must_use]
pub fn delta(numerator: &[f64], denominator: &[f64], confidence: f64) -> Option<Estimate> {
    let tail = tail_of(confidence)?;
    let sides = [numerator, denominator].map(Moments::of_sample);
    let [Some(above), Some(below)] = sides else {
        return None;
    };
    if above.mean <= 0.0 || below.mean <= 0.0 {
        return None;
    }
    let parts = [above, below].map(|side| (relative(&side), side.count as f64 - 1.0));
    let error = (parts[0].0 + parts[1].0).sqrt();
    let reach = student_quantile_above(tail, student::satterthwaite(parts)) * error;
    let ratio = above.mean / below.mean;
    usable(Estimate {
        ratio,
        low: ratio * (-reach).exp(),
        high: ratio * reach.exp(),
    })
}

/// Returns the ratio of the means with Fieller's interval.
///
/// # Errors
/// The denominator is too uncertain for any bound, or there are too few values to know.
pub fn fieller(
    numerator: &[f64],
    denominator: &[f64],
    confidence: f64,
) -> Result<Estimate, Unbounded> {
    let g = g(numerator, denominator, confidence);
    let sides = [numerator, denominator].map(Moments::of_sample);
    let ([Some(above), Some(below)], true) = (sides, g < 1.0) else {
        return Err(Unbounded { g });
    };
    let t = quantile_of(&above, &below, confidence).unwrap_or(f64::INFINITY);
    let ratio = above.mean / below.mean;
    let inner = (1.0 - g) * above.variance_of_mean() + ratio * ratio * below.variance_of_mean();
    let reach = t / below.mean.abs() * inner.sqrt();
    let estimate = usable(Estimate {
        ratio,
        low: (ratio - reach) / (1.0 - g),
        high: (ratio + reach) / (1.0 - g),
    });
    estimate.ok_or(Unbounded { g: f64::INFINITY })
}

/// Returns the squared relative error of the denominator in units of the confidence, which tells whether a ratio has
/// bounds: below 0.05 all methods agree, and from 1 on there are none. Infinite where there are too few values.
#[must_use]
pub fn g(numerator: &[f64], denominator: &[f64], confidence: f64) -> f64 {
    let sides = [numerator, denominator].map(Moments::of_sample);
    let [Some(above), Some(below)] = sides else {
        return f64::INFINITY;
    };
    let t = quantile_of(&above, &below, confidence).unwrap_or(f64::INFINITY);
    let g = t * t * relative(&below);
    if g.is_nan() { f64::INFINITY } else { g }
}

/// Returns the ratio of the means of runs that were not paired, by the method that fits: the delta method while the
/// denominator is sure, else Fieller's.
///
/// # Errors
/// The denominator is too uncertain for any bound, there are too few values to know, or a mean is not positive.
pub fn unpaired(
    numerator: &[f64],
    denominator: &[f64],
    confidence: f64,
) -> Result<Estimate, Unbounded> {
    let g = g(numerator, denominator, confidence);
    if g > FIELLER_FROM {
        return fieller(numerator, denominator, confidence);
    }
    delta(numerator, denominator, confidence).ok_or(Unbounded { g: f64::INFINITY })
}

/// Returns the ratio of rounds that measured both sides, from the logarithm of each round's ratio, by Student's t.
/// `None` for fewer than two rounds.
#[must_use]
pub fn paired(log_ratios: &[f64], confidence: f64) -> Option<Estimate> {
    let outcome = student::paired(log_ratios, confidence)?;
    exponentials(outcome.difference, outcome.low, outcome.high)
}

/// Returns the ratio of rounds that measured both sides, from the logarithm of each round's ratio, by signed ranks.
/// `None` where there are too few rounds for the confidence.
#[must_use]
pub fn paired_by_ranks(log_ratios: &[f64], confidence: f64) -> Option<Estimate> {
    let interval = signed_rank::interval(log_ratios, confidence)?;
    let middle = signed_rank::hodges_lehmann(log_ratios)?;
    exponentials(middle, interval.low, interval.high)
}

fn exponentials(middle: f64, low: f64, high: f64) -> Option<Estimate> {
    usable(Estimate {
        ratio: middle.exp(),
        low: low.exp(),
        high: high.exp(),
    })
}

/// Returns an estimate unless its numbers ran over.
fn usable(estimate: Estimate) -> Option<Estimate> {
    let numbers = [estimate.ratio, estimate.low, estimate.high];
    numbers
        .iter()
        .all(|number| number.is_finite())
        .then_some(estimate)
}

/// Returns the squared relative error of a mean.
fn relative(side: &Moments) -> f64 {
    // Divided twice: the square of a tiny mean may be nothing.
    side.variance_of_mean() / side.mean / side.mean
}

fn quantile_of(above: &Moments, below: &Moments, confidence: f64) -> Option<f64> {
    let parts = [above, below].map(|side| (relative(side), side.count as f64 - 1.0));
    Some(student_quantile_above(
        tail_of(confidence)?,
        student::satterthwaite(parts),
    ))
}
