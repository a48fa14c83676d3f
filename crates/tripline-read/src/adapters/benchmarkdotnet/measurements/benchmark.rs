//! What the rows of one benchmark say together: its results, and what it took of memory, which each row repeats.
//!
//! Tested by `fixtures/benchmarkdotnet` and `refusals/fixtures/benchmarkdotnet.txt`.

use tripline_model::{BenchId, Metric, Reading, Sample, SuiteName};

use super::header::{Header, OF_MEMORY};
use super::row::Row;
use crate::adapters::benchmarkdotnet::named;
use crate::apart::Facts;
use crate::entry::Entry;
use crate::place::shown;
use crate::quantity::number;

/// What stands where the memory diagnoser could not tell.
const UNTOLD: &[&str] = &["", "?", "-", "NA"];

/// A benchmark, as far as its rows were read.
#[derive(Debug)]
pub(super) struct Benchmark {
    /// Where its first row stands.
    pub(super) line: usize,
    namespace: String,
    class: String,
    method: String,
    params: String,
    job: Option<String>,
    values: Vec<f64>,
    operations: Vec<u64>,
    memory: [Repeated; OF_MEMORY.len()],
}

/// A cell that all rows repeat.
#[derive(Debug, Default)]
struct Repeated {
    first: Option<String>,
    /// The line of another, and what it says.
    other: Option<(usize, String)>,
}

impl Benchmark {
    pub(super) fn of(row: &Row<'_>, header: &Header) -> Self {
        let cell = |index| row.cell(index).to_owned();
        Self {
            line: row.line,
            namespace: cell(header.namespace),
            class: cell(header.class),
            method: cell(header.method),
            params: cell(header.params),
            job: header.job.map(cell),
            values: Vec::new(),
            operations: Vec::new(),
            memory: Default::default(),
        }
    }

    /// Takes a row of it over.
    pub(super) fn add(&mut self, row: &Row<'_>, header: &Header) {
        for (repeated, index) in self.memory.iter_mut().zip(header.memory) {
            if let Some(index) = index {
                repeated.add(row.line, row.cell(index));
            }
        }
        if row.is_result {
            self.values.push(row.nanoseconds / row.operations as f64);
            self.operations.push(row.operations);
        }
    }

    /// Returns what was measured. What cannot be used of its memory is told by its line, and the times stay.
    pub(super) fn entry(
        self,
        suite: &SuiteName,
        mut told: impl FnMut(usize, String),
    ) -> Result<Entry, String> {
        let bench = self.bench(suite)?;
        let shown_name = bench.within_suite().to_string();
        if self.values.is_empty() {
            let text = "failed: none of its measurements is a result";
            return Err(format!("benchmark `{shown_name}` {text}"));
        }
        let sample = Sample::with_iterations(self.values, self.operations).map_err(|error| {
            format!("the times of benchmark `{shown_name}` cannot be used: {error}")
        })?;
        let metric = Metric::known("wall_time").expect("the metric is in the table");
        let mut readings = vec![Reading { metric, sample }];
        // In the order of the columns: what is cut off is the last.
        for (repeated, (column, metric)) in self.memory.into_iter().zip(OF_MEMORY) {
            match repeated.reading(metric) {
                Ok(reading) => readings.extend(reading),
                Err((line, error)) => {
                    let what = format!("`{column}` of benchmark `{shown_name}`");
                    let line = line.unwrap_or(self.line);
                    told(line, format!("{what} cannot be used: {error}"));
                }
            }
        }
        let mut facts = Facts::new();
        facts.extend(self.job.map(|job| ("job", job)));
        Ok(Entry {
            facts,
            ..Entry::new(bench, readings)
        })
    }

    /// A description of the author's stands in quotes in place of the method's name.
    fn bench(&self, suite: &SuiteName) -> Result<BenchId, String> {
        let in_quotes = self.method.strip_prefix('\'');
        let in_quotes = in_quotes.and_then(|text| text.strip_suffix('\''));
        let method = in_quotes.unwrap_or(&self.method);
        named(suite, &self.namespace, &self.class, method, &self.params)
    }
}

impl Repeated {
    fn add(&mut self, line: usize, cell: &str) {
        match &self.first {
            None => self.first = Some(cell.to_owned()),
            Some(first) if first == cell => {}
            Some(_) => {
                self.other.get_or_insert_with(|| (line, cell.to_owned()));
            }
        }
    }

    /// Returns the metric, or why it is none and where that was seen.
    fn reading(
        self,
        of: fn(f64) -> Result<Reading, String>,
    ) -> Result<Option<Reading>, (Option<usize>, String)> {
        let first = self.first.as_deref().unwrap_or_default();
        if let Some((line, other)) = self.other {
            let text = format!(
                "`{}` stands in some rows, and `{}` in others",
                shown(first),
                shown(&other)
            );
            return Err((Some(line), text));
        }
        if UNTOLD.contains(&first) {
            return Ok(None);
        }
        let value =
            number(first).ok_or_else(|| (None, format!("`{}` is no number", shown(first))))?;
        of(value).map(Some).map_err(|error| (None, error))
    }
}
