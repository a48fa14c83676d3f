//! Every operation, once and more often, with nothing that GitHub's description forbids: neither asked nor answered.

use fake_github::{Fake, Job, digest, operations};
use serde_json::json;

use crate::client::{Answer, Client, FORK, MAIN, TOPIC, world};

/// What is asked, and what is answered. `{..}` in a path is filled in with what an earlier answer gave that name.
#[test]
fn everything_that_is_answered_is_as_described() {
    let world = world()
        .with_file("main", "docs/a.txt", b"one")
        .with_file("main", "docs/b.txt", b"two")
        .with_artifact(42, "tripline-report", *b"PK")
        .with_job(Job {
            run: 42,
            attempt: 1,
            name: "bench / judge".to_owned(),
            conclusion: "success".to_owned(),
            started_at: "2026-01-01T00:00:00Z".to_owned(),
        });
    let fake = Fake::start(world);
    let bot = Client::new(&fake, "t-write");
    talk(&bot);
    judge(&bot);
    pull(&bot);
    look(&bot);
    write(&bot);
    let owner = Client::new(&fake, "t-owner");
    ok(owner.get("/actions/permissions"), 200);
    ok(owner.get("/actions/permissions/workflow"), 200);

    assert_eq!(fake.violations(), [""; 0]);
    let seen = fake.seen();
    for operation in operations() {
        let done = |it: &&fake_github::Seen| it.operation.as_deref() == Some(operation);
        let good = seen.iter().filter(done).any(|it| it.status < 400);
        assert!(good, "{operation} was never answered well");
    }
}

fn ok(answer: Answer, status: u16) -> Answer {
    assert_eq!(answer.status, status, "{}", answer.body);
    answer
}

fn talk(bot: &Client) {
    let comment = ok(
        bot.post("/issues/7/comments", &json!({"body": "Hello."})),
        201,
    );
    let place = format!("/issues/comments/{}", comment.id());
    ok(bot.get("/issues/7/comments?per_page=100"), 200);
    ok(bot.patch(&place, &json!({"body": "Hello again."})), 200);
    let reaction = json!({"content": "eyes"});
    ok(bot.post(&format!("{place}/reactions"), &reaction), 201);
    ok(bot.post(&format!("{place}/reactions"), &reaction), 200);
    assert_eq!(ok(bot.get(&place), 200).body["body"], "Hello again.");
    ok(bot.delete(&place), 204);
    ok(
        bot.post("/issues/7/labels", &json!({"labels": ["slow"]})),
        200,
    );
}

fn judge(bot: &Client) {
    let check = json!({"name": "bench", "head_sha": FORK, "status": "in_progress"});
    let check = ok(bot.post("/check-runs", &check), 201);
    let place = format!("/check-runs/{}", check.id());
    let done =
        json!({"conclusion": "success", "output": {"title": "Fine", "summary": "All is well."}});
    ok(bot.patch(&place, &done), 200);
    ok(bot.get(&place), 200);
    let status = json!({"state": "success", "context": "bench", "description": "Fine."});
    ok(bot.post(&format!("/statuses/{TOPIC}"), &status), 201);
}

fn pull(bot: &Client) {
    ok(bot.get("/pulls"), 200);
    ok(bot.get("/pulls/7"), 200);
    ok(bot.get("/pulls/8/commits"), 200);
    ok(bot.get(&format!("/commits/{FORK}/pulls")), 200);
    let head = json!({"ref": "refs/heads/baselines", "sha": TOPIC});
    ok(bot.post("/git/refs", &head), 201);
    let new = json!({"title": "Baselines", "head": "baselines", "base": "main", "body": "New."});
    let new = ok(bot.post("/pulls", &new), 201);
    let place = format!("/pulls/{}", new.body["number"]);
    ok(bot.patch(&place, &json!({"state": "closed"})), 200);
}

fn look(bot: &Client) {
    ok(bot.get(""), 200);
    ok(bot.get("//repos/mallory/demo"), 200);
    ok(bot.get("//rate_limit"), 200);
    ok(bot.get("/branches/main"), 200);
    ok(bot.get("/commits"), 200);
    ok(bot.get("/commits/main"), 200);
    ok(bot.get("/compare/main...topic"), 404);
    ok(bot.get("/compare/main...main"), 200);
    ok(bot.get("/collaborators/ada/permission"), 200);
    ok(bot.get("/contents/docs"), 200);
    ok(bot.get("/contents/docs/a.txt?ref=main"), 200);
    ok(bot.get("/actions/runs/42"), 200);
    let jobs = ok(bot.get("/actions/runs/42/attempts/1/jobs"), 200);
    assert_eq!(jobs.body["jobs"][0]["name"], "bench / judge");
    ok(bot.get("/actions/runs/44/attempts/1/jobs"), 404);
    ok(bot.get("/actions/artifacts"), 200);
    let artifacts = ok(
        bot.get("/actions/runs/42/artifacts?name=tripline-report"),
        200,
    );
    let artifact = format!(
        "/actions/artifacts/{}",
        artifacts.body["artifacts"][0]["id"]
    );
    ok(bot.get(&artifact), 200);
    ok(bot.get(&format!("{artifact}/zip")), 302);
    ok(bot.get("/git/ref/heads/main"), 200);
    ok(bot.get("/git/matching-refs/heads/"), 200);
}

fn write(bot: &Client) {
    let file = json!({"message": "Add c", "content": "dGhyZWU="});
    ok(bot.put("/contents/docs/c.txt", &file), 201);
    let main = ok(bot.get("/git/ref/heads/main"), 200);
    let main = main.body["object"]["sha"].clone();
    let blob = json!({"content": "four"});
    let blob = ok(bot.post("/git/blobs", &blob), 201);
    let entry = json!({"path": "d", "mode": "100644", "type": "blob", "sha": blob.body["sha"]});
    let tree = json!({"base_tree": main, "tree": [entry]});
    let tree = ok(bot.post("/git/trees", &tree), 201);
    let commit = json!({"message": "Add d", "tree": tree.body["sha"], "parents": [main]});
    let commit = ok(bot.post("/git/commits", &commit), 201);
    let sha = json!({"sha": commit.body["sha"]});
    ok(bot.patch("/git/refs/heads/main", &sha), 200);
    ok(bot.delete("/git/refs/heads/topic"), 204);
    let start = json!({"ref": "main", "inputs": {"anything": "goes"}});
    ok(
        bot.post("/actions/workflows/bench.yml/dispatches", &start),
        204,
    );
    let site =
        json!({"artifact_id": 1, "pages_build_version": MAIN, "oidc_token": digest("", b"")});
    ok(bot.post("/pages/deployments", &site), 200);
}
