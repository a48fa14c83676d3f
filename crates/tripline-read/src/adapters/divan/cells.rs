//! What the cells of a line hold: times, rates, or numbers and sizes of allocations.
//!
//! Tested below, and by `fixtures/divan`.

use tripline_model::{Better, Metric, MetricName, Nature, Reading, Sample, Unit};

use super::row::Cells;
use crate::quantity::{self, Scale};
use crate::{own, summary};

/// The column that stands for the others.
const MEDIAN: usize = 2;

/// The parts of the summary, and the columns they stand in.
const PARTS: [(&str, usize); 3] = [("min", 0), ("max", 1), ("mean", 3)];

/// What the lines below a heading count: how many blocks, and how many bytes.
const HEADINGS: &[(&str, &str, &str)] = &[
    ("max alloc:", "heap_peak_blocks", "heap_peak"),
    ("alloc:", "allocations", "allocated_bytes"),
    ("dealloc:", "deallocations", "deallocated_bytes"),
    ("grow:", "grown_blocks", "grown_bytes"),
    ("shrink:", "shrunk_blocks", "shrunk_bytes"),
];

/// Returns whether a cell holds a time.
pub(super) fn is_time(cell: &str) -> bool {
    time(cell).is_some()
}

fn time(cell: &str) -> Option<f64> {
    quantity(cell, quantity::nanoseconds)
}

fn quantity(cell: &str, scale: impl Fn(&str) -> Option<Scale>) -> Option<f64> {
    let (number, unit) = cell.split_once(' ')?;
    scale(unit)?.of_text(number)
}

/// Returns the two metrics that the lines below a heading hold, if a cell is one.
pub(super) fn heading(cell: &str) -> Option<[&'static str; 2]> {
    let known = HEADINGS.iter().find(|(heading, ..)| *heading == cell);
    known.map(|(_, blocks, bytes)| [*blocks, *bytes])
}

/// Reads the times of a benchmark.
pub(super) fn times(cells: &Cells<'_>, is_cut: bool) -> Result<Vec<Reading>, String> {
    let time = |column: usize| time(cells[column]).ok_or_else(|| no(cells[column], "time"));
    let samples = count(cells[4])?;
    let iterations = count(cells[5])?;
    // The last number of all may have lost its last digits.
    if is_cut && iterations.checked_rem(samples) != Some(0) {
        return Err("the text is cut off in it".to_owned());
    }
    let metric = Metric::known("wall_time").expect("the metric is in the table");
    let mut readings = vec![summary::standing_for(
        &metric,
        time(MEDIAN)?,
        Some(iterations),
    )?];
    for (part, column) in PARTS {
        readings.push(summary::part(&metric, part, time(column)?)?);
    }
    readings.push(summary::rounds(samples)?);
    Ok(readings)
}

/// Reads a rate.
pub(super) fn rate(cells: &Cells<'_>) -> Result<Reading, String> {
    let cell = cells[MEDIAN];
    let (number, unit) = cell.split_once(' ').ok_or_else(|| no(cell, "rate"))?;
    let (metric, scale) = metric_of_rate(unit).ok_or_else(|| no(cell, "rate"))?;
    let value = scale.of_text(number).ok_or_else(|| no(cell, "rate"))?;
    summary::standing_for(&metric, value, None)
}

/// Returns what a rate counts, and how it becomes one of a base unit.
fn metric_of_rate(unit: &str) -> Option<(Metric, Scale)> {
    let items = Metric::known("item_throughput").expect("the metric is in the table");
    let named = |name: &str| Metric {
        name: MetricName::new(name).expect("the name is a constant"),
        ..items.clone()
    };
    if let Some(prefix) = unit.strip_suffix("item/s") {
        return Some((items, quantity::things(prefix)?));
    }
    if let Some(prefix) = unit.strip_suffix("char/s") {
        return Some((named("char_throughput"), quantity::things(prefix)?));
    }
    if let Some(prefix) = unit.strip_suffix("Hz") {
        return Some((named("cycle_throughput"), quantity::things(prefix)?));
    }
    let scale = quantity::bytes(unit.strip_suffix("/s")?)?;
    Some((own::throughput(Unit::BytePerSecond), scale))
}

/// Reads how many blocks or bytes, whichever the metric counts.
pub(super) fn allocated(metric: &str, cells: &Cells<'_>) -> Result<Reading, String> {
    let cell = cells[MEDIAN];
    let is_size = metric.ends_with("bytes") || metric == "heap_peak";
    let (value, unit) = if is_size {
        (quantity(cell, quantity::bytes), Unit::Byte)
    } else {
        (quantity::number(cell), Unit::Count)
    };
    let value = value.ok_or_else(|| no(cell, "number"))?;
    let metric = Metric::known(metric).unwrap_or_else(|| Metric {
        name: MetricName::new(metric).expect("the name is a constant"),
        unit,
        better: Better::Neither,
        nature: Nature::Exact,
    });
    let sample = Sample::new([value]).map_err(|error| error.to_string())?;
    Ok(Reading { metric, sample })
}

fn count(cell: &str) -> Result<u64, String> {
    let is_digits = cell.bytes().all(|byte| byte.is_ascii_digit());
    let count = cell.parse().ok().filter(|_| is_digits);
    count.ok_or_else(|| no(cell, "count"))
}

fn no(cell: &str, what: &str) -> String {
    format!("`{}` is no {what}", crate::place::shown(cell))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_metrics_by_what_they_count() {
        for (cell, expected) in [
            ("846 MB/s", "throughput 846000000 B/s"),
            ("1.5 KiB/s", "throughput 1536 B/s"),
            ("105.7 Mitem/s", "item_throughput 105700000 1/s"),
            ("118.9 Kchar/s", "char_throughput 118900 1/s"),
            ("39.65 GHz", "cycle_throughput 39650000000 1/s"),
            ("39.65 Xitem/s", "`39.65 Xitem/s` is no rate"),
            ("", "`` is no rate"),
        ] {
            let shown = match rate(&["", "", cell, "", "", ""]) {
                Ok(reading) => format!(
                    "{} {} {}",
                    reading.metric.name,
                    reading.sample.values()[0],
                    reading.metric.unit.symbol()
                ),
                Err(error) => error,
            };
            assert_eq!(shown, expected);
        }
    }

    #[test]
    fn every_heading_names_what_is_below_it() {
        for (heading, blocks, bytes) in HEADINGS {
            assert_eq!(super::heading(heading), Some([*blocks, *bytes]));
            let of = |metric, cell| allocated(metric, &["", "", cell, "", "", ""]).unwrap();
            assert_eq!(of(blocks, "1001").metric.unit, Unit::Count);
            assert_eq!(of(bytes, "2.048 KB").sample.values(), [2048.0]);
            assert_eq!(of(bytes, "2 B").metric.unit, Unit::Byte);
        }
    }
}
