//! OpenMetrics text, for whoever keeps measurements in Prometheus and its kin.
//!
//! Names and labels there have few characters, and a unit is the end of a name; times are seconds. So a metric's name is
//! made to fit, and what that takes from it stands in a label. Tested by `tests/render/export`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tripline_model::{BenchId, Metric, Run, Unit};

use crate::{Export, ExportError, Exporter, escape, export};

/// OpenMetrics 1.0.
pub(super) static EXPORTER: Exporter = Exporter {
    name: "openmetrics",
    about: "OpenMetrics text, which Prometheus and its kin read",
    export,
};

/// A second, in nanoseconds.
const SECOND: f64 = 1e9;

/// A family: its samples, in order.
type Families = BTreeMap<String, (&'static str, Vec<String>)>;

fn export(told: &Export<'_>) -> Result<String, ExportError> {
    export::is_new(told, "a page of metrics")?;
    let mut families = Families::new();
    for run in told.runs {
        for measurement in run.measurements() {
            for reading in measurement.readings() {
                let (family, unit, divisor) = family_of(&reading.metric);
                let labels = labels(run, measurement.bench(), &reading.metric);
                let value = reading.sample.median() / divisor;
                let seconds = run.measured_at.as_millisecond() as f64 / 1e3;
                let sample = format!("{family}{{{labels}}} {value} {seconds}\n");
                families
                    .entry(family)
                    .or_insert((unit, Vec::new()))
                    .1
                    .push(sample);
            }
        }
    }
    let mut out = String::new();
    for (family, (unit, samples)) in families {
        let _ = writeln!(out, "# TYPE {family} gauge");
        if !unit.is_empty() {
            let _ = writeln!(out, "# UNIT {family} {unit}");
        }
        out.extend(samples);
    }
    out.push_str("# EOF\n");
    Ok(out)
}

/// Returns the family of a metric, its unit there, and by what its values are divided.
fn family_of(metric: &Metric) -> (String, &'static str, f64) {
    let (unit, divisor) = match metric.unit {
        Unit::Nanosecond => ("seconds", SECOND),
        Unit::Byte => ("bytes", 1.0),
        Unit::BytePerSecond => ("bytes_per_second", 1.0),
        Unit::BitPerSecond => ("bits_per_second", 1.0),
        Unit::PerSecond => ("per_second", 1.0),
        Unit::Ratio => ("ratio", 1.0),
        Unit::Count | Unit::Other(_) => ("", 1.0),
    };
    let mut family = format!("tripline_{}", fitting(metric.name.as_str()));
    if !unit.is_empty() && !family.ends_with(&format!("_{unit}")) {
        let _ = write!(family, "_{unit}");
    }
    (family, unit, divisor)
}

/// Returns a text in letters, digits and low lines.
fn fitting(text: &str) -> String {
    let fit = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    text.chars().map(fit).collect()
}

fn labels(run: &Run, bench: &BenchId, metric: &Metric) -> String {
    let mut labels: BTreeMap<String, String> = BTreeMap::new();
    let mut state = |key: &str, value: &str| {
        // Two keys that fit the same label keep both values.
        let mut key = key.to_owned();
        while labels.contains_key(&key) {
            key.push('_');
        }
        labels.insert(key, value.to_owned());
    };
    state("suite", bench.suite.as_str());
    state("benchmark", bench.name.as_str());
    state("environment", run.environment.name.as_str());
    if let Some(revision) = &run.revision {
        state("commit", revision.commit.as_str());
    }
    if fitting(metric.name.as_str()) != metric.name.as_str() {
        state("metric", metric.name.as_str());
    }
    if let Unit::Other(unit) = &metric.unit {
        state("unit", unit.as_str());
    }
    for (key, value) in &bench.params {
        state(&format!("param_{}", fitting(key.as_str())), value.as_str());
    }
    let labels = labels.iter().map(|(key, value)| {
        let value = escape::visible(value);
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        format!("{key}=\"{value}\"")
    });
    labels.collect::<Vec<_>>().join(",")
}
