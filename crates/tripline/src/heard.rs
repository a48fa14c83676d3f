//! What the canaries did, kept with the history: how often one sang for nothing, and how often it slept.
//!
//! A tally is a run of its own, whose benchmarks are those of the canary and whose metrics are counts. So it is kept, put
//! into segments and asked for like any other, and a job whose numbers are no truth can leave it all the same.
//!
//! Tested by `tests/it/history/heard`.

use std::collections::BTreeMap;

use tripline_history::Kept;
use tripline_judge::CanaryTally;
use tripline_model::few;
use tripline_model::{
    BenchId, Better, Measurement, Metric, MetricName, Nature, Reading, Run, Sample, SeriesSet, Unit,
};
use tripline_site::Tally;

/// Of how many runs the pages tell.
const RUNS_MAX: usize = 100;

/// The metrics of a tally. Other metrics are not called so by anybody: a set of nothing else is of a tally.
const EQUAL: &str = "canary_equal";
const FALSE_ALARMS: &str = "canary_false_alarms";
const PLANTED: &str = "canary_planted";
const MISSED: &str = "canary_missed";

/// Returns a run that holds what a canary did, of the revision and place that another run of it says. `None` where nothing
/// of it was compared.
pub(crate) fn run_of(planted: &Run, tallies: &BTreeMap<BenchId, CanaryTally>) -> Option<Run> {
    let mut run = Run::begun_like(planted);
    for (bench, tally) in tallies {
        let equal = [(EQUAL, tally.equal), (FALSE_ALARMS, tally.false_alarms)];
        let planted = [(PLANTED, tally.planted), (MISSED, tally.missed)];
        let known = [equal, planted]
            .into_iter()
            .filter(|[(_, all), _]| *all > 0);
        let readings = known.flatten().map(|(name, count)| reading(name, count));
        let measurement = Measurement::new(bench.clone(), readings, None, Vec::new());
        let measurement = measurement.expect("of what is in a tally something was counted");
        run.insert(measurement)
            .expect("a canary holds each of its own benchmarks once");
    }
    (!run.is_empty()).then_some(run)
}

/// Returns whether series are those of a tally, and not of what was measured.
pub(crate) fn is_tally(series: &SeriesSet) -> bool {
    let mut all = series.all().iter();
    all.all(|one| is_of_tally(&one.metric.name))
}

/// Returns whether a metric is one of a tally.
pub(crate) fn is_of_tally(metric: &MetricName) -> bool {
    [EQUAL, FALSE_ALARMS, PLANTED, MISSED].contains(&metric.as_str())
}

/// Sums up the last tallies of a history. `None` where there is none.
pub(crate) fn of_last<'a>(records: impl IntoIterator<Item = &'a Kept<'a>>) -> Option<Tally> {
    let tallies = records.into_iter().filter(|kept| is_tally(kept.series));
    let mut tallies: Vec<&Kept<'_>> = tallies.collect();
    few::sort_by_key(&mut tallies, |kept| kept.record.measured_at);
    let last = &tallies[tallies.len().saturating_sub(RUNS_MAX)..];
    let mut sum = Tally {
        runs: last.len(),
        ..Tally::default()
    };
    for kept in last {
        for (series, point) in kept.series.all().iter().zip(&kept.record.points) {
            let counted = match series.metric.name.as_str() {
                EQUAL => &mut sum.equal,
                FALSE_ALARMS => &mut sum.false_alarms,
                PLANTED => &mut sum.planted,
                _ => &mut sum.missed,
            };
            *counted += whole(point.center);
        }
    }
    (sum.runs > 0).then_some(sum)
}

fn reading(name: &str, count: usize) -> Reading {
    let metric = Metric {
        name: name.parse().expect("the names above are names"),
        unit: Unit::Count,
        better: Better::Neither,
        nature: Nature::Exact,
    };
    let sample = Sample::new([count as f64]).expect("a small count is a sample");
    Reading { metric, sample }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts were kept; whatever else stands there saturates"
)]
fn whole(count: f64) -> usize {
    count as usize
}
