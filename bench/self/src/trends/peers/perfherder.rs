//! Mozilla's Perfherder: Welch's t of the values before against those after, both weighted by nearness, above 7 and a
//! local maximum, and a change of at least two percent.
//!
//! It needs twelve values after a step before it can say anything.

/// How many values before are asked, at least and at most, and how many after.
const BACK: (usize, usize) = (12, 24);
const FORE: usize = 12;

/// What t has to exceed.
const T_MIN: f64 = 7.0;

/// The smallest relative change that is reported.
const CHANGE_MIN: f64 = 0.02;

/// Finds the change points.
pub(in super::super) fn perfherder(values: &[f64]) -> Vec<usize> {
    let ts: Vec<f64> = (0..values.len()).map(|index| t(values, index)).collect();
    let mut found: Vec<usize> = Vec::new();
    for index in 1..values.len().saturating_sub(1) {
        let is_peak = ts[index] > ts[index - 1] && ts[index] >= ts[index + 1];
        let is_apart = found.last().is_none_or(|last| index - last >= FORE);
        if ts[index] > T_MIN && is_peak && is_apart {
            found.push(index);
        }
    }
    found
}

/// Returns t at a value, or zero where there are too few around it or the change is small.
fn t(values: &[f64], index: usize) -> f64 {
    if index < BACK.0 || index + FORE > values.len() {
        return 0.0;
    }
    let before = &values[index.saturating_sub(BACK.1)..index];
    let after = &values[index..index + FORE];
    let (before_mean, before_error) = weighted(before.iter().rev());
    let (after_mean, after_error) = weighted(after.iter());
    let difference = (after_mean - before_mean).abs();
    if difference < CHANGE_MIN * before_mean.abs() || difference == 0.0 {
        return 0.0;
    }
    difference / (before_error + after_error).sqrt()
}

/// Returns the mean, weighted by nearness to the first value, and the variance of a mean.
fn weighted<'a>(values: impl Iterator<Item = &'a f64> + Clone) -> (f64, f64) {
    let weight = |age: usize| 1.0 - age as f64 / BACK.1 as f64;
    let pairs = values.clone().enumerate();
    let (mut sum, mut weights) = (0.0, 0.0);
    for (age, value) in pairs {
        sum += weight(age) * value;
        weights += weight(age);
    }
    let mean = sum / weights;
    let count = values.clone().count() as f64;
    let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
    (mean, squares / (count - 1.0) / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_seen_once_there_are_twelve_values_after_it() {
        let values: Vec<f64> = (0..40)
            .map(|i| f64::from(i % 3) + if i < 20 { 100.0 } else { 110.0 })
            .collect();
        assert_eq!(perfherder(&values), [20]);
        assert!(perfherder(&values[..24]).is_empty());
        assert!(perfherder(&[5.0; 60]).is_empty());
    }
}
