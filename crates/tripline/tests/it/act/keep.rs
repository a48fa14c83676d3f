//! The default branch: what is measured there becomes history and proposed baselines; and what people take on purpose.

use serde_json::json;

use super::demo::Demo;
use super::scene::{HOME, Scene};

/// How many runs of the suite are in the history.
fn kept(scene: &Scene) -> usize {
    let history = scene.remote(&["ls-tree", "-r", "--name-only", "tripline-data", "records"]);
    let runs = history
        .lines()
        .filter(|place| place.starts_with("records/kv/2"));
    runs.count()
}

/// The baseline that is proposed, of which there is one.
fn proposed(scene: &Scene) -> String {
    let folder = "tripline/baselines:baselines/kv";
    let name = scene.remote(&["ls-tree", "--name-only", folder]);
    scene.remote(&["show", &format!("{folder}/{name}")])
}

#[test]
fn the_default_branch_keeps_history_and_proposes_baselines() {
    let mut scene = Scene::new();
    let root = scene.at("demo");
    let demo = Demo::at(&root);
    let pages = ["--var", "TRIPLINE_PAGES=true"].map(str::to_owned);
    scene.settings.push(pages);
    let played = scene.on_main("bench-main", "push", &scene.push_payload(&demo.head()));
    played.job("judge", "success").job("keep", "success");
    played.job("pages", "success").job("deploy", "success");

    assert_eq!(kept(&scene), 1);
    let shown = std::fs::read_to_string(scene.at("store/pages/data/benchmarks.csv")).unwrap();
    assert!(shown.contains(&demo.head()), "{shown}");
    let first = std::fs::read_to_string(scene.at("store/pages/index.html")).unwrap();
    let place = format!("https://github.com/acme/demo/commit/{}", demo.head());
    assert!(first.contains(&place), "{first}");
    let proposed = scene.remote(&["diff", "--name-only", "main", "tripline/baselines"]);
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
    assert_eq!(kept(&scene), 2);
    assert_eq!(scene.fake.world().pulls.len(), 1);
    scene.assert_contract();
}

/// Where a range of records is closed, their files go, in a commit after the one that adds their segment; and the pages that
/// are made of it after that show it all.
#[test]
fn the_default_branch_compacts_what_it_keeps() {
    let mut scene = Scene::new();
    let root = scene.at("demo");
    let demo = Demo::at(&root);
    let pages = ["--var", "TRIPLINE_PAGES=true"].map(str::to_owned);
    let few = ["--env", "TRIPLINE_SEGMENT_RECORDS=1"].map(str::to_owned);
    scene.settings.extend([pages, few]);
    let played = scene.on_main("bench-main", "push", &scene.push_payload(&demo.head()));
    played.job("keep", "success").job("pages", "success");
    assert_eq!(kept(&scene), 0);
    let history = ["ls-tree", "-r", "--name-only", "tripline-data", "segments"];
    let held = scene.remote(&history);
    assert!(held.contains(".parquet"), "{held}");
    let before = scene.remote(&["ls-tree", "-r", "--name-only", "tripline-data~1"]);
    assert!(
        before.contains("records/kv/2") && before.contains(&held),
        "{before}"
    );
    let shown = std::fs::read_to_string(scene.at("store/pages/data/benchmarks.csv")).unwrap();
    assert!(shown.contains(&demo.head()), "{shown}");
}

#[test]
fn what_got_slower_is_kept_and_closes_the_gate() {
    let mut scene = Scene::new();
    let root = scene.at("demo");
    let demo = Demo::at(&root);
    let played = scene.on_main("bench-main", "push", &scene.push_payload(&demo.head()));
    played.job("keep", "success").job("gate", "success");
    let before = proposed(&scene);
    demo.git(&["fetch", "--quiet", "origin", "tripline/baselines"]);
    demo.git(&["merge", "--quiet", "--ff-only", "FETCH_HEAD"]);
    demo.counts(1500, 1900);
    let head = demo.commit("slower");
    demo.git(&["push", "--quiet", "origin", "main"]);

    let payload = scene.push_payload(&head);
    let played = scene.on_main("bench-main", "push", &payload);
    played.job("judge", "success").job("keep", "success");
    played.job("gate", "failure").said("exit status 10");
    assert_eq!(kept(&scene), 2);
    assert_eq!(
        proposed(&scene),
        before,
        "a suite that got worse keeps its baseline"
    );
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
    let branches = scene.remote(&["branch", "--list", "--format=%(refname:short)"]);
    assert!(
        branches
            .lines()
            .any(|branch| branch == "tripline/baselines"),
        "{branches}"
    );
}

#[test]
fn a_pull_request_rehearses_compaction_and_pages_where_there_is_a_history() {
    let mut scene = Scene::new();
    let root = scene.at("demo");
    let demo = Demo::at(&root);
    let payload = scene.push_payload(&demo.head());
    scene
        .on_main("bench-main", "push", &payload)
        .job("keep", "success");
    demo.switch("tune");
    demo.counts(900, 2000);
    demo.commit("tune get");
    let head = demo.merge("tune");
    scene.pull(7, HOME, "tune", &head, &demo.git(&["rev-parse", "main"]));
    let before = scene.requests();
    let (_, measured) = scene.measured(7);
    measured.job("rehearse", "success");
    measured.said("Success - Main what would be put into segments");
    measured.said("Success - Main what would be shown");
    assert_eq!(scene.requests(), before);
}

/// A pull request of the repository that is red, and was told so: its head, and the number of the report.
fn red(scene: &mut Scene) -> (String, u64) {
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
    // What is named is the upload: a run that was tried again has several.
    let uploads = scene.fake.world().artifacts.clone();
    let report = uploads.iter().find(|upload| upload.run == run).unwrap().id;
    (head, report)
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
    let (head, report) = red(&mut scene);

    // Who may not write is refused, and so is what is not understood.
    let stranger = answered(
        &mut scene,
        "mallory",
        "/tripline accept kv/get because I say so",
    );
    stranger.job("answer", "success");
    answered(&mut scene, "ada", "/tripline accept kv/get").job("answer", "success");
    assert_eq!(scene.remote(&["rev-parse", "tune"]), head);

    let asked = format!("/tripline accept kv/get --report {report} because the cache went");
    answered(&mut scene, "ada", &asked).job("answer", "success");
    let kept = scene.remote(&["show", "tune:baselines/kv/accepted.jsonl"]);
    assert!(
        kept.contains("the cache went") && kept.contains("ada"),
        "{kept}"
    );
    assert_eq!(scene.remote(&["rev-parse", "tune~1"]), head);
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

#[test]
fn who_may_write_accepts_by_hand() {
    let mut scene = Scene::new();
    let (head, report) = red(&mut scene);
    let mut payload = scene.push_payload(&head);
    let command = format!("/tripline accept kv/get --report {report} because the cache went");
    payload["inputs"] = json!({ "pull": "7", "command": command });
    scene.settings.push(["--actor", "ada"].map(str::to_owned));
    let played = scene.on_main("baseline", "workflow_dispatch", &payload);
    played.job("answer", "success");
    let kept = scene.remote(&["show", "tune:baselines/kv/accepted.jsonl"]);
    assert!(
        kept.contains("the cache went") && kept.contains("ada <ada@users"),
        "{kept}"
    );
    assert_eq!(scene.remote(&["rev-parse", "tune~1"]), head);
    scene.assert_contract();
}
