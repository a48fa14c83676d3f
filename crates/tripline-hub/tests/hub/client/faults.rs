//! Servers in trouble, cut connections, and what is too much.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::time::Duration;

use fake_github::{FaultKind, World};
use tripline_hub::{Client, Patience, comment, issue};

use crate::comment::comment;
use crate::support::{HOME, Hub, Scripted, TOKEN, answer, clock, settings, told, world};

/// Starts with one comment, and returns its number.
fn with_comment() -> (Hub, u64) {
    let mut world: World = world();
    let id = world.add_comment(7, "ada", "Hello");
    (Hub::start(world), id)
}

fn said(client: &Client, id: u64) -> String {
    issue::remark(client, id).unwrap().unwrap().body
}

#[test]
fn reading_goes_on_after_every_outage() {
    for status in [500, 502, 503, 504] {
        let (hub, id) = with_comment();
        hub.fail("GET", "issues/comments", FaultKind::Status(status), 2);
        assert_eq!(said(&hub.client(), id), "Hello");
        let statuses: Vec<u16> = hub.fake.seen().iter().map(|seen| seen.status).collect();
        assert_eq!(statuses, [status, status, 200]);
        let sleeps = hub.clock.sleeps();
        assert_eq!(sleeps.len(), 2);
        assert!((500..=1000).contains(&sleeps[0].as_millis()), "{sleeps:?}");
        assert!((1000..=2000).contains(&sleeps[1].as_millis()), "{sleeps:?}");
    }
}

#[test]
fn reading_goes_on_after_a_cut_connection() {
    let (hub, id) = with_comment();
    hub.fail("GET", "issues/comments", FaultKind::Cut, 3);
    assert_eq!(said(&hub.client(), id), "Hello");
    assert_eq!(hub.fake.seen().len(), 4);
}

#[test]
fn patience_ends() {
    let (hub, id) = with_comment();
    hub.fail("GET", "issues/comments", FaultKind::Status(502), 9);
    let error = issue::remark(&hub.client(), id).expect_err("it never works");
    assert_eq!(
        told(&error),
        format!("comment {id} was not read\n  caused by: GitHub answered 502, 5 times in a row")
    );
    assert_eq!(hub.fake.seen().len(), 5);
}

#[test]
fn a_slow_answer_is_not_waited_for_for_ever() {
    let (hub, id) = with_comment();
    hub.fail(
        "GET",
        "issues/comments",
        FaultKind::Slow(Duration::from_secs(600)),
        1,
    );
    let mut settings = settings(&hub.fake.url(), TOKEN, hub.clock.clone());
    settings.patience.timeout = Duration::from_millis(500);
    assert_eq!(said(&Client::new(settings), id), "Hello");
    assert_eq!(hub.fake.seen().len(), 2);
}

#[test]
fn nobody_there_is_said_after_some_tries() {
    // A port that was free a moment ago and that nobody listens on.
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let api = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let clock = clock();
    let client = Client::new(settings(&api, TOKEN, clock.clone()));
    // What must not be done twice was not done once.
    let error = comment::publish(&client, &comment(1)).expect_err("nobody is there");
    let told = told(&error);
    assert!(
        told.contains("Connection refused") && told.ends_with("5 times in a row"),
        "{told}"
    );
    assert_eq!(clock.sleeps().len(), 4);
}

#[test]
fn a_server_that_does_not_speak_encrypted_is_not_asked_again() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let api = format!("https://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream
            .write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            .unwrap();
        // Until the other end has hung up.
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let clock = clock();
    let client = Client::new(settings(&api, TOKEN, clock.clone()));
    let error = issue::remark(&client, 1).expect_err("it is not encrypted");
    assert!(told(&error).contains("no connection: "), "{}", told(&error));
    assert_eq!(clock.sleeps(), []);
}

#[test]
fn an_answer_that_is_none_is_not_asked_for_again() {
    let (hub, id) = with_comment();
    hub.fail("GET", "issues/comments", FaultKind::Garbage, 1);
    let error = issue::remark(&hub.client(), id).expect_err("it is a page of a proxy");
    assert_eq!(
        told(&error),
        format!(
            "comment {id} was not read\n  caused by: the answer cannot be used: expected value at line 1 column 1"
        )
    );
    assert_eq!(hub.fake.seen().len(), 1);
}

#[test]
fn an_answer_of_any_size_is_not_read() {
    let huge = b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n[".to_vec();
    let server = Scripted::start(&[huge]);
    let client = Client::new(settings(&server.url(), TOKEN, clock()));
    let error = issue::remark(&client, 1).expect_err("it is huge");
    let told = told(&error);
    assert!(
        told.ends_with("the answer is larger than 67108864 bytes"),
        "{told}"
    );
}

#[test]
fn where_the_interface_sends_us_we_do_not_go() {
    let (hub, id) = with_comment();
    hub.fail("GET", "issues/comments", FaultKind::Redirect, 1);
    let error = issue::remark(&hub.client(), id).expect_err("it is elsewhere");
    assert!(
        told(&error).contains("GitHub answered 302"),
        "{}",
        told(&error)
    );
    assert!(error.hint().unwrap().contains("the repository has moved"));
    assert_eq!(hub.fake.seen().len(), 1);
}

#[test]
fn every_request_says_who_we_are_and_what_we_speak() {
    let body = r#"{"id": 1, "body": "x", "user": null}"#;
    let server = Scripted::start(&[answer("200 OK", "", body)]);
    let client = Client::new(settings(&server.url(), TOKEN, clock()));
    issue::remark(&client, 1).unwrap();
    let heard = &server.heard()[0];
    for line in [
        format!("get /repos/{HOME}/issues/comments/1 http/1.1"),
        "accept: application/vnd.github+json".to_owned(),
        "x-github-api-version: 2022-11-28".to_owned(),
        format!("user-agent: tripline/{}", env!("CARGO_PKG_VERSION")),
        format!("authorization: bearer {TOKEN}"),
    ] {
        assert!(
            heard.lines().any(|heard| heard == line),
            "{line} is not in\n{heard}"
        );
    }
}

#[test]
fn an_enterprise_server_keeps_its_interface_below_a_path() {
    let (hub, id) = with_comment();
    let api = format!("{}/api/v3/", hub.fake.url());
    let client = Client::new(settings(&api, TOKEN, hub.clock.clone()));
    assert_eq!(said(&client, id), "Hello");
    let seen = &hub.fake.seen()[0];
    assert_eq!(
        seen.sent_path,
        format!("/api/v3/repos/{HOME}/issues/comments/{id}")
    );
}

#[test]
fn one_try_is_one_try() {
    let (hub, id) = with_comment();
    hub.fail("GET", "issues/comments", FaultKind::Status(502), 1);
    let mut settings = settings(&hub.fake.url(), TOKEN, hub.clock.clone());
    settings.patience = Patience {
        tries_max: 1,
        ..Patience::default()
    };
    issue::remark(&Client::new(settings), id).expect_err("the first try fails");
    assert_eq!(hub.clock.sleeps(), []);
}
