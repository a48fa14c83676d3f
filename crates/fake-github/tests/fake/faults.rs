//! What goes wrong when it is asked to.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use fake_github::{Fake, Fault, FaultKind};
use serde_json::json;

use crate::client::{Client, world};

const COMMENTS: &str = "/repos/acme/demo/issues/7/comments";

fn failing(fault: Fault) -> (Fake, Client) {
    let fake = Fake::start(world());
    fake.fail_next(fault);
    let bot = Client::new(&fake, "t-write");
    (fake, bot)
}

#[test]
fn a_server_in_trouble_does_nothing() {
    for status in [500, 502, 503] {
        let (fake, bot) = failing(Fault::on("POST", COMMENTS, FaultKind::Status(status)).times(2));
        let hello = json!({"body": "Hello."});
        // It is about this method and path only.
        assert_eq!(bot.get("/issues/7/comments").status, 200);
        assert_eq!(bot.post("/issues/8/comments", &hello).status, 201);
        let statuses = [0; 3].map(|_| bot.post("/issues/7/comments", &hello).status);
        assert_eq!(statuses, [status, status, 201]);
        assert_eq!(fake.world().comments_on(7).len(), 1);
        assert_eq!(fake.violations(), [""; 0]);
    }
}

#[test]
fn trouble_after_the_work_was_done() {
    let (fake, bot) = failing(Fault::on("POST", COMMENTS, FaultKind::StatusAfter(502)));
    let answer = bot.post("/issues/7/comments", &json!({"body": "Hello."}));
    assert_eq!(
        (answer.status, &answer.body["message"]),
        (502, &json!("Server Error"))
    );
    assert_eq!(fake.world().comments_on(7).len(), 1);
}

#[test]
fn too_much_at_once() {
    let (fake, bot) = failing(Fault::on("", "/", FaultKind::Secondary { retry_after: 7 }));
    let refused = bot.get("/pulls");
    let wanted = json!({
        "message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
        "documentation_url":
            "https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits",
        "status": "403",
    });
    assert_eq!(refused.header("retry-after"), Some("7"));
    assert_eq!((refused.status, refused.body), (403, wanted));

    fake.fail_next(Fault::on("", "/", FaultKind::Status(429)));
    let refused = bot.get("/pulls");
    assert_eq!(
        (refused.status, refused.header("retry-after")),
        (429, Some("1"))
    );
    assert_eq!(bot.get("/pulls").status, 200);
}

#[test]
fn nothing_left_for_this_hour() {
    let (_fake, bot) = failing(Fault::on("", "/", FaultKind::Primary { reset_in: 60 }));
    let before = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs();
    let refused = bot.get("/pulls");
    assert_eq!(refused.status, 403);
    assert_eq!(refused.header("x-ratelimit-remaining"), Some("0"));
    let reset: u64 = refused
        .header("x-ratelimit-reset")
        .unwrap()
        .parse()
        .unwrap();
    assert!(
        reset >= before + 60,
        "{reset} is not a minute after {before}"
    );
    let message = refused.body["message"].as_str().unwrap();
    assert!(message.starts_with("API rate limit exceeded"), "{message}");
}

#[test]
fn a_late_answer_is_the_right_one() {
    let slow = |duration| Fault::on("GET", "/repos/acme/demo/pulls", FaultKind::Slow(duration));
    let (fake, bot) = failing(slow(Duration::from_millis(1)));
    assert_eq!(bot.get("/pulls").status, 200);
    fake.fail_next(slow(Duration::from_secs(3600)));
    let impatient = Client::patient(&fake.url(), Some("t-read"), Duration::from_millis(50));
    let given_up = impatient.ask("GET", "/pulls", None);
    assert!(given_up.is_err(), "{given_up:?}");
    // The others do not wait for it.
    assert_eq!(bot.get("/pulls").status, 200);
}

#[test]
fn a_connection_breaks_after_the_work_was_done() {
    let (fake, bot) = failing(Fault::on("POST", COMMENTS, FaultKind::Cut));
    let hello = json!({"body": "Hello."});
    let broken = bot.ask("POST", "/issues/7/comments", Some(&hello));
    assert!(broken.is_err(), "{broken:?}");
    assert_eq!(fake.seen()[0].status, 201);
    assert_eq!(fake.world().comments_on(7).len(), 1);
    assert_eq!(bot.get("/issues/7/comments").status, 200);
}

#[test]
fn one_page_of_many_fails() {
    let (fake, bot) = failing(
        Fault::on("GET", COMMENTS, FaultKind::Status(500))
            .with_query("page=2")
            .times(u32::MAX),
    );
    for at in 0..5 {
        fake.world().add_comment(7, "rae", &format!("{at}"));
    }
    let first = bot.get("/issues/7/comments?per_page=2");
    assert_eq!(first.status, 200);
    // The link names the repository by number, and means the same.
    let second = first.link("next").unwrap();
    assert_eq!(
        [bot.get(&second).status, bot.get(&second).status],
        [500, 500]
    );
    let third = second.replace("page=2&page=2", "page=2&page=3");
    let third = bot.get(&third.replace("&page=2", "&page=3"));
    assert_eq!(third.status, 200);
}

#[test]
fn a_circle_of_redirections() {
    let (fake, bot) = failing(Fault::on("GET", "/", FaultKind::Redirect).times(u32::MAX));
    let mut place = format!("{}/repos/acme/demo/pulls?state=open", fake.url());
    let first = place.clone();
    for _ in 0..3 {
        let answer = bot.get(&place);
        assert_eq!(answer.status, 302);
        place = answer.header("location").unwrap().to_owned();
    }
    assert_eq!(place, first);
}

#[test]
fn where_artifacts_are_kept_there_is_trouble_too() {
    let fake = Fake::start(world().with_artifact(42, "tripline-report", *b"PK"));
    let id = fake.world().artifacts[0].id;
    let bot = Client::new(&fake, "t-read");
    let found = bot.get(&format!("/actions/artifacts/{id}/zip"));
    let place = found.header("location").unwrap();
    let anybody = Client::at("", None);
    fake.fail_next(Fault::on("GET", "/_artifacts/", FaultKind::Status(503)));
    fake.fail_next(Fault::on("GET", "/_artifacts/", FaultKind::Cut));
    assert_eq!(anybody.get(place).status, 503);
    assert!(anybody.ask("GET", place, None).is_err());
    let whole = anybody.get(place);
    assert_eq!(
        (whole.status, whole.header("x-ratelimit-limit")),
        (200, None)
    );
}

#[test]
fn something_in_between_answers() {
    let (_fake, bot) = failing(Fault::on("GET", "/", FaultKind::Garbage));
    let answer = bot.get("/pulls");
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, Some("text/html"))
    );
    assert!(answer.body.is_null());
}
