//! `tripline record`: appends the latest runs to the history, a branch of data beside the code.
//!
//! Each run becomes one file that is never changed, named after what it is of, so that any number of jobs can append at
//! once. Only what the default branch measured is kept; everywhere else `--dry-run` says what would be.
//!
//! Tested by `tests/it/publish` and by the plays of the workflows.

use tripline_hub::git::{Change, FilePath, Identity, NewFile};
use tripline_hub::{Branch, Effect, Event};
use tripline_model::{Run, WorkTree, wire};

use crate::actions::{Job, say_planned};
use crate::baselines;
use crate::cli::{Record, Shared};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::project::Project;
use crate::talk;

const NOT_DONE: &str = "nothing was recorded";

/// The digits of a run's digest in its file's name: enough for two runs of one commit on one day.
const DIGEST_DIGITS: usize = 8;

pub(super) fn run(shared: &Shared, args: &Record) -> Outcome<Exit> {
    let project = super::project(shared)?;
    let runs = latest(&project, args)?;
    let branch: Branch = args
        .branch
        .parse()
        .map_err(|error: tripline_hub::NameError| {
            CommandError::new(Exit::Usage, NOT_DONE).because(error)
        })?;
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

/// Puts runs into files, in a commit that says what it is of.
fn change(runs: &[Run]) -> Outcome<Change> {
    let wrong = |error| CommandError::new(Exit::BadInput, NOT_DONE).because(error);
    let file = |run: &Run| {
        let text = wire::write_run(run);
        let path: FilePath = place_of(run, &text)?.parse().map_err(wrong)?;
        Ok(NewFile {
            path,
            bytes: text.into_bytes(),
        })
    };
    let files = runs.iter().map(file).collect::<Outcome<Vec<_>>>()?;
    let suites: Vec<&str> = runs.iter().map(|run| run.suite.as_str()).collect();
    let revision = runs[0].revision.as_ref();
    let commit = revision.map_or_else(String::new, |revision| format!(" at {}", revision.commit));
    let message = format!("{}{commit}", suites.join(", "));
    Change::new(files, message, Identity::actions_bot()).map_err(wrong)
}

/// Returns where a run is kept: what of, when, which commit, where, and its digest.
fn place_of(run: &Run, text: &str) -> Outcome<String> {
    let Some(revision) = &run.revision else {
        let what = format!("suite `{}` was measured at no commit", run.suite);
        return Err(CommandError::new(Exit::BadInput, NOT_DONE)
            .because(what)
            .hint("measure in a git repository"));
    };
    if revision.work_tree == WorkTree::Modified {
        let what = format!(
            "suite `{}` was measured with changes that are in no commit",
            run.suite
        );
        return Err(CommandError::new(Exit::BadInput, NOT_DONE)
            .because(what)
            .hint("commit, and measure again"));
    }
    let day: String = run.measured_at.to_string().chars().take(10).collect();
    let commit: String = revision.commit.as_str().chars().take(12).collect();
    let digest: String = crate::measure::digest(text.as_bytes())
        .chars()
        .take(DIGEST_DIGITS)
        .collect();
    let day = day.replace('-', "/");
    Ok(format!(
        "runs/{}/{day}/{commit}-{}-{digest}.jsonl",
        run.suite, run.environment.name
    ))
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
