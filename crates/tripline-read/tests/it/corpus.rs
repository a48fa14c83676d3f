//! What fuzzing found is read again in every run of the tests, by the rules of the fuzz targets.
//!
//! `cargo xtask fuzz` writes it: below `fuzz/corpus`, a folder for each reader.

use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::PathBuf;

use tripline_read::ADAPTERS;

use crate::support::entries;

#[path = "../../fuzz/src/rules.rs"]
mod rules;

/// The readers that are no adapters: of histories, and of what tells adapters apart.
const OTHERS: [&str; 2] = ["data-js", "sniff"];

/// The most bytes of all corpora together: everybody fetches them.
const BYTES_MAX: usize = 1_500_000;

/// Returns the inputs of each reader that has any, by its name.
fn corpora() -> impl Iterator<Item = (String, Vec<PathBuf>)> {
    let folders = entries(&PathBuf::from("fuzz/corpus")).into_iter();
    folders.map(|folder| {
        let reader = folder.file_name().unwrap().to_str().unwrap();
        (reader.to_owned(), entries(&folder))
    })
}

#[test]
fn every_input_that_fuzzing_found_keeps_the_rules() {
    for (reader, inputs) in corpora() {
        for input in inputs {
            let bytes = fs::read(&input).unwrap();
            let kept = catch_unwind(|| rules::check(&reader, &bytes));
            assert!(kept.is_ok(), "{} breaks a rule", input.display());
        }
    }
}

#[test]
fn every_reader_has_a_target_and_a_corpus() {
    let adapters = ADAPTERS.iter().map(|adapter| adapter.name);
    let readers: BTreeSet<&str> = adapters.chain(OTHERS).collect();
    let manifest = fs::read_to_string("fuzz/Cargo.toml").unwrap();
    let programs = manifest.split("[[bin]]\nname = \"").skip(1);
    let targets: BTreeSet<&str> = programs
        .map(|rest| rest.split_once('"').unwrap().0)
        .collect();
    assert_eq!(
        targets, readers,
        "write a `[[bin]]` for each reader into fuzz/Cargo.toml"
    );
    let filled = corpora().filter(|(_, inputs)| !inputs.is_empty());
    let filled: BTreeSet<String> = filled.map(|(reader, _)| reader).collect();
    let filled: BTreeSet<&str> = filled.iter().map(String::as_str).collect();
    assert_eq!(
        filled, readers,
        "run `cargo xtask fuzz` for who has no corpus"
    );
}

#[test]
fn the_corpora_stay_small() {
    let inputs = corpora().flat_map(|(_, inputs)| inputs);
    let bytes: usize = inputs.map(|input| fs::read(input).unwrap().len()).sum();
    assert!(bytes <= BYTES_MAX, "the corpora have {bytes} bytes");
}
