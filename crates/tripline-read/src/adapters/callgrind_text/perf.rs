//! What gungraun says of perf, which it may run beside valgrind's tools: counters of the processor and clocks.
//!
//! They are means of repeated runs and differ from one to the next, so none is what a simulator counts: their names begin
//! with `perf_`. How far each may be off stands in rows below it, which are left out. Tested below.

use tripline_model::{Better, Metric, MetricName, Nature, Reading, Sample, Unit};

use super::line::Value;
use crate::quantity::{as_it_is, nanoseconds};

/// Returns whether a row says how far the counter above it may be off.
pub(super) fn is_of_spread(row: &str) -> bool {
    row.starts_with("rse% (") || row.starts_with("samples  ")
}

/// Returns a counter such as `cpu_core/cycles/u`, or a clock such as `task-clock/u [us]`.
pub(super) fn reading(label: &str, value: Value) -> Result<Reading, String> {
    let value = match value {
        Value::Count(count) => count as f64,
        Value::Real(value) => value,
        Value::NotMeasured => return Err("it has no value".to_owned()),
    };
    let (event, unit) = match label.split_once(" [") {
        Some((event, unit)) => (event, Some(unit.trim_end_matches(']'))),
        None => (label, None),
    };
    let (scale, unit) = match unit {
        Some(unit) => {
            let scale = nanoseconds(unit).ok_or_else(|| format!("`{unit}` is no unit of time"))?;
            (scale, Unit::Nanosecond)
        }
        None => (as_it_is(), Unit::Count),
    };
    let fits = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    let event = event.replace(|c| !fits(c), "_").to_ascii_lowercase();
    let name = MetricName::new(format!("perf_{event}")).map_err(|error| error.to_string())?;
    Ok(Reading {
        metric: Metric {
            name,
            unit,
            better: Better::Neither,
            nature: Nature::Summarized,
        },
        sample: Sample::new([scale.of(value)]).map_err(|error| error.to_string())?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_is_of_the_processor_and_a_clock_of_time() {
        for (label, value, expected) in [
            (
                "cpu_core/cycles/u",
                Value::Count(746),
                "perf_cpu_core_cycles_u count 746",
            ),
            ("instructions", Value::Count(5), "perf_instructions count 5"),
            (
                "task-clock/u [us]",
                Value::Real(201.5),
                "perf_task-clock_u ns 201500",
            ),
            (
                "task-clock/u [xs]",
                Value::Real(1.0),
                "`xs` is no unit of time",
            ),
            ("faults/u", Value::NotMeasured, "it has no value"),
        ] {
            let shown = reading(label, value).map_or_else(
                |error| error,
                |Reading { metric, sample }| {
                    let symbol = metric.unit.symbol();
                    format!("{} {symbol} {}", metric.name, sample.values()[0])
                },
            );
            assert_eq!(shown, expected, "{label}");
        }
    }

    #[test]
    fn how_far_a_counter_may_be_off_is_known() {
        assert!(is_of_spread(
            "rse% (sig.thr) [sig.fact]     0.08565|N/A      (*********)"
        ));
        assert!(is_of_spread("samples    2083|N/A    (*********)"));
        assert!(!is_of_spread("samples: 1|2"));
    }
}
