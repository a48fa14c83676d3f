//! What was written is measured: with scripts in place of the harnesses, which print what those really print.

use super::*;
use crate::checkout::repository as ours;

/// Runs a verb with programs of our own before those of the machine.
fn with_programs(repository: &Repository, programs: &[(&str, &str)], args: &[&str]) -> Ended {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = repository.outside("programs");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, script) in programs {
        let place = folder.join(name);
        std::fs::write(&place, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&place, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let inherited = std::env::var_os("PATH").unwrap();
    let places = std::iter::once(folder).chain(std::env::split_paths(&inherited));
    let mut command = repository.command(args);
    command.env("PATH", std::env::join_paths(places).unwrap());
    Ended::of(command.output().unwrap(), &repository.outside(""))
}

/// Returns a file that pytest-benchmark wrote.
fn report_of_pytest() -> std::path::PathBuf {
    let raw = ours().join("crates/tripline-read/fixtures/pytest_benchmark/raw");
    let raw = std::fs::read_dir(raw).unwrap();
    let raw = raw.map(|entry| entry.unwrap().path());
    let raw = raw.filter(|path| path.extension().is_some_and(|end| end == "json"));
    raw.min().unwrap()
}

#[test]
fn go_and_pytest_are_run_where_they_are_and_what_they_print_is_read() {
    let repository = Repository::for_cargo();
    repository.write("a b/go.mod", "module example.org/kv\n");
    repository.write(
        "a b/x_test.go",
        "package x\nfunc BenchmarkX(b *testing.B) {}\n",
    );
    repository.write("py/pyproject.toml", "[project]\nname = \"py\"\n");
    repository.write("py/test_x.py", "def test_x(benchmark): ...\n");
    init(&repository, &[]).with(0);
    repository.commit();
    let fixtures = ours().join("crates/tripline-read/fixtures");
    let go = format!(
        "[ -f go.mod ] && [ \"$2\" = '-run=^$' ] && cat '{}'",
        fixtures.join("go/counts/out.txt").display()
    );
    let report = "for last; do :; done\n[ -f test_x.py ] && echo talk && cat report.json > \"${last#--benchmark-json=}\"";
    std::fs::copy(report_of_pytest(), repository.at("py/report.json")).unwrap();
    let programs = [("go", &*go), ("python3", report)];
    let ended = with_programs(&repository, &programs, &["measure"]).with(0);
    assert!(!ended.err.contains("talk"), "{}", ended.err);
    for suite in ["kv", "py"] {
        let run = repository.at(&format!("target/tripline/{suite}/run.jsonl"));
        let run = std::fs::read_to_string(run).unwrap();
        assert!(
            run.contains("\"measured\"") && !run.contains("\"failed\""),
            "{run}"
        );
    }
}

/// Where `src` is the package, its modules alone may be called as Python's own are.
#[test]
fn pytest_does_not_look_into_a_package() {
    let repository = Repository::for_cargo();
    repository.write("pyproject.toml", "[project]\nname = \"py\"\n");
    repository.write("src/__init__.py", "");
    repository.write("src/logging.py", "");
    repository.write("tests/test_x.py", "def test_x(benchmark): ...\n");
    init(&repository, &[]).with(0);
    let suite = std::fs::read_to_string(repository.at("bench/py/suite.toml")).unwrap();
    assert!(
        suite.contains("pytest") && !suite.contains("PYTHONPATH"),
        "{suite}"
    );
}

/// A file `__init__.py` that was left there makes no package of it, unless its modules are named by it.
#[test]
fn pytest_looks_into_packages_that_are_not_named_by_the_folder() {
    for (imported, is_looked_into) in [("import pk", true), ("from src.pk import x", false)] {
        let repository = Repository::for_cargo();
        repository.write("pyproject.toml", "[project]\nname = \"py\"\n");
        repository.write("src/__init__.py", "");
        repository.write("src/pk/__init__.py", "");
        let test = format!("{imported}\ndef test_x(benchmark): ...\n");
        repository.write("tests/test_x.py", &test);
        init(&repository, &[]).with(0);
        let suite = std::fs::read_to_string(repository.at("bench/py/suite.toml")).unwrap();
        assert_eq!(suite.contains("PYTHONPATH"), is_looked_into, "{suite}");
    }
}

/// What is installed is the same for base and head: a doubling must not hide behind it.
#[test]
fn pytest_measures_what_lies_in_src() {
    let repository = Repository::for_cargo();
    repository.write("pyproject.toml", "[project]\nname = \"py\"\n");
    repository.write("src/kv/__init__.py", "");
    repository.write("tests/test_x.py", "def test_x(benchmark): ...\n");
    init(&repository, &[]).with(0);
    repository.commit();
    std::fs::copy(report_of_pytest(), repository.at("report.json")).unwrap();
    // The stand-in asks the Python that it stands before.
    let finds = "for last; do :; done\nPATH=${PATH#*:} python3 -B -c 'import kv' && cat report.json > \"${last#--benchmark-json=}\"";
    with_programs(&repository, &[("python3", finds)], &["measure"]).with(0);
}

#[test]
fn where_npm_has_no_lock_file_its_help_does_not_hide_that() {
    let repository = Repository::for_cargo();
    repository.write(
        "package.json",
        "{\"name\": \"kv\", \"devDependencies\": {\"tinybench\": \"^4\"}, \"scripts\": {\"bench\": \"node b.js\"}}",
    );
    repository.write(
        "b.js",
        "import { Bench } from 'tinybench'\nconsole.table(bench.table())\n",
    );
    init(&repository, &[]).with(0);
    repository.commit();
    let help = "echo 'npm error needs a package-lock.json' >&2; seq 1 100 >&2; exit 1";
    let programs = [("node", "exit 1"), ("npm", help)];
    with_programs(&repository, &programs, &["measure"]).with(11);
    let run = std::fs::read_to_string(repository.at("target/tripline/kv/run.jsonl")).unwrap();
    let line = "npm ci failed: is a package-lock.json committed?";
    assert!(run.contains(line), "{run}");
}

#[test]
fn a_bench_is_built_and_run_in_the_folder_of_its_package() {
    let repository = Repository::for_cargo();
    repository.write(
        "Cargo.toml",
        "[workspace]\nresolver = \"3\"\nmembers = [\"crates/*\"]\n",
    );
    repository.write(".gitignore", "/target\n");
    // The other package has a bench of the same name, which must not be the one.
    for name in ["kv", "other"] {
        let folder = format!("crates/{name}");
        repository.write(
            &format!("{folder}/Cargo.toml"),
            &package(name, &["prints"], ""),
        );
        repository.write(&format!("{folder}/src/lib.rs"), "");
        let print =
            "fn main() { print!(\"{}\", std::fs::read_to_string(\"NAME.jsonl\").unwrap()); }"
                .replace("NAME", name);
        repository.write(&format!("{folder}/benches/prints.rs"), &print);
    }
    let suite = "about = \"x\"\nfolder = \"crates/kv\"\n[[step]]\nname = \"counts\"\nharness = \"run-file\"\nbench = \"prints\"\n";
    repository.write("bench/kv/suite.toml", suite);
    repository.write(
        "crates/kv/kv.jsonl",
        &crate::project::run_file(&[("get", 1_000)]),
    );
    repository.tripline(&["measure"]).with(0);
    repository.git(&["add", "--all"]);
    repository.commit();
    // A session runs each side in its own tree.
    repository.write(
        "crates/kv/kv.jsonl",
        &crate::project::run_file(&[("get", 1_100)]),
    );
    let ended = repository
        .tripline(&["check", "--against", "HEAD", "--pairs", "2"])
        .with(10);
    assert!(
        ended.out.contains("1,000") && ended.out.contains("1,100"),
        "{}",
        ended.out
    );
}

#[test]
fn a_suite_about_a_folder_that_is_gone_says_so() {
    let repository = Repository::for_cargo();
    let suite = "about = \"x\"\nfolder = \"crates/gone\"\n[[step]]\nname = \"a\"\nharness = \"run-file\"\ncommand = [\"true\"]\n";
    repository.write("bench/kv/suite.toml", suite);
    let ended = repository.tripline(&["plan"]).with(4);
    insta::assert_snapshot!(ended.err, @r"
    error: nothing was measured: `[PROJECT]/project/bench/kv/suite.toml` is about `[PROJECT]/project/crates/gone`, and that is no folder
      hint: bring the folder back, or let `folder` name another one
    ");
}
