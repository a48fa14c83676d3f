//! The results of hyperfine 2: each run on its own, with whatever was measured of it.
//!
//! A metric that a run lacks is refused: its values would no longer belong to the runs in their order. Tested by
//! `fixtures/hyperfine`.

use serde::Deserialize;
use serde_json::value::RawValue;
use tripline_model::{BenchId, Metric, Reading, SuiteName, Unit};

use super::{bench_of, failures, known, sampled};
use crate::apart::Facts;
use crate::entry::Entry;
use crate::gathered::Gathered;
use crate::grouped::Grouped;
use crate::json::{self, Members, Number, Text};
use crate::own;
use crate::place::{Place, shown};
use crate::quantity::{Scale, as_it_is, nanoseconds};

/// The metrics that harnesses share, by hyperfine's names.
const METRICS: &[(&str, &str)] = &[
    ("time_wall_clock", "wall_time"),
    ("time_cpu", "cpu_time"),
    ("time_user", "user_time"),
    ("time_system", "system_time"),
    ("memory_peak_resident", "resident_peak"),
    ("cpu_cycles", "hardware_cycles"),
    ("instructions", "hardware_instructions"),
    ("cache_misses", "cache_misses"),
    ("branch_misses", "branch_misses"),
];

const EXIT_CODE: &str = "exit_code";

/// Without it a benchmark has no result.
const TIME: &str = "time_wall_clock";

/// The values of the runs, or why there are none.
type Column = Result<Vec<(Metric, f64)>, String>;

/// By what was measured.
type Columns<'t> = Grouped<&'t str, Column>;

/// One command with its runs.
#[derive(Deserialize)]
pub(super) struct Measured<'t> {
    #[serde(borrow)]
    command: Text<'t>,
    /// What stands for the command where the two differ.
    #[serde(borrow)]
    name: Option<Text<'t>>,
    #[serde(borrow)]
    measurements: Vec<Members<'t, &'t RawValue>>,
    #[serde(borrow, default)]
    parameters: Members<'t, Parameter<'t>>,
    #[serde(borrow, default)]
    environment: Members<'t, Text<'t>>,
}

#[derive(Deserialize)]
struct Parameter<'t> {
    #[serde(borrow)]
    value: Text<'t>,
}

/// What was measured of one run.
#[derive(Deserialize)]
struct Value<'t> {
    #[serde(borrow)]
    value: Number<'t>,
    #[serde(borrow)]
    unit: Option<Text<'t>>,
}

impl Measured<'_> {
    pub(super) fn entry(
        &self,
        suite: &SuiteName,
        place: &Place,
        gathered: &mut Gathered,
    ) -> Result<Entry, String> {
        let bench = self.bench(suite)?;
        let codes = self
            .exit_codes()
            .map_err(|error| of_bench(&bench, &error))?;
        if let Some(text) = failures(&bench, &codes) {
            gathered.problem(place.clone(), text);
        }
        let (mut readings, mut refused) = (Vec::new(), Vec::new());
        for (key, column) in self.columns().into_all() {
            match self.reading(key, column) {
                Ok(reading) => readings.push(reading),
                Err(error) if key == TIME => return Err(of_bench(&bench, &error)),
                Err(error) => refused.push(of_bench(&bench, &error)),
            }
        }
        let time = known("wall_time");
        if !readings.iter().any(|reading| reading.metric == time) {
            return Err(of_bench(&bench, "it has no run with a time"));
        }
        for text in refused {
            gathered.problem(place.clone(), text);
        }
        Ok(Entry {
            caveats: Vec::new(),
            readings,
            facts: self.facts(),
            bench,
        })
    }

    fn bench(&self, suite: &SuiteName) -> Result<BenchId, String> {
        let name = self.name.as_deref().filter(|name| !name.trim().is_empty());
        let parameters = self.parameters.0.iter();
        let pairs = parameters
            .map(|(key, parameter)| (&**key, parameter.value.to_string()))
            .collect();
        bench_of(suite, name.unwrap_or(&self.command), pairs)
    }

    /// Two commands of one name may differ in their environment alone.
    fn facts(&self) -> Facts {
        let variables = self.environment.0.iter();
        let variables: Vec<String> = variables
            .map(|(key, value)| format!("{}={}", &**key, &**value))
            .collect();
        let mut facts = Facts::new();
        if !variables.is_empty() {
            facts.insert("environment", variables.join(" "));
        }
        facts
    }

    fn exit_codes(&self) -> Result<Vec<Option<i64>>, String> {
        let members = self.measurements.iter().flat_map(|run| &run.0);
        let codes = members.filter(|(key, _)| &**key == EXIT_CODE);
        codes
            .map(|(_, raw)| {
                let code = serde_json::from_str(raw.get()).ok();
                code.ok_or_else(|| format!("`{}` is no exit code", shown(raw.get())))
            })
            .collect()
    }

    fn columns(&self) -> Columns<'_> {
        let mut columns = Columns::default();
        for run in &self.measurements {
            for (key, raw) in run.0.iter().filter(|(key, _)| &**key != EXIT_CODE) {
                let column = columns.of(key, || Ok(Vec::new()));
                let Ok(values) = column else {
                    continue;
                };
                match value(key, raw) {
                    Ok(value) => values.push(value),
                    Err(error) => *column = Err(format!("`{}`: {error}", shown(key))),
                }
            }
        }
        columns
    }

    fn reading(&self, key: &str, column: Column) -> Result<Reading, String> {
        let (runs, key, column) = (self.measurements.len(), shown(key), column?);
        if column.len() != runs {
            let values = column.len();
            return Err(format!("`{key}` has {values} of the values of {runs} runs"));
        }
        let values = column.iter().map(|(_, value)| *value).collect();
        let metric = column.into_iter().next().map(|(metric, _)| metric);
        sampled(
            metric.ok_or_else(|| format!("`{key}` has no values"))?,
            values,
        )
    }
}

fn of_bench(bench: &BenchId, error: &str) -> String {
    let bench = bench.within_suite();
    format!("the measurements of benchmark `{bench}` cannot be used: {error}")
}

fn value(key: &str, raw: &RawValue) -> Result<(Metric, f64), String> {
    let value: Value<'_> = json::part(raw)?;
    let (unit, scale) = unit_of(value.unit.as_deref())?;
    let row = METRICS.iter().find(|(theirs, _)| *theirs == key);
    let metric = match row {
        Some((_, ours)) => known(ours),
        None => own::metric(key, unit.clone()).map_err(|error| error.to_string())?,
    };
    if metric.unit != unit {
        let (unit, expected) = (unit.symbol(), metric.unit.symbol());
        return Err(format!("its unit is `{unit}` and not `{expected}`"));
    }
    Ok((metric, value.value.in_scale(scale)))
}

/// Times and sizes have one unit each, and counts have none.
fn unit_of(unit: Option<&str>) -> Result<(Unit, Scale), String> {
    Ok(match unit {
        None => (Unit::Count, as_it_is()),
        Some("byte") => (Unit::Byte, as_it_is()),
        Some("second") => (
            Unit::Nanosecond,
            nanoseconds("s").ok_or("seconds are no unit")?,
        ),
        Some(other) => return Err(format!("`{}` is no unit that is known", shown(other))),
    })
}
