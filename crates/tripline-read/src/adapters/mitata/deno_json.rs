//! The JSON of `deno bench --json`: benchmarks with their file and group, and what came of them, in nanoseconds.
//!
//! Deno 1.31 knows one result of each, later versions a list. Tested below and by `fixtures/mitata`.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tripline_model::SuiteName;

use super::deno_files::{FILE, folder_of};
use super::table::in_group;
use super::why;
use crate::document::Document;
use crate::entry::Entry;
use crate::gathered::Gathered;
use crate::js_times::{BENCHMARK, Times, entry};
use crate::json::{self, MaybeNumber, Number, Text};
use crate::place::{Place, shown};
use crate::quantity::as_it_is;
use crate::reports::{Report, read_marked};
use crate::summary;

/// Each of these stands in every report with a result, so one of them may be damaged.
const MARKS: [&str; 4] = ["\"benches\"", "\"origin\"", "\"baseline\"", "\"runtime\""];

/// One of these stands in each result.
const RESULTS: [&str; 3] = ["\"p75\"", "\"p995\"", "\"exceptionMessage\""];

/// What mitata's own reports have in place of `benches`.
const OF_MITATA: &str = "\"benchmarks\"";

/// Returns whether a text is a report of Deno's, whichever one of its members is damaged.
pub(super) fn is_marked(text: &str) -> bool {
    let count = MARKS.iter().filter(|mark| text.contains(**mark)).count();
    count + 1 >= MARKS.len()
        && RESULTS.iter().any(|mark| text.contains(mark))
        && !text.contains(OF_MITATA)
}

/// Reads the reports of a text.
pub(super) fn read(document: &Document<'_>, suite: &SuiteName, gathered: &mut Gathered) {
    read_marked(document, is_marked, gathered, |report, gathered| {
        read_report(suite, report, gathered);
    });
}

fn read_report(suite: &SuiteName, report: &mut Report<'_, '_>, gathered: &mut Gathered) {
    let Some(Export { benches }) = report.parse(gathered) else {
        return;
    };
    let mut read = Vec::new();
    for part in benches {
        read.extend(report.part::<Bench<'_>>(part, gathered));
    }
    let origins: Vec<&str> = read.iter().map(|(bench, _)| &*bench.origin).collect();
    let folder = folder_of(&origins);
    for (bench, place) in &read {
        bench.take(suite, folder, place, gathered);
    }
}

#[derive(Deserialize)]
struct Export<'t> {
    #[serde(borrow)]
    benches: Vec<&'t RawValue>,
}

/// One benchmark of one file.
#[derive(Deserialize)]
struct Bench<'t> {
    #[serde(borrow)]
    origin: Text<'t>,
    #[serde(borrow)]
    group: Option<Text<'t>>,
    #[serde(borrow)]
    name: Text<'t>,
    #[serde(borrow, default)]
    results: Vec<Outcome<'t>>,
    #[serde(borrow)]
    result: Option<Outcome<'t>>,
}

#[derive(Deserialize)]
struct Outcome<'t> {
    #[serde(borrow)]
    ok: Option<&'t RawValue>,
    failed: Option<Value>,
}

/// How many times were taken, where each may be a mean of many.
#[derive(Deserialize)]
struct Count<'t> {
    #[serde(borrow)]
    n: Option<MaybeNumber<'t>>,
}

impl Bench<'_> {
    fn take(&self, suite: &SuiteName, folder: &str, place: &Place, gathered: &mut Gathered) {
        let name = in_group(self.group.as_deref(), &self.name);
        let outcomes = self.results.iter().chain(&self.result);
        if outcomes.clone().next().is_none() {
            let text = format!("benchmark `{}` has no result", shown(&name));
            gathered.problem(place.clone(), text);
        }
        for outcome in outcomes {
            let taken = outcome.entry(suite, &name).map(|mut entry| {
                let file = self.origin.strip_prefix(folder).unwrap_or(&self.origin);
                entry.facts.insert(FILE, file.to_owned());
                entry
            });
            gathered.take(taken, place.clone());
        }
    }
}

impl Outcome<'_> {
    fn entry(&self, suite: &SuiteName, name: &str) -> Result<Entry, String> {
        let Some(ok) = self.ok else {
            let why = self.failed.as_ref().map(why).unwrap_or_default();
            return Err(format!("benchmark `{}` failed: {why}", shown(name)));
        };
        let readings = json::part::<Times<'_>>(ok).and_then(|times| {
            let mut readings = times.readings(as_it_is())?;
            let count = json::part::<Count<'_>>(ok)?.n;
            let count = count.and_then(MaybeNumber::number).and_then(Number::count);
            if let Some(count) = count {
                readings.push(summary::rounds(count)?);
            }
            Ok(readings)
        });
        entry(suite, BENCHMARK, name, &[], readings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_known_without_one_of_its_members() {
        let report = r#"{"runtime": "", "benches": [{"origin": "", "baseline": true, "p75": 1}]}"#;
        assert!(is_marked(report));
        for mark in MARKS {
            assert!(is_marked(&report.replace(mark, "\"x\"")), "{mark}");
        }
        assert!(!is_marked(&report.replace("p75", "x")));
        assert!(!is_marked(&report.replace("benches", "benchmarks")));
        // The history of another service has benches as well.
        assert!(!is_marked(
            r#"{"benches": [{"name": "\"p75\"", "value": 1}]}"#
        ));
    }
}
