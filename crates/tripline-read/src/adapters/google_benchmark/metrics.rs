//! What the columns of a report are in Tripline's words, whichever form it has.
//!
//! Which names the reporters themselves give is fixed; any other is a counter of the benchmark's own. Tested by
//! `fixtures/google_benchmark`.

use std::collections::BTreeSet;

use tripline_model::{Metric, MetricName, Unit};

use crate::gathered::FEW_METRICS;
use crate::own;

/// The names that the reporters give, and none of them a benchmark's own.
const KNOWN: &[&str] = &[
    "real_time",
    "cpu_time",
    "real_coefficient",
    "cpu_coefficient",
    "bytes_per_second",
    "items_per_second",
    "allocs_per_iter",
    "max_bytes_used",
    "rms",
    "total_allocated_bytes",
    "net_heap_growth",
];

pub(super) fn known(name: &str) -> bool {
    KNOWN.contains(&name)
}

/// Returns the metric of a name, and whether it is a time in the row's unit.
pub(super) fn metric_of(name: &str) -> Result<(Metric, bool), String> {
    let shared = |name| Metric::known(name).expect("the metric is in the table");
    Ok(match name {
        "real_time" => (shared("wall_time"), true),
        "cpu_time" => (shared("cpu_time"), true),
        "real_coefficient" => (own_metric("wall_time_big_o", Unit::Nanosecond)?, true),
        "cpu_coefficient" => (own_metric("cpu_time_big_o", Unit::Nanosecond)?, true),
        "bytes_per_second" => (own::throughput(Unit::BytePerSecond), false),
        "items_per_second" => (own::throughput(Unit::PerSecond), false),
        "allocs_per_iter" => (shared("allocations"), false),
        "max_bytes_used" => (shared("heap_peak"), false),
        "rms" => (own_metric("fit_rms", Unit::Ratio)?, false),
        "total_allocated_bytes" | "net_heap_growth" => (own_metric(name, Unit::Byte)?, false),
        _ => (own_metric(name, Unit::Count)?, false),
    })
}

/// What is said of a value whose metric another of its row has: names that differ in case or in signs alone are one.
pub(super) const TWICE: &str = "is the same metric as another of its row, which is kept";

/// The values of a row, of each metric one.
#[derive(Debug, Default)]
pub(super) struct Values {
    kept: Vec<(Metric, f64)>,
    /// Their metrics, once they are more than a few.
    many: BTreeSet<MetricName>,
}

impl Values {
    /// Takes over a value, and returns whether it is the first of its metric; another is not kept.
    pub(super) fn keep(&mut self, metric: Metric, value: f64) -> bool {
        let is_first = match self.kept.len() {
            ..FEW_METRICS => self.kept.iter().all(|(known, _)| known.name != metric.name),
            _ => self.is_first_of_many(&metric.name),
        };
        if is_first {
            self.kept.push((metric, value));
        }
        is_first
    }

    fn is_first_of_many(&mut self, metric: &MetricName) -> bool {
        if self.many.is_empty() {
            let names = self.kept.iter().map(|(known, _)| known.name.clone());
            self.many.extend(names);
        }
        self.many.insert(metric.clone())
    }

    pub(super) fn kept(self) -> Vec<(Metric, f64)> {
        self.kept
    }
}

fn own_metric(name: &str, unit: Unit) -> Result<Metric, String> {
    own::metric(name, unit).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const METRICS: usize = 100_000;

    /// Searching all metrics for each would take minutes.
    #[test]
    fn many_values_of_a_row_are_told_apart_soon() {
        let mut values = Values::default();
        for is_first in [true, false] {
            for index in 0..METRICS {
                let metric = own_metric(&format!("m{index}"), Unit::Count).unwrap();
                assert_eq!(values.keep(metric, 1.0), is_first, "{index}");
            }
        }
        assert_eq!(values.kept().len(), METRICS);
    }
}
