//! The benchmark format of the Go project, which `benchstat` reads: a line for each value, so that it can do its
//! statistics.
//!
//! A unit means one thing to it, so metrics other than Go's own three are units of their own name. Tested by
//! `tests/render/export`, and by the adapter that reads the format.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use tripline_model::{BenchId, Better, Metric, Nature, Reading, Run, SuiteName, Unit};

use super::bmf::digest;
use crate::{Export, ExportError, Exported, Exporter, escape, export};

/// Go's benchmark format.
pub(super) static EXPORTER: Exporter = Exporter {
    name: "benchstat",
    about: "Go's benchmark format, which `benchstat` compares",
    hands_back: false,
    export,
};

/// The metrics that are units of Go's own: name, unit here, unit there.
const UNITS: &[(&str, Unit, &str)] = &[
    ("wall_time", Unit::Nanosecond, "ns/op"),
    ("allocations", Unit::Count, "allocs/op"),
    ("allocated_bytes", Unit::Byte, "B/op"),
];

fn export<'a>(told: &Export<'a>) -> Result<Exported<'a>, ExportError> {
    export::is_new(told, "a list of results")?;
    let mut out = described(told.runs);
    let is_series = is_series(told.runs);
    let mut known: BTreeMap<(&SuiteName, String), &BenchId> = BTreeMap::new();
    for run in told.runs {
        let commit = run.revision.as_ref();
        let commit = commit.map_or("", |revision| revision.commit.as_str());
        let _ = writeln!(out, "suite: {}", run.suite);
        let _ = writeln!(out, "environment: {}", run.environment.name);
        let _ = match (is_series, commit) {
            (false, "") => Ok(()),
            (false, commit) => writeln!(out, "# commit {commit}"),
            // A key without a value takes back what was said of the run before.
            (true, "") => writeln!(out, "commit:"),
            (true, commit) => writeln!(out, "commit: {commit}"),
        };
        for measurement in run.measurements() {
            let bench = measurement.bench();
            let name = name_of(bench);
            let readings: Vec<&Reading> = measurement.readings().collect();
            out.push_str(&lines(&name, &readings));
            let other = known.insert((&bench.suite, name.clone()), bench);
            if let Some(other) = other.filter(|other| *other != bench) {
                let both = [other, bench].map(BenchId::to_string);
                let both = both.each_ref().map(String::as_str);
                return Err(ExportError::alike(EXPORTER.name, &name, both));
            }
        }
    }
    Ok(out.into())
}

/// Returns whether a suite was measured more than once in an environment.
///
/// Then the commit is a key, by which `-col commit` tells the runs apart. Otherwise it must be none: what differs in a key
/// stands in tables of its own (`-table .config`), and the files of two commits would not be compared at all.
fn is_series(runs: &[Run]) -> bool {
    let mut seen = BTreeSet::new();
    let mut places = runs.iter().map(|run| (&run.suite, &run.environment.name));
    !places.all(|place| seen.insert(place))
}

/// Says what is better of each unit, and whether it varies. Of a unit that means several things nothing is said.
fn described(runs: &[Run]) -> String {
    let mut units: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for metric in runs.iter().flat_map(Run::metrics) {
        let unit = unit_of(metric);
        let meaning = meaning(metric, &unit);
        units.entry(unit).or_default().insert(meaning);
    }
    let lines = units.into_iter().filter_map(|(unit, meanings)| {
        let mut meanings = meanings.into_iter();
        match (meanings.next(), meanings.next()) {
            (Some(meaning), None) if !meaning.is_empty() => Some(format!("Unit {unit}{meaning}\n")),
            _ => None,
        }
    });
    lines.collect()
}

fn meaning(metric: &Metric, unit: &str) -> String {
    let is_known = UNITS.iter().any(|(_, _, known)| *known == unit);
    let better = match metric.better {
        // Readers know it of Go's own units.
        Better::Lower if is_known => "",
        Better::Lower => " better=lower",
        Better::Higher => " better=higher",
        Better::Neither => "",
    };
    let assume = match metric.nature {
        Nature::Exact => " assume=exact",
        Nature::Sampled | Nature::Summarized => "",
    };
    format!("{better}{assume}")
}

