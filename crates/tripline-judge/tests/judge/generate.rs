//! Makes arbitrary runs: zeros, the largest counts, fractions, repeats that differ, and everything that spoils.

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use tripline_model::{
    Better, COUNT_MAX, Caveat, Digest, Measurement, Metric, Reading, Run, Sample,
};

use crate::build::{bench, failure, metric, run};

const METRICS: &[&str] = &[
    "instructions",
    "allocations",
    "estimated_cycles",
    "ram_hits",
    "l1_hits",
    "syscalls",
    "hits",
    "shape",
    "wall_time",
    "throughput",
    "mood",
    "mean_time",
];

pub(crate) fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.0),
        Just(-0.0),
        Just(1.0),
        Just(COUNT_MAX),
        Just(f64::MIN_POSITIVE),
        Just(5e-324),
        (0..2_000_u32).prop_map(f64::from),
        (900_000..1_100_000_u32).prop_map(f64::from),
        0.0..COUNT_MAX,
    ]
}

/// Makes the values of one metric: mostly constant, as counts are.
fn values() -> impl Strategy<Value = Vec<f64>> {
    prop_oneof![
        2 => (value(), 1..7_usize).prop_map(|(value, times)| vec![value; times]),
        1 => vec(value(), 1..7),
        1 => (900_000..1_100_000_u32, vec(0..200_u32, 1..7))
            .prop_map(|(base, jitters)| jitters.iter().map(|j| f64::from(base + j)).collect()),
    ]
}

/// The values by the metric's place in the list, which answer is given, and a number to draw caveats from.
type Drawn = (Vec<(usize, Vec<f64>)>, Option<bool>, u8);

fn measurement() -> impl Strategy<Value = Drawn> {
    let readings = btree_map(0..METRICS.len(), values(), 1..5);
    let readings = readings.prop_map(|readings| readings.into_iter().collect());
    (readings, option::weighted(0.3, any::<bool>()), 0..8_u8)
}

/// Makes a run that neither failed nor differs from others in what its metrics mean or where it was taken.
pub(crate) fn plain_run() -> impl Strategy<Value = Run> {
    btree_map("[a-f]", measurement(), 1..6).prop_map(|benches| {
        run(benches.into_iter().map(|(name, (readings, _, _))| {
            let readings = readings
                .into_iter()
                .map(|(index, values)| read(metric(METRICS[index]), values));
            Measurement::new(bench(&name), readings, None, Vec::new()).unwrap()
        }))
    })
}

/// Makes any run at all, short of an empty one without a failure.
pub(crate) fn any_run() -> impl Strategy<Value = Run> {
    let benches = btree_map("[a-f]{1,2}", measurement(), 0..8);
    let spoilers = (any::<bool>(), any::<bool>(), option::of("glibc 2[.]3[67]"));
    (benches, spoilers).prop_map(|(benches, (has_failed, has_other_meaning, libc))| {
        let meant = |index: usize| {
            let mut metric = metric(METRICS[index]);
            if has_other_meaning && index == 5 {
                metric.better = Better::Higher;
            }
            metric
        };
        let is_empty = benches.is_empty();
        let mut run = run(benches.into_iter().map(|(name, (readings, answer, n))| {
            let readings = readings
                .into_iter()
                .map(|(index, values)| read(meant(index), values));
            let answer = answer.map(|a| Digest::new(if a { "aa" } else { "bb" }).unwrap());
            let caveats = match n {
                0 => vec![Caveat::TinyCount { count: 3.0 }, Caveat::SingleSample],
                1 => vec![Caveat::ThreadsNotCounted { threads: 2 }],
                2 => vec![Caveat::CollectionChanged],
                _ => Vec::new(),
            };
            Measurement::new(bench(&name), readings, answer, caveats).unwrap()
        }));
        if has_failed || is_empty {
            run.failures.push(failure());
        }
        if let Some(libc) = libc {
            run.environment.state_text("libc", &libc).unwrap();
        }
        run
    })
}

fn read(metric: Metric, values: Vec<f64>) -> Reading {
    let sample = Sample::new(values).unwrap();
    Reading { metric, sample }
}

/// Returns the run's measurements with every value that is not a count scaled. Values too small to be scaled exactly
/// become zero.
pub(crate) fn scaled(original: &Run, factor: f64) -> Run {
    run(original.measurements().map(|measurement| {
        let readings = measurement.readings().map(|reading| {
            let is_count = reading.metric.nature == tripline_model::Nature::Exact;
            let factor = if is_count { 1.0 } else { factor };
            let scale = |value: &f64| if *value < 1e-300 { 0.0 } else { value * factor };
            let values: Vec<f64> = reading.sample.values().iter().map(scale).collect();
            read(reading.metric.clone(), values)
        });
        let bench = measurement.bench().clone();
        Measurement::new(bench, readings, None, Vec::new()).unwrap()
    }))
}
