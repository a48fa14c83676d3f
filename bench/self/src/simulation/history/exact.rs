//! What the judge itself makes of a count that never varied and then jumps.
//!
//! Tested with the rules that are silent there.

use tripline_judge::{Policy, judge};
use tripline_model::{
    BenchId, BenchName, Environment, EnvironmentName, Measurement, Metric, Params, Producer,
    Reading, Run, Sample, SuiteName, Verdict,
};

/// The count that never varied, and what it jumps to.
pub(super) const CONSTANT: f64 = 1_000_000.0;
pub(super) const JUMPED: f64 = 1_010_000.0;

/// Returns whether the judge says that the count has grown.
pub(super) fn judge_sees_jump() -> bool {
    let [base, head] = [CONSTANT, JUMPED].map(run_of);
    let report = judge(Some(&base), &head, &Policy::standard());
    report.is_ok_and(|report| {
        let mut verdicts = report.findings.iter().map(|finding| finding.verdict);
        verdicts.next() == Some(Verdict::Regressed) && verdicts.next().is_none()
    })
}

/// Returns a run of one benchmark with a count of instructions.
fn run_of(instructions: f64) -> Run {
    const VALID: &str = "the name has the form";
    let suite = SuiteName::new("made-up").expect(VALID);
    let producer = Producer {
        name: "simulation".to_owned(),
        version: "1".to_owned(),
    };
    let measured_at = "2026-01-02T03:04:05Z".parse().expect("the text is a time");
    let environment = Environment::new(EnvironmentName::new("made-up").expect(VALID));
    let reading = Reading {
        metric: Metric::known("instructions").expect("instructions are in the table"),
        sample: Sample::new(vec![instructions]).expect("the count is finite"),
    };
    let bench = BenchId {
        suite: suite.clone(),
        name: BenchName::new("constant").expect(VALID),
        params: Params::new(),
    };
    let mut run = Run::new(suite, measured_at, environment, producer);
    Measurement::new(bench, [reading], None, Vec::new())
        .ok()
        .and_then(|measurement| run.insert(measurement).ok())
        .expect("the only benchmark stands once, and has a reading");
    run
}
