//! The file of acceptances: what is written is read back, old files stay readable, the schema is the types', and bad
//! input is an error with a place.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;
use tripline_model::wire::{acceptances_schema, read_acceptances, write_acceptances};
use tripline_model::{
    Acceptance, Acceptances, AcceptancesError, BenchId, COUNT_MAX, Covers, MetricName, SuiteName,
};

use crate::bad_input::{assert_cuts_are_errors, assert_rows, flips};
use crate::faults::Row;
use crate::round_trip::config;
use crate::schemas::{committed, complaint, replaced_line, validator, with_unknown_key};
use crate::{fixture, generate};

/// The files of acceptances. This list only grows.
pub(crate) const ACCEPTANCES: &[&str] = &["acceptances-none.jsonl", "acceptances.jsonl"];

/// Rows for `acceptances.jsonl`.
const FAULTS: &[Row] = &[
    ("", "", "EOF while parsing a value at line 1 column 1"),
    (
        "",
        "{\"end\":{}}\n",
        "the first line is no `tripline_acceptances` header, so this is no file of acceptances at line 1 column 1",
    ),
    (
        "",
        "{\"tripline_run\":{\"version\":1}}\n",
        "the first line is no `tripline_acceptances` header, so this is no file of acceptances at line 1 column 1",
    ),
    (
        "\"version\":1,\"suite\":\"kv\"",
        "\"version\":2,\"suites\":[\"kv\"]",
        "the file is of version 2, and this program reads version 1: use a newer tripline at line 1 column 36",
    ),
    (
        "\"suite\":\"kv\"",
        "\"suite\":\"../kv\"",
        "the suite name `../kv` is not of the form lower-case letters, digits and hyphens, at most 64 at line 1 column 1",
    ),
    (
        "{\"end\":{}}",
        "{\"tripline_acceptances\":{\"version\":1,\"suite\":\"kv\"}}\n{\"end\":{}}",
        "a second header at line 4 column 1",
    ),
    (
        "{\"end\":{}}\n",
        "",
        "the file ends without its end mark: it was cut, or is still being written at line 4 column 1",
    ),
    (
        "{\"end\":{}}",
        "{\"end\":{}}\n{\"end\":{}}",
        "something follows the end mark at line 5 column 1",
    ),
    (
        "\"benchmark\":\"set\",\"metric\":\"degradation\"",
        "\"benchmark\":\"get\",\"params\":{\"bytes\":\"64\"},\"metric\":\"instructions\"",
        "`instructions` of benchmark `kv/get{bytes=64}` stands twice at line 3 column 1",
    ),
    (
        "\"benchmark\":\"set\"",
        "\"benchmark\":\"\"",
        "the benchmark name is empty at line 3 column 1",
    ),
    (
        "\"metric\":\"degradation\"",
        "\"metric\":\"Degradation\"",
        "the metric name `Degradation` is not of the form lower-case letters, digits, `.`, `_` and `-`, at most 64 at line 3 column 1",
    ),
    (
        "\"who\":\"Größe\"",
        "\"who\":\" \"",
        "the name of who accepted it is empty at line 3 column 1",
    ),
    (
        "\"who\":\"Größe\",",
        "",
        "missing field `who` at line 3 column 174",
    ),
    (
        "\"because\":\"one lock",
        "\"because\":\"\\u001b[2Jone lock",
        "the reason holds the character U+001B at byte 0, which cannot be shown safely at line 3 column 1",
    ),
    (
        "\"because\":\"one lock",
        "\"reason\":\"one lock",
        "unknown field `reason`, expected one of `benchmark`, `params`, `metric`, `from`, `to`, `covers`, `who`, `because`, `commit`, `environment` at line 3 column 99",
    ),
    (
        "\"to\":2.25",
        "\"to\":-1",
        "`to` is -1, which no metric can be at line 3 column 1",
    ),
    (
        "\"to\":2.25",
        "\"to\":null",
        "invalid type: null, expected a number of at most 2^53 at line 3 column 74",
    ),
    (
        "\"commit\":\"0123456789abcdef0123456789abcdef01234567\"",
        "\"commit\":\"main\"",
        "the commit `main` is not of the form 40 or 64 hexadecimal digits at line 2 column 1",
    ),
];

fn acceptances() -> impl Strategy<Value = Acceptances> {
    let metric = select(vec!["instructions", "wall_time", "degradation"]);
    let words = (generate::text(), generate::text());
    let values = (generate::value(), generate::value());
    let commit = option::of(generate::revision()).prop_map(|revision| revision.map(|r| r.commit));
    let record = (
        generate::bench_name(),
        generate::params(),
        metric,
        words,
        values,
        commit,
        option::of(generate::environment()),
    );
    (generate::suite(), vec(record, 0..6)).prop_map(|(suite, records)| {
        let mut acceptances = Acceptances::new(suite.clone());
        for (name, params, metric, (who, because), (from, to), commit, environment) in records {
            let suite = suite.clone();
            let bench = BenchId {
                suite,
                name,
                params,
            };
            let acceptance = Acceptance {
                who,
                because,
                from,
                to,
                covers: Covers::Change,
                commit,
                environment: environment.map(|environment| environment.name),
            };
            let metric = MetricName::new(metric).unwrap();
            acceptances.insert(bench, metric, acceptance).unwrap();
        }
        acceptances
    })
}

