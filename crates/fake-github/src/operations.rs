//! What each operation does: one function each, and the table that says what a caller must be allowed.
//!
//! An operation that the description has and this table lacks cannot be: a test compares them. The functions say what means
//! something; the description fills in the rest.
//!
//! Tested in `tests/fake/`, one file per group.

use crate::{
    call::Call,
    reply::Answer,
    world::{Access, Scope, World},
};

pub(crate) mod artifacts;
mod checks;
mod comments;
mod commits;
mod contents;
mod objects;
mod pulls;
mod references;
mod repositories;
mod runs;

/// An operation.
pub(crate) struct Row {
    pub(crate) id: &'static str,
    /// One of these is enough; none means that whoever sees the repository may.
    pub(crate) scopes: &'static [Scope],
    pub(crate) access: Access,
    pub(crate) answer: fn(&mut World, &Call) -> Answer,
}

/// Finds the row of an operation.
pub(crate) fn row(id: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.id == id)
}

const fn reads(
    id: &'static str,
    scopes: &'static [Scope],
    answer: fn(&mut World, &Call) -> Answer,
) -> Row {
    Row {
        id,
        scopes,
        access: Access::Read,
        answer,
    }
}

const fn writes(
    id: &'static str,
    scopes: &'static [Scope],
    answer: fn(&mut World, &Call) -> Answer,
) -> Row {
    Row {
        id,
        scopes,
        access: Access::Write,
        answer,
    }
}

const ACTIONS: &[Scope] = &[Scope::Actions];
const ADMINISTRATION: &[Scope] = &[Scope::Administration];
const CHECKS: &[Scope] = &[Scope::Checks];
const CONTENTS: &[Scope] = &[Scope::Contents];
const PAGES: &[Scope] = &[Scope::Pages];
const PULLS: &[Scope] = &[Scope::PullRequests];
const STATUSES: &[Scope] = &[Scope::Statuses];
/// A pull request is an issue as far as talking goes.
const TALK: &[Scope] = &[Scope::Issues, Scope::PullRequests];

/// All operations.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row] = &[
    writes("actions/create-workflow-dispatch", ACTIONS, runs::dispatch),
    reads("actions/download-artifact", ACTIONS, artifacts::download),
    reads("actions/get-artifact", ACTIONS, artifacts::get),
    reads("actions/get-github-actions-default-workflow-permissions-repository", ADMINISTRATION, runs::default_permissions),
    reads("actions/get-github-actions-permissions-repository", ADMINISTRATION, runs::permissions),
    reads("actions/get-workflow-run", ACTIONS, runs::get),
    reads("actions/list-artifacts-for-repo", ACTIONS, artifacts::list_all),
    reads("actions/list-jobs-for-workflow-run-attempt", ACTIONS, runs::jobs),
    reads("actions/list-workflow-run-artifacts", ACTIONS, artifacts::list_of_run),
    writes("checks/create", CHECKS, checks::create),
    reads("checks/get", CHECKS, checks::get),
    writes("checks/update", CHECKS, checks::update),
    writes("git/create-blob", CONTENTS, objects::create_blob),
    writes("git/create-commit", CONTENTS, objects::create_commit),
    writes("git/create-ref", CONTENTS, references::create),
    writes("git/create-tree", CONTENTS, objects::create_tree),
    writes("git/delete-ref", CONTENTS, references::delete),
    reads("git/get-ref", CONTENTS, references::get),
    reads("git/list-matching-refs", CONTENTS, references::matching),
    writes("git/update-ref", CONTENTS, references::update),
    writes("issues/add-labels", TALK, pulls::add_labels),
    writes("issues/create-comment", TALK, comments::create),
    writes("issues/delete-comment", TALK, comments::delete),
    reads("issues/get-comment", TALK, comments::get),
    reads("issues/list-comments", TALK, comments::list),
    writes("issues/update-comment", TALK, comments::update),
    writes("pulls/create", PULLS, pulls::create),
    reads("pulls/get", PULLS, pulls::get),
    reads("pulls/list", PULLS, pulls::list),
    reads("pulls/list-commits", PULLS, pulls::commits),
    writes("pulls/update", PULLS, pulls::update),
    reads("rate-limit/get", &[], repositories::rate_limit),
    writes("reactions/create-for-issue-comment", TALK, comments::react),
    reads("repos/compare-commits-with-basehead", CONTENTS, commits::compare),
    writes("repos/create-commit-status", STATUSES, checks::create_status),
    writes("repos/create-or-update-file-contents", CONTENTS, contents::put),
    writes("repos/create-pages-deployment", PAGES, runs::deploy_pages),
    reads("repos/get", &[], repositories::get),
    reads("repos/get-branch", CONTENTS, repositories::branch),
    reads("repos/get-collaborator-permission-level", &[], repositories::permission),
    reads("repos/get-commit", CONTENTS, commits::get),
    reads("repos/get-content", CONTENTS, contents::get),
    reads("repos/list-commits", CONTENTS, commits::list),
    reads("repos/list-pull-requests-associated-with-commit", PULLS, pulls::of_commit),
];
