//! The threshold by which the Rust project judges its compiler: an upper fence over the last relative changes.
//!
//! It is here to compare with, not to judge by: one value against one value, and a past step widens the fence for as long
//! as it is in the history (rust-lang/rustc-perf, issue 1339).
//!
//! Tested by the reference values.

use super::descriptive::{median_of_sorted, sorted};

/// How many values of the history count.
pub const HISTORY: usize = 30;

/// What is taken where the history is shorter.
const WITHOUT_HISTORY: f64 = 0.002;

/// How many times the distance of the quartiles lies between the upper one and the fence.
const FENCES: f64 = 3.0;

/// Returns the relative change from which on a new value is said to differ from the last.
#[must_use]
pub fn threshold(history: &[f64]) -> f64 {
    let recent = &history[history.len().saturating_sub(HISTORY)..];
    match quartiles(&changes(recent)) {
        Some((lower, upper)) if recent.len() == HISTORY => upper + FENCES * (upper - lower),
        _ => WITHOUT_HISTORY,
    }
}

/// Returns the sizes of the relative changes between neighbours.
#[must_use]
pub fn changes(history: &[f64]) -> Vec<f64> {
    let neighbours = history.windows(2);
    neighbours
        .map(|pair| ((pair[1] - pair[0]) / pair[0]).abs())
        .collect()
}

/// Returns the medians of the lower and of the upper half; the middle one of an odd number is in neither.
#[must_use]
pub fn quartiles(values: &[f64]) -> Option<(f64, f64)> {
    let sorted = sorted(values);
    let half = sorted.len() / 2;
    let lower = median_of_sorted(&sorted[..half])?;
    let upper = median_of_sorted(&sorted[sorted.len() - half..])?;
    Some((lower, upper))
}
