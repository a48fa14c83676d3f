//! Reads what `hyperfine --export-json` writes: one object, with the time of each run where that version keeps them, and
//! since version 2 with all that was measured of each run. What `--export-csv` writes is read too, and so are the tables of
//! the other exports and what is printed for people, which are rounded.
//!
//! A command is a benchmark by its own text or by the name it was given; what `--parameter-list` and `--parameter-scan`
//! put into it are params. Tested by `fixtures/hyperfine`.

mod markup;
mod measurements;
mod printed;
mod table_csv;

use std::borrow::Cow;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tripline_model::{BenchId, Metric, Reading, Sample, SuiteName};

use crate::adapter::{Adapter, Mark};
use crate::entry::Entry;
use crate::file_names::{has_extension, is_json};
use crate::gathered::Gathered;
use crate::input::Input;
use crate::json::{Members, Number, Text};
use crate::naming::{bench_id, in_one_line};
use crate::place::ReadError;
use crate::reports::{Report, check_whole, documents, read_hollow, read_marked};
use crate::{Observed, quantity, summary};
use measurements::Measured;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "hyperfine",
    about: "hyperfine 1.0 to 2.0: the file of `--export-json`, of `--export-csv` or of the other exports, or what version 1 prints",
    files: |path| has_extension(path, &["json", "csv"]),
    // Such tables stand in many texts about something else.
    mark: Mark::OrFaintly(&Mark::Text(recognizes), markup::is_in),
    hint: "run `hyperfine --export-json FILE` and give the file it writes",
    read,
};

/// Members of a result, of which no damage takes all.
const MARKS: &[&str] = &["\"command\"", "\"stddev\"", "\"exit_codes\"", RUN_MARK];

/// A member of each run since version 2.
const RUN_MARK: &str = "\"time_wall_clock\"";

/// The param of versions that wrote the value of a scanned parameter without its name.
const PARAMETER: &str = "parameter";

fn recognizes(text: &str) -> bool {
    let has = |member: &str| text.contains(member);
    let is_of_runs = has(RUN_MARK) && (has("\"command\"") || has("\"hyperfine_version\""));
    is_of_runs
        || has("\"command\"") && has("\"mean\"") && (has("\"user\"") || has("\"system\""))
        || table_csv::has_header(text)
        || printed::is_in(text)
}

fn is_marked(text: &str) -> bool {
    MARKS.iter().any(|member| text.contains(member))
}

/// What is said where a command was read from a form that says more.
const SAID_BETTER: &str =
    "passed over: commands that another file of the directory says more of, from here on";

/// Reads each form on its own, those first that say most: one run is often written in many of them.
fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    let mut gathered = Gathered::default();
    let [mut of_csv, mut of_print, mut of_markup] = <[Gathered; 3]>::default();
    for document in documents(input, &ADAPTER) {
        let document = document?.told(&mut gathered);
        let text = document.text();
        if table_csv::has_header(text) {
            table_csv::read(&document, suite, &mut of_csv);
        } else if is_marked(text) {
            read_marked(&document, is_marked, &mut gathered, |report, gathered| {
                read_report(suite, report, gathered);
            });
        } else if printed::is_in(text) {
            printed::read(&document, suite, &mut of_print);
            if let Some(line) = begun_report(text) {
                let text = "a report begins here, and is cut";
                of_print.problem(document.place(line, 1), text);
            }
        } else if markup::is_in(text) {
            markup::read(&document, suite, &mut of_markup);
        } else {
            let read = |report: &mut Report<'_, '_>, gathered: &mut Gathered| {
                read_report(suite, report, gathered);
            };
            read_hollow(&document, is_marked, "\"results\"", &mut gathered, read);
            // What lies beside it may say the same, and less of it.
            if is_json(Path::new(&document.file)) {
                check_whole(&document, input, &mut gathered);
            }
        }
    }
    for more in [of_csv, of_print, of_markup] {
        if let Some(place) = gathered.supplement(more) {
            gathered.remark(place, SAID_BETTER.to_owned());
        }
    }
    gathered.finish(input, ADAPTER.hint)
}

/// Returns the line at which an object begins that does not end.
fn begun_report(text: &str) -> Option<usize> {
    let mut begun = None;
    for (index, line) in text.lines().enumerate() {
        match line.trim_end() {
            "{" => begun = Some(index + 1),
            "}" => begun = None,
            _ => {}
        }
    }
    begun
}

fn read_report(suite: &SuiteName, report: &mut Report<'_, '_>, gathered: &mut Gathered) {
    let Some(Export { results, version }) = report.parse(gathered) else {
        return;
    };
    if version.is_some() {
        return report.each(
            results,
            gathered,
            |command: Measured<'_>, place, gathered| command.entry(suite, place, gathered),
        );
    }
    report.each(
        results,
        gathered,
        |command: Command<'_>, place, gathered| {
            let (bench, readings) = command.named(suite)?;
            let codes = command.exit_codes.as_deref().unwrap_or_default();
            if let Some(text) = failures(&bench, codes) {
                gathered.problem(place.clone(), text);
            }
            Ok(Entry::new(bench, readings))
        },
    );
}

