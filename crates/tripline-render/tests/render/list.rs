//! The list of outputs holds what is on disk.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use tripline_render::{EXPORTERS, RENDERERS, exporter, renderer};

fn on_disk(folder: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            entry
                .unwrap()
                .path()
                .file_stem()
                .unwrap()
                .to_string_lossy()
                .into_owned()
        })
        .collect()
}

#[test]
fn no_renderer_is_forgotten() {
    let listed: BTreeSet<String> = RENDERERS.iter().map(|r| r.name.replace('-', "_")).collect();
    assert_eq!(
        listed,
        on_disk("src/renderers"),
        "add the file to the array in `renderers.rs`"
    );
    assert_eq!(listed.len(), RENDERERS.len(), "two outputs have one name");
}

#[test]
fn outputs_are_found_by_name_and_say_what_they_are_for() {
    for listed in RENDERERS {
        let found = renderer(listed.name).unwrap();
        assert_eq!(found.name, listed.name);
        assert!(!found.about.is_empty());
    }
    assert!(renderer("telepathy").is_none());
}

#[test]
fn no_exporter_is_forgotten() {
    let listed: BTreeSet<String> = EXPORTERS
        .iter()
        .map(|exporter| match exporter.name {
            "custom-smaller-is-better" | "custom-bigger-is-better" => "benchmark_action".to_owned(),
            "external-data-json" => "data_js".to_owned(),
            name => name.replace('-', "_"),
        })
        .collect();
    let message = "add the file to the array in `exporters.rs`";
    assert_eq!(listed, on_disk("src/exporters"), "{message}");
    for listed in EXPORTERS {
        assert_eq!(exporter(listed.name).unwrap().name, listed.name);
        assert!(!listed.about.is_empty());
    }
    assert!(exporter("telepathy").is_none());
}
