//! What was measured of a benchmark: its times, what it allocated, and what diagnosers added.
//!
//! Tested by `fixtures/benchmarkdotnet`.

use serde::Deserialize;
use tripline_model::{Better, Metric, Nature, Reading, Sample, Unit, UnitSymbol};

use crate::json::{MaybeNumber, Number, Text};
use crate::quantity::{Scale, as_it_is, bytes, nanoseconds};
use crate::{own, summary};

/// Metrics of the memory diagnoser, which stand under `Memory` as well.
const OF_MEMORY: &[&str] = &[
    "Allocated Memory",
    "Gen0Collects",
    "Gen1Collects",
    "Gen2Collects",
];

/// The values, in nanoseconds per operation, and what was made of them.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Statistics<'t> {
    #[serde(borrow)]
    original_values: Option<Vec<MaybeNumber<'t>>>,
    #[serde(borrow)]
    n: Option<Number<'t>>,
    #[serde(borrow)]
    min: MaybeNumber<'t>,
    #[serde(borrow)]
    q1: MaybeNumber<'t>,
    #[serde(borrow)]
    median: MaybeNumber<'t>,
    #[serde(borrow)]
    mean: MaybeNumber<'t>,
    #[serde(borrow)]
    q3: MaybeNumber<'t>,
    #[serde(borrow)]
    max: MaybeNumber<'t>,
    #[serde(borrow)]
    standard_deviation: MaybeNumber<'t>,
}

/// One measurement of any stage.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Measured<'t> {
    #[serde(borrow)]
    iteration_mode: Text<'t>,
    #[serde(borrow)]
    iteration_stage: Option<Text<'t>>,
    #[serde(borrow)]
    operations: Number<'t>,
}

impl Measured<'_> {
    /// Versions before 0.11.4 have one word for mode and stage.
    fn is_result(&self) -> bool {
        match &self.iteration_stage {
            Some(stage) => &**stage == "Result" && &*self.iteration_mode == "Workload",
            None => &*self.iteration_mode == "Result",
        }
    }
}

impl Statistics<'_> {
    pub(super) fn readings(&self, measured: &[Measured<'_>]) -> Result<Vec<Reading>, String> {
        let metric = Metric::known("wall_time").expect("the metric is in the table");
        let Some(values) = &self.original_values else {
            return self.summarized(&metric);
        };
        let values: Option<Vec<f64>> = values
            .iter()
            .map(|value| value.number().map(Number::value))
            .collect();
        let values = values.ok_or("one of them is no number")?;
        let results = measured.iter().filter(|one| one.is_result());
        let iterations: Option<Vec<u64>> = results.map(|one| one.operations.count()).collect();
        let iterations =
            iterations.ok_or("they were taken over a number of operations that is no count")?;
        // Results of outliers are kept by some versions, and then cannot be told from the others.
        let sample = if iterations.len() == values.len() {
            Sample::with_iterations(values, iterations)
        } else {
            Sample::new(values)
        };
        let sample = sample.map_err(|error| error.to_string())?;
        Ok(vec![Reading { metric, sample }])
    }

    fn summarized(&self, metric: &Metric) -> Result<Vec<Reading>, String> {
        let value = |number: MaybeNumber<'_>| number.number().map(Number::value);
        let median = value(self.median).ok_or("their median is no number")?;
        let mut readings = vec![summary::standing_for(metric, median, None)?];
        for (part, number) in [
            ("min", self.min),
            ("q1", self.q1),
            ("mean", self.mean),
            ("q3", self.q3),
            ("max", self.max),
            ("stddev", self.standard_deviation),
        ] {
            if let Some(value) = value(number) {
                readings.push(summary::part(metric, part, value)?);
            }
        }
        if let Some(count) = self.n.and_then(Number::count) {
            readings.push(summary::rounds(count)?);
        }
        Ok(readings)
    }
}

/// What the memory diagnoser counted. Collections are those of all operations together.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Memory<'t> {
    #[serde(borrow)]
    gen0_collections: Option<Number<'t>>,
    #[serde(borrow)]
    gen1_collections: Option<Number<'t>>,
    #[serde(borrow)]
    gen2_collections: Option<Number<'t>>,
    #[serde(borrow)]
    total_operations: Option<Number<'t>>,
    #[serde(borrow)]
    bytes_allocated_per_operation: Option<Number<'t>>,
}

