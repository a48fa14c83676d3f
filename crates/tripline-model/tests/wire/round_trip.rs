//! What is written is read back the same, and written the same again; and a kept run is a good diff.

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;
use tripline_model::wire::{read_report, read_run, write_report, write_run};
use tripline_model::{COUNT_MAX, Measurement, Run, Sample};

use crate::generate;

/// Enough cases to meet every caveat and failure several times; what fails is shown, and not kept in a file.
pub(crate) fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 192,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_run_comes_back(run in generate::run()) {
        let text = write_run(&run);
        let back = read_run(text.as_bytes());
        prop_assert_eq!(back.as_ref(), Ok(&run), "{}", text);
        prop_assert_eq!(write_run(&back.unwrap()), text);
    }

    #[test]
    fn a_report_comes_back(report in generate::report()) {
        let text = write_report(&report);
        let back = read_report(text.as_bytes());
        prop_assert_eq!(back.as_deref(), Ok(std::slice::from_ref(&report)), "{}", text);
        prop_assert_eq!(write_report(&back.unwrap()[0]), text);
    }

    #[test]
    fn reports_come_back_in_their_order(reports in prop::collection::vec(generate::report(), 1..4)) {
        let text: String = reports.iter().map(write_report).collect();
        prop_assert_eq!(read_report(text.as_bytes()), Ok(reports));
    }

    #[test]
    fn the_order_of_insertion_does_not_show(run in generate::run()) {
        let mut turned = without_measurements(&run);
        let measurements: Vec<&Measurement> = run.measurements().collect();
        for measurement in measurements.into_iter().rev() {
            turned.insert(measurement.clone()).unwrap();
        }
        prop_assert_eq!(write_run(&turned), write_run(&run));
    }

    #[test]
    fn lines_stand_in_the_order_of_the_benchmarks(run in generate::run()) {
        let text = write_run(&run);
        let kinds: Vec<String> = text.lines().map(kind_of).collect();
        let wanted = ["tripline_run"].into_iter()
            .chain(run.measurements().map(|_| "measured"))
            .chain(run.failures.iter().map(|_| "failed"))
            .chain(["end"]);
        prop_assert!(kinds.iter().map(String::as_str).eq(wanted), "{:?}", kinds);

        let benches: Vec<_> = run.measurements().map(Measurement::bench).collect();
        prop_assert!(benches.is_sorted());
        for (line, bench) in text.lines().skip(1).zip(&benches) {
            let line: Value = serde_json::from_str(line).unwrap();
            prop_assert_eq!(&line["measured"]["benchmark"], bench.name.as_str());
        }
    }

    #[test]
    fn whole_numbers_have_no_decimal_point(run in generate::run(), report in generate::report()) {
        for line in write_run(&run).lines().chain(write_report(&report).lines()) {
            let bad = pointed(&serde_json::from_str(line).unwrap());
            prop_assert_eq!(bad, None, "{}", line);
        }
    }

    #[test]
    fn a_changed_benchmark_is_one_changed_line(run in generate::run(), which in any::<Index>()) {
        prop_assume!(!run.is_empty());
        let changed = which.index(run.measurements().len());
        let mut other = without_measurements(&run);
        for (index, measurement) in run.measurements().enumerate() {
            let measurement = measurement.clone();
            other.insert(if index == changed { doubled(&measurement) } else { measurement }).unwrap();
        }
        prop_assert_eq!(changed_lines(&run, &other), [changed + 1]);

        // The time of measuring stands in the header, and nowhere else.
        other.measured_at = jiff::Timestamp::UNIX_EPOCH;
        prop_assume!(run.measured_at != other.measured_at);
        prop_assert_eq!(changed_lines(&run, &other), [0, changed + 1]);
    }
}

/// Returns the key that says what kind of line it is.
fn kind_of(line: &str) -> String {
    let line: Value = serde_json::from_str(line).unwrap();
    let (kind, _) = line.as_object().unwrap().iter().next().unwrap();
    kind.clone()
}

/// Returns a whole number within 0 and 2^53 that was not written as one.
fn pointed(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().unwrap();
            (number.fract() == 0.0 && (0.0..=COUNT_MAX).contains(&number)).then_some(number)
        }
        Value::Array(values) => values.iter().find_map(pointed),
        Value::Object(members) => members.values().find_map(pointed),
        _ => None,
    }
}

/// Returns a run with the same header and failures.
fn without_measurements(run: &Run) -> Run {
    let mut other = Run::new(
        run.suite.clone(),
        run.measured_at,
        run.environment.clone(),
        run.producer.clone(),
    );
    other.revision = run.revision.clone();
    other.session = run.session.clone();
    other.part = run.part.clone();
    other.failures = run.failures.clone();
    other
}

/// Returns a measurement in which each sample has its values twice.
fn doubled(measurement: &Measurement) -> Measurement {
    let readings = measurement.readings().cloned().map(|mut reading| {
        let sample: &Sample = &reading.sample;
        reading.sample = sample.followed_by(sample);
        reading
    });
    let (bench, answer) = (measurement.bench().clone(), measurement.answer().cloned());
    Measurement::new(bench, readings, answer, measurement.caveats().to_vec()).unwrap()
}

/// Returns which lines of the two runs' files differ, from 0. The files have as many lines.
fn changed_lines(a: &Run, b: &Run) -> Vec<usize> {
    let (a, b) = (write_run(a), write_run(b));
    assert_eq!(a.lines().count(), b.lines().count());
    let pairs = a.lines().zip(b.lines()).enumerate();
    pairs
        .filter(|(_, (a, b))| a != b)
        .map(|(index, _)| index)
        .collect()
}
