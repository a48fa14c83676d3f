//! What a measure of Bencher Metric Format means: its slug says the metric where the slug is known.
//!
//! Tested below.

use tripline_model::{Better, KNOWN_METRICS, Metric, Nature, Reading, Sample, Unit, UnitSymbol};

use crate::json::Number;
use crate::quantity::{Scale, as_it_is, nanoseconds};
use crate::{own, summary};

/// Slugs that stand for a shared metric of another name.
const METRICS: &[(&str, &str)] = &[
    ("latency", "wall_time"),
    ("total-read-write", "total_accesses"),
    ("total-blocks", "allocations"),
    ("total-bytes", "allocated_bytes"),
    ("at-t-gmax-bytes", "heap_peak"),
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
            let unit = UnitSymbol::new(UNKNOWN_UNIT).map_err(|error| error.to_string())?;
            // Our exporter writes hyphens where a metric's name has something else.
            let name = if *measure == slug {
                slug.replace('-', "_")
            } else {
                measure.to_owned()
            };
            let metric = own::metric(&name, Unit::Other(unit));
            (metric.map_err(|error| error.to_string())?, as_it_is())
        }
    };
    let nature = match metric.nature {
        Nature::Exact => Nature::Exact,
        Nature::Sampled | Nature::Summarized => Nature::Summarized,
    };
    Ok((Metric { nature, ..metric }, scale))
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
