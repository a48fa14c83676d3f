//! The runs of one benchmark, joined: the values of a metric follow one another.
//!
//! Tested by `fixtures/go` and `tests/it/refusals/go.txt`.

use std::collections::BTreeMap;

use tripline_model::{BenchId, Caveat, Metric, MetricName, Nature, Reading, Sample};

use super::line::Measure;
use super::metrics::{Properties, metric_of};
use super::transcript::Taken;
use crate::Observation;
use crate::apart::Facts;
use crate::place::shown;
use crate::vocabulary::Vocabulary;

/// One run of a benchmark.
pub(super) struct Entry<'t> {
    /// Which document it stands in.
    pub(super) document: usize,
    pub(super) bench: BenchId,
    /// Where it was measured.
    pub(super) facts: Facts,
    /// The name without processors.
    pub(super) name: &'t str,
    pub(super) taken: Taken<'t>,
}

/// The values of one metric, in order.
struct Values {
    metric: Metric,
    values: Vec<f64>,
    iterations: Vec<u64>,
    /// The line of the last one.
    line: usize,
}

/// Groups the runs of each benchmark, in the order in which they first stand.
///
/// Two names must not become one benchmark, so the second of them is a problem.
pub(super) fn repeats_of<'t>(
    entries: impl Iterator<Item = Entry<'t>>,
    problems: &mut Vec<(usize, String)>,
) -> Vec<Vec<Entry<'t>>> {
    let mut groups: Vec<Vec<Entry<'t>>> = Vec::new();
    let mut known: BTreeMap<BenchId, usize> = BTreeMap::new();
    for entry in entries {
        let index = *known.entry(entry.bench.clone()).or_insert(groups.len());
        if index == groups.len() {
            groups.push(Vec::new());
        }
        match groups[index].first() {
            Some(first) if first.name != entry.name => {
                let (name, first) = (shown(entry.name), shown(first.name));
                let text = format!(
                    "`{name}` and `{first}` have the same parts in another order, and would become one benchmark"
                );
                problems.push((entry.taken.line, text));
            }
            _ => groups[index].push(entry),
        }
    }
    groups
}

/// Makes the runs of a benchmark an observation, with the line of the first.
pub(super) fn observe(
    repeats: &[Entry<'_>],
    units: &BTreeMap<&str, Properties<'_>>,
    vocabulary: &mut Vocabulary,
    problems: &mut Vec<(usize, String)>,
) -> Option<(usize, Observation)> {
    let first = repeats.first()?;
    let bench = first.bench.within_suite();
    let problems_before = problems.len();
    let mut joined = Joined::default();
    for Entry { taken, .. } in repeats {
        for measure in &taken.run.measures {
            let added =
                metric_of(measure.unit, units.get(measure.unit)).and_then(|(metric, digits)| {
                    vocabulary.admit(&metric)?;
                    joined.add(metric, measure, digits, taken)
                });
            if let Err(error) = added {
                let unit = shown(measure.unit);
                let text = format!("`{unit}` of benchmark `{bench}` cannot be used: {error}");
                problems.push((taken.line, text));
            }
        }
    }
    let readings = joined.into_readings();
    if readings.is_empty() {
        if problems.len() == problems_before {
            let text = format!("nothing was measured of benchmark `{bench}`");
            problems.push((first.taken.line, text));
        }
        return None;
    }
    let observation = Observation {
        bench: first.bench.clone(),
        caveats: caveats_of(&readings),
        readings,
        answer: None,
    };
    Some((first.taken.line, observation))
}

/// The metrics of one benchmark, in the order in which they first stand.
#[derive(Default)]
struct Joined {
    order: Vec<Values>,
    known: BTreeMap<MetricName, usize>,
}

impl Joined {
    fn add(
        &mut self,
        metric: Metric,
        measure: &Measure<'_>,
        digits: u32,
        taken: &Taken<'_>,
    ) -> Result<(), String> {
        let value = measure.moved(digits);
        // Whatever no sample can hold is refused here, by itself, so that it does not take the others with it.
        Sample::new([value]).map_err(|error| error.to_string())?;
        let end = self.order.len();
        let index = *self.known.entry(metric.name.clone()).or_insert(end);
        if index == end {
            self.order.push(Values {
                metric,
                values: Vec::new(),
                iterations: Vec::new(),
                line: 0,
            });
        }
        let values = &mut self.order[index];
        if values.line == taken.line {
            return Err("it stands twice on its line".to_owned());
        }
        values.line = taken.line;
        values.values.push(value);
        values.iterations.push(taken.run.iterations);
        Ok(())
    }

    fn into_readings(self) -> Vec<Reading> {
        let values = self.order.into_iter();
        values.map(Values::into_reading).collect()
    }
}

impl Values {
    fn into_reading(self) -> Reading {
        let sample = match self.metric.nature {
            Nature::Sampled => Sample::with_iterations(self.values, self.iterations),
            Nature::Exact | Nature::Summarized => Sample::new(self.values),
        };
        Reading {
            metric: self.metric,
            sample: sample.expect("each value was a sample by itself, over at least one iteration"),
        }
    }
}

fn caveats_of(readings: &[Reading]) -> Vec<Caveat> {
    let is_single = |reading: &Reading| {
        reading.metric.nature == Nature::Sampled && reading.sample.values().len() == 1
    };
    let has_single = readings.iter().any(is_single);
    has_single
        .then_some(Caveat::SingleSample)
        .into_iter()
        .collect()
}
