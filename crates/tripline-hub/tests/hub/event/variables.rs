//! The runner's environment.

use std::path::Path;

use tripline_hub::{RunId, payload_path};

use super::{PAYLOADS, read, variables};

#[test]
fn the_context_is_what_the_runner_says() {
    let (name, repository, payload) = PAYLOADS[2];
    let mut variables = variables(name, repository);
    variables.insert(
        "GITHUB_WORKFLOW_REF",
        "octo-org/octo-repo/.github/workflows/x.yml@refs/heads/main".to_owned(),
    );
    let context = read(&variables, payload.as_bytes()).unwrap();
    assert_eq!(context.api.to_string(), "https://api.github.com");
    assert_eq!(context.repository.to_string(), repository);
    assert_eq!(context.repository_id, Some(300_029_405));
    assert_eq!(context.default_branch.as_ref().unwrap().as_str(), "master");
    assert_eq!(
        context.run,
        RunId {
            id: 4242,
            attempt: 2
        }
    );
    assert_eq!(context.workflow.as_ref().unwrap().as_str(), "bench");
    assert!(
        context
            .workflow_reference
            .as_ref()
            .unwrap()
            .as_str()
            .ends_with("x.yml@refs/heads/main")
    );
    assert_eq!(context.reference.as_str(), "refs/heads/main");
    assert_eq!(
        context.summary_file.as_deref(),
        Some(Path::new("/runner/summary"))
    );
    assert_eq!(
        context.output_file.as_deref(),
        Some(Path::new("/runner/output"))
    );
    assert_eq!(
        context.run_page(),
        "https://github.com/octo-org/octo-repo/actions/runs/4242/attempts/2"
    );
    assert_eq!(
        payload_path(|name| variables.get(name).cloned()).unwrap(),
        Path::new("/github/workflow/event.json")
    );
    payload_path(|_| None).expect_err("it is not set");
}

#[test]
fn an_enterprise_server_has_its_own_addresses() {
    let (name, repository, payload) = PAYLOADS[2];
    let mut variables = variables(name, repository);
    variables.insert("GITHUB_API_URL", "https://ghe.example/api/v3".to_owned());
    variables.insert("GITHUB_SERVER_URL", "https://ghe.example".to_owned());
    let context = read(&variables, payload.as_bytes()).unwrap();
    assert_eq!(context.api.to_string(), "https://ghe.example/api/v3");
    assert_eq!(
        context.page(&["pull", "7"]),
        "https://ghe.example/octo-org/octo-repo/pull/7"
    );
}

#[test]
fn what_need_not_be_set_need_not() {
    let (name, repository, payload) = PAYLOADS[2];
    let mut variables = variables(name, repository);
    for name in [
        "GITHUB_RUN_ATTEMPT",
        "GITHUB_WORKFLOW",
        "GITHUB_STEP_SUMMARY",
        "GITHUB_OUTPUT",
    ] {
        variables.insert(name, String::new());
    }
    let context = read(&variables, payload.as_bytes()).unwrap();
    assert_eq!(context.run.attempt, 1);
    assert_eq!(
        (context.workflow, context.summary_file, context.output_file),
        (None, None, None)
    );
}

#[test]
fn what_must_be_set_must_be_right() {
    let (name, repository, payload) = PAYLOADS[2];
    let mut said = Vec::new();
    for (name_of, value) in [
        ("GITHUB_API_URL", ""),
        ("GITHUB_API_URL", "http://api.github.com"),
        ("GITHUB_SERVER_URL", "github.com"),
        ("GITHUB_EVENT_PATH", ""),
        ("GITHUB_EVENT_NAME", ""),
        ("GITHUB_REPOSITORY", "octo-repo"),
        ("GITHUB_REPOSITORY", "octo-org/other"),
        ("GITHUB_RUN_ID", "latest"),
        ("GITHUB_RUN_ATTEMPT", "-1"),
        ("GITHUB_SHA", "main"),
        ("GITHUB_REF", ""),
    ] {
        let mut variables = variables(name, repository);
        variables.insert(name_of, value.to_owned());
        let error = read(&variables, payload.as_bytes()).expect_err(value);
        said.push(format!("{error}\n  hint: {}", error.hint()));
    }
    insta::assert_snapshot!(said.join("\n"), @r"
        the event was not read: `GITHUB_API_URL` is not set
          hint: run it in a job of GitHub Actions, or set what the runner sets there
        the event was not read: `GITHUB_API_URL` is wrong: `http://api.github.com` is no address of GitHub: it is neither `https` nor `http` to this machine
          hint: run it in a job of GitHub Actions, or set what the runner sets there
        the event was not read: `GITHUB_SERVER_URL` is wrong: `github.com` is no address of GitHub: it cannot be parsed
          hint: run it in a job of GitHub Actions, or set what the runner sets there
        the event was not read: `GITHUB_EVENT_PATH` is not set
          hint: run it in a job of GitHub Actions, or set what the runner sets there
        the event was not read: `GITHUB_EVENT_NAME` is not set
          hint: run it in a job of GitHub Actions, or set what the runner sets there
        the event was not read: `GITHUB_REPOSITORY` is wrong: `octo-repo` is no repository, which is `owner/name`
          hint: run it in a job of GitHub Actions, or set what the runner sets there
        the event was not read: in `/github/workflow/event.json`, /repository/full_name is not octo-org/other, as `GITHUB_REPOSITORY` says
          hint: give the payload as GitHub delivers it, and the variables of the same event
        the event was not read: `GITHUB_RUN_ID` is wrong: invalid digit found in string
          hint: run it in a job of GitHub Actions, or set what the runner sets there
        the event was not read: `GITHUB_RUN_ATTEMPT` is wrong: invalid digit found in string
          hint: run it in a job of GitHub Actions, or set what the runner sets there
        the event was not read: `GITHUB_SHA` is wrong: `main` is no commit, which is 40 or 64 hexadecimal digits
          hint: run it in a job of GitHub Actions, or set what the runner sets there
        the event was not read: `GITHUB_REF` is not set
          hint: run it in a job of GitHub Actions, or set what the runner sets there
        ");
    let mut long = variables(name, repository);
    long.insert("GITHUB_WORKFLOW", "x".repeat(3000));
    read(&long, payload.as_bytes()).expect_err("it is too long");
}
