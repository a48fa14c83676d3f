//! Found by marker and author, edited in place.

use fake_github::BOT;
use tripline_hub::RunId;
use tripline_hub::comment::{self, CHARS_MAX, Marker, Posted, TEXT_CHARS_MAX};

use super::{body, comment, marker, world};
use crate::support::{Hub, told};

fn bodies(hub: &Hub) -> Vec<String> {
    let world = hub.fake.world();
    world
        .comments_on(7)
        .iter()
        .map(|comment| comment.body.clone())
        .collect()
}

#[test]
fn is_made_once_edited_in_place_and_left_alone_where_nothing_changed() {
    let hub = Hub::start(world());
    let client = hub.client();
    let Posted::Created { id, page } = comment::publish(&client, &comment(1)).unwrap() else {
        panic!("there was one before");
    };
    assert!(
        page.ends_with(&format!("/pull/7#issuecomment-{id}")),
        "{page}"
    );
    assert_eq!(bodies(&hub), [body(&comment(1))]);
    let unchanged = comment::publish(&client, &comment(1)).unwrap();
    assert_eq!(
        unchanged,
        Posted::Unchanged {
            id,
            page: page.clone()
        }
    );
    let edited = comment::publish(&client, &comment(2)).unwrap();
    assert_eq!(edited, Posted::Edited { id, page });
    assert_eq!(bodies(&hub), [body(&comment(2))]);
    assert_eq!(
        hub.requests(),
        [
            "GET issues/7/comments 200".to_owned(),
            "POST issues/7/comments 201".to_owned(),
            "GET issues/7/comments 200".to_owned(),
            "GET issues/7/comments 200".to_owned(),
            format!("PATCH issues/comments/{id} 200"),
        ]
    );
}

#[test]
fn says_its_verdict_first_and_hides_its_marker_last() {
    let body = body(&comment(1));
    assert_eq!(
        body.lines().next(),
        Some("**Nothing got slower** in run 1.")
    );
    assert!(
        body.lines().next_back().unwrap().starts_with("<!-- "),
        "{body}"
    );
}

#[test]
fn is_found_among_three_hundred() {
    let mut world = world();
    for number in 0..300 {
        world.add_comment(7, "ada", &format!("Remark {number}"));
    }
    let hub = Hub::start(world.with_comment(7, BOT, &body(&comment(1))));
    let posted = comment::publish(&hub.client(), &comment(2)).unwrap();
    assert!(matches!(posted, Posted::Edited { .. }), "{posted:?}");
    assert_eq!(hub.requests().len(), 5, "four pages and an edit");
    assert_eq!(bodies(&hub).len(), 301);
    assert_eq!(bodies(&hub)[300], body(&comment(2)));
}

#[test]
fn a_planted_marker_is_nobodys_business() {
    let planted = body(&comment(9));
    let hub = Hub::start(world().with_comment(7, "mallory", &planted));
    let posted = comment::publish(&hub.client(), &comment(1)).unwrap();
    assert!(matches!(posted, Posted::Created { .. }), "{posted:?}");
    assert_eq!(bodies(&hub), [planted, body(&comment(1))]);
}

#[test]
fn another_tools_comment_of_the_same_author_is_left_alone() {
    let other_set = body(&comment(9)).replace("set=all", "set=other");
    let quoted = format!("> {}\n\nSaid somebody.", body(&comment(9)));
    let world = world()
        .with_comment(7, BOT, "Coverage: 80 %")
        .with_comment(7, BOT, &other_set)
        .with_comment(7, BOT, &quoted);
    let hub = Hub::start(world);
    let posted = comment::publish(&hub.client(), &comment(1)).unwrap();
    assert!(matches!(posted, Posted::Created { .. }), "{posted:?}");
    assert_eq!(
        bodies(&hub)[..3],
        ["Coverage: 80 %".to_owned(), other_set, quoted]
    );
}

