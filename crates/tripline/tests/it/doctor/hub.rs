//! What GitHub says, by its stand-in.

use fake_github::{Access, Fake, Fault, FaultKind, Permission, Rights, World};

use super::found;
use crate::project::{Ended, Project};

const TOKEN: &str = "ghs_0123456789secret";
const ADMIN: &str = "ghp_0123456789secret";

const WORKFLOWS: [&str; 6] = [
    "baseline.yml",
    "bench-main.yml",
    "bench-export.yml",
    "bench-pr.yml",
    "bench-publish.yml",
    "bench.yml",
];

fn world() -> World {
    World::new("acme/demo")
        .with_token(TOKEN, Rights::bot())
        .with_token(ADMIN, Rights::person("acme"))
        .with_file("main", "README.md", b"x")
}

fn with_workflows(names: &[&str]) -> World {
    names.iter().fold(world(), |world, name| {
        world.with_file("main", &format!(".github/workflows/{name}"), b"x")
    })
}

/// Runs the doctor with some variables; whatever else it says, it never says a token.
#[track_caller]
fn doctor(project: &Project, variables: &[(&str, &str)]) -> Ended {
    let mut command = project.command(&["doctor"]);
    command.envs(variables.iter().copied());
    let ended = Ended::of(command.output().unwrap(), project.path());
    for secret in [TOKEN, ADMIN] {
        assert!(!ended.out.contains(secret) && !ended.err.contains(secret));
    }
    ended
}

#[track_caller]
fn asked(world: World, token: &str) -> Ended {
    let fake = Fake::start(world);
    let api = fake.url();
    let ended = doctor(
        &Project::with_suite(),
        &[
            ("GITHUB_API_URL", &api),
            ("GITHUB_REPOSITORY", "acme/demo"),
            ("GITHUB_TOKEN", token),
        ],
    );
    assert_eq!(fake.violations(), [""; 0]);
    let writes = fake.seen().into_iter().filter(|seen| seen.method != "GET");
    assert_eq!(writes.count(), 0, "a look changes nothing");
    ended
}

#[test]
fn where_all_is_set_up_all_is_good() {
    let ended = asked(with_workflows(&WORKFLOWS), ADMIN).with(0);
    for line in [
        "good  `acme/demo` is reached on GitHub, and its default branch is `main`",
        "good  the token may push, as whoever keeps history and baselines does",
        "good  workflows run, and may use anybody's actions",
        "good  workflows may open pull requests, as proposals of baselines do",
        "good  the workflows are on `main`",
    ] {
        found(&ended, line);
    }
}

#[test]
fn a_setting_that_forbids_proposals_is_bad_where_it_can_be_seen() {
    let mut world = with_workflows(&WORKFLOWS);
    world.settings.actions_may_create_pulls = false;
    let ended = asked(world.clone(), ADMIN).with(11);
    let fix = found(
        &ended,
        "bad   workflows may not open pull requests, so that a proposal of baselines ends as a branch",
    );
    assert!(
        fix.contains("Allow GitHub Actions to create and approve pull requests"),
        "{fix}"
    );
    let ended = asked(world, TOKEN).with(0);
    let what = "note  whether workflows may open pull requests is not known: this token may not see the settings, as none of a \
                workflow may";
    assert!(found(&ended, what).starts_with("look at Settings, Actions, General"));
}

#[test]
fn a_token_is_told_what_it_cannot_do_where_github_says_it() {
    const WRITTEN: &str = "with it no history, no baseline and no acceptance is written";
    let world = || with_workflows(&WORKFLOWS).with_user("rae", Permission::Read);
    for (rights, what, fix) in [
        (
            Rights::person("rae"),
            format!("note  the token may not push, because its owner may not: {WRITTEN}"),
            "the role Write",
        ),
        (
            Rights::classic("acme", "gist, workflow"),
            format!("note  the token may not push, with the scopes `gist, workflow`: {WRITTEN}"),
            "the scope `repo`",
        ),
    ] {
        let ended = asked(world().with_token(TOKEN, rights), TOKEN).with(0);
        let more = found(&ended, &what);
        assert!(
            more.contains("`permissions: contents: write`") && more.contains(fix),
            "{more}"
        );
    }
}

#[test]
fn of_other_tokens_it_cannot_be_told_what_they_may() {
    let fine = |access| Rights::fine_grained("acme", access);
    for rights in [
        Rights::bot(),
        Rights::read_only(),
        fine(Access::Read),
        fine(Access::Write),
    ] {
        let world = with_workflows(&WORKFLOWS).with_token(TOKEN, rights);
        let ended = asked(world, TOKEN).with(0);
        let what = "note  whether the token may push cannot be told: GitHub says it of classic tokens alone";
        let more = found(&ended, what);
        assert!(more.contains("`permissions: contents: write`"), "{more}");
        assert!(!ended.out.contains("good  the token"), "{}", ended.out);
    }
}

#[test]
fn settings_that_a_token_may_not_see_are_looked_at_by_hand() {
    let world = with_workflows(&WORKFLOWS).with_token(TOKEN, Rights::read_only());
    let ended = asked(world, TOKEN).with(0);
    let what = "note  whether Actions are on is not known: this token may not see the settings";
    assert!(found(&ended, what).contains("Actions permissions"));
}

#[test]
fn actions_that_are_off_or_few_are_told() {
    for (enabled, allowed, code, what) in [
        (
            false,
            "all",
            11,
            "bad   Actions are off, so that no workflow runs",
        ),
        (
            true,
            "local_only",
            11,
            "bad   only actions of the repository's owner may run, and the workflows use others",
        ),
        (true, "selected", 0, "note  only actions of a list may run"),
    ] {
        let mut world = with_workflows(&WORKFLOWS);
        world.settings.actions_enabled = enabled;
        world.settings.allowed_actions = allowed.to_owned();
        let ended = asked(world, ADMIN).with(code);
        assert!(found(&ended, what).contains("Actions permissions"));
    }
}

