//! `tripline measure`: runs suites and writes a run file for each; with `--against`, one for each side.

use std::fs::{File, TryLockError};
use std::path::Path;

use tripline_model::{Run, wire};

use crate::cli::{How, Measure, Shared};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::files::Output;
use crate::measure::{self, Durations, Ground, Interrupt, Measured, Measuring, Trees};
use crate::project::Project;
use crate::suite::Suite;
use crate::talk::{self, Progress};

pub(super) fn run(shared: &Shared, args: &Measure) -> Outcome<Exit> {
    let project = super::project(shared)?;
    let suites = project.suites(&args.suites.suites)?;
    let session = measured(&project, (&suites, &[]), &args.how, args.out.as_deref())?;
    let heads = session.measured.iter().map(|measured| &measured.head);
    let mut exit = Exit::Pass;
    for run in heads.filter(|run| !run.failures.is_empty()) {
        say_failures(run);
        exit = Exit::Broken;
    }
    Ok(exit)
}

/// Says which steps of a run failed, and what to do.
pub(super) fn say_failures(run: &Run) {
    for failure in &run.failures {
        let detail = failure.detail.as_ref();
        let detail = detail.map_or(String::new(), |detail| format!(": {detail}"));
        let (suite, step, how) = (&run.suite, &failure.step, failure.kind.text());
        talk::say(&format!("{suite}/{step} {how}{detail}"));
        talk::say(&format!("  hint: {}", failure.kind.advice()));
    }
}

/// What was measured together.
pub(super) struct Session {
    /// The suites that were asked for.
    pub(super) measured: Vec<Measured>,
    /// The canaries, with the steps that were measured; each built without and with what is planted in it.
    pub(super) canaries: Vec<(Suite, Measured)>,
}

/// Measures suites and puts each run in its place as soon as it is whole; and then canaries, which are put nowhere.
pub(super) fn measured(
    project: &Project,
    (suites, canaries): (&[Suite], &[Suite]),
    how: &How,
    out: Option<&Path>,
) -> Outcome<Session> {
    if out.is_some() && suites.len() != 1 {
        let what = format!(
            "nothing was measured: `--out` names one file for {} suites",
            suites.len()
        );
        return Err(CommandError::new(Exit::Usage, what)
            .hint("name one suite with `--suite`, or leave `--out` away"));
    }
    let _alone = alone_in(project)?;
    let places = Places::open(project, suites, how, out)?;
    let trees = match &how.against {
        Some(revision) => Some(Trees::open(project, revision)?),
        None => None,
    };
    let interrupt = Interrupt::listen().map_err(|error| {
        let what = "nothing was measured: signals cannot be listened to";
        CommandError::new(Exit::Bug, what).because(error)
    })?;
    let seed = how.seed.unwrap_or_else(|| fastrand::u64(..));
    let canaries = measured_canaries(canaries, trees.is_some());
    let mut steps = measure::names(suites, trees.as_ref().map(|_| ["base", "head"]));
    steps.extend(measure::names(&canaries, Some(measure::PLANTED)));
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
    if let Some(trees) = &trees {
        note_suites_gone(trees);
    }
    let measured = match &trees {
        None => one_by_one(&mut measuring, suites, places)?,
        Some(trees) => beside(&mut measuring, trees, suites, places)?,
    };
    let watched = watched(&mut measuring, trees.as_ref(), &canaries)?;
    let watched = watched.ok_or_else(|| interrupted(suites, &canaries))?;
    let canaries = canaries.into_iter().zip(watched).collect();
    Ok(Session { measured, canaries })
}

/// Returns canaries with the steps that are measured: where nothing else is timed, neither are they. One that is told by
/// times alone is left out then.
fn measured_canaries(canaries: &[Suite], with_times: bool) -> Vec<Suite> {
    let mut canaries = canaries.to_vec();
    for suite in &mut canaries {
        suite
            .steps
            .retain(|step| with_times || !step.harness.times());
    }
    canaries.retain(|suite| suite.steps.iter().any(|step| !step.harness.answers()));
    canaries
}

fn beside(
    measuring: &mut Measuring<'_>,
    trees: &Trees,
    suites: &[Suite],
    places: Places,
) -> Outcome<Vec<Measured>> {
    let seed = measuring.seed;
    talk::say(&format!(
        "the order of base and head is drawn from the seed {seed:016x}"
    ));
    let measured = measuring.session(&Ground::Revisions(trees), suites)?;
    let measured = measured.ok_or_else(|| interrupted(&[], suites))?;
    places.take_both(&measured)?;
    Ok(measured)
}

/// Measures the canaries. There is nothing where somebody interrupted.
fn watched(
    measuring: &mut Measuring<'_>,
    trees: Option<&Trees>,
    canaries: &[Suite],
) -> Outcome<Option<Vec<Measured>>> {
    let mut watched = Vec::with_capacity(canaries.len());
    for suite in canaries {
        let features = suite
            .canary
            .as_ref()
            .map_or(&[][..], |canary| &canary.features);
        let ground = Ground::Features(measuring.project, trees, features);
        match measuring.session(&ground, std::slice::from_ref(suite))? {
            Some(canary) => watched.extend(canary),
            None => return Ok(None),
        }
    }
    Ok(Some(watched))
}

/// A suite that the head lacks stands in no report, so it is said here.
fn note_suites_gone(trees: &Trees) {
    for suite in trees.suites_gone() {
        talk::say(&format!(
            "note: the base has a suite `{suite}`, and the head does not: nothing of it is compared"
        ));
    }
}

fn one_by_one(
    measuring: &mut Measuring<'_>,
    suites: &[Suite],
    places: Places,
) -> Outcome<Vec<Measured>> {
    let mut measured = Vec::with_capacity(suites.len());
    for (index, (suite, output)) in suites.iter().zip(places.heads).enumerate() {
        let Some(head) = measuring.suite(suite)? else {
            return Err(interrupted(&suites[..index], &suites[index..]));
        };
        output.complete(&wire::write_run(&head))?;
        measured.push(Measured { base: None, head });
    }
    Ok(measured)
}

/// Where runs go. All places are opened before the first benchmark runs: a wrong path must not cost an hour.
struct Places {
    heads: Vec<Output>,
    bases: Vec<Output>,
}

impl Places {
    fn open(project: &Project, suites: &[Suite], how: &How, out: Option<&Path>) -> Outcome<Self> {
        let heads = suites
            .iter()
            .map(|suite| out.map_or_else(|| project.latest_run(&suite.name), Path::to_owned));
        let heads = heads
            .map(|place| Output::open(&place))
            .collect::<Outcome<_>>()?;
        let with_base = if how.against.is_some() { suites } else { &[] };
        let bases = with_base
            .iter()
            .map(|suite| Output::open(&project.latest_base(&suite.name)));
        let bases = bases.collect::<Outcome<_>>()?;
        Ok(Self { heads, bases })
    }

    fn take_both(self, measured: &[Measured]) -> Outcome<()> {
        for ((measured, head), base) in measured.iter().zip(self.heads).zip(self.bases) {
            head.complete(&wire::write_run(&measured.head))?;
            if let Some(run) = &measured.base {
                base.complete(&wire::write_run(run))?;
            }
        }
        Ok(())
    }
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
    // Nothing in there is a change of the project, also where nobody told git to ignore it.
    std::fs::write(project.output().join(".gitignore"), "*\n").map_err(failed)?;
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
