//! Whether a comment that says it is newer than ours is believed, and so stays.
//!
//! A marker is text. Whoever gets a workflow of the repository to repeat theirs in a comment can write one that names a
//! run later than all that will ever be, and would silence us for good. So what a marker says of itself is asked of
//! GitHub, and only where it would silence us: in the common case that costs no request.
//!
//! - One about another commit is believed where the pull request is no longer at ours.
//! - One about our commit is believed where GitHub knows that attempt, of that run, at that commit, and of the workflow
//!   whose run ours is. Of the same run, only the attempt is in question.
//!
//! Tested in `tests/hub/comment/claims.rs`.

use std::cmp::Reverse;

use serde::Deserialize;

use tripline_model::few;

use super::{Comment, Listed, Marker};
use crate::client::{Call, Client};
use crate::error::HubError;
use crate::pulls;

/// How many claims are looked into. A race leaves one or two; who plants more wants us to be busy.
const CLAIMS_MAX: usize = 3;

/// A workflow run as GitHub knows it, as far as we read it.
#[derive(Deserialize)]
struct Run {
    workflow_id: u64,
    head_sha: String,
    run_attempt: u64,
}

/// Returns the newest of our comments that is about something later than this one, and is right about that.
pub(super) fn newer<'a>(
    client: &Client,
    comment: &Comment,
    ours: &'a [(Listed, Marker)],
) -> Result<Option<&'a Marker>, HubError> {
    let markers = ours.iter().map(|(_, marker)| marker);
    let mut claims: Vec<&Marker> = markers
        .filter(|marker| marker.run > comment.marker.run)
        .collect();
    few::sort_by_key(&mut claims, |claim| Reverse(claim.run));
    for claim in claims.into_iter().take(CLAIMS_MAX) {
        if is_true(client, comment, claim)? {
            return Ok(Some(claim));
        }
    }
    Ok(None)
}

fn is_true(client: &Client, comment: &Comment, claim: &Marker) -> Result<bool, HubError> {
    let own = &comment.marker;
    if claim.head != own.head {
        let pull = pulls::by_number(client, comment.pull)?;
        return Ok(pull.is_none_or(|pull| pull.head != own.head));
    }
    let Some(run) = run(client, claim.run.id)? else {
        return Ok(false);
    };
    let is_known = run.head_sha == claim.head.as_str() && run.run_attempt >= claim.run.attempt;
    if !is_known || claim.run.id == own.run.id {
        return Ok(is_known);
    }
    let own_run = self::run(client, own.run.id)?;
    Ok(own_run.is_some_and(|own| own.workflow_id == run.workflow_id))
}

fn run(client: &Client, id: u64) -> Result<Option<Run>, HubError> {
    // GitHub counts in signed numbers, and nobody says what it answers to others.
    if i64::try_from(id).is_err() {
        return Ok(None);
    }
    let number = id.to_string();
    let call = Call::get(&["actions", "runs", &number])
        .or_say(format!("run {number} was not looked at"), "actions: read");
    match client.send(&call) {
        Err(error) if matches!(error.status(), Some(400 | 404 | 410 | 422)) => Ok(None),
        answer => answer?.json().map(Some),
    }
}
