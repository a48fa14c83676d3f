//! The rules that judge one new value by a history.
//!
//! Those of other tools are written as their sources state them. Of the Rust project's rule it is the threshold alone:
//! the size classes that follow decide what is shown.
//!
//! Tested below, and through the shares they give.

use tripline_judge::stats::{
    Moments, bound, fence, mean, median, noise, quantile, student_quantile,
};

use super::super::UNKNOWN;
use super::families::FAMILIES;
use super::{LENGTH, POWER_CHANGES, POWER_FAMILIES};

/// A rule, and the study's figures for it in percent.
pub(super) struct Rule {
    pub(super) name: &'static str,
    /// Does a new value after a history say that something is slower?
    pub(super) alarms: fn(&[f64], f64) -> bool,
    pub(super) false_alarms: [f64; FAMILIES.len()],
    pub(super) power: [[f64; POWER_CHANGES.len()]; POWER_FAMILIES.len()],
    /// Whether a jump of 1 % after a constant history is seen.
    pub(super) sees_jump: Option<bool>,
}

pub(super) const RULES: [Rule; 9] = [
    Rule {
        name: "ratio to previous > 2.0",
        alarms: |history, new| new > 2.0 * history[LENGTH - 1],
        false_alarms: [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.03],
        power: [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]],
        sees_jump: None,
    },
    Rule {
        name: "ratio to previous > 1.1",
        alarms: |history, new| new > 1.1 * history[LENGTH - 1],
        false_alarms: [0.0, 1.2, 25.4, 24.8, 1.4, 2.1, 0.0, 2.7],
        power: [[49.0, 0.0], [48.0, 13.0], [51.0, 9.0]],
        sees_jump: None,
    },
    Rule {
        name: "Bencher percentage 10 %",
        alarms: |history, new| mean(history).is_some_and(|mean| new > 1.1 * mean),
        false_alarms: [0.0, 0.2, 15.9, 16.4, 0.6, 0.0, 0.0, 2.8],
        power: [[49.0, 0.0], [49.0, 5.0], [52.0, 4.0]],
        sees_jump: Some(false),
    },
    Rule {
        name: "Bencher t 0.99",
        alarms: |history, new| bencher_t(history, new, 0.99),
        false_alarms: [1.0, 1.0, 0.8, 1.4, 2.2, 0.8, 1.1, 2.7],
        power: [[100.0, 99.0], [78.0, 24.0], [87.0, 28.0]],
        sees_jump: Some(false),
    },
    Rule {
        name: "Bencher t 0.95",
        alarms: |history, new| bencher_t(history, new, 0.95),
        false_alarms: [5.1, 4.5, 4.8, 5.8, 4.4, 12.2, 5.2, 3.3],
        power: [[100.0, 100.0], [93.0, 48.0], [95.0, 58.0]],
        sees_jump: Some(false),
    },
    Rule {
        name: "Bencher IQR 1.5",
        alarms: |history, new| bencher_quartiles(history, new, 1.5),
        false_alarms: [3.2, 2.9, 2.8, 4.2, 6.2, 14.5, 3.1, 5.2],
        power: [[100.0, 100.0], [87.0, 38.0], [98.0, 71.0]],
        sees_jump: Some(true),
    },
    Rule {
        name: "Bencher IQR 3.0",
        alarms: |history, new| bencher_quartiles(history, new, 3.0),
        false_alarms: [0.0, 0.0, 0.0, 0.2, 1.2, 10.1, 0.0, 2.8],
        power: [[100.0, 80.0], [29.0, 2.0], [81.0, 15.0]],
        sees_jump: Some(true),
    },
    Rule {
        name: "rustc-perf's fence",
        alarms: rustc_perf,
        false_alarms: [0.1, 0.2, 0.3, 0.3, 0.9, 0.8, 0.1, 2.8],
        power: [[99.0, 44.0], [15.0, 2.0], [32.0, 5.0]],
        sees_jump: Some(true),
    },
    Rule {
        name: "ours: single-value bound, 0.001, floor 2 %",
        alarms: single_value_bound,
        false_alarms: [0.1, 0.1, 0.0, 0.2, 1.0, 2.2, 0.1, 2.5],
        power: [[100.0, 92.0], [41.0, 4.0], [66.0, 9.0]],
        sees_jump: None,
    },
];

/// Student's quantile by the spread of the history as if that were all there is, so that it alarms a little oftener than it
/// says. Without variance there is no boundary, and so no alert.
fn bencher_t(history: &[f64], new: f64, level: f64) -> bool {
    let Some(Moments { mean, variance, .. }) = Moments::of_population(history) else {
        return false;
    };
    let reach = student_quantile(level, history.len() as f64 - 1.0) * variance.sqrt();
    variance > 0.0 && new > mean + reach
}

/// So many distances of the quartiles above the median.
fn bencher_quartiles(history: &[f64], new: f64, distances: f64) -> bool {
    let at = |share| quantile(history, share).unwrap_or(UNKNOWN);
    new > at(0.5) + distances * (at(0.75) - at(0.25))
}

/// The change from the last value reaches the fence.
fn rustc_perf(history: &[f64], new: f64) -> bool {
    let last = history[LENGTH - 1];
    new > last && (new - last) / last >= fence::threshold(history)
}

fn single_value_bound(history: &[f64], new: f64) -> bool {
    let logs: Vec<f64> = history.iter().map(|value| value.ln()).collect();
    let middle = median(&logs).unwrap_or(0.0);
    let residuals: Vec<f64> = logs.iter().map(|value| value - middle).collect();
    let upper = bound::upper(&logs, noise::sigma(&residuals), 0.001, 0.02);
    upper.is_some_and(|upper| new.ln() > upper)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With 3 degrees of freedom 2.353 is reached by one in twenty: 2.5 + 2.353 * sqrt(5 / 4) is 5.13.
    #[test]
    fn bencher_divides_by_the_number_of_values_and_asks_nothing_for_the_new_one() {
        let history = [1.0, 2.0, 3.0, 4.0];
        assert!(bencher_t(&history, 5.14, 0.95));
        assert!(!bencher_t(&history, 5.12, 0.95));
    }
}
