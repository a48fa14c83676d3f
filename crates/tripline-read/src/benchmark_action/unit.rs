//! What a unit in a list that somebody wrote by hand means: a time, a rate, a size, or whatever it says.
//!
//! Tested below.

use tripline_model::{Better, Metric, Nature, Unit, UnitSymbol};

use crate::own;
use crate::place::shown;
use crate::quantity::{Scale, as_it_is};
use crate::units_written::{Written, size, written};

/// What a unit is where none is said, as in a history that is taken over.
const NO_UNIT: &str = "?";

/// The name of a metric of no unit.
const NO_UNIT_NAME: &str = "value";

/// A metric, and how its numbers become such of its unit.
pub(crate) struct Quantity {
    pub(crate) metric: Metric,
    pub(crate) scale: Scale,
}

/// Returns what a unit stands for in a list of which the direction is known.
pub(crate) fn quantity(unit: &str, better: Better) -> Result<Quantity, String> {
    let unit = unit.trim();
    let (metric, scale) = match written(unit).filter(Written::is_of_operations) {
        // A time that is better when it is larger is not what others call the time.
        Some(Written { metric, scale, .. }) if metric.better == better => (metric, scale),
        Some(Written { metric, scale, .. }) => (own_metric(unit, metric.unit)?, scale),
        None => match size(unit) {
            Some(size) => size,
            None if unit.is_empty() => {
                let unit = Unit::from_symbol(NO_UNIT).map_err(|error| error.to_string())?;
                (own_metric(NO_UNIT_NAME, unit)?, as_it_is())
            }
            None => {
                let symbol = UnitSymbol::new(unit).map_err(|error| error.to_string())?;
                let unit = Unit::from_symbol(symbol.as_str()).map_err(|error| error.to_string())?;
                (own_metric(symbol.as_str(), unit)?, as_it_is())
            }
        },
    };
    let metric = Metric {
        better,
        nature: Nature::Summarized,
        ..metric
    };
    Ok(Quantity { metric, scale })
}

fn own_metric(name: &str, unit: Unit) -> Result<Metric, String> {
    own::metric(name, unit).map_err(|error| {
        format!(
            "a metric cannot be named after the unit `{}`: {error}",
            shown(name)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_decides_the_metric() {
        for (unit, better, expected) in [
            ("ms", Better::Lower, "wall_time ns 2500000"),
            ("m", Better::Lower, "m m 2.5"),
            ("h", Better::Higher, "h h 2.5"),
            ("ns/iter", Better::Lower, "wall_time ns 2.5"),
            ("ops/sec", Better::Higher, "item_throughput 1/s 2.5"),
            ("ops/ms", Better::Higher, "item_throughput 1/s 2500"),
            ("MB/s", Better::Higher, "throughput B/s 2500000"),
            ("Kops/s", Better::Higher, "item_throughput 1/s 2500"),
            ("Mbit/s", Better::Higher, "bit_throughput bit/s 2500000"),
            ("KiB", Better::Lower, "bytes B 2560"),
            ("Percent", Better::Lower, "percent Percent 2.5"),
            ("%", Better::Higher, "percent % 2.5"),
            ("count", Better::Lower, "count count 2.5"),
            ("ms", Better::Higher, "ms ns 2500000"),
            ("req/sec", Better::Higher, "req_per_sec req/sec 2.5"),
            ("", Better::Higher, "value ? 2.5"),
            (" ", Better::Lower, "value ? 2.5"),
        ] {
            let Quantity { metric, scale } = quantity(unit, better).unwrap();
            assert_eq!((metric.better, metric.nature), (better, Nature::Summarized));
            let value = scale.of_text("2.5").unwrap();
            let shown = format!("{} {} {value}", metric.name, metric.unit.symbol());
            assert_eq!(shown, expected, "{unit}");
        }
    }
}
