//! What stands below the times of a benchmark in mitata's table: what the heap grew by and how long collecting garbage took,
//! by the names that they have when they come as JSON; and the processor's counters.
//!
//! ```text
//!     (520.00  b …  19.15 kb) 553.38  b █▁▁▁
//!   gc(  3.18 ms …  11.77 ms)   3.28 kb (  3.28 kb…  3.34 kb)
//! ```
//!
//! Tested below and by `fixtures/mitata`.

use tripline_model::{Reading, Unit};

use super::table::TO;
use crate::quantity::{Scale, bytes, nanoseconds};
use crate::summary;

/// What is before the times of collecting garbage.
const GC: &str = "gc(";

/// Returns whether a line says something of memory. A benchmark's own lines begin with its name, or with its range.
pub(super) fn is_memory(text: &str) -> bool {
    let begins = |text: &str| text.starts_with('(') || text.starts_with(GC);
    text.starts_with(' ') && begins(text.trim_start())
}

/// Returns whether a line holds counters of the processor.
pub(super) fn is_counters(text: &str) -> bool {
    let has = |words: [&str; 2]| words.iter().all(|word| text.contains(word));
    text.starts_with(' ') && (has([" ipc (", "%"]) || has([" cycles ", " instructions "]))
}

/// Returns whether a line at which a text ends may have lost digits, or a letter of a unit.
pub(super) fn may_be_cut(text: &str) -> bool {
    let is_within = |c: char| c.is_ascii_alphanumeric() || c == '.';
    text.trim_end().ends_with(is_within)
}

/// Returns what a line says of memory, or `None` where it is not of its form.
pub(super) fn readings(text: &str) -> Option<Result<Vec<Reading>, String>> {
    let mut found = Vec::new();
    let mut left = text.trim();
    if let Some(after) = left.strip_prefix(GC) {
        let ([least, most], after) = range(after, nanoseconds)?;
        found.push(("gc_time_min", Unit::Nanosecond, least));
        found.push(("gc_time_max", Unit::Nanosecond, most));
        left = after.trim_start();
        // What the heap grew by has this place where it is known.
        if let Some((average, _)) = quantity(left, nanoseconds) {
            found.push(("gc_time", Unit::Nanosecond, average));
            left = "";
        }
    }
    if !left.is_empty() {
        let (average, [least, most]) = heap(left)?;
        found.push(("heap_growth", Unit::Byte, average));
        found.push(("heap_growth_min", Unit::Byte, least));
        found.push(("heap_growth_max", Unit::Byte, most));
    }
    let readings = found
        .into_iter()
        .filter_map(|(name, unit, value)| Some(summary::beside(name, unit, value?)));
    Some(readings.collect())
}

/// The average stands behind its range, or before it where the times of collecting garbage have its place.
fn heap(text: &str) -> Option<(Known, [Known; 2])> {
    match text.strip_prefix('(') {
        Some(inside) => {
            let (range, after) = range(inside, size)?;
            Some((quantity(after, size)?.0, range))
        }
        None => {
            let (average, after) = quantity(text, size)?;
            let inside = after.trim_start().strip_prefix('(')?;
            Some((average, range(inside, size)?.0))
        }
    }
}

/// A number, where there is one: a heap that shrank in every sample grew by `NaN`, from `Infinity` to `-Infinity`.
type Known = Option<f64>;

/// Reads the least and the most up to a bracket, and returns what is behind it.
fn range(inside: &str, scale: fn(&str) -> Option<Scale>) -> Option<([Known; 2], &str)> {
    let (range, after) = inside.split_once(')')?;
    let (least, most) = range.split_once(TO)?;
    let one = |text| Some(quantity(text, scale)?.0);
    Some(([one(least)?, one(most)?], after))
}

/// Reads a number and its unit, and returns what is behind them.
fn quantity(text: &str, scale: fn(&str) -> Option<Scale>) -> Option<(Known, &str)> {
    let text = text.trim_start();
    let (number, after) = text.split_once(' ').unwrap_or((text, ""));
    if number == "NaN" {
        return Some((None, after));
    }
    let after = after.trim_start();
    let (unit, after) = after.split_once(' ').unwrap_or((after, ""));
    let scale = scale(unit)?;
    match number {
        "Infinity" | "-Infinity" => Some((None, after)),
        _ => Some((Some(scale.of_text(number)?), after)),
    }
}

/// The units of sizes are written small, and each is 1,024 of the one before.
fn size(unit: &str) -> Option<Scale> {
    bytes(match unit {
        "b" => "B",
        "kb" => "KiB",
        "mb" => "MiB",
        "gb" => "GiB",
        "tb" => "TiB",
        "pb" => "PiB",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_in_either_order_and_nothing_else_is() {
        let shown = |text: &str| {
            let readings = readings(text)?.unwrap();
            let shown = readings.iter().map(|reading| {
                let (name, value) = (&reading.metric.name, reading.sample.values()[0]);
                format!("{name} {value}")
            });
            Some(shown.collect::<Vec<_>>().join(", "))
        };
        let heap = "heap_growth 512, heap_growth_min 0.1, heap_growth_max 2048";
        let gc = "gc_time_min 3180000, gc_time_max 11770000";
        for (text, expected) in [
            (
                "   (  0.10  b …   2.00 kb) 512.00  b ▁█▁ !",
                heap.to_owned(),
            ),
            ("   (  0.10  b …   2.00 kb) 512.00  b", heap.to_owned()),
            (
                "  gc(  3.18 ms …  11.77 ms) 512.00  b (  0.10  b…  2.00 kb)",
                format!("{gc}, {heap}"),
            ),
            ("  gc(  3.18 ms …  11.77 ms)", gc.to_owned()),
            (
                "  gc(  3.18 ms …  11.77 ms)   5.04 ms ███▅▂",
                format!("{gc}, gc_time 5040000"),
            ),
            (
                "       (Infinity pb … -Infinity  b)       NaN ▅███",
                String::new(),
            ),
        ] {
            assert!(is_memory(text), "{text}");
            assert_eq!(shown(text), Some(expected), "{text}");
        }
        for text in [
            "   (  0.10  b …   2.00 kb)",
            "   (  0.10 kB …   2.00 kb) 512.00  b",
            "   (  0.10  b   2.00 kb) 512.00  b",
            "  gc(  3.18  b …  11.77 ms)",
            "  gc(  3.18 ms …  11.77 ms) 512.00  b",
            "   (Infinity xb … -Infinity  b)       NaN ▅███",
        ] {
            assert_eq!(shown(text), None, "{text}");
        }
    }

    #[test]
    fn counters_are_told_from_benchmarks() {
        for text in [
            "                  4.06 ipc ( 99.12% cache)    0.01 branch misses",
            "        254.71 cycles   1.03k instructions    0.24 c-refs    0.00 c-misses",
            "        254.71 cycles   1.03k instructions  36.72% retired LD/ST ( 379.37)",
        ] {
            assert!(is_counters(text), "{text}");
        }
        for text in ["cycles   1.00 ns/iter", "   (1.00 ns … 2.00 ns) 1.00 ns"] {
            assert!(!is_counters(text), "{text}");
        }
    }
}
