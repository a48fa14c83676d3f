//! Limits on requests.

use fake_github::FaultKind;
use tripline_hub::Problem;
use tripline_hub::comment::{self, Posted};

use crate::comment::comment;
use crate::support::{Hub, told, world};

#[test]
fn a_secondary_limit_is_waited_for_also_by_what_must_not_be_done_twice() {
    let hub = Hub::start(world());
    hub.fail(
        "POST",
        "issues/7/comments",
        FaultKind::Secondary { retry_after: 60 },
        1,
    );
    let posted = comment::publish(&hub.client(), &comment(1)).unwrap();
    assert!(matches!(posted, Posted::Created { .. }), "{posted:?}");
    assert_eq!(hub.fake.world().comments_on(7).len(), 1);
    let sleeps = hub.clock.sleeps();
    assert_eq!(sleeps.len(), 1);
    assert!((60..=61).contains(&sleeps[0].as_secs()), "{sleeps:?}");
}

#[test]
fn a_plain_429_is_a_limit_too() {
    let hub = Hub::start(world());
    hub.fail("POST", "issues/7/comments", FaultKind::Status(429), 2);
    comment::publish(&hub.client(), &comment(1)).unwrap();
    assert_eq!(hub.fake.world().comments_on(7).len(), 1);
    assert_eq!(hub.clock.sleeps().len(), 2);
}

#[test]
fn the_hour_is_waited_for_where_it_is_nearly_over() {
    let hub = Hub::start(world());
    hub.fail(
        "GET",
        "issues/7/comments",
        FaultKind::Primary { reset_in: 90 },
        1,
    );
    comment::publish(&hub.client(), &comment(1)).unwrap();
    let waited = hub.clock.sleeps()[0].as_secs();
    assert!((85..=91).contains(&waited), "{waited}");
}

#[test]
fn a_long_limit_is_an_error_that_says_until_when() {
    let hub = Hub::start(world());
    hub.fail(
        "GET",
        "issues/7/comments",
        FaultKind::Primary { reset_in: 3000 },
        1,
    );
    let error = comment::publish(&hub.client(), &comment(1)).expect_err("it is too long");
    let Problem::Limited { until } = error.problem() else {
        panic!("{}", told(&error));
    };
    let left = until
        .duration_since(tripline_hub::Clock::now(&*hub.clock))
        .as_secs();
    assert!((2990..=3001).contains(&left), "{left}");
    assert_eq!(hub.clock.sleeps(), []);
    assert_eq!(hub.fake.world().comments_on(7).len(), 0);
}

#[test]
fn a_used_up_hour_is_told_from_a_missing_permission() {
    let hub = Hub::start(world());
    hub.fake.world().settings.rate_used = 1_000_000;
    let error = comment::publish(&hub.client(), &comment(1)).expect_err("nothing is left");
    assert!(
        matches!(error.problem(), Problem::Limited { .. }),
        "{}",
        told(&error)
    );
}
