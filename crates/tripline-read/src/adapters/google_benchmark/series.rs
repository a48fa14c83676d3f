//! The rows of each benchmark, joined: repetitions are one sample, and aggregates stand for it where there is none.
//!
//! Tested by `fixtures/google_benchmark` and below.

use std::collections::BTreeMap;

use tripline_model::{BenchId, Metric, MetricName, Nature, Reading, Sample, SuiteName, Unit};

use super::naming;
use super::row::{Kind, Row, SKIPPED};
use crate::apart::{Facts, UNSAID};
use crate::entry::Entry;
use crate::gathered::{Gathered, listed};
use crate::grouped::Grouped;
use crate::place::{Place, shown};
use crate::summary;

/// What the reporter itself makes of repetitions; whoever has the runs has these.
pub(super) const STANDARD: &[&str] = &["mean", "median", "stddev", "cv"];

/// What may be rounded to nothing where the time of a run is not.
const MAY_BE_NOTHING: [(&str, &str); 3] = [
    ("cpu_time", "CPU time"),
    ("wall_time_big_o", "complexity"),
    ("cpu_time_big_o", "complexity of the CPU time"),
];

/// Which registered benchmark of which report.
type Key = (usize, String, Option<(u64, u64)>);

/// All benchmarks of an input, in the order of their first rows.
#[derive(Debug, Default)]
pub(super) struct AllSeries {
    series: Vec<Series>,
    known: BTreeMap<Key, usize>,
    /// How many reports were begun.
    reports: usize,
    /// Whether the times of the newest are rounded.
    is_rounded: bool,
}

/// The rows of one benchmark.
#[derive(Debug)]
struct Series {
    name: String,
    facts: Facts,
    place: Place,
    runs: Grouped<MetricName, Column>,
    aggregates: Vec<Aggregate>,
    fits: Vec<(Metric, f64)>,
    may_lack_rows: bool,
    is_rounded: bool,
}

/// The values of one metric, run by run.
#[derive(Debug)]
struct Column {
    metric: Metric,
    values: Vec<f64>,
    iterations: Vec<u64>,
}

#[derive(Debug)]
struct Aggregate {
    name: String,
    of: u64,
    is_share: bool,
    values: Vec<(Metric, f64)>,
}

impl AllSeries {
    /// Begins a report: what has the name of a benchmark in another is no run of that one.
    pub(super) fn begin(&mut self, is_rounded: bool) {
        self.reports += 1;
        self.is_rounded = is_rounded;
    }

    /// Takes over a row of the report; the program is the one that wrote it.
    pub(super) fn add(&mut self, program: &str, row: Row, place: &Place, gathered: &mut Gathered) {
        if let Some(failure) = row.failure {
            let text = format!("benchmark `{}` {failure}", shown(&row.name));
            return match failure.starts_with(SKIPPED) {
                true => gathered.remark(place.clone(), text),
                false => gathered.problem(place.clone(), text),
            };
        }
        for refused in row.refused {
            let text = format!(
                "a counter of benchmark `{}` cannot be used, {refused}",
                shown(&row.name)
            );
            gathered.problem(place.clone(), text);
        }
        let key = (self.reports, row.name.clone(), row.family);
        let index = *self.known.entry(key).or_insert_with(|| {
            self.series.push(Series {
                facts: facts(program, row.family),
                place: place.clone(),
                runs: Grouped::default(),
                aggregates: Vec::new(),
                fits: Vec::new(),
                may_lack_rows: row.may_lack_rows,
                is_rounded: self.is_rounded,
                name: row.name,
            });
            self.series.len() - 1
        });
        let series = &mut self.series[index];
        match row.kind {
            Kind::Run(iterations) => series.add_run(row.values, iterations),
            Kind::Aggregate { name, of, is_share } => series.aggregates.push(Aggregate {
                name,
                of,
                is_share,
                values: row.values,
            }),
            Kind::Fit => series.fits.extend(row.values),
        }
    }

    /// Makes a benchmark of each series.
    pub(super) fn gather(self, suite: &SuiteName, gathered: &mut Gathered) {
        for series in self.series {
            let mut refused = Vec::new();
            let mut entry = series.entry(suite, &mut refused);
            if series.is_rounded {
                entry = entry.and_then(|entry| without_rounded(entry, &series.place, gathered));
            }
            for text in refused {
                gathered.problem(series.place.clone(), text);
            }
            gathered.take(entry, series.place);
        }
    }
}

