//! What the sides gave, round by round, and whether that is enough.
//!
//! A benchmark is measured until more rounds would not change what its gate does, or until it has had all its rounds.
//! Both sides of a round are kept, or neither is.
//!
//! Only what both sides gave in the same round was taken side by side; of anything else the rounds are not told, so that
//! nobody pairs what one step measured of the base with what another one measured of the head. Tested beside it.

use std::collections::BTreeMap;

use tripline_judge::{Policy, decision, leans};
use tripline_model::{
    BenchId, Caveat, Digest, Method, Metric, MetricName, Nature, Reading, Sample,
};
use tripline_read::{Observation, Observed};

/// The rounds of a benchmark that only one side has: enough to see where it stands.
pub(in crate::measure) const ROUNDS_ALONE: usize = 3;

/// The rounds of a benchmark of which no metric can fail: enough for an interval.
const ROUNDS_TO_SHOW: usize = 9;

/// The rounds of a benchmark of which all is counted: enough to see that its counts come out the same each time.
const ROUNDS_TO_COUNT: usize = 2;

/// How many times its rounds a benchmark is given when all of them speak for a change and do not prove it.
const EXTENSION: usize = 2;

/// Returns the most rounds that count of a benchmark that is given so many.
pub(crate) const fn rounds_with_extension(rounds: usize) -> usize {
    EXTENSION * rounds
}

/// How many changes are assumed to be judged together where that cannot be known while measuring: too many cost a few
/// rounds, too few would let a regression warn that is to fail.
const HYPOTHESES_UNKNOWN: usize = 300;

/// What one side gave of one metric in one round.
#[derive(Debug, Clone)]
pub(in crate::measure) struct Value {
    pub(super) metric: Metric,
    pub(super) value: f64,
    /// Over how many iterations it was taken, where that is known.
    pub(super) iterations: Option<u64>,
}

/// What one side gave of one benchmark in one round.
#[derive(Debug, Clone, Default)]
pub(in crate::measure) struct Taken {
    pub(super) values: Vec<Value>,
    pub(super) answer: Option<Digest>,
    pub(super) caveats: Vec<Caveat>,
}

/// One benchmark in one round: what each side gave, where it has the benchmark.
#[derive(Debug, Clone)]
pub(in crate::measure) struct Row {
    pub(super) bench: BenchId,
    pub(super) sides: Vec<Option<Taken>>,
    /// Whether something happened that spoils the round.
    pub(super) is_disturbed: bool,
}

/// When enough was measured.
#[derive(Debug, Clone, Copy)]
pub(in crate::measure) struct Enough<'a> {
    /// The rules that decide.
    pub(in crate::measure) policy: &'a Policy,
    /// The most rounds that count, but for what speaks for a change without proving it.
    pub(in crate::measure) rounds: usize,
    /// How many steps of the suite are measured in rounds: all their benchmarks are judged together.
    pub(in crate::measure) steps: usize,
}

/// All that the sides gave.
#[derive(Debug)]
pub(super) struct Gathered {
    sides: usize,
    benches: BTreeMap<BenchId, Bench>,
}

#[derive(Debug, Default)]
struct Bench {
    /// Of each side.
    sides: Vec<Side>,
    /// Of each side, what was dropped: where that is all there is, it is better than nothing.
    spoiled: Vec<Side>,
    rounds: usize,
    dropped: usize,
}

/// What one side gave of one benchmark.
#[derive(Debug, Default, Clone)]
struct Side {
    readings: BTreeMap<MetricName, Readings>,
    answer: Option<Digest>,
    caveats: Vec<Caveat>,
}

#[derive(Debug, Clone)]
struct Readings {
    metric: Metric,
    rounds: Vec<u32>,
    values: Vec<f64>,
    iterations: Option<Vec<u64>>,
}

impl Gathered {
    pub(super) fn new(sides: usize) -> Self {
        Self {
            sides,
            benches: BTreeMap::new(),
        }
    }

    /// Adds what one round gave.
    pub(super) fn add(&mut self, round: u32, rows: Vec<Row>) {
        for row in rows {
            let bench = self.benches.entry(row.bench).or_default();
            bench.sides.resize(self.sides, Side::default());
            bench.spoiled.resize(self.sides, Side::default());
            let (sides, count) = if row.is_disturbed {
                (&mut bench.spoiled, &mut bench.dropped)
            } else {
                (&mut bench.sides, &mut bench.rounds)
            };
            *count += 1;
            for (side, taken) in sides.iter_mut().zip(row.sides) {
                if let Some(taken) = taken {
                    side.add(round, taken);
                }
            }
        }
    }

