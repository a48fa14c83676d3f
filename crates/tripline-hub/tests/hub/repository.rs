//! What a repository says of itself.

use fake_github::{Access, FaultKind, Permission, Rights};
use tripline_hub::repository::{self, Actions, Push};

use crate::support::{Hub, READ_TOKEN, TOKEN, told, world};

#[test]
fn a_repository_says_its_default_branch() {
    let hub = Hub::start(world());
    let about = repository::about(&hub.client()).unwrap();
    assert_eq!(about.default_branch.as_str(), "main");
    let error = repository::about(&hub.client_with("ghs_unknown")).expect_err("nobody");
    assert!(
        told(&error).starts_with("the repository acme/demo was not looked at"),
        "{}",
        told(&error)
    );
    assert!(error.hint().unwrap().contains("the token is not accepted"));
}

#[test]
fn whether_a_token_may_push_is_said_of_classic_tokens_alone() {
    let mut world = world().with_user("rae", Permission::Read);
    let fine = |access| Rights::fine_grained("acme", access);
    for (token, rights) in [
        ("of-owner", Rights::person("acme")),
        ("public", Rights::classic("acme", "gist, public_repo")),
        ("narrow", Rights::classic("acme", "gist, read:org")),
        ("of-reader", Rights::person("rae")),
        ("fine", fine(Access::Write)),
        ("fine-read", fine(Access::Read)),
        // Said by nobody, as GitHub does of some tokens.
        ("blank", Rights::classic("acme", "")),
    ] {
        world = world.with_token(token, rights);
    }
    let hub = Hub::start(world);
    let push = |token| repository::about(&hub.client_with(token)).unwrap().push;
    let narrow = Push::ForbiddenByScopes("gist, read:org".to_owned());
    for (token, expected) in [
        ("of-owner", Push::Allowed),
        ("public", Push::Allowed),
        ("narrow", narrow),
        ("of-reader", Push::ForbiddenByRole),
        // The owner of these may push, or nobody says so, and they themselves may or not.
        ("fine", Push::Unsaid),
        ("fine-read", Push::Unsaid),
        ("blank", Push::Unsaid),
        (TOKEN, Push::Unsaid),
        (READ_TOKEN, Push::Unsaid),
    ] {
        assert_eq!(push(token), expected, "{token}");
    }
    hub.fake.world().repositories[0].private = true;
    let public = Push::ForbiddenByScopes("gist, public_repo".to_owned());
    assert_eq!((push("public"), push("of-owner")), (public, Push::Allowed));
}

#[test]
fn settings_are_seen_by_whoever_may_see_them() {
    for may in [true, false] {
        let mut world = world().with_token("ghp_admin", Rights::person("acme"));
        world.settings.actions_may_create_pulls = may;
        let hub = Hub::start(world);
        let rights = repository::workflow_rights(&hub.client_with("ghp_admin")).unwrap();
        assert_eq!(rights.unwrap().may_create_pulls, may);
        assert_eq!(repository::workflow_rights(&hub.client()).unwrap(), None);
        hub.fail(
            "GET",
            "actions/permissions/workflow",
            FaultKind::Status(502),
            9,
        );
        repository::workflow_rights(&hub.client_with("ghp_admin")).expect_err("nobody answers");
    }
}

#[test]
fn what_may_run_is_seen_by_whoever_may_see_it() {
    for (enabled, allowed, actions) in [
        (false, "all", Actions::Off),
        (true, "all", Actions::All),
        (true, "local_only", Actions::OfOwner),
        (true, "selected", Actions::Listed),
    ] {
        let mut world = world().with_token("ghp_admin", Rights::person("acme"));
        world.settings.actions_enabled = enabled;
        world.settings.allowed_actions = allowed.to_owned();
        let hub = Hub::start(world);
        let seen = repository::actions(&hub.client_with("ghp_admin")).unwrap();
        assert_eq!(seen, Some(actions));
        assert_eq!(repository::actions(&hub.client()).unwrap(), None);
        hub.fail("GET", "actions/permissions", FaultKind::Status(502), 9);
        repository::actions(&hub.client_with("ghp_admin")).expect_err("nobody answers");
    }
}

#[test]
fn a_folder_is_listed_and_a_missing_one_is_empty() {
    let world = world()
        .with_file("main", ".github/workflows/a.yml", b"a")
        .with_file("main", ".github/workflows/b.yml", b"b");
    let hub = Hub::start(world);
    let client = hub.client_with(READ_TOKEN);
    let names = repository::names_in(&client, &[".github", "workflows"]).unwrap();
    assert_eq!(names, ["a.yml", "b.yml"]);
    assert_eq!(
        repository::names_in(&client, &["nowhere"]).unwrap(),
        [""; 0]
    );
}
