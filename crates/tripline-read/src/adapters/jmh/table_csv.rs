//! The CSV of `-rf csv`, and that of `-rf scsv`, which has semicolons.
//!
//! Tested by `fixtures/jmh`.

use super::printed::{Row, split_name};
use crate::csv::fields;
use crate::document::Document;
use crate::gathered::Gathered;
use crate::place::{Place, shown};

/// The columns before the params, in order; that of the error goes on with how sure it is.
const COLUMNS: &[&str] = &[
    "Benchmark",
    "Mode",
    "Threads",
    "Samples",
    "Score",
    "Score Error (",
    "Unit",
];

const PARAM: &str = "Param: ";

/// Returns whether a line begins a table, even where one of its columns is damaged.
pub(super) fn is_header(line: &str) -> bool {
    let columns = [
        "\"Mode\"",
        "\"Threads\"",
        "\"Samples\"",
        "\"Score\"",
        "\"Unit\"",
    ];
    let is_one = |column: &&&str| {
        let ends = [',', ';'];
        ends.iter()
            .any(|end| line.contains(&format!("{column}{end}")))
            || line.ends_with(**column)
    };
    columns.iter().filter(is_one).count() >= 3
}

/// The columns of a table.
struct Table {
    delimiter: char,
    params: Vec<String>,
}

impl Table {
    fn of_header(line: &str) -> Option<Self> {
        let delimiter = [',', ';']
            .into_iter()
            .max_by_key(|sign| line.matches(*sign).count())?;
        let columns = fields(line, delimiter)?;
        let (known, params) = columns.split_at_checked(COLUMNS.len())?;
        let is_whole = known
            .iter()
            .zip(COLUMNS)
            .all(|(column, name)| match name.ends_with('(') {
                true => column.starts_with(name),
                false => column == name,
            });
        let params = params
            .iter()
            .map(|name| Some(name.strip_prefix(PARAM)?.to_owned()));
        Some(Self {
            delimiter,
            params: params.collect::<Option<_>>()?,
        })
        .filter(|_| is_whole)
    }

    fn row(&self, line: &str) -> Option<Row> {
        let cells = fields(line, self.delimiter)?;
        let (known, params) = cells.split_at_checked(COLUMNS.len())?;
        let [name, mode, threads, count, score, error, unit] = known else {
            return None;
        };
        let pairs = self.params.iter().zip(params);
        // A benchmark without a param has an empty cell in the column of another's.
        let pairs = pairs.filter(|(_, value)| !value.is_empty());
        let (benchmark, metric) = split_name(name);
        let row = Row {
            target: None,
            benchmark,
            metric,
            mode: mode.to_string(),
            threads: Some(threads.parse().ok()?),
            count: Some(count.parse().ok()?),
            score: score.to_string(),
            error: Some(error.to_string()),
            unit: unit.to_string(),
            params: pairs
                .map(|(key, value)| (key.clone(), value.to_string()))
                .collect(),
        };
        (params.len() == self.params.len()).then_some(row)
    }

    /// Returns whether a line was meant as a row.
    fn is_meant(&self, line: &str) -> bool {
        line.starts_with('"') || line.matches(self.delimiter).count() >= COLUMNS.len() - 2
    }
}

/// Reads the rows of a document.
pub(super) fn rows(document: &Document<'_>, gathered: &mut Gathered) -> Vec<(Place, Row)> {
    let cut_line = document.cut_line();
    let (mut table, mut rows) = (None, Vec::new());
    for line in document.lines() {
        let place = document.place(line.line, 1);
        let text = line.text.trim_end();
        if is_header(text) {
            table = Table::of_header(text);
            if table.is_none() {
                gathered.problem(place, "a damaged header of a table");
            }
            continue;
        }
        // Only a quote ends a line that could not go on.
        if cut_line == Some(line.line) && !text.ends_with('"') {
            gathered.problem(place, "the text ends within a line");
            continue;
        }
        if let Some(table) = table.as_ref().filter(|table| table.is_meant(text)) {
            match table.row(text) {
                Some(row) => rows.push((place, row)),
                None => {
                    let text = format!("a damaged row of the table: `{}`", shown(text));
                    gathered.problem(place, text);
                }
            }
        }
    }
    rows
}
