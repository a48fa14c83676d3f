//! The CSV of `--export-csv`: a row for each command, with the numbers that the JSON has beside the times of the runs.
//!
//! Older versions have no median. A command of several lines, which a row then has too, is refused. Tested by
//! `fixtures/hyperfine`.

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
    for line in document.lines() {
        let place = document.place(line.line, 1);
        let text = line.text.trim_end();
        if is_header(text) {
            columns = columns_of(text);
            if columns.is_none() {
                gathered.problem(place, "a damaged header of a table");
            }
            continue;
        }
        let Some(columns) = columns.as_deref().filter(|_| !text.is_empty()) else {
            continue;
        };
        // Only a quote ends a line that could not go on.
        if cut_line == Some(line.line) && !text.ends_with('"') {
            gathered.problem(place, "the text ends within a line");
            continue;
        }
        let entry = match row(text, columns, suite) {
            Some(entry) => entry,
            None => Err(format!("a damaged row of the table: `{}`", shown(text))),
        };
        gathered.take(entry, place);
    }
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
