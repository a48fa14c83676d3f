//! What a measure of Bencher Metric Format means: its slug says the metric where the slug is known.
//!
//! Tested below.

use serde::Deserialize;
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

/// What a unit is called whose name nobody says.
const UNKNOWN_UNIT: &str = "units";

/// A value, and between which others it may lie.
#[derive(Deserialize)]
#[serde(expecting = "an object with a `value`")]
pub(super) struct Value<'t> {
    #[serde(borrow)]
    value: Number<'t>,
    #[serde(borrow)]
    lower_value: Option<Number<'t>>,
    #[serde(borrow)]
    upper_value: Option<Number<'t>>,
}

impl Value<'_> {
    /// Returns the value and its limits as readings of a measure.
    pub(super) fn readings(&self, measure: &str) -> Result<Vec<Reading>, String> {
        let (metric, scale) = metric_of(measure)?;
        let sample = Sample::new([self.value.in_scale(scale)]);
        let sample = sample.map_err(|error| error.to_string())?;
        let limits = [("lower", self.lower_value), ("upper", self.upper_value)];
        let limits = limits
            .into_iter()
            .filter_map(|(part, limit)| Some((part, limit?)));
        let limits: Result<Vec<Reading>, String> = limits
            // What lies so far below a value that it is below zero limits nothing more than zero does.
            .map(|(part, limit)| summary::part(&metric, part, limit.in_scale(scale).max(0.0)))
            .collect();
        let limits = limits?;
        let mut readings = vec![Reading { metric, sample }];
        readings.extend(limits);
        Ok(readings)
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
    fn a_lower_limit_below_zero_is_zero() {
        let text = r#"{"value": 5, "lower_value": -2.5, "upper_value": 12.5}"#;
        let value: Value<'_> = serde_json::from_str(text).unwrap();
        let readings = value.readings("latency").unwrap();
        let shown = readings.iter().map(|reading| {
            let name = reading.metric.name.as_str();
            (name, reading.sample.median())
        });
        let expected = [
            ("wall_time", 5.0),
            ("wall_time_lower", 0.0),
            ("wall_time_upper", 12.5),
        ];
        assert_eq!(shown.collect::<Vec<_>>(), expected);
    }
}
