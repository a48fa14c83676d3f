//! `tripline publish`: tells GitHub what reports say.
//!
//! In the job that measured, without any token, that is the job's summary, annotations and outputs. In a run that GitHub
//! starts after it, on the default branch's own code, it is a comment and a check: what the first job left behind is then
//! a stranger's data, and who it is about comes from GitHub alone.
//!
//! Tested by `tests/it/publish` and by the plays of the workflows.

mod job;
mod pull;
mod report;

pub(super) use self::pull::bot;
pub(super) use self::report::numbered;

use tripline_hub::Event;
use tripline_model::Report;

use crate::actions::Job;
use crate::cli::{Publish, Shared};
use crate::error::Outcome;
use crate::exit::Exit;

/// What is said where nothing was.
const NOT_DONE: &str = "nothing was published";

pub(super) fn run(_: &Shared, args: &Publish) -> Outcome<Exit> {
    let job = Job::here(NOT_DONE)?;
    match &job.context.event {
        Event::WorkflowRun(run) => pull::tell(&job, run, args),
        _ => job::tell(&job, args),
    }
}

/// Returns whether something is wrong that a reader has to act on. Where there is no report, that is.
fn is_red(reports: &[Report]) -> bool {
    reports.is_empty() || super::verdict(reports) != Exit::Pass
}
