//! Python projects whose tests use the fixture of pytest-benchmark.
//!
//! Tested below and by `tests/it/init`.

use std::collections::BTreeSet;
use std::path::Path;

use super::source::around_each;
use super::{Found, Step, Work, nearest};
use crate::command::init::tree::{Tree, folder_of};

pub(super) const HARNESS: &str = "pytest-benchmark";

/// The results go to stdout, and what pytest says to stderr: nothing is left in the work tree.
const COMMAND: &[&str] = &[
    "sh",
    "-c",
    "exec python3 -m pytest --benchmark-only --benchmark-max-time=0.2 --benchmark-json=/dev/fd/3 3>&1 >&2",
];

/// Where a package lies in `src`, an installed one would be found, and it is the same for base and head.
const COMMAND_SRC: &[&str] = &[
    "sh",
    "-c",
    "PYTHONPATH=\"src${PYTHONPATH:+:$PYTHONPATH}\" exec python3 -m pytest --benchmark-only --benchmark-max-time=0.2 --benchmark-json=/dev/fd/3 3>&1 >&2",
];

const ABOUT_COMMAND: &str = "The results go to stdout and what pytest says to stderr, so that nothing is left in the work tree.";

const ABOUT_SRC: &str = "What lies in `src` is measured, not what is installed, which is the same for base and head. The results go to stdout and what pytest says to stderr.";

/// What marks the folder of a project, in which pytest is run.
const MARKS: &[&str] = &[
    "pyproject.toml",
    "pytest.ini",
    "tox.ini",
    "setup.cfg",
    "setup.py",
];

pub(super) fn look(tree: &Tree, found: &mut Found) {
    let marks = MARKS.iter().flat_map(|mark| tree.named(mark));
    let mut projects: Vec<&Path> = marks.map(folder_of).collect();
    projects.push(Path::new(""));
    let mut with_benches: BTreeSet<&Path> = BTreeSet::new();
    for file in tree.files().filter(|file| is_test(file)) {
        if !uses_fixture(&tree.read(file).unwrap_or_default()) {
            continue;
        }
        with_benches.extend(nearest(file, &projects));
    }
    let needs = |plugin: &str| {
        tree.files()
            .any(|file| is_list(file) && names(tree, file, plugin))
    };
    let (ours, codspeeds) = (needs("pytest-benchmark"), needs("pytest-codspeed"));
    if with_benches.is_empty() && ours {
        found.notes.push(
            "pytest-benchmark is required, and no test was seen that uses its fixture `benchmark`"
                .to_owned(),
        );
    }
    for project in with_benches {
        if codspeeds && !ours {
            found.leave(
                project,
                "tests of pytest-codspeed, which cannot be read yet",
            );
            continue;
        }
        let work = if has_src(tree, project) {
            Work::Command(COMMAND_SRC, ABOUT_SRC)
        } else {
            Work::Command(COMMAND, ABOUT_COMMAND)
        };
        let step = Step {
            name: "pytest".to_owned(),
            harness: HARNESS,
            work,
        };
        found.take(name_of(tree, project), project, vec![step]);
    }
}

/// Returns whether modules lie in a project's folder `src`, where Python does not look by itself. Where that is a package, its
/// modules are named by it, and alone they might have the names of Python's own; a mere file `__init__.py` beside packages that
/// are named without it makes it none.
fn has_src(tree: &Tree, project: &Path) -> bool {
    let src = project.join("src");
    let package = src.join("__init__.py");
    let modules = || {
        let is_module = |file: &Path| file.extension().is_some_and(|end| end == "py");
        tree.files()
            .filter(move |file| is_module(file) && file.starts_with(project))
    };
    let mut inside = modules().filter(|file| file.starts_with(&src));
    if !modules().any(|file| *file == package) {
        return inside.next().is_some();
    }
    let holds_packages = inside.any(|file| file.ends_with("__init__.py") && *file != package);
    let are_named_by_it =
        || modules().any(|file| imports_src(&tree.read(file).unwrap_or_default()));
    holds_packages && !are_named_by_it()
}

/// Returns whether a module imports what is called `src`.
fn imports_src(source: &str) -> bool {
    source.lines().any(|line| {
        let mut words = line.split_whitespace();
        let is_import = matches!(words.next(), Some("import" | "from"));
        let name = words.next().and_then(|name| name.split(['.', ',']).next());
        is_import && name == Some("src")
    })
}

/// Returns whether pytest collects a file.
fn is_test(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().as_encoded_bytes();
    name.ends_with(b".py") && (name.starts_with(b"test_") || name.ends_with(b"_test.py"))
}

/// Returns whether a file lists what a project requires.
fn is_list(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    MARKS.contains(&&*name) || name.contains("requirements") && name.ends_with(".txt")
}

/// Returns whether a list names a package, which may be written with a hyphen or an underscore.
fn names(tree: &Tree, list: &Path, package: &str) -> bool {
    let text = tree.read(list).unwrap_or_default().to_lowercase();
    text.replace('_', "-").contains(package)
}

/// Returns whether a test takes the fixture `benchmark`.
fn uses_fixture(source: &str) -> bool {
    let lines = source.lines();
    let code: Vec<&str> = lines
        .map(|line| line.split('#').next().unwrap_or_default())
        .collect();
    let code = code.join("\n");
    around_each(&code, "def").any(|(_, rest)| {
        let rest = rest.trim_start();
        let parameters = rest.split_once('(').and_then(|(name, rest)| {
            let is_test = name.starts_with("test") && !name.contains(char::is_whitespace);
            is_test.then_some(rest.split(')').next()?)
        });
        let name = |parameter: &str| {
            let name = parameter.split([':', '=']).next().unwrap_or_default();
            name.trim().to_owned()
        };
        parameters.is_some_and(|all| all.split(',').any(|one| name(one) == "benchmark"))
    })
}

/// Returns what a project is called: in its own words, or else by its folder.
fn name_of(tree: &Tree, project: &Path) -> String {
    let text = tree
        .read(&project.join("pyproject.toml"))
        .unwrap_or_default();
    let table: toml::Table = text.parse().unwrap_or_default();
    let named = table.get("project").and_then(|project| project.get("name"));
    let named = named.and_then(toml::Value::as_str).map(str::to_owned);
    let folder = project.file_name().or_else(|| tree.root().file_name());
    named.unwrap_or_else(|| folder.unwrap_or_default().to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_takes_the_fixture_by_name() {
        for source in [
            "def test_get(benchmark):\n    benchmark(get)\n",
            "class TestKv:\n    def test_get(self, benchmark):\n        pass\n",
            "def test_get(\n    store: Store,  # a comment\n    benchmark: BenchmarkFixture,\n):\n",
            "async def test_get(size=1, benchmark=None): ...",
        ] {
            assert!(uses_fixture(source), "{source}");
        }
        for source in [
            "def test_get(benchmarks): ...",
            "def get(benchmark): ...",
            "# def test_get(benchmark):\n",
            "def test_get(size): benchmark(get)",
            "def test_get",
            "def test_get(",
            "def",
        ] {
            assert!(!uses_fixture(source), "{source}");
        }
    }
}
