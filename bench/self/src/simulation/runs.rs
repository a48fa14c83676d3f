//! Made-up measurements as the runs that the judge takes.
//!
//! Tested by what the judge makes of them in `history::exact` and `session`.

use tripline_model::{
    BenchId, BenchName, Environment, EnvironmentName, Measurement, Metric, Params, Producer,
    Reading, Run, Sample, SuiteName,
};

/// Why a name that is written here is taken without a question.
const VALID: &str = "the name has the form";

/// A suite that no machine has.
fn suite() -> SuiteName {
    SuiteName::new("made-up").expect(VALID)
}

/// Returns a benchmark of that suite.
pub(super) fn bench(name: &str) -> BenchId {
    BenchId {
        suite: suite(),
        name: BenchName::new(name).expect(VALID),
        params: Params::new(),
    }
}

/// Returns a metric of the table.
pub(super) fn metric(name: &str) -> Metric {
    Metric::known(name).expect("the metric is in the table")
}

/// Returns a run of benchmarks, each with one value or with one of every round.
pub(super) fn run_of(
    metric_name: &str,
    benches: impl IntoIterator<Item = (String, Vec<f64>)>,
) -> Run {
    let producer = Producer {
        name: "simulation".to_owned(),
        version: "1".to_owned(),
    };
    let measured_at = "2026-01-02T03:04:05Z".parse().expect("the text is a time");
    let environment = Environment::new(EnvironmentName::new("made-up").expect(VALID));
    let mut run = Run::new(suite(), measured_at, environment, producer);
    for (name, values) in benches {
        let rounds: Vec<u32> = (0..).take(values.len()).collect();
        let sample = Sample::new(values).and_then(|sample| sample.in_rounds(rounds));
        let reading = Reading {
            metric: metric(metric_name),
            sample: sample.expect("the values are finite, and the rounds in order"),
        };
        Measurement::new(bench(&name), [reading], None, Vec::new())
            .ok()
            .and_then(|measurement| run.insert(measurement).ok())
            .expect("each benchmark stands once, and has a reading");
    }
    run
}
