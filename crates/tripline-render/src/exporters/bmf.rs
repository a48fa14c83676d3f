//! Bencher Metric Format: benchmarks by name, each with its measures and their values.
//!
//! Who reads it knows a benchmark by its key, but takes a key for a slug where it looks like one, and makes a slug of
//! every name. So a key always has a slash, and where two have one slug, a digest of its own tells each apart: it stays the
//! same however many there are. A slug is ASCII, into which other scripts are transcribed by tables of their own
//! (`slug::slugify` in `bencher_valid`); so a name in one of them always has its digest. Measures that are known there
//! keep their names there. Tested by `tests/render/export`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use tripline_model::{Measurement, MetricName, Reading, Run};

use crate::middle::{Middle, is_told_with_another};
use crate::{Export, ExportError, Exported, Exporter, escape, export};

/// The longest key of a benchmark.
const KEY_BYTES_MAX: usize = 1_024;

/// The longest key of a measure.
const MEASURE_BYTES_MAX: usize = 64;

/// What a digest adds to a key.
const DIGEST_BYTES: usize = 17;

/// Metrics whose measure has another name than the metric's own.
const MEASURES: &[(&str, &str)] = &[
    ("total_accesses", "total-read-write"),
    ("wall_time", "latency"),
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
    let measures = measures(metrics.map(|metric| &metric.name))?;
    let mut all = Map::new();
    for (key, measurement) in apart(names, KEY_BYTES_MAX, '#')?
        .into_iter()
        .zip(measurements)
    {
        let values = measurement.readings().filter_map(|reading| {
            let measure = measures.get(&reading.metric.name)?;
            (!is_told_with_another(measurement, reading))
                .then(|| (measure.clone(), value(measurement, reading)))
        });
        all.insert(key, Value::Object(values.collect()));
    }
    Ok(escape::json(format!("{:#}\n", Value::Object(all))).into())
}

/// Returns a value with its ends, as Bencher's own adapters give them for what a harness says beside it: `± 3` are ends so
/// far away, one below zero included.
fn value(measurement: &Measurement, reading: &Reading) -> Value {
    let middle = Middle::of(measurement, reading);
    let mut value = json!({ "value": middle.center });
    for (name, end) in [("lower_value", middle.low), ("upper_value", middle.high)] {
        if let Some(end) = end {
            value[name] = json!(end);
        }
    }
    value
}

/// Returns the measure of each metric.
fn measures<'a>(
    names: impl Iterator<Item = &'a MetricName>,
) -> Result<BTreeMap<&'a MetricName, String>, ExportError> {
    let mut names: Vec<&MetricName> = names.collect();
    names.sort_unstable();
    names.dedup();
    let texts = names.iter().map(|name| {
        let known = MEASURES.iter().find(|(metric, _)| *metric == name.as_str());
        let measure =
            known.map_or_else(|| slug(name.as_str()), |(_, measure)| (*measure).to_owned());
        (name.to_string(), measure)
    });
    let texts = texts.collect();
    let measures = apart(texts, MEASURE_BYTES_MAX, '-')?;
    Ok(names.into_iter().zip(measures).collect())
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
    let mut given = BTreeSet::new();
    let keys = wanted.into_iter().map(|(name, key)| {
        if is_good(&key) {
            return key;
        }
        let kept = key.floor_char_boundary(bytes_max - DIGEST_BYTES);
        format!("{}{sign}{:016x}", &key[..kept], digest(&name))
    });
    let keys = keys.map(|key| {
        if given.insert(slug(&key)) {
            return Ok(key);
        }
        Err(ExportError::Alike {
            form: EXPORTER.name,
            name: escape::visible(&key),
        })
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
