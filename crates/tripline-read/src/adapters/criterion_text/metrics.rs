//! What an interval is of: a time or a rate, or what a measurement of the author's own counts, such as cycles.
//!
//! Criterion takes whatever it measures for a cost, and says that a benchmark got worse when there is more of it. What it
//! divides by how much was worked through has no such direction: cycles are few for each byte, and points many in a second.
//! Tested below.

use std::collections::BTreeMap;

use tripline_model::{Better, Metric, MetricName};

use super::line::Interval;
use crate::own;
use crate::place::shown;

/// An interval's ends and its estimate, and what they are of.
pub(super) type Measured = (Metric, [f64; 3]);

/// How many more intervals of each metric of an author's own run downwards than upwards.
pub(super) type Directions = BTreeMap<MetricName, i64>;

/// The units in which one byte or one element takes so much.
const COSTS: [&str; 6] = [
    "cpb",
    "cpe",
    "c/e",
    "cycles/byte",
    "cycles/elem",
    "cycles/element",
];

/// Returns what a benchmark took.
pub(super) fn time(
    interval: &Interval<'_>,
    directions: &mut Directions,
) -> Result<Measured, String> {
    let error = match interval.nanoseconds() {
        Ok(values) => {
            let time = Metric::known("wall_time").expect("the metric is in the table");
            return Ok((time, values));
        }
        Err(error) => error,
    };
    let (unit, values) = interval.as_written().ok_or(error)?;
    let better = match is_rate(unit) {
        true => Better::Higher,
        false => Better::Lower,
    };
    let metric = own_metric(unit, better)?;
    // The shortest time is the highest rate, so an interval of rates runs downwards.
    let downwards = i64::from(values[0] > values[2]) - i64::from(values[0] < values[2]);
    *directions.entry(metric.name.clone()).or_default() += downwards;
    Ok((metric, values))
}

/// Takes more for better where intervals run downwards: all of a metric decide, because one may have equal ends.
pub(super) fn decide(metric: &mut Metric, directions: &Directions) {
    let runs_downwards = || directions.get(&metric.name).is_some_and(|by| *by > 0);
    if metric.better == Better::Lower && runs_downwards() {
        metric.better = Better::Higher;
    }
}

/// Returns how fast a benchmark was, beside what it took.
pub(super) fn rate(interval: &Interval<'_>, taken: Option<&Metric>) -> Result<Measured, String> {
    let error = match interval.rates() {
        Ok((unit, values)) => return Ok((own::throughput(unit), values)),
        Err(error) => error,
    };
    let (unit, values) = interval.as_written().ok_or(error)?;
    let better = match unit {
        unit if COSTS.contains(&unit) => Better::Lower,
        unit if is_rate(unit) => Better::Higher,
        _ => Better::Neither,
    };
    let mut metric = own_metric(unit, better)?;
    // Some authors give both the same unit.
    if taken.is_some_and(|taken| taken.name == metric.name) {
        let name = format!("{}_throughput", metric.name);
        metric.name = own::metric_name(&name).map_err(|error| error.to_string())?;
    }
    Ok((metric, values))
}

fn is_rate(unit: &str) -> bool {
    ["/s", "/sec", " per second"]
        .iter()
        .any(|end| unit.ends_with(end))
}

/// Returns whether a unit is what a wrong encoding made of a millionth of a second, by which it would become another one.
fn is_garbled(unit: &str) -> bool {
    let sign = unit.strip_suffix('s').unwrap_or_default();
    let is_foreign = sign.bytes().all(|byte| !byte.is_ascii()) && !sign.is_empty();
    unit.contains('\u{fffd}') || sign == "?" || is_foreign && !["\u{b5}", "\u{3bc}"].contains(&sign)
}

fn own_metric(unit: &str, better: Better) -> Result<Metric, String> {
    if is_garbled(unit) {
        let unit = shown(unit);
        return Err(format!("its unit `{unit}` is a sign of another encoding"));
    }
    own::of_unit(unit, better).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::line::Line;
    use super::*;

    fn measured(text: &str) -> String {
        let taken = own_metric("insts", Better::Lower).unwrap();
        let measured = match Line::of(text) {
            Line::Time { interval, .. } => {
                let mut directions = Directions::new();
                let measured = time(&interval, &mut directions);
                measured.map(|(mut metric, values)| {
                    decide(&mut metric, &directions);
                    (metric, values)
                })
            }
            Line::Rate(interval) => rate(&interval, Some(&taken)),
            other => panic!("{other:?} is no interval"),
        };
        measured.map_or_else(
            |error| error,
            |(metric, values)| {
                let symbol = metric.unit.symbol();
                format!("{} {symbol} {:?} {values:?}", metric.name, metric.better)
            },
        )
    }

    #[test]
    fn an_interval_is_of_what_its_unit_says() {
        for (text, expected) in [
            (
                "get                     time:   [1 ns 2 us 3 ms]",
                "wall_time ns Lower [1.0, 2000.0, 3000000.0]",
            ),
            (
                "get                     time:   [1.5 cycles 2.5 cycles 3.5 cycles]",
                "cycles cycles Lower [1.5, 2.5, 3.5]",
            ),
            (
                "get                     time:   [1 in / out 2 in / out 3 in / out]",
                "in__per__out in / out Lower [1.0, 2.0, 3.0]",
            ),
            (
                "get                     time:   [1 cycles 2 cyples 3 cycles]",
                "the unit `cycles` is not known",
            ),
            (
                "get                     time:   [3 M states per second 2 M states per second 1 M states per second]",
                "m_states_per_second M states per second Higher [3.0, 2.0, 1.0]",
            ),
            (
                "get                     time:   [3 Mops/s 3 Mops/s 3 Mops/s]",
                "mops_per_s Mops/s Higher [3.0, 3.0, 3.0]",
            ),
            (
                "get                     time:   [3 ops/sec 3 ops/sec 3 ops/sec]",
                "ops_per_sec ops/sec Higher [3.0, 3.0, 3.0]",
            ),
            (
                "get                     time:   [3 points 2 points 1 points]",
                "points points Higher [3.0, 2.0, 1.0]",
            ),
            (
                "                        thrpt:  [3.5 cpb 2.5 cpb 1.5 cpb]",
                "cpb cpb Lower [3.5, 2.5, 1.5]",
            ),
            (
                "                        thrpt:  [1 GFLOP/s 2 GFLOP/s 3 GFLOP/s]",
                "gflop_per_s GFLOP/s Higher [1.0, 2.0, 3.0]",
            ),
            (
                "                        thrpt:  [1 insts 2 insts 3 insts]",
                "insts_throughput insts Neither [1.0, 2.0, 3.0]",
            ),
            (
                "                        thrpt:  [1 KiB/s 2 KiB/s 3 KiB/s]",
                "throughput B/s Higher [1024.0, 2048.0, 3072.0]",
            ),
        ] {
            assert_eq!(measured(text), expected, "{text}");
        }
    }

    /// By the code pages 1251, 850, 936, 932, 949 and 950, and by that of the Macintosh.
    #[test]
    fn a_millionth_in_another_encoding_is_no_unit_of_its_own() {
        for unit in ["Вµs", "┬Ás", "碌s", "ﾂｵs", "쨉s", "繕s", "¬µs"] {
            let text = format!("get                     time:   [1 {unit} 2 {unit} 3 {unit}]");
            let expected = format!("its unit `{unit}` is a sign of another encoding");
            assert_eq!(measured(&text), expected);
        }
    }
}
