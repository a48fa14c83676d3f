//! What the metrics of a suite are called: within a suite, a metric's name means one metric, and a benchmark has it once.
//!
//! Units and benchmarks may come to the same name as often as the file likes, so no number is tried twice for the same
//! metric. Tested below.

use std::collections::{BTreeMap, BTreeSet};

use tripline_model::{BenchId, Metric, MetricName, Series};

/// The names that are taken.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// What each name means.
    means: BTreeMap<MetricName, Metric>,
    /// The number that is tried next for each name that was wanted.
    next: BTreeMap<MetricName, u32>,
    /// What each metric is called, in the order of the numbers.
    of_metric: BTreeMap<Metric, Vec<MetricName>>,
    /// How many of these each benchmark has already.
    of_bench: BTreeMap<(BenchId, Metric), usize>,
    /// The metrics that benchmarks have.
    taken: BTreeSet<(BenchId, MetricName)>,
}

impl Names {
    /// Takes note of a series that is called so already.
    pub(super) fn take(&mut self, series: &Series) {
        let Series { bench, metric } = series;
        let means = self.means.entry(metric.name.clone());
        means.or_insert_with(|| metric.clone());
        self.taken.insert((bench.clone(), metric.name.clone()));
    }

    /// Tells a series from those that came to the same benchmark and metric from another name or unit.
    pub(super) fn apart(&mut self, mut series: Series) -> Series {
        let bench = series.bench.clone();
        let metric = series.metric.clone();
        let mut at = self
            .of_bench
            .get(&(bench.clone(), metric.clone()))
            .map_or(0, |at| *at);
        loop {
            let name = self.name(&metric, at);
            at += 1;
            if self.taken.insert((bench.clone(), name.clone())) {
                self.of_bench.insert((bench, metric), at);
                series.metric.name = name;
                return series;
            }
        }
    }

    /// Returns one of a metric's names, which may be a new one.
    fn name(&mut self, metric: &Metric, at: usize) -> MetricName {
        let known = self.of_metric.get(metric).and_then(|names| names.get(at));
        if let Some(name) = known {
            return name.clone();
        }
        let name = self.new_name(metric);
        let names = self.of_metric.entry(metric.clone()).or_default();
        names.push(name.clone());
        name
    }

    /// Returns the first name that means nothing else yet.
    fn new_name(&mut self, metric: &Metric) -> MetricName {
        let next = self.next.entry(metric.name.clone()).or_insert(1);
        loop {
            let name = match *next {
                1 => metric.name.clone(),
                number => format!("{}.{number}", metric.name)
                    .parse()
                    .expect("a name and a number are a name"),
            };
            *next += 1;
            let named = Metric {
                name: name.clone(),
                ..metric.clone()
            };
            if *self.means.entry(name.clone()).or_insert(named.clone()) == named {
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tripline_model::{BenchName, Better, Nature, Params, SuiteName, Unit, UnitSymbol};

    use super::*;

    /// So many that trying the numbers of all others for each would take minutes.
    const MANY: usize = 100_000;

    fn series(bench: &str, name: &str, unit: &str) -> Series {
        Series {
            bench: BenchId {
                suite: SuiteName::new("kv").unwrap(),
                name: BenchName::new(bench).unwrap(),
                params: Params::new(),
            },
            metric: Metric {
                name: MetricName::new(name).unwrap(),
                unit: Unit::Other(UnitSymbol::new(unit).unwrap()),
                better: Better::Lower,
                nature: Nature::Summarized,
            },
        }
    }

    #[test]
    fn a_name_means_one_metric_and_a_benchmark_has_it_once() {
        let mut names = Names::default();
        for (bench, name, unit, expected) in [
            ("get", "value", "%", "value"),
            ("put", "value", "%", "value"),
            ("put", "value", "!", "value.2"),
            ("get", "value", "!", "value.2"),
            ("get", "value", "%", "value.3"),
            ("put", "value", "!", "value.4"),
            ("put", "value", "%", "value.3"),
            ("sum", "value.2", "!", "value.2"),
            ("get", "value.2", "!", "value.2.2"),
            ("sum", "value", "!", "value.4"),
        ] {
            let named = names.apart(series(bench, name, unit)).metric.name;
            assert_eq!(named.as_str(), expected, "{bench} {name} {unit}");
        }
    }

    #[test]
    fn as_many_as_there_are_find_a_name_soon() {
        let mut names = Names::default();
        let last = (0..MANY)
            .map(|_| names.apart(series("get", "value", "%")))
            .last();
        assert_eq!(last.unwrap().metric.name.as_str(), format!("value.{MANY}"));
        let mut names = Names::default();
        let units =
            (0..MANY).map(|number| names.apart(series("get", "value", &format!("%{number}"))));
        assert_eq!(
            units.last().unwrap().metric.name.as_str(),
            format!("value.{MANY}")
        );
    }
}
