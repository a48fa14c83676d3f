//! How noisy a series is, what a suite knows of a benchmark it has hardly seen, and what can be detected at all.
//!
//! Noise is taken from the residuals within segments, never from raw history: a past step is no noise. The estimate is
//! robust against outliers but not blind to them. Benchmarks of one suite lend each other what they know: with few values
//! each, a variance that is shrunk towards the suite's is nearer to the truth than its own (Smyth 2004).
//!
//! Tested by the reference values, below, and by properties.

use std::f64::consts::{FRAC_PI_2, LN_2};

use statrs::function::gamma::digamma;

use super::descriptive::{median, quantile, variance};
use super::distribution::normal_quantile;
use super::mean;

/// What turns a median deviation into the standard deviation of normal noise.
const NORMAL_BY_MEDIAN: f64 = 1.4826;
/// What turns the range of the middle 95 % into the standard deviation of normal noise.
const NORMAL_BY_RANGE: f64 = 3.92;

/// The smallest variance a benchmark is taken to have, relative to the suite's median: zero has no logarithm.
const VARIANCE_MIN: f64 = 1e-5;

/// Returns the standard deviation of the noise, by its middle half or by its middle 95 %, whichever is larger. Zero for
/// no values.
#[must_use]
pub fn sigma(residuals: &[f64]) -> f64 {
    let low = quantile(residuals, 0.025).unwrap_or(0.0);
    let high = quantile(residuals, 0.975).unwrap_or(0.0);
    let by_range = high / NORMAL_BY_RANGE - low / NORMAL_BY_RANGE;
    sigma_by_median(residuals).max(by_range)
}

/// Returns the standard deviation of the noise by its middle half alone, which up to half of the values cannot move.
#[must_use]
pub fn sigma_by_median(values: &[f64]) -> f64 {
    NORMAL_BY_MEDIAN * median_deviation(values)
}

/// Returns the same from a middle that is known.
pub(crate) fn sigma_from(values: &[f64], middle: f64) -> f64 {
    NORMAL_BY_MEDIAN * distance(values, middle)
}

/// Returns the median distance from the median. Zero for no values.
#[must_use]
pub fn median_deviation(values: &[f64]) -> f64 {
    distance(values, median(values).unwrap_or(0.0))
}

fn distance(values: &[f64], middle: f64) -> f64 {
    let distances: Vec<f64> = values.iter().map(|value| (value - middle).abs()).collect();
    median(&distances).unwrap_or(0.0)
}

/// Variances of a suite's benchmarks after they were shrunk towards what the suite has in common.
#[derive(Debug, Clone, PartialEq)]
pub struct Moderated {
    /// How many degrees of freedom the suite lends: infinite where the benchmarks do not differ in noise.
    pub prior_degrees: f64,
    /// The variance the suite has in common, which is also that of a benchmark without values.
    pub prior_variance: f64,
    /// Each benchmark's variance, in the order given.
    pub posterior: Vec<f64>,
}

/// Shrinks variances, each with its degrees of freedom, towards one another. A benchmark without degrees inherits the
/// suite's variance.
#[must_use]
pub fn moderated(variances: &[f64], degrees: &[f64]) -> Moderated {
    let known: Vec<(f64, f64)> = variances
        .iter()
        .zip(degrees)
        .map(|(variance, degrees)| (*variance, *degrees))
        .filter(|(variance, degrees)| *degrees > 0.0 && *variance >= 0.0)
        .collect();
    let (prior_degrees, prior_variance) = prior(&known);
    let posterior = variances.iter().zip(degrees).map(|(variance, degrees)| {
        let own = degrees.max(0.0);
        // By the share and not the sum, so that infinite degrees are a share of one.
        let lent = if prior_degrees.is_infinite() {
            1.0
        } else {
            prior_degrees / (prior_degrees + own)
        };
        match lent {
            1.0 => prior_variance,
            0.0 => *variance,
            _ if lent.is_nan() => *variance,
            _ => lent * prior_variance + (1.0 - lent) * variance,
        }
    });
    Moderated {
        prior_degrees,
        prior_variance,
        posterior: posterior.collect(),
    }
}

/// Returns the degrees of freedom and the variance that a suite lends: a scaled F distribution fitted to the variances
/// by the first two moments of their logarithms.
fn prior(known: &[(f64, f64)]) -> (f64, f64) {
    let variances: Vec<f64> = known.iter().map(|(variance, _)| *variance).collect();
    let smallest = VARIANCE_MIN * median(&variances).unwrap_or(0.0);
    if known.len() < 2 || smallest <= 0.0 {
        // One benchmark alone has nothing to borrow from, and where most vary not at all there is nothing to fit.
        return (0.0, median(&variances).unwrap_or(0.0));
    }
    let centred: Vec<f64> = known
        .iter()
        .map(|(variance, degrees)| variance.max(smallest).ln() - bias(*degrees))
        .collect();
    let expected: Vec<f64> = known
        .iter()
        .map(|(_, degrees)| trigamma(degrees / 2.0))
        .collect();
    let [middle, expected] = [&centred, &expected].map(|values| mean(values).unwrap_or(0.0));
    let excess = variance(&centred).unwrap_or(0.0) - expected;
    if excess <= 0.0 {
        return (f64::INFINITY, middle.exp());
    }
    let degrees = 2.0 * trigamma_inverse(excess);
    (degrees, (middle + bias(degrees)).exp())
}

