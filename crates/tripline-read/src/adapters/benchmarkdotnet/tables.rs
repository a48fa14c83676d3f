//! The tables of a document: the CSV of `*-report.csv`, or those of Markdown, as `*-report-github.md` has them and as they are
//! printed.
//!
//! Tested below and by `fixtures/benchmarkdotnet`.

use super::amount::Amount;
use super::columns::{Shown, are_like_table, are_of_table};
use crate::csv;
use crate::document::{Block, Document};
use crate::gathered::Gathered;
use crate::place::{Place, shown};

/// What stands between the fields of a CSV, by the language of the machine.
const DELIMITERS: [char; 3] = [',', ';', '\t'];

/// The longest header that is looked for: it names some sixty columns.
const HEADER_BYTES_MAX: usize = 64 * 1024;

/// Of these a header has one, or it is damaged beyond what can be told from other tables.
const MARKS: [&str; 2] = ["Method", "Mean"];

/// What stands around the cells of the first row of a group.
const BOLD: &str = "**";

/// What ends the columns of a header in Atlassian's dialect, whose rows are as those of the others.
const WIKI_PIPE: &str = "||";

/// A table as it stands. Its rows are taken apart as they are asked for, because all of their cells together are many times
/// as long as they are.
pub(super) struct Table<'t> {
    form: Form,
    pub(super) place: Place,
    pub(super) names: Vec<String>,
    /// The method of all rows, where it stands above them.
    pub(super) method: Option<&'t str>,
    lines: Vec<Block<'t>>,
}

/// A row of a table, with as many cells as there are columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) line: usize,
    pub(super) cells: Vec<Cell>,
}

/// A cell, and at which byte of its line it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) column: usize,
    pub(super) text: String,
}

/// How a line holds cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Pipes,
    Fields(char),
}

/// Returns whether a line begins a table, even where one of its words is damaged; or names the harness, as it does above
/// one.
pub(super) fn is_mark(line: &str) -> bool {
    let line = line.trim_start();
    names_harness(line) || header(line, false).is_some()
}

/// Returns whether a line names the harness and its version, as it does above what all tables of a run have in common.
fn names_harness(line: &str) -> bool {
    let marks = ["BenchmarkDotNet=v", "BenchmarkDotNet v"];
    marks.iter().any(|mark| line.starts_with(mark))
}

/// Returns the method that a line says all rows below have: `Method=Run  Job=ShortRun`.
fn method_in(line: &str) -> Option<&str> {
    let mut parts = line.trim().split("  ").map(str::trim);
    let (method, _) = parts.find_map(|part| {
        let method = part.strip_prefix("Method=")?;
        Some(method.split_once(' ').unwrap_or((method, "")))
    })?;
    (!method.is_empty()).then_some(method)
}

/// Returns the form and the columns of a header, and whether nothing of it is damaged. The method may stand above it.
fn header(line: &str, is_method_above: bool) -> Option<(Form, Vec<Cell>, bool)> {
    if line.len() > HEADER_BYTES_MAX || !MARKS.iter().any(|mark| line.contains(mark)) {
        return None;
    }
    let single;
    let line = match line.trim_end().ends_with(WIKI_PIPE) {
        true => {
            single = line.replace(WIKI_PIPE, "|");
            &single
        }
        false => line,
    };
    let fields = DELIMITERS.map(Form::Fields);
    let forms = [Form::Pipes].into_iter().chain(fields);
    let mut likely = None;
    for form in forms {
        let Some(cells) = form.cells(line) else {
            continue;
        };
        let names = cells.iter().map(|cell| &*cell.text);
        if are_of_table(names.clone(), is_method_above) {
            return Some((form, cells, true));
        }
        if likely.is_none() && are_like_table(names) {
            likely = Some((form, cells, false));
        }
    }
    likely
}

impl Form {
    /// Takes a line apart; none where it has not this form.
    fn cells(self, line: &str) -> Option<Vec<Cell>> {
        match self {
            Self::Pipes => piped(line),
            Self::Fields(delimiter) => {
                let fields = csv::placed_fields(line, delimiter)?;
                let cells = fields.into_iter().map(|(at, text)| Cell {
                    column: at + 1,
                    text: text.trim().to_owned(),
                });
                Some(cells.collect())
            }
        }
    }

    /// Returns whether a line that is no row ends a table of this form.
    fn ends_with(self, line: &str) -> bool {
        let line = line.trim();
        line.is_empty() || self == Self::Pipes && !line.contains('|')
    }
}

