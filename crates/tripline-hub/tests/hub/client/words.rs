//! What is said when GitHub says no.

use fake_github::{Access, Rights, Scope};
use tripline_hub::comment;
use tripline_hub::issue::{self, Reaction};
use tripline_hub::{Client, HubError};

use crate::comment::comment;
use crate::support::{Hub, READ_TOKEN, Scripted, TOKEN, answer, clock, settings, told, world};

fn with_hint(error: &HubError) -> String {
    format!(
        "{}\n  hint: {}",
        told(error),
        error.hint().unwrap_or("none")
    )
}

#[test]
fn a_token_without_rights() {
    let hub = Hub::start(world());
    let error =
        comment::publish(&hub.client_with(READ_TOKEN), &comment(1)).expect_err("it may not");
    insta::assert_snapshot!(with_hint(&error), @r"
        no comment was written on pull request 7
          caused by: GitHub answered 403: Resource not accessible by integration
          hint: GitHub would take `issues=write; pull_requests=write`; give the job `permissions: { pull-requests: write }`; a run caused by a fork or by Dependabot never gets more than reading, so publish from a `workflow_run`
        ");
    assert_eq!(
        hub.requests().len(),
        2,
        "what is refused is not asked for again"
    );
}

#[test]
fn a_token_that_nobody_knows() {
    let hub = Hub::start(world());
    let error = comment::publish(&hub.client_with("ghs_unknown"), &comment(1))
        .expect_err("nobody knows it");
    insta::assert_snapshot!(with_hint(&error), @r"
        the comments on pull request 7 were not read, so none was written
          caused by: GitHub answered 401: Bad credentials
          hint: the token is not accepted: see that it has not expired and belongs to this GitHub
        ");
}

#[test]
fn a_pull_request_that_is_not_there() {
    let hub = Hub::start(world());
    let mut comment = comment(1);
    comment.pull = 8;
    let error = comment::publish(&hub.client(), &comment).expect_err("there is none");
    insta::assert_snapshot!(with_hint(&error), @r"
        the comments on pull request 8 were not read, so none was written
          caused by: GitHub answered 404: Not Found
          hint: see that it exists; GitHub says the same where the token may not see it, which takes `permissions: { pull-requests: write }`
        ");
}

#[test]
fn a_comment_may_take_another_permission_than_a_reaction() {
    let mut world = world();
    let id = world.add_comment(7, "ada", "Hello");
    let narrow = Rights::bot()
        .with(Scope::Issues, Access::None)
        .with(Scope::PullRequests, Access::Read);
    let hub = Hub::start(world.with_token("ghs_narrow", narrow));
    let error =
        issue::react(&hub.client_with("ghs_narrow"), id, Reaction::Eyes).expect_err("it may not");
    insta::assert_snapshot!(with_hint(&error), @r"
        no reaction was added to comment 1002
          caused by: GitHub answered 403: Resource not accessible by integration
          hint: GitHub would take `issues=write; pull_requests=write`; give the job `permissions: { issues: write }`; a run caused by a fork or by Dependabot never gets more than reading, so publish from a `workflow_run`
        ");
}

#[test]
fn what_a_server_says_is_short_and_harmless() {
    let body = format!(
        r#"{{"message":"\u001b[2J::error::x\n{}"}}"#,
        "y".repeat(10_000)
    );
    let server = Scripted::start(&[answer("403 Forbidden", "", &body)]);
    let client = Client::new(settings(&server.url(), TOKEN, clock()));
    let error = issue::remark(&client, 1).expect_err("it says no");
    let told = told(&error);
    assert!(
        told.contains(r"GitHub answered 403: \u{1b}[2J::error::x\nyyy"),
        "{told}"
    );
    assert!(told.chars().count() < 400, "{told}");
    assert_eq!(told.lines().count(), 2);
}
