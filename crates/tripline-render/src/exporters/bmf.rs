//! Bencher Metric Format: benchmarks by name, each with its measures and their values.
//!
//! Who reads it knows a benchmark by its key, but takes a key for a slug where it looks like one, and makes a slug of
//! every name. So a key always has a slash, and where two have one slug, a digest of its own tells each apart: it stays the
//! same however many there are. A slug is ASCII, into which other scripts are transcribed by tables of their own
//! (`slug::slugify` in `bencher_valid`); so a name in one of them always has its digest. It has at most 64 bytes there
//! (`Slug::MAX_LEN`); of two that begin with the same ones, the second gets a suffix by chance, which keeps them apart and
//! which nobody can say beforehand. A measure that is known there has its unit there (`built_in.rs` in `bencher_json`), so
//! only a metric in that unit is put under it. Tested by `tests/render/export`, and with the reader of the form by
//! `crates/tripline/tests/it/publish`.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use tripline_model::{KNOWN_METRICS, Measurement, Metric, Reading, Run};

use crate::middle::{Middle, is_told_with_another};
use crate::{Export, ExportError, Exported, Exporter, escape, export};

/// The longest key of a benchmark.
const KEY_BYTES_MAX: usize = 1_024;

/// The longest key of a measure.
const MEASURE_BYTES_MAX: usize = 64;

/// What a digest adds to a key.
const DIGEST_BYTES: usize = 17;

/// Metrics that have a measure there, by their names and units, and how many of a metric's unit are one of the measure's.
/// The measure of bytes per second is our own, because the known one is of operations.
const MEASURES: &[(&str, &str, &str, f64)] = &[
    ("allocated_bytes", "B", "total-bytes", 1.0),
    ("allocations", "count", "total-blocks", 1.0),
    ("build_time", "ns", "build-time", 1e9),
    ("file_size", "B", "file-size", 1.0),
    ("heap_peak", "B", "at-t-gmax-bytes", 1.0),
    ("item_throughput", "1/s", "throughput", 1.0),
    ("throughput", "B/s", "byte-throughput", 1.0),
    ("total_accesses", "count", "total-read-write", 1.0),
    ("wall_time", "ns", "latency", 1.0),
];

/// Endings by which a benchmark asks not to be looked at.
const IGNORED: &[&str] = &["-bencher-ignore", "_bencher_ignore", "BencherIgnore"];

/// Bencher Metric Format.
pub(super) static EXPORTER: Exporter = Exporter {
    name: "bmf",
    about: "Bencher Metric Format, which `bencher run` reads",
    hands_back: false,
    export,
};

fn export<'a>(told: &Export<'a>) -> Result<Exported<'a>, ExportError> {
    export::is_new(told, EXPORTER.name)?;
    export::is_once(told, EXPORTER.name)?;
    let runs = told.runs;
    let measurements: Vec<&Measurement> = runs.iter().flat_map(Run::measurements).collect();
    let names = measurements.iter().map(|m| m.bench().to_string());
    let names = names.map(|name| (name.clone(), name)).collect();
    let metrics = runs.iter().flat_map(Run::metrics);
    let measures = measures(metrics)?;
    let mut all = Map::new();
    for (key, measurement) in apart(names, KEY_BYTES_MAX, '#')?
        .into_iter()
        .zip(measurements)
    {
        let mut values = Map::new();
        for reading in measurement.readings() {
            if let Some((measure, scale)) = measures.get(&of(&reading.metric))
                && !is_told_with_another(measurement, reading)
            {
                values.insert(measure.clone(), value(measurement, reading, *scale));
            }
        }
        all.insert(key, Value::Object(values));
    }
    Ok(escape::json(format!("{:#}\n", Value::Object(all))).into())
}

/// Returns a value with its ends, as Bencher's own adapters give them for what a harness says beside it: `± 3` are ends so
/// far away, one below zero included.
fn value(measurement: &Measurement, reading: &Reading, scale: f64) -> Value {
    let middle = Middle::of(measurement, reading);
    let mut value = json!({ "value": middle.center / scale });
    for (name, end) in [("lower_value", middle.low), ("upper_value", middle.high)] {
        if let Some(end) = end {
            value[name] = json!(end / scale);
        }
    }
    value
}

