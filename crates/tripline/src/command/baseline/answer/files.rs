//! What is accepted of a report, as files of the branch: read there as they are, without any checkout.
//!
//! Tested by `tests/it/publish/answer`.

use tripline_hub::git::{FilePath, NewFile};
use tripline_hub::{Client, CommitId, Login, contents};
use tripline_model::{Acceptances, Report, SuiteName, wire};

use super::super::propose;
use super::super::taking::Wanted;
use super::bad;
use super::request::Request;
use crate::accepted as kept;
use crate::actions::hub_failed;
use crate::error::Outcome;
use crate::project::Project;

/// The commit that the report is of, and the one that the branch is at: the same, or others with acceptances alone between.
#[derive(Clone, Copy)]
pub(super) struct Heads<'a> {
    pub(super) report: &'a CommitId,
    pub(super) branch: &'a CommitId,
}

/// What is accepted.
#[derive(Default)]
pub(super) struct Accepted {
    /// The files of acceptances as they shall be on the branch, as far as they change.
    pub(super) files: Vec<NewFile>,
    /// A line for each regression that is meant, whether it is taken now or was before.
    pub(super) words: String,
}

/// Finds out what is accepted of some reports.
pub(super) fn accepted(
    project: &Project,
    client: &Client,
    (request, who): (&Request, &Login),
    heads: Heads<'_>,
    reports: &[Report],
) -> Outcome<Accepted> {
    let commit = tripline_model::CommitId::new(heads.branch.as_str()).map_err(bad)?;
    // Who took it is known by the account; its address is GitHub's to give.
    let who = format!("{who} <{who}@users.noreply.github.com>");
    let wanted = Wanted {
        benchmark: &request.benchmark,
        metric: request.metric.as_ref(),
        who: &who,
        because: &request.because,
        commit: Some(&commit),
    };
    let mut accepted = Accepted::default();
    for report in reports {
        // A suite that the default branch does not have is nothing to write beside.
        if project.suite_if_any(&report.suite)?.is_none() {
            continue;
        }
        let path = place_of(project, &report.suite)?;
        let at = |head| acceptances_at(client, head, &path, &report.suite);
        let mut there = at(heads.branch)?;
        let before = if heads.report == heads.branch {
            there.clone()
        } else {
            at(heads.report)?
        };
        let taken = wanted.take(report, &before, &mut there).map_err(bad)?;
        accepted.words.extend([&*taken.lines, &*taken.already]);
        if !taken.lines.is_empty() {
            let bytes = wire::write_acceptances(&there).into_bytes();
            accepted.files.push(NewFile { path, bytes });
        }
    }
    Ok(accepted)
}

/// Reads what of a suite is accepted at a commit.
fn acceptances_at(
    client: &Client,
    commit: &CommitId,
    path: &FilePath,
    suite: &SuiteName,
) -> Outcome<Acceptances> {
    match contents::file_at(client, commit, path).map_err(hub_failed)? {
        Some(bytes) => wire::read_acceptances(&bytes).map_err(bad),
        None => Ok(Acceptances::new(suite.clone())),
    }
}

/// Returns the place of a suite's acceptances from the top of the repository, where the project may lie deeper.
fn place_of(project: &Project, suite: &SuiteName) -> Outcome<FilePath> {
    let place = kept::place_of(project, suite);
    let below = place.strip_prefix(project.root()).unwrap_or(&place);
    let place = format!("{}{}", propose::prefix(project.root())?, below.display());
    place.parse().map_err(bad)
}
