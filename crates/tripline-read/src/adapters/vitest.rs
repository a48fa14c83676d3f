//! Reads vitest's benchmarks: the file of `vitest bench --outputJson`, or the tables that it prints.
//!
//! The raw times are read where they were kept (`benchmark.includeSamples`), and else what was made of them. A benchmark is
//! named after its file, its groups, and itself. Tested by `fixtures/vitest`.

mod table;

use serde::Deserialize;
use serde_json::value::RawValue;
use tripline_model::SuiteName;

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::file_names::has_extension;
use crate::gathered::Gathered;
use crate::input::Input;
use crate::js_times::{BENCHMARK, Times, entry};
use crate::json::Text;
use crate::place::ReadError;
use crate::quantity::nanoseconds;
use crate::reports::{Report, read_documents, read_marked};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "vitest",
    about: "vitest 1 to 4: the JSON of `vitest bench --outputJson`, or the tables of `vitest bench`",
    files: |path| has_extension(path, &["json", "txt"]),
    mark: Mark::Text(|text| is_marked(text) || table::is_text(text)),
    hint: "run `vitest bench --run --outputJson FILE` and give the file",
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

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_documents(input, &ADAPTER, |document, gathered| {
        table::read(document, gathered, |row, place, gathered| {
            gathered.take(
                entry(suite, BENCHMARK, &row.bench, &[], row.readings()),
                place,
            );
        });
        read_marked(document, is_marked, gathered, |report, gathered| {
            read_report(suite, report, gathered);
        });
    })
}

fn read_report(suite: &SuiteName, report: &mut Report<'_, '_>, gathered: &mut Gathered) {
    let Some(Export { files }) = report.parse(gathered) else {
        return;
    };
    // All times are milliseconds.
    let scale = nanoseconds("ms").expect("the unit is a constant");
    for group in files.into_iter().flat_map(|file| file.groups) {
        for part in group.benchmarks {
            let named = report.part::<Named<'_>>(part, gathered);
            let Some((Named { name }, place)) = named else {
                continue;
            };
            if let Some((times, _)) = report.part::<Times<'_>>(part, gathered) {
                let name = joined(&group.full_name, &name);
                gathered.take(
                    entry(suite, BENCHMARK, &name, &[], times.readings(scale)),
                    place,
                );
            }
        }
    }
}

/// Returns the name of a benchmark in a group, such as `file > group`.
fn joined(group: &str, name: &str) -> String {
    format!("{}/{name}", group.replace(" > ", "/"))
}

#[derive(Deserialize)]
struct Export<'t> {
    #[serde(borrow)]
    files: Vec<File<'t>>,
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