/// What metrics are told apart by: one name may be in two units, each in a suite of its own.
type Named<'a> = (&'a str, &'a str);

fn of(metric: &Metric) -> Named<'_> {
    (metric.name.as_str(), metric.unit.symbol())
}

/// Returns the measure of each metric, and how many of the metric's unit are one of the measure's.
fn measures<'a>(
    metrics: impl Iterator<Item = &'a Metric>,
) -> Result<BTreeMap<Named<'a>, (String, f64)>, ExportError> {
    let mut all = BTreeMap::new();
    for metric in metrics {
        all.entry(of(metric)).or_insert_with(|| measure(metric));
    }
    let text = |(name, unit): &Named<'_>| format!("{name} {unit}");
    let wanted = all.iter().map(|(named, (it, _))| (text(named), it.clone()));
    let given = apart(wanted.collect(), MEASURE_BYTES_MAX, '-')?;
    for ((measure, _), given) in all.values_mut().zip(given) {
        *measure = given;
    }
    Ok(all)
}

/// Returns the measure that is wanted for a metric, and how many of the metric's unit are one of its.
fn measure(metric: &Metric) -> (String, f64) {
    let (name, unit) = of(metric);
    let is_it = |row: &&(&str, &str, &str, f64)| (row.0, row.1) == (name, unit);
    if let Some((_, _, measure, scale)) = MEASURES.iter().find(is_it) {
        return ((*measure).to_owned(), *scale);
    }
    let slug = slug(name);
    let measure = match is_anothers(&slug, name, unit) {
        true => format!("{slug}-{:016x}", digest(&format!("{name} {unit}"))),
        false => slug,
    };
    (measure, 1.0)
}

/// Returns whether a slug is that of a measure which holds something else: whoever reads it knows what is meant by it, and in
/// which unit.
fn is_anothers(slug: &str, name: &str, unit: &str) -> bool {
    let mut known = KNOWN_METRICS
        .iter()
        .filter(|row| self::slug(row.name) == slug)
        .filter_map(|row| Metric::known(row.name));
    MEASURES.iter().any(|(_, _, measure, _)| *measure == slug)
        || known.any(|known| of(&known) != (name, unit))
}

/// Returns keys of at most so many bytes, of which no two have one slug. Given are names and what their keys are to be: a
/// digest of the name is added to those that may have one slug, that are too long, or that would be ignored. A name that is
/// another's with its digest is refused.
fn apart(
    wanted: Vec<(String, String)>,
    bytes_max: usize,
    sign: char,
) -> Result<Vec<String>, ExportError> {
    let mut slugs: BTreeMap<String, usize> = BTreeMap::new();
    for (_, key) in &wanted {
        *slugs.entry(slug(key)).or_default() += 1;
    }
    let is_good = |key: &str| {
        let is_ignored = IGNORED.iter().any(|ending| key.ends_with(ending));
        let is_own = key.is_ascii() && slugs.get(&slug(key)) == Some(&1);
        is_own && key.len() <= bytes_max && !is_ignored
    };
    let mut given: BTreeMap<String, String> = BTreeMap::new();
    let keys = wanted.into_iter().map(|(name, key)| {
        let key = if is_good(&key) {
            key
        } else {
            let kept = key.floor_char_boundary(bytes_max - DIGEST_BYTES);
            format!("{}{sign}{:016x}", &key[..kept], digest(&name))
        };
        match given.insert(slug(&key), name.clone()) {
            None => Ok(key),
            Some(other) => Err(ExportError::alike(EXPORTER.name, &key, [&other, &name])),
        }
    });
    keys.collect()
}

/// Returns a text in lower-case letters, digits and single hyphens between them.
fn slug(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}

/// The hash FNV-1a of 64 bits: small, and the same everywhere and for ever.
pub(super) fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
