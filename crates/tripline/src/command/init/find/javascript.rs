//! Packages of JavaScript whose benches run by vitest, or by a script of their own that prints tinybench's table.
//!
//! Base and head stand in trees of their own, in which nothing is installed; so each step installs, with npm, what its tree
//! lacks. Tested below and by `tests/it/init`.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::{Found, Step, Work, nearest};
use crate::command::init::tree::{Tree, folder_of};

pub(super) const VITEST: &str = "vitest";
pub(super) const TINYBENCH: &str = "tinybench";

/// npm's own words on a missing lock file are followed by a page about its options, which hides them.
macro_rules! install {
    () => {
        "npm ci >&2 || { echo 'npm ci failed: is a package-lock.json committed?' >&2; exit 1; }"
    };
}

/// The results go through a file, because vitest writes them to one, and none is handed to it through npx.
const RUN_VITEST: &[&str] = &[
    "sh",
    "-c",
    concat!(
        "set -e; node -p \"require.resolve('vitest/package.json')\" >/dev/null 2>&1 || ",
        install!(),
        "; out=$(mktemp -d); trap 'rm -r \"$out\"' EXIT; ",
        "npx --no-install vitest bench --run --outputJson=\"$out/vitest.json\" >&2; cat \"$out/vitest.json\"",
    ),
];

/// How a script is run by each of the names that it may have.
const RUN_SCRIPT: &[(&str, &[&str])] = &[
    (
        "bench",
        &[
            "sh",
            "-c",
            concat!(
                "set -e; node -e \"import('tinybench').catch(() => process.exit(1))\" || ",
                install!(),
                "; exec npm run --silent bench",
            ),
        ],
    ),
    (
        "benchmark",
        &[
            "sh",
            "-c",
            concat!(
                "set -e; node -e \"import('tinybench').catch(() => process.exit(1))\" || ",
                install!(),
                "; exec npm run --silent benchmark",
            ),
        ],
    ),
];

const ABOUT_VITEST: &str = "What is not installed in the tree that is measured, npm installs first: by another program, change it here.";
const ABOUT_SCRIPT: &str = "It prints `console.table(bench.table())`. What is not installed in the tree that is measured, npm installs first.";

/// How the names of files end that vitest takes for benches, before the ending of their language.
const STEMS: [&str; 2] = [".bench", ".benchmark"];
const LANGUAGES: [&str; 8] = ["js", "cjs", "mjs", "jsx", "ts", "cts", "mts", "tsx"];

pub(super) fn look(tree: &Tree, found: &mut Found) {
    let mut manifests: BTreeMap<&Path, Value> = BTreeMap::new();
    for file in tree.named("package.json") {
        manifests.extend(manifest(tree, file).map(|manifest| (folder_of(file), manifest)));
    }
    let mut steps: BTreeMap<&Path, Vec<Step>> = BTreeMap::new();
    let with_vitest = needing(&manifests, VITEST);
    for file in tree.files().filter(|file| is_bench(file)) {
        if let Some(package) = nearest(file, &with_vitest) {
            let of_package = steps.entry(package).or_default();
            if of_package.is_empty() {
                of_package.push(step(VITEST, RUN_VITEST, ABOUT_VITEST));
            }
        }
    }
    let with_tinybench = needing(&manifests, TINYBENCH);
    for file in tree.files().filter(|file| is_source(file)) {
        let Some(package) = nearest(file, &with_tinybench) else {
            continue;
        };
        let of_package = steps.get(package).into_iter().flatten();
        let is_known = of_package.into_iter().any(|it| it.harness == TINYBENCH);
        let command = script(&manifests[package]).filter(|_| !is_known);
        if let Some(command) = command
            && prints_table(&tree.read(file).unwrap_or_default())
        {
            let step = step(TINYBENCH, command, ABOUT_SCRIPT);
            steps.entry(package).or_default().push(step);
        }
    }
    for (package, steps) in steps {
        let name = name_of(tree, package, &manifests[package]);
        if !has_lock(tree, package) {
            found.notes.push(format!(
                "no `package-lock.json` is committed for `{}`, and `npm ci`, by which its steps install, needs one: commit \
                 it, or change the command in the suite's file",
                name.replace('\n', "\\n")
            ));
        }
        found.take(name, package, steps);
    }
}

