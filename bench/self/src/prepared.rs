//! What the later stages are given: what the stages before them make of the inputs.
//!
//! Under Callgrind, reading both runs of 5,000 benchmarks again for each stage took longer than all that is counted. So they
//! are put together from the numbers, and a test finds them equal to what is read. Tested by the stages as well, which find
//! in them what was planted.

use tripline_model::{
    BenchId, BenchName, Measurement, Metric, ParamKey, ParamValue, Params, Reading, Report, Run,
    Sample, SuiteName,
};

use crate::inputs::{Counts, METRICS, Side, counts, parts};
use crate::stages::{Runs, empty_run, judge};

/// What the metrics of the harness are called here, in its order.
const NAMES: [&str; METRICS] = [
    "instructions",
    "data_reads",
    "data_writes",
    "l1_hits",
    "ll_hits",
    "ram_hits",
    "total_accesses",
    "estimated_cycles",
];

/// Makes the input of `judge`.
#[must_use]
pub fn runs(benchmarks: usize) -> Runs {
    Runs {
        base: run(benchmarks, Side::Base),
        head: run(benchmarks, Side::Head),
    }
}

/// Makes the input of `render`.
#[must_use]
pub fn report(benchmarks: usize) -> Report {
    judge(&runs(benchmarks))
}

fn run(benchmarks: usize, side: Side) -> Run {
    let mut run = empty_run();
    let metrics = NAMES.map(|name| Metric::known(name).expect("the metric is known"));
    for (index, counts) in counts(benchmarks, side).enumerate() {
        run.insert(measurement(index, counts, &metrics, &run.suite))
            .expect("each benchmark stands once");
    }
    run
}

fn measurement(
    index: usize,
    counts: Counts,
    metrics: &[Metric; METRICS],
    suite: &SuiteName,
) -> Measurement {
    let (group, function, bytes) = parts(index);
    let key = ParamKey::new("bytes").expect("the key has the form");
    let bytes = ParamValue::new(bytes.to_string()).expect("a number is a value");
    let bench = BenchId {
        suite: suite.clone(),
        name: BenchName::new(format!("{group}/{function}")).expect("the name has the form"),
        params: Params::from([(key, bytes)]),
    };
    let values = counts.metrics().map(|(_, value)| value as f64);
    let readings = metrics.iter().zip(values).map(|(metric, value)| Reading {
        metric: metric.clone(),
        sample: Sample::new([value]).expect("a count is a value"),
    });
    Measurement::new(bench, readings, None, Vec::new()).expect("it has readings, each once")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::{SMOKE, harness_output};
    use crate::stages::read;

    #[test]
    fn the_runs_are_what_is_read_of_the_harness() {
        for benchmarks in [SMOKE, 300] {
            let Runs { base, head } = runs(benchmarks);
            assert_eq!(base, read(&harness_output(benchmarks, Side::Base)));
            assert_eq!(head, read(&harness_output(benchmarks, Side::Head)));
            assert_ne!(base, head);
        }
    }
}
