//! How much the pairs of sessions scattered, kept with the history: so the pages say which change a session would show.
//!
//! It is a run of its own, whose metrics are named after those that were paired. So it is kept, put into segments and asked
//! for like any other, as what the canaries did is (`heard`).
//!
//! Tested by `tests/it/history/scatter`.

use std::collections::BTreeMap;

use tripline_history::Kept;
use tripline_judge::stats::median;
use tripline_model::few;
use tripline_model::{
    BenchId, Better, EnvironmentName, Measurement, Metric, MetricName, Nature, Reading, Report,
    Run, Sample, SeriesSet, Unit,
};

/// Of how many sessions the pages tell.
const SESSIONS_MAX: usize = 100;

/// How a metric is called that says how another one's pairs scatter. A set of nothing else is of a session, unless it was taken
/// over from elsewhere (`history::is_aside`).
const PREFIX: &str = "pair_noise_";

/// Nobody needs to know it better than that: what is kept after every commit is short.
const DIGITS: usize = 2;

/// What the sessions before say of the pairs of one metric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scatter {
    /// The middle of their standard deviations.
    pub(crate) sigma: f64,
    /// How many sessions there are.
    pub(crate) sessions: usize,
}

/// One metric of one benchmark in one environment.
pub(crate) type Of<'a> = (&'a BenchId, &'a str, &'a EnvironmentName);

/// Returns a run that holds how much the pairs scattered that a report rests on, of the revision and place that its head
/// says. `None` where nothing was paired.
pub(crate) fn run_of(head: &Run, report: &Report) -> Option<Run> {
    let mut run = Run::begun_like(head);
    let mut all: BTreeMap<&BenchId, Vec<Reading>> = BTreeMap::new();
    for finding in &report.findings {
        // What is computed from what was measured is none of the run.
        let is_measured = head.measurement(&finding.bench);
        let is_measured = is_measured.is_some_and(|it| it.reading(&finding.metric.name).is_some());
        let noise = finding.evidence.noise.filter(|_| is_measured);
        if let Some(reading) = noise.and_then(|sigma| reading(&finding.metric.name, sigma)) {
            all.entry(&finding.bench).or_default().push(reading);
        }
    }
    for (bench, readings) in all {
        let measurement = Measurement::new(bench.clone(), readings, None, Vec::new());
        let measurement = measurement.expect("a report holds each metric once");
        run.insert(measurement)
            .expect("each benchmark is there once");
    }
    (!run.is_empty()).then_some(run)
}

/// Returns whether series say how much pairs scattered, and not what was measured.
pub(crate) fn is_scatter(series: &SeriesSet) -> bool {
    let mut all = series.all().iter();
    all.all(|one| is_of_scatter(&one.metric.name))
}

/// Returns whether a metric says how another one's pairs scatter.
pub(crate) fn is_of_scatter(metric: &MetricName) -> bool {
    metric.as_str().starts_with(PREFIX)
}

/// Sums up the last sessions of a history.
pub(crate) fn of_last<'a>(records: &[Kept<'a>]) -> BTreeMap<Of<'a>, Scatter> {
    let sessions = records.iter().filter(|kept| is_scatter(kept.series));
    let mut sessions: Vec<&Kept<'_>> = sessions.collect();
    few::sort_by_key(&mut sessions, |kept| kept.record.measured_at);
    let mut all: BTreeMap<Of<'a>, Vec<f64>> = BTreeMap::new();
    for kept in sessions.iter().rev() {
        for (series, point) in kept.series.all().iter().zip(&kept.record.points) {
            let name = series.metric.name.as_str();
            let Some(name) = name.strip_prefix(PREFIX) else {
                continue;
            };
            let of = (&series.bench, name, &kept.environment.name);
            let sigmas = all.entry(of).or_default();
            if sigmas.len() < SESSIONS_MAX {
                sigmas.push(point.center);
            }
        }
    }
    let scatter = |sigmas: Vec<f64>| {
        let sigma = median(&sigmas)?;
        let sessions = sigmas.len();
        Some(Scatter { sigma, sessions })
    };
    few::map_of(
        all.into_iter()
            .filter_map(|(of, sigmas)| Some((of, scatter(sigmas)?))),
    )
}

/// Returns nothing of a metric whose name leaves no room for the prefix.
fn reading(of: &MetricName, sigma: f64) -> Option<Reading> {
    let metric = Metric {
        name: MetricName::new([PREFIX, of.as_str()].concat()).ok()?,
        unit: Unit::Ratio,
        better: Better::Neither,
        nature: Nature::Summarized,
    };
    let sigma = format!("{sigma:.DIGITS$e}").parse().ok()?;
    let sample = Sample::new([sigma]).ok()?;
    Some(Reading { metric, sample })
}