/// Takes out of what was printed a time that is rounded to nothing: any time would be infinitely more. Whoever measures what a
/// device does has no time of the processor, and a complexity is the less the larger its sizes are, so that these are no
/// problem.
fn without_rounded(
    mut entry: Entry,
    place: &Place,
    gathered: &mut Gathered,
) -> Result<Entry, String> {
    let is_nothing = |reading: &Reading, metric: &str| {
        reading.metric.name.as_str() == metric && reading.sample.values().contains(&0.0)
    };
    let told = |clock: &str, bench: &BenchId| {
        let bench = bench.within_suite();
        format!("the {clock} of benchmark `{bench}` cannot be used: it is rounded to nothing")
    };
    let is_without_time = entry.readings.iter().any(|of| is_nothing(of, "wall_time"));
    if is_without_time {
        for clock in ["wall_time", "cpu_time"] {
            if entry.readings.iter().any(|of| is_nothing(of, clock)) {
                take_made_of(clock, &mut entry, place, gathered);
            }
        }
        entry.readings.retain(|of| !is_nothing(of, "wall_time"));
    }
    for (metric, what) in MAY_BE_NOTHING {
        let all = entry.readings.len();
        entry.readings.retain(|of| !is_nothing(of, metric));
        if entry.readings.len() < all {
            gathered.remark(place.clone(), told(what, &entry.bench));
        }
    }
    if is_without_time {
        // How many runs there were says nothing by itself.
        let mut names = entry.readings.iter().map(|of| of.metric.name.as_str());
        if names.all(|name| name == "rounds") {
            return Err(told("time", &entry.bench));
        }
        gathered.problem(place.clone(), told("time", &entry.bench));
    }
    match entry.readings[..] {
        [] => Err(told("complexity", &entry.bench)),
        _ => Ok(entry),
    }
}

/// Takes out what was made of times that are rounded to nothing, and names it: without them nobody can tell what it is of.
fn take_made_of(clock: &str, entry: &mut Entry, place: &Place, gathered: &mut Gathered) {
    let is_made_of = |name: &str| {
        name.strip_prefix(clock)
            .is_some_and(|part| part.starts_with('_'))
    };
    let mut taken = Vec::new();
    entry.readings.retain(|of| {
        let name = of.metric.name.as_str();
        if is_made_of(name) {
            taken.push(format!("`{name}`"));
        }
        !is_made_of(name)
    });
    if !taken.is_empty() {
        let (bench, taken) = (entry.bench.within_suite(), listed(&taken));
        let text = format!(
            "{taken} of benchmark `{bench}` cannot be used: the times it is made of are rounded to nothing"
        );
        gathered.problem(place.clone(), text);
    }
}

/// Two benchmarks of one name were registered apart, or belong to two programs. A table alone says neither: the program
/// stands in what the reporter writes to standard error.
fn facts(program: &str, family: Option<(u64, u64)>) -> Facts {
    let family = family.map(|(family, instance)| (family.to_string(), instance.to_string()));
    let (family, instance) = family.unwrap_or((UNSAID.to_owned(), UNSAID.to_owned()));
    let program = if program.is_empty() { UNSAID } else { program };
    Facts::from([
        ("program", program.to_owned()),
        ("family", family),
        ("instance", instance),
    ])
}

impl Series {
    fn entry(&self, suite: &SuiteName, refused: &mut Vec<String>) -> Result<Entry, String> {
        let bench = naming::bench(suite, &self.name)?;
        let readings = self.readings(&bench)?;
        refused.extend(readings.refused);
        Ok(Entry {
            caveats: Vec::new(),
            readings: readings.kept,
            facts: self.facts.clone(),
            bench,
        })
    }

    fn add_run(&mut self, values: Vec<(Metric, f64)>, iterations: u64) {
        for (metric, value) in values {
            let column = self.runs.of(metric.name.clone(), || Column {
                metric,
                values: Vec::new(),
                iterations: Vec::new(),
            });
            column.values.push(value);
            column.iterations.push(iterations);
        }
    }

    fn readings(&self, bench: &BenchId) -> Result<Readings, String> {
        let mut readings = Readings {
            of: format!("benchmark `{}`", bench.within_suite()),
            kept: Vec::new(),
            refused: Vec::new(),
        };
        for run in self.runs.values() {
            readings.take(&run.metric, run.reading())?;
        }
        self.add_aggregates(&mut readings)?;
        for (metric, value) in &self.fits {
            readings.take(metric, summary::standing_for(metric, *value, None))?;
        }
        Ok(readings)
    }

