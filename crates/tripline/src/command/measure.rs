//! `tripline measure`: runs suites and writes a run file for each.

use std::path::{Path, PathBuf};

use tripline_model::{Run, wire};

use crate::cli::{How, Measure, Shared};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::files::Output;
use crate::measure::{self, Durations, Interrupt, Measuring};
use crate::project::Project;
use crate::suite::Suite;
use crate::talk::{self, Progress};

pub(super) fn run(shared: &Shared, args: &Measure) -> Outcome<Exit> {
    let project = super::project(shared)?;
    let suites = project.suites(&args.suites.suites)?;
    let runs = measured(&project, &suites, &args.how, args.out.as_deref())?;
    let mut exit = Exit::Pass;
    for (run, _) in &runs {
        for failure in &run.failures {
            let detail = failure
                .detail
                .as_deref()
                .map_or(String::new(), |detail| format!(": {detail}"));
            talk::say(&format!(
                "{}/{} {}{detail}",
                run.suite,
                failure.step,
                failure.kind.text()
            ));
            talk::say(&format!("  hint: {}", failure.kind.advice()));
            exit = exit.worst(Exit::Broken);
        }
    }
    Ok(exit)
}

/// Measures suites and puts each run in its place. Returns the runs with their places.
pub(super) fn measured(
    project: &Project,
    suites: &[Suite],
    how: &How,
    out: Option<&Path>,
) -> Outcome<Vec<(Run, PathBuf)>> {
    if out.is_some() && suites.len() != 1 {
        let what = format!(
            "nothing was measured: `--out` names one file for {} suites",
            suites.len()
        );
        return Err(CommandError::new(Exit::Usage, what)
            .hint("name one suite with `--suite`, or leave `--out` away"));
    }
    // All places are opened before the first benchmark runs: a wrong path must not cost an hour.
    let mut outputs = Vec::with_capacity(suites.len());
    for suite in suites {
        let place = out.map_or_else(|| project.latest_run(&suite.name), Path::to_owned);
        outputs.push((Output::open(&place)?, place));
    }
    let interrupt = Interrupt::listen().map_err(|error| {
        CommandError::new(
            Exit::Bug,
            "nothing was measured: signals cannot be listened to",
        )
        .because(error)
    })?;
    let steps = suites.iter().flat_map(|suite| {
        suite
            .steps
            .iter()
            .map(|s| format!("{}/{}", suite.name, s.name))
    });
    let mut durations = Durations::load(&project.output(), steps.collect());
    let count = suites.iter().map(|suite| suite.steps.len()).sum();
    let progress = Progress::begin(count, measure::expected(&durations, suites));
    let mut measuring = Measuring {
        project,
        effort: how.effort.into(),
        repeats: how.repeats,
        progress: &progress,
        interrupt: &interrupt,
        durations: &mut durations,
    };
    let mut runs = Vec::with_capacity(suites.len());
    for (suite, (output, place)) in suites.iter().zip(outputs) {
        let run = measuring.suite(suite)?;
        if run.is_empty() && run.failures.is_empty() {
            let what = format!(
                "nothing was measured in suite `{}`; the previous run stays",
                suite.name
            );
            return Err(CommandError::new(Exit::NothingMeasured, what));
        }
        output.complete(&wire::write_run(&run))?;
        runs.push((run, place));
    }
    Ok(runs)
}
