//! The table of a suite, by column: as text between lines that are drawn, or as the members of an object.
//!
//! The names of the columns differ between versions and say their unit. A number has how far it may be off behind it, in
//! percent of an average, and in its own unit of a median. Tested by `fixtures/tinybench`.

use tripline_model::{Metric, Reading, Unit};

use crate::document::Document;
use crate::gathered::Gathered;
use crate::place::{Place, shown};
use crate::quantity::{Scale, nanoseconds, number};
use crate::summary;

/// What is drawn between two cells.
const BORDER: char = '\u{2502}';

/// The beginning of the last line of a table.
const END: char = '\u{2514}';

/// The cells of a row, each with the name of its column.
pub(super) struct Cells(pub(super) Vec<(String, String)>);

/// Returns whether a text holds a table that was drawn.
pub(super) fn is_text(text: &str) -> bool {
    text.lines().any(is_header)
}

fn is_header(line: &str) -> bool {
    line.starts_with(BORDER) && (line.contains("Task name") || line.contains("Task Name"))
}

fn cells(line: &str) -> Option<Vec<&str>> {
    let inside = line.trim_end().strip_prefix(BORDER)?.strip_suffix(BORDER)?;
    Some(inside.split(BORDER).map(str::trim).collect())
}

/// Reads the tables of a text, row by row.
pub(super) fn read(
    document: &Document<'_>,
    gathered: &mut Gathered,
    mut row: impl FnMut(&Cells, Place, &mut Gathered),
) {
    let mut columns: Option<Vec<&str>> = None;
    let mut last = 1;
    for line in document.lines() {
        let place = || document.place(line.line, 1);
        last = line.line;
        if is_header(line.text) {
            columns = cells(line.text);
        } else if line.text.starts_with(END) {
            columns = None;
        } else if line.text.contains(BORDER) {
            let found = cells(line.text).zip(columns.as_ref());
            match found.filter(|(cells, columns)| cells.len() == columns.len()) {
                Some((cells, columns)) => {
                    let cells = columns.iter().zip(cells);
                    let cells = cells
                        .map(|(column, cell)| ((*column).to_owned(), unquoted(cell).to_owned()));
                    row(&Cells(cells.collect()), place(), gathered);
                }
                None => {
                    let text = format!("a damaged row of the table: `{}`", shown(line.text));
                    gathered.problem(place(), text);
                }
            }
        }
    }
    if columns.is_some() {
        gathered.problem(document.place(last, 1), "the table has no end");
    }
}

/// Texts stand in quotes, and which ones depends on what they hold.
fn unquoted(cell: &str) -> &str {
    let quotes = ['\'', '"', '`'];
    let inside = quotes
        .iter()
        .find_map(|quote| cell.strip_prefix(*quote)?.strip_suffix(*quote));
    inside.unwrap_or(cell)
}

impl Cells {
    /// Returns the task's name.
    pub(super) fn name(&self) -> Option<&str> {
        let name = self
            .0
            .iter()
            .find(|(column, _)| column.eq_ignore_ascii_case("task name"));
        name.map(|(_, name)| &**name)
            .filter(|name| !name.is_empty())
    }

    /// Returns the cell of the first column that begins with one of the words, and the unit in the column's brackets.
    fn time(&self, words: &[&str]) -> Option<(&str, Scale)> {
        let begins = |column: &str| words.iter().any(|word| column.starts_with(word));
        let (column, cell) = self.0.iter().find(|(column, _)| begins(column))?;
        let (_, unit) = column.split_once('(')?;
        let scale = nanoseconds(unit.strip_suffix(')')?)?;
        (!cell.is_empty()).then_some((cell, scale))
    }

    fn text(&self, column: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == column);
        found
            .map(|(_, cell)| &**cell)
            .filter(|cell| !cell.is_empty())
    }

    /// Returns what was measured: the median, or else the average.
    pub(super) fn readings(&self) -> Result<Vec<Reading>, String> {
        if let Some(error) = self.text("Error") {
            return Err(format!("it failed: {}", shown(error)));
        }
        let metric = Metric::known("wall_time").expect("the metric is in the table");
        let average = self.time(&["Latency avg", "Latency average", "Average Time"]);
        let median = self.time(&["Latency med"]);
        let (cell, scale) = median.or(average).ok_or("its row has no time")?;
        let (value, off) = spread(cell);
        let value = scale
            .of_text(value)
            .ok_or_else(|| format!("`{}` is no time", shown(cell)))?;
        let mut readings = vec![summary::standing_for(&metric, value, None)?];
        if median.is_some() {
            if let Some(off) = off.and_then(|off| scale.of_text(off)) {
                readings.push(summary::part(&metric, "mad", off)?);
            }
            if let Some((cell, scale)) = average {
                let (value, _) = spread(cell);
                let value = scale
                    .of_text(value)
                    .ok_or_else(|| format!("`{}` is no time", shown(cell)))?;
                readings.push(summary::part(&metric, "mean", value)?);
            }
        }
        let off = average
            .and_then(|(cell, _)| spread(cell).1)
            .or_else(|| self.text("Margin"));
        let percent =
            off.and_then(|off| number(off.trim_start_matches('\u{b1}').strip_suffix('%')?));
        if let Some(percent) = percent {
            readings.push(summary::beside(
                "wall_time_mean_rme",
                Unit::Ratio,
                percent / 100.0,
            )?);
        }
        if let Some(count) = self.text("Samples").and_then(|count| count.parse().ok()) {
            readings.push(summary::rounds(count)?);
        }
        Ok(readings)
    }
}

/// Splits `933.23 ± 98.65%` at its sign.
fn spread(cell: &str) -> (&str, Option<&str>) {
    match cell.split_once('\u{b1}') {
        Some((value, off)) => (value.trim(), Some(off.trim())),
        None => (cell.trim(), None),
    }
}