/// Returns by how much the logarithm of a variance with so many degrees of freedom is too small in the mean.
fn bias(degrees: f64) -> f64 {
    digamma(degrees / 2.0) - degrees.ln() + LN_2
}

/// Returns the second derivative of the logarithm of the gamma function, for a positive number.
fn trigamma(x: f64) -> f64 {
    // The series is good to the last digit from here on; below, the recurrence leads up to it.
    const SERIES_FROM: f64 = 20.0;
    let (mut x, mut sum) = (x, 0.0);
    while x < SERIES_FROM {
        sum += 1.0 / (x * x);
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let tail = square * (1.0 / 6.0 - square * (1.0 / 30.0 - square * (1.0 / 42.0 - square / 30.0)));
    sum + (1.0 + 0.5 / x + tail) / x
}

/// Returns the number whose trigamma is a positive value, by halving: the function falls all the way.
fn trigamma_inverse(value: f64) -> f64 {
    const LN_RANGE: (f64, f64) = (-40.0, 40.0);
    const HALVINGS: usize = 100;
    let (mut low, mut high) = LN_RANGE;
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if trigamma(middle.exp()) > value {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high).exp()
}

/// Returns the smallest change that so many pairs show to be more than the margin, with a power: signs are counted, the
/// noise of one pair's difference is `sigma`. All in logarithms. Infinite without pairs.
#[must_use]
pub fn minimum_detectable(sigma: f64, pairs: u32, margin: f64, alpha: f64, power: f64) -> f64 {
    if pairs == 0 {
        return f64::INFINITY;
    }
    margin + quantiles(alpha, power) * sigma * (FRAC_PI_2 / f64::from(pairs)).sqrt()
}

/// Returns how many pairs show a change to be more than the margin, with a power. `u32::MAX` where no number does.
#[must_use]
pub fn pairs_needed(sigma: f64, effect: f64, margin: f64, alpha: f64, power: f64) -> u32 {
    let beyond = effect - margin;
    if beyond.is_nan() || beyond <= 0.0 {
        return u32::MAX;
    }
    let pairs = (quantiles(alpha, power) * sigma / beyond).powi(2) * FRAC_PI_2;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is not negative, and what is too large becomes the largest"
    )]
    let pairs = pairs.ceil() as u32;
    pairs.max(1)
}

fn quantiles(alpha: f64, power: f64) -> f64 {
    (normal_quantile(power) - normal_quantile(alpha)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn trigamma_is_that_of_the_tables_and_turns_back() {
        assert!((trigamma(1.0) - PI * PI / 6.0).abs() < 1e-14);
        assert!((trigamma(0.5) - PI * PI / 2.0).abs() < 1e-14);
        for x in [1e-3, 0.1, 1.0, 6.3, 40.0, 1e6] {
            let back = trigamma_inverse(trigamma(x));
            assert!((back - x).abs() < 1e-9 * x, "{back} is not {x}");
        }
    }

    #[test]
    fn equal_variances_are_lent_wholly() {
        let moderated = moderated(&[4.0; 5], &[9.0; 5]);
        assert_eq!(moderated.prior_degrees, f64::INFINITY);
        assert_eq!(moderated.posterior, [moderated.prior_variance; 5]);
    }

    #[test]
    fn a_benchmark_without_values_inherits_and_one_alone_keeps_its_own() {
        let variances = [1.0, 40.0, 0.2, 9.0, 0.0];
        let shrunk = moderated(&variances, &[9.0, 9.0, 9.0, 9.0, 0.0]);
        assert_eq!(shrunk.posterior[4], shrunk.prior_variance);
        assert!(shrunk.posterior[1] < 40.0 && shrunk.posterior[2] > 0.2);
        let alone = moderated(&[3.0], &[9.0]);
        assert_eq!((alone.prior_degrees, alone.posterior), (0.0, vec![3.0]));
        assert_eq!(moderated(&[], &[]).posterior, Vec::<f64>::new());
    }

    #[test]
    fn noise_of_exact_counts_is_zero() {
        assert_eq!(
            (sigma(&[]), sigma(&[5.0]), sigma(&[5.0; 9])),
            (0.0, 0.0, 0.0)
        );
        assert_eq!(moderated(&[0.0; 3], &[9.0; 3]).posterior, [0.0; 3]);
    }

    #[test]
    fn what_is_needed_and_what_is_detected_agree() {
        let (sigma, margin, alpha, power) = (0.03, 0.02, 0.01, 0.8);
        for pairs in [8, 10, 20, 30, 200] {
            let effect = minimum_detectable(sigma, pairs, margin, alpha, power);
            assert_eq!(
                pairs_needed(sigma, effect * (1.0 + 1e-12), margin, alpha, power),
                pairs
            );
        }
        assert_eq!(pairs_needed(sigma, margin, margin, alpha, power), u32::MAX);
        assert_eq!(pairs_needed(0.0, 0.05, margin, alpha, power), 1);
        assert_eq!(
            minimum_detectable(sigma, 0, margin, alpha, power),
            f64::INFINITY
        );
    }
}