/// Takes a line apart whose cells end with a pipe. That before the first is left out by some dialects.
fn piped(line: &str) -> Option<Vec<Cell>> {
    let inside = line.trim_end().strip_suffix('|')?;
    let begin = inside.trim_start();
    let mut at = inside.len() - begin.len();
    let begin = begin
        .strip_prefix('|')
        .inspect(|_| at += 1)
        .unwrap_or(begin);
    let mut cells = Vec::new();
    let mut from = 0;
    let (mut is_bold, mut is_wiki) = (true, false);
    let ends = begin.match_indices('|').map(|(end, _)| end);
    for end in ends.chain([begin.len()]) {
        if begin[from..end].ends_with('\\') {
            continue;
        }
        let cell = &begin[from..end];
        let blanks = cell.len() - cell.trim_start().len();
        is_bold &= wiki_bold(cell.trim()).is_some();
        is_wiki |= !cell.trim().starts_with(BOLD);
        cells.push(Cell {
            column: at + from + blanks + 1,
            text: text_of(cell.trim()),
        });
        from = end + 1;
    }
    if is_bold && is_wiki {
        for cell in &mut cells {
            cell.text = wiki_bold(&cell.text).unwrap_or(&cell.text).to_owned();
        }
    }
    Some(cells)
}

/// Returns what is bold in Atlassian's dialect, where all cells of a row are or none: others write such stars in a param alone.
fn wiki_bold(cell: &str) -> Option<&str> {
    cell.strip_prefix('*')?.strip_suffix('*')
}

/// The longest sign as HTML writes it: `&#1114111;`.
const ENTITY_BYTES_MAX: usize = 10;

/// Returns the text of a cell in Markdown.
fn text_of(cell: &str) -> String {
    let bold = cell
        .strip_prefix(BOLD)
        .and_then(|cell| cell.strip_suffix(BOLD));
    let mut rest = bold.unwrap_or(cell);
    let mut text = String::with_capacity(rest.len());
    while let Some(at) = rest.find(['&', '\\']) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let (written, end) = match rest.strip_prefix("\\|") {
            Some(_) => ('|', 2),
            None => entity(rest).unwrap_or((if rest.starts_with('&') { '&' } else { '\\' }, 1)),
        };
        text.push(written);
        rest = &rest[end..];
    }
    text.push_str(rest);
    text
}

/// Returns the sign that a text begins with as HTML writes it, and how long that is.
fn entity(text: &str) -> Option<(char, usize)> {
    // It is looked for no further: a cell may be nothing but beginnings.
    let end = text
        .bytes()
        .take(ENTITY_BYTES_MAX)
        .position(|it| it == b';')?;
    let name = text.get(..end)?.strip_prefix('&')?;
    let sign = match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        _ => char::from_u32(name.strip_prefix('#')?.parse().ok()?)?,
    };
    Some((sign, name.len() + 2))
}

/// A table that is being read.
enum State<'t> {
    Between,
    Open(Table<'t>),
    /// One whose header is damaged, of which enough was said.
    Broken,
}

/// Reads the tables of a document, and takes note of what is left of others.
pub(super) fn tables<'d>(document: &'d Document<'_>, gathered: &mut Gathered) -> Vec<Table<'d>> {
    let (mut tables, mut state) = (Vec::new(), State::Between);
    let mut end = |state: &mut State<'d>| {
        if let State::Open(table) = std::mem::replace(state, State::Between) {
            tables.push(table);
        }
    };
    let mut last: Option<(Form, usize)> = None;
    let mut method = None;
    let cut_line = document.cut_line();
    for line in document.lines() {
        let (text, place) = (line.text.trim_end(), document.place(line.line, 1));
        method = match names_harness(text.trim_start()) {
            true => None,
            false => method_in(text).or(method),
        };
        if let Some((form, cells, is_whole)) = header(text, method.is_some()) {
            end(&mut state);
            last = Some((form, cells.len()));
            state = if is_whole {
                State::Open(Table {
                    form,
                    place,
                    names: cells.into_iter().map(|cell| cell.text).collect(),
                    method,
                    lines: Vec::new(),
                })
            } else {
                gathered.problem(place, "a damaged header of a table");
                State::Broken
            };
            continue;
        }
        let Some((form, count)) = last else {
            continue;
        };
        if form.ends_with(text) {
            end(&mut state);
            continue;
        }
        let cells = form.cells(text);
        let is_row = cells.as_ref().is_some_and(|cells| cells.len() == count);
        // A number could go on; a unit and a quote could not.
        let is_cut = cut_line == Some(line.line) && text.ends_with(|c: char| c.is_ascii_digit());
        match (&mut state, cells) {
            (State::Broken, _) => {}
            (State::Open(_), _) if is_cut => {
                gathered.problem(place, "the text ends within a line");
            }
            (State::Open(table), Some(cells)) if is_row => {
                table.add(line, &cells);
            }
            (State::Open(_), _) => {
                let text = format!("a damaged row of the table: `{}`", shown(text));
                gathered.problem(place, text);
            }
            (State::Between, Some(cells)) if is_row || cells.iter().any(Cell::is_time) => {
                let text = format!("a row without the header of its table: `{}`", shown(text));
                gathered.problem(place, text);
            }
            (State::Between, _) => {}
        }
    }
    end(&mut state);
    tables
}

