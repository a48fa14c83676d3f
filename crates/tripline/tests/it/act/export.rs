//! What people already use, fed by what the default branch measures: a history that goes on from run to run, and an upload
//! with a key. Both are others' programs, and small ones of ours stand in for them.

use std::path::Path;

use serde_json::{Value, json};

use super::demo::Demo;
use super::scene::Scene;

/// What stands in for Bencher's program: it writes down how it was called.
const BENCHER: &str = r#"#!/bin/sh
for last; do :; done
{ echo "$*"; env | grep '^BENCHER_' | sort; cat "$last"; } >"$ARTIFACT_STORE/bencher.txt"
"#;

/// The key of the project.
const KEY: &str = "bencher_run_0123456789";

/// Says that Bencher's program is one of ours, with its hash.
fn with_bencher(demo: &Demo<'_>, scene: &Scene) {
    use std::os::unix::fs::PermissionsExt as _;

    let program = scene.at("bencher");
    std::fs::write(&program, BENCHER).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o644)).unwrap();
    let line = super::release::line("1.2.3", &program);
    demo.write(".github/actions/bencher/releases.txt", &line);
}

/// The history that a run of github-action-benchmark left behind: for each entry, what commit it is of and its first value.
fn history(store: &Path, run: u64, name: &str) -> Vec<(String, String)> {
    let place = store.join(format!("{run}/benchmark-action-history/history.json"));
    let history: Value = serde_json::from_slice(&std::fs::read(place).unwrap()).unwrap();
    let entries = history["entries"][name].as_array().cloned();
    let entry = |entry: &Value| {
        let commit = entry["commit"]["id"].as_str().unwrap().to_owned();
        (commit, entry["benches"][0]["value"].to_string())
    };
    entries.unwrap_or_default().iter().map(entry).collect()
}

/// Has one of the benchmarks say something that is better when bigger.
fn also_what_is_better_when_bigger(demo: &Demo<'_>) {
    let reads = "bench/kv/reads.jsonl";
    let metric = r#""metrics":{"hits":{"unit":"count","better":"higher","nature":"exact"},"#;
    demo.replace(reads, r#""metrics":{"#, metric);
    let reading = r#""readings":{"hits":{"values":[7]},"#;
    demo.replace(reads, r#""readings":{"#, reading);
}

/// Fails the test unless Bencher's program was given what was measured of a commit, and the key.
#[track_caller]
fn was_uploaded(store: &Path, commit: &str) {
    let called = std::fs::read_to_string(store.join("bencher.txt")).unwrap();
    let (how, what) = called.split_once("\n{").unwrap();
    assert_eq!(
        how,
        format!(
            "run --adapter json --hash {commit} --file bmf.json\nBENCHER_API_KEY={KEY}\nBENCHER_BRANCH=main\n\
             BENCHER_PROJECT=acme-demo\nBENCHER_TESTBED=ubuntu-24.04"
        )
    );
    let what: Value = serde_json::from_str(&format!("{{{what}")).unwrap();
    assert_eq!(what["kv/kv/get"]["instructions"]["value"], 900.0, "{what}");
}

#[test]
fn a_history_goes_on_from_run_to_run_and_an_upload_needs_its_key() {
    let mut scene = Scene::new();
    let root = scene.at("demo");
    let demo = Demo::at(&root);
    with_bencher(&demo, &scene);
    let first = demo.commit("use what others use");
    demo.git(&["push", "--quiet", "origin", "main"]);
    let variables = ["BENCHMARK_ACTION=true", "BENCHER_PROJECT=acme-demo"];
    let variables = variables.map(|set| ["--var".to_owned(), format!("TRIPLINE_{set}")]);
    scene.settings.extend(variables);

    // A project without its key is said to be half configured, and takes nothing else down.
    let played = scene.on_main("bench-main", "push", &scene.push_payload(&first));
    played
        .job("benchmark-action", "success")
        .job("keep", "success");
    played.job("bencher", "failure").said(
        "nothing was handed on: the project `acme-demo` of Bencher is configured, and its key is not",
    );
    let store = scene.at("store");
    assert_eq!(
        history(&store, 4001, "smaller is better"),
        [(first.clone(), "1000.0".to_owned())]
    );
    assert_eq!(history(&store, 4001, "bigger is better"), []);

    // The next run, by hand, goes on with the history, also where a metric came that is better when bigger; and with the
    // key, Bencher is given its file.
    demo.counts(900, 2000);
    also_what_is_better_when_bigger(&demo);
    let second = demo.commit("faster");
    demo.git(&["push", "--quiet", "origin", "main"]);
    scene
        .settings
        .push(["--secret".to_owned(), format!("BENCHER_API_KEY={KEY}")]);
    let mut payload = scene.push_payload(&second);
    payload.as_object_mut().unwrap().remove("head_commit");
    payload["inputs"] = json!({});
    let played = scene.on_main("bench-main", "workflow_dispatch", &payload);
    played
        .job("benchmark-action", "success")
        .job("bencher", "success");
    assert_eq!(
        history(&store, 4002, "smaller is better"),
        [
            (first, "1000.0".to_owned()),
            (second.clone(), "900.0".to_owned())
        ]
    );
    assert_eq!(
        history(&store, 4002, "bigger is better"),
        [(second.clone(), "7.0".to_owned())]
    );
    was_uploaded(&store, &second);
    assert!(!played.log.contains(KEY), "the key was shown");
}
