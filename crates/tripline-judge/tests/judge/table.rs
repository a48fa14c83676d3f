//! Builds runs of benchmarks with params, and policies with derived metrics, in few words.

use tripline_judge::{
    BenchPattern, Derived, Expression, Inclusion, Layer, Limits, Policy, Scope, judge,
};
use tripline_model::{
    BenchId, BenchName, Better, Finding, Measurement, Metric, MetricName, ParamKey, ParamValue,
    Reading, Report, Run, Sample, SuiteName, Unit,
};

use crate::build::{metric, said};

/// Returns the benchmark that is written like `get{bytes=64}`.
pub(crate) fn id(text: &str) -> BenchId {
    let (name, params) = text.split_once('{').unwrap_or((text, ""));
    let pairs = params
        .trim_end_matches('}')
        .split(',')
        .filter_map(|p| p.split_once('='));
    BenchId {
        suite: SuiteName::new("kv").unwrap(),
        name: BenchName::new(name).unwrap(),
        params: pairs
            .map(|(key, value)| (ParamKey::new(key).unwrap(), ParamValue::new(value).unwrap()))
            .collect(),
    }
}

/// Returns what was measured of a benchmark by one metric.
pub(crate) fn one(bench: &str, metric: &str, values: &[f64]) -> Measurement {
    many(bench, &[(metric, values)])
}

/// Returns what was measured of a benchmark.
pub(crate) fn many(bench: &str, readings: &[(&str, &[f64])]) -> Measurement {
    let reading = |(name, values): &(&str, &[f64])| {
        let sample = Sample::new(*values).unwrap();
        let metric = metric_of(name);
        Reading { metric, sample }
    };
    Measurement::new(id(bench), readings.iter().map(reading), None, Vec::new()).unwrap()
}

/// Returns what was measured of a benchmark in rounds that are numbered from zero.
pub(crate) fn in_rounds(bench: &str, metric: &str, values: &[f64]) -> Measurement {
    let rounds: Vec<u32> = (0..).take(values.len()).collect();
    let sample = Sample::new(values).unwrap().in_rounds(rounds).unwrap();
    let metric = metric_of(metric);
    Measurement::new(id(bench), [Reading { metric, sample }], None, Vec::new()).unwrap()
}

fn metric_of(name: &str) -> Metric {
    match name {
        "ops" => Metric {
            name: MetricName::new("ops").unwrap(),
            unit: Unit::PerSecond,
            ..metric("throughput")
        },
        known => metric(known),
    }
}

/// Returns the definition of a derived metric that is better low.
pub(crate) fn derived(name: &str, expression: &str, unit: &str) -> Derived {
    Derived::new(
        MetricName::new(name).unwrap(),
        "a test".to_owned(),
        Expression::new(expression).unwrap(),
        Unit::from_symbol(unit).unwrap(),
        Better::Lower,
    )
}

/// Returns the standard policy with one derived metric.
pub(crate) fn deriving(expression: &str, unit: &str) -> Policy {
    Policy::standard().with_derived(vec![derived("it", expression, unit)], Vec::new())
}

pub(crate) fn including(benchmark: &str, what: &str) -> Inclusion {
    Inclusion {
        benchmark: BenchPattern::new(benchmark).unwrap(),
        what: what.to_owned(),
    }
}

/// Returns a row on one metric of all benchmarks.
pub(crate) fn row(metric: &str, limits: Limits) -> Layer {
    let scope = Scope {
        metric: Some(MetricName::new(metric).unwrap()),
        ..Scope::default()
    };
    Layer::new(scope, limits, "a test").unwrap()
}

/// Judges a head, and says what was found of one metric: each benchmark with its value, verdict, gate and caveats.
pub(crate) fn found(base: Option<&Run>, head: &Run, policy: &Policy, metric: &str) -> Vec<String> {
    lines(&judge(base, head, policy).unwrap(), metric)
}

/// Returns the first finding on a metric.
pub(crate) fn finding<'r>(report: &'r Report, metric: &str) -> &'r Finding {
    let mut findings = report.findings.iter();
    let finding = findings.find(|finding| finding.metric.name.as_str() == metric);
    finding.unwrap()
}

/// Says what a report found of one metric.
pub(crate) fn lines(report: &Report, metric: &str) -> Vec<String> {
    let of_metric = |finding: &&Finding| finding.metric.name.as_str() == metric;
    let line = |finding: &Finding| {
        let value = finding
            .evidence
            .head
            .map_or("nothing".to_owned(), |head| head.center.to_string());
        format!(
            "{} {value}: {}",
            finding.bench.within_suite(),
            said(finding)
        )
    };
    report.findings.iter().filter(of_metric).map(line).collect()
}
