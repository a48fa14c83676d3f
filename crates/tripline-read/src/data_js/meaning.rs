//! What a unit of a history means: which metric it is, which direction is better, and how its numbers become base units.
//!
//! A unit that is not known is kept as it is. Tested below.

use tripline_model::{Better, Metric, MetricName, Nature, Unit};

use super::fitted;
use crate::benchmark_action::{Quantity, quantity};
use crate::own;
use crate::quantity::{Scale, as_it_is};
use crate::units_written::{Written, size, written};

/// The tools of github-action-benchmark whose larger values are better.
const BIGGER: &[&str] = &["benchmarkjs", "customBiggerIsBetter", "pytest"];

/// Those whose smaller values are.
const SMALLER: &[&str] = &[
    "benchmarkdotnet",
    "benchmarkluau",
    "cargo",
    "catch2",
    "customSmallerIsBetter",
    "go",
    "googlecpp",
    "jmh",
    "julia",
];

/// The longest unit there is, in bytes.
const UNIT_BYTES_MAX: usize = 32;

/// What a unit stands for where nothing is said.
const NO_UNIT: &str = "?";

/// What is known of a tool.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tool {
    /// Which direction it takes for better.
    pub(super) better: Option<Better>,
    /// Whether somebody chose it for values of their own because of its direction, which then holds of whatever unit.
    pub(super) is_by_hand: bool,
    /// Whether it takes over what a harness wrote, and not what somebody wrote for it.
    pub(super) is_harness: bool,
    /// Whether a range without a unit is in that of the value.
    pub(super) has_ranges_in_unit: bool,
}

impl Tool {
    pub(super) fn of(name: &str) -> Self {
        let better = match name {
            _ if BIGGER.contains(&name) => Some(Better::Higher),
            _ if SMALLER.contains(&name) => Some(Better::Lower),
            _ => None,
        };
        let is_by_hand = better.is_some() && name.starts_with("custom");
        Self {
            better,
            is_by_hand,
            is_harness: better.is_some() && !is_by_hand,
            // Catch2 prints a mean and its deviation in units of their own, and what takes them over for that action
            // (`extractCatch2Result` in its `src/extract.ts`) keeps the mean's alone.
            has_ranges_in_unit: name != "catch2",
        }
    }
}

/// What is said of which direction is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Direction {
    /// By the benchmark itself.
    pub(super) own: Option<Better>,
    /// By the tool.
    pub(super) tool: Option<Better>,
}

impl Direction {
    fn said(self) -> Option<Better> {
        self.own.or(self.tool)
    }

    /// Returns whether it contradicts a metric. Tools written for times say "smaller" of rates, too, which is wrong of them;
    /// so of what a tool says, only a time is held against it.
    fn goes_against(self, metric: &Metric) -> bool {
        let is_against = |said: Option<Better>| said.is_some_and(|said| said != metric.better);
        is_against(self.own) || metric.better == Better::Lower && is_against(self.said())
    }

    /// Returns whether a metric goes against the tool.
    pub(super) fn is_turned(self, metric: &Metric) -> bool {
        let is_against = self.tool.is_some_and(|said| said != metric.better);
        self.own.is_none() && is_against
    }
}

/// Returns what a unit says before a tab, behind which Go's benchmarks have further results.
pub(super) fn stem(unit: &str) -> &str {
    // Asked of every value; most units are a few letters, which are gone through sooner as bytes.
    let end = unit.bytes().position(|byte| byte == b'\t');
    trimmed(&unit[..end.unwrap_or(unit.len())])
}

/// Returns a text without space around it. Nearly all have none, which two bytes say.
pub(super) fn trimmed(text: &str) -> &str {
    let is_sign = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_graphic);
    match is_sign(text.as_bytes().first()) && is_sign(text.as_bytes().last()) {
        true => text,
        false => text.trim(),
    }
}

/// What a unit stands for, and how its numbers become base units.
pub(super) type Meaning = (Metric, Scale);