    /// The median stands for runs that were not reported, as it does for those that were.
    fn add_aggregates(&self, readings: &mut Readings) -> Result<(), String> {
        let has_runs = !self.runs.is_empty();
        let center = ["median", "mean"]
            .iter()
            .find(|name| self.aggregate(name).is_some());
        let center = center.copied().filter(|_| !has_runs);
        if let Some(aggregate) = center.and_then(|name| self.aggregate(name)) {
            for (metric, value) in &aggregate.values {
                readings.take(metric, summary::standing_for(metric, *value, None))?;
            }
        }
        let rounds = self.aggregates.first().map(|aggregate| aggregate.of);
        let rounds = rounds.filter(|_| !has_runs).map(summary::rounds);
        let rounds = rounds
            .transpose()
            .map_err(|error| readings.unusable(&error))?;
        // What is certain stands before what may be missing.
        let (first, last) = if self.may_lack_rows {
            (rounds, None)
        } else {
            (None, rounds)
        };
        readings.kept.extend(first);
        for aggregate in &self.aggregates {
            let is_known = has_runs && STANDARD.contains(&&*aggregate.name);
            if is_known || center == Some(&*aggregate.name) {
                continue;
            }
            for (metric, value) in &aggregate.values {
                readings.take(metric, aggregate.reading(metric, *value))?;
            }
        }
        readings.kept.extend(last);
        Ok(())
    }

    fn aggregate(&self, name: &str) -> Option<&Aggregate> {
        self.aggregates
            .iter()
            .find(|aggregate| aggregate.name == name)
    }
}

/// The readings of a benchmark, and why others are none.
struct Readings {
    /// The benchmark's name.
    of: String,
    kept: Vec<Reading>,
    refused: Vec<String>,
}

impl Readings {
    /// Takes over a reading. A counter that is none takes nothing else with it, and a time its benchmark.
    fn take(&mut self, metric: &Metric, reading: Result<Reading, String>) -> Result<(), String> {
        match reading {
            Ok(reading) => self.kept.push(reading),
            Err(error) if metric.unit == Unit::Nanosecond => return Err(self.unusable(&error)),
            Err(error) => {
                let text = format!("a counter of {} cannot be used, {error}", self.of);
                self.refused.push(text);
            }
        }
        Ok(())
    }

    fn unusable(&self, error: &str) -> String {
        format!("the numbers of {} cannot be used: {error}", self.of)
    }
}

impl Column {
    fn reading(&self) -> Result<Reading, String> {
        // A counter is no average over iterations.
        let is_time = self.metric.unit == Unit::Nanosecond;
        let sample = if is_time {
            Sample::with_iterations(&*self.values, &*self.iterations)
        } else {
            Sample::new(&*self.values)
        };
        Ok(Reading {
            metric: self.metric.clone(),
            sample: sample.map_err(|error| format!("`{}`: {error}", self.metric.name))?,
        })
    }
}

impl Aggregate {
    fn reading(&self, metric: &Metric, value: f64) -> Result<Reading, String> {
        let name = crate::own::metric_name(&self.name).map_err(|error| error.to_string())?;
        let unit = if self.is_share {
            Unit::Ratio
        } else {
            metric.unit.clone()
        };
        let metric = Metric {
            unit,
            nature: Nature::Summarized,
            ..metric.clone()
        };
        summary::part(&metric, name.as_str(), value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const METRICS: usize = 100_000;

    /// Searching all metrics for each would take minutes.
    #[test]
    fn many_metrics_of_a_benchmark_are_joined_soon() {
        let mut all = AllSeries::default();
        for _ in 0..2 {
            let metric = |index| crate::own::metric(&format!("m{index}"), Unit::Count).unwrap();
            let row = Row {
                name: "get".to_owned(),
                family: None,
                kind: Kind::Run(1),
                values: (0..METRICS).map(|index| (metric(index), 1.0)).collect(),
                refused: Vec::new(),
                failure: None,
                may_lack_rows: false,
            };
            all.add("kv", row, &Place::start("a"), &mut Gathered::default());
        }
        let columns = all.series[0].runs.values();
        assert_eq!(columns.filter(|run| run.values.len() == 2).count(), METRICS);
    }
}
