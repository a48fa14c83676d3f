//! The table of a suite, by column: as text between lines that are drawn, or as the members of an object.
//!
//! The names of the columns differ between versions and say their unit. A number has how far it may be off behind it, in
//! percent of an average, and in its own unit of a median. Tested by `fixtures/tinybench`.

use tripline_model::{Metric, Reading, Unit};

use crate::document::Document;
use crate::gathered::Gathered;
use crate::place::{Place, shown};
use crate::quantity::{Scale, nanoseconds, percent};
use crate::summary;

/// What is drawn between two cells, and what Markdown has there.
const BORDERS: [char; 2] = ['\u{2502}', '|'];

/// The beginning of the last line of a table.
const END: char = '\u{2514}';

/// The columns of times, as each version calls them before their unit.
const AVERAGE: [&str; 3] = ["Latency avg", "Latency average", "Average Time"];
const MEDIAN: [&str; 2] = ["Latency med", "Latency median"];

/// All others but the name's. Whoever makes the table may add more, or have more in their place.
const OTHERS: [&str; 13] = [
    "",
    "(index)",
    "(idx)",
    "Error",
    "Margin",
    "Remarks",
    "Samples",
    "Stack",
    "Throughput average (ops/s)",
    "Throughput avg (ops/s)",
    "Throughput med (ops/s)",
    "Throughput median (ops/s)",
    "ops/sec",
];

/// The column of the task's name, which is written in two ways.
const NAME: &str = "Task name";

/// What stands where a task has no times.
const NO_TIMES: &str = "N/A";

/// The cells of a row, each with the name of its column.
pub(super) struct Cells(pub(super) Vec<(String, String)>);

/// Returns whether a text holds a table that was drawn.
pub(super) fn is_text(text: &str) -> bool {
    text.lines().any(is_header)
}

fn is_header(line: &str) -> bool {
    line.starts_with(BORDERS) && (line.contains("Task name") || line.contains("Task Name"))
}

fn cells(line: &str) -> Option<Vec<&str>> {
    let border = line.chars().next().filter(|c| BORDERS.contains(c))?;
    let inside = line.trim_end().strip_prefix(border)?.strip_suffix(border)?;
    Some(inside.split(border).map(str::trim).collect())
}

/// Reads the tables of a text, row by row.
pub(super) fn read(
    document: &Document<'_>,
    gathered: &mut Gathered,
    mut row: impl FnMut(&Cells, Place, &mut Gathered),
) {
    let mut columns: Option<Vec<&str>> = None;
    let (mut last, mut is_markdown) = (1, false);
    for line in document.lines() {
        let place = || document.place(line.line, 1);
        last = line.line;
        if is_header(line.text) {
            columns = cells(line.text);
            is_markdown = line.text.starts_with(BORDERS[1]);
        } else if line.text.starts_with(END) || is_markdown && !line.text.contains(BORDERS[1]) {
            columns = None;
            is_markdown = false;
        } else if line.text.contains(BORDERS[0]) || is_markdown && !is_rule(line.text) {
            let found = cells(line.text).zip(columns.as_ref());
            match found.filter(|(cells, columns)| cells.len() == columns.len()) {
                Some((cells, columns)) => {
                    let cells = columns.iter().zip(cells);
                    let cells = cells.map(|(column, cell)| ((*column).to_owned(), unquoted(cell)));
                    row(&Cells(cells.collect()), place(), gathered);
                }
                None => {
                    let text = format!("a damaged row of the table: `{}`", shown(line.text));
                    gathered.problem(place(), text);
                }
            }
        }
    }
    // A table of Markdown ends wherever nothing follows it.
    if columns.is_some() && !is_markdown {
        gathered.problem(document.place(last, 1), "the table has no end");
    }
}

/// Texts stand in quotes, and which ones depends on what they hold.
fn unquoted(cell: &str) -> String {
    let quotes = ['\'', '"', '`'];
    let inside = quotes
        .iter()
        .find_map(|quote| cell.strip_prefix(*quote)?.strip_suffix(*quote));
    match inside {
        Some(inside) if inside.contains('\\') => unescaped(inside),
        _ => inside.unwrap_or(cell).to_owned(),
    }
}

