//! The CSV of `--export-csv`: a row for each command, with the numbers that the JSON has beside the times of the runs.
//!
//! Older versions have no median. A command may be of several lines, which its row then has too. Tested by
//! `fixtures/hyperfine`.

use std::borrow::Cow;

use tripline_model::SuiteName;

use super::{Command, PARAMETER};
use crate::csv::fields;
use crate::document::Document;
use crate::entry::Entry;
use crate::gathered::Gathered;
use crate::json::{Members, Number, Text};
use crate::place::shown;

/// The columns of numbers.
const NUMBERS: &[&str] = &["mean", "stddev", "median", "user", "system", "min", "max"];

/// What the name of a parameter's column begins with.
const PARAM: &str = "parameter_";

/// Returns whether a text may hold a table.
pub(super) fn has_header(text: &str) -> bool {
    // The first look is a quick one, because what is asked is mostly JSON.
    (text.contains(",user,") || text.contains(",system,")) && text.lines().any(is_header)
}

/// Returns whether a line begins a table, even where one of its columns is damaged.
fn is_header(line: &str) -> bool {
    let columns: Vec<&str> = line.trim_end().split(',').collect();
    let known = NUMBERS.iter().filter(|name| columns.contains(name));
    let is_of_process = columns.contains(&"user") || columns.contains(&"system");
    is_of_process && known.count() >= 5
}

/// Reads the rows of a document.
pub(super) fn read(document: &Document<'_>, suite: &SuiteName, gathered: &mut Gathered) {
    let cut_line = document.cut_line();
    let mut columns: Option<Vec<String>> = None;
    // A row within a quote: the line it begins at, and what was read of it.
    let mut open: Option<(usize, String)> = None;
    for line in document.lines() {
        let text = line.text.trim_end();
        if open.is_none() && is_header(text) {
            columns = columns_of(text);
            if columns.is_none() {
                gathered.problem(document.place(line.line, 1), "a damaged header of a table");
            }
            continue;
        }
        let Some(columns) = columns.as_deref() else {
            continue;
        };
        let mut take = |line: usize, text: &str| {
            let entry = match row(text, columns, suite) {
                Some(entry) => entry,
                None => Err(format!("a damaged row of the table: `{}`", shown(text))),
            };
            gathered.take(entry, document.place(line, 1));
        };
        if text.is_empty() && open.is_none() {
            continue;
        }
        // A quote that is lost takes no whole row with it.
        if let Some((begin, above)) = open.take_if(|_| is_row(text, columns.len())) {
            take(begin, &above);
        }
        // Within a quote, one more of them closes it.
        let is_whole = is_closed(text) != open.is_some();
        let (begin, text) = match open.take() {
            Some((begin, mut above)) => {
                above.extend(["\n", text]);
                (begin, Cow::Owned(above))
            }
            None => (line.line, Cow::Borrowed(text)),
        };
        if !is_whole && cut_line != Some(line.line) {
            open = Some((begin, text.into_owned()));
        } else if cut_line == Some(line.line) && !text.ends_with('"') {
            // Only a quote ends a line that could not go on.
            gathered.problem(document.place(begin, 1), "the text ends within a line");
        } else {
            take(begin, &text);
        }
    }
    if let Some((begin, text)) = open {
        let text = format!("a damaged row of the table: `{}`", shown(&text));
        gathered.problem(document.place(begin, 1), text);
    }
}

/// Returns whether no quote is left open in a text.
fn is_closed(text: &str) -> bool {
    text.matches('"').count().is_multiple_of(2)
}

/// Returns whether a line is a row by itself.
fn is_row(line: &str, columns: usize) -> bool {
    is_closed(line) && fields(line, ',').is_some_and(|cells| cells.len() == columns)
}

fn columns_of(header: &str) -> Option<Vec<String>> {
    let columns = fields(header, ',')?;
    let is_known = |name: &str| {
        name == "command" || name == PARAMETER || NUMBERS.contains(&name) || name.starts_with(PARAM)
    };
    let is_whole = ["command", "mean"]
        .iter()
        .all(|name| columns.iter().any(|column| column == name));
    let is_whole = is_whole && columns.iter().all(|name| is_known(name));
    is_whole.then(|| columns.iter().map(ToString::to_string).collect())
}

fn row(line: &str, columns: &[String], suite: &SuiteName) -> Option<Result<Entry, String>> {
    let cells = fields(line, ',')?;
    if cells.len() != columns.len() {
        return None;
    }
    let cell = |name: &str| {
        let at = columns.iter().position(|column| column == name)?;
        Some(&*cells[at])
    };
    // One run has no deviation, and an empty cell for it.
    let number = |name: &str| match cell(name).filter(|text| !text.is_empty()) {
        Some(text) => serde_json::from_str::<Number<'_>>(text).ok().map(Some),
        None => Some(None),
    };
    let pairs = columns.iter().zip(&cells).filter_map(|(column, value)| {
        let key = column.strip_prefix(PARAM)?;
        let value = serde_json::Value::String(value.to_string());
        Some((Text::from(key), value))
    });
    let command = Command {
        command: Text::from(cell("command")?),
        mean: number("mean")??,
        stddev: number("stddev")?,
        median: number("median")?,
        user: number("user")?,
        system: number("system")?,
        min: number("min")?,
        max: number("max")?,
        times: None,
        memory_usage_byte: None,
        exit_codes: None,
        parameters: Some(Members(pairs.collect())),
        parameter: cell(PARAMETER).map(|value| serde_json::Value::String(value.to_owned())),
    };
    let named = command.named(suite);
    Some(named.map(|(bench, readings)| Entry::new(bench, readings)))
}
