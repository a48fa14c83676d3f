//! What a row of a table says of a benchmark: one number that stands for its times, and what stands beside it.
//!
//! That number is the mean, which nearly all tables have; a median is printed only where it differs much. Tested by
//! `fixtures/benchmarkdotnet`.

use std::collections::BTreeMap;

use tripline_model::{BenchId, Metric, Nature, Reading, SuiteName, Unit, UnitSymbol};

use super::amount::{self, Amount};
use super::columns::{Column, Kind, NOT_MEASURED, columns};
use super::metrics::{size, unit_of};
use super::tables::{Row, Table, tables};
use super::twice::Wanted;
use crate::apart::Facts;
use crate::document::Document;
use crate::entry::Entry;
use crate::gathered::Gathered;
use crate::naming::bench_id;
use crate::place::shown;
use crate::quantity::{Scale, as_it_is, bytes, nanoseconds};
use crate::{own, summary};

/// What stands where nothing is told.
const UNTOLD: &[&str] = &["", "-", "?", NOT_MEASURED, "N/A"];

/// What stands for nothing where something was counted.
const ZERO: &str = "-";

/// Columns of diagnosers that count in each benchmark, so that a count of zero alone is left out there.
const COUNTS: &[&str] = &["Completed Work Items", "Lock Contentions", "Exceptions"];

/// What stands for a param that is none, or that another benchmark has.
const NO_PARAM: &[&str] = &["", "?"];

/// What files of tables have behind the class that they are of.
const REPORT: &str = "-report";

/// What a file of many classes is called; each row has its own.
const JOINED: &str = "BenchmarkRun-";

/// What is wrong with a cell, and at which byte of its line that stands.
type Refused = (usize, String);

/// Reads the tables of a document. Where what failed is all that is wanted, it is said what else they have.
pub(super) fn read(
    document: &Document<'_>,
    suite: &SuiteName,
    wanted: Wanted,
    gathered: &mut Gathered,
) {
    let stem = document.stem();
    let is_early = has_decimal_sizes(document.text());
    for table in tables(document, gathered) {
        let place = table.place.clone();
        if table.rows().next().is_none() {
            gathered.problem(place, "the table has no rows");
            continue;
        }
        let Some(known) = Known::of(&table, class_of(&stem), is_early) else {
            let text =
                "no column of the table has the mean or the median of times, with their unit";
            gathered.problem(place, text);
            continue;
        };
        if wanted == Wanted::Failures
            && let Some(text) = known.left_out()
        {
            gathered.remark(place, text);
        }
        if let Some(text) = known.untold(&table) {
            gathered.remark(table.place.clone(), text);
        }
        for row in table.rows() {
            let mut told = Vec::new();
            let entry = known.entry(suite, &row, &mut told);
            if wanted == Wanted::Failures && entry.is_ok() {
                continue;
            }
            let (entry, at) = match entry {
                Ok(entry) => (Ok(entry), 1),
                Err((at, text)) => (Err(text), at),
            };
            gathered.take(entry, document.place(row.line, at));
            for (at, text) in told {
                gathered.problem(document.place(row.line, at), text);
            }
        }
    }
}

/// Returns whether a text names a version to which a thousand bytes are a kilobyte, as it was up to 0.10.5.
fn has_decimal_sizes(text: &str) -> bool {
    text.split_once("=v0.10.").is_some_and(|(_, rest)| {
        let mut rest = rest.bytes();
        matches!(rest.next(), Some(b'0'..=b'5')) && !rest.next().is_some_and(|b| b.is_ascii_digit())
    })
}

/// Returns the class that a file is of: it is named after one, and its table names methods alone.
fn class_of(stem: &str) -> Option<&str> {
    let (_, name) = stem.rsplit_once('/').unwrap_or(("", stem));
    let (class, _) = name.rsplit_once(REPORT)?;
    (!class.is_empty() && !class.starts_with(JOINED)).then_some(class)
}

/// What a table says of all its rows.
struct Known<'t> {
    columns: Vec<Column>,
    /// The column of what stands for all times.
    center: usize,
    point: Option<char>,
    class: Option<&'t str>,
    /// The method of all rows, where no column has it.
    method: Option<&'t str>,
    /// Whether the name of a job says all that tells it from others.
    is_told_by_name: bool,
    /// What a size of its version is.
    size: fn(&str) -> Option<Scale>,
}

