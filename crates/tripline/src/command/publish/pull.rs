//! What a report says to the pull request that it is about: one comment, one check.
//!
//! The report is a stranger's data, and the only thing of theirs that is looked at. First it is fetched and read, then
//! rendered; who it is about is asked last, so that little can happen in between. Whatever is wrong ends before the first
//! write.

use std::path::Path;

use tripline_hub::check::{Check, Conclusion};
use tripline_hub::comment::{Comment, Marker, Posted};
use tripline_hub::pulls::{self, Identity, Pull};
use tripline_hub::{Done, Effect, Login, SetName, WorkflowRun};
use tripline_model::{Gate, Report};
use tripline_render::{Before, Taking, View};

use super::job::{annotations, view};
use super::report::{self, Told};
use super::{NOT_DONE, is_red};
use crate::actions::{Job, hub_failed, link, say_planned};
use crate::cli::Publish;
use crate::error::Outcome;
use crate::exit::Exit;
use crate::{suite, talk};

/// The workflow that stage one is.
const PRODUCER: &str = ".github/workflows/bench-pr.yml";
/// The workflow that answers comments.
const ANSWERER: &str = ".github/workflows/baseline.yml";
/// How a run ends that measured, or could not.
const MEASURED: &[&str] = &["success", "failure", "timed_out"];
/// What the check is called.
const CHECK: &str = "tripline";

pub(super) fn tell(job: &Job, run: &WorkflowRun, args: &Publish) -> Outcome<Exit> {
    if let Some(why) = stranger(job, run) {
        talk::say(&format!("{NOT_DONE}: {why}"));
        return Ok(Exit::Pass);
    }
    let client = job.client(NOT_DONE)?;
    let told = report::of_run(&client, run)?;
    let pull = match pulls::of_run(&client, run).map_err(hub_failed)? {
        Identity::One(pull) => pull,
        Identity::Stale { why } | Identity::None { why } => {
            talk::say(&format!("{NOT_DONE}: {}", talk::shown(&why)));
            return Ok(Exit::Pass);
        }
    };
    let mut view = view_of(job, run, &pull, args)?;
    view.taking = taking(run, &told);
    // Of the default branch's own files: only names of suites, which are checked, come from the report.
    view.places = suite::places(None, &told.reports);
    let effects = [
        Effect::Comment(comment(run, &pull, &told.reports, &view)),
        Effect::Check(Box::new(check(&pull, &told.reports, &view))),
    ];
    if args.dry_run {
        say_planned(&effects)?;
        return Ok(Exit::Pass);
    }
    // A comment that speaks of something newer stays, and so does the check beside it.
    let [comment, check] = &effects;
    let done = job.carry_out(std::slice::from_ref(comment), None)?;
    if !matches!(done[..], [Done::Commented(Posted::Stale { .. })]) {
        job.carry_out(std::slice::from_ref(check), None)?;
    }
    Ok(Exit::Pass)
}

/// Returns why a run is none of ours to tell about, if it is not. A workflow of the same name may be anybody's.
fn stranger(job: &Job, run: &WorkflowRun) -> Option<&'static str> {
    if job.context.repository_id != Some(run.repository_id) {
        return Some("the run is of another repository");
    }
    if !run.is_of(PRODUCER) {
        return Some("the run is of another workflow than the one that measures pull requests");
    }
    // One that waits for approval or was called off has nothing to say; one that failed may have.
    let how = run.conclusion.as_ref().map_or("", |how| how.as_str());
    (!MEASURED.contains(&how)).then_some("the run did not come to its end")
}

/// Returns the view of whoever reads on a pull request: all links are to what GitHub says it is about.
fn view_of(job: &Job, run: &WorkflowRun, pull: &Pull, args: &Publish) -> Outcome<View> {
    let mut view = view(job, args)?;
    let page = |path: &[&str]| link(&job.context.page(path));
    view.links.run = page(&["actions", "runs", &run.run.id.to_string()]);
    view.links.head = page(&["commit", pull.head.as_str()]);
    view.links.base = page(&["commit", pull.base.as_str()]);
    Ok(view)
}

/// Returns how a regression is taken on purpose: by a comment, where there is a workflow that reads it, and a branch of
/// ours that it may commit to.
fn taking(run: &WorkflowRun, told: &Told) -> Taking {
    let head = run.head.repository.as_ref();
    let is_own = head.is_some_and(|head| head.id == run.repository_id);
    match told.number {
        Some(number) if is_own && Path::new(ANSWERER).is_file() => Taking::ByComment(number),
        _ => Taking::ByProgram,
    }
}

fn comment(run: &WorkflowRun, pull: &Pull, reports: &[Report], view: &View) -> Comment {
    let renderer = tripline_render::renderer("comment").expect("the list has it");
    let is_red = is_red(reports);
    let fixed = View {
        before: Before::Red,
        ..view.clone()
    };
    Comment {
        pull: pull.number,
        marker: Marker {
            set: set(),
            head: pull.head.clone(),
            run: run.run,
            is_red,
        },
        author: bot(),
        text: (renderer.render)(reports, view),
        after_red: (!is_red).then(|| (renderer.render)(reports, &fixed)),
    }
}

/// Returns what the comment is about: all suites of the repository.
fn set() -> SetName {
    "all".parse().expect("it is a name")
}

/// Returns who a job's own token writes as.
pub(in crate::command) fn bot() -> Login {
    "github-actions[bot]".parse().expect("it is a login")
}

fn check(pull: &Pull, reports: &[Report], view: &View) -> Check {
    let said = tripline_render::check(reports, view);
    let warns = reports.iter().any(|report| report.gate() == Gate::Warn);
    Check {
        name: CHECK.to_owned(),
        head: pull.head.clone(),
        conclusion: match (is_red(reports), warns) {
            (true, _) => Conclusion::Failure,
            (false, true) => Conclusion::Neutral,
            (false, false) => Conclusion::Success,
        },
        title: said.title,
        summary: said.summary,
        text: Some(said.text),
        annotations: annotations(reports, view),
        details_page: view.links.run.as_ref().map(|link| link.as_str().to_owned()),
    }
}