fn unit_of(metric: &Metric) -> String {
    let is_known = |(name, unit, _): &&(&str, Unit, &str)| {
        *name == metric.name.as_str() && *unit == metric.unit
    };
    if let Some((_, _, unit)) = UNITS.iter().find(is_known) {
        return (*unit).to_owned();
    }
    // Readers scale by each part of a unit that they know (`tidyUnitUncached` of benchunit), so a name must hold none.
    let parts = metric.name.as_str().split('-');
    let parts = parts.map(|part| if part == "ns" { "nanoseconds" } else { part });
    let name = parts.collect::<Vec<_>>().join("-");
    match metric.unit {
        // What is set before the unit's own sign lets readers scale it.
        Unit::Nanosecond => format!("{name}-ns"),
        Unit::Byte => format!("{name}-B"),
        Unit::BytePerSecond => format!("{name}-B/s"),
        _ => name,
    }
}

/// Returns the unit to which readers scale one of ours. Of all that they know, only nanoseconds are not in it already.
fn scaled(unit: String) -> String {
    match unit.strip_suffix("-ns") {
        Some(name) => format!("{name}-sec"),
        None if unit == "ns/op" => "sec/op".to_owned(),
        None => unit,
    }
}

/// Returns a line for each value, with the metrics that have so many.
fn lines(name: &str, readings: &[&Reading]) -> String {
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
                let unit = unit_of(&reading.metric);
                // Readers take a value that they need not scale for one that is in their own unit, as a zero is.
                let unit = if *value == 0.0 { scaled(unit) } else { unit };
                let _ = write!(out, "\t{value} {unit}");
            }
        }
        out.push('\n');
    }
    out
}

/// Returns a benchmark's name as Go writes one, with a digest where another could come to the same. Whether it has one does
/// not depend on the others of a file: the files of two commits are compared by name.
fn name_of(bench: &BenchId) -> String {
    let mut name = written(bench.name.as_str());
    if let Some(digest) = digest_of(bench) {
        // Before the params: a value that ends in something else would be another value.
        let _ = write!(name, "#{digest:016x}");
    }
    for (key, value) in &bench.params {
        let _ = write!(name, "/{key}={value}");
    }
    escape::visible(&name).replace(char::is_whitespace, "_")
}

/// Returns the digest of what cannot be told from a benchmark's name as it is written. Params that can are not in it, so
/// that benchmarks that differ in them alone have one name and are compared by them.
fn digest_of(bench: &BenchId) -> Option<u64> {
    let mut told = bench.clone();
    told.params.retain(|key, value| {
        !is_kept(key.as_str(), &['=', '#', '/']) || !is_kept(value.as_str(), &['=', '#'])
    });
    if told.params.is_empty() && is_own(bench.name.as_str()) {
        return None;
    }
    Some(digest(&told.to_string()))
}

fn is_kept(text: &str, signs: &[char]) -> bool {
    !text.contains(signs) && !text.contains(char::is_whitespace) && escape::visible(text) == text
}

/// Returns whether a name can be told from how it is written.
fn is_own(name: &str) -> bool {
    (is_first_kept(name) || is_of_go(name)) && is_kept(name, &['=', '#'])
}

/// Returns whether the first sign of a name can be told from its capital. Of two names that differ in nothing else it can
/// of one: of that in capitals where the next is one, such as `BM_Sort`, and of that in small letters everywhere else.
fn is_first_kept(name: &str) -> bool {
    let mut chars = name.chars();
    let first = chars.next().expect("a name is not empty");
    let capital = first.to_uppercase();
    let is_first_meant = match chars.next().is_some_and(char::is_uppercase) {
        true => capital.eq([first]),
        // What was a capital already would be one with its small letter.
        false => capital.flat_map(char::to_lowercase).eq([first]),
    };
    // A slash stands before what has no capital.
    is_first_meant && first != '/'
}

/// Returns whether a name is one that Go would take for a benchmark: no small letter may follow.
fn is_of_go(name: &str) -> bool {
    let rest = name.strip_prefix("Benchmark");
    rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with(char::is_lowercase))
}

/// Returns a name as it is if Go gave it, or else with a capital after `Benchmark`.
fn written(own: &str) -> String {
    if is_of_go(own) {
        return own.to_owned();
    }
    let mut chars = own.chars();
    let first = chars.next().expect("a name is not empty");
    let mut name = "Benchmark".to_owned();
    name.extend(first.to_uppercase());
    name.push_str(chars.as_str());
    // Whatever is still a small letter after that has no capital.
    if name["Benchmark".len()..].starts_with(char::is_lowercase) {
        name.insert("Benchmark".len(), '/');
    }
    name
}
