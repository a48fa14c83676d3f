//! The CSV that `pytest-benchmark compare --csv` makes of saved runs: a row for each test, with times in seconds.
//!
//! It does not say which run a row is of, nor by which clock, nor in which group a test is. The rows of several runs are
//! sorted by their times, so that nothing tells which of them belong together: such a file is refused. Tested by
//! `fixtures/pytest_benchmark/csv` and `tests/it/refusals/fixtures/pytest_benchmark.txt`.

use std::collections::BTreeSet;

use tripline_model::few;
use tripline_model::{BenchId, SuiteName};

use super::naming::NO_VALUE;
use super::table::{USUAL_TIMER, readings};
use crate::csv::fields;
use crate::document::Document;
use crate::entry::Entry;
use crate::gathered::Gathered;
use crate::naming::bench_id;
use crate::place::shown;
use crate::quantity::nanoseconds;

/// The columns, and what the printed tables call them.
const COLUMNS: [(&str, &str); 10] = [
    ("min", "Min"),
    ("max", "Max"),
    ("mean", "Mean"),
    ("stddev", "StdDev"),
    ("median", "Median"),
    ("iqr", "IQR"),
    ("outliers", "Outliers"),
    ("ops", "OPS"),
    ("rounds", "Rounds"),
    ("iterations", "Iterations"),
];

/// What stands before a column of params.
const PARAM: &str = "param:";

/// How many lines a row may have: a param that is a text may be of several.
const LINES_MAX: usize = 100;

fn printed(column: &str) -> Option<&'static str> {
    let found = COLUMNS.iter().find(|(name, _)| *name == column);
    found.map(|(_, printed)| *printed)
}

/// Returns whether a text has such a table.
pub(super) fn is_text(text: &str) -> bool {
    text.lines().any(is_header)
}

fn is_header(line: &str) -> bool {
    let Some(columns) = line.strip_prefix("name,") else {
        return false;
    };
    let mut columns = columns.trim_end().split(',');
    let known = columns.clone().filter(|it| printed(it).is_some());
    known.count() >= 3 && columns.all(|it| printed(it).is_some() || it.starts_with(PARAM))
}

/// Returns whether what follows a text stands in quotes that are open in it. A quote of the text itself is doubled.
fn has_open_quote(text: &str) -> bool {
    text.bytes().filter(|byte| *byte == b'"').count() % 2 == 1
}

/// Reads the rows of a document.
pub(super) fn read(document: &Document<'_>, suite: &SuiteName, gathered: &mut Gathered) {
    let table = Table::of(document, gathered);
    if let Some((line, test)) = table.several_runs() {
        let test = shown(test);
        let text = format!(
            "`{test}` stands in several rows: they are of as many runs, and the CSV names none of them; give the file that was saved of each run, or the CSV of one"
        );
        return gathered.problem(document.place(line, 1), text);
    }
    for (row, bench) in table.rows.iter().zip(table.benches(suite)) {
        let entry = bench.and_then(|bench| table.entry(row, bench));
        gathered.take(entry, document.place(row.line, 1));
    }
}

/// A table, as far as its rows are whole.
struct Table<'d> {
    columns: Vec<&'d str>,
    rows: Vec<Row>,
}

struct Row {
    line: usize,
    cells: Vec<String>,
}

impl Row {
    /// Returns the test as pytest calls it, with the id of its params.
    fn test(&self) -> &str {
        self.cells.first().map_or("", String::as_str)
    }

    /// Returns the test's name, and the id of its params where it has one.
    fn name_and_id(&self) -> (&str, Option<&str>) {
        let parts = self.test().strip_suffix(']');
        let parts = parts.and_then(|test| test.split_once('['));
        parts.map_or((self.test(), None), |(name, id)| (name, Some(id)))
    }
}

impl<'d> Table<'d> {
    fn of(document: &'d Document<'_>, gathered: &mut Gathered) -> Self {
        let cut_line = document.cut_line();
        let mut lines = document.lines();
        let header = lines.find(|line| is_header(line.text));
        let header = header.map_or("", |line| line.text.trim_end());
        let columns: Vec<&str> = header.split(',').collect();
        let mut rows = Vec::new();
        while let Some(first) = lines.next() {
            if first.text.trim().is_empty() {
                continue;
            }
            let mut text = first.text.trim_end().to_owned();
            let mut last = first.line;
            // A row goes on below where a quote of it is open. Where none closes it, only its first line is taken away.
            let mut below = lines.clone().take(LINES_MAX);
            let mut is_open = has_open_quote(&text);
            while is_open && let Some(next) = below.next() {
                let more = next.text.trim_end();
                is_open ^= has_open_quote(more);
                text.push('\n');
                text.push_str(more);
                last = next.line;
            }
            if is_open {
                last = first.line;
            }
            let cells = fields(&text, ',').filter(|cells| cells.len() == columns.len());
            let place = document.place(first.line, 1);
            match cells {
                _ if cut_line == Some(last) => {
                    gathered.problem(place, "the text ends within a line");
                    break;
                }
                Some(cells) => {
                    rows.push(Row {
                        line: first.line,
                        cells: cells.into_iter().map(Into::into).collect(),
                    });
                    lines.by_ref().take(last - first.line).for_each(drop);
                }
                None => {
                    let text = shown(first.text.trim_end());
                    gathered.problem(place, format!("a damaged row of the table: `{text}`"));
                }
            }
        }
        Self { columns, rows }
    }

