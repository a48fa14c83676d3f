//! What a unit of a history means: which metric it is, which direction is better, and how its numbers become base units.
//!
//! A unit that is not known is kept as it is, sizes among them. Tested below.

use tripline_model::{Better, Metric, Nature, Unit, UnitSymbol};

use crate::own;
use crate::quantity::{Scale, as_it_is};
use crate::units_written::{Written, written};

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

/// What a unit stands for where nothing is said.
const NO_UNIT: &str = "?";

/// Returns which direction a tool takes for better, if it is known.
pub(super) fn direction(tool: &str) -> Option<Better> {
    if BIGGER.contains(&tool) {
        return Some(Better::Higher);
    }
    SMALLER.contains(&tool).then_some(Better::Lower)
}

/// Returns the metric of a unit, and how numbers are converted. `said` is what the tool takes for better.
pub(super) fn metric_of(unit: &str, said: Option<Better>) -> Result<(Metric, Scale), String> {
    // Go's benchmarks put further results behind a tab.
    let unit = unit.split('\t').next().unwrap_or_default().trim();
    let (metric, scale) = match written(unit) {
        // Whoever says that more milliseconds are better does not mean the time of an iteration.
        Some(Written { metric, scale, .. }) if !goes_against(said, &metric) => (metric, scale),
        Some(Written { metric, scale, .. }) => {
            let name = own::metric_name(unit).map_err(|error| error.to_string())?;
            let better = said.unwrap_or(metric.better);
            let metric = Metric {
                name,
                better,
                ..metric
            };
            (metric, scale)
        }
        None => (own_metric(unit, said)?, as_it_is()),
    };
    let nature = Nature::Summarized;
    Ok((Metric { nature, ..metric }, scale))
}

/// Returns whether a tool contradicts a metric. Those written for times say "smaller" of rates, too, which is wrong of
/// them; so only a time is held against what is said.
fn goes_against(said: Option<Better>, metric: &Metric) -> bool {
    metric.better == Better::Lower && said.is_some_and(|said| said != Better::Lower)
}

fn own_metric(unit: &str, said: Option<Better>) -> Result<Metric, String> {
    let text = |error: tripline_model::NameError| error.to_string();
    let symbol = if unit.is_empty() { NO_UNIT } else { unit };
    // A unit of signs alone, such as `%` or `€`, gives no name.
    let name = own::metric_name(unit)
        .or_else(|_| tripline_model::MetricName::new("value"))
        .map_err(text)?;
    Ok(Metric {
        name,
        unit: Unit::Other(UnitSymbol::new(symbol).map_err(text)?),
        better: said.unwrap_or(Better::Neither),
        nature: Nature::Summarized,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(unit: &str, said: Option<Better>) -> String {
        let (metric, scale) = metric_of(unit, said).unwrap();
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
            ("MB/s", smaller, "throughput 2000000 B/s Higher"),
            ("ms", Some(Better::Higher), "ms 2000000 ns Higher"),
            (
                "instructions",
                smaller,
                "own_instructions 2 instructions Lower",
            ),
            ("allocs/op", smaller, "allocs_per_op 2 allocs/op Lower"),
            ("Percent", None, "percent 2 Percent Neither"),
            ("%", smaller, "percent 2 % Lower"),
            ("", smaller, "value 2 ? Lower"),
        ] {
            assert_eq!(shown(unit, said), expected, "{unit}");
        }
        assert!(metric_of("\u{1b}[31m", None).is_err());
    }

    #[test]
    fn a_tool_says_which_direction_is_better() {
        assert_eq!(direction("pytest"), Some(Better::Higher));
        assert_eq!(direction("cargo"), Some(Better::Lower));
        assert_eq!(direction("abacus"), None);
    }
}
