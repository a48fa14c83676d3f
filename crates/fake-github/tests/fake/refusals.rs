//! Every refusal, word for word.

use fake_github::{Access, Fake, Rights, Scope, World};
use serde_json::{Value, json};

use crate::client::{Client, MAIN, TOPIC, world};

const MANUAL: &str = "https://docs.github.com/rest";

/// Who asks, what, and what the answer is: status, message, and where it is explained below the manual.
type Case<'a> = (&'a str, &'a str, Value, u16, &'a str, &'a str);

fn assert_refused(fake: &Fake, token: Option<&'static str>, cases: &[Case]) {
    let client = Client::at(&fake.url(), token);
    for (method, path, body, status, message, manual) in cases {
        let body = Some(body).filter(|body| !body.is_null());
        let answer = client.ask(method, path, body).unwrap();
        let wanted = json!({
            "message": message,
            "documentation_url": format!("{MANUAL}{manual}"),
            "status": status.to_string(),
        });
        let case = format!("{token:?} {method} {path}");
        assert_eq!((answer.status, answer.body), (*status, wanted), "{case}");
    }
}

#[test]
fn strangers() {
    let fake = Fake::start(world());
    let hello = json!({"body": "Hello."});
    let create = "/issues/comments#create-an-issue-comment";
    let permission = "/collaborators/collaborators#get-repository-permissions-for-a-user";
    let settings = "/actions/permissions#get-default-workflow-permissions-for-a-repository";
    assert_refused(
        &fake,
        Some("t-unknown"),
        &[("GET", "", Value::Null, 401, "Bad credentials", "")],
    );
    let needs = "Requires authentication";
    #[rustfmt::skip]
    let cases = [
        ("POST", "/issues/7/comments", hello, 401, needs, create),
        ("GET", "/collaborators/ada/permission", Value::Null, 401, needs, permission),
        ("GET", "/actions/permissions/workflow", Value::Null, 401, needs, settings),
        ("GET", "//repos/acme/other", Value::Null, 404, "Not Found", "/repos/repos#get-a-repository"),
        ("GET", "//nothing", Value::Null, 404, "Not Found", ""),
    ];
    assert_refused(&fake, None, &cases);
    // What is public may be looked at.
    let anybody = Client::at(&fake.url(), None);
    assert_eq!(anybody.get("/issues/7/comments").status, 200);
}

#[test]
fn tokens_without_the_right() {
    let blind = Rights::read_only().with(Scope::Actions, Access::None);
    let fake = Fake::start(world().with_token("t-blind", blind));
    let refused = "Resource not accessible by integration";
    let check = json!({"name": "bench", "head_sha": TOPIC});
    let pull = json!({"title": "A", "head": "topic", "base": "main"});
    let settings = "/actions/permissions#get-default-workflow-permissions-for-a-repository";
    #[rustfmt::skip]
    let cases = [
        ("POST", "/issues/7/comments", json!({"body": "Hello."}), 403, refused, "/issues/comments#create-an-issue-comment"),
        ("POST", "/check-runs", check, 403, refused, "/reference/checks#create-a-check-run"),
        ("POST", "/pulls", pull, 403, refused, "/pulls/pulls#create-a-pull-request"),
        ("GET", "/actions/permissions/workflow", Value::Null, 403, refused, settings),
    ];
    assert_refused(&fake, Some("t-read"), &cases);
    // What may not be read is not there.
    #[rustfmt::skip]
    let cases = [
        ("GET", "/actions/runs/42", Value::Null, 404, "Not Found", "/actions/workflow-runs#get-a-workflow-run"),
        ("GET", "/actions/runs/42/artifacts", Value::Null, 404, "Not Found", "/actions/artifacts#list-workflow-run-artifacts"),
    ];
    assert_refused(&fake, Some("t-blind"), &cases);
    assert_eq!(fake.world().comments, []);
    assert_eq!(fake.world().check_runs, []);
    assert_eq!(fake.violations(), [""; 0]);
}

#[test]
fn people_without_the_role() {
    let fake = Fake::start(world());
    let file = json!({"message": "A", "content": ""});
    let check = json!({"name": "bench", "head_sha": TOPIC});
    let admin = "Must have admin rights to Repository.";
    let files = "/repos/contents#create-or-update-file-contents";
    let settings = "/actions/permissions#get-default-workflow-permissions-for-a-repository";
    #[rustfmt::skip]
    let of_rae = [
        ("PUT", "/contents/a.txt", file, 403, admin, files),
        ("GET", "/actions/permissions/workflow", Value::Null, 403, admin, settings),
    ];
    assert_refused(&fake, Some("t-rae"), &of_rae);
    let app = "You must authenticate via a GitHub App.";
    #[rustfmt::skip]
    let of_ada = [("POST", "/check-runs", check, 403, app, "/reference/checks#create-a-check-run")];
    assert_refused(&fake, Some("t-ada"), &of_ada);
    // Whoever may look may talk.
    let rae = Client::new(&fake, "t-rae");
    let said = rae.post("/issues/7/comments", &json!({"body": "Hello."}));
    assert_eq!(
        (said.status, &said.body["user"]["type"]),
        (201, &json!("User"))
    );
}

#[test]
fn what_is_private_is_not_there_for_strangers() {
    let mut world = world();
    world.repositories[0].private = true;
    let fake = Fake::start(world);
    #[rustfmt::skip]
    let cases = [
        ("GET", "", Value::Null, 404, "Not Found", "/repos/repos#get-a-repository"),
        ("GET", "/pulls", Value::Null, 404, "Not Found", "/pulls/pulls#list-pull-requests"),
        ("POST", "/issues/7/comments", json!({"body": "Hello."}), 404, "Not Found", "/issues/comments#create-an-issue-comment"),
    ];
    assert_refused(&fake, None, &cases);
    assert_eq!(Client::new(&fake, "t-read").get("").status, 200);
}

