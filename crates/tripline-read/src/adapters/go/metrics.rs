//! What the units mean: the four of the testing package, and those that benchmarks report themselves.
//!
//! A unit that a benchmark made up becomes a metric of its own name. Its numbers are converted only where Go's benchmark
//! format says what `ns`, `B` and `MB` are; which direction of it is better is known only where the output says so, by a
//! line such as `Unit hit% better=higher`. Tested below.

use std::borrow::Cow;
use std::collections::BTreeMap;

use tripline_model::{Better, Metric, Nature, Unit, UnitSymbol};

use crate::own;

/// What an output says of a unit.
pub(super) type Properties<'t> = BTreeMap<&'t str, &'t str>;

/// How many zeros a megabyte of the testing package has.
const MEGA: u32 = 6;

/// The rate of the testing package, and the same without its zeros.
pub(super) const MEGABYTES: &str = "MB/s";
pub(super) const BYTES: &str = "B/s";

/// By how many digits a second is moved to be nanoseconds.
const SECOND: u32 = 9;

/// Returns the unit that stands for all that Go's benchmark format takes for one, and by how many digits numbers are moved to
/// what that is kept in: seconds are nanoseconds, and bytes per second are megabytes. Those who write a benchmark may write a
/// zero in the one and all else in the other.
pub(super) fn in_one_unit(unit: &str) -> (Cow<'_, str>, u32) {
    match unit {
        MEGABYTES => return (Cow::Borrowed(MEGABYTES), MEGA),
        BYTES => return (Cow::Borrowed(MEGABYTES), 0),
        _ => {}
    }
    let (quantity, per) = match unit.strip_suffix("/op") {
        Some(quantity) => (quantity, "/op"),
        None => (unit, ""),
    };
    let which = quantity.strip_suffix("sec");
    match which.filter(|which| which.is_empty() || which.ends_with('-')) {
        Some(which) => (Cow::Owned(format!("{which}ns{per}")), SECOND),
        None => (Cow::Borrowed(unit), 0),
    }
}

/// Returns the metric of a unit, and by how many digits its numbers are moved.
pub(super) fn metric_of(
    unit: &str,
    properties: Option<&Properties<'_>>,
) -> Result<(Metric, u32), String> {
    let known = |name| Metric::known(name).expect("the metric is in the table");
    Ok(match unit {
        "ns/op" => (known("wall_time"), 0),
        "allocs/op" => (known("allocations"), 0),
        "B/op" => (known("allocated_bytes"), 0),
        MEGABYTES => (own::throughput(Unit::BytePerSecond), 0),
        _ => own_metric(unit, properties).map_err(|error| error.to_string())?,
    })
}

fn own_metric(
    unit: &str,
    properties: Option<&Properties<'_>>,
) -> Result<(Metric, u32), tripline_model::NameError> {
    let (base, digits) = base_unit(unit)?;
    let property = |key| properties.and_then(|known| known.get(key).copied());
    let metric = Metric {
        better: match property("better") {
            Some("lower") => Better::Lower,
            Some("higher") => Better::Higher,
            _ => Better::Neither,
        },
        nature: match property("assume") {
            Some("exact") => Nature::Exact,
            _ => Nature::Sampled,
        },
        ..own::metric(unit, base)?
    };
    Ok((metric, digits))
}

/// Returns the unit that numbers are kept in. Any other than these is shown as it is.
fn base_unit(unit: &str) -> Result<(Unit, u32), tripline_model::NameError> {
    let (quantity, per) = match unit.split_once('/') {
        Some((quantity, per)) => (quantity, Some(per)),
        None => (unit, None),
    };
    // What stands before the last hyphen says which time or size it is, as in `p99-ns`.
    let quantity = quantity.rsplit('-').next().unwrap_or_default();
    Ok(match (quantity, per) {
        ("ns", None | Some("op")) => (Unit::Nanosecond, 0),
        ("B", None | Some("op")) => (Unit::Byte, 0),
        ("MB", None | Some("op")) => (Unit::Byte, MEGA),
        ("B", Some("s")) => (Unit::BytePerSecond, 0),
        ("MB", Some("s")) => (Unit::BytePerSecond, MEGA),
        _ => (Unit::Other(UnitSymbol::new(unit)?), 0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(unit: &str, properties: &[(&'static str, &'static str)]) -> String {
        let properties = properties.iter().copied().collect();
        match metric_of(unit, Some(&properties)) {
            Ok((metric, digits)) => format!(
                "{} {} {:?} {:?} e{digits}",
                metric.name,
                metric.unit.symbol(),
                metric.better,
                metric.nature
            ),
            Err(error) => error,
        }
    }

    #[test]
    fn units_of_the_testing_package_are_metrics_of_the_table() {
        assert_eq!(shown("ns/op", &[]), "wall_time ns Lower Sampled e0");
        assert_eq!(shown("B/op", &[]), "allocated_bytes B Lower Exact e0");
        assert_eq!(shown("allocs/op", &[]), "allocations count Lower Exact e0");
        assert_eq!(shown("MB/s", &[]), "throughput B/s Higher Sampled e0");
    }

    #[test]
    fn other_units_are_metrics_of_their_own() {
        for (unit, expected) in [
            ("p99-ns", "p99-ns ns Neither Sampled e0"),
            ("p99-ns/op", "p99-ns_per_op ns Neither Sampled e0"),
            ("heap-MB", "heap-mb B Neither Sampled e6"),
            ("read-MB/s", "read-mb_per_s B/s Neither Sampled e6"),
            ("ns/key", "ns_per_key ns/key Neither Sampled e0"),
            ("ms/op", "ms_per_op ms/op Neither Sampled e0"),
            ("Mkeys/s", "mkeys_per_s Mkeys/s Neither Sampled e0"),
            ("hit%", "hit_percent hit% Neither Sampled e0"),
            ("%hit", "percenthit %hit Neither Sampled e0"),
            ("größe", "gr__e größe Neither Sampled e0"),
            (
                "instructions",
                "own_instructions instructions Neither Sampled e0",
            ),
            ("throughput", "own_throughput throughput Neither Sampled e0"),
            ("€", "the metric name is empty"),
        ] {
            assert_eq!(shown(unit, &[]), expected, "{unit}");
        }
    }

    #[test]
    fn what_gos_format_takes_for_one_unit_is_one() {
        for (unit, expected, moved) in [
            ("sec/op", "ns/op", 9),
            ("sec", "ns", 9),
            ("p99-sec", "p99-ns", 9),
            ("p99-sec/op", "p99-ns/op", 9),
            ("MB/s", "MB/s", 6),
            ("B/s", "MB/s", 0),
        ] {
            let (unit, digits) = in_one_unit(unit);
            assert_eq!((&*unit, digits), (expected, moved));
        }
        for unit in ["ns/op", "msec/op", "B/sec", "sec/key", "sec-B", "read-B/s"] {
            assert_eq!(in_one_unit(unit), (Cow::Borrowed(unit), 0));
        }
    }

    #[test]
    fn what_the_output_says_of_a_unit_is_taken() {
        assert_eq!(
            shown("hit%", &[("better", "higher")]),
            "hit_percent hit% Higher Sampled e0"
        );
        assert_eq!(
            shown("probes/op", &[("better", "lower"), ("assume", "exact")]),
            "probes_per_op probes/op Lower Exact e0"
        );
    }
}
