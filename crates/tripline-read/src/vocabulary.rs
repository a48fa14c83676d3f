//! The metrics of one input, by name. In a run one name means one metric; where harnesses let benchmarks name metrics
//! of their own, two of them may use one name for two things, and that is said here, with the line of the second.
//!
//! A nature is no such thing: where a harness gives raw values of one benchmark and a summary of another, both are the same
//! quantity, and all of the run has the weaker nature.
//!
//! Tested below.

use std::collections::BTreeMap;

use tripline_model::{Metric, MetricName, Reading};

/// The metrics seen so far.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    metrics: BTreeMap<MetricName, Metric>,
    /// Whether a metric came with two natures.
    is_weakened: bool,
}

impl Vocabulary {
    /// Takes note of a metric, or says that its name already means another one.
    pub(crate) fn admit(&mut self, metric: &Metric) -> Result<(), String> {
        match self.metrics.get_mut(&metric.name) {
            None => {
                self.metrics.insert(metric.name.clone(), metric.clone());
                Ok(())
            }
            Some(known) if known == metric => Ok(()),
            Some(known) if (&known.unit, known.better) == (&metric.unit, metric.better) => {
                known.nature = known.nature.max(metric.nature);
                self.is_weakened = true;
                Ok(())
            }
            Some(_) => Err(format!(
                "`{}` already stands for a metric of another unit or direction",
                metric.name
            )),
        }
    }

    /// Returns whether readings that were admitted before may have to be settled.
    pub(crate) fn is_weakened(&self) -> bool {
        self.is_weakened
    }

    /// Gives a reading the nature that its metric has in all of the run, and returns whether that is another one.
    pub(crate) fn settle(&self, reading: &mut Reading) -> bool {
        let known = self.metrics.get(&reading.metric.name);
        let nature = known.map_or(reading.metric.nature, |known| known.nature);
        std::mem::replace(&mut reading.metric.nature, nature) != nature
    }
}

#[cfg(test)]
mod tests {
    use tripline_model::{Better, Nature, Sample, Unit};

    use super::*;

    #[test]
    fn a_name_means_one_metric() {
        let mut vocabulary = Vocabulary::default();
        let time = Metric::known("wall_time").unwrap();
        let other = Metric {
            unit: Unit::Count,
            better: Better::Neither,
            ..time.clone()
        };
        assert_eq!(vocabulary.admit(&time), Ok(()));
        assert_eq!(vocabulary.admit(&time), Ok(()));
        let said = vocabulary.admit(&other).expect_err("the name is taken");
        assert_eq!(
            said,
            "`wall_time` already stands for a metric of another unit or direction"
        );
        assert!(!vocabulary.is_weakened());
    }

    #[test]
    fn of_two_natures_a_metric_has_the_weaker_one() {
        let natures = [Nature::Exact, Nature::Sampled, Nature::Summarized];
        for (first, second) in natures
            .iter()
            .flat_map(|n| natures.map(|other| (*n, other)))
        {
            let of = |nature| Metric {
                nature,
                ..Metric::known("wall_time").unwrap()
            };
            let mut vocabulary = Vocabulary::default();
            assert_eq!(vocabulary.admit(&of(first)), Ok(()));
            assert_eq!(vocabulary.admit(&of(second)), Ok(()));
            let mut reading = Reading {
                metric: of(first),
                sample: Sample::new([1.0]).unwrap(),
            };
            let is_changed = vocabulary.settle(&mut reading);
            assert_eq!(reading.metric.nature, first.max(second));
            assert_eq!(is_changed, second > first);
            assert_eq!(vocabulary.is_weakened(), first != second);
        }
    }
}
