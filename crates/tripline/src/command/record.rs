//! `tripline record`: appends the latest runs to the history, a branch of data beside the code.
//!
//! What is kept of a run is a file that is never changed, named after what it is of, so that any number of jobs can append
//! at once. A history that another service kept is taken over the same way. Only what the default branch measured is kept; everywhere else `--dry-run` says what would be.
//!
//! Tested by `tests/it/publish` and by the plays of the workflows.

mod import;

use tripline_history::{File, NotKept, is_block};
use tripline_hub::git::{Change, FilePath, Identity, NewFile};
use tripline_hub::{Branch, Effect, Event};
use tripline_model::Run;
use tripline_model::few;

use super::judge::folder::of_canaries;
use super::trust;
use super::{Against, Known};
use crate::actions::{self, Job, say_planned};
use crate::baselines;
use crate::cli::{Record, Shared};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::heard;
use crate::measure::Measured;
use crate::project::Project;
use crate::scatter;
use crate::suite::Suite;
use crate::talk;

const NOT_DONE: &str = "nothing was recorded";

pub(super) fn run(shared: &Shared, args: &Record) -> Outcome<Exit> {
    if let Some(path) = &args.import {
        return import::run(&super::project_of_history(shared)?, args, path);
    }
    let project = super::project(shared)?;
    let mut runs = heard_of(&project, args)?;
    if args.only_canary {
        if runs.is_empty() {
            talk::say("note: no canary was measured here, and nothing else was to be recorded");
            return Ok(Exit::Pass);
        }
    } else {
        let measured = latest(&project, args)?;
        for head in &measured {
            runs.extend(scattered(&project, head));
        }
        runs.splice(0..0, measured);
    }
    let branch = args.data.branch.clone();
    let change = change(&runs)?;
    let effects = [Effect::Append { branch, change }];
    if args.dry_run {
        say_planned(&effects)?;
        return Ok(Exit::Pass);
    }
    let job = Job::here(NOT_DONE)?;
    only_on_default_branch(&job)?;
    job.carry_out(&effects, Some(project.root()))?;
    Ok(Exit::Pass)
}

fn latest(project: &Project, args: &Record) -> Outcome<Vec<Run>> {
    let mut runs = Vec::new();
    for suite in project.suites(&args.suites.suites)? {
        let place = project.latest_run(&suite.name);
        match baselines::load_run_if_any(&place)? {
            Some(run) => runs.push(run),
            None => talk::say(&format!(
                "note: suite `{}` has not been measured here",
                suite.name
            )),
        }
    }
    if runs.is_empty() {
        return Err(CommandError::new(Exit::NothingMeasured, NOT_DONE)
            .hint("measure first: `tripline measure`"));
    }
    Ok(runs)
}

/// Returns how much the pairs of a session scattered, if the run was measured in one. What cannot be judged was refused by the
/// gate, which said why; what was measured is kept all the same.
fn scattered(project: &Project, head: &Run) -> Option<Run> {
    let base = baselines::load_run_if_any(&project.latest_base(&head.suite)).ok()?;
    // Whatever lies beside a run that was measured alone is of another one.
    let is_beside = |base: &Run| head.session.is_some() && base.session == head.session;
    let base = base.filter(is_beside).filter(|_| !head.is_empty())?;
    let policy = super::policy_of(project, &head.suite).ok()?;
    let against = Against::Run(&base);
    let report = super::judged(Some(project), policy, against, head, Known::default());
    scatter::run_of(head, &report.ok()?)
}

/// Counts what the canaries did that were measured with the latest runs.
fn heard_of(project: &Project, args: &Record) -> Outcome<Vec<Run>> {
    let mut runs = Vec::new();
    let asked = &args.suites.suites;
    let is_asked = |suite: &Suite| asked.is_empty() || asked.contains(&suite.name);
    for suite in project.canaries()?.into_iter().filter(is_asked) {
        let measured = of_canaries(&project.latest_runs(), &suite)?;
        if let Some((_, Measured { head, .. })) = measured.first() {
            runs.extend(heard::run_of(head, &trust::tallied(project, &measured)?));
        }
    }
    Ok(runs)
}

