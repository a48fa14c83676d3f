//! `tripline measure`: runs suites and writes a run file for each.

use std::fs::{File, TryLockError};
use std::path::Path;

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
    for run in &runs {
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

/// Measures suites and puts each run in its place as soon as it is whole.
pub(super) fn measured(
    project: &Project,
    suites: &[Suite],
    how: &How,
    out: Option<&Path>,
) -> Outcome<Vec<Run>> {
    if out.is_some() && suites.len() != 1 {
        let what = format!(
            "nothing was measured: `--out` names one file for {} suites",
            suites.len()
        );
        return Err(CommandError::new(Exit::Usage, what)
            .hint("name one suite with `--suite`, or leave `--out` away"));
    }
    let _alone = alone_in(project)?;
    // All places are opened before the first benchmark runs: a wrong path must not cost an hour.
    let places = suites
        .iter()
        .map(|suite| out.map_or_else(|| project.latest_run(&suite.name), Path::to_owned));
    let outputs = places
        .map(|place| Output::open(&place))
        .collect::<Outcome<Vec<Output>>>()?;
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
    for (index, (suite, output)) in suites.iter().zip(outputs).enumerate() {
        let Some(run) = measuring.suite(suite)? else {
            return Err(interrupted(&suites[..index], &suites[index..]));
        };
        output.complete(&wire::write_run(&run))?;
        runs.push(run);
    }
    Ok(runs)
}

fn interrupted(done: &[Suite], missing: &[Suite]) -> CommandError {
    let names = |suites: &[Suite]| {
        suites
            .iter()
            .map(|suite| suite.name.to_string())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let what = format!("interrupted: not measured: {}", names(missing));
    let error = CommandError::new(Exit::NothingMeasured, what)
        .hint("their previous runs and all baselines are as they were; measure again");
    if done.is_empty() {
        error
    } else {
        error.hint(format!("measured before, and written: {}", names(done)))
    }
}

/// Two measurements in one project would spoil each other's times and files.
fn alone_in(project: &Project) -> Outcome<File> {
    let place = project.output().join("lock");
    let failed = |error: std::io::Error| {
        let what = format!(
            "nothing was measured: `{}` cannot be locked",
            place.display()
        );
        CommandError::new(Exit::BadInput, what)
            .because(error)
            .hint("make its folder writable")
    };
    std::fs::create_dir_all(project.output()).map_err(failed)?;
    let lock = File::create(&place).map_err(failed)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::Error(error)) => Err(failed(error)),
        Err(TryLockError::WouldBlock) => {
            let what = "nothing was measured: another tripline is measuring in this project";
            Err(CommandError::new(Exit::NothingMeasured, what).hint("wait until it ends"))
        }
    }
}
