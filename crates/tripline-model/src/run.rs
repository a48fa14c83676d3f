//! All measurements of one suite at one revision in one environment. A baseline is a run that was kept.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use jiff::Timestamp;

use crate::bench_id::BenchId;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::measurement::{Measurement, MeasurementError};
use crate::metric::Metric;
use crate::names::{MetricName, SessionId, SuiteName};
use crate::part::Part;
use crate::revision::Revision;

/// Names the program that wrote a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Producer {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// Holds all measurements of one suite at one revision in one environment.
///
/// Each benchmark stands once, and a metric's name means one metric throughout.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The suite.
    pub suite: SuiteName,
    /// The state of the code, where it is known.
    pub revision: Option<Revision>,
    /// When measuring began.
    pub measured_at: Timestamp,
    /// Where it was measured.
    pub environment: Environment,
    /// What wrote it.
    pub producer: Producer,
    /// The session it was measured in, if interleaved with other runs.
    pub session: Option<SessionId>,
    /// Which part of the suite it holds; the whole where nothing is said.
    pub part: Option<Part>,
    /// What was to be measured and was not.
    pub failures: Vec<Failure>,
    measurements: BTreeMap<BenchId, Measurement>,
    metrics: BTreeMap<MetricName, Metric>,
}

/// Says why a measurement does not fit into a run.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RunError {
    /// The benchmark belongs to another suite.
    #[error("benchmark `{bench}` does not belong to suite `{suite}`")]
    OtherSuite {
        /// The benchmark.
        bench: BenchId,
        /// The run's suite.
        suite: SuiteName,
    },
    /// The benchmark stands twice.
    #[error("benchmark `{0}` stands twice")]
    Twice(BenchId),
    /// One name is used for two metrics.
    #[error(
        "metric `{metric}` of benchmark `{bench}` is described differently elsewhere in the run"
    )]
    TwoMetrics {
        /// The benchmark.
        bench: BenchId,
        /// The metric's name.
        metric: MetricName,
    },
    /// The parts of a measurement do not fit together.
    #[error(transparent)]
    Measurement(#[from] MeasurementError),
}

impl Run {
    /// Begins a run that holds nothing yet.
    #[must_use]
    pub fn new(
        suite: SuiteName,
        measured_at: Timestamp,
        environment: Environment,
        producer: Producer,
    ) -> Self {
        Self {
            suite,
            revision: None,
            measured_at,
            environment,
            producer,
            session: None,
            part: None,
            failures: Vec::new(),
            measurements: BTreeMap::new(),
            metrics: BTreeMap::new(),
        }
    }

    /// Begins a run that holds nothing yet, of the suite, the revision and the place of another one.
    #[must_use]
    pub fn begun_like(other: &Self) -> Self {
        let mut run = Self::new(
            other.suite.clone(),
            other.measured_at,
            other.environment.clone(),
            other.producer.clone(),
        );
        run.revision.clone_from(&other.revision);
        run
    }

    /// Adds the measurement of a benchmark that is not in the run yet.
    ///
    /// # Errors
    /// The benchmark is already there, belongs elsewhere, or uses a metric's name for something else.
    pub fn insert(&mut self, measurement: Measurement) -> Result<(), RunError> {
        self.check(&measurement)?;
        if self.measurements.contains_key(measurement.bench()) {
            return Err(RunError::Twice(measurement.bench().clone()));
        }
        self.learn_metrics(&measurement);
        self.measurements
            .insert(measurement.bench().clone(), measurement);
        Ok(())
    }

    /// Adds a measurement, joining it with what another harness measured of the same benchmark.
    ///
    /// # Errors
    /// As [`Run::insert`]; and both harnesses read the same metric, or computed different things.
    pub fn join(&mut self, measurement: Measurement) -> Result<(), RunError> {
        self.check(&measurement)?;
        self.learn_metrics(&measurement);
        match self.measurements.entry(measurement.bench().clone()) {
            Entry::Vacant(place) => {
                place.insert(measurement);
            }
            Entry::Occupied(mut place) => {
                let joined = place.get().clone().joined_with(measurement)?;
                place.insert(joined);
            }
        }
        Ok(())
    }

    /// Takes what was measured of a benchmark later in place of what is there, where it is there.
    ///
    /// # Errors
    /// As [`Run::insert`], but that it is there; and the two computed different things.
    pub fn renew(&mut self, later: Measurement) -> Result<(), RunError> {
        self.check(&later)?;
        if let Some(place) = self.measurements.get_mut(later.bench()) {
            *place = place.clone().renewed_by(later)?;
        }
        Ok(())
    }

    fn check(&self, measurement: &Measurement) -> Result<(), RunError> {
        let bench = measurement.bench();
        if bench.suite != self.suite {
            return Err(RunError::OtherSuite {
                bench: bench.clone(),
                suite: self.suite.clone(),
            });
        }
        for reading in measurement.readings() {
            let name = &reading.metric.name;
            if self
                .metrics
                .get(name)
                .is_some_and(|known| *known != reading.metric)
            {
                return Err(RunError::TwoMetrics {
                    bench: bench.clone(),
                    metric: name.clone(),
                });
            }
        }
        Ok(())
    }

    fn learn_metrics(&mut self, measurement: &Measurement) {
        for reading in measurement.readings() {
            if !self.metrics.contains_key(&reading.metric.name) {
                self.metrics
                    .insert(reading.metric.name.clone(), reading.metric.clone());
            }
        }
    }

    /// Returns the measurements, ordered by benchmark.
    pub fn measurements(&self) -> impl ExactSizeIterator<Item = &Measurement> {
        self.measurements.values()
    }

    /// Returns the measurement of one benchmark.
    #[must_use]
    pub fn measurement(&self, bench: &BenchId) -> Option<&Measurement> {
        self.measurements.get(bench)
    }

    /// Returns the metrics that occur, ordered by name.
    pub fn metrics(&self) -> impl Iterator<Item = &Metric> {
        self.metrics.values()
    }

    /// Returns whether nothing was measured. An empty run is never a good one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.measurements.is_empty()
    }
}
