//! Lines of metrics that are computed from others: at each commit from what was measured there, all by today's definition.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use tripline_judge::{Formed, formed};
use tripline_model::{
    BenchId, Environment, EnvironmentName, Measurement, MetricName, Point, Producer, Reading, Run,
    Sample, Series, SuiteName,
};
use tripline_site::{Line, Placed};

use crate::error::Outcome;
use crate::project::Project;

/// Adds the derived metrics of every suite that still has its lines' terms.
pub(super) fn add(project: &Project, lines: &mut Vec<Line>) -> Outcome<()> {
    let place = |line: &Line| (line.series.bench.suite.clone(), line.environment.clone());
    let places: BTreeSet<(SuiteName, EnvironmentName)> = lines.iter().map(place).collect();
    for (suite, environment) in places {
        let policy = super::super::policy_of(project, &suite)?;
        if policy.derived().is_empty() {
            continue;
        }
        let is_there =
            |line: &&Line| line.series.bench.suite == suite && line.environment == environment;
        let there: Vec<&Line> = lines.iter().filter(is_there).collect();
        let run = latest(&suite, &environment, &there);
        let found: Vec<Line> = formed(&run, &policy)
            .iter()
            .filter_map(|formed| line(formed, &environment, &there))
            .collect();
        lines.extend(found);
    }
    Ok(())
}

/// Returns the latest value of each line as a run, for the definitions to find their terms in.
fn latest(suite: &SuiteName, environment: &EnvironmentName, lines: &[&Line]) -> Run {
    let mut readings: BTreeMap<&BenchId, Vec<Reading>> = BTreeMap::new();
    for line in lines {
        let last = line.points.last().map(|placed| placed.point.center);
        // A history that was taken over may hold values that no run has.
        if let Some(Ok(sample)) = last.map(|value| Sample::new([value])) {
            let metric = line.series.metric.clone();
            let of_bench = readings.entry(&line.series.bench).or_default();
            of_bench.push(Reading { metric, sample });
        }
    }
    let producer = Producer {
        name: "tripline".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let environment = Environment::new(environment.clone());
    let mut run = Run::new(suite.clone(), Timestamp::UNIX_EPOCH, environment, producer);
    for (bench, readings) in readings {
        // Two lines of one metric do not come from one history, and one that a run cannot hold is no term.
        if let Ok(measurement) = Measurement::new(bench.clone(), readings, None, Vec::new()) {
            let _ = run.insert(measurement);
        }
    }
    run
}

/// Computes a line where all its terms were measured.
fn line(formed: &Formed<'_>, environment: &EnvironmentName, lines: &[&Line]) -> Option<Line> {
    let of_term = |(bench, metric): &(BenchId, MetricName)| {
        let is_it =
            |line: &&&Line| line.series.bench == *bench && line.series.metric.name == *metric;
        lines.iter().find(is_it).copied()
    };
    let terms: Vec<&Line> = formed.terms.iter().map(of_term).collect::<Option<_>>()?;
    let center_at = |line: &Line, place: usize| {
        let at = line
            .points
            .binary_search_by_key(&place, |placed| placed.place);
        Some(line.points[at.ok()?].point.center)
    };
    let points = terms.first()?.points.iter().filter_map(|first| {
        let values = terms.iter().map(|line| center_at(line, first.place));
        let value = formed.value(&values.collect::<Option<Vec<f64>>>()?)?;
        Some(Placed {
            point: Point::single(value),
            ..*first
        })
    });
    let points: Vec<Placed> = points.collect();
    (!points.is_empty()).then(|| Line {
        series: Series {
            bench: formed.bench.clone(),
            metric: formed.metric.clone(),
        },
        environment: environment.clone(),
        points,
        changes: Vec::new(),
        acceptance: None,
        budget: None,
        baseline: None,
        terms: formed.terms.clone(),
    })
}
