//! The noise of a series: what is left when its levels are taken out.
//!
//! Noise is never learned from raw history: a past step is no noise. Nor may it be taken for independent: a host that is
//! slow now is slow in a minute, and values that remember their last one move in stretches that look like levels.
//!
//! Tested through the detector, and below.

use crate::stats::noise::{sigma, sigma_by_median, sigma_from};
use crate::stats::{mean, median};

/// How much of the last value the noise may remember at most. Beyond, a level and a wandering are the same thing.
const CORRELATION_MAX: f64 = 0.95;

/// At how many standard deviations a residual is cut off before it is correlated: one outlier would hide all.
const CORRELATION_CLIP: f64 = 3.0;

/// The noise around the levels of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// The standard deviation of one value as a share of its level: robust against outliers and not blind to them. Where
    /// there are zeros or both signs, as a share of the largest magnitude.
    pub sigma: f64,
    /// The degrees of freedom: values less levels.
    pub degrees: usize,
    /// The share of the last value's deviation that the next one keeps, zero where it keeps none.
    pub correlation: f64,
}

impl Noise {
    /// Learns the noise from the heights of a series and the cuts between its levels.
    pub(super) fn within(heights: &[f64], cuts: &[usize]) -> Self {
        let mut residuals = residuals(heights, cuts);
        let levels = cuts.len() + usize::from(!heights.is_empty());
        let correlation = correlation(&residuals, levels);
        // Sorted once here: what has to sort for its quantiles finds it done.
        residuals.sort_unstable_by(f64::total_cmp);
        Self {
            sigma: sigma(&residuals),
            degrees: heights.len() - levels,
            correlation,
        }
    }
}

/// Returns the distance of each value from the median of its segment.
pub(super) fn residuals(heights: &[f64], cuts: &[usize]) -> Vec<f64> {
    let starts = [0].into_iter().chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([heights.len()]);
    let segments = starts.zip(ends).map(|(start, end)| &heights[start..end]);
    segments
        .flat_map(|segment| {
            let level = median(segment).unwrap_or(0.0);
            segment.iter().map(move |height| height - level)
        })
        .collect()
}

/// Returns the standard deviation by the differences of neighbours, before any level is known. Few of them cross a step.
pub(super) fn deviation_by_neighbours(calm: &[f64]) -> f64 {
    let differences: Vec<f64> = calm.windows(2).map(|pair| pair[1] - pair[0]).collect();
    sigma_from(&differences, 0.0) * std::f64::consts::FRAC_1_SQRT_2
}

/// Returns the correlation of neighbouring residuals, or zero where it is negative: noise that swings back is no danger.
///
/// A level that was estimated takes something of the residuals with it and makes their correlation too small, by about
/// one over the length of its segment.
pub(super) fn correlation(residuals: &[f64], levels: usize) -> f64 {
    let reach = CORRELATION_CLIP * sigma_by_median(residuals);
    let clipped: Vec<f64> = residuals
        .iter()
        .map(|rest| rest.clamp(-reach, reach))
        .collect();
    let middle = mean(&clipped).unwrap_or(0.0);
    let squares: f64 = clipped.iter().map(|rest| (rest - middle).powi(2)).sum();
    let products: f64 = clipped
        .windows(2)
        .map(|pair| (pair[0] - middle) * (pair[1] - middle))
        .sum();
    let count = residuals.len() as f64;
    let correlation = products / squares + levels as f64 / count;
    if correlation > 0.0 {
        correlation.min(CORRELATION_MAX)
    } else {
        // Also without noise, where it is no number.
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_no_noise() {
        let heights: Vec<f64> = (0..100)
            .map(|i| f64::from(i % 2) + if i < 60 { 0.0 } else { 50.0 })
            .collect();
        let noise = Noise::within(&heights, &[60]);
        assert!((noise.sigma - 0.7413).abs() < 1e-3, "{noise:?}");
        assert_eq!((noise.degrees, noise.correlation), (98, 0.0));
        assert!(Noise::within(&heights, &[]).sigma > 10.0);
        assert!((deviation_by_neighbours(&heights) - 1.4826 / 2.0_f64.sqrt()).abs() < 1e-3);
    }

    #[test]
    fn noise_that_remembers_is_found_out() {
        let blocks: Vec<f64> = (0..200).map(|i| f64::from(i / 5 * 7 % 3 - 1)).collect();
        assert!(correlation(&blocks, 1) > 0.6);
        assert_eq!(correlation(&[0.0; 50], 1), 0.0);
        assert_eq!(correlation(&[], 0), 0.0);
        assert_eq!(Noise::within(&[], &[]).degrees, 0);
    }
}
