//! The JSON that vitest writes of tests from version 5 on, where a benchmark is part of a test: `--reporter=json`.
//!
//! A file is named by its whole path, which is another on every machine; so of that only the last part counts, and the rest
//! where two files would be one. Tested by `fixtures/vitest`.

use serde::Deserialize;
use serde_json::value::RawValue;
use tripline_model::SuiteName;

use super::{Named, joined, milliseconds};
use crate::apart::Facts;
use crate::entry::Entry;
use crate::gathered::Gathered;
use crate::js_times::{BENCHMARK, Times, entry};
use crate::json::Text;
use crate::place::shown;
use crate::reports::Report;

/// What every file of tests has, those of version 1 that were of benchmarks alone left out.
pub(super) const ASSERTIONS: &str = "\"assertionResults\"";

/// Returns whether a text is a report of tests, in one of which was a benchmark.
pub(super) fn is_marked(text: &str) -> bool {
    let marks = [
        ASSERTIONS,
        "\"benchmarks\"",
        "\"tasks\"",
        "\"latency\"",
        "\"samplesCount\"",
    ];
    marks.iter().filter(|mark| text.contains(**mark)).count() >= 4
}

/// The files of a report.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Export<'t> {
    #[serde(borrow)]
    test_results: Vec<File<'t>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File<'t> {
    /// Its path.
    #[serde(borrow)]
    name: Text<'t>,
    #[serde(borrow)]
    assertion_results: Vec<&'t RawValue>,
}

/// A test.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Test<'t> {
    #[serde(borrow)]
    ancestor_titles: Vec<Text<'t>>,
    #[serde(borrow)]
    title: Text<'t>,
    #[serde(borrow)]
    failure_messages: Vec<Text<'t>>,
    #[serde(borrow, default)]
    benchmarks: Vec<Compared<'t>>,
}

/// What was compared within a test.
#[derive(Deserialize)]
struct Compared<'t> {
    #[serde(borrow)]
    tasks: Vec<&'t RawValue>,
}

#[derive(Deserialize)]
struct Task<'t> {
    #[serde(borrow)]
    latency: Times<'t>,
}

pub(super) fn read(suite: &SuiteName, report: &mut Report<'_, '_>, gathered: &mut Gathered) {
    let Some(Export { test_results }) = report.parse(gathered) else {
        return;
    };
    for file in test_results {
        for part in &file.assertion_results {
            let Some((test, place)) = report.part::<Test<'_>>(part, gathered) else {
                continue;
            };
            let group = test.group(&file.name);
            for task in test.benchmarks.iter().flat_map(|compared| &compared.tasks) {
                read_task(suite, &file.name, &group, task, report, gathered);
            }
            if let Some(why) = test.failure_messages.first() {
                let (group, why) = (shown(&group), shown(why.lines().next().unwrap_or_default()));
                gathered.problem(place, format!("test `{group}` failed: {why}"));
            }
        }
    }
}

fn read_task<'t>(
    suite: &SuiteName,
    file: &str,
    group: &str,
    part: &'t RawValue,
    report: &mut Report<'_, 't>,
    gathered: &mut Gathered,
) {
    let Some((Named { name }, place)) = report.part::<Named<'_>>(part, gathered) else {
        return;
    };
    if let Some((Task { latency }, _)) = report.part::<Task<'_>>(part, gathered) {
        let name = joined(group, &name);
        let readings = latency.readings(milliseconds());
        let entry = entry(suite, BENCHMARK, &name, &[], readings).map(|entry| Entry {
            facts: Facts::from([("file", file.to_owned())]),
            ..entry
        });
        gathered.take(entry, place);
    }
}

impl Test<'_> {
    /// Returns the names above those of the benchmarks.
    fn group(&self, file: &str) -> String {
        let file = file.rsplit(['/', '\\']).next().unwrap_or(file);
        let titles = self.ancestor_titles.iter().chain([&self.title]);
        titles.fold(file.to_owned(), |group, title| {
            format!("{group}/{}", &**title)
        })
    }
}