#[test]
fn text_cannot_bring_its_own_marker() {
    let hub = Hub::start(world());
    let mut hostile = comment(1);
    hostile.text = format!("x\n\n{}\n", marker(u64::MAX, 9));
    comment::publish(&hub.client(), &hostile).unwrap();
    let posted = comment::publish(&hub.client(), &comment(2)).unwrap();
    assert!(matches!(posted, Posted::Edited { .. }), "{posted:?}");
    assert_eq!(bodies(&hub), [body(&comment(2))]);
}

#[test]
fn what_is_out_of_date_does_not_overwrite() {
    for (there, ours, is_stale) in [
        ((5, 1), (4, 1), true),
        ((5, 2), (5, 1), true),
        ((5, 1), (4, 9), true),
        ((5, 1), (5, 1), false),
        ((5, 1), (5, 2), false),
        ((5, 9), (6, 1), false),
    ] {
        let mut before = comment(0);
        before.marker = marker(there.0, there.1);
        before.text = "before".to_owned();
        let hub = Hub::start(world().with_comment(7, BOT, &body(&before)));
        let mut now = comment(0);
        now.marker.run = RunId {
            id: ours.0,
            attempt: ours.1,
        };
        let posted = comment::publish(&hub.client(), &now).unwrap();
        let stale = Posted::Stale {
            newer: before.marker.clone(),
        };
        assert_eq!(posted == stale, is_stale, "{there:?} {ours:?} {posted:?}");
        let expected = if is_stale { body(&before) } else { body(&now) };
        assert_eq!(bodies(&hub), [expected]);
    }
}

#[test]
fn a_comment_is_as_long_as_github_takes_and_no_longer() {
    let hub = Hub::start(world());
    let mut long = comment(1);
    long.marker = Marker {
        is_red: true,
        set: "s".repeat(100).parse().unwrap(),
        head: "f".repeat(64).parse().unwrap(),
        run: RunId {
            id: u64::MAX,
            attempt: u64::MAX,
        },
    };
    long.text = "ä".repeat(TEXT_CHARS_MAX);
    comment::publish(&hub.client(), &long).unwrap();
    assert!(bodies(&hub)[0].chars().count() <= CHARS_MAX);
    long.text = "ä".repeat(CHARS_MAX);
    let error = comment::publish(&hub.client(), &long).expect_err("it is too long");
    insta::assert_snapshot!(told(&error), @r"
        no comment was written on pull request 7
          caused by: there are 65801 characters in it, more than 65536
        ");
}

#[test]
fn whoever_writes_as_somebody_else_takes_it_back() {
    let hub = Hub::start(world().with_token("ghs_ada", fake_github::Rights::person("ada")));
    let error =
        comment::publish(&hub.client_with("ghs_ada"), &comment(1)).expect_err("it is ada's");
    insta::assert_snapshot!(told(&error), @r"
        no comment was written on pull request 7
          caused by: the token writes as `ada`, and the comment is looked for as one of `github-actions[bot]`
        ");
    assert_eq!(
        error.hint(),
        Some("use the token of the job, `github.token`: what `ada` writes is not known again")
    );
    assert_eq!(bodies(&hub), [""; 0]);
    let mut by_ada = comment(1);
    by_ada.author = "Ada".parse().unwrap();
    comment::publish(&hub.client_with("ghs_ada"), &by_ada).unwrap();
    assert_eq!(bodies(&hub).len(), 1);
}

#[test]
fn what_was_red_and_is_not_any_more_is_said_once() {
    let hub = Hub::start(world());
    let told = |run: u64, is_red: bool| {
        let mut comment = comment(run);
        comment.marker.is_red = is_red;
        comment.after_red = (!is_red).then(|| "fixed".to_owned());
        comment::publish(&hub.client(), &comment).unwrap();
        let world = hub.fake.world();
        world.comments_on(7)[0].body.starts_with("fixed")
    };
    let said: Vec<bool> = [(1, false), (2, true), (3, true), (4, false), (5, false)]
        .into_iter()
        .map(|(run, is_red)| told(run, is_red))
        .collect();
    assert_eq!(said, [false, false, false, true, false]);
}
