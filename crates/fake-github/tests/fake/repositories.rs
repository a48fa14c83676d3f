//! Repositories, roles, settings and workflow runs.

use fake_github::{Access, Fake, Permission, Rights, Run};
use serde_json::{Value, json};

use crate::client::{Client, FORK, MAIN, TOPIC, world};

#[test]
fn a_fork_names_its_parent() {
    let fake = Fake::start(world());
    let bot = Client::new(&fake, "t-read");
    let home = bot.get("").body;
    assert_eq!(
        (&home["fork"], &home["parent"]),
        (&json!(false), &Value::Null)
    );
    assert_eq!(home["default_branch"], "main");
    // Names are found in any case, and spelt as the repository spells them.
    let fork = bot.get("//repos/Mallory/DEMO").body;
    assert_eq!(fork["full_name"], "mallory/demo");
    assert_eq!(fork["parent"]["id"], home["id"]);
}

#[test]
fn roles_have_two_names() {
    let mut world = world();
    for (login, permission) in [
        ("tia", Permission::Triage),
        ("max", Permission::Maintain),
        ("eve", Permission::None),
    ] {
        world = world.with_user(login, permission);
    }
    let fake = Fake::start(world);
    let bot = Client::new(&fake, "t-read");
    let cases = [
        ("acme", "admin", "admin"),
        ("max", "write", "maintain"),
        ("ADA", "write", "write"),
        ("tia", "read", "triage"),
        ("rae", "read", "read"),
        ("eve", "none", "none"),
        // Known by a pull request alone.
        ("mallory", "read", "read"),
    ];
    for (login, permission, role) in cases {
        let answer = bot.get(&format!("/collaborators/{login}/permission")).body;
        assert_eq!(answer["permission"], permission, "{login}");
        assert_eq!(answer["role_name"], role, "{login}");
    }
    let unknown = bot.get("/collaborators/nobody/permission");
    assert_eq!(unknown.status, 404);
    assert_eq!(unknown.body["message"], "nobody is not a user");
    fake.world().repositories[0].private = true;
    let answer = bot.get("/collaborators/mallory/permission").body;
    assert_eq!(answer["permission"], "none");
    assert_eq!(fake.violations(), [""; 0]);
}

#[test]
fn a_repository_says_the_role_and_of_a_classic_token_the_scopes() {
    let world = world()
        .with_token("t-narrow", Rights::classic("acme", "gist"))
        .with_token("t-fine", Rights::fine_grained("acme", Access::Read));
    let fake = Fake::start(world);
    for (token, push, scopes) in [
        ("t-owner", true, Some("repo, workflow")),
        ("t-rae", false, Some("repo, workflow")),
        // What the role allows and the token does not.
        ("t-narrow", true, Some("gist")),
        ("t-fine", true, None),
        // A program has no role, whatever its token may.
        ("t-write", false, None),
        ("t-read", false, None),
    ] {
        let client = Client::new(&fake, token);
        let answer = client.get("");
        let told = (
            answer.body["permissions"]["push"].as_bool(),
            answer.header("x-oauth-scopes"),
        );
        assert_eq!(told, (Some(push), scopes), "{token}");
    }
    let create = json!({"ref": "refs/heads/new", "sha": MAIN});
    for (token, status, accepted) in [
        ("t-fine", 403, Some("contents=write")),
        ("t-read", 403, Some("contents=write")),
        ("t-write", 201, None),
    ] {
        let answer = Client::new(&fake, token).post("/git/refs", &create);
        let told = (
            answer.status,
            answer.header("x-accepted-github-permissions"),
        );
        assert_eq!(told, (status, accepted), "{token}");
    }
    assert_eq!(fake.violations(), [""; 0]);
}

#[test]
fn settings_are_for_administrators() {
    let fake = Fake::start(world());
    let owner = Client::new(&fake, "t-owner");
    let settings = |read: &Client| {
        let answer = read.get("/actions/permissions/workflow").body;
        (
            answer["default_workflow_permissions"].clone(),
            answer["can_approve_pull_request_reviews"].clone(),
        )
    };
    assert_eq!(settings(&owner), (json!("read"), json!(true)));
    fake.world().settings.actions_may_create_pulls = false;
    fake.world().settings.workflows_may_write = true;
    assert_eq!(settings(&owner), (json!("write"), json!(false)));
}

#[test]
fn a_run_names_no_pull_request_of_a_fork() {
    let own = Run {
        id: 43,
        head_repository: "acme/demo".to_owned(),
        head_branch: "topic".to_owned(),
        head_sha: TOPIC.to_owned(),
        ..Run::default()
    };
    let fake = Fake::start(world().with_run(own));
    let bot = Client::new(&fake, "t-read");
    let of_fork = bot.get("/actions/runs/42").body;
    assert_eq!(of_fork["pull_requests"], json!([]));
    assert_eq!(of_fork["head_sha"], FORK);
    assert_eq!(of_fork["head_repository"]["full_name"], "mallory/demo");
    let of_home = bot.get("/actions/runs/43").body;
    assert_eq!(of_home["pull_requests"][0]["number"], 7);
    let short = bot.get("/actions/runs/43?exclude_pull_requests=true").body;
    assert_eq!(short["pull_requests"], json!([]));
    assert_eq!(bot.get("/actions/runs/44").status, 404);
    assert_eq!(fake.violations(), [""; 0]);
}

#[test]
fn what_starts_is_remembered() {
    let fake = Fake::start(world());
    let bot = Client::new(&fake, "t-write");
    let start = |reference: &str| {
        let body = json!({"ref": reference, "inputs": {"suite": "kv"}});
        bot.post("/actions/workflows/baseline.yml/dispatches", &body)
    };
    assert_eq!(start("main").status, 204);
    let unknown = start("none");
    assert_eq!(unknown.status, 422);
    assert_eq!(unknown.body["message"], "No ref found for: none");
    let world = fake.world();
    assert_eq!(world.dispatches.len(), 1);
    assert_eq!(world.dispatches[0].workflow, "baseline.yml");
}
