//! The CSV: a row for each run and each number that was made of them, to six digits.
//!
//! Counters of the benchmark's own stand in quotes in the header. How badly a complexity fits is no reading: by version it
//! is a ratio, or a ratio divided by what makes seconds the unit of time. Tested by `fixtures/google_benchmark`.

use super::coefficients::Coefficients;
use super::printed::{Counter, Printed, Times, time_unit};
use super::row::SKIPPED;
use crate::csv::fields;
use crate::place::shown;
use crate::quantity::number;

/// The columns of every table, in order.
const COLUMNS: &[&str] = &[
    "name",
    "iterations",
    "real_time",
    "cpu_time",
    "time_unit",
    "bytes_per_second",
    "items_per_second",
    "label",
    "error_occurred",
    "error_message",
];

/// How far a number is rounded, for what it is: it has six digits.
const DIGITS: f64 = 1e-5;

/// How many commas a row has at the very least.
const COMMAS_MIN: usize = 8;

/// Returns whether a line begins a table, even where one of its columns is damaged.
pub(super) fn is_header(line: &str) -> bool {
    let columns = [",iterations,", ",real_time,", ",cpu_time,", ",time_unit,"];
    columns.iter().filter(|mark| line.contains(**mark)).count() >= 3
}

/// The columns of a table.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Table {
    counters: Vec<String>,
}

impl Table {
    pub(super) fn of_header(line: &str) -> Option<Self> {
        let columns = fields(line, ',')?;
        let (known, counters) = columns.split_at_checked(COLUMNS.len())?;
        let is_whole = known
            .iter()
            .zip(COLUMNS)
            .all(|(column, name)| column == name);
        let counters = counters.iter().map(ToString::to_string).collect();
        is_whole.then_some(Self { counters })
    }

    /// Reads a line; none where it is no row of the table.
    pub(super) fn row(&self, text: &str) -> Option<Result<Option<Printed>, String>> {
        let is_meant = text.starts_with('"') || text.matches(',').count() >= COMMAS_MIN;
        is_meant.then(|| {
            let refused = || format!("a damaged row of the table: `{}`", shown(text));
            self.parsed(text).ok_or_else(refused)
        })
    }

    /// Returns what a row says, and nothing of one that is left out.
    fn parsed(&self, text: &str) -> Option<Option<Printed>> {
        let cells = fields(text, ',')?;
        let cell = |index: usize| cells.get(index).map(|cell| &**cell);
        let name = cell(0).filter(|name| !name.is_empty())?.to_owned();
        let printed = |times, counters| Printed {
            name: name.clone(),
            times,
            counters,
        };
        let words = match cell(8)? {
            "" => None,
            "true" => Some("failed"),
            "false" => Some(SKIPPED),
            _ => return None,
        };
        if let Some(words) = words {
            let failure = format!("{words}: {}", shown(cell(9)?));
            return Some(Some(printed(Times::Missing(failure), Vec::new())));
        }
        if cells.len() != COLUMNS.len() + self.counters.len() {
            return None;
        }
        let times = match (cell(1)?, cell(4)?) {
            ("", "") => return name.ends_with("_RMS").then_some(None),
            ("", form) => {
                Times::Complexity(Coefficients::printed(form, cell(2)?, cell(3)?, |number| {
                    number.abs() * DIGITS
                })?)
            }
            (count, "") => Times::Share {
                real: number(cell(2)?)?,
                cpu: number(cell(3)?)?,
                of: count.parse().ok()?,
            },
            (count, unit) => {
                let unit = time_unit(unit)?;
                Times::Run {
                    real: unit.of_text(cell(2)?)?,
                    cpu: unit.of_text(cell(3)?)?,
                    unit,
                    iterations: count.parse().ok()?,
                }
            }
        };
        Some(Some(printed(times, self.counters(&cells))))
    }

    fn counters(&self, cells: &[impl AsRef<str>]) -> Vec<Counter> {
        let of_reporter = cells[5..7].iter().zip(&COLUMNS[5..7]);
        let own = cells[COLUMNS.len()..].iter().zip(&self.counters);
        let all = of_reporter
            .map(|(cell, name)| (cell.as_ref(), *name))
            .chain(own.map(|(cell, name)| (cell.as_ref(), &**name)));
        all.filter(|(cell, _)| !cell.is_empty())
            .map(|(cell, name)| Counter::new(name, cell, number(cell)))
            .collect()
    }
}
