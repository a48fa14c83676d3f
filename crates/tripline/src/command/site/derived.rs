//! Lines of metrics that are computed from others: at each commit from what was measured there, all by today's definition.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use tripline_judge::{Formed, Policy, formed};
use tripline_model::few;
use tripline_model::{
    BenchId, Environment, EnvironmentName, Measurement, MetricName, Point, Producer, Reading, Run,
    Sample, Series, SuiteName,
};
use tripline_site::{Line, Placed};

use crate::error::Outcome;
use crate::project::Project;
use crate::talk;

/// Adds the derived metrics of every suite that still has its lines' terms. What is left out is told once, wherever it is.
pub(super) fn add(project: &Project, lines: &mut Vec<Line>) -> Outcome<()> {
    let suites = few::set_of(lines.iter().map(|line| line.series.bench.suite.clone()));
    for suite in suites {
        let policy = super::super::policy_of(project, &suite)?;
        if policy.derived().is_empty() {
            continue;
        }
        let is_of_suite = |line: &&Line| line.series.bench.suite == suite;
        let there: Vec<&Line> = lines.iter().filter(is_of_suite).collect();
        let (found, left_out) = of_suite(&suite, &policy, &there);
        for (metric, environments) in left_out {
            let environments: Vec<String> = environments
                .iter()
                .map(|name| format!("`{name}`"))
                .collect();
            talk::say(&format!(
                "`{metric}` of suite `{suite}` in {} is left out: no commit has all of its terms, or one means several \
                 benchmarks",
                environments.join(", ")
            ));
        }
        lines.extend(found);
    }
    Ok(())
}

/// In which environments each metric is left out.
type LeftOut<'a> = BTreeMap<&'a MetricName, BTreeSet<&'a EnvironmentName>>;

/// Computes all derived metrics of a suite, and says which of them an environment has none of.
fn of_suite<'a>(
    suite: &SuiteName,
    policy: &'a Policy,
    lines: &[&'a Line],
) -> (Vec<Line>, LeftOut<'a>) {
    let mut all = Vec::new();
    let mut left_out = LeftOut::new();
    let environments = few::set_of(lines.iter().map(|line| &line.environment));
    for environment in environments {
        let there = lines.iter().copied();
        let there: Vec<&Line> = there
            .filter(|line| line.environment == *environment)
            .collect();
        let found = computed(suite, environment, policy, &there);
        for derived in policy.derived() {
            let is_it = |line: &Line| line.series.metric.name == *derived.name();
            if !found.iter().chain(there.iter().copied()).any(is_it) {
                let of_metric = left_out.entry(derived.name()).or_default();
                of_metric.insert(environment);
            }
        }
        all.extend(found);
    }
    (all, left_out)
}

/// Computes all derived metrics of a suite in an environment.
///
/// What was measured at one commit says what terms mean there; of commits that have all of them the newest is believed. So
/// a benchmark that is no longer measured makes no term ambiguous, and a run that measured a part retires nothing.
fn computed(
    suite: &SuiteName,
    environment: &EnvironmentName,
    policy: &Policy,
    lines: &[&Line],
) -> Vec<Line> {
    let concerns = |line: &&Line| {
        let Series { bench, metric } = &line.series;
        let mut all = policy.derived().iter();
        all.any(|derived| derived.concerns(bench, &metric.name))
    };
    let concerned: Vec<&Line> = lines.iter().copied().filter(concerns).collect();
    let mut found: Vec<Line> = Vec::new();
    for measured in together(&concerned) {
        let run = latest(suite, environment, &measured);
        for formed in formed(&run, policy) {
            let is_it = |line: &Line| {
                line.series.bench == formed.bench && line.series.metric.name == formed.metric.name
            };
            if !found.iter().chain(lines.iter().copied()).any(is_it) {
                found.extend(line(&formed, environment, &concerned));
            }
        }
    }
    found
}

/// Returns which lines were measured at one commit, each such set once, that of the newest commit first.
fn together<'l>(lines: &[&'l Line]) -> Vec<Vec<&'l Line>> {
    let mut at: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, line) in lines.iter().enumerate() {
        for placed in &line.points {
            at.entry(placed.place).or_default().push(index);
        }
    }
    let mut known = BTreeSet::new();
    let sets = at.into_values().rev();
    let sets: Vec<Vec<usize>> = sets.filter(|set| known.insert(set.clone())).collect();
    let lines_of = |set: Vec<usize>| set.into_iter().map(|index| lines[index]).collect();
    sets.into_iter().map(lines_of).collect()
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
    let series = Series {
        bench: formed.bench.clone(),
        metric: formed.metric.clone(),
    };
    (!points.is_empty()).then(|| Line {
        terms: formed.terms.clone(),
        ..Line::of(series, environment.clone(), points)
    })
}

