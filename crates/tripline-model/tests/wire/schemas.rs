//! The committed JSON Schemas: other programs check our files against them, so they are the types' own, and they hold.
//!
//! `TRIPLINE_BLESS=1 cargo test -p tripline-model --test wire` writes them anew.

use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::Value;
use tripline_model::wire::{
    read_report, read_run, report_schema, run_schema, write_report, write_run,
};

use crate::fixtures::{REPORTS, RUNS};
use crate::round_trip::config;
use crate::{fixture, generate, place};

#[test]
fn the_committed_schema_of_the_run_file_is_the_types() {
    committed("schemas/run.v1.schema.json", &run_schema());
}

#[test]
fn the_committed_schema_of_the_report_file_is_the_types() {
    committed("schemas/report.v1.schema.json", &report_schema());
}

/// Compares a generated file with the committed one, or writes it.
pub(crate) fn committed(path: &str, generated: &str) {
    let path = place(path);
    if std::env::var_os("TRIPLINE_BLESS").is_some_and(|bless| bless == "1") {
        std::fs::write(&path, generated).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == generated,
        "{} is not the schema of the types. A released version is frozen: a change that old files or old readers \
         would notice is a new version. If it is none, write the file with TRIPLINE_BLESS=1",
        path.display()
    );
}

/// Makes a validator of a schema.
pub(crate) fn validator(schema: &str) -> Validator {
    let schema = serde_json::from_str(schema).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

/// Returns what is wrong with a line, if anything is.
pub(crate) fn complaint(validator: &Validator, line: &str) -> Option<String> {
    let line = serde_json::from_str(line).unwrap();
    let error = validator.iter_errors(&line).next()?;
    Some(format!("{error} at {}", error.instance_path()))
}

#[test]
fn every_line_of_the_fixtures_holds() {
    for (schema, names) in [(run_schema(), RUNS), (report_schema(), REPORTS)] {
        let validator = validator(&schema);
        for name in names {
            for line in fixture(name).lines() {
                assert_eq!(complaint(&validator, line), None, "{name}: {line}");
            }
        }
    }
}

#[test]
fn every_line_of_a_generated_file_holds() {
    let (runs, reports) = (validator(&run_schema()), validator(&report_schema()));
    proptest!(config(), |(run in generate::run(), report in generate::report())| {
        for line in write_run(&run).lines() {
            prop_assert_eq!(complaint(&runs, line), None, "{}", line);
        }
        for line in write_report(&report).lines() {
            prop_assert_eq!(complaint(&reports, line), None, "{}", line);
        }
    });
}

/// A key in the wrong place is refused everywhere, by the reader and by the schema alike.
#[test]
fn no_object_of_any_line_takes_an_unknown_key() {
    let (runs, reports) = (validator(&run_schema()), validator(&report_schema()));
    for (names, validator) in [(RUNS, &runs), (REPORTS, &reports)] {
        for name in names {
            let text = fixture(name);
            for (number, line) in text.lines().enumerate() {
                let objects = with_unknown_key(&serde_json::from_str(line).unwrap());
                assert!(!objects.is_empty());
                for changed in objects.iter().map(Value::to_string) {
                    let file = replaced_line(&text, number, &changed);
                    let is_error = match names {
                        RUNS => read_run(file.as_bytes()).is_err(),
                        _ => read_report(file.as_bytes()).is_err(),
                    };
                    assert!(is_error, "{name} was read with {changed}");
                    let complaint = complaint(validator, &changed);
                    assert!(complaint.is_some(), "{name}: the schema allows {changed}");
                }
            }
        }
    }
}

/// Returns a text with one line replaced.
pub(crate) fn replaced_line(text: &str, number: usize, line: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines[number] = line;
    lines.join("\n") + "\n"
}

/// Returns the value once for each object in it, with a key more in that object. `null` is nowhere a value.
pub(crate) fn with_unknown_key(value: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    match value {
        Value::Array(values) => {
            for (index, inner) in values.iter().enumerate() {
                all.extend(with_unknown_key(inner).into_iter().map(|changed| {
                    let mut outer = value.clone();
                    outer[index] = changed;
                    outer
                }));
            }
        }
        Value::Object(members) => {
            let mut more = members.clone();
            more.insert("unknown".to_owned(), Value::Null);
            all.push(Value::Object(more));
            for (key, inner) in members {
                all.extend(with_unknown_key(inner).into_iter().map(|changed| {
                    let mut outer = value.clone();
                    outer[key] = changed;
                    outer
                }));
            }
        }
        _ => {}
    }
    all
}
