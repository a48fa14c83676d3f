//! What a measure of Bencher Metric Format means: its slug says the metric where the slug is known.
//!
//! Tested below.

use tripline_model::{Better, KNOWN_METRICS, Metric, Nature, Reading, Sample, Unit, UnitSymbol};

use crate::json::Number;
use crate::quantity::{Scale, as_it_is, nanoseconds};
use crate::valgrind::{CALLGRIND, Count, reading_of};
use crate::{own, summary};

/// Slugs that stand for a shared metric of another name.
const METRICS: &[(&str, &str)] = &[
    ("latency", "wall_time"),
    ("total-read-write", "total_accesses"),
    ("total-blocks", "allocations"),
    ("total-bytes", "allocated_bytes"),
    ("at-t-gmax-bytes", "heap_peak"),
    ("allocated", "allocated_bytes"),
    ("l1-accesses", "l1_hits"),
    ("l2-accesses", "ll_hits"),
    ("l2-hits", "ll_hits"),
    ("ram-accesses", "ram_hits"),
];

const DHAT: &str = "DHAT";
const MEMCHECK: &str = "Memcheck";
const HELGRIND: &str = "Helgrind";
const DRD: &str = "DRD";

/// Slugs that Bencher has for what valgrind's tools count (`built_in.rs` in `bencher_json`), by the tools and their words.
const COUNTED: &[(&str, &str, &str)] = &[
    ("global-bus-events", CALLGRIND, "Ge"),
    ("dr", CALLGRIND, "Dr"),
    ("dw", CALLGRIND, "Dw"),
    ("i1mr", CALLGRIND, "I1mr"),
    ("d1mr", CALLGRIND, "D1mr"),
    ("d1mw", CALLGRIND, "D1mw"),
    ("ilmr", CALLGRIND, "ILmr"),
    ("dlmr", CALLGRIND, "DLmr"),
    ("dlmw", CALLGRIND, "DLmw"),
    ("sys-count", CALLGRIND, "SysCount"),
    ("bc", CALLGRIND, "Bc"),
    ("bcm", CALLGRIND, "Bcm"),
    ("bi", CALLGRIND, "Bi"),
    ("bim", CALLGRIND, "Bim"),
    ("ildmr", CALLGRIND, "ILdmr"),
    ("dldmr", CALLGRIND, "DLdmr"),
    ("dldmw", CALLGRIND, "DLdmw"),
    ("accost1", CALLGRIND, "AcCost1"),
    ("accost2", CALLGRIND, "AcCost2"),
    ("sploss1", CALLGRIND, "SpLoss1"),
    ("sploss2", CALLGRIND, "SpLoss2"),
    ("at-t-gmax-blocks", DHAT, "AtTGmaxBlocks"),
    ("at-t-end-bytes", DHAT, "AtTEndBytes"),
    ("at-t-end-blocks", DHAT, "AtTEndBlocks"),
    ("reads-bytes", DHAT, "ReadsBytes"),
    ("writes-bytes", DHAT, "WritesBytes"),
    ("memcheck-errors", MEMCHECK, "Errors"),
    ("memcheck-contexts", MEMCHECK, "Contexts"),
    ("memcheck-suppressed-errors", MEMCHECK, "SuppressedErrors"),
    (
        "memcheck-suppressed-contexts",
        MEMCHECK,
        "SuppressedContexts",
    ),
    ("helgrind-errors", HELGRIND, "Errors"),
    ("helgrind-contexts", HELGRIND, "Contexts"),
    ("helgrind-suppressed-errors", HELGRIND, "SuppressedErrors"),
    (
        "helgrind-suppressed-contexts",
        HELGRIND,
        "SuppressedContexts",
    ),
    ("drd-errors", DRD, "Errors"),
    ("drd-contexts", DRD, "Contexts"),
    ("drd-suppressed-errors", DRD, "SuppressedErrors"),
    ("drd-suppressed-contexts", DRD, "SuppressedContexts"),
];

/// The unit of percents, which stay what they are: what is exported as one of these measures is read there in percent.
const PERCENT: &str = "%";

