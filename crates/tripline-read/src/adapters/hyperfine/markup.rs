//! The tables of `--export-markdown`, `--export-orgmode` and `--export-asciidoc`: a row for each command, all in one unit,
//! which stands above them.
//!
//! AsciiDoc has a cell in each line, and a blank line before each row. Tested below and by `fixtures/hyperfine`.

use tripline_model::SuiteName;

use super::printed::Times;
use crate::document::Document;
use crate::gathered::Gathered;
use crate::place::shown;
use crate::quantity::nanoseconds;

const COMMAND: &str = "Command";

/// What begins and ends a table in AsciiDoc.
const BORDER: &str = "|===";

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Command,
    Mean,
    Min,
    Max,
    /// Both ends, as the first versions have them.
    Range,
    /// What compares with another row.
    Compared,
    Unknown,
}

/// A table whose header was read.
struct Table {
    columns: Vec<Column>,
    unit: String,
}

/// Returns whether a text holds such a table.
pub(super) fn is_in(text: &str) -> bool {
    text.contains("| Command")
        && rows(text).any(|(_, cells)| Table::of_header(&cells).is_some_and(|it| it.is_whole()))
}

/// Reads the tables of a document.
pub(super) fn read(document: &Document<'_>, suite: &SuiteName, gathered: &mut Gathered) {
    if is_cut(document.text()) {
        let last = document.text().lines().count();
        gathered.problem(document.place(last, 1), "the end of the table is missing");
    }
    let mut table: Option<Table> = None;
    let mut is_ended = false;
    for (line, cells) in rows(document.text()) {
        let place = document.place(line, 1);
        if cells.is_empty() {
            is_ended = true;
            continue;
        }
        if let Some(found) = Table::of_header(&cells) {
            if !found.is_whole() || found.columns.contains(&Column::Unknown) {
                let text = format!("columns that are not known: `{}`", shown(&cells.join("|")));
                gathered.problem(place, text);
            }
            table = Some(found);
            is_ended = false;
            continue;
        }
        let is_rule =
            |cell: &String| !cell.is_empty() && cell.bytes().all(|byte| b"-+:".contains(&byte));
        let Some(table) = table.as_ref().filter(|_| !cells.iter().all(is_rule)) else {
            continue;
        };
        let what = match table.times(&cells) {
            Some((name, times)) if !is_ended => {
                gathered.take(times.entry(suite, name), place);
                continue;
            }
            Some(_) => "a row without the header of its table",
            // Behind a table any other may stand.
            None if is_ended => continue,
            None => "a damaged row of the table",
        };
        gathered.problem(place, format!("{what}: `{}`", shown(&cells.join("|"))));
    }
}

/// Returns whether a table of a text has no end.
fn is_cut(text: &str) -> bool {
    let borders = text.lines().filter(|line| line.trim() == BORDER);
    !borders.count().is_multiple_of(2)
}

/// Returns the rows of a text, each with its line; one without cells stands where a table ends. A command of several lines
/// makes its row one of several lines.
fn rows(text: &str) -> impl Iterator<Item = (usize, Vec<String>)> {
    let (mut is_by_lines, mut is_in_table) = (false, false);
    let mut open: Option<(usize, String)> = None;
    // A last line of the iterator ends what is still open.
    let lines = text.lines().chain([""]).enumerate();
    lines.flat_map(move |(index, text)| {
        let text = text.trim();
        let is_border = text == BORDER;
        let is_end = is_border || text.is_empty();
        if !is_end {
            if let Some((_, above)) = &mut open {
                above.push('\n');
                above.push_str(text);
            } else if text.starts_with('|') {
                open = Some((index + 1, text.to_owned()));
            } else if is_in_table {
                // Without its first pipe a row is none.
                return vec![(index + 1, vec![text.to_owned()])];
            }
        }
        is_in_table = !is_end && !is_by_lines && (is_in_table || open.is_some());
        let is_closed = |(_, row): &mut (usize, String)| !is_by_lines && row.ends_with('|');
        let row = match is_end {
            true => open.take(),
            false => open.take_if(is_closed),
        };
        let row = row.map(|(line, row)| (line, cells(&row, is_by_lines)));
        is_by_lines ^= is_border;
        let end = (is_end && !is_by_lines).then(|| (index + 1, Vec::new()));
        row.into_iter().chain(end).collect()
    })
}

