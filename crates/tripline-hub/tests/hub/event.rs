//! What happened and where, out of payloads as GitHub publishes them.

mod damage;
mod kinds;
mod variables;

use std::collections::BTreeMap;

use tripline_hub::{Context, EventError};

/// The payloads: what each is, its event's name, its repository and its text.
const PAYLOADS: &[(&str, &str, &str)] = &[
    (
        "pull_request",
        "Codertocat/Hello-World",
        include_str!("fixtures/events/pull_request.opened.same-repo.json"),
    ),
    (
        "pull_request",
        "Codertocat/Hello-World",
        include_str!("fixtures/events/derived.pull_request.opened.fork.json"),
    ),
    (
        "workflow_run",
        "octo-org/octo-repo",
        include_str!("fixtures/events/derived.workflow_run.completed.fork-pr.json"),
    ),
    (
        "workflow_run",
        "octo-org/octo-repo",
        include_str!("fixtures/events/workflow_run.completed.with-pull-requests.json"),
    ),
    (
        "push",
        "Codertocat/Hello-World",
        include_str!("fixtures/events/push.json"),
    ),
    (
        "workflow_dispatch",
        "octo-org/octo-repo",
        include_str!("fixtures/events/workflow_dispatch.json"),
    ),
    (
        "issue_comment",
        "Codertocat/Hello-World",
        include_str!("fixtures/events/derived.issue_comment.created.on-pr.json"),
    ),
    (
        "issue_comment",
        "Codertocat/Hello-World",
        include_str!("fixtures/events/issue_comment.created.json"),
    ),
];

/// Returns the variables that the runner sets.
fn variables(event: &str, repository: &str) -> BTreeMap<&'static str, String> {
    let pairs = [
        ("GITHUB_API_URL", "https://api.github.com"),
        ("GITHUB_SERVER_URL", "https://github.com"),
        ("GITHUB_EVENT_PATH", "/github/workflow/event.json"),
        ("GITHUB_EVENT_NAME", event),
        ("GITHUB_REPOSITORY", repository),
        ("GITHUB_RUN_ID", "4242"),
        ("GITHUB_RUN_ATTEMPT", "2"),
        ("GITHUB_WORKFLOW", "bench"),
        ("GITHUB_SHA", "ec26c3e57ca3a959ca5aad62de7213c562f8c821"),
        ("GITHUB_REF", "refs/heads/main"),
        ("GITHUB_STEP_SUMMARY", "/runner/summary"),
        ("GITHUB_OUTPUT", "/runner/output"),
    ];
    pairs
        .into_iter()
        .map(|(name, value)| (name, value.to_owned()))
        .collect()
}

fn read(variables: &BTreeMap<&'static str, String>, payload: &[u8]) -> Result<Context, EventError> {
    Context::read(|name| variables.get(name).cloned(), payload)
}
