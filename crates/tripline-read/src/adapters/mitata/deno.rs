//! The table that `deno bench` prints from Deno 1.46.2 on: a line for each benchmark, from Deno 2.4 on with bars between
//! its cells. Before, Deno's table was that of mitata 0.1.
//!
//! How many iterations fit into a second is computed of the average, and left out. Tested below and by `fixtures/mitata`.

use super::table::{
    Row, TO, WITHOUT_HEADER, damaged, failed, failure, in_group, is_rate, time, times,
};
use super::{markdown, table};
use crate::document::Document;
use crate::gathered::Gathered;
use crate::place::Place;

/// The words of a header, whatever stands between them.
const HEADER: [&str; 10] = [
    "benchmark",
    "time/iter",
    "(avg)",
    "iter/s",
    "(min",
    "\u{2026}",
    "max)",
    "p75",
    "p99",
    "p995",
];

/// How many cells a row has.
const CELLS: usize = 7;

/// How many words stand between the name and the range: the average, its unit and the rate.
const WORDS: usize = 3;

const BAR: char = '|';

/// What stands above the comparison of a group's benchmarks.
const SUMMARY: &str = "summary";

/// At least so much stands between a name and its times, and hardly ever between words.
const GAP: &str = "  ";

/// Returns whether a text holds a table.
pub(super) fn is_text(text: &str) -> bool {
    text.lines().any(is_header)
}

/// Returns whether a line is the header of a table.
pub(super) fn is_header(line: &str) -> bool {
    Columns::of(line).is_some()
}

/// What stands between the cells.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Columns {
    Spaced,
    Barred,
}

impl Columns {
    /// Returns the columns of the table below a header.
    fn of(line: &str) -> Option<Self> {
        let columns = match line.starts_with(BAR) {
            true => Self::Barred,
            false => Self::Spaced,
        };
        let is_between = |c: char| c.is_ascii_whitespace() || columns == Self::Barred && c == BAR;
        let words = line.split(is_between).filter(|word| !word.is_empty());
        words.eq(HEADER).then_some(columns)
    }

    fn row(self, text: &str) -> Option<Row> {
        match self {
            Self::Spaced => {
                let mut name = text.rsplit_once('(')?.0;
                for _ in 0..WORDS {
                    name = name.trim_end().rsplit_once(' ')?.0;
                }
                row(name, &text[name.len()..])
            }
            Self::Barred => {
                let inside = text.strip_prefix(BAR)?.strip_suffix(BAR)?;
                // From the right, because a name may have bars in it.
                let mut cells: Vec<&str> = inside.rsplitn(CELLS, BAR).collect();
                let name = cells.pop().filter(|_| cells.len() == CELLS - 1)?;
                cells.reverse();
                row(name, &cells.join(" "))
            }
        }
    }

    /// Returns whether a line has what only benchmarks have.
    fn promises(self, text: &str) -> bool {
        let is_of_bars = self == Self::Barred && text.starts_with(BAR) && has_digit(text);
        let has_gap = text.trim().contains(GAP);
        is_of_bars || has_gap && (text.contains(TO) || has_time(text))
    }

    /// Returns whether a line is the header of a table that has nothing to do with benchmarks, as `deno coverage` prints one.
    fn are_left(self, text: &str) -> bool {
        let is_rule = text.bytes().all(|byte| b"-| ".contains(&byte));
        self == Self::Barred && text.starts_with(BAR) && !is_rule && !has_digit(text)
    }
}

/// Returns whether a line is a row, whatever stands between its cells.
fn is_row(text: &str) -> bool {
    let mut all = [Columns::Spaced, Columns::Barred].into_iter();
    all.any(|columns| columns.row(text).is_some())
}

/// Reads what is behind a name.
fn row(name: &str, values: &str) -> Option<Row> {
    let name = name.trim();
    // Where a line end is lost, the first benchmark stands in the name of the second.
    let holds_row = name.contains(TO) && has_time(name);
    if name.is_empty() || holds_row {
        return None;
    }
    let (before, range) = values.rsplit_once('(')?;
    let words: Vec<&str> = before.split_ascii_whitespace().collect();
    let [number, unit, rate] = words[..] else {
        return None;
    };
    let mut row = Row::new(name, time(number, unit)?, [None; table::PARTS.len()]);
    let (percentiles, others) = times(row.take_range(range)?);
    let is_whole = percentiles.len() == 3 && others.is_empty() && is_rate(rate);
    row.set(&[1, 2, 3], &percentiles);
    is_whole.then_some(row)
}

fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

fn has_time(text: &str) -> bool {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    words
        .windows(2)
        .any(|pair| time(pair[0], pair[1]).is_some())
}

/// Returns whether a line that the text ends within has come to its first number.
fn is_begun(text: &str) -> bool {
    let mut behind_gaps = text.trim_start().split(GAP).skip(1);
    behind_gaps.any(|text| text.trim_start().starts_with(|c: char| c.is_ascii_digit()))
}

