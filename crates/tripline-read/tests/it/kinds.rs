//! What is said of the JSON of the fixtures where a member's value is of another kind than a harness writes.
//!
//! Whatever it is, it has a place, and is said in plain words: neither in serde's, nor with the names of our types.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::PathBuf;

use crate::support::{Case, cases, entries, file_bytes, files, read, with_bytes};

/// Values of every kind.
const KINDS: &[&str] = &["7", "\"x\"", "[7]", "{\"x\":7}", "null", "true"];

/// How many bytes are read of a fixture, and how often at least.
const BYTES: usize = 1_000_000;
const READS_MIN: usize = 12;

/// How serde speaks.
const WORDS: &[&str] = &[
    "struct", "enum", "variant", "sequence", "map", "tuple", "newtype", "string", "integer",
    "boolean", "field", "u64", "i64", "f64", "column",
];

#[test]
fn a_value_of_another_kind_is_told_in_plain_words() {
    let types = types();
    // A run file is read where it is written, by the vocabulary.
    let cases = cases().into_iter();
    for case in cases.filter(|case| case.adapter.name != "run-file") {
        for file in 0..files(&case.input) {
            check_file(&case, file, &types);
        }
    }
}

fn check_file(case: &Case, file: usize, types: &BTreeSet<String>) {
    let bytes = file_bytes(&case.input, file);
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    let mut changes: Vec<(&Range<usize>, &str)> = Vec::new();
    let members = members(text);
    for value in &members {
        changes.extend(KINDS.iter().map(|kind| (value, *kind)));
    }
    let reads = (BYTES / bytes.len().max(1)).max(READS_MIN);
    // The step has no divisor in common with the number of kinds, so that each of them has its turn.
    let step = changes.len().div_ceil(reads);
    let step = (step..)
        .find(|step| step % 2 == 1 && step % 3 != 0)
        .unwrap_or(1);
    for (value, kind) in changes.into_iter().step_by(step) {
        let changed = [&text[..value.start], kind, &text[value.end..]].concat();
        let input = with_bytes(&case.input, file, changed.into_bytes());
        let said = match read(case.adapter, &input) {
            Ok(observed) => {
                let all = observed.problems.into_iter().chain(observed.remarks);
                all.map(|problem| problem.text).collect()
            }
            Err(error) => vec![error.problem],
        };
        for text in said {
            let at = value.start;
            let is_plain = foreign(&text, types).is_none();
            assert!(
                is_plain,
                "{}, file {file}, {kind} at byte {at}: {text}",
                case.name
            );
        }
    }
}

/// Returns a word that a message does not have, outside of quotes of the input.
fn foreign<'t>(text: &'t str, types: &BTreeSet<String>) -> Option<&'t str> {
    let own = text.split('`').step_by(2);
    let mut words = own.flat_map(|part| part.split(|c: char| !c.is_alphanumeric()));
    words.find(|word| WORDS.contains(word) || types.contains(*word))
}

#[test]
fn foreign_words_are_found() {
    let types = types();
    for (text, expected) in [
        ("invalid type: map, expected struct Scores", Some("map")),
        ("it lacks Scores", Some("Scores")),
        ("in `map`, a list stands where an object is expected", None),
    ] {
        assert_eq!(foreign(text, &types), expected, "{text}");
    }
}

/// Returns the names of the types of our readers of JSON.
fn types() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut folders = vec![PathBuf::from("src")];
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = fs::read_to_string(path).unwrap();
            for part in source.split("#[derive(").skip(1) {
                let (derived, rest) = part.split_once(')').unwrap();
                if derived.contains("Deserialize") {
                    let mut words = rest.split(|c: char| !c.is_alphanumeric());
                    words.find(|word| ["struct", "enum"].contains(word));
                    names.extend(words.next().map(str::to_owned));
                }
            }
        }
    }
    names
}

/// Returns where the values of the members of JSON in a text stand: of each name the first and the last.
fn members(text: &str) -> Vec<Range<usize>> {
    let mut members: BTreeMap<&str, Vec<Range<usize>>> = BTreeMap::new();
    for (colon, _) in text.match_indices(':') {
        let before = text[..colon].trim_end();
        let Some(name) = before
            .strip_suffix('"')
            .and_then(|rest| rest.rsplit('"').next())
        else {
            continue;
        };
        let start = colon + 1 + text[colon + 1..].len() - text[colon + 1..].trim_start().len();
        let rest = &text[start..];
        let mut values =
            serde_json::Deserializer::from_str(rest).into_iter::<serde::de::IgnoredAny>();
        if let Some(Ok(_)) = values.next() {
            let of_name = members.entry(name).or_default();
            of_name.truncate(1);
            of_name.push(start..start + values.byte_offset());
        }
    }
    members.into_values().flatten().collect()
}
