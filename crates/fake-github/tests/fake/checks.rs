//! Check runs, their annotations, and statuses.

use fake_github::Fake;
use serde_json::{Value, json};

use crate::client::{Client, FORK, TOPIC, world};

fn output(annotations: usize) -> Value {
    let annotation = json!({
        "path": "src/lib.rs", "start_line": 1, "end_line": 1, "annotation_level": "failure", "message": "Slower.",
    });
    json!({"title": "Bench", "summary": "Slower.", "annotations": vec![annotation; annotations]})
}

#[test]
fn fifty_annotations_at_a_time() {
    let fake = Fake::start(world());
    let bot = Client::new(&fake, "t-write");
    let check = |count: usize| json!({"name": "bench", "head_sha": FORK, "output": output(count)});
    let refused = bot.post("/check-runs", &check(51));
    assert_eq!(refused.status, 422);
    let message = refused.body["message"].as_str().unwrap();
    assert!(
        message.starts_with("Invalid request.\n\n/output/annotations: "),
        "{message}"
    );
    assert_eq!(fake.world().check_runs, []);
    assert_eq!(fake.violations().len(), 1);

    let made = bot.post("/check-runs", &check(50));
    assert_eq!((made.status, &made.body["status"]), (201, &json!("queued")));
    let place = format!("/check-runs/{}", made.id());
    let more = bot.patch(
        &place,
        &json!({"conclusion": "failure", "output": output(10)}),
    );
    assert_eq!(more.status, 200);
    assert_eq!(more.body["output"]["annotations_count"], 60);
    assert_eq!(more.body["status"], "completed");
    assert!(more.body["completed_at"].is_string());
    assert_eq!(fake.world().check_runs[0].annotations.len(), 60);
    assert_eq!(fake.violations().len(), 1);
}

#[test]
fn what_a_check_says_has_a_length() {
    let fake = Fake::start(world());
    let bot = Client::new(&fake, "t-write");
    for (length, status) in [(65_535, 201), (65_536, 422)] {
        let output = json!({"title": "Bench", "summary": "a".repeat(length)});
        let check = json!({"name": "bench", "head_sha": TOPIC, "output": output});
        assert_eq!(bot.post("/check-runs", &check).status, status);
    }
}

#[test]
fn what_is_completed_has_a_conclusion() {
    let fake = Fake::start(world());
    let bot = Client::new(&fake, "t-write");
    let check = json!({"name": "bench", "head_sha": TOPIC, "status": "completed"});
    let refused = bot.post("/check-runs", &check);
    let wanted = json!({
        "message": "Invalid request.\n\nA completed check run needs a conclusion.",
        "documentation_url": "https://docs.github.com/rest/reference/checks#create-a-check-run",
        "status": "422",
    });
    assert_eq!((refused.status, refused.body), (422, wanted));
    let odd = json!({"name": "bench", "head_sha": TOPIC, "conclusion": "splendid"});
    assert_eq!(bot.post("/check-runs", &odd).status, 422);
    assert_eq!(bot.get("/check-runs/1").status, 404);
}

#[test]
fn a_check_names_the_pull_requests_of_the_repository() {
    let fake = Fake::start(world());
    let bot = Client::new(&fake, "t-write");
    let pulls = |sha: &str| {
        let made = bot.post("/check-runs", &json!({"name": "bench", "head_sha": sha}));
        made.body["pull_requests"].as_array().unwrap().len()
    };
    assert_eq!([pulls(TOPIC), pulls(FORK)], [1, 0]);
}

#[test]
fn statuses_are_kept() {
    let fake = Fake::start(world());
    let bot = Client::new(&fake, "t-write");
    let status = json!({"state": "failure", "description": "Slower."});
    let made = bot.post(&format!("/statuses/{FORK}"), &status);
    assert_eq!(
        (made.status, &made.body["context"]),
        (201, &json!("default"))
    );
    let world = fake.world();
    assert_eq!(
        (
            world.statuses[0].sha.as_str(),
            world.statuses[0].state.as_str()
        ),
        (FORK, "failure")
    );
}
