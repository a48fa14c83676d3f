//! Reads BenchmarkDotNet's JSON, what its full, brief and compressed exporters write; its CSV of single measurements; and its
//! tables, as CSV and Markdown.
//!
//! The values in JSON are those that BenchmarkDotNet computes its own statistics from: results per operation, without the
//! overhead and without the outliers it was told to remove. Tables have statistics alone. Two jobs of one benchmark are
//! told apart by the job's name. Tested by `fixtures/benchmarkdotnet`.

mod amount;
mod columns;
mod measurements;
mod metrics;
mod rows;
mod tables;
mod twice;

use serde::Deserialize;
use serde_json::value::RawValue;
use tripline_model::{BenchId, SuiteName};

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::apart::Facts;
use crate::document::Document;
use crate::entry::Entry;
use crate::file_names::has_extension;
use crate::gathered::Gathered;
use crate::input::Input;
use crate::json::{self, Text};
use crate::naming::{bench_id, bench_of_name};
use crate::place::{Place, ReadError};
use crate::reports::{Report, read_documents, read_marked};
use metrics::{Descriptor, Measured, Memory, Statistics};
use twice::Wanted;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "benchmarkdotnet",
    about: "BenchmarkDotNet 0.10 to 0.15: the full, brief and compressed JSON exports, the single values of `*-measurements.csv`, or the tables of `*-report.csv` and `*-report-github.md`",
    files: |path| has_extension(path, &["csv", "json", "md"]),
    mark: Mark::Line(|line| {
        is_of_json(line) || tables::is_mark(line) || measurements::is_mark(line)
    }),
    hint: "run the benchmarks with `--exporters json` and give the file `*-report-full.json`",
    read,
};

fn is_of_json(line: &str) -> bool {
    line.contains("\"HostEnvironmentInfo\"") || line.contains("\"BenchmarkDotNetCaption\"")
}

/// Returns whether a text is part of a report, whichever of its members is damaged.
fn is_marked(text: &str) -> bool {
    [
        "\"HostEnvironmentInfo\"",
        "\"BenchmarkDotNetCaption\"",
        "\"MethodTitle\"",
        "\"FullName\"",
    ]
    .iter()
    .any(|mark| text.contains(mark))
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_documents(input, &ADAPTER, |document, gathered| {
        read_document(document, input, suite, gathered);
    })
}

fn read_document(
    document: Document<'_>,
    input: &Input,
    suite: &SuiteName,
    gathered: &mut Gathered,
) {
    let wanted = twice::wanted(&document.stem(), input);
    if wanted == Wanted::Nothing {
        return;
    }
    if document.text().lines().any(measurements::is_mark) {
        return measurements::read(&document, suite, gathered);
    }
    if document.text().lines().any(tables::is_mark) {
        return rows::read(&document, suite, wanted, gathered);
    }
    if twice::is_report(&document.file) && !is_marked(document.text()) {
        gathered.problem(
            document.place(1, 1),
            "the report holds no results: it is cut, or empty",
        );
    }
    // Of a single value some statistics are no numbers, which versions up to 0.12 write as `NaN`.
    let document = document.quoted();
    read_marked(&document, is_marked, gathered, |report, gathered| {
        read_report(report, suite, wanted, gathered);
    });
}

fn read_report(
    report: &mut Report<'_, '_>,
    suite: &SuiteName,
    wanted: Wanted,
    gathered: &mut Gathered,
) {
    let Some(Export { benchmarks }) = report.parse(gathered) else {
        return;
    };
    for part in benchmarks {
        let Some((benchmark, place)) = report.part::<Benchmark<'_>>(part, gathered) else {
            continue;
        };
        let entry = benchmark.entry(suite, &place, gathered);
        if wanted == Wanted::All || entry.is_err() {
            gathered.take(entry, place);
        }
    }
}

/// A report: its host, and what was measured there.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Export<'t> {
    #[serde(borrow)]
    benchmarks: Vec<&'t RawValue>,
}

