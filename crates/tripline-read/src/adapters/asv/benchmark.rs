//! The results of one benchmark: a value for each combination of its params.
//!
//! Tested by `fixtures/asv`.

use serde::Deserialize;
use serde_json::value::RawValue;
use tripline_model::{BenchId, Metric, Nature, Reading, Sample, SuiteName, Unit, UnitSymbol};

use crate::gathered::RESULTS_MAX;
use crate::json::{self, MaybeNumber, Members, Number};
use crate::naming::{bench_id, numbered_value};
use crate::place::shown;
use crate::quantity::{Scale, as_it_is, nanoseconds};
use crate::{own, summary};

/// The most combinations of params of one benchmark: no more could be kept.
const COMBINATIONS_MAX: usize = RESULTS_MAX;

/// What an object of version 1 says of a benchmark.
const OF_OBJECT: [&str; 4] = ["result", "params", "samples", "stats"];

/// The unit of what is tracked and has none.
const NO_UNIT: &str = "unit";

/// Why a benchmark has no value.
pub(super) const NO_VALUE: &str = "it failed, or was skipped";

/// Why a benchmark has none on purpose: its author says for which params it means nothing.
pub(super) const SKIPPED: &str = "it was skipped";

/// What `benchmarks.json` says of a benchmark.
#[derive(Deserialize)]
pub(super) struct Known {
    #[serde(default)]
    param_names: Vec<String>,
    unit: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
}

/// The values of one benchmark.
pub(super) struct Rows<'t> {
    values: Vec<MaybeNumber<'t>>,
    params: Vec<Vec<String>>,
    samples: Vec<Option<Vec<MaybeNumber<'t>>>>,
    numbers: Vec<MaybeNumber<'t>>,
    q25: Vec<MaybeNumber<'t>>,
    q75: Vec<MaybeNumber<'t>>,
}

/// What version 1 says of the times of one combination.
#[derive(Deserialize)]
struct Stats<'t> {
    #[serde(borrow, default)]
    number: MaybeNumber<'t>,
    #[serde(borrow, default)]
    q_25: MaybeNumber<'t>,
    #[serde(borrow, default)]
    q_75: MaybeNumber<'t>,
}

