//! What is no verdict: a benchmark that could not be measured, and a canary that slept. The gate closes with a code of its
//! own, and the comment says that this is an outage.

use super::demo::{Demo, workspace};
use super::scene::{HOME, Scene};

/// A canary whose bench prints made-up times, with a slowdown that a feature plants.
const CANARY: &[(&str, &str)] = &[
    (
        "Cargo.toml",
        r#"[package]
name = "watch"
edition = "2024"

[features]
planted = []

[[bench]]
name = "times"
harness = false

[workspace]
"#,
    ),
    ("src/lib.rs", ""),
    (
        "benches/times.rs",
        r##"fn main() {
    let planted = if cfg!(feature = "planted") { 1050 } else { 1000 };
    println!("{}", r#"{"tripline_run":{"version":1,"suite":"watch","measured_at":"2026-01-02T03:04:05Z","producer":{"name":"demo","version":"0"},"environment":{"name":"elsewhere","facts":{}},"metrics":{"wall_time":{"unit":"ns","better":"lower","nature":"sampled"}}}}"#);
    for (name, time) in [("steady", 1000), ("planted", planted)] {
        println!(r#"{{"measured":{{"benchmark":"{name}","readings":{{"wall_time":{{"values":[{time}]}}}}}}}}"#);
    }
    println!("{}", r#"{"end":{}}"#);
}
"##,
    ),
    (
        "suite.toml",
        r#"about = "a slowdown of known size"

[[step]]
name = "times"
harness = "run-file"
bench = "times"

[canary]
features = ["planted"]
expect = [
    { benchmark = "steady", metric = "wall_time", verdict = "unchanged" },
    { benchmark = "planted", metric = "wall_time", verdict = "regressed", change = [0.04, 0.06] },
]
"#,
    ),
];

/// Commits to a branch, opens its pull request or notes the push, and stands on its merge.
fn pushed(scene: &Scene, message: &str) {
    let root = scene.at("demo");
    let demo = Demo::at(&root);
    demo.commit(message);
    let head = demo.merge("tune");
    scene.pull(7, HOME, "tune", &head, &demo.git(&["rev-parse", "main"]));
}

/// Puts a benchmark into the project that panics.
fn panicking(demo: &Demo<'_>) {
    let place = "bench/kv/suite.toml";
    demo.replace(place, r#"["cat", "reads.jsonl"]"#, r#"["sh", "reads.sh"]"#);
    let script = "echo \"thread 'main' panicked at kv.rs:7: no such key\" >&2\nexit 101\n";
    demo.write("bench/kv/reads.sh", script);
}

#[test]
fn a_benchmark_that_panics_is_told_as_broken() {
    let mut scene = Scene::new();
    let root = scene.at("demo");
    let demo = Demo::at(&root);
    demo.switch("tune");
    panicking(&demo);
    pushed(&scene, "get panics");

    let (run, measured) = scene.measured(7);
    measured.job("measure", "failure");
    measured.job("judge", "failure").said("exit status 11");
    scene.published(7, run).job("publish", "success");
    let (_, verdict) = scene.only_comment(7);
    assert!(verdict.contains("BROKEN"), "{verdict}");
    let body = &scene.comments(7)[0].body;
    for told in ["`reads` ended with exit code 101", "no such key"] {
        assert!(body.contains(told), "{body}");
    }
    scene.assert_contract();
}

#[test]
fn a_canary_that_sleeps_closes_the_gate_until_it_wakes() {
    let mut scene = Scene::new();
    let root = scene.at("demo");
    let demo = Demo::at(&root);
    demo.copy(
        &workspace().join("rust-toolchain.toml"),
        "rust-toolchain.toml",
    );
    for (place, text) in CANARY {
        demo.write(&format!("bench/watch/{place}"), text);
    }
    demo.commit("a canary");
    demo.git(&["push", "--quiet", "origin", "main"]);

    // Nothing got slower; but the gate would not have seen it.
    demo.switch("tune");
    let bench = "bench/watch/benches/times.rs";
    demo.replace(bench, "{ 1050 }", "{ 1000 }");
    pushed(&scene, "the canary sleeps");
    let (run, measured) = scene.measured(7);
    measured.job("measure", "success");
    measured.job("judge", "failure").said("exit status 11");
    scene.published(7, run).job("publish", "success");
    let (red, verdict) = scene.only_comment(7);
    let body = &scene.comments(7)[0].body;
    assert!(verdict.contains("cannot be trusted"), "{verdict}");
    assert!(body.contains("watch/planted"), "{body}");

    demo.switch("tune");
    demo.replace(bench, "{ 1000 } else", "{ 1050 } else");
    pushed(&scene, "the canary wakes");
    let (run, measured) = scene.measured(7);
    measured.job("judge", "success");
    scene.published(7, run).job("publish", "success");
    let (green, verdict) = scene.only_comment(7);
    assert_eq!(red, green);
    assert!(verdict.contains("PASS"), "{verdict}");
    scene.assert_contract();
}
