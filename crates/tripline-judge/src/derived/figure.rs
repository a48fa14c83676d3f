//! One number out of a run, by an expression: what a table or a text says of it.
//!
//! Other than a derived metric a figure has no name, no series and no policy, and it is of one combination of params. Of
//! one term, of counts, and of what was taken in rounds it has all values, so its spread is known; of other terms it is
//! the number of their middles, because these stand beside it in the text. Tested below.

use tripline_model::{BenchId, Better, MetricName, Run, Summary, Unit};

use super::definition::{Derived, DerivedProblem};
use super::dimension::{Dimension, Mismatch};
use super::expression::Expression;
use super::selection::combinations;
use super::value::Value;

/// A number with its unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The unit.
    pub unit: Unit,
    /// The middle, and the ends of what was measured.
    pub summary: Summary,
}

impl Expression {
    /// Returns what it is in a run.
    ///
    /// # Errors
    /// A term means nothing that was measured, or more than one benchmark; or the value has no unit, or is no number.
    pub fn figure(&self, run: &Run) -> Result<Figure, DerivedProblem> {
        let name = MetricName::new("figure").expect("it is a name");
        let in_unit = |unit| {
            let about = String::new();
            Derived::new(name.clone(), about, self.clone(), unit, Better::Neither)
        };
        let without = in_unit(Unit::Ratio);
        let combinations = combinations(&without, run)?;
        let [one] = combinations.as_slice() else {
            return Err(self.ambiguous(&combinations[0].bench, &combinations[1].bench));
        };
        let readings = self
            .terms
            .iter()
            .zip(&one.measured)
            .map(|(term, measured)| {
                let reading = measured.reading(&term.metric);
                &reading
                    .expect("a term means only benchmarks that have its metric")
                    .metric
            });
        let units: Vec<&Unit> = readings.map(|metric| &metric.unit).collect();
        let derived = in_unit(self.unit(&units)?);
        let evaluation = derived.evaluation(&one.measured)?;
        let summary = match (evaluation.each(), evaluation.value()) {
            (Some(sample), _) | (None, Value::Values(sample)) => Summary::of(&sample),
            (None, Value::OfMeans(..)) => {
                let sample = evaluation.of_medians().ok_or(DerivedProblem::NoNumber)?;
                Summary::of(&sample)
            }
            (None, Value::None) => return Err(DerivedProblem::NoNumber),
        };
        let unit = derived.metric(evaluation.nature()).unit;
        Ok(Figure { unit, summary })
    }

    /// Returns the unit of a value whose terms have these.
    fn unit(&self, units: &[&Unit]) -> Result<Unit, DerivedProblem> {
        let terms: Vec<Dimension> = units.iter().map(|unit| Dimension::of(unit).0).collect();
        let found = Dimension::of_node(&self.root, &terms);
        let found = found.map_err(|Mismatch { left, right }| DerivedProblem::Sum {
            left: left.to_string(),
            right: right.to_string(),
        })?;
        if let [unit] = units
            && Dimension::of(unit).0 == found
        {
            return Ok((*unit).clone());
        }
        let known = [
            Unit::Ratio,
            Unit::Nanosecond,
            Unit::Byte,
            Unit::PerSecond,
            Unit::BytePerSecond,
        ];
        let mut known = known
            .into_iter()
            .chain(units.iter().map(|unit| (*unit).clone()));
        let unit = known.find(|unit| Dimension::of(unit).0 == found);
        unit.ok_or_else(|| DerivedProblem::NoUnit {
            found: found.to_string(),
        })
    }

    fn ambiguous(&self, first: &BenchId, second: &BenchId) -> DerivedProblem {
        DerivedProblem::Ambiguous {
            term: self.text.clone(),
            first: first.within_suite(),
            second: second.within_suite(),
        }
    }
}

#[cfg(test)]
mod tests {
    use tripline_model::{
        BenchId, BenchName, Environment, EnvironmentName, Measurement, Metric, ParamKey,
        ParamValue, Params, Producer, Reading, Run, Sample, SuiteName,
    };

    use super::super::expression::Expression;

    /// A run of reads of two lengths, and the keys that a store held.
    fn run() -> Run {
        let producer = Producer {
            name: "test".to_owned(),
            version: "1".to_owned(),
        };
        let environment = Environment::new(EnvironmentName::new("here").unwrap());
        let suite = SuiteName::new("store").unwrap();
        let mut run = Run::new(
            suite.clone(),
            "2026-01-01T00:00:00Z".parse().unwrap(),
            environment,
            producer,
        );
        let mut insert = |bytes: &str, metric: &str, values: &[f64]| {
            let mut params = Params::new();
            params.insert(
                ParamKey::new("bytes").unwrap(),
                ParamValue::new(bytes).unwrap(),
            );
            let bench = BenchId {
                suite: suite.clone(),
                name: BenchName::new("kv/get").unwrap(),
                params,
            };
            let reading = Reading {
                metric: Metric::known(metric).unwrap(),
                sample: Sample::new(values).unwrap(),
            };
            let measurement = Measurement::new(bench, [reading], None, Vec::new()).unwrap();
            run.join(measurement).unwrap();
        };
        insert("64", "wall_time", &[4000.0, 1000.0, 2000.0]);
        insert("1024", "wall_time", &[7000.0, 7000.0]);
        insert("64", "instructions", &[500.0, 500.0]);
        run
    }

    fn figure(text: &str) -> String {
        match Expression::new(text).unwrap().figure(&run()) {
            Ok(figure) => {
                let summary = figure.summary;
                let symbol = figure.unit.symbol();
                format!(
                    "{} {symbol} ({} … {})",
                    summary.center, summary.low, summary.high
                )
            }
            Err(problem) => problem.to_string(),
        }
    }

    #[test]
    fn figures_have_the_unit_and_the_spread_of_what_was_measured() {
        for (text, wanted) in [
            ("kv/get:wall_time{bytes=64}", "2000 ns (1000 … 4000)"),
            ("kv/get:wall_time{bytes=64} / 1000", "2 ns (1 … 4)"),
            (
                "1024 / kv/get:wall_time{bytes=64}",
                "512000000 1/s (256000000 … 1024000000)",
            ),
            ("kv/get:instructions", "500 count (500 … 500)"),
            (
                "kv/get:wall_time{bytes=1024} / kv/get:wall_time{bytes=64}",
                "3.5 ratio (3.5 … 3.5)",
            ),
            ("instructions", "500 count (500 … 500)"),
        ] {
            assert_eq!(figure(text), wanted, "{text}");
        }
    }

    #[test]
    fn what_is_no_one_number_is_said() {
        for (text, wanted) in [
            (
                "kv/got:wall_time",
                "`kv/got:wall_time` is nothing that was measured",
            ),
            (
                "kv/get:wall_time",
                "means both `kv/get{bytes=64}` and `kv/get{bytes=1024}`; say which by its params",
            ),
            (
                "wall_time{bytes=64} * wall_time{bytes=64}",
                "it comes out in ns^2, which is no unit",
            ),
            (
                "wall_time{bytes=64} - wall_time{bytes=1024}",
                "it comes out as no number",
            ),
        ] {
            let said = figure(text);
            assert!(said.contains(wanted), "{text}: {said}");
        }
    }
}
