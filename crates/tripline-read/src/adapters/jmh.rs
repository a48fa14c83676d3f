//! Reads JMH's results: the file of `-rf`, or of a Gradle or Maven plugin that asks for it, or what it prints.
//!
//! In JSON the score of each iteration of each fork is a value, in order; the other forms have one score for all. A mode is a way of measuring and becomes a param only
//! where one benchmark was measured in several; the number of threads is a param wherever there is more than one.
//! Tested by `fixtures/jmh`.

mod group;
mod known;
mod metric;
mod printed;
mod table;
mod table_csv;

use serde::Deserialize;
use serde_json::value::RawValue;
use tripline_model::{BenchId, SuiteName};

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::apart::Facts;
use crate::entry::Entry;
use crate::file_names::has_extension;
use crate::gathered::Gathered;
use crate::input::Input;
use crate::json::{self, Members, Number, Text};
use crate::naming::bench_id;
use crate::place::{Place, ReadError, shown};
use crate::reports::{Report, read_documents, read_marked};
use group::{Whole, Whose};
use metric::Scores;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "jmh",
    about: "JMH 1.0 to 1.37: the file of `-rf json`, `csv`, `scsv` or `text`, or what it prints",
    files: |path| has_extension(path, &["json", "csv", "scsv", "text", "txt"]),
    mark: Mark::Line(|line| is_marked(line) || printed::is_header(line)),
    hint: "run the benchmarks with `-rf json -rff FILE` and give the file",
    read,
};

/// Members of which each result has one, and no other harness any.
const MARKS: &[&str] = &["\"primaryMetric\"", VERSION, "\"scorePercentiles\""];

const VERSION: &str = "\"jmhVersion\"";

/// How much of a score may be lost in JSON, where it has all its digits but was computed in another order.
const ROUNDING: f64 = 1e-9;

fn is_marked(text: &str) -> bool {
    MARKS.iter().any(|mark| text.contains(mark))
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_documents(input, &ADAPTER, |mut document, gathered| {
        if document.text().lines().any(printed::is_header) {
            return printed::read(&document, suite, gathered);
        }
        // JMH itself names its version and quotes what is no number; what measures Kotlin does neither.
        if !document.text().contains(VERSION) {
            document = document.quoted();
        }
        read_marked(&document, is_marked, gathered, |report, gathered| {
            read_report(report, suite, gathered);
        });
    })
}

fn read_report(report: &mut Report<'_, '_>, suite: &SuiteName, gathered: &mut Gathered) {
    let results: Vec<&RawValue> = report.parse(gathered).unwrap_or_default();
    report.each(
        results,
        gathered,
        |benchmark: Benchmark<'_>, place, gathered| benchmark.entry(suite, place, gathered),
    );
}

/// One benchmark in one mode with one set of params.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Benchmark<'t> {
    #[serde(borrow)]
    benchmark: Text<'t>,
    #[serde(borrow)]
    mode: Text<'t>,
    #[serde(borrow)]
    threads: Option<Number<'t>>,
    #[serde(borrow)]
    forks: Option<Number<'t>>,
    #[serde(borrow)]
    jdk_version: Option<Text<'t>>,
    #[serde(borrow)]
    vm_name: Option<Text<'t>>,
    #[serde(borrow)]
    params: Option<Members<'t, Text<'t>>>,
    #[serde(borrow)]
    primary_metric: Scores<'t>,
    #[serde(borrow, default)]
    secondary_metrics: Members<'t, &'t RawValue>,
}

impl Benchmark<'_> {
    fn entry(
        &self,
        suite: &SuiteName,
        place: &Place,
        gathered: &mut Gathered,
    ) -> Result<Entry, String> {
        let bench = self.bench(suite)?;
        let refused = |metric: &str, error: String| {
            let bench = bench.within_suite();
            format!("the {metric} of benchmark `{bench}` cannot be used: {error}")
        };
        let primary = self.primary_metric.primary(&self.mode);
        let mut readings = primary.map_err(|error| refused("score", error))?;
        let secondary = self.secondary();
        let whose = self.whose(&secondary);
        for (name, scores) in secondary {
            match scores.and_then(|scores| scores.secondary(name, whose)) {
                Ok(reading) => readings.extend(reading),
                Err(error) => {
                    let metric = format!("metric `{}`", shown(name));
                    gathered.problem(place.clone(), refused(&metric, error));
                }
            }
        }
        Ok(Entry {
            caveats: Vec::new(),
            facts: self.facts(),
            bench,
            readings,
        })
    }

    /// Returns what was measured beside the score.
    fn secondary(&self) -> Vec<(&str, Result<Scores<'_>, String>)> {
        let primary = &self.primary_metric;
        let metrics = self.secondary_metrics.0.iter();
        let metrics = metrics.filter(|(name, _)| !primary.has_percentile(name, &self.mode));
        let read = metrics.map(|(name, raw)| (&**name, json::part(raw)));
        read.collect()
    }

    /// Returns whose scores stand beside the benchmark's.
    fn whose(&self, secondary: &[(&str, Result<Scores<'_>, String>)]) -> Whose {
        let primary = &self.primary_metric;
        let parts = secondary.iter().filter_map(|(_, scores)| {
            let scores = scores.as_ref().ok()?;
            scores.score().filter(|_| scores.unit() == primary.unit())
        });
        let parts: Vec<f64> = parts.collect();
        let score = primary.score().unwrap_or_default();
        let whole = Whole {
            mode: &self.mode,
            threads: self.threads.and_then(Number::count),
            score,
            rounding: score * ROUNDING,
        };
        whole.whose(&parts)
    }

    fn bench(&self, suite: &SuiteName) -> Result<BenchId, String> {
        let params = self.params.iter().flat_map(|params| &params.0);
        let pairs = params.map(|(key, value)| (&**key, value.to_string()));
        let threads = self.threads.and_then(Number::count);
        bench(suite, &self.benchmark, pairs.collect(), threads)
    }

    fn facts(&self) -> Facts {
        let mut facts = Facts::new();
        facts.insert("jmh_mode", self.mode.to_string());
        let forks = self.forks.and_then(Number::count);
        facts.extend(forks.map(|forks| ("forks", forks.to_string())));
        facts.extend(
            self.jdk_version
                .as_deref()
                .map(|jdk| ("jdk", jdk.to_owned())),
        );
        facts.extend(self.vm_name.as_deref().map(|vm| ("vm", vm.to_owned())));
        facts
    }
}

fn bench(
    suite: &SuiteName,
    name: &str,
    mut pairs: Vec<(&str, String)>,
    threads: Option<u64>,
) -> Result<BenchId, String> {
    let name = match name.rsplit_once('.') {
        Some((class, method)) => format!("{class}/{method}"),
        None => name.to_owned(),
    };
    let is_free = !pairs.iter().any(|(key, _)| *key == "threads");
    if let Some(threads) = threads.filter(|threads| *threads != 1 && is_free) {
        pairs.push(("threads", threads.to_string()));
    }
    bench_id(suite, &name, &pairs)
}
