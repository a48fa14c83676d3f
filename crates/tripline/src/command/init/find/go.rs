//! Go modules with benchmarks in their tests.
//!
//! Tested below and by `tests/it/init`.

use std::collections::BTreeSet;
use std::path::Path;

use super::source::{around_each, without_comments};
use super::{Found, Step, Work, nearest};
use crate::command::init::tree::{Tree, folder_of};

pub(super) const HARNESS: &str = "go";

/// Several short turns of each benchmark: as many values, and none so long that a round of all takes minutes.
const COMMAND: &[&str] = &[
    "go",
    "test",
    "-run=^$",
    "-bench=.",
    "-benchmem",
    "-benchtime=50ms",
    "-count=5",
    "./...",
];

const ABOUT_COMMAND: &str = "Many short turns instead of few long ones: base and head take turns, and are run again and again.";

pub(super) fn look(tree: &Tree, found: &mut Found) {
    let modules: Vec<&Path> = tree.named("go.mod").map(folder_of).collect();
    let mut with_benches: BTreeSet<&Path> = BTreeSet::new();
    for file in tree.files().filter(|file| is_test(file)) {
        let source = tree.read(file).unwrap_or_default();
        if !has_benchmark(&without_comments(&source)) {
            continue;
        }
        match nearest(file, &modules) {
            Some(module) => {
                with_benches.insert(module);
            }
            None => found.leave(
                file,
                "benchmarks of Go that are in no module: run `go mod init` first",
            ),
        }
    }
    for module in with_benches {
        let step = Step {
            name: "go".to_owned(),
            harness: HARNESS,
            work: Work::Command(COMMAND, ABOUT_COMMAND),
        };
        found.take(name_of(tree, module), module, vec![step]);
    }
}

fn is_test(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default();
    name.as_encoded_bytes().ends_with(b"_test.go")
}

/// Returns whether a source has a function that `go test -bench` runs.
fn has_benchmark(code: &str) -> bool {
    code.lines().any(|line| {
        line.starts_with("func Benchmark")
            && around_each(line, "B").any(|(before, _)| before.ends_with("*testing."))
    })
}

/// Returns what a module is called: the end of its path, without a major version.
fn name_of(tree: &Tree, module: &Path) -> String {
    let text = tree.read(&module.join("go.mod")).unwrap_or_default();
    let path = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("module "))
        .unwrap_or_default();
    let path = path.split("//").next().unwrap_or_default();
    let is_version = |part: &str| {
        part.strip_prefix('v')
            .is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_digit()))
    };
    let mut parts = path.trim().trim_matches(['"', '`']).split('/');
    parts
        .rfind(|part| !part.is_empty() && !is_version(part))
        .unwrap_or("go")
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_go_runs_is_a_benchmark() {
        assert!(has_benchmark("func BenchmarkGet(b *testing.B) {"));
        assert!(has_benchmark(
            "package kv\nfunc Benchmark(tb *testing.B) {}\n"
        ));
        for code in [
            "func benchmarkGet(b *testing.B, size int) {",
            "func TestGet(t *testing.T) {",
            "func BenchmarkHelper(t *testing.BX) {",
            "\tfunc BenchmarkInner(b *testing.B) {",
        ] {
            assert!(!has_benchmark(code), "{code}");
        }
    }

    #[test]
    fn a_module_is_called_by_the_end_of_its_path() {
        let folder = tempfile::tempdir().unwrap();
        for (text, name) in [
            ("module example.org/acme/kv\n", "kv"),
            (
                "// x\nmodule example.org/acme/kv/v2 // y\n\ngo 1.24\n",
                "kv",
            ),
            ("module \"kv\"\n", "kv"),
            ("", "go"),
        ] {
            std::fs::write(folder.path().join("go.mod"), text).unwrap();
            let tree = Tree::of(folder.path(), Vec::new());
            assert_eq!(name_of(&tree, Path::new("")), name, "{text}");
        }
    }
}
