//! PELT: the best partition by squared distances with a penalty for each cut, found exactly (Killick and others 2012).
//!
//! The usual penalty is three variances times the logarithm of the length, the variance taken from the differences of
//! neighbours. It holds for normal noise alone: in heavy tails every outlier is a segment.

use tripline_judge::stats::noise::sigma_by_median;

/// The fewest values of a segment, as in the library most people use.
const SEGMENT_MIN: usize = 2;

/// Finds the change points with the usual penalty.
pub(in super::super) fn pelt(values: &[f64]) -> Vec<usize> {
    let deviation = deviation(values);
    partition(
        values,
        3.0 * deviation * deviation * (values.len() as f64).ln(),
    )
}

fn deviation(values: &[f64]) -> f64 {
    let differences: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
    sigma_by_median(&differences) / 2.0_f64.sqrt()
}

fn partition(values: &[f64], penalty: f64) -> Vec<usize> {
    let mut sums = vec![(0.0, 0.0)];
    let origin = values.first().copied().unwrap_or(0.0);
    for value in values {
        let (sum, squares) = sums[sums.len() - 1];
        let value = value - origin;
        sums.push((sum + value, squares + value * value));
    }
    let scatter = |start: usize, end: usize| {
        let (sum, squares) = (sums[end].0 - sums[start].0, sums[end].1 - sums[start].1);
        squares - sum * sum / (end - start) as f64
    };
    // For each end the cost of the best partition up to it, and where its last segment starts.
    let mut best = vec![(f64::INFINITY, 0); values.len() + 1];
    best[0] = (-penalty, 0);
    let mut starts = vec![0];
    for end in SEGMENT_MIN..=values.len() {
        let cost = |start: usize| best[start].0 + scatter(start, end);
        let usable = starts
            .iter()
            .copied()
            .filter(|start| end - start >= SEGMENT_MIN);
        let least = usable.map(|start| (cost(start) + penalty, start));
        let least = least.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, 0));
        starts.retain(|start| end - start < SEGMENT_MIN || cost(*start) <= least.0);
        best[end] = least;
        starts.push(end - 1);
    }
    let mut cuts = Vec::new();
    let mut cut = best[values.len()].1;
    while cut > 0 {
        cuts.push(cut);
        cut = best[cut].1;
    }
    cuts.reverse();
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trends::peers::vectors;

    #[test]
    fn cuts_are_those_of_ruptures() {
        let vector = &vectors()["pelt_l2"];
        let numbers = |name: &str| -> Vec<f64> {
            let numbers = vector[name].as_array().unwrap().iter();
            numbers.map(|number| number.as_f64().unwrap()).collect()
        };
        let (values, number) = (numbers("x"), |name: &str| vector[name].as_f64().unwrap());
        assert!((deviation(&values) - number("sigma_mad_diff")).abs() < 1e-9);
        let penalty = 3.0 * deviation(&values).powi(2) * 60.0_f64.ln();
        assert!((penalty - number("penalty")).abs() < 1e-9);
        // The library counts the end of the series too.
        let mut cuts: Vec<f64> = pelt(&values).iter().map(|cut| *cut as f64).collect();
        cuts.push(60.0);
        assert_eq!(cuts, numbers("ruptures_pelt_breakpoints"));
    }

    #[test]
    fn few_values_have_no_cut() {
        for count in 0..4 {
            assert!(partition(&[1.0, 5.0, 1.0][..count.min(3)], 1e-3).is_empty());
        }
    }
}
