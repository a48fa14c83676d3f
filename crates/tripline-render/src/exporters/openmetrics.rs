//! OpenMetrics text, for whoever keeps measurements in Prometheus and its kin.
//!
//! Names and labels there have few characters, and a unit is the end of a name; times are seconds. So a metric's name is
//! made to fit, and what that takes from it stands in a label. Tested by `tests/render/export`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use tripline_model::{BenchId, Metric, MetricName, Run, Unit};

use super::csv::params;
use crate::{Export, ExportError, Exported, Exporter, escape, export};

/// OpenMetrics 1.0.
pub(super) static EXPORTER: Exporter = Exporter {
    name: "openmetrics",
    about: "OpenMetrics text, which Prometheus and its kin read",
    hands_back: false,
    export,
};

/// A second, in nanoseconds.
const SECOND: f64 = 1e9;

/// A family: its unit, and the value of each sample, by its labels and the milliseconds it was taken at. That order keeps
/// together what has the same labels, and has it in the order of time; the form asks for both.
#[derive(Default)]
struct Family {
    unit: &'static str,
    samples: BTreeMap<(String, i64), f64>,
    /// How many samples were added with those labels at that time.
    counts: BTreeMap<(String, i64), u32>,
}

fn export<'a>(told: &Export<'a>) -> Result<Exported<'a>, ExportError> {
    export::is_new(told, "a page of metrics")?;
    let mut families: BTreeMap<String, Family> = BTreeMap::new();
    let names = names(told.runs);
    for run in told.runs {
        let taken_at = run.measured_at.as_millisecond();
        for measurement in run.measurements() {
            for reading in measurement.readings() {
                let (family, unit, divisor) = family_of(&reading.metric);
                let mut labels = labels(run, measurement.bench(), &reading.metric);
                let name = reading.metric.name.as_str();
                if names[&family].len() > 1 || fitting(name) != name {
                    labels.push(label("metric", name));
                }
                let labels = labels.join(",");
                let family = families.entry(family).or_default();
                // A metric without a unit may come to a family whose name ends in one.
                if !unit.is_empty() {
                    family.unit = unit;
                }
                family.add(labels, taken_at, reading.sample.median() / divisor);
            }
        }
    }
    let mut out = String::new();
    for (name, Family { unit, samples, .. }) in families {
        let _ = writeln!(out, "# TYPE {name} gauge");
        if !unit.is_empty() {
            let _ = writeln!(out, "# UNIT {name} {unit}");
        }
        for ((labels, taken_at), value) in samples {
            let seconds = taken_at as f64 / 1e3;
            let _ = writeln!(out, "{name}{{{labels}}} {value} {seconds}");
        }
    }
    out.push_str("# EOF\n");
    Ok(out.into())
}

/// Returns the metrics of each family: their names may differ in what does not fit there.
fn names(runs: &[Run]) -> BTreeMap<String, BTreeSet<&MetricName>> {
    let mut names: BTreeMap<String, BTreeSet<&MetricName>> = BTreeMap::new();
    for metric in runs.iter().flat_map(Run::metrics) {
        let (family, ..) = family_of(metric);
        names.entry(family).or_default().insert(&metric.name);
    }
    names
}

impl Family {
    /// Adds a sample. Where a commit was measured several times at one time, as in histories that were taken over, the
    /// later ones are numbered.
    fn add(&mut self, labels: String, taken_at: i64, value: f64) {
        let count = self.counts.entry((labels.clone(), taken_at)).or_default();
        *count += 1;
        let labels = match count {
            1 => labels,
            number => format!("{labels},run=\"{number}\""),
        };
        self.samples.insert((labels, taken_at), value);
    }
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

fn labels(run: &Run, bench: &BenchId, metric: &Metric) -> Vec<String> {
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
    if let Unit::Other(unit) = &metric.unit {
        state("unit", unit.as_str());
    }
    for (key, value) in &bench.params {
        state(&format!("param_{}", fitting(key.as_str())), value.as_str());
    }
    // Other keys may fit the same labels, so all params as they are tell these apart.
    if bench
        .params
        .keys()
        .any(|key| fitting(key.as_str()) != key.as_str())
    {
        labels.insert("params".to_owned(), params(&bench.params));
    }
    let labels = labels.iter();
    labels.map(|(key, value)| label(key, value)).collect()
}

fn label(key: &str, value: &str) -> String {
    let value = escape::visible_within(value);
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("{key}=\"{value}\"")
}
