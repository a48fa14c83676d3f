//! `tripline doctor`: says what is missing on this machine for the suites there are, and how to get it.

use std::path::Path;
use std::process::{Command, Stdio};

use tripline_model::{FactDifference, Nature};

use crate::baselines;
use crate::cli::{Shared, Suites};
use crate::error::Outcome;
use crate::exit::Exit;
use crate::measure;
use crate::project::Project;
use crate::suite::Suite;
use crate::talk;

/// What was found about one thing.
enum State {
    /// It is as it should be.
    Good(String),
    /// It works, and something about it should be known.
    Note(String, String),
    /// It is missing or does not fit: what is the matter, and what mends it.
    Bad(String, String),
}

impl State {
    fn lines(&self) -> String {
        match self {
            Self::Good(what) => format!("good  {what}\n"),
            Self::Note(what, more) => format!("note  {what}\n      {more}\n"),
            Self::Bad(what, fix) => format!("bad   {what}\n      -> {fix}\n"),
        }
    }
}

pub(super) fn run(shared: &Shared, args: &Suites) -> Outcome<Exit> {
    let project = super::project(shared)?;
    let suites = project.suites(&args.suites)?;
    let mut findings = vec![
        program("git", "--version", "install git"),
        toolchain(project.root()),
    ];
    let counters = ["iai-callgrind", "gungraun"]
        .into_iter()
        .filter(|counter| uses(&suites, counter));
    let runners: Vec<State> = counters
        .map(|counter| runner(project.root(), counter))
        .collect();
    if !runners.is_empty() {
        findings.push(program(
            "valgrind",
            "--version",
            "install valgrind, or run `tools/setup`",
        ));
        findings.extend(runners);
    }
    if uses(&suites, "cargo-criterion") {
        findings.push(program(
            "cargo-criterion",
            "--version",
            "run `cargo install --locked cargo-criterion@1.1.0`",
        ));
    }
    findings.push(output_folder(&project));
    for suite in &suites {
        findings.push(baseline(&project, suite)?);
    }
    let lines: Vec<String> = findings.iter().map(State::lines).collect();
    talk::data(&lines.concat())?;
    let any_bad = findings
        .iter()
        .any(|finding| matches!(finding, State::Bad(..)));
    Ok(if any_bad { Exit::Broken } else { Exit::Pass })
}

fn uses(suites: &[Suite], harness: &str) -> bool {
    suites.iter().any(|suite| {
        suite
            .steps
            .iter()
            .any(|step| step.harness.name() == harness)
    })
}

fn said(program: &str, argument: &str, folder: &Path) -> Option<String> {
    let mut command = Command::new(program);
    let output = command
        .arg(argument)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.success()).then(|| text.lines().next().unwrap_or_default().to_owned())
}

fn program(name: &str, argument: &str, fix: &str) -> State {
    match said(name, argument, Path::new(".")) {
        Some(version) => State::Good(version),
        None => State::Bad(format!("`{name}` is missing"), fix.to_owned()),
    }
}

fn toolchain(root: &Path) -> State {
    match said("rustc", "--version", root) {
        Some(version) => State::Good(version),
        None => State::Bad(
            "the pinned Rust toolchain does not answer".to_owned(),
            "run `rustup toolchain install` in the project's folder".to_owned(),
        ),
    }
}

/// The runner must have the very version of the library that the benches were built with.
fn runner(root: &Path, library: &str) -> State {
    let name = format!("{library}-runner");
    let Some(wanted) = locked_version(root, library) else {
        return State::Bad(
            format!("no `{library}` stands in Cargo.lock"),
            format!("add `{library}` to the bench package's dev-dependencies"),
        );
    };
    let fix = format!("run `tools/setup`, or `cargo install --locked {name}@{wanted}`");
    match measure::runner_version(&name, root) {
        None => State::Bad(format!("`{name}` is missing"), fix),
        Some(version) if version == wanted => State::Good(format!("{name} {version}")),
        Some(version) => State::Bad(
            format!("{name} {version} does not fit {library} {wanted}"),
            fix,
        ),
    }
}

fn locked_version(root: &Path, package: &str) -> Option<String> {
    let text = std::fs::read_to_string(root.join("Cargo.lock")).ok()?;
    let lock: toml::Table = text.parse().ok()?;
    let packages = lock.get("package")?.as_array()?;
    let found = packages
        .iter()
        .find(|entry| entry.get("name").and_then(toml::Value::as_str) == Some(package))?;
    Some(found.get("version")?.as_str()?.to_owned())
}

fn output_folder(project: &Project) -> State {
    let place = project.output();
    let writable = std::fs::create_dir_all(&place).and_then(|()| tempfile::tempfile_in(&place));
    match writable {
        Ok(_) => State::Good(format!("`{}` can be written", place.display())),
        Err(error) => State::Bad(
            format!("`{}` cannot be written: {error}", place.display()),
            "make it writable, or set CARGO_TARGET_DIR".to_owned(),
        ),
    }
}

/// The fact that is seen only while benches are built, which is too long a wait for a look at the machine.
const KNOWN_ONCE_BUILT: &str = "built_with";

/// Says whether counts taken here can be compared with what is kept.
fn baseline(project: &Project, suite: &Suite) -> Outcome<State> {
    let name = &suite.name;
    let environment = measure::detect(project.root(), Some(suite))?;
    let here = baselines::place_of(project, name, &environment.name);
    if !here.exists() {
        let there = baselines::of_suite(project, name)?.len();
        return Ok(State::Note(
            format!(
                "{name}: no baseline for `{}` ({there} for other environments)",
                environment.name
            ),
            "`tripline measure` and `tripline baseline update` keep one".to_owned(),
        ));
    }
    let base = baselines::load_run(&here)?;
    let differences = base
        .environment
        .differences_that_matter(&environment, Nature::Exact);
    let differences: Vec<FactDifference> = differences
        .into_iter()
        .filter(|difference| difference.fact.as_str() != KNOWN_ONCE_BUILT)
        .collect();
    if differences.is_empty() {
        return Ok(State::Good(format!(
            "{name}: the baseline's environment is this one"
        )));
    }
    let text = tripline_model::Caveat::EnvironmentDiffers(differences).text();
    Ok(State::Note(
        format!("{name}: counts here cannot be compared with the baseline"),
        text,
    ))
}