/// One benchmark with one set of params in one job.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Benchmark<'t> {
    #[serde(borrow)]
    display_info: Option<Text<'t>>,
    #[serde(borrow)]
    namespace: Option<Text<'t>>,
    #[serde(borrow, rename = "Type")]
    class: Text<'t>,
    #[serde(borrow)]
    method: Text<'t>,
    #[serde(borrow)]
    parameters: Option<Text<'t>>,
    #[serde(borrow)]
    statistics: Option<Statistics<'t>>,
    #[serde(borrow)]
    memory: Option<Memory<'t>>,
    #[serde(borrow)]
    measurements: Option<Vec<Measured<'t>>>,
    #[serde(borrow)]
    metrics: Option<Vec<&'t RawValue>>,
}

impl Benchmark<'_> {
    fn entry(
        &self,
        suite: &SuiteName,
        place: &Place,
        gathered: &mut Gathered,
    ) -> Result<Entry, String> {
        let bench = self.bench(suite)?;
        let refused = |what: &str, error: String| {
            let bench = bench.within_suite();
            format!("{what} of benchmark `{bench}` cannot be used: {error}")
        };
        let Some(statistics) = &self.statistics else {
            let bench = bench.within_suite();
            return Err(format!("benchmark `{bench}` failed: it has no statistics"));
        };
        let measured = self.measurements.as_deref().unwrap_or_default();
        let times = statistics.readings(measured);
        let mut readings = times.map_err(|error| refused("the times", error))?;
        let memory = self.memory.iter().flat_map(Memory::readings);
        // One by one, so that a damaged one does not cost the times.
        let metrics = self.metrics.iter().flatten().filter_map(|raw| {
            match json::part::<Descriptor<'_>>(raw) {
                Ok(metric) => metric.reading(),
                Err(error) => Some(Err(error)),
            }
        });
        for reading in memory.chain(metrics) {
            match reading {
                Ok(reading) => readings.push(reading),
                Err(error) => gathered.problem(place.clone(), refused("a metric", error)),
            }
        }
        Ok(Entry {
            caveats: Vec::new(),
            facts: self.facts(),
            bench,
            readings,
        })
    }

    fn bench(&self, suite: &SuiteName) -> Result<BenchId, String> {
        let namespace = self.namespace.as_deref().unwrap_or_default();
        let parameters = self.parameters.as_deref().unwrap_or_default();
        named(suite, namespace, &self.class, &self.method, parameters)
    }

    /// The job stands between the method and the params: `Store.Get: Job-ABCDEF(Runtime=.NET 9.0) [N=1]`.
    fn facts(&self) -> Facts {
        let mut facts = Facts::new();
        let job = self
            .display_info
            .as_deref()
            .and_then(|text| text.split_once(": "));
        if let Some((_, job)) = job {
            let job = job.split_once(" [").map_or(job, |(job, _)| job);
            facts.insert("job", job.to_owned());
        }
        facts
    }
}

/// Returns the benchmark of a method. Its params are written `N=10&Mode=warm`, and nothing in them is escaped.
fn named(
    suite: &SuiteName,
    namespace: &str,
    class: &str,
    method: &str,
    parameters: &str,
) -> Result<BenchId, String> {
    let name = match namespace {
        "" => format!("{class}/{method}"),
        namespace => format!("{namespace}.{class}/{method}"),
    };
    if parameters.is_empty() {
        return bench_of_name(suite, &name);
    }
    let pairs: Option<Vec<(&str, &str)>> = parameters
        .split('&')
        .map(|part| part.split_once('='))
        .collect();
    let by_id = || bench_id(suite, &name, &[("id", parameters)]);
    match pairs {
        Some(pairs) => match bench_id(suite, &name, &pairs) {
            Ok(bench) if bench.params.len() == pairs.len() => Ok(bench),
            _ => by_id(),
        },
        None => by_id(),
    }
}