/// Returns what a unit means. A tool that somebody chose for its direction has it of whatever unit, so that a line which such
/// a list began goes on with the next list that is read.
pub(super) fn meaning(
    unit: &str,
    direction: Direction,
    is_by_hand: bool,
) -> Result<Meaning, String> {
    let chosen = is_by_hand.then(|| of_list(unit, direction)).flatten();
    chosen.map_or_else(|| metric_of(unit, direction), Ok)
}

/// Returns what else a unit may have been taken for before, in a run of another tool.
pub(super) fn other_meaning(unit: &str, direction: Direction, is_by_hand: bool) -> Option<Meaning> {
    match is_by_hand {
        true => metric_of(unit, direction).ok(),
        false => of_list(unit, direction),
    }
}

/// Returns what a unit means in a list of which the direction is known.
fn of_list(unit: &str, direction: Direction) -> Option<Meaning> {
    let better = direction.tool.filter(|_| direction.own.is_none())?;
    let quantity = quantity(&fitted(stem(unit), UNIT_BYTES_MAX), better);
    let Quantity { metric, scale } = quantity.ok()?;
    Some((metric, scale))
}

fn metric_of(unit: &str, direction: Direction) -> Result<Meaning, String> {
    let unit = stem(unit);
    let is_time = |metric: &Metric| metric.better == Better::Lower;
    let (metric, scale) = match written(unit) {
        // Whoever says that more milliseconds are better does not mean the time of an iteration.
        Some(Written { metric, scale, .. }) if direction.goes_against(&metric) => {
            let better = direction.said().unwrap_or(metric.better);
            let name = own_name(unit)?;
            let metric = Metric {
                name,
                better,
                ..metric
            };
            (metric, scale)
        }
        Some(rate) if !is_time(&rate.metric) && !rate.is_of_operations() => {
            let better = rate.metric.better;
            let metric = own_metric(unit, direction)?;
            (Metric { better, ..metric }, as_it_is())
        }
        Some(Written { metric, scale, .. }) => (metric, scale),
        None => match size(unit) {
            Some((metric, scale)) => {
                let better = direction.said().unwrap_or(metric.better);
                (Metric { better, ..metric }, scale)
            }
            None => (own_metric(unit, direction)?, as_it_is()),
        },
    };
    let nature = Nature::Summarized;
    Ok((Metric { nature, ..metric }, scale))
}

fn own_metric(unit: &str, direction: Direction) -> Result<Metric, String> {
    let symbol = fitted(unit, UNIT_BYTES_MAX);
    let symbol = if symbol.is_empty() { NO_UNIT } else { &symbol };
    Ok(Metric {
        name: own_name(unit)?,
        // As it comes back from where it is kept: `count` is one of the units that have a name there.
        unit: Unit::from_symbol(symbol).map_err(|error| error.to_string())?,
        better: direction.said().unwrap_or(Better::Neither),
        nature: Nature::Summarized,
    })
}

