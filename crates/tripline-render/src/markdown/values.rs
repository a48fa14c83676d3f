//! What a run measured, as tables by params: the values of one param go across, those of others down, and a cell holds the
//! value with its spread.
//!
//! Each metric of each name has a table of its own, and so has each value of whatever else the benchmarks differ in: two
//! values never share a cell. Tested by `tests/render/table`.

use std::collections::BTreeMap;

use tripline_model::few;
use tripline_model::laid::Laid;
use tripline_model::{BenchId, Measurement, MetricName, ParamKey, Reading, Run, Summary};

use super::room::Room;
use super::rows;
use super::spoken::code;
use super::table::{Column, Table};
use crate::grid::Align;
use crate::{cell, escape, figure};

/// How values are to be laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The params whose values go down.
    pub rows: Vec<ParamKey>,
    /// The param whose values go across.
    pub cols: ParamKey,
    /// The one metric that is shown; all where none is named.
    pub metric: Option<MetricName>,
}

/// Says why values were not laid out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// A param is named twice.
    #[error("`{0}` is named twice, and a param goes one way")]
    Twice(String),
    /// No benchmark has such a param.
    #[error("no benchmark of the run has a param `{name}`; there are {known}")]
    NoParam {
        /// What was asked for.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// There are such params, and no benchmark has all of them.
    #[error("no benchmark of the run has {0} together")]
    NotTogether(String),
    /// No such metric was measured with these params.
    #[error("the benchmarks with these params have no metric `{name}`; they have {known}")]
    NoMetric {
        /// What was asked for.
        name: String,
        /// Those that there are.
        known: String,
    },
}

/// What has a table of its own.
type Tables<'a> = BTreeMap<(BenchId, &'a MetricName), Laid<'a, &'a Reading>>;

/// Lays out what a run measured, as Markdown that can be read as it is.
///
/// # Errors
/// A param or a metric is nowhere in the run, or there is no benchmark with all of the params.
pub fn table(run: &Run, layout: &Layout) -> Result<String, LayoutError> {
    let measured = measured(run, layout)?;
    let mut tables: Tables<'_> = BTreeMap::new();
    for measurement in &measured {
        let bench = measurement.bench();
        for reading in measurement.readings() {
            let metric = &reading.metric.name;
            if layout.metric.as_ref().is_none_or(|asked| asked == metric) {
                let empty = Laid::new(&layout.cols, layout.rows.iter().collect());
                let table = tables.entry((empty.common(bench), metric));
                table.or_insert(empty).put(&bench.params, reading);
            }
        }
    }
    let metric = layout.metric.as_ref().filter(|_| tables.is_empty());
    if let Some(name) = metric {
        let metrics = measured
            .iter()
            .flat_map(|measurement| measurement.readings());
        return Err(LayoutError::NoMetric {
            name: escape::visible(name.as_str()),
            known: listed(metrics.map(|reading| reading.metric.name.as_str())),
        });
    }
    let written = tables.iter().map(|((common, metric), laid)| {
        let (metric, name) = (code(metric.as_str()), code(&common.within_suite()));
        [&metric, " of ", &name, ":\n\n", &written(laid)].concat()
    });
    Ok(written.collect::<Vec<String>>().join("\n"))
}

/// Returns what was measured with all of the params.
fn measured<'a>(run: &'a Run, layout: &Layout) -> Result<Vec<&'a Measurement>, LayoutError> {
    let asked: Vec<&ParamKey> = layout.rows.iter().chain([&layout.cols]).collect();
    let all = || run.measurements().flat_map(|m| m.bench().params.keys());
    for (index, key) in asked.iter().enumerate() {
        let name = escape::visible(key.as_str());
        if asked[..index].contains(key) {
            return Err(LayoutError::Twice(name));
        }
        if !all().any(|known| known == *key) {
            let known = listed(all().map(ParamKey::as_str));
            return Err(LayoutError::NoParam { name, known });
        }
    }
    let has_all = |m: &&Measurement| asked.iter().all(|key| m.bench().params.contains_key(*key));
    let measured: Vec<&Measurement> = run.measurements().filter(has_all).collect();
    match measured.is_empty() {
        true => Err(LayoutError::NotTogether(listed(
            asked.iter().map(|key| key.as_str()),
        ))),
        false => Ok(measured),
    }
}

fn written(laid: &Laid<'_, &Reading>) -> String {
    let mut room = Room::endless();
    let mut columns: Vec<Column> = vec![(String::new(), Align::Left)];
    columns.extend(laid.heads().map(|head| (rows::pair(head), Align::Right)));
    let mut table = Table::begin(columns, &mut room).expect("there is room for anything");
    for (line, readings) in &laid.lines {
        let mut cells = vec![rows::pairs(laid.side(line))];
        let readings = laid.values.iter().map(|value| readings.get(value));
        cells.extend(readings.map(|reading| {
            reading.map_or_else(
                || cell::NOTHING.to_owned(),
                |reading| figure(&Summary::of(&reading.sample), &reading.metric.unit),
            )
        }));
        table.add(cells, 0, &mut room);
    }
    table.text(&mut room)
}

/// Names what there is, each once.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = few::set_of(names)
        .into_iter()
        .map(|name| format!("`{}`", escape::visible(name)))
        .collect();
    match names.is_empty() {
        true => "none".to_owned(),
        false => names.join(", "),
    }
}
