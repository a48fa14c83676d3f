//! What a derived metric is, and what may be wrong with it.
//!
//! Tested by the tables of `tests/judge/derived`.

use std::collections::BTreeSet;

use tripline_model::few;
use tripline_model::{
    BenchId, BenchName, Better, Measurement, Metric, MetricName, Nature, Run, Unit,
};

use super::dimension::{Dimension, Mismatch};
use super::expression::{Expression, Term};
use super::value::Evaluation;
use crate::near::listed;
use crate::pattern::BenchPattern;

/// What a term includes that includes nothing of what others do.
const NOTHING_OF_THE_KIND: &str = "nothing of the kind";

/// The definition of a derived metric.
#[derive(Debug, Clone, PartialEq)]
pub struct Derived {
    name: MetricName,
    about: String,
    pub(super) expression: Expression,
    unit: Unit,
    better: Better,
    // It is left out where its terms were not measured.
    is_optional: bool,
}

/// Says that some benchmarks include work that others do not, so that none is divided by the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Inclusion {
    /// The benchmarks.
    pub benchmark: BenchPattern,
    /// What they include.
    pub what: String,
}

/// Says which derived metric cannot be computed from a run, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the derived metric `{metric}` cannot be computed: {problem}")]
pub struct DerivedError {
    /// The derived metric.
    pub metric: MetricName,
    /// Why.
    pub problem: DerivedProblem,
}

/// Says why a derived metric cannot be computed from a run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DerivedProblem {
    /// A term means nothing that was measured.
    #[error(
        "`{term}` is nothing that was measured{}; most like it: {}",
        blanks(*operator),
        listed(near)
    )]
    Nothing {
        /// The term.
        term: String,
        /// A character of it that may have been meant as an operator, which stands between blanks.
        operator: Option<char>,
        /// What is like it.
        near: Vec<String>,
    },
    /// The terms were measured for different params.
    #[error(
        "no params are common to all of its terms: {}",
        terms_and(examples, "is measured as")
    )]
    Apart {
        /// Each term with a benchmark it means.
        examples: Vec<(String, String)>,
    },
    /// A term means more than one benchmark.
    #[error("`{term}` means both `{first}` and `{second}`; say which by its params")]
    Ambiguous {
        /// The term.
        term: String,
        /// A benchmark it means.
        first: String,
        /// Another.
        second: String,
    },
    /// The terms are of benchmarks that include different work.
    #[error(
        "its terms include different work: {}",
        terms_and(includes, "includes")
    )]
    DifferentWork {
        /// Each term with what it includes.
        includes: Vec<(String, String)>,
    },
    /// Two parts of different units are added.
    #[error("it adds or subtracts {left} and {right}")]
    Sum {
        /// The unit of one part.
        left: String,
        /// The unit of the other.
        right: String,
    },
    /// The value is in another unit than is said.
    #[error("its value is in {found}, and its unit is said to be {said}")]
    Unit {
        /// The unit of the value.
        found: String,
        /// The unit that is said.
        said: String,
    },
    /// The value is in what has no name.
    #[error("it comes out in {found}, which is no unit")]
    NoUnit {
        /// What it is in.
        found: String,
    },
    /// Something was divided by zero, or more was taken away than there was.
    #[error("it comes out as no number")]
    NoNumber,
    /// A metric of this name was measured.
    #[error("a metric of this name was measured too; give it another name")]
    Measured,
    /// Another derived metric has its name.
    #[error("another derived metric has this name")]
    Twice,
}

impl DerivedProblem {
    /// Returns whether it may be due to something that was not measured.
    pub(super) fn is_absence(&self) -> bool {
        matches!(self, Self::Nothing { .. } | Self::Apart { .. })
    }
}

fn blanks(operator: Option<char>) -> String {
    operator.map_or_else(String::new, |operator| {
        format!(" (put blanks around `{operator}` if it is an operator: names may hold it)")
    })
}

fn terms_and(pairs: &[(String, String)], what: &str) -> String {
    let said = pairs
        .iter()
        .map(|(term, said)| format!("`{term}` {what} {said}"));
    said.collect::<Vec<_>>().join(", ")
}

impl Derived {
    /// Defines a metric.
    #[must_use]
    pub fn new(
        name: MetricName,
        about: String,
        expression: Expression,
        unit: Unit,
        better: Better,
    ) -> Self {
        Self {
            name,
            about,
            expression,
            unit,
            better,
            is_optional: false,
        }
    }

    /// Leaves it out, or not, where its terms were not measured: benchmarks of what is not on every machine.
    #[must_use]
    pub fn optional(self, is_optional: bool) -> Self {
        Self {
            is_optional,
            ..self
        }
    }

    /// Returns whether it is left out where its terms were not measured.
    #[must_use]
    pub fn is_optional(&self) -> bool {
        self.is_optional
    }

    /// Returns its name.
    #[must_use]
    pub fn name(&self) -> &MetricName {
        &self.name
    }

