//! `tripline init` in whole repositories that were made up, and what it wrote under the linters that workflows have to
//! pass. No bench is built; where one is run, a script stands in for its harness.

mod found;
mod hostile;
mod kept;
mod run;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::project::{Ended, scrubbed};
use crate::repository::Repository;

/// A commit of Tripline's, as far as the tests know.
pub(crate) const ACTIONS: &str = "acme/tripline@0123456789abcdef0123456789abcdef01234567";

const WORKFLOWS: [&str; 6] = [
    "baseline.yml",
    "bench-export.yml",
    "bench-main.yml",
    "bench-pr.yml",
    "bench-publish.yml",
    "bench.yml",
];

/// A cargo package's manifest, with its bench targets and their dependencies.
pub(crate) fn package(name: &str, benches: &[&str], dependencies: &str) -> String {
    let benches = benches
        .iter()
        .map(|bench| format!("[[bench]]\nname = \"{bench}\"\nharness = false\n"));
    let benches: String = benches.collect();
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n{benches}[dev-dependencies]\n{dependencies}\n"
    )
}

/// Writes a package with one bench of Criterion.
fn with_criterion(repository: &Repository, folder: &str, name: &str) {
    let manifest = package(name, &["times"], "criterion = \"0.8\"");
    repository.write(&format!("{folder}Cargo.toml"), &manifest);
    repository.write(&format!("{folder}src/lib.rs"), "");
    repository.write(
        &format!("{folder}benches/times.rs"),
        "use criterion::Criterion;\n",
    );
}

/// Runs `init` as a release would.
fn init(repository: &Repository, more: &[&str]) -> Ended {
    let args = [&["init", "--actions", ACTIONS], more].concat();
    repository.tripline(&args)
}

/// Returns all files of a work tree, and what is in them.
fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().display().to_string();
                if !name.starts_with(".git/") {
                    found.insert(name, std::fs::read(&path).unwrap_or_default());
                }
            }
        }
    }
    found
}

/// Checks that the linters have nothing against the workflows, and that there are all of them.
#[track_caller]
fn is_clean(repository: &Repository) {
    for name in WORKFLOWS {
        assert!(
            repository
                .at(&format!(".github/workflows/{name}"))
                .is_file(),
            "{name}"
        );
    }
    let all = complaints(repository).into_iter();
    let all = all.map(|(program, said)| format!("{program}: {said}\n"));
    let all: String = all.collect();
    assert!(all.is_empty(), "{all}");
}

/// Returns which linters have something against what is there, and what.
fn complaints(repository: &Repository) -> Vec<(&'static str, String)> {
    let zizmor = ["--offline", "--persona=auditor", "--min-severity=low", "."];
    let complaint = |(program, args): (&'static str, &[&str])| {
        let mut command: Command = scrubbed(program);
        let output = command.args(args).current_dir(repository.at("")).output();
        let output = output.expect("tools/setup puts the linters on PATH");
        let said = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        (!output.status.success()).then_some((program, said))
    };
    let linters = [("actionlint", &[][..]), ("zizmor", &zizmor)];
    linters.into_iter().filter_map(complaint).collect()
}

/// actionlint says nothing of scripts where it does not find shellcheck.
#[test]
fn the_linters_look_at_the_scripts_of_what_was_written() {
    let repository = Repository::for_cargo();
    with_criterion(&repository, "", "kv");
    init(&repository, &[]).with(0);
    is_clean(&repository);
    let place = ".github/workflows/bench-pr.yml";
    let text = std::fs::read_to_string(repository.at(place)).unwrap();
    let (good, wrong) = ("run: tripline record --dry-run", "run: tripline record $X");
    assert!(text.contains(good), "{text}");
    repository.write(place, &text.replace(good, wrong));
    let [("actionlint", said)] = &complaints(&repository)[..] else {
        panic!("{:?}", complaints(&repository));
    };
    assert!(said.contains("shellcheck reported issue"), "{said}");
}
