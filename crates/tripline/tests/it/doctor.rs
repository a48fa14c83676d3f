//! `tripline doctor` where something is missing, one thing at a time.

mod clone;
mod hub;

use std::path::Path;

use crate::project::{Ended, Project};

/// A suite that counts.
const COUNTS: &str =
    "about = \"x\"\n[[step]]\nname = \"counts\"\nharness = \"iai-callgrind\"\nbench = \"counts\"\n";

/// Runs the doctor with these programs alone, each a shell script, and what a shell itself needs.
fn with_programs(project: &Project, programs: &[(&str, &str)], linked: &[&str]) -> Ended {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    for (name, script) in programs {
        let place = folder.path().join(name);
        std::fs::write(&place, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&place, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    for name in linked {
        let there = std::env::split_paths(&std::env::var_os("PATH").unwrap())
            .map(|place| place.join(name))
            .find(|place| place.is_file());
        std::os::unix::fs::symlink(there.expect(name), folder.path().join(name)).unwrap();
    }
    let mut command = project.command(&["doctor"]);
    command.env("PATH", folder.path());
    Ended::of(command.output().unwrap(), project.path())
}

/// Checks that something was found, and returns the line below it.
#[track_caller]
fn found<'a>(ended: &'a Ended, line: &str) -> &'a str {
    let mut lines = ended.out.lines();
    assert!(
        lines.any(|one| one == line),
        "`{line}` is not said in\n{}",
        ended.out
    );
    lines.next().unwrap_or_default().trim()
}

#[test]
fn where_all_is_there_nothing_is_bad() {
    let project = Project::with_suite();
    let ended = project.tripline(&["doctor"]).with(0);
    assert!(!ended.out.contains("bad "), "{}", ended.out);
    assert!(ended.out.starts_with("good  git version"), "{}", ended.out);
    let canary = "note  no suite has a `[canary]`, so that nobody knows whether the gate is awake";
    assert!(found(&ended, canary).contains("slowdown"), "{}", ended.out);
    // What no suite needs is not asked for.
    for word in ["valgrind", "rustc", "cargo-criterion"] {
        assert!(!ended.out.contains(word), "{}", ended.out);
    }
    // How steady the machine is depends on the machine; that it was looked at does not.
    assert!(
        ended.out.contains("turns of the same work differs by"),
        "{}",
        ended.out
    );
}

#[test]
fn where_nothing_is_there_each_thing_is_named_with_what_mends_it() {
    let project = Project::with_suite();
    project.write("bench/count/suite.toml", COUNTS);
    project.write(
        "bench/old/suite.toml",
        &COUNTS.replace("iai-callgrind", "cargo-criterion"),
    );
    let ended = with_programs(&project, &[], &[]).with(11);
    for (what, fix) in [
        ("bad   `git` is missing", "-> install git"),
        (
            "bad   no Rust toolchain answers in the project's folder",
            "-> install one with rustup",
        ),
        (
            "bad   `cargo-criterion` is missing",
            "-> run `cargo install --locked cargo-criterion@",
        ),
        (
            "bad   `cat`, which a step of `kv` starts, is missing",
            "-> install `cat`",
        ),
        ("bad   `valgrind` is missing", "-> install valgrind"),
        (
            "bad   no `iai-callgrind` stands in a Cargo.lock",
            "-> add `iai-callgrind`",
        ),
        (
            "note  address randomization cannot be switched off here, so that some counts differ from run to run",
            "install `setarch`",
        ),
    ] {
        let said = found(&ended, what);
        assert!(said.starts_with(fix), "{said}");
    }
}

