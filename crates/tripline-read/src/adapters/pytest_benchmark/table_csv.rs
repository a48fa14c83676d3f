//! The CSV that `pytest-benchmark compare --csv` makes of saved runs: a row for each test, with times in seconds.
//!
//! It does not say which run a row is of, nor by which clock. Tested by `tests/it/refusals/fixtures/pytest_benchmark.txt`.

use std::collections::BTreeMap;

use tripline_model::SuiteName;

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

fn printed(column: &str) -> Option<&'static str> {
    let found = COLUMNS.iter().find(|(name, _)| *name == column);
    found.map(|(_, printed)| *printed)
}

/// Returns whether a text begins with the header of such a table.
pub(super) fn is_text(text: &str) -> bool {
    let header = text.lines().next().unwrap_or_default();
    let Some(columns) = header.strip_prefix("name,") else {
        return false;
    };
    let mut columns = columns.trim_end().split(',');
    let known = columns.clone().filter(|it| printed(it).is_some());
    known.count() >= 3 && columns.all(|it| printed(it).is_some() || it.starts_with(PARAM))
}

/// Reads the rows of a document.
pub(super) fn read(document: &Document<'_>, suite: &SuiteName, gathered: &mut Gathered) {
    let mut lines = document.lines();
    let header = lines.next().map_or("", |line| line.text.trim_end());
    let columns: Vec<&str> = header.split(',').collect();
    let cut_line = document.cut_line();
    for line in lines.filter(|line| !line.text.trim().is_empty()) {
        let entry = match cut_line == Some(line.line) {
            true => Err("the text ends within a line".to_owned()),
            false => row(line.text.trim_end(), &columns, suite),
        };
        gathered.take(entry, document.place(line.line, 1));
    }
}

fn row(text: &str, columns: &[&str], suite: &SuiteName) -> Result<Entry, String> {
    let cells = fields(text, ',').filter(|cells| cells.len() == columns.len());
    let cells = cells.ok_or_else(|| format!("a damaged row of the table: `{}`", shown(text)))?;
    let (mut pairs, mut numbers) = (Vec::new(), BTreeMap::new());
    for (column, cell) in columns.iter().zip(&cells) {
        if let Some(column) = printed(column) {
            numbers.insert(column, &**cell);
        } else if let Some(param) = column.strip_prefix(PARAM).filter(|_| !cell.is_empty()) {
            // A test that has not this param has an empty cell for it.
            pairs.push((param, &**cell));
        }
    }
    let seconds = nanoseconds("s").ok_or("seconds are no unit")?;
    let bench = bench_id(suite, &cells[0], &pairs)?;
    let readings = readings(&numbers, seconds, USUAL_TIMER).map_err(|error| {
        let bench = bench.within_suite();
        format!("the times of benchmark `{bench}` cannot be used: {error}")
    })?;
    Ok(Entry::new(bench, readings))
}
