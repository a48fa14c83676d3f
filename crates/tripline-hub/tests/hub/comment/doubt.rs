//! Nobody knows whether it was written: never twice, and never not at all.

use fake_github::FaultKind;
use tripline_hub::comment;

use super::{body, comment};
use crate::support::{Hub, told, world};

#[test]
fn a_comment_whose_writing_was_cut_off_is_there_once() {
    let written_all_the_same = [FaultKind::Cut, FaultKind::StatusAfter(502)];
    let not_written = [500, 502, 503, 504].map(FaultKind::Status);
    for kind in written_all_the_same.into_iter().chain(not_written) {
        let hub = Hub::start(world());
        hub.fail("POST", "issues/7/comments", kind.clone(), 1);
        comment::publish(&hub.client(), &comment(1)).unwrap();
        let world = hub.fake.world();
        let bodies: Vec<&str> = world
            .comments_on(7)
            .iter()
            .map(|it| it.body.as_str())
            .collect();
        assert_eq!(bodies, [body(&comment(1))], "{kind:?}");
        drop(world);
        assert_eq!(hub.clock.sleeps().len(), 1, "{kind:?}");
    }
}

#[test]
fn doubt_that_lasts_is_an_error() {
    let hub = Hub::start(world());
    hub.fail("POST", "issues/7/comments", FaultKind::Status(502), 9);
    let error = comment::publish(&hub.client(), &comment(1)).expect_err("it never works");
    insta::assert_snapshot!(told(&error), @r"
        no comment was written on pull request 7
          caused by: GitHub answered 502, so it may have been done all the same
        ");
    assert_eq!(
        hub.requests()
            .iter()
            .filter(|it| it.starts_with("POST"))
            .count(),
        3
    );
}

#[test]
fn an_edit_that_was_cut_off_is_repeated() {
    for kind in [
        FaultKind::Cut,
        FaultKind::Status(503),
        FaultKind::StatusAfter(500),
    ] {
        let hub = Hub::start(world());
        comment::publish(&hub.client(), &comment(1)).unwrap();
        hub.fail("PATCH", "issues/comments", kind, 2);
        comment::publish(&hub.client(), &comment(2)).unwrap();
        let world = hub.fake.world();
        assert_eq!(world.comments_on(7).len(), 1);
        assert_eq!(world.comments_on(7)[0].body, body(&comment(2)));
    }
}

#[test]
fn a_comment_that_somebody_deleted_meanwhile_is_looked_for_again() {
    let hub = Hub::start(world());
    comment::publish(&hub.client(), &comment(1)).unwrap();
    hub.fail("PATCH", "issues/comments", FaultKind::Status(404), 1);
    comment::publish(&hub.client(), &comment(2)).unwrap();
    assert_eq!(hub.fake.world().comments_on(7)[0].body, body(&comment(2)));
}
