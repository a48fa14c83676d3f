//! Metrics that a benchmark or its author named: their names are made to fit, and never taken for a metric that all
//! harnesses share.
//!
//! Tested below.

use tripline_model::{Better, Metric, MetricName, NameError, Nature, Unit};

/// The rate of bytes.
const THROUGHPUT: &str = "throughput";

/// What an iteration may take besides time, as Criterion calls it where the measurement is the author's own. Any other
/// unit that stands alone may be one of time that was damaged.
const COUNTED: &[&str] = &[
    "B",
    "allocations",
    "branch-misses",
    "branches",
    "bytes",
    "cache-misses",
    "cycles",
    "instructions",
    "insts",
    "page-faults",
];

/// Returns the metric of a rate: each unit has one of its own, because a benchmark may count bytes as well as things.
pub(crate) fn throughput(unit: Unit) -> Metric {
    let known = |name| Metric::known(name).expect("the metric is in the table");
    match unit {
        Unit::PerSecond => known("item_throughput"),
        Unit::BitPerSecond => known("bit_throughput"),
        unit => Metric {
            name: MetricName::new(THROUGHPUT).expect("the name is a constant"),
            unit,
            better: Better::Higher,
            nature: Nature::Sampled,
        },
    }
}

/// Returns the rate of things, such as operations.
pub(crate) fn item_throughput() -> Metric {
    throughput(Unit::PerSecond)
}

/// Returns a metric of a name of the author's own, of which nobody knows which direction is better.
pub(crate) fn metric(name: &str, unit: Unit) -> Result<Metric, NameError> {
    Ok(Metric {
        name: metric_name(name)?,
        unit,
        better: Better::Neither,
        nature: Nature::Sampled,
    })
}

/// Returns a unit of what an iteration may take besides time, if a text is one.
pub(crate) fn counted(unit: &str) -> Option<&'static str> {
    COUNTED.iter().copied().find(|known| *known == unit)
}

/// Returns a metric that is named after its unit, and of which less is better: Criterion takes whatever it measures for a
/// cost.
pub(crate) fn cost(unit: &str) -> Result<Metric, String> {
    of_unit(unit, Better::Lower).map_err(|error| error.to_string())
}

/// Returns a metric that is named after its unit.
pub(crate) fn of_unit(unit: &str, better: Better) -> Result<Metric, NameError> {
    let metric = metric(unit, Unit::from_symbol(unit)?)?;
    Ok(Metric { better, ..metric })
}

/// Returns the name of a metric of the author's own: `Gets/op` becomes `gets_per_op`.
pub(crate) fn metric_name(text: &str) -> Result<MetricName, NameError> {
    let mut name = snake_case(text);
    // Whatever it counts, it is not what others mean by the name.
    if Metric::known(&name).is_some() || name == THROUGHPUT {
        name.insert_str(0, "own_");
    }
    MetricName::new(name)
}

fn snake_case(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '/' => out.push_str("_per_"),
            '%' => out.push_str("_percent"),
            '-' | '.' | '_' => out.push(c),
            // Both of Unicode's signs for a millionth, without which `µs` would be called seconds.
            '\u{b5}' | '\u{3bc}' => out.push('u'),
            c if c.is_ascii_alphanumeric() => out.push(c.to_ascii_lowercase()),
            _ => out.push('_'),
        }
    }
    let begins = out.find(|c: char| c.is_ascii_alphanumeric());
    out.split_off(begins.unwrap_or(out.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_to_fit_and_kept_apart_from_shared_ones() {
        for (text, expected) in [
            ("Gets/op", "gets_per_op"),
            ("hit%", "hit_percent"),
            ("%hit", "percenthit"),
            ("größe", "gr__e"),
            ("\u{b5}s/frame", "us_per_frame"),
            ("·gc.count", "gc.count"),
            ("wall_time", "own_wall_time"),
            ("Throughput", "own_throughput"),
        ] {
            assert_eq!(metric_name(text).unwrap().as_str(), expected, "{text}");
        }
        assert!(metric_name("€").is_err());
        assert!(metric("x", Unit::Count).is_ok());
        assert_eq!(throughput(Unit::BytePerSecond).name.as_str(), "throughput");
        assert_eq!(throughput(Unit::PerSecond).name.as_str(), "item_throughput");
    }
}
