//! Pull requests: found by their head, made, and refused.

use fake_github::{BOT, Fake, Pull, PullState, Side};
use serde_json::{Value, json};

use crate::client::{Client, FORK, MAIN, TOPIC, world};

fn numbers(list: &Value) -> Vec<u64> {
    let list = list.as_array().unwrap().iter();
    list.map(|pull| pull["number"].as_u64().unwrap()).collect()
}

#[test]
fn they_are_found_by_state_head_and_base() {
    let closed = Pull {
        state: PullState::Closed,
        ..Pull::new(
            5,
            Side::new("acme/demo", "topic", MAIN),
            Side::new("acme/demo", "main", MAIN),
        )
    };
    let fake = Fake::start(world().with_pull(closed));
    let bot = Client::new(&fake, "t-read");
    let cases: [(&str, &[u64]); 10] = [
        ("", &[8, 7]),
        ("?direction=asc", &[7, 8]),
        ("?state=all", &[8, 7, 5]),
        ("?state=closed", &[5]),
        ("?head=mallory:main", &[8]),
        ("?head=Mallory%3Amain&state=open", &[8]),
        ("?head=acme:main", &[]),
        ("?state=all&head=acme:topic", &[7, 5]),
        // Without an owner it is no filter, which has led many to the wrong pull request.
        ("?head=main", &[8, 7]),
        ("?base=release", &[]),
    ];
    for (query, wanted) in cases {
        let answer = bot.get(&format!("/pulls{query}"));
        assert_eq!(numbers(&answer.body), wanted, "{query}");
    }
    let found = bot.get("/pulls?head=mallory:main").body;
    let home = fake.world().repositories[0].id;
    assert_eq!(found[0]["head"]["sha"], FORK);
    assert_eq!(found[0]["head"]["repo"]["full_name"], "mallory/demo");
    assert_eq!(found[0]["head"]["label"], "mallory:main");
    assert_eq!(found[0]["base"]["repo"]["id"], home);
    assert_eq!(fake.violations(), [""; 0]);
}

#[test]
fn a_deleted_fork_is_null() {
    let mut world = world();
    world.pulls[1].head.repository = None;
    let fake = Fake::start(world);
    let shown = Client::new(&fake, "t-read").get("/pulls/8");
    assert_eq!(
        (shown.status, &shown.body["head"]["repo"]),
        (200, &Value::Null)
    );
    let listed = Client::new(&fake, "t-read").get("/pulls");
    assert_eq!(
        (listed.status, &listed.body[0]["head"]["repo"]),
        (200, &Value::Null)
    );
}

#[test]
fn a_commit_of_a_fork_has_none_here() {
    let fake = Fake::start(world());
    let bot = Client::new(&fake, "t-read");
    let of = |path: &str| numbers(&bot.get(path).body);
    assert_eq!(of(&format!("/commits/{TOPIC}/pulls")), [7]);
    assert_eq!(of(&format!("/commits/{FORK}/pulls")), [0; 0]);
    assert_eq!(
        of(&format!("//repos/mallory/demo/commits/{FORK}/pulls")),
        [8]
    );
}

#[test]
fn one_is_made_and_changed() {
    let mut world = world();
    let home = &mut world.repositories[0];
    home.refs
        .insert("refs/heads/tripline/baselines".to_owned(), TOPIC.to_owned());
    let fake = Fake::start(world);
    let bot = Client::new(&fake, "t-write");
    let new =
        json!({"title": "Baselines", "head": "tripline/baselines", "base": "main", "body": "New."});
    let made = bot.post("/pulls", &new);
    assert_eq!(made.status, 201, "{}", made.body);
    assert_eq!(made.body["number"], 9);
    assert_eq!(made.body["user"]["login"], BOT);
    assert_eq!(made.body["html_url"], "https://github.com/acme/demo/pull/9");

    let again = bot.post("/pulls", &new);
    let message = "A pull request already exists for acme:tripline/baselines.";
    let error = json!({"resource": "PullRequest", "code": "custom", "message": message});
    let wanted = json!({
        "message": "Validation Failed",
        "errors": [error],
        "documentation_url": "https://docs.github.com/rest/pulls/pulls#create-a-pull-request",
        "status": "422",
    });
    assert_eq!((again.status, again.body), (422, wanted));

    let changed = bot.patch("/pulls/9", &json!({"title": "Newer", "state": "closed"}));
    assert_eq!(
        (changed.status, &changed.body["title"]),
        (200, &json!("Newer"))
    );
    assert_eq!(changed.body["state"], "closed");
    assert!(changed.body["closed_at"].is_string());
    assert_eq!(fake.violations(), [""; 0]);
}

#[test]
fn one_cannot_always_be_made() {
    let fake = Fake::start(world());
    let bot = Client::new(&fake, "t-write");
    let new = |head: &str, base: &str| json!({"title": "A", "head": head, "base": base});
    let error = |body: &Value| {
        let errors = bot.post("/pulls", body).body["errors"].clone();
        (errors[0]["code"].clone(), errors[0]["field"].clone())
    };
    assert_eq!(
        error(&new("none", "main")),
        (json!("invalid"), json!("head"))
    );
    assert_eq!(
        error(&new("nobody:main", "main")),
        (json!("invalid"), json!("head"))
    );
    assert_eq!(
        error(&new("topic", "none")),
        (json!("invalid"), json!("base"))
    );
    assert_eq!(
        error(&json!({"head": "topic", "base": "main"})),
        (json!("missing_field"), json!("title"))
    );
    let same = bot.post("/pulls", &new("main", "main"));
    assert_eq!(
        same.body["errors"][0]["message"],
        "No commits between main and main"
    );

    fake.world().settings.actions_may_create_pulls = false;
    let refused = bot.post("/pulls", &new("topic", "main"));
    let wanted = json!({
        "message": "GitHub Actions is not permitted to create or approve pull requests.",
        "documentation_url": "https://docs.github.com/rest/pulls/pulls#create-a-pull-request",
        "status": "403",
    });
    assert_eq!((refused.status, refused.body), (403, wanted));
    // The setting is about programs.
    let ada = Client::new(&fake, "t-ada");
    let taken = ada.post("/pulls", &new("topic", "main"));
    assert_eq!(taken.status, 422);
    fake.world().pulls.clear();
    assert_eq!(ada.post("/pulls", &new("topic", "main")).status, 201);
}

#[test]
fn labels_are_added_once() {
    let fake = Fake::start(world());
    let bot = Client::new(&fake, "t-write");
    let labels = json!({"labels": ["slow", "bench"]});
    bot.post("/issues/7/labels", &labels);
    bot.post("/issues/7/labels", &labels);
    assert_eq!(fake.world().pull(7).unwrap().labels, ["slow", "bench"]);
}

#[test]
fn an_open_one_follows_its_branch() {
    let fake = Fake::start(world());
    let bot = Client::new(&fake, "t-read");
    let moved = "dddddddddddddddddddddddddddddddddddddddd";
    fake.world().push("acme/demo", "topic", moved);
    assert_eq!(bot.get("/pulls/7").body["head"]["sha"], moved);
    // A test that says otherwise means it.
    fake.world().pull_mut(7).unwrap().head.sha = TOPIC.to_owned();
    assert_eq!(bot.get("/pulls/7").body["head"]["sha"], TOPIC);

    let writer = Client::new(&fake, "t-write");
    let file = json!({"message": "Add", "content": "", "branch": "topic"});
    let commit = writer.put("/contents/a.txt", &file).body["commit"]["sha"].clone();
    assert_eq!(bot.get("/pulls/7").body["head"]["sha"], commit);
}
