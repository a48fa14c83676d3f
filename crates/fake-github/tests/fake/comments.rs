//! Comments: whose they are, how long they may be, and what reacts to them.

use fake_github::{BOT, Fake};
use serde_json::json;

use crate::client::{Client, world};

#[test]
fn a_comment_is_made_found_and_changed() {
    let fake = Fake::start(world().with_comment(7, "rae", "First."));
    let bot = Client::new(&fake, "t-write");
    let made = bot.post("/issues/7/comments", &json!({"body": "Second."}));
    assert_eq!(made.status, 201);
    assert_eq!(made.body["user"]["login"], BOT);
    assert_eq!(made.body["user"]["type"], "Bot");
    let page = format!(
        "https://github.com/acme/demo/pull/7#issuecomment-{}",
        made.id()
    );
    assert_eq!(made.body["html_url"], page);

    let changed = bot.patch(
        &format!("/issues/comments/{}", made.id()),
        &json!({"body": "Third."}),
    );
    assert_eq!(changed.status, 200);
    assert_eq!(changed.body["created_at"], made.body["created_at"]);
    assert_ne!(changed.body["updated_at"], made.body["updated_at"]);

    let listed = Client::new(&fake, "t-read").get("/issues/7/comments");
    let said = |at: usize| (&listed.body[at]["user"]["login"], &listed.body[at]["body"]);
    assert_eq!(said(0), (&json!("rae"), &json!("First.")));
    assert_eq!(said(1), (&json!(BOT), &json!("Third.")));
    let since = changed.body["updated_at"].as_str().unwrap();
    let listed = bot.get(&format!("/issues/7/comments?since={since}"));
    assert_eq!(listed.body.as_array().unwrap().len(), 1);
    assert_eq!(fake.world().comments_on(7).len(), 2);
    assert_eq!(fake.violations(), [""; 0]);
}

#[test]
fn a_comment_belongs_to_its_author() {
    let fake = Fake::start(
        world()
            .with_comment(7, "rae", "Mine.")
            .with_comment(7, BOT, "Its."),
    );
    let [of_rae, of_bot] = {
        let world = fake.world();
        [0, 1].map(|at| format!("/issues/comments/{}", world.comments_on(7)[at].id))
    };
    let other = json!({"body": "Other."});
    let bot = Client::new(&fake, "t-write");
    let refused = bot.patch(&of_rae, &other);
    let wanted = json!({
        "message": "Resource not accessible by integration",
        "documentation_url": "https://docs.github.com/rest/issues/comments#update-an-issue-comment",
        "status": "403",
    });
    assert_eq!((refused.status, refused.body), (403, wanted));
    assert_eq!(bot.delete(&of_rae).status, 403);
    let rae = Client::new(&fake, "t-rae");
    assert_eq!(rae.patch(&of_bot, &other).status, 403);
    assert_eq!(rae.patch(&of_rae, &other).status, 200);
    // Who may push may tidy up.
    let ada = Client::new(&fake, "t-ada");
    assert_eq!(ada.patch(&of_bot, &other).status, 200);
    assert_eq!(ada.delete(&of_rae).status, 204);
    assert_eq!(ada.get(&of_rae).status, 404);
}

#[test]
fn a_body_has_a_length() {
    let fake = Fake::start(world());
    let bot = Client::new(&fake, "t-write");
    // Characters are counted, not bytes.
    let longest = "é".repeat(65_536);
    let made = bot.post("/issues/7/comments", &json!({"body": longest}));
    assert_eq!(made.status, 201);
    let place = format!("/issues/comments/{}", made.id());
    let too_long = json!({"body": format!("{longest}.")});
    let wanted = |manual: &str| {
        let message = "Body is too long (maximum is 65536 characters)";
        let error = json!({
            "resource": "IssueComment", "code": "unprocessable", "field": "data", "message": message,
        });
        json!({
            "message": "Validation Failed",
            "errors": [error],
            "documentation_url": format!("https://docs.github.com/rest/issues/comments#{manual}"),
            "status": "422",
        })
    };
    let refused = bot.post("/issues/7/comments", &too_long);
    assert_eq!(
        (refused.status, refused.body),
        (422, wanted("create-an-issue-comment"))
    );
    let refused = bot.patch(&place, &too_long);
    assert_eq!(
        (refused.status, refused.body),
        (422, wanted("update-an-issue-comment"))
    );
    assert_eq!(fake.world().comments.len(), 1);

    let empty = bot.post("/issues/7/comments", &json!({"body": " "}));
    let error = json!({"resource": "IssueComment", "code": "missing_field", "field": "body"});
    assert_eq!(
        (empty.status, &empty.body["errors"]),
        (422, &json!([error]))
    );
    // All of this is allowed to be asked.
    assert_eq!(fake.violations(), [""; 0]);
}

#[test]
fn nothing_is_said_where_there_is_nothing() {
    let fake = Fake::start(world());
    let bot = Client::new(&fake, "t-write");
    assert_eq!(bot.get("/issues/9/comments").status, 404);
    assert_eq!(
        bot.post("/issues/9/comments", &json!({"body": "."})).status,
        404
    );
    assert_eq!(bot.get("/issues/comments/1").status, 404);
}

#[test]
fn reactions_are_counted_once() {
    let fake = Fake::start(world().with_comment(7, "rae", "/tripline accept"));
    let id = fake.world().comments_on(7)[0].id;
    let place = format!("/issues/comments/{id}/reactions");
    let bot = Client::new(&fake, "t-write");
    assert_eq!(bot.post(&place, &json!({"content": "eyes"})).status, 201);
    assert_eq!(bot.post(&place, &json!({"content": "eyes"})).status, 200);
    let read_only = Client::new(&fake, "t-read");
    assert_eq!(
        read_only.post(&place, &json!({"content": "eyes"})).status,
        403
    );
    assert_eq!(
        bot.post(&place, &json!({"content": "applause"})).status,
        422
    );
    let world = fake.world();
    let reaction = &world.reactions[0];
    assert_eq!(
        (
            reaction.comment,
            reaction.login.as_str(),
            world.reactions.len()
        ),
        (id, BOT, 1)
    );
}