/// Returns whether npm finds a lock for a package: its own, or that of a workspace around it.
fn has_lock(tree: &Tree, package: &Path) -> bool {
    let locks = ["package-lock.json", "npm-shrinkwrap.json"];
    let mut locks = locks.iter().flat_map(|name| tree.named(name));
    locks.any(|lock| package.starts_with(folder_of(lock)))
}

fn step(harness: &'static str, argv: &'static [&'static str], about: &'static str) -> Step {
    Step {
        name: harness.to_owned(),
        harness,
        work: Work::Command(argv, about),
    }
}

fn manifest(tree: &Tree, file: &Path) -> Option<Value> {
    let text = tree.read(file)?;
    let manifest: Value = serde_json::from_str(&text).ok()?;
    manifest.is_object().then_some(manifest)
}

/// Returns the folders of the packages that need another.
fn needing<'a>(manifests: &BTreeMap<&'a Path, Value>, package: &str) -> Vec<&'a Path> {
    let needs = |manifest: &Value| {
        let lists = ["dependencies", "devDependencies"];
        lists
            .iter()
            .any(|list| manifest[*list].get(package).is_some())
    };
    let packages = manifests.iter().filter(|(_, manifest)| needs(manifest));
    packages.map(|(folder, _)| *folder).collect()
}

/// Returns how the script of a package is run that measures.
fn script(manifest: &Value) -> Option<&'static [&'static str]> {
    let has = |name: &str| manifest["scripts"].get(name).is_some();
    let mut known = RUN_SCRIPT.iter();
    known.find(|(name, _)| has(name)).map(|(_, argv)| *argv)
}

/// Returns whether vitest takes a file for one of benches.
fn is_bench(file: &Path) -> bool {
    let stem = file.file_stem().unwrap_or_default().as_encoded_bytes();
    is_source(file) && STEMS.iter().any(|end| stem.ends_with(end.as_bytes()))
}

fn is_source(file: &Path) -> bool {
    let ending = file.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| LANGUAGES.contains(&ending))
}

/// Returns whether a source measures by tinybench and prints what it measured as a table.
fn prints_table(source: &str) -> bool {
    let names = ["'tinybench'", "\"tinybench\""];
    names.iter().any(|name| source.contains(name)) && source.contains("console.table(")
}

/// Returns what a package is called: in its own words, or else by its folder.
fn name_of(tree: &Tree, package: &Path, manifest: &Value) -> String {
    let named = manifest["name"].as_str().map(str::to_owned);
    let folder = package.file_name().or_else(|| tree.root().file_name());
    named.unwrap_or_else(|| folder.unwrap_or_default().to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn benches_are_known_as_vitest_knows_them() {
        for bench in ["a.bench.ts", "x/a.benchmark.mjs", "bench.bench.tsx"] {
            assert!(is_bench(Path::new(bench)), "{bench}");
        }
        for other in [
            "bench.ts",
            "a.bench",
            "a.bench.rs",
            "a.bench.ts.snap",
            "abench.ts",
        ] {
            assert!(!is_bench(Path::new(other)), "{other}");
        }
    }

    #[test]
    fn a_script_that_prints_no_table_is_none() {
        let import = "import { Bench } from 'tinybench'\n";
        assert!(prints_table(&format!(
            "{import}console.table(bench.table())"
        )));
        assert!(!prints_table(import));
        assert!(!prints_table("console.table(bench.table())"));
        let manifest =
            |scripts: &str| serde_json::from_str(&format!("{{\"scripts\":{scripts}}}")).unwrap();
        assert!(script(&manifest("{\"benchmark\":\"node b.js\"}")).is_some());
        assert!(script(&manifest("{\"test\":\"node b.js\"}")).is_none());
        assert!(script(&Value::Null).is_none());
    }
}