#[test]
fn workflows_that_are_not_on_the_default_branch_are_named() {
    let ended = asked(
        with_workflows(&["bench.yml", "bench-pr.yml", "ci.yml"]),
        TOKEN,
    )
    .with(11);
    assert!(
        ended.out.contains("bad   on `main` there is no `bench-publish.yml`, no `bench-main.yml`, no `bench-export.yml`, no `baseline.yml`"),
        "{}",
        ended.out
    );
    let ended = asked(world(), TOKEN).with(0);
    let what =
        "note  no workflow of Tripline's is on `main`, so that nothing is measured on GitHub";
    assert_eq!(found(&ended, what), "`tripline init` writes them");
}

#[test]
fn a_token_that_is_not_let_in_is_bad_and_asked_once() {
    let ended = asked(world(), "ghs_0123456789unknown").with(11);
    assert!(
        ended
            .out
            .contains("bad   the repository acme/demo was not looked at: GitHub answered 401"),
        "{}",
        ended.out
    );
    assert!(
        ended.out.contains("-> the token is not accepted"),
        "{}",
        ended.out
    );
    assert!(!ended.out.contains("settings"), "{}", ended.out);
}

#[test]
fn a_hub_that_fails_is_said_and_the_rest_goes_on() {
    let fake = Fake::start(world());
    let path = "/repos/acme/demo/actions/permissions/workflow";
    fake.fail_next(Fault::on("GET", path, FaultKind::Status(502)).times(9));
    let api = fake.url();
    let ended = doctor(
        &Project::with_suite(),
        &[
            ("GITHUB_API_URL", &api),
            ("GITHUB_REPOSITORY", "acme/demo"),
            ("GITHUB_TOKEN", TOKEN),
        ],
    )
    .with(11);
    assert!(
        ended
            .out
            .contains("bad   what workflows may do was not looked at:"),
        "{}",
        ended.out
    );
    found(
        &ended,
        "note  no workflow of Tripline's is on `main`, so that nothing is measured on GitHub",
    );
}

#[test]
fn without_a_token_nothing_is_asked_and_one_note_says_so() {
    let fake = Fake::start(world());
    let api = fake.url();
    let project = Project::with_suite();
    for token in [None, Some(("GITHUB_TOKEN", ""))] {
        let variables: Vec<_> = [("GITHUB_API_URL", &*api)]
            .into_iter()
            .chain(token)
            .collect();
        let ended = doctor(&project, &variables).with(0);
        let notes = ended
            .out
            .lines()
            .filter(|line| line.contains("GitHub was not asked"));
        assert_eq!(notes.count(), 1, "{}", ended.out);
    }
    assert_eq!(fake.seen().len(), 0);
}

#[test]
fn a_token_goes_nowhere_but_where_it_is_known_to_belong() {
    let repository = crate::repository::Repository::for_cargo();
    repository.with_suite();
    repository.git(&[
        "remote",
        "add",
        "origin",
        "https://git.example.org/acme/demo.git",
    ]);
    let mut command = repository.command(&["doctor"]);
    command.env("GITHUB_TOKEN", TOKEN);
    let ended = Ended::of(command.output().unwrap(), &repository.outside("")).with(0);
    let what = "note  GitHub was not asked about the repository: `origin` is on another host than github.com";
    assert!(found(&ended, what).starts_with("set GITHUB_API_URL"));
    // Where the interface is named, the remote says which repository it is.
    let fake = Fake::start(world());
    let mut command = repository.command(&["doctor"]);
    command
        .env("GITHUB_TOKEN", TOKEN)
        .env("GITHUB_API_URL", fake.url());
    let ended = Ended::of(command.output().unwrap(), &repository.outside("")).with(0);
    found(
        &ended,
        "good  `acme/demo` is reached on GitHub, and its default branch is `main`",
    );
}

#[test]
fn variables_that_make_no_sense_are_bad_and_repeat_no_secret() {
    let project = Project::with_suite();
    for (variables, said) in [
        (vec![("GITHUB_TOKEN", "two words")], "the token has blanks"),
        (
            vec![
                ("GITHUB_TOKEN", TOKEN),
                ("GITHUB_API_URL", "http://github.example"),
            ],
            "is no address of GitHub",
        ),
        (
            vec![
                ("GITHUB_TOKEN", TOKEN),
                ("GITHUB_API_URL", "http://127.0.0.1:1"),
                ("GITHUB_REPOSITORY", "demo"),
            ],
            "`demo` is no repository",
        ),
        (
            vec![
                ("GITHUB_TOKEN", TOKEN),
                ("GITHUB_API_URL", "http://127.0.0.1:1"),
                ("GITHUB_REPOSITORY", "acme/demo"),
            ],
            "the repository acme/demo was not looked at",
        ),
    ] {
        let ended = doctor(&project, &variables).with(11);
        assert!(
            ended.out.contains(said),
            "`{said}` is not said in\n{}",
            ended.out
        );
    }
    let mut unknown = project.command(&["doctor"]);
    unknown
        .env("GITHUB_TOKEN", TOKEN)
        .env("GITHUB_API_URL", "http://127.0.0.1:1")
        .env("GIT_CEILING_DIRECTORIES", project.path().parent().unwrap());
    let ended = Ended::of(unknown.output().unwrap(), project.path()).with(0);
    assert!(
        ended.out.contains("which one it is is not known"),
        "{}",
        ended.out
    );
}