/// Puts runs into files, in a commit that says what it is of.
fn change(runs: &[Run]) -> Outcome<Change> {
    let mut files = Vec::new();
    for run in runs {
        files.extend(tripline_history::keep_run(run).map_err(not_kept)?);
    }
    let mut suites: Vec<&str> = runs.iter().map(|run| run.suite.as_str()).collect();
    suites.dedup();
    let revision = runs[0].revision.as_ref();
    let commit = revision.map_or_else(String::new, |revision| format!(" at {}", revision.commit));
    change_of(files, format!("{}{commit}", suites.join(", ")))
}

/// Returns a change that adds files of a history.
fn change_of(mut files: Vec<File>, message: String) -> Outcome<Change> {
    let wrong = |error| CommandError::new(Exit::BadInput, NOT_DONE).because(error);
    files.sort_unstable();
    files.dedup();
    let file = |file: File| {
        let path: FilePath = file.path.parse().map_err(wrong)?;
        let bytes = file.bytes;
        Ok(NewFile { path, bytes })
    };
    let files = files.into_iter().map(file).collect::<Outcome<Vec<_>>>()?;
    Change::new(files, message, Identity::actions_bot()).map_err(wrong)
}

/// Plans as many pushes as are needed. What files refer to is pushed before them: records last, and segments before.
pub(super) fn appends(branch: &Branch, mut files: Vec<File>, what: &str) -> Outcome<Vec<Effect>> {
    let rank = |path: &str| match path.split('/').next() {
        Some("records") => 3,
        Some("segments") if !is_block(path) => 2,
        Some("segments") => 1,
        _ => 0,
    };
    few::sort_by_key(&mut files, |file| rank(&file.path));
    let mut parts: Vec<Vec<File>> = Vec::new();
    let mut bytes = 0;
    for file in files {
        bytes += file.bytes.len();
        match parts.last_mut() {
            Some(part) if part.len() < Change::FILES_MAX && bytes <= Change::BYTES_MAX => {
                part.push(file);
            }
            _ => {
                bytes = file.bytes.len();
                parts.push(vec![file]);
            }
        }
    }
    let count = parts.len();
    let append = |(index, files): (usize, Vec<File>)| {
        let part = match count {
            1 => String::new(),
            count => format!(", part {} of {count}", index + 1),
        };
        let change = change_of(files, format!("{what}{part}"))?;
        let branch = branch.clone();
        Ok(Effect::Append { branch, change })
    };
    parts.into_iter().enumerate().map(append).collect()
}

/// Pushes by hand, or from a job, where the rule of all history holds.
pub(super) fn push(project: &Project, effects: &[Effect]) -> Outcome<()> {
    match Job::if_any(NOT_DONE)? {
        Some(job) => {
            only_on_default_branch(&job)?;
            job.carry_out(effects, Some(project.root())).map(drop)
        }
        None => actions::push_by_hand(effects, project.root()),
    }
}

fn not_kept(why: NotKept) -> CommandError {
    let hint = match why {
        NotKept::NoCommit(_) => "measure in a git repository",
        NotKept::Modified(_) => "commit, and measure again",
        NotKept::TooLarge { .. } => "measure fewer benchmarks in one suite, or with shorter names",
        NotKept::Series(_) => "this is an error of tripline's own: please report it",
    };
    CommandError::new(Exit::BadInput, NOT_DONE)
        .because(why)
        .hint(hint)
}

/// Only what is on the default branch is history.
fn only_on_default_branch(job: &Job) -> Outcome<()> {
    let context = &job.context;
    let is_pull = matches!(context.event, Event::PullRequest(_));
    let on_default = context
        .default_branch
        .as_ref()
        .is_some_and(|branch| context.reference.as_str() == branch.reference());
    if on_default && !is_pull {
        return Ok(());
    }
    let what = format!("`{}` is not the default branch", context.reference);
    Err(CommandError::new(Exit::Usage, NOT_DONE)
        .because(what)
        .hint("elsewhere `--dry-run` says what would be recorded"))
}
