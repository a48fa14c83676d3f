//! Derived metrics by what they are computed from, so that a whole history is computed by one definition.
//!
//! Tested by `tests/judge/derived`.

use tripline_model::{BenchId, Metric, MetricName, Run};

use super::definition::DerivedError;
use super::extension::Extended;
use super::selection::combinations;
use super::value::Evaluation;
use crate::policy::Policy;

/// A derived metric of one benchmark.
#[derive(Debug)]
pub struct Formed<'a> {
    /// The benchmark it is told of.
    pub bench: BenchId,
    /// The metric.
    pub metric: Metric,
    /// What it is computed from, in the order of the expression.
    pub terms: Vec<(BenchId, MetricName)>,
    evaluation: Evaluation<'a>,
}

impl Formed<'_> {
    /// Returns its value where the terms have these, if that is a number.
    #[must_use]
    pub fn value(&self, terms: &[f64]) -> Option<f64> {
        self.evaluation.at(terms)
    }
}

/// Says which derived metrics of a policy cannot be computed from a run, and why.
#[must_use]
pub fn unformed(run: &Run, policy: &Policy) -> Vec<DerivedError> {
    Extended::of(run, policy).problems
}

/// Returns what a run has the terms of. What cannot be computed is left out: whoever judges the run is told why.
#[must_use]
pub fn formed<'a>(run: &'a Run, policy: &'a Policy) -> Vec<Formed<'a>> {
    let mut all: Vec<Formed<'a>> = Vec::new();
    for derived in policy.derived() {
        let is_known = all.iter().any(|other| other.metric.name == *derived.name());
        if is_known || derived.is_measured_in(run) {
            continue;
        }
        for combination in combinations(derived, run).unwrap_or_default() {
            let measured = &combination.measured;
            let work = derived.check_inclusions(measured, policy.inclusions());
            let Ok(evaluation) = work.and_then(|()| derived.evaluation(measured)) else {
                continue;
            };
            let of_terms = measured.iter().zip(&derived.expression.terms);
            let terms = of_terms.map(|(one, term)| (one.bench().clone(), term.metric.clone()));
            all.push(Formed {
                terms: terms.collect(),
                metric: derived.metric(evaluation.nature()),
                bench: combination.bench,
                evaluation,
            });
        }
    }
    all
}
