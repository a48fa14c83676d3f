//! That a harness's other forms say the same as its JSON of the same run.
//!
//! They round, so values are compared only as far as their digits go: a counter keeps six of them.

use std::collections::BTreeSet;

use tripline_read::{Observation, Observed};

use crate::support::{cases, read};

#[test]
fn the_table_of_google_benchmark_says_what_its_json_says() {
    let (table, json) = (fixture("console"), fixture("console_json"));
    assert_eq!(table.problems.len(), json.problems.len());
    assert_eq!(table.observations.len(), json.observations.len());
    for (printed, whole) in table.observations.iter().zip(&json.observations) {
        assert_eq!(printed.bench, whole.bench);
        let metrics = |of: &Observation| {
            let metrics = of.readings.iter();
            metrics.map(|of| of.metric.clone()).collect::<Vec<_>>()
        };
        assert_eq!(metrics(printed), metrics(whole), "{}", whole.bench);
        assert_close(printed, whole, |name| {
            matches!(name, "throughput" | "item_throughput" | "keys" | "held")
        });
    }
}

/// The CSV lacks counters that its first benchmark does not have. It says no unit of a complexity, which in the second report is
/// that of an option and of no row. The problems are benchmarks that failed, and of those that were skipped it is told.
#[test]
fn the_csv_of_google_benchmark_says_what_its_json_says() {
    for (case, problems, skipped) in [("csv", 2, 2), ("csv_units", 1, 0)] {
        let (csv, json) = (fixture(case), fixture(&format!("{case}_json")));
        assert_eq!(csv.problems.len(), problems, "{:?}", csv.problems);
        let remarks = csv.remarks.iter();
        let told = remarks.filter(|remark| remark.text.contains("was skipped"));
        assert_eq!(told.count(), skipped, "{:?}", csv.remarks);
        assert_eq!(csv.observations.len(), json.observations.len());
        for (printed, whole) in csv.observations.iter().zip(&json.observations) {
            assert_eq!(printed.bench, whole.bench);
            assert_close(printed, whole, |_| true);
        }
    }
}

#[test]
fn the_csv_of_pytest_benchmark_is_of_the_tests_of_its_json() {
    let benches = |case| {
        let observed = of("pytest_benchmark", case);
        assert!(observed.problems.is_empty(), "{:?}", observed.problems);
        let benches = observed.observations.into_iter().map(|of| of.bench);
        benches.collect::<BTreeSet<_>>()
    };
    assert_eq!(benches("csv"), benches("csv_json"));
}

/// Compares the metrics that are printed with six digits.
fn assert_close(printed: &Observation, whole: &Observation, has_six_digits: fn(&str) -> bool) {
    for reading in &printed.readings {
        let mut all = whole.readings.iter();
        let same = all.find(|of| of.metric == reading.metric);
        let (values, iterations) = (reading.sample.values(), reading.sample.iterations());
        let sample = &same.expect("JSON has the metric too").sample;
        assert_eq!(iterations, sample.iterations(), "{}", whole.bench);
        assert_eq!(values.len(), sample.values().len(), "{}", whole.bench);
        if !has_six_digits(reading.metric.name.as_str()) {
            continue;
        }
        for (value, exact) in values.iter().zip(sample.values()) {
            let name = &reading.metric.name;
            assert!(
                (value - exact).abs() <= exact.abs() * 5.1e-6,
                "{name} of {}: {value} is not {exact}",
                whole.bench
            );
        }
    }
}

fn fixture(case: &str) -> Observed {
    of("google_benchmark", case)
}

fn of(adapter: &str, case: &str) -> Observed {
    let name = format!("{adapter}__{case}");
    let case = cases().into_iter().find(|of| of.name == name).unwrap();
    read(case.adapter, &case.input).unwrap()
}