/// Returns the cells of a row. Before each stands a pipe, and in most forms there is one behind the last, without which it may
/// be cut and is none; a pipe of a command stands behind a stroke.
fn cells(row: &str, is_by_lines: bool) -> Vec<String> {
    let mut cells = Vec::new();
    let mut signs = row.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '\\' if signs.next_if_eq(&'|').is_some() => push(&mut cells, '|'),
            '|' => cells.push(String::new()),
            sign => push(&mut cells, sign),
        }
    }
    if !is_by_lines && cells.len() > 1 {
        cells.pop();
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

fn push(cells: &mut [String], sign: char) {
    if let Some(cell) = cells.last_mut() {
        cell.push(sign);
    }
}

impl Table {
    /// Reads a header: `Command`, `Mean [ms]`, `Min [ms]`, `Max [ms]`, `Relative`.
    fn of_header(cells: &[String]) -> Option<Self> {
        let (first, others) = cells.split_first()?;
        let (_, unit) = others.first()?.strip_suffix(']')?.split_once('[')?;
        if first != COMMAND || !others.first()?.starts_with("Mean ") {
            return None;
        }
        let of_unit = format!(" [{unit}]");
        let columns = others
            .iter()
            .map(|title| match title.strip_suffix(&*of_unit) {
                Some("Mean" | "Mean Wall Time") => Column::Mean,
                Some("Min") => Column::Min,
                Some("Max") => Column::Max,
                Some("Min\u{2026}Max") => Column::Range,
                None if ["Relative", "Change", "Factor"].contains(&&**title) => Column::Compared,
                _ => Column::Unknown,
            });
        Some(Self {
            columns: [Column::Command].into_iter().chain(columns).collect(),
            unit: unit.to_owned(),
        })
    }

    fn is_whole(&self) -> bool {
        self.columns.contains(&Column::Mean) && nanoseconds(&self.unit).is_some()
    }

    /// Returns the command of a row, and its times.
    fn times<'c>(&self, cells: &'c [String]) -> Option<(&'c str, Times)> {
        if cells.len() != self.columns.len() {
            return None;
        }
        let unit = nanoseconds(&self.unit)?;
        let time = |text: &str| unit.of_text(text.trim());
        let (mut name, mut times) = ("", Times::default());
        for (column, cell) in self.columns.iter().zip(cells) {
            match column {
                Column::Command => name = bare(cell),
                Column::Mean => match cell.split_once('\u{b1}') {
                    Some((mean, stddev)) => {
                        (times.mean, times.stddev) = (time(mean)?, Some(time(stddev)?));
                    }
                    None => times.mean = time(cell)?,
                },
                Column::Min => times.min = Some(time(cell)?),
                Column::Max => times.max = Some(time(cell)?),
                Column::Range => {
                    let (min, max) = cell.split_once('\u{2026}')?;
                    (times.min, times.max) = (Some(time(min)?), Some(time(max)?));
                }
                Column::Compared | Column::Unknown => {}
            }
        }
        Some((name, times))
    }
}

/// Returns a command without the signs that say that it is code.
fn bare(cell: &str) -> &str {
    let between = |sign: char| cell.strip_prefix(sign)?.strip_suffix(sign);
    between('`').or_else(|| between('=')).unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(usize, String)> {
        let rows = rows(text).filter(|(_, cells)| !cells.is_empty());
        rows.map(|(line, cells)| (line, cells.join(";"))).collect()
    }

    #[test]
    fn rows_are_lines_or_between_blank_lines() {
        let expected = |rows: &[(usize, &str)]| -> Vec<(usize, String)> {
            rows.iter()
                .map(|(line, row)| (*line, (*row).to_owned()))
                .collect()
        };
        for (text, rows) in [
            ("x\n| a | b |\n|:--|\n", &[(2, "a;b"), (3, ":--")][..]),
            ("| a \\| b | c |\n| d | e", &[(1, "a | b;c"), (2, "d")]),
            ("| a\nb | c |\n| d |\n", &[(1, "a\nb;c"), (3, "d")]),
            (
                "|===\n| a \n| b \n\n| c \n| d \n|===\n",
                &[(2, "a;b"), (5, "c;d")],
            ),
            ("|===\n| a | b\n\n| c\n| d", &[(2, "a;b"), (4, "c;d")]),
        ] {
            assert_eq!(found(text), expected(rows), "{text}");
        }
    }

    #[test]
    fn a_table_is_known_by_its_header() {
        for (text, expected) in [
            (
                "| Command | Mean [ms] | Min [ms] | Max [ms] | Relative |",
                true,
            ),
            ("| Command | Mean [s] | Min…Max [s] |", true),
            (
                "| Command  |  Mean Wall Time [ms] |  Change |  Factor |",
                true,
            ),
            ("| Command | Mean [KB] | Min [KB] |", false),
            ("| Command | What it does |", false),
            ("| Command | Mean |", false),
        ] {
            assert_eq!(is_in(text), expected, "{text}");
        }
    }
}
