//! The default branch: what is measured there becomes history and proposed baselines; and what people take on purpose.

use std::process::Command;

use super::demo::Demo;
use super::scene::{HOME, Scene};

/// Asks the remote.
fn remote(scene: &Scene, args: &[&str]) -> String {
    let mut git = Command::new("git");
    git.arg("--git-dir").arg(scene.at("origin.git")).args(args);
    let output = git.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {args:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_default_branch_keeps_history_and_proposes_baselines() {
    let mut scene = Scene::new();
    let root = scene.at("demo");
    let demo = Demo::at(&root);
    let played = scene.on_main("bench-main", "push", &scene.push_payload(&demo.head()));
    played.job("judge", "success").job("keep", "success");

    let history = remote(&scene, &["ls-tree", "-r", "--name-only", "tripline-data"]);
    assert_eq!(history.lines().count(), 1, "{history}");
    assert!(history.starts_with("runs/kv/2"), "{history}");
    let proposed = remote(
        &scene,
        &["diff", "--name-only", "main", "tripline/baselines"],
    );
    assert!(
        proposed
            .lines()
            .any(|place| place.starts_with("baselines/kv/")),
        "{proposed}"
    );
    let pulls = scene.fake.world().pulls.clone();
    assert_eq!(pulls.len(), 1, "{pulls:#?}");
    assert_eq!(pulls[0].head.branch, "tripline/baselines");

    // The next push refreshes the same pull request, and adds to the same history.
    demo.counts(900, 2000);
    let head = demo.commit("faster");
    demo.git(&["push", "--quiet", "origin", "main"]);
    let played = scene.on_main("bench-main", "push", &scene.push_payload(&head));
    played.job("keep", "success");
    let history = remote(&scene, &["ls-tree", "-r", "--name-only", "tripline-data"]);
    assert_eq!(history.lines().count(), 2, "{history}");
    assert_eq!(scene.fake.world().pulls.len(), 1);
    scene.assert_contract();
}

#[test]
fn a_repository_that_forbids_pull_requests_is_given_the_branch_and_a_link() {
    let mut scene = Scene::new();
    scene.fake.world().settings.actions_may_create_pulls = false;
    let root = scene.at("demo");
    let head = Demo::at(&root).head();
    let played = scene.on_main("bench-main", "push", &scene.push_payload(&head));
    played.job("keep", "failure").said("exit status 5");
    played.said("compare/main...tripline%2Fbaselines");
    let branches = remote(&scene, &["branch", "--list", "--format=%(refname:short)"]);
    assert!(
        branches
            .lines()
            .any(|branch| branch == "tripline/baselines"),
        "{branches}"
    );
}

/// A pull request of the repository that is red, and was told so.
fn red(scene: &mut Scene) -> String {
    let root = scene.at("demo");
    let demo = Demo::at(&root);
    demo.switch("tune");
    demo.counts(1500, 2000);
    demo.commit("tune get");
    demo.git(&["push", "--quiet", "origin", "tune"]);
    let head = demo.merge("tune");
    scene.pull(7, HOME, "tune", &head, &demo.git(&["rev-parse", "main"]));
    let (run, _) = scene.measured(7);
    scene.published(7, run).job("publish", "success");
    head
}

/// Plays the answer to a comment.
fn answered(scene: &mut Scene, author: &str, body: &str) -> super::play::Played {
    let comment = scene.fake.world().add_comment(7, author, body);
    let payload = scene.comment_payload(7, comment, author, body);
    scene.on_main("baseline", "issue_comment", &payload)
}

#[test]
fn who_may_write_accepts_by_a_comment() {
    let mut scene = Scene::new();
    let head = red(&mut scene);

    // Who may not write is refused, and so is what is not understood.
    let stranger = answered(
        &mut scene,
        "mallory",
        "/tripline accept kv/get because I say so",
    );
    stranger.job("answer", "success");
    answered(&mut scene, "ada", "/tripline accept kv/get").job("answer", "success");
    assert_eq!(remote(&scene, &["rev-parse", "tune"]).trim(), head);

    let asked = "/tripline accept kv/get because the cache went";
    answered(&mut scene, "ada", asked).job("answer", "success");
    let kept = remote(&scene, &["show", "tune:baselines/kv/accepted.jsonl"]);
    assert!(
        kept.contains("the cache went") && kept.contains("ada"),
        "{kept}"
    );
    assert_eq!(remote(&scene, &["rev-parse", "tune~1"]).trim(), head);
    let reactions = scene.fake.world().reactions.clone();
    let reactions: Vec<_> = reactions
        .iter()
        .map(|reaction| reaction.content.as_str())
        .collect();
    assert_eq!(reactions, ["-1", "confused", "+1"]);
    scene.assert_contract();

    // Measured again, the regression is said to be accepted, and fails nothing.
    let root = scene.at("demo");
    let demo = Demo::at(&root);
    demo.git(&["fetch", "--quiet", "origin", "tune:tune"]);
    let head = demo.merge("tune");
    scene.pull(7, HOME, "tune", &head, &demo.git(&["rev-parse", "main"]));
    let (run, measured) = scene.measured(7);
    measured.job("judge", "success");
    scene.published(7, run).job("publish", "success");
    let comments = scene.comments(7);
    let told = comments
        .iter()
        .find(|comment| comment.author.contains("bot"))
        .unwrap();
    assert!(told.body.contains("the cache went"), "{}", told.body);
}
