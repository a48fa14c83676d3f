//! What people say, and what they may.

use fake_github::{FaultKind, Permission as Role};
use tripline_hub::Client;
use tripline_hub::issue::{self, Permission, Reaction};

use crate::support::{Hub, Scripted, TOKEN, answer, clock, settings, told, world};

#[test]
fn permissions_are_what_github_says_now() {
    for (role, permission, may_write) in [
        (Role::None, Permission::None, false),
        (Role::Read, Permission::Read, false),
        (Role::Triage, Permission::Triage, false),
        (Role::Write, Permission::Write, true),
        (Role::Maintain, Permission::Maintain, true),
        (Role::Admin, Permission::Admin, true),
    ] {
        let hub = Hub::start(world().with_user("ada", role));
        let found = issue::permission(&hub.client(), &"ada".parse().unwrap()).unwrap();
        assert_eq!(found, permission);
        assert_eq!(found.may_write(), may_write);
    }
}

#[test]
fn who_is_unknown_may_nothing_and_in_doubt_nobody_may() {
    let hub = Hub::start(world());
    let client = hub.client();
    let nobody = issue::permission(&client, &"nobody".parse().unwrap()).unwrap();
    assert!(!nobody.may_write());
    hub.fail(
        "GET",
        "collaborators/acme/permission",
        FaultKind::Status(404),
        1,
    );
    let gone = issue::permission(&client, &"acme".parse().unwrap()).unwrap();
    assert_eq!(gone, Permission::None);
    for kind in [FaultKind::Status(502), FaultKind::Garbage] {
        let hub = Hub::start(world());
        hub.fail("GET", "collaborators", kind, 9);
        let error =
            issue::permission(&hub.client(), &"acme".parse().unwrap()).expect_err("who knows");
        assert!(
            told(&error).starts_with("what `acme` may do was not found out, so they may nothing")
        );
    }
}

#[test]
fn a_role_of_somebodys_making_grants_nothing() {
    for (permission, role, expected) in [
        ("read", "admin", Permission::Read),
        ("read", "triage", Permission::Triage),
        ("write", "none", Permission::Write),
        ("write", "Release Manager", Permission::Write),
    ] {
        let body = format!(r#"{{"permission": "{permission}", "role_name": "{role}"}}"#);
        let server = Scripted::start(&[answer("200 OK", "", body)]);
        let client = Client::new(settings(&server.url(), TOKEN, clock()));
        let found = issue::permission(&client, &"ada".parse().unwrap()).unwrap();
        assert_eq!(found, expected, "{permission} {role}");
    }
}

#[test]
fn a_reaction_is_added_once_however_often_it_is_sent() {
    for reaction in [
        Reaction::Eyes,
        Reaction::ThumbsUp,
        Reaction::ThumbsDown,
        Reaction::Confused,
    ] {
        let mut world = world();
        let id = world.add_comment(7, "ada", "/tripline accept kv");
        let hub = Hub::start(world);
        hub.fail("POST", "issues/comments", FaultKind::Cut, 1);
        issue::react(&hub.client(), id, reaction).unwrap();
        issue::react(&hub.client(), id, reaction).unwrap();
        let world = hub.fake.world();
        assert_eq!(world.reactions.len(), 1, "{reaction:?}");
    }
}

#[test]
fn a_comment_is_read_as_it_is_now() {
    let mut world = world();
    let id = world.add_comment(7, "ada", "/tripline accept kv");
    let hub = Hub::start(world);
    let remark = issue::remark(&hub.client(), id).unwrap().unwrap();
    assert_eq!(remark.author.unwrap().as_str(), "ada");
    assert_eq!(remark.body, "/tripline accept kv");
    hub.fake.world().comments.clear();
    assert_eq!(issue::remark(&hub.client(), id).unwrap(), None);
    hub.fail("GET", "issues/comments", FaultKind::Status(403), 1);
    let error = issue::remark(&hub.client(), id).expect_err("it may not be seen");
    assert!(
        told(&error).contains("GitHub answered 403"),
        "{}",
        told(&error)
    );
}
