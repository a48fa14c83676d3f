//! The runs of one benchmark, joined: the values of a metric follow one another.
//!
//! Tested by `fixtures/go` and `tests/it/refusals/fixtures/go.txt`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use tripline_model::{BenchId, Caveat, Metric, Nature, Reading, Sample};

use super::line::{Measure, Run};
use super::metrics::{BYTES, MEGABYTES, Properties, in_one_unit, metric_of};
use super::transcript::Taken;
use crate::Observation;
use crate::apart::Facts;
use crate::grouped::Grouped;
use crate::place::shown;
use crate::vocabulary::Vocabulary;

/// One benchmark of one process.
pub(super) struct Entry<'t> {
    /// Which document it stands in.
    pub(super) document: usize,
    pub(super) bench: BenchId,
    /// Where it was measured, and what else is stated of it.
    pub(super) facts: Facts<&'t str>,
    /// The name without processors.
    pub(super) name: &'t str,
    /// Its runs, of which there is at least one.
    pub(super) runs: Vec<Taken<'t>>,
}

impl Entry<'_> {
    /// Returns the line on which it first stands.
    fn first_line(&self) -> usize {
        self.runs[0].line
    }
}

/// Joins what several processes measured of one benchmark, in the order in which benchmarks first stand.
///
/// Two names must not become one benchmark, so the second of them is a problem.
pub(super) fn joined<'t>(
    entries: impl Iterator<Item = Entry<'t>>,
    problems: &mut Vec<(usize, String)>,
) -> Vec<Entry<'t>> {
    let mut all: Vec<Entry<'t>> = Vec::new();
    let mut known: BTreeMap<BenchId, usize> = BTreeMap::new();
    for entry in entries {
        let end = all.len();
        let index = *known.entry(entry.bench.clone()).or_insert(end);
        if index == end {
            all.push(entry);
            continue;
        }
        let first = &mut all[index];
        if first.name == entry.name && first.facts == entry.facts {
            first.runs.extend(entry.runs);
            continue;
        }
        let name = shown(entry.name);
        let text = match shown(first.name) {
            first if first == name => format!(
                "`{name}` was measured elsewhere as well, and what would tell the two apart can be no param of it"
            ),
            first => format!("`{name}` and `{first}` would become one benchmark"),
        };
        problems.push((entry.first_line(), text));
    }
    all
}

/// Makes a benchmark an observation, with the line of its first run.
pub(super) fn observe(
    entry: &Entry<'_>,
    units: &BTreeMap<Cow<'_, str>, Properties<'_>>,
    vocabulary: &mut Vocabulary,
    problems: &mut Vec<(usize, String)>,
) -> Option<(usize, Observation)> {
    let bench = entry.bench.within_suite();
    let mut metrics: Grouped<Cow<'_, str>, Values> = Grouped::default();
    for (index, Taken { line, run, .. }) in entry.runs.iter().enumerate() {
        for measure in run.measures() {
            let (unit, moved) = unit_of(measure, run);
            let values = metrics.try_of(unit.clone(), || {
                let (metric, digits) = metric_of(&unit, units.get(&in_one_unit(&unit).0))?;
                vocabulary.admit(&metric)?;
                Ok(Values::new(metric, digits))
            });
            let added = values.and_then(|values| {
                let value = measure.moved(values.digits + moved);
                values.add(value, run.iterations, index)
            });
            if let Err(error) = added {
                let unit = shown(measure.unit);
                let text = format!("`{unit}` of benchmark `{bench}` cannot be used: {error}");
                problems.push((*line, text));
            }
        }
    }
    // Each run has a number; where there is no reading, all of them were refused.
    let values = metrics.into_all().into_iter();
    let readings: Vec<Reading> = values
        .filter_map(|(_, values)| values.into_reading())
        .collect();
    if readings.is_empty() {
        return None;
    }
    let observation = Observation {
        bench: entry.bench.clone(),
        caveats: caveats_of(&readings),
        readings,
        answer: None,
    };
    Some((entry.first_line(), observation))
}

/// Returns the unit of a number. Who reports a rate beside that of the testing package has two, and both are kept.
fn unit_of<'t>(measure: Measure<'t>, run: &Run<'t>) -> (Cow<'t, str>, u32) {
    let is_of_its_own =
        measure.unit == BYTES && run.measures().any(|other| other.unit == MEGABYTES);
    match is_of_its_own {
        true => (Cow::Borrowed(BYTES), 0),
        false => in_one_unit(measure.unit),
    }
}

/// The values of one metric, in order.
struct Values {
    metric: Metric,
    /// By how many digits its numbers are moved.
    digits: u32,
    values: Vec<f64>,
    iterations: Vec<u64>,
    /// The run of the last one. Several runs may stand on one line, within an object.
    run: Option<usize>,
}

impl Values {
    fn new(metric: Metric, digits: u32) -> Self {
        Self {
            metric,
            digits,
            values: Vec::new(),
            iterations: Vec::new(),
            run: None,
        }
    }

    fn add(&mut self, value: f64, iterations: u64, run: usize) -> Result<(), String> {
        if self.run == Some(run) {
            return Err("it stands twice on its line".to_owned());
        }
        // What no sample can hold is refused here, by itself, so that it does not take the others with it.
        Sample::new([value]).map_err(|error| error.to_string())?;
        self.run = Some(run);
        self.values.push(value);
        self.iterations.push(iterations);
        Ok(())
    }

    /// Returns the reading, unless every value of it was refused.
    fn into_reading(self) -> Option<Reading> {
        let sample = match self.metric.nature {
            Nature::Sampled => Sample::with_iterations(self.values, self.iterations),
            Nature::Exact | Nature::Summarized => Sample::new(self.values),
        };
        let metric = self.metric;
        sample.ok().map(|sample| Reading { metric, sample })
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
