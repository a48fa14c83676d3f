//! The committed part of GitHub's description, and that requests are held to it.

use std::{collections::BTreeSet, fs, path::Path};

use fake_github::{CONTRACT, Fake, operations};
use serde_json::{Value, json};

use crate::client::{Client, TOPIC, world};

fn description() -> Value {
    serde_json::from_str(CONTRACT).unwrap()
}

fn references<'a>(value: &'a Value, found: &mut BTreeSet<&'a str>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get("$ref").and_then(Value::as_str));
            members.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

#[test]
fn it_leads_nowhere_but_into_itself() {
    let description = description();
    let mut found = BTreeSet::new();
    references(&description, &mut found);
    assert!(found.len() > 50, "{found:?}");
    for reference in &found {
        let target = description.pointer(reference.trim_start_matches('#'));
        assert!(target.is_some(), "{reference} leads nowhere");
    }
    // And nothing in it is not led to.
    for (kind, components) in description["components"].as_object().unwrap() {
        for name in components.as_object().unwrap().keys() {
            let reference = format!("#/components/{kind}/{name}");
            assert!(
                found.contains(reference.as_str()),
                "{reference} is not used"
            );
        }
    }
}

#[test]
fn it_is_of_just_what_is_answered() {
    let description = description();
    let paths = description["paths"].as_object().unwrap().values();
    let described: BTreeSet<&str> = paths
        .flat_map(|methods| methods.as_object().unwrap().values())
        .map(|operation| operation["operationId"].as_str().unwrap())
        .collect();
    let answered: BTreeSet<&str> = operations().into_iter().collect();
    assert_eq!(described, answered);
    assert_eq!(
        operations().len(),
        answered.len(),
        "an operation is answered twice"
    );
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("contract/operations.txt");
    let list = fs::read_to_string(list).unwrap();
    assert_eq!(list.lines().collect::<BTreeSet<_>>(), answered);
}

#[test]
fn it_is_small_and_says_where_it_is_from() {
    let description = description();
    assert!(CONTRACT.len() < 200_000, "{} bytes", CONTRACT.len());
    assert_eq!(description["info"]["source"], "@octokit/openapi");
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("contract/README.md");
    let readme = fs::read_to_string(readme).unwrap();
    let version = description["info"]["version"].as_str().unwrap();
    assert!(
        readme.contains(version),
        "contract/README.md does not name version {version}"
    );
}

/// Requests that GitHub's description forbids: method, path, body, and what is said about them.
#[test]
fn requests_are_held_to_it() {
    let fake = Fake::start(world());
    let bot = Client::new(&fake, "t-write");
    let check = |more: Value| {
        let mut check = json!({"name": "bench", "head_sha": TOPIC});
        check
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        check
    };
    let annotation = |more: &str| {
        let mut it = json!({
            "path": "a", "start_line": 1, "end_line": 1, "annotation_level": "notice", "message": "A",
        });
        it[more] = json!("b");
        check(json!({"output": {"title": "a", "summary": "b", "annotations": [it]}}))
    };
    #[rustfmt::skip]
    let cases = [
        ("POST", "/issues/7/comments", json!({}), "/: \"body\" is a required property"),
        ("POST", "/issues/7/comments", json!({"body": 7}), "/body: 7 is not of type"),
        ("POST", "/issues/7/comments", json!({"body": "a", "bdoy": "b"}), "/bdoy: no such member is known"),
        ("POST", "/issues/7/comments", Value::Null, "A body is expected, and none was sent."),
        ("GET", "/issues/7/comments", json!({"body": "a"}), "A body was sent, and none is expected."),
        ("GET", "/issues/7/comments?perpage=9", Value::Null, "?perpage: no such parameter is known"),
        ("GET", "/issues/7/comments?per_page=many", Value::Null, "?per_page: `many` is not allowed"),
        ("GET", "/issues/seven/comments", Value::Null, "issue_number: `seven` is not allowed"),
        ("GET", "/pulls?state=merged", Value::Null, "?state: `merged` is not allowed"),
        ("GET", "/actions/runs/42?exclude_pull_requests=yes", Value::Null, "?exclude_pull_requests: `yes` is not allowed"),
        ("POST", "/check-runs", check(json!({"conclusion": "fine"})), "/conclusion: "),
        ("POST", "/check-runs", check(json!({"ouput": {}})), "/ouput: no such member is known"),
        ("POST", "/check-runs", check(json!({"started_at": "today"})), "/started_at: "),
        ("POST", "/check-runs", annotation("titel"), "/output/annotations/0/titel: no such member is known"),
        ("POST", "/issues/7/labels", json!({"labels": [{"name": "a", "colour": "b"}]}), "/labels/0/colour: no such member is known"),
        ("POST", "/pulls", json!({"title": "A", "head": "topic"}), "/: \"base\" is a required property"),
    ];
    for (at, (method, path, body, wanted)) in cases.iter().enumerate() {
        let body = Some(body).filter(|body| !body.is_null());
        let answer = bot.ask(method, path, body).unwrap();
        let message = answer.body["message"].as_str().unwrap_or_default();
        let wanted = format!("Invalid request.\n\n{wanted}");
        assert!(message.starts_with(&wanted), "{method} {path}: {message}");
        assert_eq!(answer.status, 422);
        assert_eq!(fake.violations().len(), at + 1);
    }
    assert_eq!(fake.world().comments, []);
    // The same inputs that may be anything elsewhere are anything here.
    let start = json!({"ref": "main", "inputs": {"suite": "kv"}});
    assert_eq!(
        bot.post("/actions/workflows/1/dispatches", &start).status,
        204
    );
    assert_eq!(fake.world().dispatches[0].inputs["suite"], "kv");
}

#[test]
fn what_nobody_described_is_not_there() {
    let fake = Fake::start(world());
    let bot = Client::new(&fake, "t-write");
    assert_eq!(bot.get("/issues").status, 404);
    let unknown = "GET /repos/acme/demo/issues: no such operation";
    assert_eq!(fake.violations(), [unknown]);
}

#[test]
fn our_own_answers_are_held_to_it() {
    let mut world = world();
    // No moment in time.
    world.add_comment(7, "rae", "Hello.");
    world.comments[0].created_at = "yesterday".to_owned();
    let fake = Fake::start(world);
    let answer = Client::new(&fake, "t-read").get("/issues/7/comments");
    assert_eq!(answer.status, 500);
    let violations = fake.violations();
    let wanted = "our answer to issues/list-comments: /0/created_at: ";
    assert!(violations[0].starts_with(wanted), "{violations:?}");
}
