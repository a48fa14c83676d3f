//! The value of an expression, and how far it may be trusted.
//!
//! Counts give a count, repeat by repeat. What was taken in rounds gives a value for each round, so that base and head
//! are compared pair by pair as anything else is. Else, and where a round gives no number, the value is that of the means,
//! and never the mean of values, which is too large by the noise of the denominator: a quotient has an interval by
//! `stats::ratio`, and any other expression the widest that the intervals of its terms' means allow.
//!
//! Tested by the tables of `tests/judge/derived`.

use tripline_model::{COUNT_MAX, Nature, Reading, Sample};

use super::expression::{Expression, Node, Operator};
use crate::stats::{mean, ratio, student};

/// How often an interval holds the truth.
pub(crate) const CONFIDENCE: f64 = 0.99;

/// What an expression gave.
#[derive(Debug, PartialEq)]
pub(super) enum Value {
    /// A number for each repeat or round.
    Values(Sample),
    /// The one number of the means.
    OfMeans(Sample, Doubt),
    /// No number: something was divided by zero, or more was taken away than there was.
    None,
}

/// How far a value of means may be trusted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Doubt {
    /// It lies in an interval.
    Interval {
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
        /// How many values it rests on.
        count: usize,
    },
    /// It has no bounds.
    Unbounded,
    /// Nothing is known: a term was taken once.
    Unknown,
}

/// An expression whose terms have these readings, in units that go together.
#[derive(Debug)]
pub(super) struct Evaluation<'a> {
    pub(super) expression: &'a Expression,
    pub(super) readings: Vec<&'a Reading>,
    /// What a value of each term is multiplied by before anything else is done with it.
    pub(super) scales: Vec<f64>,
    /// What the result is divided by.
    pub(super) unit: f64,
}

