//! The table at the end of what JMH prints, which is also the file of `-rf text`.
//!
//! All columns but the first end where their names end. Names have lost the package that all have in common, or most of
//! each package: what JMH printed while it ran has them in full, and with how many threads a benchmark ran. Tested by
//! `fixtures/jmh`.

use super::known::Known;
use super::printed::{LOST, Row, split_name};
use crate::document::{Document, is_fence};
use crate::gathered::Gathered;
use crate::place::{Place, shown};

/// What stands for a param that another benchmark has.
const NO_PARAM: &str = "N/A";

/// What sbt writes before each line, and ends a table by leaving it out.
const SBT: &str = "[info] ";

/// What stands behind a target of Kotlin, above the table of what was measured on it.
const SUMMARY: &str = " summary:";

/// What stands before an error; on a machine whose language cannot write that sign, what is written in its place.
const SIGNS: [char; 3] = ['\u{b1}', LOST[0], LOST[1]];

/// What signs that a console cannot write as they are become, where it takes UTF-8 for what it writes itself: code pages 437 and
/// 850, and those of Windows.
const MISTAKEN: [(&str, &str); 5] = [
    ("\u{252c}\u{2592}", "\u{b1}"),
    ("\u{c2}\u{b1}", "\u{b1}"),
    ("\u{252c}\u{2556}", "\u{b7}"),
    ("\u{252c}\u{c0}", "\u{b7}"),
    ("\u{c2}\u{b7}", "\u{b7}"),
];

/// The error's column in version 1.0, which sets no sign before it.
const OLD_ERROR: &str = "Score error";

/// Returns whether a line begins a table, even where one of its words is damaged. Sbt writes before each what it is.
pub(super) fn is_header(line: &str) -> bool {
    let line = line.strip_prefix(SBT).unwrap_or(line);
    let words = [
        "Benchmark ",
        " Mode ",
        " Cnt ",
        " Score ",
        " Error ",
        " Units",
    ];
    let is_here = |word: &&&str| match word.strip_prefix(' ') {
        Some(_) => line.contains(**word),
        None => line.starts_with(**word),
    };
    words.iter().filter(is_here).count() >= 4
}

/// The columns of a table: their names, and where they end.
struct Table {
    columns: Vec<(String, usize)>,
}

impl Table {
    fn of_header(line: &str) -> Option<Self> {
        let mut columns = Vec::new();
        let mut end = 0;
        for word in line.split(' ') {
            end += word.chars().count();
            match columns.last_mut() {
                _ if word.is_empty() => {}
                // Version 1.0 has two words for one column.
                Some((name, last)) if *name == "Score" && word == "error" => {
                    (*name, *last) = (OLD_ERROR.to_owned(), end);
                }
                _ => columns.push((word.to_owned(), end)),
            }
            end += 1;
        }
        let names: Vec<&str> = columns.iter().map(|(name, _)| &**name).collect();
        let params = names.strip_prefix(&["Benchmark"])?;
        let params = params
            .strip_suffix(&["Mode", "Cnt", "Score", "Error", "Units"])
            .or_else(|| params.strip_suffix(&["Mode", "Cnt", "Score", "Units"]))
            .or_else(|| params.strip_suffix(&["Mode", "Samples", "Score", "Error", "Units"]))
            .or_else(|| params.strip_suffix(&["Mode", "Samples", "Score", OLD_ERROR, "Units"]))?;
        let is_whole = params.iter().all(|param| param_of(param).is_some());
        is_whole.then_some(Self { columns })
    }

    fn row(&self, line: &str) -> Option<Row> {
        self.aligned(line)
            .or_else(|| self.aligned(&as_written(line)?))
            .or_else(|| self.overlong(line))
    }

    fn aligned(&self, line: &str) -> Option<Row> {
        let chars: Vec<char> = line.chars().collect();
        let name: String = chars.iter().take_while(|c| **c != ' ').collect();
        let (benchmark, metric) = split_name(&name);
        let mut row = Row {
            benchmark,
            metric,
            ..Row::default()
        };
        let mut start = name.chars().count();
        for (column, end) in self.columns.get(1..)? {
            let cell = chars.get(start..*end)?;
            if start == 0 || cell.first() != Some(&' ') {
                return None;
            }
            let cell: String = cell.iter().collect();
            row.set(column, cell.trim())?;
            start = *end;
        }
        (start == chars.len()).then_some(row)
    }

