//! Makes a run of what the steps gave: repeats become samples, harnesses that measured the same benchmark are joined,
//! answers are attached. What does not fit is a failure of its step. What was answered for and not measured is one as
//! well, in a run of a whole suite: of a part it is only noted, since another part may have measured it.

use std::collections::BTreeMap;

use tripline_model::{
    BenchId, Caveat, Digest, Failure, FailureKind, Measurement, MetricName, Reading, Run, StepName,
    Unmeasured,
};
use tripline_read::{Observation, Observed};

/// What a step gave: one part per repeat, or the reason why there is none.
pub(crate) type Part = (StepName, Result<Vec<Observed>, Failure>);

/// Fills a run with what its steps gave.
pub(crate) fn fill(run: &mut Run, parts: Vec<Part>) {
    let mut answers: BTreeMap<BenchId, (StepName, Digest)> = BTreeMap::new();
    let mut benches: BTreeMap<BenchId, Vec<(StepName, Benchmark)>> = BTreeMap::new();
    for (step, part) in parts {
        let repeats = match part {
            Ok(repeats) => repeats,
            Err(failure) => {
                run.failures.push(failure);
                continue;
            }
        };
        for (bench, benchmark) in joined(repeats) {
            if let Some(answer) = benchmark.answer.clone() {
                answers.insert(bench.clone(), (step.clone(), answer));
            }
            // What could not be measured of a benchmark is said of what was.
            if !benchmark.readings.is_empty() || !benchmark.caveats.is_empty() {
                benches
                    .entry(bench)
                    .or_default()
                    .push((step.clone(), benchmark));
            }
        }
    }
    for (bench, parts) in benches {
        let answer = answers.remove(&bench).map(|(_, answer)| answer);
        for (step, benchmark) in with_their_caveats(parts) {
            let readings = benchmark.readings.into_values();
            let added =
                Measurement::new(bench.clone(), readings, answer.clone(), benchmark.caveats)
                    .map_err(|error| error.to_string())
                    .and_then(|measurement| {
                        run.join(measurement).map_err(|error| error.to_string())
                    });
            if let Err(problem) = added {
                run.failures
                    .push(Failure::new(step, FailureKind::Output, Some(problem), ""));
            }
        }
    }
    let unmeasured = answers
        .into_iter()
        .map(|(bench, (step, _))| Unmeasured {
            name: bench.name,
            params: bench.params,
            step,
        })
        .collect();
    match &mut run.part {
        Some(part) => part.unmeasured = unmeasured,
        None => fail_unmeasured(run, unmeasured),
    }
}

/// Gives the caveats of a step that measured nothing of a benchmark to the first one that did.
fn with_their_caveats(parts: Vec<(StepName, Benchmark)>) -> Vec<(StepName, Benchmark)> {
    let is_measured = |(_, benchmark): &(StepName, Benchmark)| !benchmark.readings.is_empty();
    let (mut measured, said): (Vec<_>, Vec<_>) = parts.into_iter().partition(is_measured);
    if let Some((_, first)) = measured.first_mut() {
        let caveats = said
            .into_iter()
            .flat_map(|(_, benchmark)| benchmark.caveats);
        first.caveats.extend(caveats);
    }
    measured
}

/// An answer without a measurement means that a benchmark was renamed in one place only, or is measured no more.
pub(crate) fn fail_unmeasured(run: &mut Run, unmeasured: Vec<Unmeasured>) {
    // Where a step failed, its benchmarks have no measurement, and saying so once is enough.
    if !run.failures.is_empty() {
        return;
    }
    let mut by_step: BTreeMap<StepName, Vec<String>> = BTreeMap::new();
    for Unmeasured { name, params, step } in unmeasured {
        let suite = run.suite.clone();
        let bench = BenchId {
            suite,
            name,
            params,
        };
        by_step.entry(step).or_default().push(bench.within_suite());
    }
    for (step, benches) in by_step {
        // A name may be any text, and what a failure says of itself is not for a name to say.
        let detail = Some(format!("benchmarks {}", benches.join(", ")));
        run.failures
            .push(Failure::new(step, FailureKind::NoReading, detail, ""));
    }
}

/// What all repeats of one step gave for one benchmark.
#[derive(Debug, Default)]
struct Benchmark {
    readings: BTreeMap<MetricName, Reading>,
    answer: Option<Digest>,
    caveats: Vec<Caveat>,
}

