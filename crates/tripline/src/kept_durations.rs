//! `baselines/durations.tsv`: how long steps take, in whole seconds, for machines that have no note of their own yet.
//!
//! The note under `target/` changes with every measurement; this file is committed, so a line changes only where a step
//! is new or takes quite another time, and garbage in it is an error. Tested below, and by `tests/it/plan`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use tripline_model::SuiteName;

use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::files::{self, Output};
use crate::measure::Durations;
use crate::project::Project;
use crate::suite::{StepPath, Suite};

/// The longest a step may be said to take: a larger number is a slip.
const SECONDS_MAX: u64 = 7 * 24 * 60 * 60;

/// The share by which a duration must move to be written anew.
const MOVED: f64 = 0.5;

/// The seconds by which it must move: a step of a second takes two now and then.
const MOVED_SECONDS: u64 = 1;

/// Seconds by the name under which a step runs: its path, and behind it the sides that it runs for.
type Seconds = BTreeMap<String, u64>;

/// Returns the place of the file.
pub(crate) fn place_of(project: &Project) -> PathBuf {
    project.root().join("baselines").join("durations.tsv")
}

/// Loads what is kept; nothing where there is no file.
pub(crate) fn load(project: &Project) -> Outcome<Seconds> {
    let place = place_of(project);
    match place.symlink_metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Seconds::new()),
        _ => {}
    }
    let bytes = files::read(&place)?;
    parse(&bytes).map_err(|(line, problem)| {
        let what = format!("the durations in `{}` were not used", place.display());
        CommandError::new(Exit::BadInput, what)
            .because(format!("{problem} at line {line}"))
            .hint("restore the file from git, or remove it and run `tripline baseline update`")
    })
}

/// Keeps how long the steps of some suites took here. Steps that are no more are dropped. Returns whether the file
/// changed.
pub(crate) fn update(project: &Project, suites: &[Suite]) -> Outcome<bool> {
    let noted = Durations::load(&project.output(), Vec::new());
    let before = load(project)?;
    let all = project.suites_on_demand_too(&[])?;
    let mut kept = before.clone();
    kept.retain(|name, _| is_of(name, &all));
    for (name, took) in noted.all().filter(|(name, _)| is_of(name, suites)) {
        let seconds = took.as_secs_f64().ceil().max(1.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "seconds of a step are few, and at least one"
        )]
        let seconds = (seconds as u64).min(SECONDS_MAX);
        let known = kept.get(name).copied();
        if known.is_none_or(|known| has_moved(known, seconds)) {
            kept.insert(name.to_owned(), seconds);
        }
    }
    if kept == before {
        return Ok(false);
    }
    Output::open(&place_of(project))?.complete(&written(&kept))?;
    Ok(true)
}

fn has_moved(known: u64, seconds: u64) -> bool {
    let by = known.abs_diff(seconds);
    by > MOVED_SECONDS && by as f64 > MOVED * known as f64
}

/// Returns whether one of the suites has the step of a name.
fn is_of(name: &str, suites: &[Suite]) -> bool {
    path_of(name).is_some_and(|path| {
        let suite = suites
            .iter()
            .find(|suite: &&Suite| suite.name == path.suite);
        suite.is_some_and(|suite| suite.steps.iter().any(|step| step.name == path.step))
    })
}

/// Returns the step of a name: `store/counts (base)` is the name of `store/counts` on one side.
fn path_of(name: &str) -> Option<StepPath> {
    let path = match name.split_once(' ') {
        None => name,
        Some((path, sides)) => {
            let sides = sides.strip_prefix('(')?.strip_suffix(')')?;
            let are_names = sides.split(", ").all(|side| SuiteName::new(side).is_ok());
            are_names.then_some(path)?
        }
    };
    path.parse().ok()
}

fn written(seconds: &Seconds) -> String {
    let mut text = String::new();
    for (name, seconds) in seconds {
        let _ = writeln!(text, "{name}\t{seconds}");
    }
    text
}

/// Reads the file, or returns the first line that is wrong and why.
fn parse(bytes: &[u8]) -> Result<Seconds, (usize, String)> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        (line, "the file is not UTF-8".to_owned())
    })?;
    let mut all = Seconds::new();
    for (at, line) in text.lines().enumerate() {
        let wrong = |problem: String| (at + 1, problem);
        let form = "expected `SUITE/STEP`, a tab, and whole seconds";
        let (name, seconds) = line
            .split_once('\t')
            .ok_or_else(|| wrong(form.to_owned()))?;
        if path_of(name).is_none() {
            return Err(wrong(format!("`{name}` is no step: {form}")));
        }
        let seconds = seconds
            .parse()
            .ok()
            .filter(|seconds| (1..=SECONDS_MAX).contains(seconds))
            .ok_or_else(|| {
                wrong(format!(
                    "`{seconds}` is no whole number from 1 to {SECONDS_MAX}"
                ))
            })?;
        if all.insert(name.to_owned(), seconds).is_some() {
            return Err(wrong(format!("`{name}` stands twice")));
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let lines = "a/counts\t3\na/counts (base)\t4\na/times (base, head)\t604800\n";
        assert_eq!(written(&parse(lines.as_bytes()).unwrap()), lines);
        assert!(parse(b"").unwrap().is_empty());
    }

    #[test]
    fn garbage_is_an_error_with_its_line() {
        let problem = |line: &str| {
            let (at, problem) = parse(format!("a/b\t1\n{line}\n").as_bytes()).expect_err(line);
            format!("{problem} at line {at}")
        };
        insta::assert_snapshot!(problem("x"), @"expected `SUITE/STEP`, a tab, and whole seconds at line 2");
        insta::assert_snapshot!(problem(""), @"expected `SUITE/STEP`, a tab, and whole seconds at line 2");
        insta::assert_snapshot!(problem("<<<<<<< HEAD"), @"expected `SUITE/STEP`, a tab, and whole seconds at line 2");
        insta::assert_snapshot!(problem("a\t1"), @"`a` is no step: expected `SUITE/STEP`, a tab, and whole seconds at line 2");
        insta::assert_snapshot!(problem("a/c (\t1"), @"`a/c (` is no step: expected `SUITE/STEP`, a tab, and whole seconds at line 2");
        insta::assert_snapshot!(problem("a/c\t0"), @"`0` is no whole number from 1 to 604800 at line 2");
        insta::assert_snapshot!(problem("a/c\t1.5"), @"`1.5` is no whole number from 1 to 604800 at line 2");
        insta::assert_snapshot!(problem("a/c\t-1"), @"`-1` is no whole number from 1 to 604800 at line 2");
        insta::assert_snapshot!(problem("a/c\t604801"), @"`604801` is no whole number from 1 to 604800 at line 2");
        insta::assert_snapshot!(problem("a/b\t1"), @"`a/b` stands twice at line 2");
        assert_eq!(parse(b"a/b\t1\n\xff\n").expect_err("no UTF-8").0, 2);
    }

    #[test]
    fn only_what_moved_a_lot_is_written_anew() {
        for (known, seconds) in [(10, 15), (10, 5), (1, 2), (2, 1), (100, 149)] {
            assert!(!has_moved(known, seconds), "{known} to {seconds}");
        }
        for (known, seconds) in [(10, 16), (10, 4), (1, 3), (100, 151)] {
            assert!(has_moved(known, seconds), "{known} to {seconds}");
        }
    }
}
