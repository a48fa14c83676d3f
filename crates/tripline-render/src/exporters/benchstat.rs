//! The benchmark format of the Go project, which `benchstat` reads: a line for each value, so that it can do its
//! statistics.
//!
//! A unit means one thing to it, so metrics other than Go's own four are units of their own name. Tested by
//! `tests/render/export`, and by the adapter that reads the format.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tripline_model::{BenchId, Better, Metric, Nature, Reading, Run, Unit};

use crate::{Export, ExportError, Exporter, escape, export};

/// Go's benchmark format.
pub(super) static EXPORTER: Exporter = Exporter {
    name: "benchstat",
    about: "Go's benchmark format, which `benchstat` compares",
    export,
};

/// The metrics that are units of Go's own.
const UNITS: &[(&str, &str)] = &[
    ("wall_time", "ns/op"),
    ("allocations", "allocs/op"),
    ("allocated_bytes", "B/op"),
];

fn export(told: &Export<'_>) -> Result<String, ExportError> {
    export::is_new(told, "a list of results")?;
    let mut out = String::new();
    let metrics: BTreeMap<_, &Metric> = told
        .runs
        .iter()
        .flat_map(Run::metrics)
        .map(|metric| (&metric.name, metric))
        .collect();
    for metric in metrics.values() {
        out.push_str(&described(metric));
    }
    for run in told.runs {
        let commit = run.revision.as_ref();
        let commit = commit.map_or("", |revision| revision.commit.as_str());
        for (key, value) in [
            ("suite", run.suite.as_str()),
            ("environment", run.environment.name.as_str()),
            ("commit", commit),
        ] {
            if !value.is_empty() {
                let _ = writeln!(out, "{key}: {value}");
            }
        }
        for measurement in run.measurements() {
            let readings: Vec<&Reading> = measurement.readings().collect();
            out.push_str(&lines(measurement.bench(), &readings));
        }
    }
    Ok(out)
}

/// Says what is better of a unit that is not Go's own, and whether it varies.
fn described(metric: &Metric) -> String {
    let unit = unit_of(metric);
    if UNITS.iter().any(|(_, known)| *known == unit) {
        return String::new();
    }
    let better = match metric.better {
        Better::Lower => " better=lower",
        Better::Higher => " better=higher",
        Better::Neither => "",
    };
    let assume = match metric.nature {
        Nature::Exact => " assume=exact",
        Nature::Sampled | Nature::Summarized => "",
    };
    if better.is_empty() && assume.is_empty() {
        return String::new();
    }
    format!("Unit {unit}{better}{assume}\n")
}

fn unit_of(metric: &Metric) -> String {
    let known = UNITS.iter().find(|(name, _)| *name == metric.name.as_str());
    if let Some((_, unit)) = known {
        return (*unit).to_owned();
    }
    match metric.unit {
        // What is set before the unit's own sign lets readers scale it.
        Unit::Nanosecond => format!("{}-ns", metric.name),
        Unit::Byte => format!("{}-B", metric.name),
        Unit::BytePerSecond => format!("{}-B/s", metric.name),
        _ => metric.name.to_string(),
    }
}

/// Returns a line for each value, with the metrics that have so many.
fn lines(bench: &BenchId, readings: &[&Reading]) -> String {
    let name = name_of(bench);
    let most = readings.iter().map(|reading| reading.sample.values().len());
    let mut out = String::new();
    for index in 0..most.max().unwrap_or(0) {
        let iterations = readings
            .iter()
            .filter_map(|reading| reading.sample.iterations()?.get(index))
            .max();
        let _ = write!(out, "{name}\t{}", iterations.unwrap_or(&1));
        for reading in readings {
            if let Some(value) = reading.sample.values().get(index) {
                let _ = write!(out, "\t{value} {}", unit_of(&reading.metric));
            }
        }
        out.push('\n');
    }
    out
}

/// Returns a benchmark's name as Go writes one: a capital after `Benchmark`, params behind slashes, no blanks.
fn name_of(bench: &BenchId) -> String {
    let mut name = String::from("Benchmark");
    let mut chars = bench.name.as_str().chars();
    let first = chars.next().expect("a name is not empty");
    name.extend(first.to_uppercase());
    name.push_str(chars.as_str());
    // Whatever is still a small letter after that has no capital.
    if name["Benchmark".len()..].starts_with(char::is_lowercase) {
        name.insert("Benchmark".len(), '/');
    }
    for (key, value) in &bench.params {
        let _ = write!(name, "/{key}={value}");
    }
    escape::visible(&name).replace(char::is_whitespace, "_")
}
