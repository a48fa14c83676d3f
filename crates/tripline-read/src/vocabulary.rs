//! The metrics of one input, by name. In a run one name means one metric; where harnesses let benchmarks name metrics
//! of their own, two of them may use one name for two things, and that is said here, with the line of the second.
//!
//! Tested below.

use std::collections::BTreeMap;

use tripline_model::{Metric, MetricName};

/// The metrics seen so far.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary(BTreeMap<MetricName, Metric>);

impl Vocabulary {
    /// Takes note of a metric, or says that its name already means another one.
    pub(crate) fn admit(&mut self, metric: &Metric) -> Result<(), String> {
        match self.0.get(&metric.name) {
            None => {
                self.0.insert(metric.name.clone(), metric.clone());
                Ok(())
            }
            Some(known) if known == metric => Ok(()),
            Some(_) => Err(format!(
                "`{}` already stands for a metric of another unit, direction or nature",
                metric.name
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use tripline_model::{Better, Unit};

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
            "`wall_time` already stands for a metric of another unit, direction or nature"
        );
    }
}
