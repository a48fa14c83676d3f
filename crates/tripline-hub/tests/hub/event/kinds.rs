//! Each kind of event.

use tripline_hub::{Event, RunId};

use super::{PAYLOADS, read, variables};

fn event(at: usize) -> Event {
    let (name, repository, payload) = PAYLOADS[at];
    read(&variables(name, repository), payload.as_bytes())
        .unwrap()
        .event
}

#[test]
fn pull_requests_say_whether_anybody_may_have_written_them() {
    let Event::PullRequest(own) = event(0) else {
        panic!("it is a pull request");
    };
    assert_eq!((own.number, own.action.as_str()), (2, "opened"));
    assert_eq!(
        own.head.commit.as_str(),
        "ec26c3e57ca3a959ca5aad62de7213c562f8c821"
    );
    assert_eq!(
        (own.head.branch.as_str(), own.base.branch.as_str()),
        ("changes", "master")
    );
    assert_eq!(
        own.base.commit.as_str(),
        "f95f852bd8fca8fcc58a9a2d6c842781e32a215e"
    );
    assert!(!own.is_fork());
    let Event::PullRequest(fork) = event(1) else {
        panic!("it is a pull request");
    };
    assert!(fork.is_fork());
    assert_eq!(
        fork.head.repository.as_ref().unwrap().owner.as_str(),
        "fork-user"
    );
    let mut deleted = *fork;
    deleted.head.repository = None;
    assert!(deleted.is_fork(), "what is gone is nobody's of ours");
}

#[test]
fn workflow_runs_say_where_their_code_came_from() {
    let Event::WorkflowRun(fork) = event(2) else {
        panic!("it is a workflow run");
    };
    assert_eq!(
        fork.run,
        RunId {
            id: 289_782_451,
            attempt: 1
        }
    );
    assert_eq!(
        (fork.event.as_str(), fork.repository_id),
        ("pull_request", 300_029_405)
    );
    let head = fork.head.repository.as_ref().unwrap();
    assert_eq!((head.id, head.owner.as_str()), (300_030_405, "fork-user"));
    assert_eq!(fork.head.branch.as_ref().unwrap().as_str(), "changes");
    assert_eq!(fork.conclusion.as_ref().unwrap().as_str(), "success");
    assert_eq!(fork.pull_requests, [0; 0]);
    let Event::WorkflowRun(own) = event(3) else {
        panic!("it is a workflow run");
    };
    assert_eq!(own.pull_requests, [2]);
}

#[test]
fn a_workflow_is_known_by_its_file() {
    let Event::WorkflowRun(mut run) = event(2) else {
        panic!("it is a workflow run");
    };
    assert!(run.is_of(".github/workflows/test.yml"));
    run.path = ".github/workflows/test.yml@main".parse().unwrap();
    assert!(run.is_of(".github/workflows/test.yml"));
    for other in [
        "test.yml",
        ".github/workflows/test.yml@main",
        ".github/workflows/test",
        "",
    ] {
        assert!(!run.is_of(other), "{other}");
    }
}

#[test]
fn the_rest_says_what_we_act_upon() {
    let Event::Push(push) = event(4) else {
        panic!("it is a push");
    };
    assert_eq!(push.reference.as_str(), "refs/heads/master");
    assert_eq!(
        push.after.as_str(),
        "6113728f27ae82c7b1a177c8d03f9e96e0adf246"
    );
    let Event::IssueComment(on_pull) = event(6) else {
        panic!("it is a comment");
    };
    assert_eq!(
        (on_pull.id, on_pull.issue, on_pull.is_on_pull),
        (492_700_400, 1, true)
    );
    assert_eq!(
        (on_pull.author.as_str(), on_pull.association.as_str()),
        ("Codertocat", "OWNER")
    );
    assert_eq!(
        on_pull.body,
        "You are totally right! I'll get this fixed right away."
    );
    let Event::IssueComment(on_issue) = event(7) else {
        panic!("it is a comment");
    };
    assert!(!on_issue.is_on_pull);
}

#[test]
fn inputs_of_a_dispatched_workflow_are_texts() {
    assert_eq!(event(5), Event::WorkflowDispatch([].into()));
    let payload = r#"{"inputs": {"suite": "kv", "dry_run": true, "count": 7, "none": null}}"#;
    let context = read(
        &variables("workflow_dispatch", "acme/demo"),
        payload.as_bytes(),
    )
    .unwrap();
    let expected = [
        ("count", "7"),
        ("dry_run", "true"),
        ("none", ""),
        ("suite", "kv"),
    ];
    let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(context.event, Event::WorkflowDispatch(expected.into()));
    let none = read(
        &variables("workflow_dispatch", "acme/demo"),
        br#"{"inputs": null}"#,
    )
    .unwrap();
    assert_eq!(none.event, Event::WorkflowDispatch([].into()));
}

#[test]
fn a_schedule_is_of_the_default_branch_and_names_no_repository() {
    let mut variables = variables("schedule", "acme/demo");
    variables.insert("GITHUB_REPOSITORY_ID", "77".to_owned());
    variables.insert("GITHUB_REF", "refs/heads/trunk".to_owned());
    let payload = br#"{"schedule": "0 3 * * *"}"#;
    let schedule = read(&variables, payload).unwrap();
    assert_eq!(schedule.event, Event::Schedule);
    assert_eq!(schedule.repository_id, Some(77));
    assert_eq!(schedule.default_branch.unwrap().as_str(), "trunk");
    // Nothing else is of the default branch for certain.
    for name in ["push", "workflow_dispatch", "fork"] {
        variables.insert("GITHUB_EVENT_NAME", name.to_owned());
        let zero = "0".repeat(40);
        let payload =
            format!(r#"{{"ref": "refs/heads/trunk", "before": "{zero}", "after": "{zero}"}}"#);
        let other = read(&variables, payload.as_bytes()).unwrap();
        assert_eq!(other.default_branch, None, "{name}");
    }
    variables.insert("GITHUB_EVENT_NAME", "schedule".to_owned());
    variables.insert("GITHUB_REF", "refs/heads/..".to_owned());
    let error = read(&variables, payload).expect_err("it is no branch");
    assert!(
        error.to_string().contains("`GITHUB_REF` is wrong"),
        "{error}"
    );
}

#[test]
fn what_we_do_not_know_needs_nothing() {
    let other = read(&variables("fork", "acme/demo"), b"{}").unwrap();
    assert_eq!(other.event, Event::Other("fork".parse().unwrap()));
    // Runs the default branch's file with the head's secrets: not the event that our workflows are about.
    let target = read(&variables("pull_request_target", "acme/demo"), b"{}").unwrap();
    assert!(matches!(target.event, Event::Other(_)));
}
