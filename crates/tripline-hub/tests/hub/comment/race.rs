//! Several publishers at once.

use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use fake_github::{BOT, FaultKind};
use tripline_hub::comment::{self, Posted};

use super::{body, comment, world};
use crate::support::Hub;

fn bodies(hub: &Hub) -> Vec<String> {
    let world = hub.fake.world();
    world
        .comments_on(7)
        .iter()
        .map(|comment| comment.body.clone())
        .collect()
}

#[test]
fn of_several_the_oldest_stays_with_the_newest_text() {
    let [first, second, third] = [1, 3, 2].map(|run| body(&comment(run)));
    let world = world()
        .with_comment(7, BOT, &first)
        .with_comment(7, "ada", "Hello")
        .with_comment(7, BOT, &second)
        .with_comment(7, BOT, &third);
    let hub = Hub::start(world);
    let stale = comment::publish(&hub.client(), &comment(2)).unwrap();
    assert_eq!(
        stale,
        Posted::Stale {
            newer: comment(3).marker
        }
    );
    assert_eq!(
        bodies(&hub),
        [&first, "Hello", &second],
        "who is out of date takes back what it wrote itself, and nothing else"
    );
    comment::publish(&hub.client(), &comment(3)).unwrap();
    assert_eq!(bodies(&hub), [second, "Hello".to_owned()]);
}

#[test]
fn the_text_is_written_before_anything_is_deleted() {
    let world = world()
        .with_comment(7, BOT, &body(&comment(1)))
        .with_comment(7, BOT, &body(&comment(2)));
    let hub = Hub::start(world);
    hub.fail("PATCH", "issues/comments", FaultKind::Status(502), 9);
    comment::publish(&hub.client(), &comment(2)).expect_err("nothing can be edited");
    assert_eq!(bodies(&hub), [body(&comment(1)), body(&comment(2))]);
}

#[test]
fn a_duplicate_that_somebody_else_deleted_is_gone_all_the_same() {
    let world = world()
        .with_comment(7, BOT, &body(&comment(1)))
        .with_comment(7, BOT, &body(&comment(1)));
    let hub = Hub::start(world);
    hub.fail("DELETE", "issues/comments", FaultKind::Status(404), 1);
    comment::publish(&hub.client(), &comment(2)).unwrap();
    hub.fail("DELETE", "issues/comments", FaultKind::Cut, 1);
    comment::publish(&hub.client(), &comment(3)).unwrap();
    assert_eq!(bodies(&hub), [body(&comment(3))]);
}

/// Whoever created one looks once more. However the two come between each other, that leaves one comment.
#[test]
fn two_at_once_leave_one_comment_with_the_newest_text() {
    for _ in 0..5 {
        let hub = Hub::start(world());
        // Both find nothing: the answer to who came first is late.
        let late = FaultKind::Slow(Duration::from_millis(50));
        hub.fail("GET", "issues/7/comments", late, 2);
        let together = Barrier::new(2);
        thread::scope(|scope| {
            for run in [1, 2] {
                let (hub, together) = (&hub, &together);
                scope.spawn(move || {
                    let client = hub.client();
                    together.wait();
                    let posted = comment::publish(&client, &comment(run)).unwrap();
                    if matches!(posted, Posted::Created { .. }) {
                        comment::publish(&client, &comment(run)).unwrap();
                    }
                });
            }
        });
        assert_eq!(bodies(&hub), [body(&comment(2))], "{:?}", hub.requests());
    }
}

#[test]
fn whoever_publishes_next_mends_what_a_race_left() {
    let hub = Hub::start(world());
    let client = hub.client();
    comment::publish(&client, &comment(1)).unwrap();
    // The other one had found nothing either.
    hub.fake.world().add_comment(7, BOT, &body(&comment(2)));
    comment::publish(&client, &comment(3)).unwrap();
    assert_eq!(bodies(&hub), [body(&comment(3))]);
}
