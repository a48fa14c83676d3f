//! A run with what is derived from its readings.
//!
//! Tested by the tables of `tests/judge/derived`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use tripline_model::{BenchId, Caveat, Digest, Measurement, Metric, MetricName, Reading, Run};

use super::definition::{Derived, DerivedError, DerivedProblem};
use super::selection::{Combination, combinations};
use super::value::{Doubt, Value};
use crate::policy::Policy;

/// Where a value of a derived metric stands.
pub(super) type Place = (BenchId, MetricName);

/// A run with what is derived from its readings.
#[derive(Debug)]
pub(super) struct Extended<'a> {
    pub(super) run: Cow<'a, Run>,
    /// The derived metrics by themselves: what their terms computed, and say against themselves, is theirs alone.
    pub(super) apart: BTreeMap<Place, Measurement>,
    /// How far the values of means may be trusted.
    pub(super) doubts: BTreeMap<Place, Doubt>,
    /// The derived metrics that came out as no number.
    pub(super) numberless: Vec<(BenchId, Metric)>,
    /// The definitions that do not fit the run.
    pub(super) problems: Vec<DerivedError>,
}

impl<'a> Extended<'a> {
    /// Extends a run by the derived metrics of a policy.
    pub(super) fn of(run: &'a Run, policy: &Policy) -> Self {
        let mut extended = Self {
            run: Cow::Borrowed(run),
            apart: BTreeMap::new(),
            doubts: BTreeMap::new(),
            numberless: Vec::new(),
            problems: Vec::new(),
        };
        for (place, derived) in policy.derived().iter().enumerate() {
            let mut earlier = policy.derived()[..place].iter();
            let values = if earlier.any(|other| other.name() == derived.name()) {
                Err(DerivedProblem::Twice)
            } else {
                extended.add(derived, run, policy)
            };
            match values {
                Ok(values) => {
                    let name = derived.name();
                    let values = values.into_iter();
                    let values = values.map(|value| ((value.bench().clone(), name.clone()), value));
                    extended.apart.extend(values);
                }
                Err(problem) if derived.is_optional() && problem.is_absence() => {}
                Err(problem) => extended.problems.push(DerivedError {
                    metric: derived.name().clone(),
                    problem,
                }),
            }
        }
        if !extended.apart.is_empty() {
            extended.run = Cow::Owned(with(run, &extended.apart));
        }
        extended
    }

    /// Returns the values of a derived metric, and notes what they cannot say.
    fn add(
        &mut self,
        derived: &Derived,
        run: &Run,
        policy: &Policy,
    ) -> Result<Vec<Measurement>, DerivedProblem> {
        if derived.is_measured_in(run) {
            return Err(DerivedProblem::Measured);
        }
        let mut values = Vec::new();
        for combination in combinations(derived, run)? {
            derived.check_inclusions(&combination.measured, policy.inclusions())?;
            let evaluation = derived.evaluation(&combination.measured)?;
            let metric = derived.metric(evaluation.nature());
            let place = (combination.bench.clone(), metric.name.clone());
            let sample = match evaluation.value() {
                Value::Values(sample) => sample,
                Value::OfMeans(sample, doubt) => {
                    self.doubts.insert(place, doubt);
                    sample
                }
                Value::None => {
                    self.numberless.push((combination.bench, metric));
                    continue;
                }
            };
            values.push(measurement(combination, Reading { metric, sample }));
        }
        Ok(values)
    }
}

/// Returns a measurement of a derived metric. It is of the work of all its terms, and as doubtful as they are.
fn measurement(combination: Combination<'_>, reading: Reading) -> Measurement {
    let mut caveats: Vec<Caveat> = Vec::new();
    for caveat in combination.measured.iter().flat_map(|m| m.caveats()) {
        if !caveats.contains(caveat) {
            caveats.push(caveat.clone());
        }
    }
    let answer = answer(&combination.measured);
    Measurement::new(combination.bench, [reading], answer, caveats)
        .expect("there is one reading, so there is no second one of its metric")
}

/// Returns what the terms computed, if all say so: their answer where it is one, or else the beginnings of all.
fn answer(measured: &[&Measurement]) -> Option<Digest> {
    const DIGITS: usize = 128;
    let answers: Vec<&Digest> = measured.iter().map(|m| m.answer()).collect::<Option<_>>()?;
    if answers.iter().all(|answer| *answer == answers[0]) {
        return Some(answers[0].clone());
    }
    let each = DIGITS / answers.len();
    let beginnings: String = answers
        .iter()
        .map(|answer| &answer.as_str()[..answer.as_str().len().min(each)])
        .collect();
    Digest::new(beginnings).ok()
}

/// Returns a run with further readings, each at its benchmark.
fn with(run: &Run, further: &BTreeMap<Place, Measurement>) -> Run {
    let mut extended = Run::new(
        run.suite.clone(),
        run.measured_at,
        run.environment.clone(),
        run.producer.clone(),
    );
    extended.revision.clone_from(&run.revision);
    extended.session.clone_from(&run.session);
    extended.failures.clone_from(&run.failures);
    let measured = run.measurements().cloned();
    let further = further.values().map(readings_of);
    for measurement in measured.chain(further) {
        extended
            .join(measurement)
            .expect("a derived metric has a name of its own, and no answer");
    }
    extended
}

/// Returns the readings of a measurement, and nothing that it says of itself.
fn readings_of(measurement: &Measurement) -> Measurement {
    let (bench, readings) = (measurement.bench().clone(), measurement.readings().cloned());
    Measurement::new(bench, readings, None, Vec::new()).expect("its readings make a measurement")
}
