//! `tripline measure`: runs suites, or steps of them, and writes a run file for each; with `--against`, one for each side.
//!
//! Where only some steps are asked for, the runs say so and go to a folder of their own: they are parts, which `merge`
//! joins. Tested by `tests/it/measure`, `tests/it/session` and `tests/it/shards`.

mod places;
mod watched;

use std::fs::{File, TryLockError};
use std::path::PathBuf;

use sha2::{Digest as _, Sha256};
use tripline_judge::{pairs_to_decide, unformed};
use tripline_model::Run;
use tripline_model::few;

use super::gate::Session;
use crate::baselines;
use crate::cli::{How, Measure, PAIRS, Shared};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::measure::{
    self, Durations, Ground, Interrupt, Measured, Measuring, Trees, rounds_with_extension,
};
use crate::project::Project;
use crate::run_folder::RunFolder;
use crate::settings;
use crate::suite::{self, StepPath, Suite};
use crate::talk::{self, Progress};
use places::Places;

pub(super) fn run(shared: &Shared, args: &Measure) -> Outcome<Exit> {
    let project = super::project(shared)?;
    let suites = if args.steps.is_empty() {
        project.suites(&args.suites.suites)?
    } else {
        suite::selected(&project, &args.steps)?
    };
    let canaries = if args.canary {
        project.canaries()?
    } else {
        Vec::new()
    };
    if args.canary && canaries.is_empty() {
        super::trust::note_no_canary();
    }
    let order = Order {
        suites: &suites,
        canaries: &canaries,
        how: &args.how,
        folder: folder(&project, args),
        file: args.out.clone(),
    };
    let session = measured(&project, &order)?;
    if !args.steps.is_empty() && order.file.is_none() {
        let folder = order.folder.root().display();
        talk::say(&format!(
            "a part of a measurement: {folder}; `tripline merge` joins it with the others"
        ));
    }
    let all = session.suites.iter().chain(&session.canaries);
    let heads = all.map(|(_, measured)| &measured.head);
    let mut exit = Exit::Pass;
    for run in heads.filter(|run| !run.failures.is_empty()) {
        say_failures(run);
        exit = Exit::Broken;
    }
    Ok(exit)
}

/// Returns the folder that runs go to. A part has one of its own, so that no run of a whole suite is lost to it.
fn folder(project: &Project, args: &Measure) -> RunFolder {
    match (&args.into, &args.steps[..]) {
        (Some(folder), _) => RunFolder::new(folder),
        (None, []) => project.latest_runs(),
        (None, steps) => RunFolder::new(project.output().join(name_of_part(steps))),
    }
}

/// Returns the name of the folder for a part: the same for the same steps, and that of no suite.
fn name_of_part(steps: &[StepPath]) -> String {
    let steps = few::set_of(steps);
    let all: Vec<String> = steps.iter().map(ToString::to_string).collect();
    let digest = Sha256::digest(all.join(","));
    let first = steps.first().map_or(String::new(), |first| {
        format!("{}-{}", first.suite, first.step)
    });
    let digest = u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]]);
    format!("part.{first}-{digest:08x}")
}

/// Says which steps of a run failed, and what to do.
pub(super) fn say_failures(run: &Run) {
    for failure in &run.failures {
        let detail = failure.detail.as_ref();
        let detail = detail.map_or(String::new(), |detail| format!(": {detail}"));
        let (suite, step, how) = (&run.suite, &failure.step, failure.kind.text());
        talk::say(&format!("{suite}/{step} {how}{detail}"));
        talk::say(&format!("  hint: {}", failure.advice()));
    }
}

/// What is to be measured, and where it goes.
pub(super) struct Order<'a> {
    /// The suites, with the steps that are to be measured.
    pub(super) suites: &'a [Suite],
    /// The canaries.
    pub(super) canaries: &'a [Suite],
    pub(super) how: &'a How,
    /// Where runs go.
    pub(super) folder: RunFolder,
    /// Where the run of the only suite goes instead.
    pub(super) file: Option<PathBuf>,
}