#[test]
fn every_file_is_read_and_written_the_same() {
    for name in ACCEPTANCES {
        let text = fixture(name);
        let acceptances =
            read_acceptances(text.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(write_acceptances(&acceptances), text, "{name}");
        let returns = read_acceptances(text.replace('\n', "\r\n").as_bytes());
        assert_eq!(returns, Ok(acceptances), "{name}");
    }
}

#[test]
fn the_committed_schema_is_the_types() {
    committed("schemas/acceptances.v1.schema.json", &acceptances_schema());
}

#[test]
fn every_line_holds_to_the_schema_and_no_object_takes_an_unknown_key() {
    let validator = validator(&acceptances_schema());
    for name in ACCEPTANCES {
        let text = fixture(name);
        for (number, line) in text.lines().enumerate() {
            assert_eq!(complaint(&validator, line), None, "{name}: {line}");
            let value: Value = serde_json::from_str(line).unwrap();
            for changed in with_unknown_key(&value).iter().map(Value::to_string) {
                let file = replaced_line(&text, number, &changed);
                assert!(read_acceptances(file.as_bytes()).is_err(), "{changed}");
                assert!(complaint(&validator, &changed).is_some(), "{changed}");
            }
        }
    }
}

#[test]
fn every_line_of_a_generated_file_holds() {
    let validator = validator(&acceptances_schema());
    proptest!(config(), |(acceptances in acceptances())| {
        for line in write_acceptances(&acceptances).lines() {
            prop_assert_eq!(complaint(&validator, line), None, "{}", line);
        }
    });
}

#[test]
fn every_fault_is_named_with_its_place() {
    let read = |bytes: &[u8]| read_acceptances(bytes).map(drop);
    assert_rows(&fixture("acceptances.jsonl"), FAULTS.iter(), read);
}

#[test]
fn a_reason_has_a_limit() {
    let good = fixture("acceptances.jsonl");
    let because = "keys are checked before they are used";
    let read = |text: &str| read_acceptances(good.replacen(because, text, 1).as_bytes());
    assert!(read(&"x".repeat(2048)).is_ok());
    let error = read(&"x".repeat(2049)).expect_err("a byte too much");
    assert_eq!(
        error.to_string(),
        "the reason has 2049 bytes, more than the 2048 allowed at line 2 column 1"
    );
}

#[test]
fn a_cut_file_is_never_a_shorter_one() {
    for name in ACCEPTANCES {
        assert_cuts_are_errors(fixture(name).as_bytes(), |bytes| {
            read_acceptances(bytes).map(drop)
        });
    }
}

#[test]
fn a_flipped_bit_is_an_error_or_another_good_file() {
    for flipped in flips(fixture("acceptances.jsonl").as_bytes(), 8) {
        if let Ok(acceptances) = read_acceptances(&flipped) {
            let again = write_acceptances(&acceptances);
            assert_eq!(read_acceptances(again.as_bytes()), Ok(acceptances));
        }
    }
}

#[test]
fn what_belongs_elsewhere_or_is_no_value_is_not_taken() {
    let text = fixture("acceptances.jsonl");
    let good = read_acceptances(text.as_bytes()).unwrap();
    let (bench, metric, acceptance) = good.iter().next().unwrap();
    let mut other = Acceptances::new(SuiteName::new("other").unwrap());
    let refused = other.insert(bench.clone(), metric.clone(), acceptance.clone());
    assert!(matches!(refused, Err(AcceptancesError::OtherSuite { .. })));
    let mut same = good.clone();
    for to in [f64::NAN, f64::INFINITY, -1.0, COUNT_MAX * 2.0] {
        let acceptance = Acceptance {
            to,
            covers: Covers::Change,
            ..acceptance.clone()
        };
        let refused = same.insert(bench.clone(), metric.clone(), acceptance);
        assert!(matches!(
            refused,
            Err(AcceptancesError::Value { side: "to", .. })
        ));
    }
    assert_eq!(same, good);
    let replaced = same.insert(bench.clone(), metric.clone(), acceptance.clone());
    assert_eq!(replaced, Ok(Some(acceptance.clone())));
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn acceptances_come_back(acceptances in acceptances()) {
        let text = write_acceptances(&acceptances);
        let back = read_acceptances(text.as_bytes());
        prop_assert_eq!(back.as_ref(), Ok(&acceptances), "{}", text);
        prop_assert_eq!(write_acceptances(&back.unwrap()), text);
    }

    #[test]
    fn the_order_of_lines_does_not_matter(acceptances in acceptances()) {
        let text = write_acceptances(&acceptances);
        let mut lines: Vec<&str> = text.lines().collect();
        let last = lines.len() - 1;
        lines[1..last].reverse();
        prop_assert_eq!(read_acceptances(lines.join("\n").as_bytes()), Ok(acceptances));
    }

    #[test]
    fn any_bytes_are_an_error(bytes in vec(any::<u8>(), 0..200)) {
        prop_assert!(read_acceptances(&bytes).is_err());
    }
}
