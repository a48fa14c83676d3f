//! The weekly run of the default branch, which comes also when nobody pushes.

use serde_json::json;

use super::demo::Demo;
use super::scene::Scene;

#[test]
fn a_run_by_the_clock_keeps_history_as_a_push_does() {
    let mut scene = Scene::new();
    let root = scene.at("demo");
    let head = Demo::at(&root).head();
    // All that GitHub says: not which repository it is, nor which branch is its default one.
    let payload = json!({ "schedule": "17 4 * * 1" });
    let export = ["--var", "TRIPLINE_BENCHMARK_ACTION=true"].map(str::to_owned);
    scene.settings.push(export);
    let played = scene.on_main("bench-main", "schedule", &payload);
    played.job("judge", "success").job("keep", "success");
    played.job("benchmark-action", "success");

    let places = scene.remote(&["ls-tree", "-r", "--name-only", "tripline-data", "records"]);
    assert_eq!(places.lines().count(), 1, "{places}");
    let kept = scene.remote(&["show", &format!("tripline-data:{places}")]);
    assert!(kept.contains(&head), "{kept}");
    assert_eq!(scene.fake.world().pulls.len(), 1);

    // A week later nothing has changed: the history grows, the proposal is the one that is there.
    let played = scene.on_main("bench-main", "schedule", &payload);
    played.job("keep", "success");
    let places = scene.remote(&["ls-tree", "-r", "--name-only", "tripline-data", "records"]);
    assert_eq!(places.lines().count(), 2, "{places}");
    assert_eq!(scene.fake.world().pulls.len(), 1);
    scene.assert_contract();
}
