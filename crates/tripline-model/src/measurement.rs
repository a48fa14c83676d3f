//! What one benchmark gave: its readings, and what it computed.
//!
//! *Note:* a measurement holds all metrics of its benchmark rather than one each, because a kept run is reviewed as a
//! diff, and a benchmark that changed should be one line of it.

use std::collections::BTreeMap;

use crate::bench_id::BenchId;
use crate::caveat::Caveat;
use crate::metric::Metric;
use crate::names::{Digest, MetricName};
use crate::sample::Sample;

/// Holds the values of one metric of one benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// What was measured.
    pub metric: Metric,
    /// Its values.
    pub sample: Sample,
}

/// Holds all that was measured of one benchmark. There is at least one reading, and one per metric.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    bench: BenchId,
    readings: BTreeMap<MetricName, Reading>,
    answer: Option<Digest>,
    caveats: Vec<Caveat>,
}

/// Says why readings do not make a measurement.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MeasurementError {
    /// Nothing was read.
    #[error("benchmark `{0}` has no reading")]
    NoReading(BenchId),
    /// One metric was read twice.
    #[error("benchmark `{bench}` has two readings of `{metric}`")]
    Twice {
        /// The benchmark.
        bench: BenchId,
        /// The metric.
        metric: MetricName,
    },
    /// Two parts of a measurement computed different things.
    #[error("benchmark `{bench}` gave two answers, {first} and {second}")]
    TwoAnswers {
        /// The benchmark.
        bench: BenchId,
        /// One answer.
        first: Digest,
        /// The other.
        second: Digest,
    },
}

impl Measurement {
    /// Puts readings together.
    ///
    /// # Errors
    /// There is none, or a metric appears twice.
    pub fn new(
        bench: BenchId,
        readings: impl IntoIterator<Item = Reading>,
        answer: Option<Digest>,
        caveats: Vec<Caveat>,
    ) -> Result<Self, MeasurementError> {
        let mut by_metric = BTreeMap::new();
        for reading in readings {
            let name = reading.metric.name.clone();
            if by_metric.insert(name.clone(), reading).is_some() {
                return Err(MeasurementError::Twice {
                    bench,
                    metric: name,
                });
            }
        }
        if by_metric.is_empty() {
            return Err(MeasurementError::NoReading(bench));
        }
        Ok(Self {
            bench,
            readings: by_metric,
            answer,
            caveats,
        })
    }

    /// Joins what two harnesses measured of one benchmark, as its count and its time.
    ///
    /// # Errors
    /// Both read the same metric, or they computed different things.
    pub fn joined_with(self, other: Self) -> Result<Self, MeasurementError> {
        debug_assert_eq!(
            self.bench, other.bench,
            "only measurements of one benchmark are joined"
        );
        let answer = match (self.answer, other.answer) {
            (Some(first), Some(second)) if first != second => {
                return Err(MeasurementError::TwoAnswers {
                    bench: self.bench,
                    first,
                    second,
                });
            }
            (first, second) => first.or(second),
        };
        let readings = self
            .readings
            .into_values()
            .chain(other.readings.into_values());
        let caveats = self.caveats.into_iter().chain(other.caveats).collect();
        Self::new(self.bench, readings, answer, caveats)
    }

    /// Takes the readings of a later measurement of the same benchmark in place of its own of the same metrics, and adds
    /// what that says against itself.
    ///
    /// # Errors
    /// They computed different things.
    pub fn renewed_by(mut self, later: Self) -> Result<Self, MeasurementError> {
        let is_older = |name: &MetricName| later.readings.contains_key(name);
        self.readings.retain(|name, _| !is_older(name));
        self.joined_with(later)
    }

    /// Returns which benchmark was measured.
    #[must_use]
    pub fn bench(&self) -> &BenchId {
        &self.bench
    }

    /// Returns the readings, ordered by the metric's name.
    pub fn readings(&self) -> impl Iterator<Item = &Reading> {
        self.readings.values()
    }

    /// Returns the reading of one metric.
    #[must_use]
    pub fn reading(&self, metric: &MetricName) -> Option<&Reading> {
        self.readings.get(metric)
    }

    /// Returns the digest of what the benchmark computed, where it says so.
    #[must_use]
    pub fn answer(&self) -> Option<&Digest> {
        self.answer.as_ref()
    }

    /// Returns the reasons to trust this measurement less.
    #[must_use]
    pub fn caveats(&self) -> &[Caveat] {
        &self.caveats
    }
}
