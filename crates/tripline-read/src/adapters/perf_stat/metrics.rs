//! What perf's counters are in Tripline's words.
//!
//! What the processor counts is never what a simulator counts, so its metrics have names of their own. Tested below.

use tripline_model::{Metric, Reading, Sample, Unit, UnitSymbol};

use super::counter::Counter;
use crate::{own, quantity, summary};

/// The counters that harnesses share, by perf's names.
const METRICS: &[(&str, &str)] = &[
    ("duration_time", "wall_time"),
    ("task-clock", "cpu_time"),
    ("user_time", "user_time"),
    ("system_time", "system_time"),
    ("instructions", "hardware_instructions"),
    ("cycles", "hardware_cycles"),
    ("cpu-cycles", "hardware_cycles"),
    ("branch-misses", "branch_misses"),
    ("cache-misses", "cache_misses"),
    ("page-faults", "page_faults"),
    ("faults", "page_faults"),
    ("minor-faults", "minor_page_faults"),
    ("major-faults", "major_page_faults"),
    ("context-switches", "context_switches"),
    ("cs", "context_switches"),
    ("cpu-migrations", "cpu_migrations"),
    ("migrations", "cpu_migrations"),
];

/// Returns a counter's value, and of several runs how sure it is.
pub(super) fn readings(counter: &Counter<'_>) -> Result<Vec<Reading>, String> {
    let value = counter.value?;
    let (metric, value) =
        metric_of(counter, value).map_err(|error| format!("cannot be used: {error}"))?;
    let of_value = |error: String| format!("cannot be used: {error}");
    let Some(variance) = counter.variance else {
        let sample = Sample::new([value]).map_err(|error| of_value(error.to_string()))?;
        return Ok(vec![Reading { metric, sample }]);
    };
    let error = value * variance / 100.0;
    Ok(vec![
        summary::standing_for(&metric, value, None).map_err(of_value)?,
        summary::part(&metric, "standard_error", error).map_err(of_value)?,
    ])
}

fn metric_of(counter: &Counter<'_>, value: f64) -> Result<(Metric, f64), String> {
    // Without rights perf adds to each counter that it counts the program alone.
    let event = counter.event.strip_suffix(":u").unwrap_or(&counter.event);
    let row = METRICS.iter().find(|(theirs, _)| *theirs == event);
    let known = row.and_then(|(_, ours)| Metric::known(ours));
    let (unit, value) = match &*counter.unit {
        // Older versions leave out that these are nanoseconds.
        "" if known
            .as_ref()
            .is_some_and(|metric| metric.unit == Unit::Nanosecond) =>
        {
            (Unit::Nanosecond, value)
        }
        "" => (Unit::Count, value),
        unit => match (quantity::nanoseconds(unit), quantity::bytes(unit)) {
            (Some(scale), _) => (Unit::Nanosecond, scale.of(value)),
            (None, Some(scale)) => (Unit::Byte, scale.of(value)),
            (None, None) => {
                let symbol = UnitSymbol::new(unit).map_err(|error| error.to_string())?;
                (Unit::Other(symbol), value)
            }
        },
    };
    match known {
        Some(metric) if metric.unit == unit => Ok((metric, value)),
        Some(metric) => Err(format!(
            "its unit is `{}` and not `{}`",
            unit.symbol(),
            metric.unit.symbol()
        )),
        None => {
            let metric = own::metric(&counter.event, unit).map_err(|error| error.to_string())?;
            Ok((metric, value))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::counter::Line;
    use super::*;

    #[test]
    fn counters_are_metrics() {
        for (theirs, ours) in METRICS {
            assert!(Metric::known(ours).is_some(), "{theirs}");
        }
        for (text, expected) in [
            ("1.53,msec,task-clock,1,100.00", "cpu_time 1530000 ns"),
            (
                "15,,instructions:u,1,100.00",
                "hardware_instructions 15 count",
            ),
            ("15,,instructions:k,1,100.00", "instructions_k 15 count"),
            (
                "2,,syscalls:sys_enter_read,1,100.00",
                "syscalls_sys_enter_read 2 count",
            ),
            (
                "2.5,Joules,power/energy-pkg/,1,100.00",
                "power_per_energy-pkg_per_ 2.5 Joules",
            ),
            (
                "2,MiB,uncore/data_reads/,1,100.00",
                "uncore_per_data_reads_per_ 2097152 B",
            ),
            ("742715,,duration_time,1,100.00", "wall_time 742715 ns"),
            (
                "2,MiB,page-faults,1,100.00",
                "cannot be used: its unit is `B` and not `count`",
            ),
            (
                "4,,page-faults,25.00%,1,100.00",
                "page_faults 4 count, page_faults_standard_error 1 count",
            ),
        ] {
            let Line::Counter(counter, _) = Line::of(text) else {
                panic!("{text} is a counter");
            };
            let shown = readings(&counter).map(|readings| {
                let shown = readings.iter().map(|reading| {
                    let value = reading.sample.values()[0];
                    format!(
                        "{} {value} {}",
                        reading.metric.name,
                        reading.metric.unit.symbol()
                    )
                });
                shown.collect::<Vec<_>>().join(", ")
            });
            assert_eq!(shown.unwrap_or_else(|error| error), expected, "{text}");
        }
    }
}