/// Reads the tables of a text.
pub(super) fn read(
    document: &Document<'_>,
    gathered: &mut Gathered,
    mut take: impl FnMut(&Row, Place, &mut Gathered),
) {
    let cut_line = document.cut_line();
    let mut table = Table::default();
    for block in document.lines() {
        let text = block.text.trim_end();
        let place = document.place(block.line, 1);
        let found = table.line(text);
        let is_in_result = match &found {
            Ok(None) => table.is_open() && is_begun(text),
            // Minutes may have been milliseconds.
            Ok(Some(_)) => text.ends_with(" m"),
            Err(_) => false,
        };
        match found {
            _ if is_in_result && cut_line == Some(block.line) => {
                gathered.problem(place, table::CUT);
            }
            Ok(Some(row)) => take(&row, place, gathered),
            Ok(None) => {}
            Err(text) => gathered.problem(place, text),
        }
    }
}

/// What a line stands below.
#[derive(Clone, Copy, Default)]
enum Below {
    #[default]
    Nothing,
    Header(Columns),
    /// A header of mitata's, whose readers say what is wrong with its rows.
    OtherHeader,
}

/// What is known while a text is read line by line.
#[derive(Default)]
struct Table {
    below: Below,
    group: Option<String>,
    /// Whether the line above belongs to the comparison of a group's benchmarks.
    is_in_summary: bool,
}

impl Table {
    /// Returns the benchmark that a line is, if it is one, or says what is wrong with the line.
    fn line(&mut self, text: &str) -> Result<Option<Row>, String> {
        if let Some(below) = self.entered(text) {
            *self = Self {
                below,
                ..Self::default()
            };
            return Ok(None);
        }
        let columns = match self.below {
            Below::Header(columns) => columns,
            Below::Nothing if is_row(text) => return Err(WITHOUT_HEADER.to_owned()),
            Below::Nothing | Below::OtherHeader => return Ok(None),
        };
        self.is_in_summary = text == SUMMARY || self.is_in_summary && text.starts_with(GAP);
        if self.is_in_summary {
            return Ok(None);
        }
        let named = |name: &str| in_group(self.group.as_deref(), name);
        if let Some(row) = columns.row(text) {
            return Ok(Some(row.named(named)));
        }
        if let Some((name, why)) = failure(text) {
            return Err(failed(&named(name.trim()), why));
        }
        if columns.promises(text) {
            return Err(damaged(text));
        }
        if let Some(group) = text.strip_prefix(table::GROUP_OF_DENO) {
            self.group = Some(group.to_owned());
        }
        Ok(None)
    }

    /// Returns what the lines behind a header stand below.
    fn entered(&self, text: &str) -> Option<Below> {
        if let Some(columns) = Columns::of(text) {
            return Some(Below::Header(columns));
        }
        if table::is_header(text) || markdown::is_header(text) {
            return Some(Below::OtherHeader);
        }
        match self.below {
            Below::Header(columns) if columns.are_left(text) => Some(Below::Nothing),
            _ => None,
        }
    }

    /// Returns whether rows may come.
    fn is_open(&self) -> bool {
        matches!(self.below, Below::Header(_)) && !self.is_in_summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACED: &str = "benchmark         time/iter (avg)        iter/s      (min … max)           p75      p99     p995";
    const BARRED: &str = "| benchmark   | time/iter (avg) |        iter/s |      (min … max)      |      p75 |      p99 |     p995 |";

    #[test]
    fn a_header_says_what_is_between_the_cells() {
        for (text, expected) in [
            (SPACED, Some(Columns::Spaced)),
            (BARRED, Some(Columns::Barred)),
            (&SPACED[..SPACED.len() - 1], None),
            (&BARRED.replace("iter/s", "x"), None),
            (
                "benchmark  time (avg)  iter/s  (min … max)  p75  p99  p995",
                None,
            ),
        ] {
            assert_eq!(Columns::of(text), expected, "{text}");
        }
    }

    #[test]
    fn a_row_is_read_from_its_end() {
        let spaced = "1.0 m    1.5 (  3.1 ns …   2.0 h)   3.2 ns  42.5 µs  85.4 ps";
        let barred = "1.0 m |    1.5 | (  3.1 ns …   2.0 h) |   3.2 ns |  42.5 µs |  85.4 ps |";
        let expected = |name| {
            let times = [3.1, 3.2, 42500.0, 0.0854].map(Some);
            let [min, p75, p99, p995] = times;
            let times = [min, p75, p99, p995, None, Some(7.2e12)];
            Some(Row::new(name, 6e10, times))
        };
        for name in ["get", "a b", "1 | 2 ms", "| a", "f(x)", "1 … 2"] {
            let text = format!("{name}      {spaced}");
            assert_eq!(Columns::Spaced.row(&text), expected(name), "{text}");
            let text = format!("| {name}   |    {barred}");
            assert_eq!(Columns::Barred.row(&text), expected(name), "{text}");
        }
        for text in [
            format!("  {spaced}"),
            format!("get   1.0 m   {spaced} x"),
            format!("get   {}", spaced.replace("85.4 ps", "")),
            format!("get   {}", spaced.replace("1.5", "1.5.")),
            format!("get   {spaced}X get   {spaced}"),
        ] {
            assert_eq!(Columns::Spaced.row(&text), None, "{text}");
        }
        for text in [
            format!("| {barred}"),
            format!("| get | {}", barred.replace("m |", "m")),
            format!("| 1 | 2 ms | {}", barred.replace("m |", "m")),
            format!("| get | {}", barred.replace("1.5", "x")),
            format!("| get | {barred} | get | {barred}"),
        ] {
            assert_eq!(Columns::Barred.row(&text), None, "{text}");
        }
    }
}