#[derive(Deserialize)]
struct Export<'t> {
    /// There was none before version 2.
    #[serde(rename = "schema_version")]
    version: Option<u64>,
    #[serde(borrow)]
    results: Vec<&'t RawValue>,
}

/// One command. What later versions added may be missing.
#[derive(Deserialize)]
struct Command<'t> {
    #[serde(borrow)]
    command: Text<'t>,
    #[serde(borrow)]
    mean: Number<'t>,
    #[serde(borrow)]
    stddev: Option<Number<'t>>,
    #[serde(borrow)]
    median: Option<Number<'t>>,
    #[serde(borrow)]
    user: Option<Number<'t>>,
    #[serde(borrow)]
    system: Option<Number<'t>>,
    #[serde(borrow)]
    min: Option<Number<'t>>,
    #[serde(borrow)]
    max: Option<Number<'t>>,
    #[serde(borrow)]
    times: Option<Vec<Number<'t>>>,
    #[serde(borrow)]
    memory_usage_byte: Option<Vec<Number<'t>>>,
    exit_codes: Option<Vec<Option<i64>>>,
    #[serde(borrow)]
    parameters: Option<Members<'t, Value>>,
    parameter: Option<Value>,
}

impl Command<'_> {
    fn named(&self, suite: &SuiteName) -> Result<(BenchId, Vec<Reading>), String> {
        let mut pairs: Vec<(&str, String)> = Vec::new();
        for (key, value) in self.parameters.iter().flat_map(|members| &members.0) {
            pairs.push((key, plain(value)));
        }
        pairs.extend(self.parameter.as_ref().map(|v| (PARAMETER, plain(v))));
        let bench = bench_of(suite, &self.command, pairs)?;
        let readings = self.readings().map_err(|error| {
            let bench = bench.within_suite();
            format!("the times of benchmark `{bench}` cannot be used: {error}")
        })?;
        Ok((bench, readings))
    }

    fn readings(&self) -> Result<Vec<Reading>, String> {
        let seconds = quantity::nanoseconds("s").ok_or("seconds are no unit")?;
        let time = known("wall_time");
        let mut readings = Vec::new();
        match self.times.as_deref() {
            Some(times) if !times.is_empty() => {
                let times: Vec<f64> = times.iter().map(|time| time.in_scale(seconds)).collect();
                readings.push(sampled(time, times)?);
            }
            _ => {
                let center = self.median.unwrap_or(self.mean).in_scale(seconds);
                readings.push(summary::standing_for(&time, center, None)?);
                let mean = self.median.map(|_| self.mean);
                for (part, value) in [
                    ("min", self.min),
                    ("mean", mean),
                    ("max", self.max),
                    ("stddev", self.stddev),
                ] {
                    let value = value.map(|value| value.in_scale(seconds));
                    readings.extend(value.map(|v| summary::part(&time, part, v)).transpose()?);
                }
            }
        }
        for (name, value) in [("user_time", self.user), ("system_time", self.system)] {
            let value = value.map(|value| value.in_scale(seconds));
            let reading = value.map(|v| summary::standing_for(&known(name), v, None));
            readings.extend(reading.transpose()?);
        }
        if let Some(memory) = self.memory_usage_byte.as_deref().filter(|m| !m.is_empty()) {
            let bytes = memory.iter().map(|bytes| bytes.value()).collect();
            readings.push(sampled(known("resident_peak"), bytes)?);
        }
        Ok(readings)
    }
}

/// Says which runs of a command failed. Their times are kept: whoever told hyperfine to go on wants them.
fn failures(bench: &BenchId, codes: &[Option<i64>]) -> Option<String> {
    let mut failed = (1..).zip(codes).filter(|(_, code)| **code != Some(0));
    let (run, code) = failed.next()?;
    let how = match code {
        Some(code) => format!("ended with exit code {code}"),
        None => "was killed by a signal".to_owned(),
    };
    let more = match failed.count() {
        0 => String::new(),
        more => format!(", and {more} more failed"),
    };
    let (bench, runs) = (bench.within_suite(), codes.len());
    Some(format!(
        "run {run} of {runs} of benchmark `{bench}` {how}{more}; the times are of failed runs too"
    ))
}

/// Returns the benchmark of a command, which may be of several lines, and so may what is put into it.
fn bench_of(
    suite: &SuiteName,
    command: &str,
    mut pairs: Vec<(&str, String)>,
) -> Result<BenchId, String> {
    // An empty value is a value to hyperfine, and none to us.
    pairs.retain(|(_, value)| !value.trim().is_empty());
    for (_, value) in &mut pairs {
        if let Cow::Owned(line) = in_one_line(value) {
            *value = line;
        }
    }
    bench_id(suite, &in_one_line(command), &pairs)
}

fn known(name: &str) -> Metric {
    Metric::known(name).expect("the metric is in the table")
}

fn sampled(metric: Metric, values: Vec<f64>) -> Result<Reading, String> {
    let sample = Sample::new(values).map_err(|error| format!("{}: {error}", metric.name))?;
    Ok(Reading { metric, sample })
}

/// Returns a parameter's value as it stands on the command line.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