/// Slugs of whose measures Bencher knows the unit and nobody which direction is better, with what the metric is called and
/// the unit. Not among them is `sys-time`, which may be in any of three.
const OF_UNITS: &[(&str, &str, &str)] = &[
    ("gen0-collects", "gen0_collections", "count"),
    ("gen1-collects", "gen1_collections", "count"),
    ("gen2-collects", "gen2_collections", "count"),
    ("sys-cpu-time", "sys_cpu_time", "ns"),
    ("noise-score", "noise_score", "dB"),
    ("compute-jitter", "compute_jitter", PERCENT),
    ("cache-jitter", "cache_jitter", PERCENT),
    ("io-jitter", "io_jitter", PERCENT),
    // The name that Bencher knows this one by as well.
    ("i-o-jitter", "io_jitter", PERCENT),
    ("cpu-steal", "cpu_steal", PERCENT),
    ("i1-miss-rate", "i1_miss_rate", PERCENT),
    ("lli-miss-rate", "lli_miss_rate", PERCENT),
    ("d1-miss-rate", "d1_miss_rate", PERCENT),
    ("lld-miss-rate", "lld_miss_rate", PERCENT),
    ("ll-miss-rate", "ll_miss_rate", PERCENT),
    ("l1-hit-rate", "l1_hit_rate", PERCENT),
    ("ll-hit-rate", "ll_hit_rate", PERCENT),
    ("ram-hit-rate", "ram_hit_rate", PERCENT),
];

/// What the number is called that a measure is about.
const VALUE: &str = "value";

/// What a unit is called whose name nobody says.
const UNKNOWN_UNIT: &str = "units";

/// What the numbers of a measure mean.
pub(super) struct Measure {
    metric: Metric,
    scale: Scale,
}

impl Measure {
    pub(super) fn of(measure: &str) -> Result<Self, String> {
        let (metric, scale) = metric_of(measure)?;
        Ok(Self { metric, scale })
    }

    /// Returns a number of the measure as a reading: its value, a limit between which that may lie, or whatever else has a
    /// name, such as a percentile.
    pub(super) fn reading(&self, name: &str, number: Number<'_>) -> Result<Reading, String> {
        let number = number.in_scale(self.scale);
        let part = |part: &str, number| summary::part(&self.metric, part, number);
        // What lies so far below a value that it is below zero limits nothing more than zero does.
        match name {
            VALUE => Ok(Reading {
                metric: self.metric.clone(),
                sample: Sample::new([number]).map_err(|error| error.to_string())?,
            }),
            "lower_value" => part("lower", number.max(0.0)),
            "upper_value" => part("upper", number.max(0.0)),
            name => part(&slug(name).replace('-', "_"), number),
        }
    }
}

/// Returns the metric of a measure. Its value stands for others, unless it is a count that is the same each time.
fn metric_of(measure: &str) -> Result<(Metric, Scale), String> {
    let slug = slug(measure);
    let renamed = METRICS.iter().find(|(known, _)| *known == slug);
    let same = || {
        let found = KNOWN_METRICS
            .iter()
            .find(|row| self::slug(row.name) == slug);
        found.map(|row| row.name)
    };
    let known = renamed
        .map(|(_, name)| *name)
        .or_else(same)
        .and_then(Metric::known);
    let second = nanoseconds("s").ok_or("there is no second")?;
    let named =
        |unit| own::metric(&slug.replace('-', "_"), unit).map_err(|error| error.to_string());
    let (metric, scale) = match (known, &*slug) {
        (Some(metric), _) => (metric, as_it_is()),
        (None, "throughput") => (own::throughput(Unit::PerSecond), as_it_is()),
        // Our exporter's own: what is known by the shorter name is of operations.
        (None, "byte-throughput") => (own::throughput(Unit::BytePerSecond), as_it_is()),
        (None, "build-time") => (
            Metric {
                better: Better::Lower,
                ..named(Unit::Nanosecond)?
            },
            second,
        ),
        (None, "file-size") => (
            Metric {
                better: Better::Lower,
                ..named(Unit::Byte)?
            },
            as_it_is(),
        ),
        (None, _) => {
            let metric = built_in(&slug).unwrap_or_else(|| own_metric(measure, &slug));
            (metric?, as_it_is())
        }
    };
    let nature = match metric.nature {
        Nature::Exact => Nature::Exact,
        Nature::Sampled | Nature::Summarized => Nature::Summarized,
    };
    Ok((Metric { nature, ..metric }, scale))
}

/// Returns the metric of a measure that Bencher knows.
fn built_in(slug: &str) -> Option<Result<Metric, String>> {
    let counted = COUNTED.iter().find(|(known, ..)| *known == slug);
    if let Some((_, tool, name)) = counted {
        return Some(reading_of(tool, name, Count::Whole(0)).map(|reading| reading.metric));
    }
    let (_, name, unit) = OF_UNITS.iter().find(|(known, ..)| *known == slug)?;
    let metric = Unit::from_symbol(unit).and_then(|unit| own::metric(name, unit));
    Some(metric.map_err(|error| error.to_string()))
}

