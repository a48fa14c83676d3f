//! Whether a gate can be trusted: what the canaries did that were measured together with it.
//!
//! A canary that was to be measured and was not is as bad as one that slept: nobody knows whether the gate is awake.

use std::collections::BTreeMap;

use tripline_judge::{CanaryTally, Expectation, canary_doubts, canary_failures, canary_tallies};
use tripline_model::{BenchId, Caveat, FactValue, MetricName, Report, Run};

use super::measure::say_failures;
use super::{Against, Known};
use crate::error::Outcome;
use crate::measure::Measured;
use crate::project::Project;
use crate::settings;
use crate::suite::Suite;
use crate::talk;

/// What the canaries did.
#[derive(Default)]
pub(super) struct Trust {
    /// The report on each.
    pub(super) reports: Vec<Report>,
    /// What they did otherwise than they were to.
    pub(super) failures: Vec<Caveat>,
}

/// Says that nobody vouches for a gate.
pub(super) fn note_no_canary() {
    talk::say("note: no suite has a `[canary]`, so nobody knows whether this gate is awake");
}

/// Judges the canaries that were measured, and holds what is found against what is known in advance, and them against
/// those that were to be measured.
pub(super) fn of(
    project: &Project,
    wanted: &[Suite],
    canaries: &[(Suite, Measured)],
) -> Outcome<Trust> {
    let mut trust = Trust::default();
    for suite in wanted {
        trust.failures.extend(missing(suite, canaries));
    }
    for (suite, measured) in canaries {
        // The reports are on other suites and do not say it.
        say_failures(&measured.head);
        let (report, expected) = judged(project, suite, measured)?;
        trust.failures.extend(canary_failures(&report, &expected));
        trust.reports.push(report);
    }
    Ok(trust)
}

/// What of equal sides is to be measured again, because it was called different by weak evidence.
pub(super) struct Doubt {
    pub(super) bench: BenchId,
    pub(super) metric: MetricName,
    /// By how much the sides seemed to differ.
    pub(super) change: f64,
    /// What was expected, and what was found.
    pub(super) told: String,
}

/// Returns what of a canary is to be measured again, each metric once. Nothing is where it cannot be judged: whoever judges
/// what was measured says why. What is derived is no more than what it is computed from.
pub(super) fn doubts(project: &Project, suite: &Suite, measured: &Measured) -> Vec<Doubt> {
    let Ok((report, expected)) = judged(project, suite, measured) else {
        return Vec::new();
    };
    let mut doubts: Vec<Doubt> = Vec::new();
    for (finding, told) in canary_doubts(&report, &expected) {
        let (bench, metric) = (&finding.bench, &finding.metric.name);
        let is_known = |doubt: &Doubt| doubt.bench == *bench && doubt.metric == *metric;
        let reading = measured.head.measurement(bench);
        let is_measured = reading.is_some_and(|it| it.reading(metric).is_some());
        if is_measured && !doubts.iter().any(is_known) {
            let change = finding.evidence.change;
            doubts.push(Doubt {
                bench: bench.clone(),
                metric: metric.clone(),
                change: change.map_or(0.0, |change| change.ratio - 1.0),
                told,
            });
        }
    }
    doubts
}

/// Counts how often a canary did what was known of it in advance, on all machines that measured it.
pub(super) fn tallied(
    project: &Project,
    canaries: &[(Suite, Measured)],
) -> Outcome<BTreeMap<BenchId, CanaryTally>> {
    let mut sum: BTreeMap<BenchId, CanaryTally> = BTreeMap::new();
    for (suite, measured) in canaries {
        let (report, expected) = judged(project, suite, measured)?;
        for (bench, tally) in canary_tallies(&report, &expected) {
            *sum.entry(bench).or_default() += tally;
        }
    }
    Ok(sum)
}

/// Judges a canary, and returns what can be expected of it.
fn judged(
    project: &Project,
    suite: &Suite,
    Measured { base, head }: &Measured,
) -> Outcome<(Report, Vec<Expectation>)> {
    let against = base.as_ref().map_or(Against::Nothing, Against::Run);
    let policy = settings::policy(project, suite)?;
    let sides: Vec<&Run> = against.run().into_iter().chain([head]).collect();
    settings::refuse_slips_of(project, suite, &sides)?;
    let report = super::judged(None, policy, against, head, Known::default())?;
    let known = suite.canary.iter().flat_map(|canary| &canary.expectations);
    Ok((report, known.cloned().collect()))
}

/// Returns the caveat that a canary was not measured, or not as much of it as is needed.
fn missing(wanted: &Suite, canaries: &[(Suite, Measured)]) -> Option<Caveat> {
    let steps = |(suite, _): &&(Suite, Measured)| suite.name == wanted.name;
    let measured = canaries
        .iter()
        .filter(steps)
        .flat_map(|(suite, _)| &suite.steps);
    let measured: Vec<_> = measured.map(|step| &step.name).collect();
    let missing = wanted
        .measuring_steps()
        .find(|step| !measured.contains(&&step.name))?;
    let what = if measured.is_empty() {
        format!("suite {} was not measured", wanted.name)
    } else {
        format!(
            "step {} of suite {} was not measured",
            missing.name, wanted.name
        )
    };
    talk::say(&format!("the canary is missing: {what}"));
    talk::say("  hint: measure with `--canary`; where shards measure, each of them");
    let what = FactValue::new(what).expect("names of steps and suites can be shown");
    Some(Caveat::CanaryFailed { what })
}
