//! What the columns of a report are in Tripline's words, whichever form it has.
//!
//! Which names the reporters themselves give is fixed; any other is a counter of the benchmark's own. Tested by
//! `fixtures/google_benchmark`.

use tripline_model::{Metric, Unit};

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

/// Returns whether a row has a value of a metric already.
pub(super) fn stands_in(values: &[(Metric, f64)], metric: &Metric) -> bool {
    values.iter().any(|(known, _)| known.name == metric.name)
}

fn own_metric(name: &str, unit: Unit) -> Result<Metric, String> {
    own::metric(name, unit).map_err(|error| error.to_string())
}