impl<'t> Known<'t> {
    fn of(table: &Table<'t>, class: Option<&'t str>, is_early: bool) -> Option<Self> {
        let columns = columns(&table.names, table.rows(), table.shown())?;
        let of_time = |name: &str| {
            let is_it = |column: &Column| matches!(&column.kind, Kind::Time(of) if of == name);
            columns.iter().position(is_it)
        };
        let cells = table.rows().flat_map(|row| {
            let cells = columns.iter().zip(row.cells);
            let numbers = cells.filter(|(column, _)| column.kind.is_number());
            numbers.map(|(_, cell)| cell.text).collect::<Vec<_>>()
        });
        Some(Self {
            center: of_time("mean").or_else(|| of_time("median"))?,
            point: amount::point(cells),
            class,
            method: table.method,
            is_told_by_name: is_told_by_name(&columns, table.rows()),
            size: if is_early { bytes } else { size },
            columns,
        })
    }

    /// Says which metrics stand here and not in the single measurements beside it.
    fn left_out(&self) -> Option<String> {
        let own = self
            .columns
            .iter()
            .filter(|column| column.kind == Kind::Own);
        let names: Vec<String> = own.map(|column| shown(&column.name)).collect();
        let names = names.join("`, `");
        (!names.is_empty()).then(|| {
            format!("the single measurements beside the table are read in its place, which have no `{names}`")
        })
    }

    /// Says in which columns of numbers nothing tells whether a sign stands for zero or for no value.
    fn untold(&self, table: &Table<'_>) -> Option<String> {
        let is_untold = |index: usize, column: &Column| {
            let is_own = column.kind == Kind::Own && !COUNTS.contains(&&*column.name);
            let cells = || table.rows().map(|row| row.cells[index].text.clone());
            is_own
                && cells().any(|cell| cell == ZERO)
                && cells().all(|cell| UNTOLD.contains(&&*cell) || Amount::of(&cell).is_some())
        };
        let columns = self.columns.iter().enumerate();
        let columns = columns.filter(|(index, column)| is_untold(*index, column));
        let names: Vec<String> = columns.map(|(_, column)| shown(&column.name)).collect();
        let names = names.join("`, `");
        (!names.is_empty())
            .then(|| format!("a `-` of `{names}` is not read: it may be zero, or no value"))
    }

    fn entry(
        &self,
        suite: &SuiteName,
        row: &Row,
        told: &mut Vec<Refused>,
    ) -> Result<Entry, Refused> {
        let bench = self.bench(suite, row).map_err(|error| (1, error))?;
        let center = &row.cells[self.center];
        let refused = |what: &str, at: usize, error: String| {
            let bench = bench.within_suite();
            let text = format!("{what} of benchmark `{bench}` cannot be used: {error}");
            (at, text)
        };
        if center.text == NOT_MEASURED {
            let bench = bench.within_suite();
            let text = format!("benchmark `{bench}` failed: it has no times");
            return Err((center.column, text));
        }
        let metric = Metric::known("wall_time").expect("the metric is in the table");
        let time = self.time(self.center, row);
        let reading = time.and_then(|time| summary::standing_for(&metric, time, None));
        let reading = reading.map_err(|error| refused("the times", center.column, error))?;
        let mut readings = vec![reading];
        for (index, column) in self.columns.iter().enumerate() {
            if index == self.center {
                continue;
            }
            match self.beside(index, row, &metric) {
                Ok(reading) => readings.extend(reading),
                Err(error) => {
                    let what = format!("`{}`", shown(&column.name));
                    told.push(refused(&what, row.cells[index].column, error));
                }
            }
        }
        Ok(Entry {
            caveats: Vec::new(),
            facts: self.facts(row),
            bench,
            readings,
        })
    }

    /// Returns what a cell says beside the times that stand for all.
    fn beside(&self, index: usize, row: &Row, time: &Metric) -> Result<Option<Reading>, String> {
        let (kind, cell) = (&self.columns[index].kind, &*row.cells[index].text);
        let is_counted = match kind {
            Kind::Allocated | Kind::Collections(_) => true,
            Kind::Own => COUNTS.contains(&&*self.columns[index].name),
            _ => false,
        };
        let is_nothing = cell == ZERO && is_counted;
        if UNTOLD.contains(&cell) && !is_nothing {
            return Ok(None);
        }
        let number = || match is_nothing {
            true => Ok(0.0),
            false => self.number(index, row, |_| Some(as_it_is())),
        };
        let reading = match kind {
            Kind::Time(part) => summary::part(time, part, self.time(index, row)?),
            Kind::Rounds => summary::beside("rounds", Unit::Count, number()?),
            Kind::OperationsPerSecond => {
                summary::beside("operations_per_second", Unit::PerSecond, number()?)
            }
            Kind::Collections(generation) => {
                let name = format!("gen{generation}_collections_per_1000_operations");
                summary::beside(&name, Unit::Count, number()?)
            }
            Kind::Allocated => {
                let bytes = match is_nothing {
                    true => 0.0,
                    false => self.number(index, row, self.size)?,
                };
                let metric = Metric::known("allocated_bytes").expect("the metric is in the table");
                summary::standing_for(&metric, bytes, None)
            }
            Kind::Own => return self.own(index, row),
            Kind::Namespace | Kind::Class | Kind::Method | Kind::Job(_) => return Ok(None),
            Kind::Categories | Kind::Param | Kind::Computed => return Ok(None),
        };
        reading.map(Some)
    }