#[cfg(test)]
mod tests {
    use tripline_judge::{Derived, Expression};
    use tripline_model::{BenchName, Better, Metric, ParamKey, ParamValue, Unit};

    use super::*;

    fn measured(name: &str, threads: Option<&str>, values: &[(usize, f64)]) -> Line {
        let params = threads.map(|threads| {
            let key = ParamKey::new("threads").unwrap();
            (key, ParamValue::new(threads).unwrap())
        });
        let bench = BenchId {
            suite: SuiteName::new("kv").unwrap(),
            name: BenchName::new(name).unwrap(),
            params: params.into_iter().collect(),
        };
        let placed = |(place, value): &(usize, f64)| Placed {
            place: *place,
            environment: 0,
            point: Point::single(*value),
        };
        let metric = Metric::known("wall_time").unwrap();
        let environment = EnvironmentName::new("here").unwrap();
        let points = values.iter().map(placed).collect();
        Line::of(Series { bench, metric }, environment, points)
    }

    fn policy() -> Policy {
        let expression = "get:wall_time{threads=8} / write:wall_time";
        let derived = Derived::new(
            MetricName::new("ratio").unwrap(),
            "a test".to_owned(),
            Expression::new(expression).unwrap(),
            Unit::Ratio,
            Better::Lower,
        );
        Policy::standard().with_derived(vec![derived], Vec::new())
    }

    /// Returns the values of `get:wall_time{threads=8} / write:wall_time`, each with its place.
    fn ratio(lines: &[Line]) -> Vec<(usize, f64)> {
        let policy = policy();
        let lines: Vec<&Line> = lines.iter().collect();
        let of = &lines[0];
        let found = computed(&of.series.bench.suite, &of.environment, &policy, &lines);
        assert!(found.len() <= 1, "{found:?}");
        let points = found.iter().flat_map(|line| &line.points);
        points
            .map(|placed| (placed.place, placed.point.center))
            .collect()
    }

    #[test]
    fn a_value_is_computed_of_what_one_commit_has_of_each_term() {
        let get = measured("get", Some("8"), &[(0, 6.0), (1, 8.0), (3, 10.0)]);
        let write = measured("write", None, &[(0, 2.0), (2, 9.0), (3, 4.0)]);
        assert_eq!(ratio(&[get, write]), [(0, 3.0), (3, 2.5)]);
    }

    #[test]
    fn a_benchmark_that_is_no_longer_measured_takes_nothing_away() {
        let get = measured("get", Some("8"), &[(0, 6.0), (1, 8.0)]);
        let write = measured("write", None, &[(0, 2.0), (1, 4.0)]);
        let retired = measured("write", Some("4"), &[(0, 5.0)]);
        assert_eq!(ratio(&[get, write, retired]), [(0, 3.0), (1, 2.0)]);
    }

    /// The newest run left out what the ratio is of, and another benchmark is retired: neither takes the line away.
    #[test]
    fn a_run_of_a_part_retires_nothing_that_it_did_not_measure() {
        let get = measured("get", Some("8"), &[(0, 6.0), (1, 8.0)]);
        let write = measured("write", None, &[(0, 2.0), (1, 4.0)]);
        let retired = measured("write", Some("4"), &[(0, 5.0)]);
        let part = measured("scan", None, &[(2, 7.0)]);
        let part_of_terms = measured("get", Some("4"), &[(1, 9.0), (3, 9.0)]);
        let lines = [get, write, retired, part, part_of_terms];
        assert_eq!(ratio(&lines), [(0, 3.0), (1, 2.0)]);
    }

    #[test]
    fn what_is_left_out_in_several_environments_is_one_thing() {
        let mut lines = vec![measured("get", Some("8"), &[(0, 6.0)])];
        for name in ["elsewhere", "there"] {
            let environment = EnvironmentName::new(name).unwrap();
            let line = lines[0].clone();
            lines.push(Line {
                environment,
                ..line
            });
        }
        lines.push(measured("write", None, &[(0, 3.0)]));
        let lines: Vec<&Line> = lines.iter().collect();
        let policy = policy();
        let (found, left_out) = of_suite(&lines[0].series.bench.suite, &policy, &lines);
        assert_eq!(found.len(), 1);
        assert_eq!(left_out.len(), 1);
        let environments = left_out.values().flatten().map(|name| name.as_str());
        assert_eq!(environments.collect::<Vec<_>>(), ["elsewhere", "there"]);
    }

    #[test]
    fn a_term_that_was_not_measured_last_is_found_where_it_was() {
        let get = measured("get", Some("8"), &[(0, 6.0), (1, 8.0)]);
        let write = measured("write", None, &[(0, 2.0)]);
        assert_eq!(ratio(&[get, write]), [(0, 3.0)]);
    }
}
