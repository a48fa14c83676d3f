//! What is read from each fixture, and that no adapter is without one.

use std::path::PathBuf;

use tripline_read::ADAPTERS;

use crate::support::{cases, entries, read, shown};

#[test]
fn every_fixture_is_read_as_its_snapshot_says() {
    for case in cases() {
        let text = shown(&read(case.adapter, &case.input));
        insta::assert_snapshot!(case.name, text);
    }
}

#[test]
fn no_adapter_is_forgotten() {
    let files = entries(&PathBuf::from("src/adapters"));
    let on_disk: Vec<String> = files
        .iter()
        .filter(|path| path.is_file())
        .map(|path| {
            path.file_stem()
                .unwrap()
                .to_str()
                .unwrap()
                .replace('_', "-")
        })
        .collect();
    let mut listed: Vec<&str> = ADAPTERS.iter().map(|adapter| adapter.name).collect();
    listed.sort_unstable();
    assert_eq!(on_disk, listed, "src/adapters.rs and src/adapters/ differ");
    for adapter in ADAPTERS {
        let found = cases()
            .iter()
            .filter(|c| c.adapter.name == adapter.name)
            .count();
        assert!(found > 0, "fixtures/ has nothing for `{}`", adapter.name);
        assert!(!adapter.about.is_empty());
        let by_name = tripline_read::adapter(adapter.name).expect("a listed adapter is found");
        assert_eq!(by_name.name, adapter.name);
    }
}

#[test]
fn no_fixture_is_forgotten() {
    for folder in entries(&PathBuf::from("fixtures")) {
        let name = folder
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .replace('_', "-");
        assert!(
            tripline_read::adapter(&name).is_some(),
            "no adapter reads fixtures/{name}"
        );
    }
    for snapshot in entries(&PathBuf::from("tests/it/snapshots")) {
        let text = snapshot.file_stem().unwrap().to_str().unwrap();
        let Some(name) = text.strip_prefix("it__fixtures__") else {
            continue;
        };
        assert!(
            cases().iter().any(|case| case.name == name),
            "no fixture belongs to {}",
            snapshot.display()
        );
    }
}
