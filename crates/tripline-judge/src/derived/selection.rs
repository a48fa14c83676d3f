//! Which benchmarks the terms of an expression mean.
//!
//! A param that no term mentions, and a name that a term leaves open, are held equal: the expression is evaluated once for
//! each combination of them that all its terms were measured for. For each, a term must mean one benchmark.
//!
//! Tested by the tables of `tests/judge/derived`.

use std::collections::{BTreeMap, BTreeSet};

use tripline_model::few;
use tripline_model::{BenchId, BenchName, Measurement, ParamKey, Params, Run};

use super::expression::{Expression, Term};
use super::{Derived, DerivedProblem};
use crate::near::nearest;

/// One benchmark for each term, and the one whose metric their value is.
#[derive(Debug)]
pub(super) struct Combination<'a> {
    pub(super) bench: BenchId,
    pub(super) measured: Vec<&'a Measurement>,
}

/// What is held equal: the name where it is open, and the params that no term mentions.
type Key<'a> = (Option<&'a BenchName>, Params);

/// The benchmarks a term may mean.
struct Candidates<'a> {
    term: &'a Term,
    by_key: BTreeMap<Key<'a>, Vec<&'a Measurement>>,
}

/// Returns the combinations that all terms were measured for.
pub(super) fn combinations<'a>(
    derived: &'a Derived,
    run: &'a Run,
) -> Result<Vec<Combination<'a>>, DerivedProblem> {
    let expression = &derived.expression;
    let all: Vec<Candidates<'a>> = of_terms(expression, run)?;
    // A term that leaves the name open has more keys than one that does not.
    let leader = all.iter().find(|candidates| candidates.has_open_name());
    let leader = leader.unwrap_or(&all[0]);
    let mut combinations = Vec::new();
    for key in leader.by_key.keys() {
        if let Some(measured) = measured(&all, key)? {
            let bench = bench(derived, run, key, &measured);
            combinations.push(Combination { bench, measured });
        }
    }
    if combinations.is_empty() {
        return Err(apart(&all));
    }
    Ok(combinations)
}

fn of_terms<'a>(
    expression: &'a Expression,
    run: &'a Run,
) -> Result<Vec<Candidates<'a>>, DerivedProblem> {
    let terms = || expression.terms.iter();
    let mentioned = few::set_of(terms().flat_map(Term::params));
    let of_term = |term| {
        let candidates = Candidates::of(term, run, &mentioned);
        if candidates.by_key.is_empty() {
            return Err(nothing(term, run));
        }
        Ok(candidates)
    };
    terms().map(of_term).collect()
}

impl<'a> Candidates<'a> {
    fn of(term: &'a Term, run: &'a Run, mentioned: &BTreeSet<&ParamKey>) -> Self {
        let mut by_key: BTreeMap<Key<'a>, Vec<&'a Measurement>> = BTreeMap::new();
        for measurement in run.measurements() {
            let bench = measurement.bench();
            if measurement.reading(&term.metric).is_none() || !term.is_about(bench) {
                continue;
            }
            let mut open = bench.params.clone();
            open.retain(|key, _| !mentioned.contains(key));
            let key = (term.open_name(bench), open);
            by_key.entry(key).or_default().push(measurement);
        }
        Self { term, by_key }
    }

    fn has_open_name(&self) -> bool {
        self.by_key.keys().any(|(name, _)| name.is_some())
    }

    /// Returns what the term means where the key is held equal, if it was measured there.
    fn at(&self, key: &Key<'a>) -> Result<Option<&'a Measurement>, DerivedProblem> {
        let found = if self.has_open_name() {
            self.by_key.get(key)
        } else {
            self.by_key.get(&(None, key.1.clone()))
        };
        match found.map(Vec::as_slice) {
            None | Some([]) => Ok(None),
            Some([one]) => Ok(Some(one)),
            Some([first, second, ..]) => Err(DerivedProblem::Ambiguous {
                term: self.term.text.clone(),
                first: first.bench().within_suite(),
                second: second.bench().within_suite(),
            }),
        }
    }

    fn example(&self) -> String {
        let first = self.by_key.values().flatten().next();
        first.map_or_else(String::new, |measured| measured.bench().within_suite())
    }
}

/// Returns what each term means where the key is held equal, if all were measured there.
fn measured<'a>(
    all: &[Candidates<'a>],
    key: &Key<'a>,
) -> Result<Option<Vec<&'a Measurement>>, DerivedProblem> {
    all.iter().map(|candidates| candidates.at(key)).collect()
}

/// Returns the benchmark a value belongs to: the one all terms are about but for what they mention, or else one that is
/// named like the metric. No two combinations have the same.
fn bench(derived: &Derived, run: &Run, key: &Key<'_>, measured: &[&Measurement]) -> BenchId {
    let (open_name, params) = key;
    let first = &measured[0].bench().name;
    let is_one = measured.iter().all(|other| other.bench().name == *first);
    let name = match open_name {
        Some(name) => (*name).clone(),
        None if is_one => first.clone(),
        None => derived.bench_name(),
    };
    BenchId {
        suite: run.suite.clone(),
        name,
        params: params.clone(),
    }
}

/// Says that a term means nothing that was measured, and what is like it.
fn nothing(term: &Term, run: &Run) -> DerivedProblem {
    let metrics = || run.metrics().map(|metric| metric.name.to_string());
    let near = if metrics().any(|name| name == term.metric.as_str()) {
        let with_metric = run
            .measurements()
            .filter(|m| m.reading(&term.metric).is_some());
        let names = with_metric.map(|measured| measured.bench().within_suite());
        nearest(&term.pattern.to_string(), names)
    } else {
        nearest(term.metric.as_str(), metrics())
    };
    DerivedProblem::Nothing {
        term: term.text.clone(),
        operator: operator_in(&term.text, run),
        near,
    }
}

/// Returns the first character after a metric that was measured which would be an operator between blanks: `a:x/b:y`.
fn operator_in(text: &str, run: &Run) -> Option<char> {
    let before_params = text.split('{').next().unwrap_or(text);
    let mut found = before_params.match_indices(['/', '*', '-', '+']);
    let is_after_metric = |(at, _): &(usize, &str)| {
        let metric = before_params[..*at].rsplit(':').next();
        run.metrics().any(|it| Some(it.name.as_str()) == metric)
    };
    let (_, operator) = found.find(is_after_metric)?;
    operator.chars().next()
}

/// Says that the terms were measured for nothing in common.
fn apart(all: &[Candidates<'_>]) -> DerivedProblem {
    let examples = all
        .iter()
        .map(|one| (one.term.text.clone(), format!("`{}`", one.example())));
    DerivedProblem::Apart {
        examples: examples.collect(),
    }
}