#[test]
fn what_a_shell_starts_for_python_and_node_is_looked_for() {
    let project = Project::new();
    let suite = |harness: &str, command: &str| {
        format!(
            "about = \"x\"\n[[step]]\nname = \"a\"\nharness = \"{harness}\"\ncommand = [\"sh\", \"-c\", \"{command}\"]\n"
        )
    };
    project.write(
        "bench/py/suite.toml",
        &suite("pytest-benchmark", "exec python3 -m pytest"),
    );
    project.write(
        "bench/js/suite.toml",
        &suite("vitest", "set -e; npm ci; npx vitest bench"),
    );
    let ended = with_programs(&project, &[], &["git", "sh"]).with(11);
    for name in ["python3", "npm", "npx"] {
        let suite = if name == "python3" { "py" } else { "js" };
        let what = format!("bad   `{name}`, which a step of `{suite}` starts, is missing");
        found(&ended, &what);
    }
    assert!(!ended.out.contains("pytest_benchmark"), "{}", ended.out);
    let others = [("npm", "exit 0"), ("npx", "exit 0")];
    let with = |python: &str| {
        let programs = [&others[..], &[("python3", python)]].concat();
        with_programs(&project, &programs, &["git", "sh"])
    };
    let fix = "run `python3 -m pip install pytest-benchmark`";
    let what = "note  `python3` finds no `pytest_benchmark`, which a step of `py` needs";
    let ended = with("exit 1").with(0);
    assert!(found(&ended, what).starts_with(fix), "{}", ended.out);
    let ended = with("[ \"$*\" = '-c import pytest_benchmark' ]").with(0);
    assert!(!ended.out.contains("pytest_benchmark"), "{}", ended.out);
    // What another program starts may lie where only that one looks.
    let of_uv = suite("pytest-benchmark", "")
        .replace("[\"sh\", \"-c\", \"\"]", "[\"uv\", \"run\", \"python3\"]");
    project.write("bench/py/suite.toml", &of_uv);
    let programs = [&others[..], &[("uv", "exit 0")]].concat();
    let ended = with_programs(&project, &programs, &["git", "sh"]).with(0);
    assert!(!ended.out.contains("python3"), "{}", ended.out);
}

#[test]
fn the_runner_must_fit_the_library_of_the_package_that_is_measured() {
    let project = Project::new();
    project.write(
        "bench/count/suite.toml",
        &COUNTS.replace("[[step]]", "folder = \"crates/kv\"\n[[step]]"),
    );
    project.write(
        "Cargo.lock",
        "[[package]]\nname = \"iai-callgrind\"\nversion = \"0.1.2\"\n",
    );
    project.write("crates/kv/src/lib.rs", "");
    let runner = "echo 'iai-callgrind-runner (0.16.1)' >&2; exit 1";
    let programs = [
        ("iai-callgrind-runner", runner),
        ("valgrind", "echo valgrind-3.19.0"),
        ("rustc", "echo rustc 1.95.0"),
        ("setarch", "exit 0"),
    ];
    let ended = with_programs(&project, &programs, &["git"]).with(11);
    let fix = found(
        &ended,
        "bad   iai-callgrind-runner 0.16.1 does not fit iai-callgrind 0.1.2",
    );
    assert_eq!(
        fix,
        "-> run `cargo install --locked iai-callgrind-runner@0.1.2`"
    );
    // The package's own workspace is nearer.
    project.write(
        "crates/kv/Cargo.lock",
        "[[package]]\nname = \"iai-callgrind\"\nversion = \"0.16.1\"\n",
    );
    let ended = with_programs(&project, &programs, &["git"]).with(0);
    found(&ended, "good  iai-callgrind-runner 0.16.1");
    found(
        &ended,
        "good  addresses stay the same from run to run (`setarch -R` works)",
    );
    let ended = with_programs(&project, &programs[1..], &["git"]).with(11);
    found(&ended, "bad   `iai-callgrind-runner` is missing");
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let project = Project::with_suite();
    let mut command = project.command(&["doctor"]);
    command.env("CARGO_TARGET_DIR", "/dev/null/target");
    let ended = Ended::of(command.output().unwrap(), Path::new("/nowhere")).with(11);
    assert!(
        ended
            .out
            .contains("bad   `/dev/null/target/tripline` cannot be written"),
        "{}",
        ended.out
    );
}

#[test]
fn outside_of_a_repository_that_is_said() {
    let project = Project::with_suite();
    let mut command = project.command(&["doctor"]);
    command.env("GIT_CEILING_DIRECTORIES", project.path().parent().unwrap());
    let ended = Ended::of(command.output().unwrap(), project.path()).with(0);
    assert!(
        ended
            .out
            .contains("note  the project is in no git repository"),
        "{}",
        ended.out
    );
}
