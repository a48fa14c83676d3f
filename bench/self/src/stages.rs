//! The stages that are measured, each called as the `tripline` binary calls it, without its files.
//!
//! Tests: each stage at smoke size, against what the inputs were made to hold.

use tripline_judge::Policy;
use tripline_model::{Environment, EnvironmentName, Measurement, Producer, Report, Run, SuiteName};
use tripline_read::{Input, Observation};
use tripline_render::{Color, Detail, View};

use crate::inputs::Runs;

/// Nobody's terminal: Markdown has no width and no colour.
const VIEW: View = View::new(80, Color::Plain, Detail::Brief);

/// Reads what a harness wrote, and puts a run together.
///
/// # Panics
/// The input holds something that cannot be read, which the inputs of this suite do not.
#[must_use]
pub fn read(input: &Input) -> Run {
    let adapter = tripline_read::adapter("iai-callgrind").expect("the adapter is in the list");
    let mut run = empty_run();
    let observed = (adapter.read)(input, &run.suite).expect("the input has the harness's form");
    assert!(observed.problems.is_empty(), "{:?}", observed.problems);
    for observation in observed.observations {
        let Observation {
            bench,
            readings,
            answer,
            caveats,
        } = observation;
        Measurement::new(bench, readings, answer, caveats)
            .ok()
            .and_then(|measurement| run.insert(measurement).ok())
            .expect("each benchmark stands once, and has readings");
    }
    run
}

/// Judges the head against the base by the standard policy.
///
/// # Panics
/// The runs do not belong together, which those of this suite do.
#[must_use]
pub fn judge(runs: &Runs) -> Report {
    tripline_judge::judge(Some(&runs.base), &runs.head, &Policy::standard())
        .expect("both runs are of one suite and hold measurements")
}

/// Renders reports as the comment on a pull request.
///
/// # Panics
/// There is no such output, which there is.
#[must_use]
pub fn render(reports: &[Report]) -> String {
    let renderer = tripline_render::renderer("comment").expect("the output is in the list");
    (renderer.render)(reports, &VIEW)
}

/// Judges, and renders everything that can be rendered: each output, what a check says, and the annotations.
#[must_use]
pub fn publish(runs: &Runs) -> Vec<String> {
    let reports = [judge(runs)];
    let mut texts: Vec<String> = tripline_render::RENDERERS
        .iter()
        .map(|renderer| (renderer.render)(&reports, &VIEW))
        .collect();
    texts.push(tripline_render::check(&reports, &VIEW).text);
    let annotations = tripline_render::annotations(&reports).into_iter();
    texts.extend(annotations.map(|annotation| annotation.message));
    texts
}

/// Begins a run as the binary does; the facts are those that decide whether counts can be compared.
fn empty_run() -> Run {
    let name = EnvironmentName::new("debian-12-x86_64").expect("the name has the form");
    let mut environment = Environment::new(name);
    for fact in tripline_model::ENVIRONMENT_FACTS {
        environment
            .state_text(fact.name, "the same on both sides")
            .expect("the text is a fact's value");
    }
    let producer = Producer {
        name: "bench-self".to_owned(),
        version: "1".to_owned(),
    };
    // Any time, and always the same: it is part of the answer.
    let measured_at = "2026-01-02T03:04:05Z".parse().expect("the text is a time");
    let suite = SuiteName::new("made-up").expect("the name has the form");
    Run::new(suite, measured_at, environment, producer)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tripline_model::{BenchId, Gate, Verdict};

    use super::*;
    use crate::inputs::{METRICS, Planted, SMOKE, Side, harness_output, report, runs};

    #[test]
    fn read_finds_every_benchmark_and_metric() {
        for side in [Side::Base, Side::Head] {
            let run = read(&harness_output(SMOKE, side));
            assert_eq!(run.measurements().len(), SMOKE);
            for measurement in run.measurements() {
                assert_eq!(measurement.readings().count(), METRICS);
                assert_eq!(measurement.bench().params.len(), 1);
                assert_eq!(measurement.caveats(), []);
            }
        }
    }

    #[test]
    fn judge_finds_exactly_what_was_planted() {
        let runs = runs(SMOKE);
        let benches: Vec<&BenchId> = runs.head.measurements().map(Measurement::bench).collect();
        let report = judge(&runs);
        assert_eq!(report.findings.len(), SMOKE * METRICS);
        for (planted, verdict) in [
            (Planted::Slower, Verdict::Regressed),
            (Planted::Faster, Verdict::Improved),
        ] {
            let wanted: BTreeSet<&BenchId> = benches
                .iter()
                .copied()
                .filter(|bench| Planted::in_benchmark(bench, SMOKE) == planted)
                .collect();
            let found = report.findings.iter().filter(|finding| {
                finding.verdict == verdict && finding.metric.name.as_str() == "instructions"
            });
            let found: BTreeSet<&BenchId> = found.map(|finding| &finding.bench).collect();
            assert!(!wanted.is_empty());
            assert_eq!(found, wanted, "{verdict:?}");
        }
        let untouched = report
            .findings
            .iter()
            .filter(|finding| Planted::in_benchmark(&finding.bench, SMOKE) == Planted::Nothing);
        for finding in untouched {
            assert_eq!(finding.verdict, Verdict::Unchanged, "{}", finding.bench);
        }
        assert_eq!(report.gate(), Gate::Fail);
        assert_eq!(report.caveats, []);
    }

    #[test]
    fn render_names_what_regressed() {
        let report = report(SMOKE);
        let text = render(std::slice::from_ref(&report));
        let regressed = report
            .findings
            .iter()
            .filter(|f| f.verdict == Verdict::Regressed);
        for finding in regressed {
            assert!(
                text.contains(finding.bench.name.as_str()),
                "{}",
                finding.bench
            );
        }
    }
}
