//! What a step says of its benchmarks beside their values, which is the same in each of its runs: what is joined or paired
//! from runs that disagree is a number of nothing. Tested below.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use tripline_model::{BenchId, Digest, Metric, MetricName};
use tripline_read::Observed;

/// What the runs of a step have said so far.
#[derive(Debug, Default)]
pub(super) struct Agreement(BTreeMap<BenchId, Said>);

#[derive(Debug, Default)]
struct Said {
    metrics: BTreeMap<MetricName, Metric>,
    answer: Option<Digest>,
}

impl Agreement {
    /// Takes note of what one more run says, or returns in what it contradicts those before it.
    pub(super) fn take(&mut self, observed: &Observed) -> Result<(), String> {
        for observation in &observed.observations {
            let bench = observation.bench.within_suite();
            let said = self.0.entry(observation.bench.clone()).or_default();
            for reading in &observation.readings {
                let metric = &reading.metric;
                match said.metrics.entry(metric.name.clone()) {
                    Entry::Vacant(place) => {
                        place.insert(metric.clone());
                    }
                    Entry::Occupied(known) if known.get() == metric => {}
                    Entry::Occupied(_) => {
                        let name = &metric.name;
                        return Err(format!(
                            "`{name}` of `{bench}` is described otherwise in one of its runs than in another (another unit, direction or \
                             kind)"
                        ));
                    }
                }
            }
            if let Some(answer) = &observation.answer
                && said.answer.get_or_insert_with(|| answer.clone()) != answer
            {
                return Err(format!("`{bench}` gave two answers in two of its runs"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tripline_model::{BenchName, Params, Reading, Sample, SuiteName, Unit};
    use tripline_read::Observation;

    use super::*;

    fn run(metric: Metric, answer: Option<&str>) -> Observed {
        let bench = BenchId {
            suite: SuiteName::new("kv").unwrap(),
            name: BenchName::new("get").unwrap(),
            params: Params::new(),
        };
        let sample = Sample::new([1.0]).unwrap();
        let observation = Observation {
            bench,
            readings: vec![Reading { metric, sample }],
            answer: answer.map(|answer| Digest::new(answer).unwrap()),
            caveats: Vec::new(),
        };
        Observed {
            observations: vec![observation],
            ..Observed::default()
        }
    }

    #[test]
    fn runs_that_disagree_are_refused() {
        let time = || Metric::known("wall_time").unwrap();
        let mut agreement = Agreement::default();
        assert_eq!(agreement.take(&run(time(), Some("00ff"))), Ok(()));
        assert_eq!(agreement.take(&run(time(), None)), Ok(()));
        assert_eq!(agreement.take(&run(time(), Some("00ff"))), Ok(()));
        let other_answer = agreement.take(&run(time(), Some("dead"))).unwrap_err();
        assert!(other_answer.contains("two answers"), "{other_answer}");
        let unit = Unit::Byte;
        let other_unit = agreement.take(&run(Metric { unit, ..time() }, None));
        let other_unit = other_unit.unwrap_err();
        assert!(other_unit.contains("`wall_time` of `get`"), "{other_unit}");
    }
}
