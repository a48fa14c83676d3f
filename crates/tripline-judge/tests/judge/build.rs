//! Builds runs in few words.

use jiff::Timestamp;
use tripline_judge::{Policy, judge};
use tripline_model::{
    BenchId, BenchName, Better, Caveat, Digest, Environment, EnvironmentName, Failure, FailureKind,
    Finding, Measurement, Metric, MetricName, Nature, Params, Producer, Reading, Report, Run,
    Sample, StepName, SuiteName, Unit,
};

/// Returns the metric a test means: one of the model's table, or one that is made up for a test.
pub(crate) fn metric(name: &str) -> Metric {
    let made_up = |better, nature| Metric {
        name: MetricName::new(name).unwrap(),
        unit: Unit::Other(tripline_model::UnitSymbol::new("thing").unwrap()),
        better,
        nature,
    };
    match name {
        "syscalls" => made_up(Better::Lower, Nature::Exact),
        "hits" => made_up(Better::Higher, Nature::Exact),
        "shape" => made_up(Better::Neither, Nature::Exact),
        "throughput" => made_up(Better::Higher, Nature::Sampled),
        "mood" => made_up(Better::Neither, Nature::Sampled),
        "mean_time" => made_up(Better::Lower, Nature::Summarized),
        known => Metric::known(known).unwrap(),
    }
}

pub(crate) fn bench(name: &str) -> BenchId {
    BenchId {
        suite: SuiteName::new("kv").unwrap(),
        name: BenchName::new(name).unwrap(),
        params: Params::new(),
    }
}

pub(crate) fn reading(name: &str, values: &[f64]) -> Reading {
    Reading {
        metric: metric(name),
        sample: Sample::new(values).unwrap(),
    }
}

pub(crate) fn measurement(name: &str, readings: &[(&str, &[f64])]) -> Measurement {
    let readings = readings.iter().map(|(name, values)| reading(name, values));
    Measurement::new(bench(name), readings, None, Vec::new()).unwrap()
}

/// Returns a measurement of one count that says something against itself.
pub(crate) fn doubted(name: &str, count: f64, caveats: &[Caveat]) -> Measurement {
    let readings = [reading("instructions", &[count])];
    Measurement::new(bench(name), readings, None, caveats.to_vec()).unwrap()
}

/// Returns a measurement of one count with an answer.
pub(crate) fn answered(name: &str, count: f64, answer: &str) -> Measurement {
    let readings = [reading("instructions", &[count])];
    let answer = Some(Digest::new(answer).unwrap());
    Measurement::new(bench(name), readings, answer, Vec::new()).unwrap()
}

pub(crate) fn run(measurements: impl IntoIterator<Item = Measurement>) -> Run {
    let mut run = Run::new(
        SuiteName::new("kv").unwrap(),
        Timestamp::UNIX_EPOCH,
        Environment::new(EnvironmentName::new("here").unwrap()),
        Producer {
            name: "test".to_owned(),
            version: "0".to_owned(),
        },
    );
    for measurement in measurements {
        run.insert(measurement).unwrap();
    }
    run
}

pub(crate) fn failure() -> Failure {
    let step = StepName::new("counts").unwrap();
    Failure::new(step, FailureKind::Exit(101), None, "panicked")
}

pub(crate) fn judged(base: &Run, head: &Run) -> Report {
    judge(Some(base), head, &Policy::standard()).unwrap()
}

/// Says a finding in one line: verdict, gate if it is not `pass`, and the caveats' codes.
pub(crate) fn said(finding: &Finding) -> String {
    let mut words = vec![finding.verdict.word()];
    if finding.gate != tripline_model::Gate::Pass {
        words.push(finding.gate.word());
    }
    words.extend(finding.caveats.iter().map(Caveat::code));
    words.join(" ")
}

/// Says all findings of a report, each with its benchmark and metric.
pub(crate) fn all_said(report: &Report) -> Vec<String> {
    report
        .findings
        .iter()
        .map(|f| format!("{} {}: {}", f.bench.name, f.metric.name, said(f)))
        .collect()
}