    /// Returns the params of a row, each with its cell.
    fn params<'t>(&'t self, row: &'t Row) -> impl Iterator<Item = (&'d str, &'t str)> {
        let cells = self.columns.iter().zip(&row.cells);
        cells.filter_map(|(column, cell)| Some((column.strip_prefix(PARAM)?, &**cell)))
    }

    /// Returns the second row of a test that stands more than once: a run has each test with the same params but once.
    fn several_runs(&self) -> Option<(usize, &str)> {
        let mut known: BTreeSet<String> = BTreeSet::new();
        let again = self.rows.iter().find(|row| {
            let params: String = self
                .params(row)
                .map(|(_, cell)| together("", cell))
                .collect();
            !known.insert(together(row.test(), &params))
        });
        again.map(|row| (row.line, row.test()))
    }

    /// Returns which benchmark each row is of, called as in JSON.
    fn benches(&self, suite: &SuiteName) -> Vec<Result<BenchId, String>> {
        let mut own: BTreeSet<String> = BTreeSet::new();
        for row in &self.rows {
            let (name, _) = row.name_and_id();
            let params = self.params(row).filter(|(_, cell)| !cell.is_empty());
            own.extend(params.map(|(param, _)| together(name, param)));
        }
        let by_params: Vec<_> = self
            .rows
            .iter()
            .map(|row| self.by_params(row, &own, suite))
            .collect();
        // Params such as `1` and `"1"` are the same here, and their ids are not.
        let (mut known, mut several) = (BTreeSet::<String>::new(), BTreeSet::<String>::new());
        for bench in by_params.iter().flatten().flatten() {
            let name = bench.within_suite();
            if !known.insert(name.clone()) {
                several.insert(name);
            }
        }
        let of_both = self.rows.iter().zip(by_params);
        let all = of_both.map(|(row, bench)| match bench {
            Some(Ok(bench)) if !several.contains(&bench.within_suite()) => Ok(bench),
            _ => by_id(row, suite),
        });
        all.collect()
    }

    /// Returns the benchmark by its params; none where one of them is no plain value, as JSON has them.
    fn by_params(
        &self,
        row: &Row,
        own: &BTreeSet<String>,
        suite: &SuiteName,
    ) -> Option<Result<BenchId, String>> {
        let (name, id) = row.name_and_id();
        let mut pairs = Vec::new();
        for (param, cell) in self.params(row) {
            let value = match cell {
                "True" => "true",
                "False" => "false",
                // A test that has not this param has an empty cell for it, and so has one whose param is none.
                "" if !own.contains(&together(name, param)) => continue,
                "" if id.is_some_and(|id| id.split('-').any(|word| word == "None")) => "None",
                cell => cell,
            };
            let is_object = value.starts_with(['[', '{']) || value.starts_with(NO_VALUE);
            if id.is_some() && (value.is_empty() || is_object || value.contains('\n')) {
                return None;
            }
            pairs.push((param, value));
        }
        let name = if pairs.is_empty() { row.test() } else { name };
        Some(bench_id(suite, name, &pairs)).filter(|bench| bench.is_ok() || id.is_none())
    }

    fn entry(&self, row: &Row, bench: BenchId) -> Result<Entry, String> {
        let cells = self.columns.iter().zip(&row.cells);
        let numbers =
            few::map_of(cells.filter_map(|(column, cell)| Some((printed(column)?, &**cell))));
        let seconds = nanoseconds("s").ok_or("seconds are no unit")?;
        let readings = readings(&numbers, seconds, USUAL_TIMER).map_err(|error| {
            let bench = bench.within_suite();
            format!("the times of benchmark `{bench}` cannot be used: {error}")
        })?;
        Ok(Entry::new(bench, readings))
    }
}

/// Returns two texts as one that is another for any other two.
fn together(one: &str, other: &str) -> String {
    format!("{one}\0{other}")
}

/// Returns the benchmark by pytest's id of its params.
fn by_id(row: &Row, suite: &SuiteName) -> Result<BenchId, String> {
    match row.name_and_id() {
        (name, Some(id)) if !id.trim().is_empty() => bench_id(suite, name, &[("id", id)]),
        // No param is empty, so the name keeps the brackets.
        _ => bench_id(suite, row.test(), &[] as &[(&str, &str)]),
    }
}
