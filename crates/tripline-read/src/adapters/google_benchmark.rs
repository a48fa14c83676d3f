//! Reads Google Benchmark's report as JSON, as CSV and as the table of its console.
//!
//! The runs of one benchmark are one sample, and what was made of them is read only where they are missing. Fitted
//! complexity stands beside the benchmarks it was fitted to. A label is a text for people and is left out. Tested by `fixtures/google_benchmark`.

mod coefficients;
mod console;
mod metrics;
mod naming;
mod printed;
mod row;
mod rows_csv;
mod series;
mod tables;

use serde::Deserialize;
use serde_json::value::RawValue;
use tripline_model::SuiteName;

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::document::Document;
use crate::file_names::has_extension;
use crate::gathered::Gathered;
use crate::input::Input;
use crate::json::Text;
use crate::place::ReadError;
use crate::reports::{Report, documents, read_marked};
use row::Row;
use series::AllSeries;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "google-benchmark",
    about: "Google Benchmark 1.2 to 1.9: its table, or `--benchmark_format=json` or `csv`, or the file of `--benchmark_out`",
    files: |path| has_extension(path, &["json", "csv", "txt"]),
    mark: Mark::Line(|line| recognizes(line) || is_printed(line)),
    hint: "run the benchmark with `--benchmark_format=json` and give its standard output",
    read,
};

/// Members that no other harness writes.
const MARKS: &[&str] = &[
    "\"mhz_per_cpu\"",
    "\"library_build_type\"",
    "\"per_family_instance_index\"",
];

fn recognizes(line: &str) -> bool {
    MARKS.iter().any(|mark| line.contains(mark))
}

/// Returns whether a line begins a report that is not JSON.
fn is_printed(line: &str) -> bool {
    console::is_header(line) || rows_csv::is_header(line)
}

/// Returns whether a text is part of a report, whichever of its members is damaged.
fn is_marked(text: &str) -> bool {
    let of_row = ["\"real_time\"", "\"cpu_time\"", "\"real_coefficient\""];
    MARKS
        .iter()
        .chain(&of_row)
        .any(|member| text.contains(member))
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    let mut gathered = Gathered::default();
    let mut all = AllSeries::default();
    for document in documents(input, &ADAPTER) {
        let document = document?.told(&mut gathered);
        if document.text().lines().any(is_printed) {
            tables::read(&document, &mut all, &mut gathered);
        } else if is_marked(document.text()) {
            read_json(&document.quoted(), &mut all, &mut gathered);
        }
    }
    all.gather(suite, &mut gathered);
    gathered.finish(input, ADAPTER.hint)
}

fn read_json(document: &Document<'_>, all: &mut AllSeries, gathered: &mut Gathered) {
    all.begin(false);
    read_marked(document, is_marked, gathered, |report, gathered| {
        read_report(report, all, gathered);
    });
}

/// A report: where it was made, and its rows.
#[derive(Deserialize)]
struct Output<'t> {
    #[serde(borrow)]
    context: Context<'t>,
    #[serde(borrow)]
    benchmarks: Vec<&'t RawValue>,
}

#[derive(Deserialize)]
struct Context<'t> {
    #[serde(borrow)]
    executable: Option<Text<'t>>,
}

fn read_report(report: &mut Report<'_, '_>, all: &mut AllSeries, gathered: &mut Gathered) {
    let Some(Output {
        context,
        benchmarks,
    }) = report.parse(gathered)
    else {
        return;
    };
    let executable = context.executable.as_deref().unwrap_or_default();
    let program = file_name(executable);
    for part in benchmarks {
        if let Some((row, place)) = report.part(part, gathered) {
            match Row::of(&row) {
                Ok(row) => all.add(program, row, &place, gathered),
                Err(text) => gathered.problem(place, text),
            }
        }
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or_default()
}
