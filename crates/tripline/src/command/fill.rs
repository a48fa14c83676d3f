//! `tripline fill`: fills the blanks of a page with what a run measured.
//!
//! So a page of tables is written once, in the words and columns that suit it, and its numbers never by hand. Tested by
//! `tests/it/fill`.

use std::fmt::Write as _;

use tripline_judge::Expression;
use tripline_model::{FactValue, Run};
use tripline_render::{fact, figure};

use crate::baselines;
use crate::cli::Fill;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::files::{self, Output};

/// What begins and ends a blank. The end has its space, because an expression may end with a brace of its own.
const BEGIN: &str = "{{";
const END: &str = " }}";

const NOT_DONE: &str = "the page was not written";

pub(super) fn run(args: &Fill) -> Outcome<Exit> {
    let output = Output::open(&args.out)?;
    let bytes = files::read(&args.page)?;
    let place = |line: usize| format!("{NOT_DONE}: `{}`:{line}", args.page.display());
    let page = String::from_utf8(bytes).map_err(|error| {
        let read = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + read.iter().filter(|byte| **byte == b'\n').count();
        CommandError::new(Exit::BadInput, place(line))
            .because(error)
            .hint("a page is text in UTF-8")
    })?;
    let run = baselines::load_run(&args.run)?;
    let mut filled = String::with_capacity(page.len());
    for (line, text) in (1..).zip(page.split_inclusive('\n')) {
        fill(text, &run, &mut filled).map_err(|problem| {
            CommandError::new(Exit::BadInput, place(line))
                .because(problem.what)
                .hint(problem.hint)
        })?;
    }
    output.complete(&filled)?;
    Ok(Exit::Pass)
}

/// What is wrong with a blank, and what to do about it.
struct Problem {
    what: String,
    hint: String,
}

impl Problem {
    fn new(what: impl Into<String>, hint: impl Into<String>) -> Self {
        let (what, hint) = (what.into(), hint.into());
        Self { what, hint }
    }
}

/// Adds a line with its blanks filled.
fn fill(line: &str, run: &Run, filled: &mut String) -> Result<(), Problem> {
    let mut rest = line;
    while let Some((before, blank)) = rest.split_once(BEGIN) {
        let Some((blank, after)) = blank.split_once(END) else {
            let what = format!("a blank begins with `{BEGIN}` and does not end");
            return Err(Problem::new(
                what,
                format!("end it with `{END}` in the same line"),
            ));
        };
        filled.push_str(before);
        match blank.strip_prefix('=') {
            Some(expression) => filled.push_str(&number(expression.trim(), run)?),
            None => filled.push_str(&known(blank.trim(), run)?),
        }
        rest = after;
    }
    filled.push_str(rest);
    Ok(())
}

fn number(text: &str, run: &Run) -> Result<String, Problem> {
    let failed = |error: &dyn std::fmt::Display| format!("`{text}`: {error}");
    let expression = Expression::new(text).map_err(|error| {
        let hint = "write it as in a derived metric: `kv/get:wall_time{bytes=64} / 1000`";
        Problem::new(failed(&error), hint)
    })?;
    let number = expression.figure(run).map_err(|problem| {
        let hint = format!("measure suite `{}` anew, or change the blank", run.suite);
        Problem::new(failed(&problem), hint)
    })?;
    Ok(figure(&number.summary, &number.unit))
}

/// Returns what is known of a run by a name.
fn known(name: &str, run: &Run) -> Result<String, Problem> {
    let of_run = match name {
        "suite" => Some(run.suite.to_string()),
        "measured_at" => Some(run.measured_at.to_string()),
        "environment" => Some(run.environment.name.to_string()),
        "commit" => run.revision.as_ref().map(ToString::to_string),
        _ => run.environment.fact(name).map(FactValue::to_string),
    };
    of_run.map(|text| fact(&text)).ok_or_else(|| {
        let mut names = "`suite`, `measured_at`, `environment`, `commit`".to_owned();
        for (fact, _) in run.environment.facts() {
            // Writing to a text cannot fail.
            let _ = write!(names, ", `{fact}`");
        }
        let what = format!("nothing by the name `{name}` is known of the run");
        Problem::new(
            what,
            format!("a number begins with `{BEGIN}=`; known are {names}"),
        )
    })
}
