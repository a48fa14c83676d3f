//! A benchmark of an input, before it is known whether another has the same id or names a metric otherwise.
//!
//! Tested through the adapters' fixtures.

use tripline_model::{BenchId, Caveat, Nature, Reading};

use crate::Observation;
use crate::apart::Facts;
use crate::vocabulary::Vocabulary;

/// What an input says about one benchmark.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) bench: BenchId,
    /// What tells it from another of the same id.
    pub(crate) facts: Facts,
    pub(crate) readings: Vec<Reading>,
    /// What is to be said of it, beside what is said of every benchmark.
    pub(crate) caveats: Vec<Caveat>,
}

impl Entry {
    /// Returns a benchmark that nothing has to tell from another.
    pub(crate) fn new(bench: BenchId, readings: Vec<Reading>) -> Self {
        Self {
            bench,
            facts: Facts::new(),
            readings,
            caveats: Vec::new(),
        }
    }

    /// Returns what was observed. A metric whose name already stands for something else is a problem, and the others stay.
    pub(crate) fn observation(
        self,
        vocabulary: &mut Vocabulary,
        mut problem: impl FnMut(String),
    ) -> Option<Observation> {
        let Self {
            bench,
            mut readings,
            caveats: mut said,
            ..
        } = self;
        // Its readings stand in others of the same id.
        let is_heading = readings.is_empty() && !said.is_empty();
        readings.retain(|reading| match vocabulary.admit(&reading.metric) {
            Ok(()) => true,
            Err(error) => {
                let bench = bench.within_suite();
                problem(format!(
                    "a metric of benchmark `{bench}` cannot be used: {error}"
                ));
                false
            }
        });
        said.extend(caveats(&readings));
        (is_heading || !readings.is_empty()).then_some(Observation {
            bench,
            readings,
            answer: None,
            caveats: said,
        })
    }
}

/// One value is no sample, and that is said once, by the first metric, which is what was measured.
fn caveats(readings: &[Reading]) -> Vec<Caveat> {
    let first = readings.first();
    let is_alone = first.is_some_and(|reading| {
        reading.metric.nature == Nature::Sampled && reading.sample.values().len() == 1
    });
    is_alone
        .then_some(Caveat::SingleSample)
        .into_iter()
        .collect()
}
