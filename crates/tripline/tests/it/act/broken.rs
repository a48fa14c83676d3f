//! What is no verdict: a benchmark that could not be measured, and a canary that slept. The gate closes with a code of its
//! own, and the comment says that this is an outage.

use super::canary;
use super::demo::Demo;
use super::scene::{HOME, Scene};

/// What a canary of times prints.
const TIMES: &str = r##"    println!("{}", r#"{"tripline_run":{"version":1,"suite":"watch","measured_at":"2026-01-02T03:04:05Z","producer":{"name":"demo","version":"0"},"environment":{"name":"elsewhere","facts":{}},"metrics":{"wall_time":{"unit":"ns","better":"lower","nature":"sampled"}}}}"#);
    for (name, time) in [("steady", 1000), ("planted", planted)] {
        println!(r#"{{"measured":{{"benchmark":"watch/{name}","readings":{{"wall_time":{{"values":[{time}]}}}}}}}}"#);
    }
    println!("{}", r#"{"end":{}}"#);
"##;

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
    canary::add(&demo, "run-file", "wall_time", TIMES);
    demo.commit("a canary");
    demo.git(&["push", "--quiet", "origin", "main"]);

    // Nothing got slower; but the gate would not have seen it.
    demo.switch("tune");
    canary::sleeps(&demo);
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
    canary::wakes(&demo);
    pushed(&scene, "the canary wakes");
    let (run, measured) = scene.measured(7);
    measured.job("judge", "success");
    scene.published(7, run).job("publish", "success");
    let (green, verdict) = scene.only_comment(7);
    assert_eq!(red, green);
    assert!(verdict.contains("PASS"), "{verdict}");
    scene.assert_contract();
}
