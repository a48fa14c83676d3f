//! Reads vitest's benchmarks: the file of `vitest bench --outputJson`, those of `--reporter=json` from before version 1.6
//! and from version 5 on, or the tables that it prints.
//!
//! The raw times are read where they were kept (`benchmark.includeSamples`), and else what was made of them. A benchmark is
//! named after its file, its groups, and itself; the older file knows its innermost group alone. Tested by
//! `fixtures/vitest`.

mod assertions;
mod table;
mod table_5;
mod title_5;
mod tree;

use serde::Deserialize;
use serde_json::value::RawValue;
use tripline_model::SuiteName;

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::apart::Facts;
use crate::document::Document;
use crate::entry::Entry;
use crate::file_names::has_extension;
use crate::gathered::Gathered;
use crate::input::Input;
use crate::js_times::{BENCHMARK, Times, entry};
use crate::json::{Members, Text};
use crate::place::ReadError;
use crate::quantity::nanoseconds;
use crate::reports::{Report, read_documents, read_hollow, read_marked};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "vitest",
    about: "vitest 0.34 to 5: the JSON of `vitest bench --outputJson`, before 1.6 and from 5 on of `--reporter=json`; or the tables of `vitest bench`, 1 to 5",
    files: |path| has_extension(path, &["json", "txt"]),
    mark: Mark::Text(|text| {
        let is_table = table::is_text(text) || table_5::is_text(text);
        is_table || is_marked(text) || is_older(text) || assertions::is_marked(text)
    }),
    hint: "run `vitest bench --run --outputJson FILE`, or before version 1.6 and from 5 on `--reporter=json --outputFile FILE`, and give the file",
    read,
};

/// Each of these stands in every report, so one of them may be damaged.
fn is_marked(text: &str) -> bool {
    let marks = [
        "\"filepath\"",
        "\"fullName\"",
        "\"groups\"",
        "\"benchmarks\"",
        "\"sampleCount\"",
    ];
    marks.iter().filter(|mark| text.contains(**mark)).count() >= 3
}

/// Returns whether a text is of the older form. Reports of tests have the first two of these as well, and those of
/// version 5 with raw times all but one.
fn is_older(text: &str) -> bool {
    let marks = [
        "\"numTotalTestSuites\"",
        "\"testResults\"",
        "\"rank\"",
        "\"rme\"",
        "\"samples\"",
    ];
    marks.iter().filter(|mark| text.contains(**mark)).count() >= 4
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_documents(input, &ADAPTER, |document, gathered| {
        let document = &document;
        read_tables(suite, document, gathered);
        read_marked(document, is_marked, gathered, |report, gathered| {
            read_report(suite, report, gathered);
        });
        read_marked(document, is_older, gathered, |report, gathered| {
            if !assertions::is_report(report.text()) {
                read_older(suite, report, gathered);
            }
        });
        read_marked(
            document,
            assertions::is_report,
            gathered,
            |report, gathered| {
                assertions::read(suite, report, gathered);
            },
        );
        let is_any = |text: &str| is_marked(text) || is_older(text) || assertions::is_report(text);
        read_hollow(
            document,
            is_any,
            "\"files\"",
            gathered,
            |report, gathered| {
                read_report(suite, report, gathered);
            },
        );
        read_hollow(
            document,
            is_any,
            "\"testResults\"",
            gathered,
            |report, gathered| {
                read_results(suite, report, gathered);
            },
        );
    })
}

fn read_tables(suite: &SuiteName, document: &Document<'_>, gathered: &mut Gathered) {
    if table_5::is_text(document.text()) {
        return table_5::read(suite, document, gathered);
    }
    table::read(document, gathered, |row, place, gathered| {
        let entry = entry(suite, BENCHMARK, &row.bench, &[], row.readings());
        gathered.take(entry, place);
    });
}

/// Reads a report in whichever form its results have.
fn read_results(suite: &SuiteName, report: &mut Report<'_, '_>, gathered: &mut Gathered) {
    let Some(Results { test_results }) = report.parse(gathered) else {
        return;
    };
    match test_results.get().starts_with('[') {
        true => assertions::read(suite, report, gathered),
        false => read_older(suite, report, gathered),
    }
}

fn read_report(suite: &SuiteName, report: &mut Report<'_, '_>, gathered: &mut Gathered) {
    let Some(Export { files }) = report.parse(gathered) else {
        return;
    };
    for group in files.into_iter().flat_map(|file| file.groups) {
        for part in group.benchmarks {
            read_benchmark(suite, &group.full_name, part, report, gathered);
        }
    }
}

fn read_older(suite: &SuiteName, report: &mut Report<'_, '_>, gathered: &mut Gathered) {
    let Some(OlderExport { test_results }) = report.parse(gathered) else {
        return;
    };
    for (group, benchmarks) in test_results.0 {
        for part in benchmarks {
            read_benchmark(suite, &group, part, report, gathered);
        }
    }
}

fn read_benchmark<'t>(
    suite: &SuiteName,
    group: &str,
    part: &'t RawValue,
    report: &mut Report<'_, 't>,
    gathered: &mut Gathered,
) {
    let Some((Named { name }, place)) = report.part::<Named<'_>>(part, gathered) else {
        return;
    };
    if let Some((times, _)) = report.part::<Times<'_>>(part, gathered) {
        gathered.take(timed(suite, group, &name, &times, Facts::new()), place);
    }
}

/// Returns a benchmark of a group; all times are milliseconds.
fn timed(
    suite: &SuiteName,
    group: &str,
    name: &str,
    times: &Times<'_>,
    facts: Facts,
) -> Result<Entry, String> {
    let scale = nanoseconds("ms").expect("the unit is a constant");
    let name = joined(group, name);
    let entry = entry(suite, BENCHMARK, &name, &[], times.readings(scale))?;
    Ok(Entry { facts, ..entry })
}

/// Returns the name of a benchmark in a group, such as `file > group`.
fn joined(group: &str, name: &str) -> String {
    match group {
        "" => name.to_owned(),
        group => format!("{}/{name}", group.replace(" > ", "/")),
    }
}

#[derive(Deserialize)]
struct Export<'t> {
    #[serde(borrow)]
    files: Vec<File<'t>>,
}

/// What `--reporter=json` wrote of benchmarks: those of each group.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OlderExport<'t> {
    #[serde(borrow)]
    test_results: Members<'t, Vec<&'t RawValue>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Results<'t> {
    #[serde(borrow)]
    test_results: &'t RawValue,
}

#[derive(Deserialize)]
struct File<'t> {
    #[serde(borrow)]
    groups: Vec<Group<'t>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Group<'t> {
    #[serde(borrow)]
    full_name: Text<'t>,
    #[serde(borrow)]
    benchmarks: Vec<&'t RawValue>,
}

#[derive(Deserialize)]
struct Named<'t> {
    #[serde(borrow)]
    name: Text<'t>,
}