#[test]
fn forks_are_for_looking_only() {
    let fake = Fake::start(world());
    let status = "//repos/mallory/demo/statuses/cccccccccccccccccccccccccccccccccccccccc";
    let refused = "Resource not accessible by integration";
    #[rustfmt::skip]
    let cases = [
        ("POST", status, json!({"state": "success"}), 403, refused, "/commits/statuses#create-a-commit-status"),
        ("GET", "//repos/mallory/demo/pulls/8", Value::Null, 404, "Not Found", "/pulls/pulls#get-a-pull-request"),
    ];
    assert_refused(&fake, Some("t-write"), &cases);
}

#[test]
fn what_git_cannot_do() {
    let fake = Fake::start(world().with_file("docs", "a.txt", b"one"));
    let nobody = "dddddddddddddddddddddddddddddddddddddddd";
    let no_commit = format!("No commit found for SHA: {nobody}");
    let create = "/git/refs#create-a-reference";
    let update = "/git/refs#update-a-reference";
    let contents = "/repos/contents#create-or-update-file-contents";
    #[rustfmt::skip]
    let cases = [
        ("POST", "/git/refs", json!({"ref": "refs/heads/topic", "sha": MAIN}), 422, "Reference already exists", create),
        ("POST", "/git/refs", json!({"ref": "refs/heads/new", "sha": nobody}), 422, "Object does not exist", create),
        ("POST", "/git/refs", json!({"ref": "new", "sha": MAIN}), 422, "new is not a valid ref name.", create),
        ("PATCH", "/git/refs/heads/none", json!({"sha": MAIN}), 422, "Reference does not exist", update),
        ("PATCH", "/git/refs/heads/main", json!({"sha": TOPIC}), 422, "Update is not a fast forward", update),
        ("DELETE", "/git/refs/heads/none", Value::Null, 422, "Reference does not exist", "/git/refs#delete-a-reference"),
        ("GET", "/git/ref/heads/none", Value::Null, 404, "Not Found", "/git/refs#get-a-reference"),
        ("GET", "/branches/none", Value::Null, 404, "Branch not found", "/branches/branches#get-a-branch"),
        ("GET", "/commits/none", Value::Null, 422, "No commit found for SHA: none", "/commits/commits#get-a-commit"),
        ("POST", "/check-runs", json!({"name": "a", "head_sha": nobody}), 422, &no_commit, "/reference/checks#create-a-check-run"),
        ("PUT", "/contents/a.txt", json!({"message": "A", "content": "", "branch": "none"}), 404, "Branch none not found", contents),
        ("PUT", "/contents/a.txt", json!({"message": "A", "content": "", "branch": "docs"}), 422,
            "Invalid request.\n\n\"sha\" wasn't supplied.", contents),
        ("PUT", "/contents/a.txt", json!({"message": "A", "content": "", "branch": "docs", "sha": "e"}), 409,
            "a.txt does not match e", contents),
        ("PUT", "/contents/b.txt", json!({"message": "A", "content": "?", "branch": "docs"}), 422,
            "content is not valid Base64", contents),
    ];
    assert_refused(&fake, Some("t-write"), &cases);
    assert_eq!(fake.violations(), [""; 0]);
}

#[test]
fn what_cannot_be_read_at_all() {
    let fake = Fake::start(world());
    let agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .user_agent("")
        .build();
    let agent: ureq::Agent = agent.into();
    let address = format!("{}/repos/acme/demo/issues/7/comments", fake.url());
    let mut answer = agent.get(&address).call().unwrap();
    let text = answer.body_mut().read_to_string().unwrap();
    assert_eq!(answer.status().as_u16(), 403);
    assert!(
        text.contains("Please make sure your request has a User-Agent header"),
        "{text}"
    );

    let answer = agent
        .post(&address)
        .header("authorization", "token t-write")
        .header("user-agent", "test")
        .send("{\"body\":")
        .unwrap();
    assert_eq!(answer.status().as_u16(), 400);

    let answer = agent
        .get(&address)
        .header("user-agent", "test")
        .header("x-github-api-version", "2026-03-10")
        .call()
        .unwrap();
    assert_eq!(answer.status().as_u16(), 400);

    let violations = fake.violations();
    assert_eq!(violations[0], "no user agent was sent");
    let of_another = "the description is of version 2022-11-28, not 2026-03-10";
    assert_eq!(violations[2], of_another);
    assert!(
        violations[1].starts_with("the body is not JSON"),
        "{violations:?}"
    );
    assert_eq!(violations.len(), 3);
}

#[test]
fn an_hour_has_so_many_requests() {
    let mut world = World::new("acme/demo").with_token("t-write", Rights::bot());
    world.settings.rate_limit = 2;
    let fake = Fake::start(world);
    let client = Client::new(&fake, "t-write");
    let left = |answer: &crate::client::Answer| {
        let left = answer.header("x-ratelimit-remaining");
        left.map(str::to_owned).unwrap()
    };
    assert_eq!(left(&client.get("")), "1");
    assert_eq!(left(&client.get("/pulls")), "0");
    let refused = client.get("");
    assert_eq!(refused.status, 403);
    assert_eq!(
        refused.body["message"],
        "API rate limit exceeded for installation ID 1."
    );
    assert_eq!(left(&refused), "0");
    // Asking how many are left is free.
    let rate = client.get("//rate_limit");
    assert_eq!((rate.status, &rate.body["rate"]["used"]), (200, &json!(2)));
}
