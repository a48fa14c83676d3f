//! `tripline read`: turns a harness's output into a run file.

use std::path::Path;

use tripline_model::{Environment, EnvironmentName, Measurement, Run, wire};
use tripline_read::{Adapter, Input, Observed, ReadError};

use crate::cli::{Read, Shared};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::files::{self, Output};
use crate::measure;
use crate::talk;

pub(super) fn run(_shared: &Shared, args: &Read) -> Outcome<Exit> {
    let output = Output::open(&args.out)?;
    let input = open(&args.input)?;
    let adapter = adapter(args, &input)?;
    let not_read = |error| not_read(args, adapter, error);
    let mut observed = adapter.read(&input, &args.suite).map_err(not_read)?;
    if args.harness.is_some() {
        let others = adapter.others_in(&input).map_err(not_read)?;
        observed.problems.splice(0..0, others);
    }
    for problem in &observed.problems {
        let place = &problem.place;
        talk::say(&format!(
            "not read: {}:{}:{}: {}",
            place.file, place.line, place.column, problem.text
        ));
    }
    for remark in &observed.remarks {
        let place = &remark.place;
        talk::say(&format!("{}:{}: {}", place.file, place.line, remark.text));
    }
    let problems = observed.problems.len();
    let run = assembled(args, observed)?;
    output.complete(&wire::write_run(&run))?;
    if problems > 0 {
        // What was read is written, and whoever asked knows that it is not all.
        let what = format!(
            "{} of `{}` could not be read; all others were",
            talk::counted(problems, "result"),
            args.input.display()
        );
        return Err(CommandError::new(Exit::BadInput, what));
    }
    Ok(Exit::Pass)
}

/// Says why nothing was read, and what the harness's reader knows that can be done.
fn not_read(args: &Read, adapter: &Adapter, error: ReadError) -> CommandError {
    let what = format!(
        "`{}` was not read as {}",
        args.input.display(),
        adapter.name
    );
    let hint = error.hint;
    let error = CommandError::new(Exit::BadInput, what).because(error);
    let error = match hint {
        Some(hint) => error.hint(hint),
        None => error,
    };
    match args.harness {
        Some(_) => error,
        None => error.hint("name another harness with `--harness` if it was seen wrongly"),
    }
}

fn open(path: &Path) -> Outcome<Input> {
    if path == Path::new("-") {
        return Ok(Input::from_bytes("stdin", files::read(path)?));
    }
    Input::open(path).map_err(|error| {
        CommandError::new(Exit::BadInput, format!("`{}` was not read", path.display()))
            .because(error)
    })
}

fn adapter(args: &Read, input: &Input) -> Outcome<&'static Adapter> {
    if let Some(name) = &args.harness {
        return Ok(
            tripline_read::adapter(name).expect("clap lets through only the harnesses of the list")
        );
    }
    tripline_read::sniff(input).map_err(|error| {
        let what = format!("`{}` was not read", args.input.display());
        let not_read = CommandError::new(Exit::BadInput, what);
        if is_history(input) {
            let seen = "it is a history that github-action-benchmark keeps, and of no harness";
            let hint = "take it over with `tripline record --import`";
            return not_read.because(seen).hint(hint);
        }
        not_read
            .because(error)
            .hint("name the harness with `--harness`")
    })
}

/// Returns whether a file is one that `record --import` takes.
fn is_history(input: &Input) -> bool {
    match input {
        Input::Text { name, bytes } => {
            tripline_read::split_data_js(name, bytes).is_ok()
                || tripline_read::read_data_js(name, bytes).is_ok()
        }
        Input::Tree { .. } => false,
    }
}

fn assembled(args: &Read, observed: Observed) -> Outcome<Run> {
    let environment = if args.here {
        measure::detect(Path::new("."), None)?
    } else {
        // Whoever made the output did it somewhere else, of which nothing was seen.
        Environment::new(EnvironmentName::new("elsewhere").expect("the name is a constant"))
    };
    let now = jiff::Timestamp::now();
    let now = jiff::Timestamp::from_second(now.as_second()).unwrap_or(now);
    let mut run = Run::new(args.suite.clone(), now, environment, measure::producer());
    for part in observed.observations {
        let not_used = |error: &dyn std::error::Error| {
            let what = format!(
                "nothing was written: `{}` holds what no run can",
                args.input.display()
            );
            CommandError::new(Exit::BadInput, what).because(error.to_string())
        };
        if part.readings.is_empty() {
            continue;
        }
        let measurement = Measurement::new(part.bench, part.readings, part.answer, part.caveats)
            .map_err(|error| not_used(&error))?;
        run.insert(measurement).map_err(|error| not_used(&error))?;
    }
    if run.is_empty() {
        let what = format!(
            "nothing was written: `{}` holds no measurement",
            args.input.display()
        );
        return Err(CommandError::new(Exit::NothingMeasured, what));
    }
    Ok(run)
}