    /// Returns whether more is wanted of a benchmark. One that is not known yet is wanted.
    pub(super) fn wants(&self, bench: &BenchId, enough: &Enough<'_>) -> bool {
        self.benches.get(bench).is_none_or(|known| {
            // Rounds that were dropped are taken again, but not for ever.
            let rounds = known.rounds + known.dropped.saturating_sub(enough.rounds);
            let has_had_all = rounds >= enough.rounds;
            let goes_on =
                rounds < rounds_with_extension(enough.rounds) && known.leans(bench, enough.policy);
            // What is derived of several benchmarks may be less clear than each of them is.
            let is_owed = !has_had_all && known.is_term_of_gate(bench, enough.policy);
            is_owed || (!has_had_all || goes_on) && !self.is_decided(bench, known, enough)
        })
    }

    /// Returns whether any benchmark that is known is wanted.
    pub(super) fn wants_any(&self, enough: &Enough<'_>) -> bool {
        self.benches.keys().any(|bench| self.wants(bench, enough))
    }

    /// Returns how many benchmarks are known, and of how many of them no more is wanted.
    pub(super) fn counts(&self, enough: &Enough<'_>) -> (usize, usize) {
        let done = self
            .benches
            .keys()
            .filter(|bench| !self.wants(bench, enough))
            .count();
        (self.benches.len(), done)
    }

    fn is_decided(&self, id: &BenchId, bench: &Bench, enough: &Enough<'_>) -> bool {
        let [base, head] = &bench.sides[..] else {
            return false;
        };
        if base.readings.is_empty() || head.readings.is_empty() {
            return bench.rounds >= ROUNDS_ALONE;
        }
        if base.is_counted() && head.is_counted() {
            return bench.rounds >= ROUNDS_TO_COUNT;
        }
        let mut gating = bench.gating(id, enough.policy).peekable();
        if gating.peek().is_none() {
            return bench.rounds >= ROUNDS_TO_SHOW;
        }
        let hypotheses = self.hypotheses(enough);
        gating.all(|(base, head)| {
            let rule = enough.policy.rule(id, &head.metric, Method::Paired);
            let pairs = base.pairs(head);
            decision(&pairs, head.metric.better, &rule, hypotheses).is_some()
        })
    }

    /// Returns how many changes are judged together, as far as that is known here.
    fn hypotheses(&self, enough: &Enough<'_>) -> usize {
        let of_step: usize = self
            .benches
            .iter()
            .map(|(id, bench)| bench.gating(id, enough.policy).count())
            .sum();
        let known = of_step * enough.steps;
        // What other steps hold is not known before they are measured, nor what is derived from them.
        let has_more = enough.steps > 1 || !enough.policy.derived().is_empty();
        if has_more {
            known.max(HYPOTHESES_UNKNOWN)
        } else {
            known
        }
    }

    /// Returns what each side gave, as any other harness would.
    pub(super) fn into_observed(self) -> Vec<Observed> {
        let sides = 0..self.sides;
        sides
            .map(|side| {
                let benches = self.benches.iter();
                let observations = benches.filter_map(|(id, bench)| bench.observation(id, side));
                Observed {
                    observations: observations.collect(),
                    problems: Vec::new(),
                    remarks: Vec::new(),
                }
            })
            .collect()
    }
}