/// Undoes what is escaped within quotes, as Node does it; what is no escape stays.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let (c, behind) = escape(after).unwrap_or(('\\', after));
        out.push(c);
        rest = behind;
    }
    out + rest
}

/// Returns what stands for an escape, and what follows it.
fn escape(text: &str) -> Option<(char, &str)> {
    let (sign, rest) = text.split_at_checked(1)?;
    let digits = match sign {
        "x" => 2,
        "u" => 4,
        _ => {
            let names = ["n\n", "t\t", "r\r", "b\u{8}", "f\u{c}", "v\u{b}"];
            let named = names.iter().find_map(|name| name.strip_prefix(sign));
            return Some((named.unwrap_or(sign).chars().next()?, rest));
        }
    };
    let (code, rest) = rest.split_at_checked(digits)?;
    Some((char::from_u32(u32::from_str_radix(code, 16).ok()?)?, rest))
}

/// Returns whether a line is the one below a header of Markdown.
fn is_rule(line: &str) -> bool {
    line.contains("---") && line.bytes().all(|byte| b"|-: ".contains(&byte))
}

impl Cells {
    /// Returns the task's name.
    pub(super) fn name(&self) -> Option<&str> {
        let name = self
            .0
            .iter()
            .find(|(column, _)| column.eq_ignore_ascii_case(NAME));
        name.map(|(_, name)| &**name)
            .filter(|name| !name.is_empty())
    }

    /// Returns the columns that are none of tinybench's own, of which nothing is read.
    pub(super) fn unread(&self) -> impl Iterator<Item = &str> {
        let columns = self.0.iter().map(|(column, _)| column.trim());
        let is_own = |column: &str| {
            let is_time = time_of(column, &AVERAGE)
                .or(time_of(column, &MEDIAN))
                .is_some();
            is_time || column.eq_ignore_ascii_case(NAME) || OTHERS.contains(&column)
        };
        columns.filter(move |column| !is_own(column))
    }

    /// Returns whether it has any column of tinybench's own.
    pub(super) fn are_own(&self) -> bool {
        self.unread().count() < self.0.len()
    }

    /// Returns the cell of the first column that is of a time, and the time's unit.
    fn time(&self, names: &[&str]) -> Option<(&str, Scale)> {
        let found = self.0.iter().find_map(|(column, cell)| {
            let scale = time_of(column.trim(), names)?;
            Some((&**cell, scale))
        });
        found.filter(|(cell, _)| !cell.is_empty())
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
        let (average, median) = (self.time(&AVERAGE), self.time(&MEDIAN));
        let (cell, scale) = median.or(average).ok_or("its row has no time")?;
        if let Some(why) = self.text("Remarks").filter(|_| cell == NO_TIMES) {
            return Err(format!("it has no times: {}", shown(why)));
        }
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
        let share = |off: &str| {
            let off = off.trim_start_matches('\u{b1}').strip_suffix('%')?;
            percent().of_text(off)
        };
        if let Some(share) = off.and_then(share) {
            readings.push(summary::beside("wall_time_mean_rme", Unit::Ratio, share)?);
        }
        if let Some(count) = self.text("Samples").and_then(|count| count.parse().ok()) {
            readings.push(summary::rounds(count)?);
        }
        Ok(readings)
    }
}

/// Returns the unit of a time's column, if it is called by one of the names.
fn time_of(column: &str, names: &[&str]) -> Option<Scale> {
    let (name, unit) = column.strip_suffix(')')?.split_once(" (")?;
    names.contains(&name).then(|| nanoseconds(unit)).flatten()
}

/// Splits `933.23 ± 98.65%` at its sign.
fn spread(cell: &str) -> (&str, Option<&str>) {
    match cell.split_once('\u{b1}') {
        Some((value, off)) => (value.trim(), Some(off.trim())),
        None => (cell.trim(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_quotes_and_what_is_escaped_in_them() {
        for (cell, expected) in [
            (r"'a\\b'", r"a\b"),
            (r#"'x \'y\' "`'"#, r#"x 'y' "`"#),
            (r"'a\nb\x41\u00b5'", "a\nbA\u{b5}"),
            (r"'a\u00'", r"a\u00"),
            (r"a\\b", r"a\\b"),
            (r#""it's""#, "it's"),
        ] {
            assert_eq!(unquoted(cell), expected, "{cell}");
        }
    }
}
