//! The regressions of a suite that somebody took on purpose, each with who took it, and why.
//!
//! Tested by `tests/wire`, where they are read and written.

use std::collections::BTreeMap;

use crate::bench_id::BenchId;
use crate::names::{EnvironmentName, MetricName, NAME_BYTES_MAX, NameError, SuiteName, check_text};
use crate::report::Acceptance;
use crate::sample::COUNT_MAX;

/// The longest reason that is accepted, in bytes: longer ones belong into a commit's message.
const REASON_BYTES_MAX: usize = 2048;

/// Holds the regressions of a suite that were accepted: one for each benchmark and metric, the latest.
#[derive(Debug, Clone, PartialEq)]
pub struct Acceptances {
    suite: SuiteName,
    records: BTreeMap<(BenchId, MetricName), Acceptance>,
}

/// Says why an acceptance is none.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AcceptancesError {
    /// The benchmark belongs to another suite.
    #[error("benchmark `{bench}` does not belong to suite `{suite}`")]
    OtherSuite {
        /// The benchmark.
        bench: BenchId,
        /// The suite.
        suite: SuiteName,
    },
    /// Who took it, or why, is not said in words that can be shown.
    #[error(transparent)]
    Words(#[from] NameError),
    /// A value that no metric can have.
    #[error("`{side}` is {value}, which no metric can be")]
    Value {
        /// Which of the two values.
        side: &'static str,
        /// The value.
        value: f64,
    },
}

impl Acceptances {
    /// Begins with none.
    #[must_use]
    pub fn new(suite: SuiteName) -> Self {
        Self {
            suite,
            records: BTreeMap::new(),
        }
    }

    /// Returns the suite.
    #[must_use]
    pub fn suite(&self) -> &SuiteName {
        &self.suite
    }

    /// Adds an acceptance. One of the same benchmark and metric is returned, and no longer holds.
    ///
    /// # Errors
    /// It is of another suite; nobody took it; there is no reason; or its values are none.
    pub fn insert(
        &mut self,
        bench: BenchId,
        metric: MetricName,
        acceptance: Acceptance,
    ) -> Result<Option<Acceptance>, AcceptancesError> {
        if bench.suite != self.suite {
            let suite = self.suite.clone();
            return Err(AcceptancesError::OtherSuite { bench, suite });
        }
        check_text(
            "the name of who accepted it",
            &acceptance.who,
            NAME_BYTES_MAX,
        )?;
        check_text("the reason", &acceptance.because, REASON_BYTES_MAX)?;
        for (side, value) in [("from", acceptance.from), ("to", acceptance.to)] {
            if !(0.0..=COUNT_MAX).contains(&value) {
                return Err(AcceptancesError::Value { side, value });
            }
        }
        Ok(self.records.insert((bench, metric), acceptance))
    }

    /// Takes out what no longer holds, and returns it.
    pub fn remove(&mut self, bench: &BenchId, metric: &MetricName) -> Option<Acceptance> {
        self.records.remove(&(bench.clone(), metric.clone()))
    }

    /// Returns the acceptance of a metric of a benchmark.
    #[must_use]
    pub fn get(&self, bench: &BenchId, metric: &MetricName) -> Option<&Acceptance> {
        // A map of pairs is asked for a pair; there are few of them.
        self.records.get(&(bench.clone(), metric.clone()))
    }

    /// Returns all, ordered by benchmark and metric.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&BenchId, &MetricName, &Acceptance)> {
        self.records
            .iter()
            .map(|((bench, metric), acceptance)| (bench, metric, acceptance))
    }

    /// Takes those of an environment that owns none for such that do not say of which they are.
    #[must_use]
    pub fn owned_by(mut self, is_owner: impl Fn(&EnvironmentName) -> bool) -> Self {
        for acceptance in self.records.values_mut() {
            acceptance.environment.take_if(|name| !is_owner(name));
        }
        self
    }

    /// Returns those that earlier ones do not hold already: what this change accepts, where `earlier` is its base's.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let is_new = |(bench, metric): &(BenchId, MetricName), acceptance: &Acceptance| {
            let earlier = earlier.get(bench, metric);
            !earlier.is_some_and(|earlier| earlier.is_the_same(acceptance))
        };
        let mut since = self.clone();
        since
            .records
            .retain(|place, acceptance| is_new(place, acceptance));
        since
    }
}
