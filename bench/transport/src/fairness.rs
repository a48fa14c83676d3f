//! How unevenly streams shared what there was.
//!
//! Tests: known answers.

use std::time::Duration;

/// Returns what Jain's index of fairness lacks of one, given how long each stream took for the same work: nothing where all
/// took as long, three quarters where one of four got all.
#[must_use]
pub fn unfairness(streams: &[Duration]) -> f64 {
    let rates: Vec<f64> = streams
        .iter()
        .map(|span| span.as_secs_f64().recip())
        .collect();
    let sum: f64 = rates.iter().sum();
    let squares: f64 = rates.iter().map(|rate| rate * rate).sum();
    (1.0 - sum * sum / (rates.len() as f64 * squares)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_shares_are_fair_and_one_for_all_is_not() {
        let of = |seconds: &[f64]| {
            let spans: Vec<_> = seconds
                .iter()
                .copied()
                .map(Duration::from_secs_f64)
                .collect();
            unfairness(&spans)
        };
        assert!(of(&[2.0; 4]) < 1e-9);
        assert!((of(&[1.0, 1e6, 1e6, 1e6]) - 0.75).abs() < 1e-3);
        // Of two, one is twice as fast: nine tenths.
        assert!((of(&[1.0, 2.0]) - 0.1).abs() < 1e-9);
    }
}
