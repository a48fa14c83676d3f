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
    /// What each of their terms computed, in the order of the expression.
    answers: BTreeMap<Place, Vec<Option<Digest>>>,
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
            answers: BTreeMap::new(),
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
            let measured = combination.measured.iter();
            let answers = measured.map(|term| term.answer().cloned()).collect();
            let place = (combination.bench.clone(), metric.name.clone());
            self.answers.insert(place, answers);
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
    Measurement::new(combination.bench, [reading], None, caveats)
        .expect("there is one reading, so there is no second one of its metric")
}

/// Lets the derived metrics that both sides have state what those of their terms computed that said so in the base. A term
/// that ceases to say so leaves the whole without; one that begins to proves nothing.
pub(super) fn state_answers(base: &mut Extended<'_>, head: &mut Extended<'_>) {
    for (place, of_base) in &base.answers {
        let Some(of_head) = head.answers.get(place) else {
            continue;
        };
        let both = || {
            of_base
                .iter()
                .zip(of_head)
                .filter(|(base, _)| base.is_some())
        };
        let answers = [
            both()
                .map(|(base, _)| base.as_ref())
                .collect::<Option<Vec<_>>>(),
            both().map(|(_, head)| head.as_ref()).collect(),
        ];
        let sides = [&mut base.apart, &mut head.apart];
        for (side, answers) in sides.into_iter().zip(answers) {
            if let Some(measurement) = side.get_mut(place) {
                *measurement = answering(measurement, answers.and_then(|all| answer(&all)));
            }
        }
    }
}

fn answering(measurement: &Measurement, answer: Option<Digest>) -> Measurement {
    let (bench, readings) = (measurement.bench().clone(), measurement.readings().cloned());
    let caveats = measurement.caveats().to_vec();
    Measurement::new(bench, readings, answer, caveats).expect("its readings make a measurement")
}

/// Returns the answer of terms where it is one, or else the beginnings of all; none where none has any.
fn answer(answers: &[&Digest]) -> Option<Digest> {
    const DIGITS: usize = 128;
    let first = answers.first()?;
    if answers.iter().all(|answer| answer == first) {
        return Some((*first).clone());
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
    let mut extended = Run::begun_like(run);
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
