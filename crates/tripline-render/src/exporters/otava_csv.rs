//! A table for Apache Otava: a row for each commit and environment, a column for each series.
//!
//! Otava takes a number from every row of a column. Where a commit has none, the cell says `nan`, which is one to it; an
//! empty cell would be an error. Tested by `tests/render/export`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use tripline_model::{BenchId, Better, MetricName};

use super::csv::{cell, text, write};
use crate::{Export, ExportError, Exporter, export};

/// A row for each commit.
pub(super) static EXPORTER: Exporter = Exporter {
    name: "otava-csv",
    about: "Apache Otava's CSV importer: a row for each commit, a column for each series",
    export,
};

/// What stands where a commit has no value of a series.
const NOTHING: &str = "nan";

type Column<'a> = (&'a BenchId, &'a MetricName);

/// A commit in an environment.
type Key<'a> = (Timestamp, &'a str, &'a str);

fn export(told: &Export<'_>) -> Result<String, ExportError> {
    export::is_new(told, "a table")?;
    let mut columns: BTreeSet<Column<'_>> = BTreeSet::new();
    let mut rows: BTreeMap<Key<'_>, BTreeMap<Column<'_>, f64>> = BTreeMap::new();
    for run in told.runs {
        let commit = run.revision.as_ref();
        let commit = commit.map_or("", |revision| revision.commit.as_str());
        let row = rows
            .entry((run.measured_at, commit, run.environment.name.as_str()))
            .or_default();
        for measurement in run.measurements() {
            for reading in measurement.readings() {
                if reading.metric.better == Better::Neither {
                    continue;
                }
                let column = (measurement.bench(), &reading.metric.name);
                columns.insert(column);
                row.insert(column, reading.sample.median());
            }
        }
    }
    let mut table = csv::Writer::from_writer(Vec::new());
    let titles = columns
        .iter()
        .map(|(bench, metric)| cell(&format!("{bench} {metric}")));
    let first = ["time", "commit", "environment"].map(Cow::Borrowed);
    write(&mut table, first.into_iter().chain(titles));
    for ((time, commit, environment), values) in &rows {
        let first = [
            Cow::Owned(time.to_string()),
            cell(commit),
            cell(environment),
        ];
        let values = columns.iter().map(|column| {
            let value = values.get(column);
            value.map_or(Cow::Borrowed(NOTHING), |value| {
                Cow::Owned(value.to_string())
            })
        });
        write(&mut table, first.into_iter().chain(values));
    }
    Ok(text(table))
}