/// Measures suites and puts each run in its place as soon as it is whole; and then canaries.
pub(super) fn measured(project: &Project, order: &Order<'_>) -> Outcome<Session> {
    let Order {
        suites,
        canaries,
        how,
        ..
    } = *order;
    let mut places = Places::open(order)?;
    let _alone = alone_in(project)?;
    let trees = match &how.against {
        Some(revision) => Some(Trees::open(project, revision)?),
        None => None,
    };
    let interrupt = Interrupt::listen().map_err(|error| {
        let what = "nothing was measured: signals cannot be listened to";
        CommandError::new(Exit::Bug, what).because(error)
    })?;
    let seed = how.seed.unwrap_or_else(|| fastrand::u64(..));
    let mut steps = measure::names(suites, trees.as_ref().map(|_| ["base", "head"]));
    steps.extend(measure::names(canaries, Some(measure::PLANTED)));
    let mut durations = Durations::load(&project.output(), steps.clone());
    let progress = Progress::begin(steps.len(), measure::expected(&durations, &steps));
    let mut measuring = Measuring {
        project,
        effort: how.effort.into(),
        repeats: how.repeats,
        pairs: usize::from(how.pairs),
        seed,
        progress: &progress,
        interrupt: &interrupt,
        durations: &mut durations,
    };
    settings::look_over(project, suites)?;
    note_unformed(project, suites)?;
    if trees.is_some() || !canaries.is_empty() {
        note_few_rounds(usize::from(how.pairs));
        say_order(seed);
    } else if how.pairs != PAIRS {
        talk::say(&format!(
            "note: `--pairs {}` does nothing without `--against`: nothing is measured side by side",
            how.pairs
        ));
    }
    let measured = match &trees {
        None => one_by_one(&mut measuring, suites, &mut places)?,
        Some(trees) => beside(&mut measuring, trees, suites, &mut places)?,
    };
    let watched = watched::watched(&mut measuring, trees.as_ref(), canaries)?;
    let watched = watched.ok_or_else(|| interrupted(suites, canaries))?;
    places.put_canaries(&watched)?;
    durations.leave(&order.folder.durations());
    Ok(Session {
        suites: suites.iter().cloned().zip(measured).collect(),
        canaries: canaries.iter().cloned().zip(watched).collect(),
    })
}

fn beside(
    measuring: &mut Measuring<'_>,
    trees: &Trees,
    suites: &[Suite],
    places: &mut Places<'_>,
) -> Outcome<Vec<Measured>> {
    let measured = measuring.session(&Ground::Revisions(trees), suites)?;
    let measured = measured.ok_or_else(|| interrupted(&[], suites))?;
    for measured in &measured {
        places.put(measured)?;
    }
    Ok(measured)
}

/// Whoever wants to see the same again, a canary that failed above all, needs to know what chance did.
fn say_order(seed: u64) {
    talk::say(&format!(
        "the order of base and head is drawn from the seed {seed:016x}"
    ));
}

/// A slip of the pen in a derived metric would else be said only after everything was measured. What it means may also be
/// new, so that a kept run cannot have it: nothing is refused for it.
fn note_unformed(project: &Project, suites: &[Suite]) -> Outcome<()> {
    for suite in suites
        .iter()
        .filter(|suite| !suite.judging.derived.is_empty())
    {
        let policy = settings::policy(project, suite)?;
        let kept = baselines::of_suite(project, &suite.name)?;
        // One kept run that has all of it is enough: others may be of machines that lack a tool.
        let unformed = kept.iter().map(|kept| unformed(&kept.run, &policy));
        for problem in unformed.min_by_key(Vec::len).unwrap_or_default() {
            let place = suite.place_of(&problem, project).unwrap_or_default();
            talk::say(&format!(
                "note: by the kept run of suite `{}`, {problem}; its definition is in {place}; measuring goes on, and what is measured decides",
                suite.name
            ));
        }
    }
    Ok(())
}

/// Whoever asks for too few rounds gets no regression by them, and would take that for good news.
fn note_few_rounds(pairs: usize) {
    let (most, needed) = (rounds_with_extension(pairs), pairs_to_decide());
    if most < needed as usize {
        talk::say(&format!(
            "note: no change of a time can fail: with `--pairs {pairs}` a benchmark has {most} rounds at most, and the clearest change takes {needed}, or more among many; limits hold all the same"
        ));
    }
}

fn one_by_one(
    measuring: &mut Measuring<'_>,
    suites: &[Suite],
    places: &mut Places<'_>,
) -> Outcome<Vec<Measured>> {
    let mut measured = Vec::with_capacity(suites.len());
    for (index, suite) in suites.iter().enumerate() {
        let Some(head) = measuring.suite(suite)? else {
            return Err(interrupted(&suites[..index], &suites[index..]));
        };
        let one = Measured { base: None, head };
        places.put(&one)?;
        measured.push(one);
    }
    Ok(measured)
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
    let lock = project.lock_file("lock").map_err(failed)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::Error(error)) => Err(failed(error)),
        Err(TryLockError::WouldBlock) => {
            let what = "nothing was measured: another tripline is measuring in this project";
            Err(CommandError::new(Exit::NothingMeasured, what).hint("wait until it ends"))
        }
    }
}
