//! Turns the totals of timed blocks into a reading of `wall_time`.
//!
//! Tested below, and through the adapters that read Criterion's results.

use tripline_model::{Caveat, Metric, Reading, Sample};

/// Divides each total by its iterations. The totals are in a unit of so many nanoseconds.
///
/// The raw values are kept, in order: statistics over them are for the judge, whose method must be the same for every
/// harness.
pub(crate) fn reading(
    totals: &[f64],
    iterations: Vec<u64>,
    nanoseconds: f64,
) -> Result<Reading, String> {
    if totals.len() != iterations.len() {
        return Err(format!(
            "there are {} iteration counts for {} values",
            iterations.len(),
            totals.len()
        ));
    }
    if let Some(index) = iterations.iter().position(|n| *n == 0) {
        return Err(format!("value {index} was taken over 0 iterations"));
    }
    let values: Vec<f64> = totals
        .iter()
        .zip(&iterations)
        .map(|(total, n)| total * nanoseconds / *n as f64)
        .collect();
    let sample = Sample::with_iterations(values, iterations).map_err(|error| error.to_string())?;
    let metric = Metric::known("wall_time").expect("the table of metrics holds `wall_time`");
    Ok(Reading { metric, sample })
}

/// Returns what is to be said about a reading.
pub(crate) fn caveats(reading: &Reading) -> Vec<Caveat> {
    match reading.sample.values() {
        [_] => vec![Caveat::SingleSample],
        _ => Vec::new(),
    }
}

/// Returns an iteration count that a file gives as a float, if it is one.
pub(crate) fn whole(count: f64) -> Option<u64> {
    let is_count = count.fract() == 0.0 && (1.0..=tripline_model::COUNT_MAX).contains(&count);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the count is whole, and within 1 and 2^53"
    )]
    is_count.then_some(count as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_become_times_per_iteration() {
        let reading = reading(&[10.0, 40.0], vec![5, 10], 1000.0).unwrap();
        assert_eq!(reading.sample.values(), [2000.0, 4000.0]);
        assert_eq!(reading.sample.iterations(), Some(&[5, 10][..]));
        assert!(caveats(&reading).is_empty());
    }

    #[test]
    fn what_is_no_measurement_is_refused_with_its_index() {
        for (totals, iterations, expected) in [
            (
                &[1.0][..],
                vec![1, 2],
                "there are 2 iteration counts for 1 values",
            ),
            (
                &[1.0, 1.0],
                vec![1, 0],
                "value 1 was taken over 0 iterations",
            ),
            (&[1.0, -1.0], vec![1, 1], "value 1 is -1, below zero"),
            (&[], vec![], "a sample needs at least one value"),
        ] {
            assert_eq!(reading(totals, iterations, 1.0), Err(expected.to_owned()));
        }
    }

    #[test]
    fn counts_are_whole_and_above_zero() {
        for (count, expected) in [
            (1.0, Some(1)),
            (33240.0, Some(33240)),
            (0.0, None),
            (0.5, None),
            (-1.0, None),
            (f64::NAN, None),
            (1e300, None),
        ] {
            assert_eq!(whole(count), expected, "{count}");
        }
    }

    #[test]
    fn one_value_is_a_caveat() {
        let reading = reading(&[10.0], vec![1], 1.0).unwrap();
        assert_eq!(caveats(&reading), [Caveat::SingleSample]);
    }
}
