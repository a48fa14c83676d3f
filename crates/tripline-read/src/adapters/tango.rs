//! Reads what tango's `compare` writes, a line for each benchmark or a table with `--verbose`; what its `solo` writes; and
//! the raw times that `compare --dump` keeps.
//!
//! What was measured is the candidate, the program that was run; the baseline beside it is another build, and is left
//! out. Tested by `fixtures/tango`.

mod dump;
mod line;

use tripline_model::{Metric, Reading, SuiteName};

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::entry::Entry;
use crate::file_names::is_text;
use crate::input::Input;
use crate::listing::{Listing, read_listings};
use crate::naming::bench_of_title;
use crate::place::{ReadError, shown};
use crate::summary;
use line::Line;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "tango",
    about: "tango-bench 0.2 to 0.9: the text of `compare`, with `--verbose` too, and of `solo`; the files of `compare --dump`",
    files: is_text,
    mark: Mark::OrFaintly(&Mark::Line(is_marked), dump::is_dump),
    hint: "run `cargo bench -- compare` and give all that it writes",
    read,
};

fn is_marked(text: &str) -> bool {
    matches!(
        Line::of(text),
        Line::Compared { .. } | Line::Table { .. } | Line::Solo { .. }
    )
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_listings(input, suite, &ADAPTER, read_listing)
}

fn read_listing(mut listing: Listing<'_, '_>) {
    if dump::is_dump(listing.document.text()) {
        return dump::read(listing);
    }
    listing.note_overwritten(|text| Line::of(text) != Line::Other);
    let mut table: Option<Table<'_>> = None;
    for block in listing.document.lines() {
        let line = Line::of(block.text);
        let ends_table = matches!(
            line,
            Line::Compared { .. } | Line::Table { .. } | Line::Solo { .. }
        );
        if ends_table && let Some(table) = table.take() {
            table.end(&mut listing);
        }
        match (line, &mut table) {
            (Line::Compared { name, mean }, _) => {
                let table = Table {
                    mean: Some(mean),
                    ..Table::new(block.line, name)
                };
                table.end(&mut listing);
            }
            (Line::Solo { name, mean, parts }, _) => {
                let table = Table {
                    mean: Some(mean),
                    parts: parts.to_vec(),
                    ..Table::new(block.line, name)
                };
                table.end(&mut listing);
            }
            (Line::Table { name, rounds }, table) => {
                *table = Some(Table {
                    rounds: Some(rounds),
                    ..Table::new(block.line, name)
                });
            }
            (
                Line::Row {
                    part: "mean",
                    candidate,
                },
                Some(table),
            ) => {
                table.mean = Some(candidate);
            }
            (Line::Row { part, candidate }, Some(table)) => table.parts.push((part, candidate)),
            (Line::Row { .. }, None) => {
                listing.problem(block.line, "a damaged result: its name is missing");
            }
            (Line::Damaged, _) => listing.problem(block.line, "a damaged result"),
            (Line::Other, _) => {}
        }
    }
    if let Some(table) = table {
        table.end(&mut listing);
    }
}

/// What is known of one benchmark.
struct Table<'d> {
    line: usize,
    name: &'d str,
    mean: Option<f64>,
    parts: Vec<(&'static str, f64)>,
    rounds: Option<u64>,
}

impl<'d> Table<'d> {
    fn new(line: usize, name: &'d str) -> Self {
        Self {
            line,
            name,
            mean: None,
            parts: Vec::new(),
            rounds: None,
        }
    }

    fn end(self, listing: &mut Listing<'_, '_>) {
        let bench = bench_of_title(listing.suite, self.name);
        let entry = bench.and_then(|bench| Ok(Entry::new(bench, self.readings()?)));
        let entry = entry
            .map_err(|error| format!("benchmark `{}` cannot be used: {error}", shown(self.name)));
        listing.take(self.line, entry);
    }

    fn readings(&self) -> Result<Vec<Reading>, String> {
        let mean = self.mean.ok_or("its mean is missing")?;
        if self.rounds.is_some() && self.parts.len() < line::PARTS.len() {
            return Err("lines of its table are missing".to_owned());
        }
        let time = Metric::known("wall_time").expect("the metric is in the table");
        let mut readings = vec![summary::standing_for(&time, mean, None)?];
        for (part, value) in &self.parts {
            readings.push(summary::part(&time, part, *value)?);
        }
        readings.extend(self.rounds.map(summary::rounds).transpose()?);
        Ok(readings)
    }
}
