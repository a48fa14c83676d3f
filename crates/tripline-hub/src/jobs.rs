//! The jobs of a run, attempt by attempt: what one of them left may stand for longer than its attempt.
//!
//! A run that is tried again need not run all of its jobs again, and uploads outlive the attempt that made them. Whether
//! GitHub lists a job again that an attempt did not run has changed over time, so either is understood.
//! Tested in `tests/hub/jobs`.

use jiff::Timestamp;
use serde::Deserialize;

use crate::client::{Call, Client, PAGE_ENTRIES};
use crate::error::{HubError, Problem};
use crate::event::RunId;

/// How GitHub writes the name of a job that a called workflow has, behind that of the job that calls it.
const CALLED: &str = " / ";

/// Which of the uploads that a run has are what a job of it left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// Whichever there are: it ran once.
    Any,
    /// Those that came since.
    Since(Timestamp),
    /// None: it was to run again, and did not.
    Nothing,
}

#[derive(Deserialize)]
struct Page {
    jobs: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    name: String,
    conclusion: Option<String>,
    started_at: Option<String>,
}

impl Listed {
    fn is(&self, job: &str) -> bool {
        self.name.rsplit(CALLED).next() == Some(job)
    }

    /// Returns when it was started, if it was: what was skipped or called off before it began has left nothing.
    fn start(&self) -> Option<Result<Timestamp, jiff::Error>> {
        let is_skipped = self.conclusion.as_deref() == Some("skipped");
        let start = self.started_at.as_ref().filter(|_| !is_skipped)?;
        Some(start.parse())
    }
}

/// Returns what jobs of one name left: two workflows that are called may each have one, and then all counts that either left
/// since the first of them was started.
fn left(jobs: &[&Listed]) -> Result<Left, jiff::Error> {
    let starts = jobs.iter().filter_map(|job| job.start());
    let starts = starts.collect::<Result<Vec<_>, _>>()?;
    Ok(starts.into_iter().min().map_or(Left::Nothing, Left::Since))
}

/// Finds out what a job left by the end of an attempt: it counts from where the job was last run. The first attempt takes no
/// request; each further one takes one, back to the last that ran the job.
///
/// # Errors
/// GitHub did not answer.
pub fn left_by(client: &Client, run: RunId, job: &str) -> Result<Left, HubError> {
    for attempt in (2..=run.attempt).rev() {
        let (id, attempt) = (run.id.to_string(), attempt.to_string());
        let call = Call::get(&["actions", "runs", &id, "attempts", &attempt, "jobs"])
            .asking("per_page", PAGE_ENTRIES)
            .or_say(
                format!("the jobs of run {id}, attempt {attempt}, were not listed"),
                "actions: read",
            );
        let listed = client.send_for_list(&call, |page: Page| page.jobs)?;
        let found: Vec<&Listed> = listed.iter().filter(|listed| listed.is(job)).collect();
        if !found.is_empty() {
            return left(&found).map_err(|error| {
                let why = format!("it does not say when `{job}` was started: {error}");
                call.failed(Problem::Unexpected { why })
            });
        }
    }
    Ok(Left::Any)
}