/// Says why there is no value.
fn without_value(value: MaybeNumber<'_>) -> &'static str {
    match value.is_nan() {
        true => SKIPPED,
        false => NO_VALUE,
    }
}

/// A benchmark of one combination of params.
pub(super) struct Found {
    pub(super) bench: BenchId,
    /// None where it has no value.
    pub(super) readings: Vec<Reading>,
    /// Why it has none.
    pub(super) lack: Option<String>,
}

impl Found {
    pub(super) fn of(bench: BenchId, readings: Result<Vec<Reading>, String>) -> Self {
        let (readings, lack) = match readings {
            Ok(readings) => (readings, None),
            Err(why) => (Vec::new(), Some(unusable(&bench.within_suite(), &why))),
        };
        Self {
            bench,
            readings,
            lack,
        }
    }
}

fn unusable(name: &str, why: &str) -> String {
    format!("benchmark `{name}` cannot be used: {why}")
}

impl<'t> Rows<'t> {
    /// Takes the results of a benchmark apart.
    pub(super) fn of(raw: &'t RawValue, columns: Option<&[&str]>) -> Result<Self, String> {
        let cells = cells(raw, columns)?;
        let cell = |name: &str| {
            let (_, raw) = cells.iter().find(|(key, _)| *key == name)?;
            Some(*raw).filter(|raw| raw.get() != "null")
        };
        let has_result = cells.iter().find(|(key, _)| *key == "result");
        let (_, result) = has_result.ok_or("it has no result")?;
        let values = match result.get() {
            text if text.starts_with('[') => json::member("result", result)?,
            _ => vec![json::member("result", result)?],
        };
        let stats: Vec<Option<Stats<'t>>> = list("stats", cell("stats"))?;
        let numbers = |name: &str, of_stats: fn(&Stats<'t>) -> MaybeNumber<'t>| match cell(name) {
            Some(raw) => json::member(name, raw),
            None => Ok(stats
                .iter()
                .map(|one| one.as_ref().map(of_stats).unwrap_or_default())
                .collect()),
        };
        Ok(Self {
            values,
            params: list("params", cell("params"))?,
            samples: cell("samples").map_or(Ok(Vec::new()), samples)?,
            numbers: numbers("stats_number", |one| one.number)?,
            q25: numbers("stats_q_25", |one| one.q_25)?,
            q75: numbers("stats_q_75", |one| one.q_75)?,
        })
    }

    /// Returns whether anything was measured.
    pub(super) fn has_value(&self) -> bool {
        self.values.iter().any(|value| value.number().is_some())
    }

    /// Returns what was measured for each combination of params that was run. What failed as a whole names its combinations
    /// only where there are no more than there is room for.
    pub(super) fn benchmarks(
        &self,
        suite: &SuiteName,
        name: &str,
        known: Option<&Known>,
        room: usize,
    ) -> Result<Vec<Result<Found, String>>, String> {
        let combinations = self
            .params
            .iter()
            .try_fold(1_usize, |count, values| count.checked_mul(values.len()));
        let combinations = combinations.filter(|count| *count <= COMBINATIONS_MAX);
        let combinations =
            combinations.ok_or("it has more combinations of params than can be read")?;
        if self.values.len() == 1 && !self.has_value() {
            let why = without_value(self.values[0]);
            if !(1..=room).contains(&combinations) {
                return Err(why.to_owned());
            }
            let all = (0..combinations).map(|index| self.bench(suite, name, index, known));
            let all: Result<Vec<BenchId>, String> = all.collect();
            let all = all.or(Err(why))?.into_iter().zip(0..);
            // Of all its combinations it is said once.
            let found = all.map(|(bench, index)| Found {
                bench,
                readings: Vec::new(),
                lack: (index == 0).then(|| unusable(&shown(name), why)),
            });
            return Ok(found.map(Ok).collect());
        }
        if self.values.len() != combinations {
            let values = self.values.len();
            return Err(format!(
                "there are {values} values for {combinations} combinations of params"
            ));
        }
        let quantity = quantity(name, known)?;
        let found = (0..combinations).map(|index| {
            let bench = self.bench(suite, name, index, known)?;
            let readings = match self.values[index].number() {
                Some(_) => self.readings(index, &quantity),
                None => Err(without_value(self.values[index]).to_owned()),
            };
            Ok(Found::of(bench, readings))
        });
        Ok(found.collect())
    }

    /// The last param varies fastest.
    fn bench(
        &self,
        suite: &SuiteName,
        name: &str,
        index: usize,
        known: Option<&Known>,
    ) -> Result<BenchId, String> {
        let mut pairs: Vec<(String, &str)> = Vec::new();
        let mut rest = index;
        for (at, values) in self.params.iter().enumerate().rev() {
            let key = known.and_then(|known| known.param_names.get(at)).cloned();
            let key = key.unwrap_or_else(|| numbered_value(at + 1));
            let value = &values[rest % values.len()];
            rest /= values.len();
            pairs.push((key, unquoted(value)));
        }
        bench_id(suite, name, &pairs)
    }

    fn readings(&self, index: usize, quantity: &Quantity) -> Result<Vec<Reading>, String> {
        let Quantity { metric, scale } = quantity;
        let at =
            |numbers: &[MaybeNumber<'t>]| numbers.get(index).and_then(|number| number.number());
        let iterations = at(&self.numbers)
            .and_then(Number::count)
            .filter(|count| *count > 0);
        if let Some(Some(samples)) = self.samples.get(index) {
            let values: Option<Vec<f64>> = samples
                .iter()
                .map(|one| Some(one.number()?.in_scale(*scale)))
                .collect();
            let values = values.ok_or("one of its samples is no number")?;
            let sample = match iterations {
                Some(iterations) => {
                    Sample::with_iterations(&*values, vec![iterations; values.len()])
                }
                None => Sample::new(values),
            };
            let sample = sample.map_err(|error| error.to_string())?;
            return Ok(vec![Reading {
                metric: metric.clone(),
                sample,
            }]);
        }
        let value = at(&self.values).ok_or("it has no value")?.in_scale(*scale);
        let mut readings = vec![summary::standing_for(metric, value, None)?];
        for (part, numbers) in [("q1", &self.q25), ("q3", &self.q75)] {
            if let Some(number) = at(numbers) {
                readings.push(summary::part(metric, part, number.in_scale(*scale))?);
            }
        }
        Ok(readings)
    }
}

/// Returns what stands under each name: a row of version 2 has columns, version 1 an object or a lone value.
fn cells<'c, 't>(
    raw: &'t RawValue,
    columns: Option<&[&'c str]>,
) -> Result<Vec<(&'c str, &'t RawValue)>, String> {
    Ok(match (columns, raw.get().as_bytes().first()) {
        (Some(columns), Some(b'[')) => {
            let row: Vec<&RawValue> = json::part(raw)?;
            columns.iter().copied().zip(row).collect()
        }
        (_, Some(b'{')) => {
            let members: Members<'_, &RawValue> = json::part(raw)?;
            let named = |name: &str| OF_OBJECT.into_iter().find(|known| *known == name);
            let cells = members.0.iter();
            let cells = cells.filter_map(|(key, raw)| Some((named(key)?, *raw)));
            cells.collect()
        }
        _ => vec![("result", raw)],
    })
}

fn list<'t, T: Deserialize<'t>>(name: &str, raw: Option<&'t RawValue>) -> Result<Vec<T>, String> {
    raw.map_or(Ok(Vec::new()), |raw| json::member(name, raw))
}

/// Version 1 keeps the samples of a benchmark without params in a list of their own.
fn samples(raw: &RawValue) -> Result<Vec<Option<Vec<MaybeNumber<'_>>>>, String> {
    match serde_json::from_str(raw.get()) {
        Ok(samples) => Ok(samples),
        Err(_) => json::member("samples", raw).map(|samples| vec![Some(samples)]),
    }
}

/// Params are kept as Python writes them: a text has quotes.
pub(super) fn unquoted(text: &str) -> &str {
    let inside = text
        .strip_prefix('\'')
        .and_then(|text| text.strip_suffix('\''));
    inside
        .filter(|text| !text.is_empty() && !text.contains(['\'', '\\']))
        .unwrap_or(text)
}

/// What a benchmark measures.
pub(super) struct Quantity {
    pub(super) metric: Metric,
    scale: Scale,
}

/// asv itself tells what a benchmark measures by the beginning of its name.
pub(super) fn quantity(name: &str, known: Option<&Known>) -> Result<Quantity, String> {
    let function = name
        .rsplit('.')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let kind = known.and_then(|known| known.kind.clone());
    let begins = |word: &str| {
        kind.as_deref().map_or_else(
            || function.starts_with(word),
            |kind| kind == word.trim_end_matches('_'),
        )
    };
    let metric = |name: &str| Metric::known(name).ok_or_else(|| format!("`{name}` is no metric"));
    let second = nanoseconds("s").ok_or("there is no second")?;
    if begins("time") || begins("timeraw") {
        return Ok(Quantity {
            metric: metric("wall_time")?,
            scale: second,
        });
    }
    let error = |error: tripline_model::NameError| error.to_string();
    if begins("peakmemory") || function.starts_with("peakmem") {
        return Ok(Quantity {
            metric: metric("resident_peak")?,
            scale: as_it_is(),
        });
    }
    if begins("memory") || function.starts_with("mem") {
        let size = own::metric("object_bytes", Unit::Byte).map_err(error)?;
        let better = tripline_model::Better::Lower;
        return Ok(Quantity {
            metric: Metric { better, ..size },
            scale: as_it_is(),
        });
    }
    let unit = known
        .and_then(|known| known.unit.as_deref())
        .unwrap_or(NO_UNIT);
    Ok(Quantity {
        metric: of_unit(unit)?,
        scale: as_it_is(),
    })
}

/// Returns the metric of what a benchmark tracks, which is called as its unit is.
pub(super) fn of_unit(unit: &str) -> Result<Metric, String> {
    let error = |error: tripline_model::NameError| error.to_string();
    let name = if unit == NO_UNIT { "tracked" } else { unit };
    let unit = Unit::Other(UnitSymbol::new(unit).map_err(error)?);
    let tracked = own::metric(name, unit).map_err(error)?;
    let nature = Nature::Summarized;
    Ok(Metric { nature, ..tracked })
}
