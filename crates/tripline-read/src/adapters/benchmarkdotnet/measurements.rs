//! The CSV of all that was measured, value by value: `*-measurements.csv`.
//!
//! Of its rows the results are read, from which BenchmarkDotNet computes its own statistics; what warmed up, and what the
//! overhead took, is not. Each row says its value twice, so that a damaged one is told. Tested by
//! `fixtures/benchmarkdotnet` and `refusals/fixtures/benchmarkdotnet.txt`.

mod benchmark;
mod header;
mod row;

use std::collections::BTreeMap;

use tripline_model::SuiteName;

use crate::document::{Block, Document};
use crate::gathered::Gathered;
use crate::place::shown;
use benchmark::Benchmark;
use header::Header;
use row::Row;

pub(super) use header::is_mark;

/// A table of single measurements, as far as it was read.
struct Table {
    header: Header,
    benchmarks: Vec<Benchmark>,
    /// Where the benchmarks are that were met, by the cells that name them.
    known: BTreeMap<Vec<String>, usize>,
}

/// Reads the tables of a document.
pub(super) fn read(document: &Document<'_>, suite: &SuiteName, gathered: &mut Gathered) {
    let mut table = None;
    for line in document.lines() {
        if is_mark(line.text) {
            if let Some(table) = table.take() {
                finish(table, document, suite, gathered);
            }
            table = begun(document, line, gathered);
        } else if let Some(table) = table.as_mut().filter(|_| !line.text.trim().is_empty())
            && let Err((column, text)) = table.add(line)
        {
            gathered.problem(document.place(line.line, column), text);
        }
    }
    if let Some(table) = table {
        finish(table, document, suite, gathered);
    }
}

fn begun(document: &Document<'_>, line: Block<'_>, gathered: &mut Gathered) -> Option<Table> {
    let place = document.place(line.line, 1);
    let header = match Header::of(line.text) {
        Ok(header) => header,
        Err(text) => {
            gathered.problem(place, text);
            return None;
        }
    };
    if !header.unread.is_empty() {
        let names: Vec<String> = header.unread.iter().map(|name| shown(name)).collect();
        let text = format!("columns that are not read: `{}`", names.join("`, `"));
        gathered.remark(place, text);
    }
    Some(Table {
        header,
        benchmarks: Vec::new(),
        known: BTreeMap::new(),
    })
}

fn finish(table: Table, document: &Document<'_>, suite: &SuiteName, gathered: &mut Gathered) {
    for benchmark in table.benchmarks {
        let place = document.place(benchmark.line, 1);
        let entry = benchmark.entry(suite, |line, text| {
            gathered.problem(document.place(line, 1), text);
        });
        gathered.take(entry, place);
    }
}

impl Table {
    /// Takes a row over, or says what is wrong with it and at which byte.
    fn add(&mut self, line: Block<'_>) -> Result<(), (usize, String)> {
        let row = Row::of(line, &self.header)?;
        let name = row.name(&self.header);
        let index = match self.known.get(&name) {
            Some(index) => *index,
            None => {
                self.known.insert(name, self.benchmarks.len());
                self.benchmarks.push(Benchmark::of(&row, &self.header));
                self.benchmarks.len() - 1
            }
        };
        self.benchmarks[index].add(&row, &self.header);
        Ok(())
    }
}
