//! What harnesses give in place of raw values: one number that stands for them, and beside it what else they say.
//!
//! The parts of a summary have the same names whichever harness made it: `wall_time_min`, `_q1`, `_mean`, `_median`,
//! `_q3`, `_max`, `_stddev`, and `rounds`, the number of values that were summarized. They explain and are never judged.
//! Tested below.

use tripline_model::{Better, Metric, MetricName, Nature, Reading, Sample, Unit};

/// Returns the number that stands for values we never saw, and over how many iterations it was taken, if that is known.
pub(crate) fn standing_for(
    metric: &Metric,
    value: f64,
    iterations: Option<u64>,
) -> Result<Reading, String> {
    let sample = match iterations {
        Some(iterations) => Sample::with_iterations([value], [iterations]),
        None => Sample::new([value]),
    };
    Ok(Reading {
        metric: Metric {
            nature: Nature::Summarized,
            ..metric.clone()
        },
        sample: sample.map_err(|error| error.to_string())?,
    })
}

/// Returns one more number of a summary, by its own name.
pub(crate) fn beside(name: &str, unit: Unit, value: f64) -> Result<Reading, String> {
    let of_part = |error: &dyn std::fmt::Display| format!("`{name}`: {error}");
    Ok(Reading {
        metric: Metric {
            name: MetricName::new(name).map_err(|error| of_part(&error))?,
            unit,
            better: Better::Neither,
            nature: Nature::Summarized,
        },
        sample: Sample::new([value]).map_err(|error| of_part(&error))?,
    })
}

/// Returns a part of the summary of a metric, such as its `min`.
pub(crate) fn part(metric: &Metric, part: &str, value: f64) -> Result<Reading, String> {
    beside(
        &format!("{}_{part}", metric.name),
        metric.unit.clone(),
        value,
    )
}

/// Returns how many of the values that a metric summarizes are of a kind.
pub(crate) fn part_of_count(metric: &Metric, part: &str, count: f64) -> Result<Reading, String> {
    beside(&format!("{}_{part}", metric.name), Unit::Count, count)
}

/// Returns how many values were summarized.
pub(crate) fn rounds(count: u64) -> Result<Reading, String> {
    beside("rounds", Unit::Count, count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_names_its_parts_after_the_metric() {
        let time = Metric::known("wall_time").unwrap();
        let center = standing_for(&time, 2.0, Some(30)).unwrap();
        assert_eq!(center.metric.nature, Nature::Summarized);
        assert_eq!(center.metric.better, Better::Lower);
        assert_eq!(center.sample.iterations(), Some(&[30][..]));
        let min = part(&time, "min", 1.0).unwrap();
        assert_eq!(min.metric.name.as_str(), "wall_time_min");
        assert_eq!(min.metric.unit, Unit::Nanosecond);
        assert_eq!(min.metric.better, Better::Neither);
        assert_eq!(rounds(3).unwrap().sample.values(), [3.0]);
    }

    #[test]
    fn what_is_wrong_with_a_part_is_said_with_its_name() {
        let time = Metric::known("wall_time").unwrap();
        let said = part(&time, "max", f64::NAN).expect_err("it is no number");
        assert_eq!(said, "`wall_time_max`: value 0 is NaN, not a finite number");
        assert!(standing_for(&time, 1.0, Some(0)).is_err());
    }
}
