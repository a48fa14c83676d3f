//! The list of values that github-action-benchmark reads, for whoever has pages made by it.
//!
//! It knows benchmarks by name alone and takes the direction from the tool it is told, so a name says its metric as well,
//! and what is better when it is larger is a file of its own. What is neither is in none. Tested by `tests/render/export`.

use serde_json::{Value, json};
use tripline_model::{Better, Measurement, Reading, Run};

use crate::directed::Directed;
use crate::middle::{Middle, is_told_with_another};
use crate::{Export, ExportError, Exported, Exporter, escape, export};

/// What is better when it is smaller.
pub(super) static SMALLER: Exporter = Exporter {
    name: "custom-smaller-is-better",
    about: "github-action-benchmark with `tool: customSmallerIsBetter`",
    hands_back: false,
    export: |told| export(told, Better::Lower),
};

/// What is better when it is larger.
pub(super) static BIGGER: Exporter = Exporter {
    name: "custom-bigger-is-better",
    about: "github-action-benchmark with `tool: customBiggerIsBetter`",
    hands_back: false,
    export: |told| export(told, Better::Higher),
};

/// What it is called where it is refused.
const FORM: &str = "a list of values";

fn export<'a>(told: &Export<'a>, better: Better) -> Result<Exported<'a>, ExportError> {
    export::is_new(told, FORM)?;
    export::is_once(told, FORM)?;
    let measurements = told.runs.iter().flat_map(Run::measurements);
    let entries: Vec<Value> = measurements
        .flat_map(|measurement| {
            let meant = move |reading: &&Reading| reading.metric.better == better;
            let readings = measurement.readings().filter(meant);
            readings.map(|reading| entry(measurement, reading))
        })
        .collect();
    let others = others(told.runs, better);
    if entries.is_empty() && !others.is_empty() {
        return Err(none_of(better, &others));
    }
    let list = escape::json(format!("{:#}\n", Value::Array(entries)));
    let mut exported = Exported::from(list);
    exported.note(others.iter().map(|(other, instead)| match instead {
        Some(form) => format!("left out: {other}; `{form}` holds them"),
        None => format!("left out: {other}; no such list holds them"),
    }));
    Ok(exported)
}

/// Returns what is not better in a direction, with the form that holds it.
fn others(runs: &[Run], better: Better) -> Vec<(Directed<'_>, Option<&'static str>)> {
    let forms = [
        (Better::Lower, Some(SMALLER.name)),
        (Better::Higher, Some(BIGGER.name)),
        (Better::Neither, None),
    ];
    forms
        .into_iter()
        .filter(|(other, _)| *other != better)
        .filter_map(|(other, form)| Some((Directed::of(runs, other, is_told_with_another)?, form)))
        .collect()
}

/// Refuses runs without a metric of a direction: an empty list would be taken for benchmarks that are gone.
fn none_of(better: Better, others: &[(Directed<'_>, Option<&'static str>)]) -> ExportError {
    let (form, wanted) = match better {
        Better::Higher => (BIGGER.name, "better when bigger"),
        Better::Lower | Better::Neither => (SMALLER.name, "better when smaller"),
    };
    let there: Vec<String> = others.iter().map(|(other, _)| other.to_string()).collect();
    ExportError::OtherDirection {
        form,
        wanted,
        there: there.join("; and "),
        instead: others.iter().find_map(|(_, instead)| *instead),
    }
}

fn entry(measurement: &Measurement, reading: &Reading) -> Value {
    let middle = Middle::of(measurement, reading);
    let metric = &reading.metric;
    let mut entry = json!({
        "name": format!("{} {}", measurement.bench(), metric.name),
        "unit": metric.unit.symbol(),
        "value": middle.center,
    });
    if let Some(range) = middle.range() {
        entry["range"] = json!(range);
        if let Some(extra) = middle.extra() {
            entry["extra"] = json!(extra);
        }
    }
    entry
}