impl Bench {
    /// Returns both sides of each metric that is no count and may fail.
    fn gating<'a>(
        &'a self,
        id: &'a BenchId,
        policy: &'a Policy,
    ) -> impl Iterator<Item = (&'a Readings, &'a Readings)> {
        let (base, head) = match &self.sides[..] {
            [base, head] => (Some(base), Some(head)),
            _ => (None, None),
        };
        let readings = head.into_iter().flat_map(|head| head.readings.values());
        readings.filter_map(move |head| {
            let base = base?.readings.get(&head.metric.name)?;
            let rule = policy.rule(id, &head.metric, Method::Paired);
            let gates = head.metric.nature != Nature::Exact && rule.fail_from.is_finite();
            gates.then_some((base, head))
        })
    }

    /// Returns whether something that may fail is derived from a metric that is no count, and that both sides have.
    fn is_term_of_gate(&self, id: &BenchId, policy: &Policy) -> bool {
        let [base, head] = &self.sides[..] else {
            return false;
        };
        head.readings.iter().any(|(name, readings)| {
            let is_noisy = readings.metric.nature != Nature::Exact;
            is_noisy && base.readings.contains_key(name) && policy.derives_gate_from(id, name)
        })
    }

    /// Returns whether any metric that may fail speaks for a change.
    fn leans(&self, id: &BenchId, policy: &Policy) -> bool {
        self.gating(id, policy).any(|(base, head)| {
            let rule = policy.rule(id, &head.metric, Method::Paired);
            leans(&base.pairs(head), head.metric.better, &rule)
        })
    }

    fn observation(&self, id: &BenchId, at: usize) -> Option<Observation> {
        let is_spoiled = self.rounds == 0;
        let sides = if is_spoiled {
            &self.spoiled
        } else {
            &self.sides
        };
        let side = sides.get(at)?;
        let is_paired = |name: &MetricName| {
            let all_have = sides.iter().all(|side| side.readings.contains_key(name));
            sides.len() == 2 && all_have && !is_spoiled
        };
        let readings = side.readings.iter();
        let readings: Vec<Reading> = readings
            .map(|(name, readings)| readings.reading(is_paired(name)))
            .collect();
        // What could not be counted is there as well, with the reason.
        if readings.is_empty() && side.answer.is_none() && side.caveats.is_empty() {
            return None;
        }
        let mut caveats = side.caveats.clone();
        if self.dropped > 0 {
            caveats.push(Caveat::Disturbed {
                pairs: self.dropped,
            });
        }
        Some(Observation {
            bench: id.clone(),
            readings,
            answer: side.answer.clone(),
            caveats,
        })
    }
}

impl Side {
    /// Returns whether all that was measured is a count, and has come out the same each time.
    fn is_counted(&self) -> bool {
        self.readings.values().all(|readings| {
            let is_constant = readings.values.windows(2).all(|pair| pair[0] == pair[1]);
            readings.metric.nature == Nature::Exact && is_constant
        })
    }

    fn add(&mut self, round: u32, taken: Taken) {
        self.answer = self.answer.take().or(taken.answer);
        for caveat in taken.caveats {
            if !self.caveats.contains(&caveat) {
                self.caveats.push(caveat);
            }
        }
        for Value {
            metric,
            value,
            iterations,
        } in taken.values
        {
            let readings = self
                .readings
                .entry(metric.name.clone())
                .or_insert_with(|| Readings {
                    metric,
                    rounds: Vec::new(),
                    values: Vec::new(),
                    iterations: Some(Vec::new()),
                });
            readings.rounds.push(round);
            readings.values.push(value);
            match (&mut readings.iterations, iterations) {
                (Some(known), Some(iterations)) => known.push(iterations),
                _ => readings.iterations = None,
            }
        }
    }
}

impl Readings {
    fn pairs(&self, head: &Self) -> Vec<(f64, f64)> {
        let partner = |round: &u32| {
            head.rounds
                .binary_search(round)
                .ok()
                .map(|at| head.values[at])
        };
        let values = self.rounds.iter().zip(&self.values);
        values
            .filter_map(|(round, value)| Some((*value, partner(round)?)))
            .collect()
    }

    /// Returns the reading; with its rounds, where the other side was measured beside it.
    fn reading(&self, is_paired: bool) -> Reading {
        let sample = match &self.iterations {
            Some(iterations) => Sample::with_iterations(self.values.clone(), iterations.clone()),
            None => Sample::new(self.values.clone()),
        };
        // A count is the same in all rounds, and is no pair of anything.
        let sample = match self.metric.nature {
            Nature::Sampled | Nature::Summarized if is_paired => {
                sample.and_then(|sample| sample.in_rounds(self.rounds.clone()))
            }
            Nature::Sampled | Nature::Exact | Nature::Summarized => sample,
        };
        Reading {
            metric: self.metric.clone(),
            sample: sample.expect("sources give values of samples, once a round"),
        }
    }
}

#[cfg(test)]
mod tests;