/// Returns the name of a metric after its unit. One of signs alone, such as `%` or `€`, gives none.
fn own_name(unit: &str) -> Result<MetricName, String> {
    own::metric_name(&fitted(unit, UNIT_BYTES_MAX))
        .or_else(|_| MetricName::new("value"))
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(unit: &str, said: Option<Better>) -> String {
        let direction = Direction {
            tool: said,
            ..Direction::default()
        };
        let (metric, scale) = metric_of(unit, direction).unwrap();
        let two = scale.of_text("2").unwrap();
        format!(
            "{} {two} {} {:?}",
            metric.name,
            metric.unit.symbol(),
            metric.better
        )
    }

    #[test]
    fn a_unit_says_what_is_measured() {
        let smaller = Some(Better::Lower);
        for (unit, said, expected) in [
            ("ns/iter", smaller, "wall_time 2 ns Lower"),
            ("ms", smaller, "wall_time 2000000 ns Lower"),
            ("m", smaller, "m 2 m Lower"),
            ("d", Some(Better::Higher), "d 2 d Higher"),
            ("ops/h", smaller, "ops_per_h 2 ops/h Lower"),
            ("us/op", None, "wall_time 2000 ns Lower"),
            (
                "ns/op\t 12 B/op\t 0 allocs/op",
                smaller,
                "wall_time 2 ns Lower",
            ),
            (
                "ops/sec",
                Some(Better::Higher),
                "item_throughput 2 1/s Higher",
            ),
            (
                "iter/sec",
                Some(Better::Higher),
                "item_throughput 2 1/s Higher",
            ),
            ("ops/ms", smaller, "item_throughput 2000 1/s Higher"),
            ("Kops/s", smaller, "item_throughput 2000 1/s Higher"),
            ("GFLOP/s", smaller, "gflop_per_s 2 GFLOP/s Higher"),
            ("MB/s", smaller, "throughput 2000000 B/s Higher"),
            ("ms", Some(Better::Higher), "ms 2000000 ns Higher"),
            (
                "instructions",
                smaller,
                "own_instructions 2 instructions Lower",
            ),
            ("MiB", smaller, "bytes 2097152 B Lower"),
            ("kB", Some(Better::Higher), "bytes 2000 B Higher"),
            ("bytes", None, "bytes 2 B Neither"),
            ("B/op", smaller, "b_per_op 2 B/op Lower"),
            ("allocs/op", smaller, "allocs_per_op 2 allocs/op Lower"),
            ("Percent", None, "percent 2 Percent Neither"),
            ("%", smaller, "percent 2 % Lower"),
            ("", smaller, "value 2 ? Lower"),
        ] {
            assert_eq!(shown(unit, said), expected, "{unit}");
        }
        assert_eq!(shown("\u{1b}[31m", None), "31m 2 [31m Neither",);
        let long = "x".repeat(40);
        let cut = "x".repeat(32);
        assert_eq!(shown(&long, None), format!("{cut} 2 {cut} Neither"));
    }

    #[test]
    fn what_a_benchmark_says_itself_counts_before_its_tool() {
        let better = |unit, own, tool| {
            let direction = Direction { own, tool };
            meaning(unit, direction, true).unwrap().0.better
        };
        let (higher, lower) = (Some(Better::Higher), Some(Better::Lower));
        let of_harness = Direction {
            own: None,
            tool: lower,
        };
        let rate = meaning("ops/s", of_harness, false).unwrap().0;
        assert_eq!(rate.better, Better::Higher);
        assert_eq!(better("ops/s", lower, None), Better::Lower);
        assert_eq!(better("bytes", lower, higher), Better::Lower);
        assert_eq!(better("ns", higher, lower), Better::Higher);
    }

    #[test]
    fn a_tool_says_which_direction_is_better() {
        assert_eq!(Tool::of("pytest").better, Some(Better::Higher));
        assert_eq!(Tool::of("cargo").better, Some(Better::Lower));
        assert_eq!(Tool::of("abacus").better, None);
        assert!(Tool::of("go").is_harness);
        assert!(!Tool::of("abacus").is_harness);
        assert!(Tool::of("cargo").has_ranges_in_unit);
        assert!(!Tool::of("catch2").has_ranges_in_unit);
        assert!(!Tool::of("customBiggerIsBetter").is_harness);
        assert!(Tool::of("customBiggerIsBetter").is_by_hand);
        assert!(!Tool::of("customized").is_by_hand);
    }

    #[test]
    fn what_was_chosen_for_its_direction_means_what_its_list_does() {
        for better in [Better::Lower, Better::Higher] {
            let direction = Direction {
                tool: Some(better),
                ..Direction::default()
            };
            for unit in [
                "ms", "ops/s", "GFLOP/s", "ms/frame", "MB/s", "KiB", "%", "count", "", "wombats",
            ] {
                let (metric, scale) = meaning(unit, direction, true).unwrap();
                let list = quantity(unit, better).unwrap();
                assert_eq!(metric, list.metric, "{unit}");
                assert_eq!(scale.of_text("2.5"), list.scale.of_text("2.5"), "{unit}");
            }
            let long = "x".repeat(40);
            assert_eq!(meaning(&long, direction, true).unwrap().0.better, better);
        }
    }
}
