//! What the project says of its series: what was accepted, what must not be crossed, and what they are compared with.

use std::collections::BTreeMap;

use tripline_judge::Policy;
use tripline_model::{BenchId, EnvironmentName, Method, MetricName, Run, SuiteName, Unit};
use tripline_site::Line;

use crate::baselines;
use crate::error::Outcome;
use crate::project::Project;

/// What is settled about a suite.
struct Settled {
    policy: Policy,
    values: BTreeMap<(EnvironmentName, BenchId, MetricName), (Unit, f64)>,
}

/// Adds what is settled to lines. A suite that the project does not have any more has nothing settled.
pub(super) fn add(project: &Project, lines: &mut [Line]) -> Outcome<()> {
    let mut suites: BTreeMap<SuiteName, Settled> = BTreeMap::new();
    for line in lines {
        let suite = &line.series.bench.suite;
        if !suites.contains_key(suite) {
            suites.insert(suite.clone(), settled(project, suite)?);
        }
        let Some(settled) = suites.get(suite) else {
            continue;
        };
        let (bench, metric) = (&line.series.bench, &line.series.metric);
        let accepted = settled.policy.accepted();
        line.acceptance = accepted
            .and_then(|accepted| accepted.get(bench, &metric.name))
            .cloned();
        let rule = settled.policy.rule(bench, metric, Method::Paired);
        line.accepted_within = rule.tolerance.relative;
        line.budget = settled.policy.budget(bench, metric);
        let key = (line.environment.clone(), bench.clone(), metric.name.clone());
        let kept = settled.values.get(&key);
        line.baseline = kept.and_then(|(unit, value)| (*unit == metric.unit).then_some(*value));
    }
    Ok(())
}

fn settled(project: &Project, suite: &SuiteName) -> Outcome<Settled> {
    let policy = crate::command::policy_of(project, suite)?;
    let mut values = BTreeMap::new();
    for baseline in baselines::of_suite(project, suite)? {
        values.extend(values_of(&baseline.run));
    }
    Ok(Settled { policy, values })
}

fn values_of(
    run: &Run,
) -> impl Iterator<Item = ((EnvironmentName, BenchId, MetricName), (Unit, f64))> + '_ {
    run.measurements().flat_map(move |measurement| {
        measurement.readings().map(move |reading| {
            let key = (
                run.environment.name.clone(),
                measurement.bench().clone(),
                reading.metric.name.clone(),
            );
            (key, (reading.metric.unit.clone(), reading.sample.median()))
        })
    })
}