/// Returns the metric of a measure of somebody's own.
fn own_metric(measure: &str, slug: &str) -> Result<Metric, String> {
    let unit = UnitSymbol::new(UNKNOWN_UNIT).map_err(|error| error.to_string())?;
    // Our exporter writes hyphens where a metric's name has something else.
    let name = match measure == slug {
        true => slug.replace('-', "_"),
        false => measure.to_owned(),
    };
    own::metric(&name, Unit::Other(unit)).map_err(|error| error.to_string())
}

/// Returns a text in lower-case letters, digits and single hyphens between them.
fn slug(text: &str) -> String {
    let words = text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    words.collect::<Vec<&str>>().join("-").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_is_a_metric_where_it_is_known() {
        for (measure, expected) in [
            ("latency", "wall_time ns Lower Summarized"),
            ("Latency", "wall_time ns Lower Summarized"),
            ("throughput", "item_throughput 1/s Higher Summarized"),
            ("byte-throughput", "throughput B/s Higher Summarized"),
            ("total-bytes", "allocated_bytes B Lower Exact"),
            ("total-blocks", "allocations count Lower Exact"),
            ("at-t-gmax-bytes", "heap_peak B Lower Exact"),
            ("instructions", "instructions count Lower Exact"),
            ("estimated-cycles", "estimated_cycles count Lower Exact"),
            ("total-read-write", "total_accesses count Neither Exact"),
            ("build-time", "build_time ns Lower Summarized"),
            ("file-size", "file_size B Lower Summarized"),
            ("Hit Rate", "hit_rate units Neither Summarized"),
            ("allocated", "allocated_bytes B Lower Exact"),
            ("l2-hits", "ll_hits count Neither Exact"),
            ("ram-accesses", "ram_hits count Lower Exact"),
            ("dr", "data_reads count Lower Exact"),
            ("ildmr", "i_ldmr count Neither Exact"),
            ("at-t-gmax-blocks", "at_t_gmax_blocks count Neither Exact"),
            ("Reads bytes", "reads_bytes B Neither Exact"),
            (
                "memcheck-suppressed-errors",
                "memcheck_suppressed_errors count Neither Exact",
            ),
            ("gen0-collects", "gen0_collections count Neither Summarized"),
            ("sys-cpu-time", "sys_cpu_time ns Neither Summarized"),
            ("sys-time", "sys_time units Neither Summarized"),
            ("I/O Jitter", "io_jitter % Neither Summarized"),
            ("RAM Hit Rate", "ram_hit_rate % Neither Summarized"),
            ("noise-score", "noise_score dB Neither Summarized"),
        ] {
            let (metric, _) = metric_of(measure).unwrap();
            let shown = format!(
                "{} {} {:?} {:?}",
                metric.name,
                metric.unit.symbol(),
                metric.better,
                metric.nature
            );
            assert_eq!(shown, expected, "{measure}");
        }
        assert!(metric_of("€").is_err());
    }

    #[test]
    fn every_slug_that_is_known_stands_for_a_metric() {
        let renamed = METRICS.iter().map(|row| row.0);
        let counted = COUNTED.iter().map(|row| row.0);
        let slugs: Vec<&str> = renamed
            .chain(counted)
            .chain(OF_UNITS.iter().map(|row| row.0))
            .collect();
        for slug in &slugs {
            let (metric, _) = metric_of(slug).unwrap();
            assert_ne!(metric.unit.symbol(), UNKNOWN_UNIT, "{slug}");
            assert_eq!(slugs.iter().filter(|other| *other == slug).count(), 1);
        }
    }

    #[test]
    fn every_number_of_a_measure_has_a_name() {
        let measure = Measure::of("latency").unwrap();
        for (name, number, expected) in [
            ("value", "5", "wall_time 5 Lower"),
            // A lower limit below zero is zero.
            ("lower_value", "-2.5", "wall_time_lower 0 Neither"),
            ("upper_value", "12.5", "wall_time_upper 12.5 Neither"),
            ("p99.9", "12.5", "wall_time_p99_9 12.5 Neither"),
            ("high_value", "3", "wall_time_high_value 3 Neither"),
        ] {
            let number: Number<'_> = serde_json::from_str(number).unwrap();
            let reading = measure.reading(name, number).unwrap();
            let Metric { name, better, .. } = &reading.metric;
            let shown = format!("{name} {} {better:?}", reading.sample.median());
            assert_eq!(shown, expected);
        }
    }
}