impl Memory<'_> {
    pub(super) fn readings(&self) -> impl Iterator<Item = Result<Reading, String>> {
        let bytes = self.bytes_allocated_per_operation;
        let bytes = bytes.map(|bytes| allocated(bytes.value()));
        let counts = [
            ('0', self.gen0_collections),
            ('1', self.gen1_collections),
            ('2', self.gen2_collections),
        ];
        let counts = counts
            .into_iter()
            .filter_map(|(generation, count)| Some(collections(generation, count?.value())));
        let operations = self
            .total_operations
            .map(|operations| summary::beside("total_operations", Unit::Count, operations.value()));
        bytes.into_iter().chain(counts).chain(operations)
    }
}

/// Returns the bytes that an operation allocated.
pub(super) fn allocated(bytes: f64) -> Result<Reading, String> {
    let metric = Metric::known("allocated_bytes").expect("the metric is in the table");
    reading(metric, bytes)
}

/// Returns how often a generation was collected in all operations together.
pub(super) fn collections(generation: char, count: f64) -> Result<Reading, String> {
    let name = format!("gen{generation}_collections");
    summary::beside(&name, Unit::Count, count)
}

/// A metric of a diagnoser.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Descriptor<'t> {
    #[serde(borrow)]
    value: MaybeNumber<'t>,
    #[serde(borrow)]
    descriptor: Description<'t>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Description<'t> {
    #[serde(borrow)]
    id: Text<'t>,
    #[serde(borrow)]
    unit: Option<Text<'t>>,
    the_greater_the_better: Option<bool>,
}

impl Descriptor<'_> {
    /// Returns a metric that stands nowhere else; one without a value was not measured.
    pub(super) fn reading(&self) -> Option<Result<Reading, String>> {
        let of = &self.descriptor;
        let value = self.value.number()?;
        if OF_MEMORY.contains(&&*of.id) {
            return None;
        }
        let symbol = of.unit.as_deref().unwrap_or_default();
        let (unit, scale) = match unit_of(symbol, size) {
            Ok(known) => known,
            Err(error) => return Some(Err(error)),
        };
        let metric = own::metric(&of.id, unit).map_err(|error| error.to_string());
        let better = match of.the_greater_the_better {
            Some(true) => Better::Higher,
            Some(false) => Better::Lower,
            None => Better::Neither,
        };
        let nature = Nature::Summarized;
        Some(metric.and_then(|metric| {
            reading(
                Metric {
                    better,
                    nature,
                    ..metric
                },
                value.in_scale(scale),
            )
        }))
    }
}

/// Returns what a unit is to us, and how a number becomes one of it.
pub(super) fn unit_of(
    symbol: &str,
    size: fn(&str) -> Option<Scale>,
) -> Result<(Unit, Scale), String> {
    if let Some(scale) = nanoseconds(symbol) {
        return Ok((Unit::Nanosecond, scale));
    }
    if let Some(scale) = size(symbol) {
        return Ok((Unit::Byte, scale));
    }
    let unit = match symbol {
        "" | "Count" => Unit::Count,
        _ => Unit::Other(UnitSymbol::new(symbol).map_err(|error| error.to_string())?),
    };
    Ok((unit, as_it_is()))
}

/// Returns how a size becomes bytes: to BenchmarkDotNet a `KB` is 1024 of them. It was a thousand in its first versions.
pub(super) fn size(unit: &str) -> Option<Scale> {
    match unit {
        "KB" => bytes("KiB"),
        "MB" => bytes("MiB"),
        "GB" => bytes("GiB"),
        "TB" => bytes("TiB"),
        _ => bytes(unit),
    }
}

fn reading(metric: Metric, value: f64) -> Result<Reading, String> {
    let sample = Sample::new([value]);
    let sample = sample.map_err(|error| format!("`{}`: {error}", metric.name))?;
    Ok(Reading { metric, sample })
}