impl Evaluation<'_> {
    /// Returns what kind of number the result is.
    pub(super) fn nature(&self) -> Nature {
        let has = |nature| self.readings.iter().any(|r| r.metric.nature == nature);
        match (has(Nature::Summarized), has(Nature::Sampled)) {
            (true, _) => Nature::Summarized,
            (false, true) => Nature::Sampled,
            (false, false) => Nature::Exact,
        }
    }

    /// Evaluates the expression.
    pub(super) fn value(&self) -> Value {
        let values = match self.nature() {
            Nature::Exact => self.by_repeats().map(Value::Values),
            Nature::Sampled | Nature::Summarized if self.has_rounds() => {
                // A round that gives no number says nothing against a limit that all of them together cross.
                let values = self.by_rounds().map(Value::Values);
                values.or_else(|| self.of_means())
            }
            Nature::Sampled | Nature::Summarized => self.of_means(),
        };
        values.unwrap_or(Value::None)
    }

    /// Returns the value where the terms have these values; none where that is no number a metric can have.
    pub(super) fn at(&self, terms: &[f64]) -> Option<f64> {
        let scaled: Vec<f64> = terms.iter().zip(&self.scales).map(|(v, s)| v * s).collect();
        let value = self.expression.value(&scaled) / self.unit;
        // Adding zero makes a plain zero of a negative one.
        (0.0..=COUNT_MAX).contains(&value).then_some(value + 0.0)
    }

    /// Returns the one value of a term that does not vary.
    fn fixed(&self, term: usize) -> Option<f64> {
        let Reading { metric, sample } = self.readings[term];
        let is_fixed = metric.nature == Nature::Exact && sample.is_constant();
        is_fixed.then(|| sample.values()[0])
    }

    /// Returns the terms that vary.
    fn varying(&self) -> impl Iterator<Item = (usize, &Sample)> {
        let all = self.readings.iter().enumerate();
        all.filter(|(term, _)| self.fixed(*term).is_none())
            .map(|(term, reading)| (term, &reading.sample))
    }

    /// Returns a value for each of the one term, where there is no other.
    pub(super) fn each(&self) -> Option<Sample> {
        let [reading] = self.readings.as_slice() else {
            return None;
        };
        let values = reading.sample.values().iter();
        let values: Option<Vec<f64>> = values.map(|value| self.at(&[*value])).collect();
        Sample::new(values?).ok()
    }

    /// Returns the value of the terms' middles, as a text says them.
    pub(super) fn of_medians(&self) -> Option<Sample> {
        let middles = self.readings.iter().map(|reading| reading.sample.median());
        Sample::new([self.at(&middles.collect::<Vec<_>>())?]).ok()
    }

    fn by_repeats(&self) -> Option<Sample> {
        let counts = |reading: &&Reading| reading.sample.values().len();
        let repeats = match self
            .varying()
            .map(|(_, sample)| sample.values().len())
            .min()
        {
            Some(repeats) => repeats,
            None => self.readings.iter().map(counts).min()?,
        };
        let at = |repeat: usize| {
            let value = |term| self.fixed(term).unwrap_or_else(|| self.nth(term, repeat));
            let terms: Vec<f64> = (0..self.readings.len()).map(value).collect();
            self.at(&terms)
        };
        let values: Option<Vec<f64>> = (0..repeats).map(at).collect();
        Sample::new(values?).ok()
    }

    fn nth(&self, term: usize, place: usize) -> f64 {
        self.readings[term].sample.values()[place]
    }

    /// Returns the rounds in which all terms that vary were taken.
    fn rounds(&self) -> Vec<u32> {
        let mut samples = self
            .varying()
            .map(|(_, sample)| sample.rounds().unwrap_or(&[]));
        let mut common = samples.next().unwrap_or(&[]).to_vec();
        for rounds in samples {
            common.retain(|round| rounds.binary_search(round).is_ok());
        }
        common
    }

    fn has_rounds(&self) -> bool {
        !self.rounds().is_empty()
    }

    fn by_rounds(&self) -> Option<Sample> {
        let rounds = self.rounds();
        let in_round = |round: &u32| {
            let value = |term: usize| {
                self.fixed(term).or_else(|| {
                    let rounds = self.readings[term].sample.rounds()?;
                    let place = rounds.binary_search(round).ok()?;
                    Some(self.nth(term, place))
                })
            };
            let terms: Option<Vec<f64>> = (0..self.readings.len()).map(value).collect();
            self.at(&terms?)
        };
        let values: Option<Vec<f64>> = rounds.iter().map(in_round).collect();
        Sample::new(values?)
            .and_then(|sample| sample.in_rounds(rounds))
            .ok()
    }

    fn of_means(&self) -> Option<Value> {
        let means = self
            .readings
            .iter()
            .map(|reading| mean(reading.sample.values()));
        let means: Vec<f64> = means.collect::<Option<_>>()?;
        let value = self.at(&means)?;
        let counts = self.varying().map(|(_, sample)| sample.values().len());
        let count = counts.min().unwrap_or(1);
        let doubt = if count < 2 {
            Doubt::Unknown
        } else {
            let interval = match self.quotient() {
                Some(quotient) => self.of_quotient(&quotient),
                None => self.of_corners(&means),
            };
            match interval {
                Some((low, high)) => Doubt::Interval { low, high, count },
                None => Doubt::Unbounded,
            }
        };
        Some(Value::OfMeans(Sample::new([value]).ok()?, doubt))
    }

    /// Returns the expression as a quotient of at most one varying term by at most one other, if it is one.
    fn quotient(&self) -> Option<Quotient> {
        let product = self.product(&self.expression.root)?;
        let is_once = |power: &i32| power.abs() == 1;
        let term = |sign: i32| {
            let mut terms = product.powers.iter().filter(|(_, power)| **power == sign);
            (terms.next().map(|(term, _)| *term), terms.next().is_none())
        };
        let ((above, is_one), (below, is_one_too)) = (term(1), term(-1));
        let is_quotient = is_one && is_one_too && product.powers.values().all(is_once);
        (is_quotient && product.factor > 0.0).then_some(Quotient {
            factor: product.factor,
            above,
            below,
        })
    }

    /// Returns a part as a product of powers of the varying terms, if it is one.
    fn product(&self, node: &Node) -> Option<Product> {
        let (left, operator, right) = match node {
            Node::Number(number) => return Some(Product::fixed(*number)),
            Node::Term(term) => {
                return Some(match self.fixed(*term) {
                    Some(value) => Product::fixed(value * self.scales[*term]),
                    None => Product {
                        factor: self.scales[*term],
                        powers: [(*term, 1)].into(),
                    },
                });
            }
            Node::Pair(left, operator, right) => (left, operator, right),
        };
        let (left, right) = (self.product(left)?, self.product(right)?);
        match operator {
            Operator::Times => Some(left.with(&right, 1)),
            Operator::Over => Some(left.with(&right, -1)),
            Operator::Plus | Operator::Minus => {
                let are_fixed = left.powers.is_empty() && right.powers.is_empty();
                let sign = if *operator == Operator::Plus {
                    1.0
                } else {
                    -1.0
                };
                are_fixed.then(|| Product::fixed(left.factor + sign * right.factor))
            }
        }
    }

    fn of_quotient(&self, quotient: &Quotient) -> Option<(f64, f64)> {
        // A side without a term is one, and there is no doubt about it.
        const ONE: &[f64] = &[1.0, 1.0];
        let side = |term: Option<usize>| term.map_or(ONE, |t| self.readings[t].sample.values());
        let estimate =
            ratio::unpaired(side(quotient.above), side(quotient.below), CONFIDENCE).ok()?;
        let factor = quotient.factor / self.unit;
        // Fieller's lower end may lie below zero, which no ratio of costs does.
        let (low, high) = (estimate.low.max(0.0) * factor, estimate.high * factor);
        (high <= COUNT_MAX).then_some((low, high))
    }

    /// Returns the least and the greatest value where each term is at either end of its mean's interval.
    fn of_corners(&self, means: &[f64]) -> Option<(f64, f64)> {
        let varying: Vec<(usize, &Sample)> = self.varying().collect();
        // All intervals hold at once as often as was asked for, whatever the terms have to do with each other.
        let each = 1.0 - (1.0 - CONFIDENCE) / varying.len() as f64;
        let ends = varying.iter().map(|(term, sample)| {
            let outcome = student::paired(sample.values(), each)?;
            Some((*term, [outcome.low.max(0.0), outcome.high]))
        });
        let ends: Vec<(usize, [f64; 2])> = ends.collect::<Option<_>>()?;
        let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
        for corner in 0..1_usize << ends.len() {
            let mut terms = means.to_vec();
            for (place, (term, ends)) in ends.iter().enumerate() {
                terms[*term] = ends[(corner >> place) & 1];
            }
            let value = self.at(&terms)?;
            (low, high) = (low.min(value), high.max(value));
        }
        Some((low, high))
    }
}

/// At most one varying term by at most one other.
struct Quotient {
    factor: f64,
    above: Option<usize>,
    below: Option<usize>,
}

/// A number times powers of the varying terms.
struct Product {
    factor: f64,
    powers: std::collections::BTreeMap<usize, i32>,
}

impl Product {
    fn fixed(factor: f64) -> Self {
        Self {
            factor,
            powers: std::collections::BTreeMap::new(),
        }
    }

    fn with(mut self, other: &Self, sign: i32) -> Self {
        self.factor *= other.factor.powi(sign);
        for (term, power) in &other.powers {
            *self.powers.entry(*term).or_default() += sign * power;
        }
        self.powers.retain(|_, power| *power != 0);
        self
    }
}