impl<'t> Table<'t> {
    /// Adds a row, unless it is one that only parts others.
    fn add(&mut self, line: Block<'t>, cells: &[Cell]) {
        let is_rule = |text: &str| text.trim_matches(':').bytes().all(|byte| byte == b'-');
        let parts = self.form == Form::Pipes && cells.iter().all(|cell| is_rule(&cell.text));
        if !parts {
            self.lines.push(line);
        }
    }

    /// Returns which of the columns of its form are there: a CSV has all.
    pub(super) fn shown(&self) -> Shown {
        match self.form {
            Form::Pipes => Shown::WhatDiffers,
            Form::Fields(_) => Shown::All,
        }
    }

    /// Returns the rows.
    pub(super) fn rows(&self) -> impl Iterator<Item = Row> {
        self.lines.iter().filter_map(|line| {
            Some(Row {
                line: line.line,
                cells: self.form.cells(line.text.trim_end())?,
            })
        })
    }
}

impl Cell {
    fn is_time(&self) -> bool {
        Amount::of(&self.text).is_some_and(Amount::is_time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(form: Form, line: &str) -> Option<Vec<(usize, String)>> {
        let cells = form.cells(line)?.into_iter();
        Some(cells.map(|cell| (cell.column, cell.text)).collect())
    }

    #[test]
    fn cells_are_taken_out_of_their_markup() {
        for (line, expected) in [
            ("| Get | 1.5 ns |", Some(vec![(3, "Get"), (9, "1.5 ns")])),
            ("    Get | 1.5 ns |", Some(vec![(5, "Get"), (11, "1.5 ns")])),
            ("| **Get** |", Some(vec![(3, "Get")])),
            (r"| a\|b\c |", Some(vec![(3, r"a|b\c")])),
            (
                "| *Get* | ** | *1.5 ns* |",
                Some(vec![(3, "Get"), (11, ""), (16, "1.5 ns")]),
            ),
            ("| Get | *.cs* |", Some(vec![(3, "Get"), (9, "*.cs*")])),
            (
                "| **Get** | ***.cs*** |",
                Some(vec![(3, "Get"), (13, "*.cs*")]),
            ),
            (
                "| &#39;a &lt;b&gt;&#39; | 1&#160;234,5 &#181;s | a&b |",
                Some(vec![
                    (3, "'a <b>'"),
                    (27, "1\u{a0}234,5 \u{b5}s"),
                    (50, "a&b"),
                ]),
            ),
            ("|  |", Some(vec![(4, "")])),
            ("| Get | 1.5 ns", None),
        ] {
            let expected = expected.map(|all| {
                all.into_iter()
                    .map(|(at, text)| (at, text.to_owned()))
                    .collect()
            });
            assert_eq!(cells(Form::Pipes, line), expected, "{line}");
        }
    }

    #[test]
    fn a_header_of_atlassians_dialect_has_the_columns_of_others() {
        for line in [
            "||   Method ||     Mean ||    Error ||",
            "   Method ||     Mean ||    Error ||",
        ] {
            let (form, cells, is_whole) = header(line, false).unwrap();
            let names: Vec<&str> = cells.iter().map(|cell| &*cell.text).collect();
            assert_eq!((form, is_whole), (Form::Pipes, true), "{line}");
            assert_eq!(names, ["Method", "Mean", "Error"], "{line}");
        }
    }

    #[test]
    fn a_method_of_all_rows_is_found_among_what_they_have_in_common() {
        for (line, expected) in [
            ("Method=Run  Job=ShortRun  InvocationCount=1  ", Some("Run")),
            ("Job=ShortRun  Method=Run", Some("Run")),
            (
                "Method=Run InvocationCount=1 RunStrategy=Throughput  ",
                Some("Run"),
            ),
            ("Job=ShortRun  OfMethod=Run", None),
            ("Method=  Job=ShortRun", None),
        ] {
            assert_eq!(method_in(line), expected, "{line}");
        }
    }

    #[test]
    fn fields_have_their_places() {
        let line = "\"a \"\"b\"\"\";\"1,5 ns\";;x";
        let expected = [(1, "a \"b\""), (11, "1,5 ns"), (20, ""), (21, "x")];
        let expected = expected.map(|(at, text)| (at, text.to_owned()));
        assert_eq!(cells(Form::Fields(';'), line), Some(expected.to_vec()));
        assert_eq!(cells(Form::Fields(';'), "\"a;b"), None);
    }

    #[test]
    fn a_mark_is_a_header_or_the_name_of_the_harness() {
        for (line, expected) in [
            ("BenchmarkDotNet=v0.13.2, OS=Windows 11", true),
            ("BenchmarkDotNet v0.15.7, Linux", true),
            ("| Method | Mean | Error |", true),
            ("Method;Job;Mean;Error", true),
            ("Methxd,Job,Mean,Error,StdDev", true),
            ("||Method ||     Mean ||    Error ||", true),
            ("| Method | Points |", false),
            ("see the docs of BenchmarkDotNet v0.15", false),
        ] {
            assert_eq!(is_mark(line), expected, "{line}");
        }
    }
}
