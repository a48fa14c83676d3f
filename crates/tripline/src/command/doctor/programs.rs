//! The programs that are started: git always, the others where a suite needs them.

use std::path::Path;
use std::process::{Command, Stdio};

use super::finding::Finding;
use crate::project::Project;
use crate::suite::{Step, Suite, Task, Tool};

pub(super) fn look(project: &Project, suites: &[Suite]) -> Vec<Finding> {
    let mut findings = vec![program("git", "--version", "install git")];
    let steps = || suites.iter().flat_map(|suite| &suite.steps);
    if steps().any(|step| matches!(step.task, Task::Bench(_))) {
        findings.push(toolchain(project.root()));
    }
    if uses(suites, "cargo-criterion") {
        findings.push(program(
            "cargo-criterion",
            "--version",
            "run `cargo install --locked cargo-criterion@1.1.0`",
        ));
    }
    let mut known: Vec<&str> = Vec::new();
    for suite in suites {
        for step in &suite.steps {
            let needed = step.harness.tool().and_then(Tool::program);
            // Where perf is not, its counters are missing, which is said and no failure.
            if let Some(name) = needed.filter(|name| *name != "perf" && !known.contains(name)) {
                known.push(name);
                findings.extend(missing(name, suite));
            }
            for name in started(step) {
                if !known.contains(&name) {
                    known.push(name);
                    findings.extend(missing(name, suite));
                }
            }
        }
    }
    findings.extend(plugin_of_pytest(suites));
    findings
}

/// What the steps that `init` writes start from a shell.
const FROM_SHELL: &[(&str, &[&str])] = &[
    (PYTEST, &["python3"]),
    ("tinybench", &["node", "npm"]),
    ("vitest", &["node", "npm", "npx"]),
];

const PYTEST: &str = "pytest-benchmark";

/// Returns what a step starts, as far as can be told.
fn started(step: &Step) -> Vec<&str> {
    let Task::Command { argv, .. } = &step.task else {
        return Vec::new();
    };
    let of_harness = |(harness, _): &&(&str, _)| *harness == step.harness.name();
    let from_shell = FROM_SHELL.iter().find(of_harness);
    let from_shell = from_shell.map_or(&[][..], |(_, names)| names);
    // What another program starts, uv or docker say, may lie where this one does not look.
    let is_shell = argv.first().is_some_and(|program| program == "sh");
    let texts = argv.iter().skip(1).filter(|_| is_shell);
    let words = texts.flat_map(|text| text.split_whitespace());
    let from_shell = words.filter(|word| from_shell.contains(word));
    argv.first()
        .map(String::as_str)
        .into_iter()
        .chain(from_shell)
        .collect()
}

/// Says that the plugin is missing without which pytest measures nothing. What another Python than `python3` finds is not
/// known, nor what this one does where the step sets its surroundings up first.
fn plugin_of_pytest(suites: &[Suite]) -> Option<Finding> {
    let needs = |step: &Step| step.harness.name() == PYTEST && started(step).contains(&"python3");
    let suite = suites.iter().find(|suite| suite.steps.iter().any(needs))?;
    let is_there = || said("python3", &["-c", "import pytest_benchmark"], &suite.folder).is_some();
    if missing("python3", suite).is_some() || is_there() {
        return None;
    }
    let what = format!(
        "`python3` finds no `pytest_benchmark`, which a step of `{}` needs",
        suite.name
    );
    let fix = "run `python3 -m pip install pytest-benchmark`, or put the `python3` that has it first on PATH";
    Some(Finding::note(what, fix))
}

/// Returns whether a suite names a harness.
pub(super) fn uses(suites: &[Suite], harness: &str) -> bool {
    let mut steps = suites.iter().flat_map(|suite| &suite.steps);
    steps.any(|step| step.harness.name() == harness)
}

/// Returns the first line of what a program says.
fn said(program: &str, arguments: &[&str], folder: &Path) -> Option<String> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null());
    let output = command.output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.success()).then(|| text.lines().next().unwrap_or_default().to_owned())
}

/// Says which version of a program there is.
pub(super) fn program(name: &str, argument: &str, fix: &str) -> Finding {
    match said(name, &[argument], Path::new(".")) {
        Some(version) => Finding::good(version),
        None => Finding::bad(format!("`{name}` is missing"), fix),
    }
}

/// rustup decides by the folder which toolchain answers.
fn toolchain(root: &Path) -> Finding {
    match said("rustc", &["--version"], root) {
        Some(version) => Finding::good(version),
        None => Finding::bad(
            "no Rust toolchain answers in the project's folder",
            "install one with rustup (https://rustup.rs), or run `rustup toolchain install` in that folder",
        ),
    }
}

/// Says that what a step starts is nowhere to be found. It is looked for and not started: what it does is not known.
fn missing(name: &str, suite: &Suite) -> Option<Finding> {
    let is_there = if name.contains('/') {
        suite.folder.join(name).is_file()
    } else {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
    };
    (!is_there).then(|| {
        Finding::bad(
            format!(
                "`{name}`, which a step of `{}` starts, is missing",
                suite.name
            ),
            format!("install `{name}` and put it on PATH"),
        )
    })
}