    /// Returns a metric of a diagnoser or of the author; a text is none.
    fn own(&self, index: usize, row: &Row) -> Result<Option<Reading>, String> {
        let cell = match &*row.cells[index].text {
            ZERO => "0",
            cell => cell,
        };
        let Some(amount) = Amount::of(cell) else {
            return Ok(None);
        };
        let name = &*self.columns[index].name;
        let is_unit = |of: &str| {
            let is_known = nanoseconds(of).is_some() || (self.size)(of).is_some();
            is_known && UnitSymbol::new(name).is_ok()
        };
        let symbol = match self.unit(index, amount) {
            // What an author calls so is its unit: `MB/s`, `ns/row`.
            "" if name.split_once('/').is_some_and(|(of, _)| is_unit(of)) => name,
            symbol => symbol,
        };
        let (unit, scale) = unit_of(symbol, self.size)?;
        let metric = own::metric(name, unit);
        let metric = Metric {
            nature: Nature::Summarized,
            ..metric.map_err(|error| error.to_string())?
        };
        let value = amount.in_scale(self.point, scale)?;
        summary::standing_for(&metric, value, None).map(Some)
    }

    fn time(&self, index: usize, row: &Row) -> Result<f64, String> {
        self.number(index, row, nanoseconds)
    }

    /// Returns the number in a cell, by what its unit makes of it.
    fn number(
        &self,
        index: usize,
        row: &Row,
        scale: impl Fn(&str) -> Option<Scale>,
    ) -> Result<f64, String> {
        let cell = &*row.cells[index].text;
        let amount = Amount::of(cell).ok_or_else(|| format!("`{}` is no number", shown(cell)))?;
        let unit = self.unit(index, amount);
        let scale = scale(unit).ok_or_else(|| match unit {
            "" => format!("`{}` has no unit", shown(cell)),
            unit => format!("`{}` is none of its units", shown(unit)),
        })?;
        amount.in_scale(self.point, scale)
    }

    /// Returns the unit of a cell, which stands in it or above it.
    fn unit<'u>(&'u self, index: usize, amount: Amount<'u>) -> &'u str {
        match amount.unit {
            "" => self.columns[index].unit.as_deref().unwrap_or_default(),
            unit => unit,
        }
    }

    fn bench(&self, suite: &SuiteName, row: &Row) -> Result<BenchId, String> {
        let mut pairs = Vec::new();
        let (mut namespace, mut class) = (None, self.class);
        let mut method = self.method.unwrap_or_default();
        for (column, cell) in self.columns.iter().zip(&row.cells) {
            match column.kind {
                Kind::Namespace => namespace = Some(&*cell.text),
                Kind::Class => class = Some(&*cell.text),
                Kind::Method => method = &cell.text,
                Kind::Param if !NO_PARAM.contains(&&*cell.text) => {
                    pairs.push((&*column.name, &*cell.text));
                }
                _ => {}
            }
        }
        let in_quotes = method
            .strip_prefix('\'')
            .and_then(|text| text.strip_suffix('\''));
        let method = in_quotes.unwrap_or(method);
        let name = match (namespace, class) {
            _ if method.is_empty() => String::new(),
            (Some(namespace), Some(class)) => format!("{namespace}.{class}/{method}"),
            (_, Some(class)) => format!("{class}/{method}"),
            (_, None) => method.to_owned(),
        };
        bench_id(suite, &name, &pairs)
    }

    fn facts(&self, row: &Row) -> Facts {
        let mut facts = Facts::new();
        for (column, cell) in self.columns.iter().zip(&row.cells) {
            match column.kind {
                Kind::Job(key) if key == "job" || !self.is_told_by_name => {
                    facts.insert(key, cell.text.clone());
                }
                Kind::Categories => {
                    facts.insert("categories", cell.text.clone());
                }
                _ => {}
            }
        }
        facts
    }
}

/// Returns whether jobs of one name agree in all else.
fn is_told_by_name(columns: &[Column], mut rows: impl Iterator<Item = Row>) -> bool {
    let is_name = |column: &Column| column.kind == Kind::Job("job");
    let Some(name) = columns.iter().position(is_name) else {
        return false;
    };
    let mut known: BTreeMap<String, Vec<String>> = BTreeMap::new();
    rows.all(|row| {
        let name = row.cells[name].text.clone();
        let cells = columns.iter().zip(row.cells);
        let of_job = cells.filter(|(column, _)| matches!(column.kind, Kind::Job(_)));
        let said: Vec<String> = of_job.map(|(_, cell)| cell.text).collect();
        *known.entry(name).or_insert_with(|| said.clone()) == said
    })
}