/// Joins the repeats of a step: the values of a metric follow one another.
fn joined(repeats: Vec<Observed>) -> BTreeMap<BenchId, Benchmark> {
    let mut benches: BTreeMap<BenchId, Benchmark> = BTreeMap::new();
    for Observation {
        bench,
        readings,
        answer,
        caveats,
    } in repeats.into_iter().flat_map(|r| r.observations)
    {
        let benchmark = benches.entry(bench).or_default();
        benchmark.answer = benchmark.answer.take().or(answer);
        for caveat in caveats {
            if !benchmark.caveats.contains(&caveat) {
                benchmark.caveats.push(caveat);
            }
        }
        for reading in readings {
            match benchmark.readings.get_mut(&reading.metric.name) {
                Some(known) => known.sample = known.sample.followed_by(&reading.sample),
                None => {
                    benchmark
                        .readings
                        .insert(reading.metric.name.clone(), reading);
                }
            }
        }
    }
    benches
}

#[cfg(test)]
mod tests {
    use tripline_model::{
        BenchName, Environment, EnvironmentName, Metric, Params, Producer, Sample, SuiteName,
    };

    use super::*;

    fn run() -> Run {
        let environment = Environment::new(EnvironmentName::new("here").unwrap());
        let producer = Producer {
            name: "test".to_owned(),
            version: "0".to_owned(),
        };
        Run::new(
            SuiteName::new("kv").unwrap(),
            jiff::Timestamp::UNIX_EPOCH,
            environment,
            producer,
        )
    }

    fn bench(name: &str) -> BenchId {
        let suite = SuiteName::new("kv").unwrap();
        BenchId {
            suite,
            name: BenchName::new(name).unwrap(),
            params: Params::new(),
        }
    }

    fn observed(name: &str, metric: &str, value: f64) -> Observed {
        let metric = Metric::known(metric).unwrap();
        let reading = Reading {
            metric,
            sample: Sample::new([value]).unwrap(),
        };
        let observation = Observation {
            bench: bench(name),
            readings: vec![reading],
            answer: None,
            caveats: Vec::new(),
        };
        Observed {
            observations: vec![observation],
            problems: Vec::new(),
            remarks: Vec::new(),
        }
    }

    fn answered(name: &str) -> Observed {
        let answer = Some(Digest::new("c0ffee").unwrap());
        let observation = Observation {
            bench: bench(name),
            readings: Vec::new(),
            answer,
            caveats: Vec::new(),
        };
        Observed {
            observations: vec![observation],
            problems: Vec::new(),
            remarks: Vec::new(),
        }
    }

    fn step(name: &str) -> StepName {
        StepName::new(name).unwrap()
    }

    #[test]
    fn repeats_become_samples_and_harnesses_are_joined() {
        let mut run = run();
        let counts = vec![
            observed("get", "instructions", 10.0),
            observed("get", "instructions", 11.0),
        ];
        let parts = vec![
            (step("answers"), Ok(vec![answered("get")])),
            (step("counts"), Ok(counts)),
            (step("times"), Ok(vec![observed("get", "wall_time", 5.0)])),
        ];
        fill(&mut run, parts);
        assert_eq!(run.failures, []);
        let get = run.measurement(&bench("get")).unwrap();
        let values: Vec<&[f64]> = get
            .readings()
            .map(|reading| reading.sample.values())
            .collect();
        assert_eq!(values, [&[10.0, 11.0][..], &[5.0]]);
        assert!(get.answer().is_some());
    }

    #[test]
    fn an_answer_that_nothing_measured_is_a_failure() {
        let mut run = run();
        let parts = vec![
            (step("answers"), Ok(vec![answered("got")])),
            (
                step("counts"),
                Ok(vec![observed("get", "instructions", 10.0)]),
            ),
        ];
        fill(&mut run, parts);
        assert_eq!(run.failures.len(), 1);
        assert_eq!(run.failures[0].kind, FailureKind::NoReading);
        assert_eq!(run.failures[0].detail.as_deref(), Some("benchmarks got"));
    }

    #[test]
    fn in_a_part_it_is_no_failure_and_is_noted() {
        let mut run = run();
        let steps = |names: &[&str]| names.iter().map(|name| step(name)).collect();
        let how = tripline_model::FactValue::new("x").unwrap();
        run.part =
            tripline_model::Part::new(steps(&["counts"]), steps(&["counts", "times"]), how).ok();
        let parts = vec![(step("answers"), Ok(vec![answered("got")]))];
        fill(&mut run, parts);
        assert_eq!(run.failures, []);
        let unmeasured = &run.part.unwrap().unmeasured;
        assert_eq!(unmeasured[0].name.as_str(), "got");
        assert_eq!(unmeasured[0].step, step("answers"));
    }

    #[test]
    fn two_steps_that_read_the_same_metric_do_not_hide_one_another() {
        let mut run = run();
        let parts = vec![
            (step("one"), Ok(vec![observed("get", "instructions", 10.0)])),
            (step("two"), Ok(vec![observed("get", "instructions", 20.0)])),
        ];
        fill(&mut run, parts);
        assert_eq!(run.failures.len(), 1);
        assert!(
            run.failures[0]
                .detail
                .as_deref()
                .unwrap()
                .contains("two readings of `instructions`")
        );
    }
}
