//! Units as people write them, as far as they say a time, a rate or a size: the metric that all harnesses share for it, or
//! for sizes all that people write, and how its numbers become such of that metric.
//!
//! Here `m` is no minute: who writes a list by hand may mean metres, or misses. Harnesses whose minutes are called so have
//! their own readers, which ask `quantity`; github-action-benchmark takes no time of one letter from any but of seconds.
//!
//! What becomes of another unit, and of one that goes against the direction of what it is written beside, is for the
//! readers of lists and histories to say. Tested below, and through them.

use tripline_model::{Metric, Unit};

use crate::own;
use crate::quantity::{Scale, bits, bytes, nanoseconds, per_second, things};

/// What one operation is called.
const OPERATIONS: &[&str] = &["op", "ops", "iter", "iters", "iteration", "iterations"];

/// What a unit says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Written<'u> {
    /// The metric whose unit it is, or a multiple of it.
    pub(crate) metric: Metric,
    /// How numbers become such of the metric's unit.
    pub(crate) scale: Scale,
    /// Of what there are so many in a time, or of which one takes so long, where the unit says so: `op` of `ns/op`.
    pub(crate) thing: Option<&'u str>,
}

impl Written<'_> {
    /// Returns whether others mean the same by its metric: of anything but an operation, only whoever wrote it knows
    /// whether it is what others call one.
    pub(crate) fn is_of_operations(&self) -> bool {
        let is_operation = |thing: &str| operations(thing).is_some();
        self.thing.is_none_or(is_operation)
    }
}

/// Returns what a unit says, if it is a time, a time for each of something, or a number of things or bytes in a time.
pub(crate) fn written(unit: &str) -> Option<Written<'_>> {
    let (what, per) = match unit.split_once('/') {
        Some((what, per)) => (what.trim(), Some(per.trim())),
        None => (unit.trim(), None),
    };
    match per.filter(|unit| is_of_time(unit)).and_then(per_second) {
        Some(scale) => rate(what, scale),
        None => Some(Written {
            scale: time(what)?,
            metric: Metric::known("wall_time")?,
            thing: per,
        }),
    }
}

/// Returns what a size says: whatever its unit, it is of one metric, of which the unit does not say what is better.
pub(crate) fn size(unit: &str) -> Option<(Metric, Scale)> {
    let metric = own::metric("bytes", Unit::Byte).ok()?;
    Some((metric, bytes(unit.trim())?))
}

/// Returns how a time becomes nanoseconds, if a unit says one.
pub(crate) fn time(unit: &str) -> Option<Scale> {
    nanoseconds(unit).filter(|_| is_of_time(unit))
}

/// Returns whether a unit that may be of time says so: of those of one letter only the second's does.
fn is_of_time(unit: &str) -> bool {
    unit.len() > 1 || unit == "s"
}

/// Returns the rate of bytes, or of things with a name: one letter may be a unit that nobody here knows.
fn rate(what: &str, per_second: Scale) -> Option<Written<'_>> {
    if let Some(bytes) = bytes(what) {
        return Some(Written {
            metric: own::throughput(Unit::BytePerSecond),
            scale: bytes.then(per_second),
            thing: None,
        });
    }
    if let Some(bits) = bits(what) {
        return Some(Written {
            metric: own::throughput(Unit::BitPerSecond),
            scale: bits.then(per_second),
            thing: None,
        });
    }
    let is_word = what.len() > 1 && what.chars().all(|c| c.is_ascii_alphabetic());
    let is_name = is_word && nanoseconds(what).is_none();
    is_name.then(|| Written {
        metric: own::item_throughput(),
        scale: operations(what).map_or(per_second, |many| many.then(per_second)),
        thing: Some(what),
    })
}

/// Returns how many operations one of these is, such as the `Kops` of `Kops/s`.
fn operations(what: &str) -> Option<Scale> {
    let is_one = |what: &str| OPERATIONS.iter().any(|one| one.eq_ignore_ascii_case(what));
    if is_one(what) {
        return things("");
    }
    let (prefix, rest) = what.split_at_checked(1)?;
    things(prefix).filter(|_| is_one(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_and_a_rate_are_told_apart() {
        for (unit, expected) in [
            ("ms", "wall_time 2500000 -"),
            ("s", "wall_time 2500000000 -"),
            ("min", "wall_time 150000000000 -"),
            ("ms/m", "wall_time 2500000 m"),
            ("ns/iter", "wall_time 2.5 iter"),
            ("us / frame", "wall_time 2500 frame"),
            ("ops/ms", "item_throughput 2500 ops"),
            ("req/sec", "item_throughput 2.5 req"),
            ("MB/s", "throughput 2500000 -"),
            ("kB/ms", "throughput 2500000 -"),
            ("MByte/s", "throughput 2500000 -"),
            ("Mbit/s", "bit_throughput 2500000 -"),
            ("Kops/s", "item_throughput 2500 Kops"),
            ("MOps/ms", "item_throughput 2500000000 MOps"),
        ] {
            let Written {
                metric,
                scale,
                thing,
            } = written(unit).unwrap();
            let value = scale.of_text("2.5").unwrap();
            let shown = format!("{} {value} {}", metric.name, thing.unwrap_or("-"));
            assert_eq!(shown, expected, "{unit}");
        }
    }

    #[test]
    fn an_operation_is_what_others_call_so() {
        for (unit, expected) in [
            ("ns/iter", true),
            ("Gops/s", true),
            ("MB/s", true),
            ("GFLOP/s", false),
            ("mm/s", false),
            ("mops/s", false),
        ] {
            let written = written(unit).unwrap();
            assert_eq!(written.is_of_operations(), expected, "{unit}");
        }
    }

    #[test]
    fn sizes_are_of_one_metric() {
        for (unit, expected) in [("B", 2.5), ("kB", 2500.0), (" MiB ", 2_621_440.0)] {
            let (metric, scale) = size(unit).unwrap();
            assert_eq!((metric.name.as_str(), metric.unit), ("bytes", Unit::Byte));
            assert_eq!(scale.of_text("2.5"), Some(expected), "{unit}");
        }
        assert_eq!(size("K").or(size("B/op")), None);
    }

    #[test]
    fn what_is_neither_is_not_guessed() {
        for unit in [
            "", "/", "/s", "KiB", "B/op", "1/s", "x/s", "s/s", "ms/s", "percent", "m", "h", "d",
            "m/op", "ops/m", "km/h", "MB/d",
        ] {
            assert_eq!(written(unit), None, "{unit}");
        }
    }
}