    /// Returns what it is about, in a few words.
    #[must_use]
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Returns how it is computed.
    #[must_use]
    pub fn expression(&self) -> &Expression {
        &self.expression
    }

    /// Returns whether a metric of a benchmark may be one of its terms, or is of its name.
    #[must_use]
    pub fn concerns(&self, bench: &BenchId, metric: &MetricName) -> bool {
        self.name == *metric || self.has_term(bench, metric)
    }

    /// Returns whether a metric of a benchmark may be one of its terms.
    pub(crate) fn has_term(&self, bench: &BenchId, metric: &MetricName) -> bool {
        let is_term = |term: &Term| term.metric == *metric && term.is_about(bench);
        self.expression.terms.iter().any(is_term)
    }

    /// Returns the metric it is, where its terms are of a nature.
    pub(crate) fn metric(&self, nature: Nature) -> Metric {
        Metric {
            name: self.name.clone(),
            unit: self.unit.clone(),
            better: self.better,
            nature,
        }
    }

    /// Returns a benchmark's name for it, where its terms are of benchmarks of several names.
    pub(super) fn bench_name(&self) -> BenchName {
        BenchName::new(self.name.as_str()).expect("a metric's name is stricter than a benchmark's")
    }

    /// Puts the readings of the terms into the expression, in units that go together.
    pub(super) fn evaluation<'a>(
        &'a self,
        measured: &[&'a Measurement],
    ) -> Result<Evaluation<'a>, super::DerivedProblem> {
        let terms = self.expression.terms.iter().zip(measured);
        let readings = terms.map(|(term, measured)| {
            let reading = measured.reading(&term.metric);
            reading.expect("a term means only benchmarks that have its metric")
        });
        let readings: Vec<_> = readings.collect();
        let units = readings
            .iter()
            .map(|reading| Dimension::of(&reading.metric.unit));
        let (dimensions, scales): (Vec<_>, Vec<_>) = units.unzip();
        let found = Dimension::of_node(&self.expression.root, &dimensions);
        let found = found.map_err(|Mismatch { left, right }| DerivedProblem::Sum {
            left: left.to_string(),
            right: right.to_string(),
        })?;
        let (said, unit) = Dimension::of(&self.unit);
        if found != said {
            return Err(DerivedProblem::Unit {
                found: found.to_string(),
                said: self.unit.symbol().to_owned(),
            });
        }
        Ok(Evaluation {
            expression: &self.expression,
            readings,
            scales,
            unit,
        })
    }

    /// Returns why it is none, where its text alone says that its terms include different work, whatever is measured.
    #[must_use]
    pub fn mixes(&self, inclusions: &[Inclusion]) -> Option<DerivedProblem> {
        let includes = |what: &str, pattern: &BenchPattern| {
            let rows = inclusions.iter().filter(|row| row.what == what);
            let said: Vec<_> = rows.map(|row| row.benchmark.covers(pattern)).collect();
            let is_without = said.iter().all(|said| *said == Some(false));
            let has = said.contains(&Some(true));
            (has || is_without).then_some(has)
        };
        let terms = &self.expression.terms;
        inclusions.iter().find_map(|Inclusion { what, .. }| {
            let one = |wanted: bool| {
                let is_so = |term: &&Term| includes(what, &term.pattern) == Some(wanted);
                terms.iter().find(is_so).map(|term| term.text.clone())
            };
            let nothing = NOTHING_OF_THE_KIND.to_owned();
            let includes = vec![(one(true)?, what.clone()), (one(false)?, nothing)];
            Some(DerivedProblem::DifferentWork { includes })
        })
    }

    /// Refuses terms that include different work: their ratio would be one of two things.
    pub(super) fn check_inclusions(
        &self,
        measured: &[&Measurement],
        inclusions: &[Inclusion],
    ) -> Result<(), DerivedProblem> {
        let included = |measured: &&Measurement| -> BTreeSet<&str> {
            let has = |inclusion: &&Inclusion| inclusion.benchmark.matches(measured.bench());
            let having = inclusions.iter().filter(has);
            few::set_of(having.map(|inclusion| inclusion.what.as_str()))
        };
        let all: Vec<BTreeSet<&str>> = measured.iter().map(included).collect();
        let Some(other) = all.iter().position(|includes| *includes != all[0]) else {
            return Ok(());
        };
        let said = |place: usize| {
            let whats: Vec<&str> = all[place].iter().copied().collect();
            let what = if whats.is_empty() {
                NOTHING_OF_THE_KIND.to_owned()
            } else {
                whats.join(" and ")
            };
            (self.expression.terms[place].text.clone(), what)
        };
        let includes = vec![said(0), said(other)];
        Err(DerivedProblem::DifferentWork { includes })
    }

    /// Returns whether a run has its metric from elsewhere.
    pub(super) fn is_measured_in(&self, run: &Run) -> bool {
        run.metrics().any(|metric| metric.name == self.name)
    }
}
