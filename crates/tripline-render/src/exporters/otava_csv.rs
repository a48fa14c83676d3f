//! A table for Apache Otava: a row for each commit, a column for each series.
//!
//! Otava takes a number from every row of a column. An empty cell is an error to it, and one `nan` hides every change of
//! the series. Where others of its importers find nothing, it repeats the value before, or else the one after
//! (`fill_missing` in its `analysis.py`); so that is what stands where a commit has no value. A commit's suites share a row,
//! however long after each other they were measured, so that there is little to repeat. A series that was measured in
//! several environments is a column in each. Tested by `tests/render/export`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use tripline_model::few;
use tripline_model::number::plural;
use tripline_model::{BenchId, Better, EnvironmentName, MetricName, Run};

use super::csv::{cell, text, write};
use crate::directed::Directed;
use crate::{Export, ExportError, Exported, Exporter, export};

/// A row for each commit.
pub(super) static EXPORTER: Exporter = Exporter {
    name: "otava-csv",
    about: "Apache Otava's CSV importer: a row for each commit, a column for each series",
    hands_back: false,
    export,
};

type Column<'a> = (&'a BenchId, &'a MetricName, &'a EnvironmentName);

/// What was measured of a commit.
struct Row<'a> {
    taken_at: Timestamp,
    commit: &'a str,
    environments: BTreeSet<&'a str>,
    values: BTreeMap<Column<'a>, f64>,
}

fn export<'a>(told: &Export<'a>) -> Result<Exported<'a>, ExportError> {
    export::is_new(told, "a table")?;
    export::is_directed(told, EXPORTER.name, |_, _| false)?;
    let rows = rows(told.runs);
    let mut columns: BTreeSet<Column<'_>> = BTreeSet::new();
    for row in &rows {
        columns.extend(row.values.keys().copied());
    }
    let filled: Vec<Vec<f64>> = columns
        .iter()
        .map(|column| filled(&rows, *column))
        .collect();
    let mut table = csv::Writer::from_writer(Vec::new());
    let first = ["time", "commit", "environment"].map(Cow::Borrowed);
    write(&mut table, first.into_iter().chain(titles(&columns)));
    for (index, row) in rows.iter().enumerate() {
        let environments: Vec<&str> = row.environments.iter().copied().collect();
        let first = [
            Cow::Owned(row.taken_at.to_string()),
            cell(row.commit),
            cell(&environments.join(" ")),
        ];
        let values = filled.iter().map(|values| values[index].to_string());
        write(&mut table, first.into_iter().chain(values.map(Cow::Owned)));
    }
    let mut exported = Exported::from(text(table));
    exported.note(Directed::undirected_left_out(told.runs, |_, _| false));
    exported.note(said_of_filled(&rows, columns.len()));
    Ok(exported)
}

/// Returns the rows, in the order of time. What was measured again of a commit is a row of its own, and so is a run without
/// a commit. An earlier row takes nothing more, or the values of a series would change their order.
fn rows(runs: &[Run]) -> Vec<Row<'_>> {
    let mut runs: Vec<&Run> = runs.iter().collect();
    few::sort_by_key(&mut runs, |run| run.measured_at);
    let mut rows: Vec<Row<'_>> = Vec::new();
    let mut last: BTreeMap<&str, usize> = BTreeMap::new();
    for run in runs {
        let values = values(run);
        let commit = run.revision.as_ref();
        let commit = commit.map_or("", |revision| revision.commit.as_str());
        let is_free = |row: &Row<'_>| values.keys().all(|key| !row.values.contains_key(key));
        let known = last.get(commit).copied();
        let known = known.filter(|at| !commit.is_empty() && is_free(&rows[*at]));
        let at = known.unwrap_or_else(|| {
            rows.push(Row {
                taken_at: run.measured_at,
                commit,
                environments: BTreeSet::new(),
                values: BTreeMap::new(),
            });
            rows.len() - 1
        });
        last.insert(commit, at);
        rows[at].environments.insert(run.environment.name.as_str());
        rows[at].values.extend(values);
    }
    rows
}

fn values(run: &Run) -> BTreeMap<Column<'_>, f64> {
    let readings = run.measurements().flat_map(|measurement| {
        let readings = measurement.readings();
        readings.map(move |reading| (measurement.bench(), reading))
    });
    let readings = readings.filter(|(_, reading)| reading.metric.better != Better::Neither);
    few::map_of(readings.map(|(bench, reading)| {
        let column = (bench, &reading.metric.name, &run.environment.name);
        (column, reading.sample.median())
    }))
}

/// Returns a value for each row: the one before where there is none, or the first there is.
fn filled(rows: &[Row<'_>], column: Column<'_>) -> Vec<f64> {
    let values = rows.iter().map(|row| row.values.get(&column).copied());
    let first = values.clone().flatten().next();
    let mut last = first.expect("a column has a value");
    let fill = |value: Option<f64>| {
        last = value.unwrap_or(last);
        last
    };
    values.map(fill).collect()
}

/// Says how many cells hold what was not measured of their commit, if any do.
fn said_of_filled(rows: &[Row<'_>], columns: usize) -> Option<String> {
    let cells = rows.len() * columns;
    let measured: usize = rows.iter().map(|row| row.values.len()).sum();
    let filled = cells - measured;
    (filled > 0).then(|| {
        [
            &filled.to_string(),
            " of ",
            &plural(cells, "cell", "cells"),
            " hold the value before or after, because their commits have none and Otava takes no empty one",
        ]
        .concat()
    })
}

/// Returns what each column is called, with its environment where the series has others.
fn titles(columns: &BTreeSet<Column<'_>>) -> impl Iterator<Item = Cow<'static, str>> {
    let mut counts: BTreeMap<_, usize> = BTreeMap::new();
    for (bench, metric, _) in columns {
        *counts.entry((bench, metric)).or_default() += 1;
    }
    columns.iter().map(
        move |(bench, metric, environment)| match counts[&(bench, metric)] {
            1 => cell(&format!("{bench} {metric}")),
            _ => cell(&format!("{bench} {metric} {environment}")),
        },
    )
}