    /// Reads a row of version 1.0 with a number that is wider than its column, which moves all behind it. By how much, the rest of
    /// the row has to agree with.
    fn overlong(&self, line: &str) -> Option<Row> {
        let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
        let is_older = self.columns.iter().any(|(name, _)| name == OLD_ERROR);
        if !is_older || words.len() != self.columns.len() {
            return None;
        }
        let (benchmark, metric) = split_name(words[0]);
        let mut row = Row {
            benchmark,
            metric,
            ..Row::default()
        };
        let mut moved = 0;
        for (index, word) in words.iter().enumerate().skip(1) {
            let (column, end) = &self.columns[index];
            row.set(column, word)?;
            let (before, start) = &self.columns[index - 1];
            // How wide the names are, no header says.
            if before != "Benchmark" {
                moved += word.chars().count().saturating_sub(end - start - 1);
            }
        }
        let (_, end) = self.columns.last()?;
        (moved > 0 && line.chars().count() == end + moved).then_some(row)
    }
}

/// Returns a line with the signs that were written, where a console took any of them for others.
fn as_written(line: &str) -> Option<String> {
    let mistaken = MISTAKEN.iter().filter(|(found, _)| line.contains(found));
    mistaken.fold(None, |mended, (found, sign)| {
        let line = mended.as_deref().unwrap_or(line);
        Some(line.replace(found, sign))
    })
}

/// Returns the param of a column `(bytes)`.
fn param_of(column: &str) -> Option<&str> {
    column.strip_prefix('(')?.strip_suffix(')')
}

impl Row {
    fn set(&mut self, column: &str, cell: &str) -> Option<()> {
        let text = Some(cell).filter(|cell| !cell.is_empty());
        match (column, text) {
            ("Mode", _) => text?.clone_into(&mut self.mode),
            ("Score", _) => text?.clone_into(&mut self.score),
            ("Units", _) => text?.clone_into(&mut self.unit),
            (_, None | Some(NO_PARAM)) => {}
            ("Cnt" | "Samples", Some(count)) => self.count = Some(count.parse().ok()?),
            ("Error", Some(error)) => {
                self.error = Some(error.strip_prefix(SIGNS)?.trim().to_owned());
            }
            (OLD_ERROR, Some(error)) => self.error = Some(error.to_owned()),
            (param, Some(value)) => {
                let param = param_of(param)?.to_owned();
                self.params.push((param, value.to_owned()));
            }
        }
        Some(())
    }
}

/// Reads the rows of a document.
pub(super) fn rows(document: &Document<'_>, gathered: &mut Gathered) -> Vec<(Place, Row)> {
    let mut known = Known::default();
    let (mut table, mut rows, mut is_ended): (Option<Table>, _, _) = (None, Vec::new(), false);
    let (mut is_of_sbt, mut target) = (false, None);
    for line in document.lines() {
        let place = document.place(line.line, 1);
        let whole = line.text.trim_end();
        let by_sbt = whole.strip_prefix(SBT);
        let text = by_sbt.unwrap_or(whole);
        if let Some(word) = text.strip_suffix(SUMMARY)
            && is_word(word)
        {
            target = Some(word.to_owned());
            is_ended = true;
            continue;
        }
        if is_header(text) {
            table = Table::of_header(text);
            is_ended = false;
            is_of_sbt = by_sbt.is_some();
            if table.is_none() {
                gathered.problem(place, "a damaged header of a table");
            }
            continue;
        }
        is_ended |= text.is_empty() || is_fence(text) || is_of_sbt && by_sbt.is_none();
        let row = table.as_ref().and_then(|table| table.row(text));
        if let Some(mut row) = row {
            known.complete(&mut row);
            row.target.clone_from(&target);
            rows.push((place, row));
        } else if table.is_some() && (!is_ended || is_like_row(text)) {
            let text = format!("a damaged row of the table: `{}`", shown(text));
            gathered.problem(place, text);
        } else if let Some(problem) = known.line(line.line, text) {
            gathered.problem(place, problem);
        }
    }
    for (line, name) in known.without_row() {
        let text = format!("benchmark `{}` has no row in a table", shown(name));
        gathered.problem(document.place(line, 1), text);
    }
    rows
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(char::is_alphanumeric)
}

/// Returns whether something of a row is left in a line that stands behind the table's end.
fn is_like_row(text: &str) -> bool {
    [" \u{b1} ", "/op", " ops/"]
        .iter()
        .any(|mark| text.contains(mark))
}
