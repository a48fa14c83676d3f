//! A table for spreadsheets and scripts: a line for each metric of each benchmark, with all that is known of it.
//!
//! A spreadsheet takes a text that begins like a formula for one; so such a text gets an apostrophe before it, which a
//! spreadsheet hides. A text that begins with one gets another, so that whoever takes one away has all texts back. Tested
//! by `tests/render/export`.

use std::borrow::Cow;

use tripline_model::{Measurement, Params, Reading, Run};

use crate::{Export, ExportError, Exported, Exporter, escape, export};

/// A line for each metric.
pub(super) static EXPORTER: Exporter = Exporter {
    name: "csv",
    about: "a table with a line for each metric of each benchmark",
    hands_back: false,
    export,
};

const COLUMNS: [&str; 14] = [
    "suite",
    "benchmark",
    "params",
    "metric",
    "unit",
    "better",
    "nature",
    "value",
    "low",
    "high",
    "values",
    "commit",
    "measured_at",
    "environment",
];

/// What a formula begins with, and what keeps a text from being one.
const FORMULA: &[char] = &['=', '+', '-', '@', '\t', '\r', '\''];

fn export<'a>(told: &Export<'a>) -> Result<Exported<'a>, ExportError> {
    export::is_new(told, "a table")?;
    let mut table = csv::Writer::from_writer(Vec::new());
    write(&mut table, COLUMNS.map(Cow::Borrowed));
    for run in told.runs {
        for measurement in run.measurements() {
            for reading in measurement.readings() {
                write(&mut table, line(run, measurement, reading));
            }
        }
    }
    Ok(text(table).into())
}

/// Adds a line to a table.
pub(super) fn write<'a>(
    table: &mut csv::Writer<Vec<u8>>,
    cells: impl IntoIterator<Item = Cow<'a, str>>,
) {
    let cells = cells.into_iter().map(Cow::into_owned);
    table
        .write_record(cells)
        .expect("writing to memory cannot fail, and all lines are equally long");
}

/// Returns a table as a text.
pub(super) fn text(table: csv::Writer<Vec<u8>>) -> String {
    let bytes = table.into_inner().expect("writing to memory cannot fail");
    String::from_utf8(bytes).expect("texts were written")
}

/// Returns a text as a cell, harmless to logs and spreadsheets. In front of it stands the name of a suite, or a time.
pub(super) fn cell(text: &str) -> Cow<'static, str> {
    let text = escape::visible_within(text);
    Cow::Owned(if text.starts_with(FORMULA) {
        format!("'{text}")
    } else {
        text
    })
}

fn line(run: &Run, measurement: &Measurement, reading: &Reading) -> [Cow<'static, str>; 14] {
    let bench = measurement.bench();
    let metric = &reading.metric;
    let (low, high) = reading.sample.quartiles();
    let count = reading.sample.count();
    let number = |number: f64| Cow::Owned(number.to_string());
    let word = |word: &dyn std::fmt::Debug| Cow::Owned(format!("{word:?}").to_lowercase());
    let commit = run.revision.as_ref();
    [
        cell(bench.suite.as_str()),
        cell(bench.name.as_str()),
        cell(&params(&bench.params)),
        cell(metric.name.as_str()),
        cell(metric.unit.symbol()),
        word(&metric.better),
        word(&metric.nature),
        number(reading.sample.median()),
        number(low),
        number(high),
        count.map_or(Cow::Borrowed(""), |count| Cow::Owned(count.to_string())),
        commit.map_or(Cow::Borrowed(""), |revision| {
            Cow::Owned(revision.commit.to_string())
        }),
        Cow::Owned(run.measured_at.to_string()),
        cell(run.environment.name.as_str()),
    ]
}

/// Returns params as one text, which no other params have.
pub(super) fn params(params: &Params) -> String {
    let escaped = |text: &str| {
        let text = text.replace('\\', "\\\\").replace(',', "\\,");
        text.replace('=', "\\=")
    };
    let pairs: Vec<String> = params
        .iter()
        .map(|(key, value)| format!("{}={}", escaped(key.as_str()), escaped(value.as_str())))
        .collect();
    pairs.join(",")
}
