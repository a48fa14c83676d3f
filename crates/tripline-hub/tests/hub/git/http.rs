//! The whole way over HTTP, with a token: as it goes at a forge.

use tripline_hub::git::{NotPushed, Pushed, Why};

use super::server::{Server, WRITER};
use super::yard::{Publisher, Yard, git, told};

const DATA: &str = "tripline/data";

fn yard_and_server() -> (Yard, Server, String) {
    let yard = Yard::new();
    let server = Server::start(&yard.path(""));
    let url = server.url("remote.git");
    (yard, server, url)
}

fn append(yard: &Yard, url: &str, token: &str) -> Result<Pushed, NotPushed> {
    let here = yard.path("first");
    Publisher::of(&here)
        .to(url)
        .with(token)
        .append(&[("runs/1", "one\n")])
}

#[test]
fn a_token_lets_us_add_and_propose() {
    let (yard, server, url) = yard_and_server();
    append(&yard, &url, "t-write").unwrap();
    let here = yard.path("first");
    let publisher = Publisher::of(&here).to(&url).with("t-write");
    // More than git sends in one piece.
    let large = "0123456789abcdef".repeat(1 << 17);
    publisher.append(&[("runs/2", &large)]).unwrap();
    publisher.put(&yard.tip("main"), &[("a", "1")]).unwrap();
    assert_eq!(yard.commits(DATA).len(), 2);
    assert_eq!(yard.files("tripline/baselines").len(), 3);
    let seen = server.seen();
    assert!(
        seen.headers.iter().all(|headers| headers == &[WRITER]),
        "{:?}",
        seen.headers
    );
    assert!(seen.headers.len() >= 8, "{:?}", seen.headers);
}

#[test]
fn a_credential_that_was_left_in_the_clone_is_not_sent_beside_ours() {
    let (yard, server, url) = yard_and_server();
    let here = yard.path("first");
    let key = format!("http.{}.extraheader", server.url(""));
    git(
        &here,
        &["config", &key, "AUTHORIZATION: basic b2xkOm9sZA=="],
    );
    append(&yard, &url, "t-write").unwrap();
    assert!(
        server
            .seen()
            .headers
            .iter()
            .all(|headers| headers == &[WRITER])
    );
}

#[test]
fn a_credential_that_was_left_in_the_clone_will_do_without_a_token() {
    let (yard, server, url) = yard_and_server();
    let here = yard.path("first");
    git(&here, &["remote", "add", "origin", &url]);
    let header = format!("AUTHORIZATION: {WRITER}");
    git(
        &here,
        &[
            "config",
            &format!("http.{}.extraheader", server.url("")),
            &header,
        ],
    );
    Publisher::of(&here).append(&[("runs/1", "one\n")]).unwrap();
    assert_eq!(yard.commits(DATA).len(), 1);
}

#[test]
fn a_token_that_may_only_read_is_told_which_permission_is_missing() {
    let (yard, server, url) = yard_and_server();
    let error = append(&yard, &url, "t-read").expect_err("read only");
    let text = told(&error).replace(server.url("").trim_end_matches('/'), "http://forge");
    insta::assert_snapshot!(text, @r"
    `runs/1` did not reach the branch `tripline/data`
    caused by: the remote does not allow it: remote: Write access to repository not granted.; fatal: unable to access 'http://forge/remote.git/': The requested URL returned error: 403
    hint: give the job `permissions: { contents: write }`; a job that a pull request from a fork started never has it, so publish on `push` or `workflow_run`
    ");
    assert!(!yard.ask(&["branch", "--list"]).contains(DATA));
}

#[test]
fn a_wrong_token_is_asked_for_nobody_else() {
    let (yard, server, url) = yard_and_server();
    let here = yard.path("first");
    // Something that would know better, if it were asked.
    git(
        &here,
        &[
            "config",
            "credential.helper",
            "!echo username=x-access-token; echo password=t-write;",
        ],
    );
    let error = append(&yard, &url, "t-wrong").expect_err("a wrong token");
    let text = told(&error).replace(server.url("").trim_end_matches('/'), "http://forge");
    insta::assert_snapshot!(text, @r"
    `runs/1` did not reach the branch `tripline/data`
    caused by: the remote wants to know who pushes: fatal: could not read Username for 'http://forge': terminal prompts disabled
    hint: give a token that is still valid (the one of a job ends with the job), or let `actions/checkout` keep its credentials
    ");
    assert_eq!(server.seen().headers.len(), 1, "it is tried once");
}

#[test]
fn without_any_credential_nobody_is_asked() {
    let (yard, server, url) = yard_and_server();
    let here = yard.path("first");
    let error = Publisher::of(&here)
        .to(&url)
        .append(&[("a", "1")])
        .expect_err("no credential");
    assert!(matches!(error.why, Why::Unknown { .. }), "{error:?}");
    assert_eq!(server.seen().headers, [Vec::<String>::new()]);
}

#[test]
fn a_bad_gateway_is_tried_again() {
    let (yard, server, url) = yard_and_server();
    server.seen().trouble = 2;
    let pushed = append(&yard, &url, "t-write").unwrap();
    assert!(
        matches!(pushed, Pushed::Commit { tries: 3, .. }),
        "{pushed:?}"
    );
}
