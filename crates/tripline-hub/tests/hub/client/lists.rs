//! Lists of several pages.

use fake_github::{Fault, FaultKind};
use tripline_hub::Client;
use tripline_hub::comment;

use crate::comment::comment;
use crate::support::{HOME, Hub, Scripted, TOKEN, answer, clock, settings, told, world};

fn hub_with_comments(count: usize) -> Hub {
    let mut world = world();
    for number in 0..count {
        world.add_comment(7, "ada", &format!("Remark {number}"));
    }
    Hub::start(world)
}

fn second_page_fails(hub: &Hub, kind: FaultKind, times: u32) {
    let path = format!("/repos/{HOME}/issues/7/comments");
    let fault = Fault::on("GET", &path, kind)
        .with_query("page=2")
        .times(times);
    hub.fake.fail_next(fault);
}

#[test]
fn a_page_that_fails_once_is_read_again() {
    let hub = hub_with_comments(150);
    second_page_fails(&hub, FaultKind::Cut, 1);
    comment::publish(&hub.client(), &comment(1)).unwrap();
    assert_eq!(hub.fake.seen().len(), 4, "{:?}", hub.requests());
}

#[test]
fn a_page_that_fails_for_good_fails_the_list() {
    // Nothing is written: the comment could be on that page.
    for kind in [
        FaultKind::Status(502),
        FaultKind::Garbage,
        FaultKind::Status(404),
    ] {
        let hub = hub_with_comments(150);
        second_page_fails(&hub, kind, 9);
        let error = comment::publish(&hub.client(), &comment(1)).expect_err("a page is missing");
        let told = told(&error);
        assert!(
            told.starts_with("the comments on pull request 7 were not read, so none was written"),
            "{told}"
        );
        assert_eq!(hub.fake.world().comments_on(7).len(), 150);
    }
}

#[test]
fn a_next_page_elsewhere_is_not_asked_for() {
    let elsewhere = Scripted::start(&[]);
    let link = format!(
        "link: <{}/repos/{HOME}/x?page=2>; rel=\"next\"\r\n",
        elsewhere.url()
    );
    let server = Scripted::start(&[answer("200 OK", &link, "[]")]);
    let client = Client::new(settings(&server.url(), TOKEN, clock()));
    let error = comment::publish(&client, &comment(1)).expect_err("it is on another host");
    let told = told(&error);
    assert!(
        told.ends_with("the answer cannot be used: its next page is on another host"),
        "{told}"
    );
    assert_eq!(elsewhere.heard(), [""; 0]);
}

#[test]
fn pages_without_end_come_to_one() {
    let server = Scripted::start_with(|url| {
        let link = format!("link: <{url}/again>; rel=\"next\"\r\n");
        vec![answer("200 OK", &link, "[]"); 60]
    });
    let client = Client::new(settings(&server.url(), TOKEN, clock()));
    let error = comment::publish(&client, &comment(1)).expect_err("it has no end");
    let told = told(&error);
    assert!(told.ends_with("it has more than 50 pages"), "{told}");
    assert_eq!(server.heard().len(), 50);
}
