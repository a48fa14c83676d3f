//! The real thing, small: this repository's store and its counting bench, measured by the real workflow with real
//! valgrind, and a slowdown planted in the store's source on a pull request's branch.
//!
//! Two benchmarks at smoke size are kept of the suite, and one step, so that there is one shard: what cargo builds lies in
//! one folder for all runs of this test, and cargo tells files of two trees apart by their times alone.

use std::fs::File;
use std::path::Path;

use super::demo::{Demo, workspace};
use super::scene::{HOME, Scene};

const SUITE: &str = r#"about = "The store's get and set, small"

[[step]]
name = "counts"
harness = "iai-callgrind"
bench = "counts"
"#;

/// What the real bench and its manifest have, and what they have here.
const SMALLER: &[(&str, &str, &str)] = &[
    (
        "Cargo.toml",
        r#""bench/*", "tools/xtask"]"#,
        r#""bench/*"]"#,
    ),
    ("bench/store/Cargo.toml", "criterion.workspace = true\n", ""),
    (
        "bench/store/Cargo.toml",
        "[[bench]]\nname = \"times\"\nharness = false\ntest = false\n",
        "",
    ),
    (
        "bench/store/benches/counts.rs",
        "Inputs::full",
        "Inputs::smoke",
    ),
    (
        "bench/store/benches/counts.rs",
        "#[bench::bytes_1024(1024)]\n#[bench::bytes_4096(4096)]\n",
        "",
    ),
    (
        "bench/store/benches/counts.rs",
        "benchmarks = get, set, overwrite, delete",
        "benchmarks = get, set",
    ),
];

/// Puts the store and its suite where the project was.
fn move_in(demo: &Demo<'_>) {
    demo.git(&["rm", "--quiet", "-r", "bench"]);
    for place in [
        "Cargo.toml",
        "Cargo.lock",
        "rust-toolchain.toml",
        "crates/workload-store",
        "bench/store",
    ] {
        demo.copy(&workspace().join(place), place);
    }
    for (place, from, to) in SMALLER {
        demo.replace(place, from, to);
    }
    std::fs::remove_file(demo.place("bench/store/benches/times.rs")).unwrap();
    demo.write("bench/store/suite.toml", SUITE);
    demo.commit("the store");
    demo.git(&["push", "--quiet", "origin", "main"]);
}

/// Changes the store on the branch, opens its pull request or notes the push, and stands on its merge.
fn pushed(scene: &Scene, message: &str, from: &str, to: &str) {
    let root = scene.at("demo");
    let demo = Demo::at(&root);
    demo.switch("tune");
    demo.replace("crates/workload-store/src/store.rs", from, to);
    demo.commit(message);
    let head = demo.merge("tune");
    scene.pull(7, HOME, "tune", &head, &demo.git(&["rev-parse", "main"]));
}

#[test]
fn a_slowdown_and_a_panic_planted_in_the_store_close_the_gate_and_are_named() {
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join("act");
    std::fs::create_dir_all(&built).unwrap();
    let alone = File::create(built.join("alone")).unwrap();
    alone.lock().unwrap();
    let mut scene = Scene::new();
    scene.say("CARGO_BUILD_BUILD_DIR", &built.display().to_string());
    scene.say("CARGO_NET_OFFLINE", "true");
    // Should the action install something after all, then not where the person keeps programs.
    let installed = scene.at("installed").display().to_string();
    scene.say("CARGO_INSTALL_ROOT", &installed);
    move_in(&Demo::at(&scene.at("demo")));

    // A reader gets a copy of the value instead of a handle on it: the answers stay, the work grows.
    pushed(
        &scene,
        "get hands out copies",
        "shard.lock().read(key, &self.shared)\n",
        "let found = shard.lock().read(key, &self.shared);\n        \
         found.map(|value| Handle::long(Value::copied(&value)))\n",
    );
    let (run, measured) = scene.measured(7);
    measured.job("measure", "success");
    measured.job("judge", "failure").said("exit status 10");
    // The runner that fits is there, and so is not built again.
    assert!(!measured.log.contains("building"), "{}", measured.log);
    scene.published(7, run).job("publish", "success");
    let (slow, verdict) = scene.only_comment(7);
    assert!(
        verdict.contains("FAIL store: 1 regressed, 1 unchanged"),
        "{verdict}"
    );
    assert_eq!(rows(&scene, "**regressed**, fail"), ["kv/get instructions"]);

    // One byte too many: a panic under valgrind is no verdict, and neither benchmark is lost sight of.
    let short = "        New::Short(value)\n";
    let too_long = "        New::Short(&value[..=value.len()])\n";
    pushed(&scene, "set copies too much", short, too_long);
    let (run, measured) = scene.measured(7);
    measured.job("measure", "failure");
    measured.job("judge", "failure").said("exit status 11");
    scene.published(7, run).job("publish", "success");
    let (broken, verdict) = scene.only_comment(7);
    assert_eq!(slow, broken);
    assert!(verdict.contains("BROKEN"), "{verdict}");
    assert_eq!(
        rows(&scene, "**broken**, fail"),
        ["kv/get instructions", "kv/set instructions"]
    );
    let body = &scene.comments(7)[0].body;
    assert!(body.contains("out of range for slice"), "{body}");
    scene.assert_contract();
}

/// Returns the benchmark and the metric of each row of the first table that says so.
fn rows(scene: &Scene, verdict: &str) -> Vec<String> {
    let body = &scene.comments(7)[0].body;
    let shown = body.split("<details>").next().unwrap_or_default();
    let rows = shown.lines().filter(|line| line.contains(verdict));
    let row = |line: &str| {
        let mut cells = line.split('|').map(|cell| cell.trim().trim_matches('`'));
        let benchmark = cells.nth(1).unwrap_or_default().split('{').next();
        format!(
            "{} {}",
            benchmark.unwrap_or_default(),
            cells.next().unwrap_or_default()
        )
    };
    rows.map(row).collect()
}
