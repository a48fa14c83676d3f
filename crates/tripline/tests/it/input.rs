//! Bad input to the verbs that read files: an error that names the place and says what to do, exit code 4, and nothing
//! overwritten. What each reader does with each kind of damage is tested beside the reader.

use crate::project::{Project, run_file};

#[test]
fn bad_runs_are_errors_with_a_place() {
    let project = Project::with_suite();
    let good = run_file(&[("get", 10)]);
    project.write("good.jsonl", &good);
    let deep = "[".repeat(100_000);
    for (name, text, said) in [
        ("empty", String::new(), "line 1 column"),
        ("garbage", "\u{0}\u{1}\u{2}".to_owned(), "line 1 column 1"),
        ("cut", good[..good.len() / 2].to_owned(), "line 1 column"),
        (
            "version",
            good.replace("\"version\":1", "\"version\":7"),
            "version 7",
        ),
        ("nan", good.replace("[10]", "[NaN]"), "line 2 column"),
        ("infinite", good.replace("[10]", "[1e999]"), "line 2 column"),
        ("negative", good.replace("[10]", "[-10]"), "below zero"),
        (
            "huge",
            good.replace("[10]", "[10000000000000000000]"),
            "2^53",
        ),
        (
            "control",
            good.replace("\"get\"", "\"g\\u001bet\""),
            "U+001B",
        ),
        ("deep", good.replace("[10]", &deep), "line 2 column"),
    ] {
        project.write("bad.jsonl", &text);
        project.write("kept.json", "what was there");
        for args in [
            &[
                "judge",
                "--head",
                "bad.jsonl",
                "--base",
                "good.jsonl",
                "--out",
                "kept.json",
            ][..],
            &[
                "judge",
                "--head",
                "good.jsonl",
                "--base",
                "bad.jsonl",
                "--out",
                "kept.json",
            ],
            &["render", "bad.jsonl"],
        ] {
            let ended = project.tripline(args).with(4);
            assert!(ended.err.contains("bad.jsonl"), "{name}: {}", ended.err);
            assert!(
                args[0] == "render" || ended.err.contains(said),
                "{name}: `{said}` is not in\n{}",
                ended.err
            );
            assert!(ended.err.contains("hint:"), "{name}: {}", ended.err);
            assert_eq!(ended.out, "");
        }
        assert_eq!(project.read("kept.json"), "what was there", "{name}");
    }
}

#[test]
fn files_that_cannot_be_opened_are_named() {
    let project = Project::with_suite();
    let ended = project.tripline(&["render", "nowhere.json"]).with(4);
    assert!(
        ended.err.contains("`nowhere.json` was not read"),
        "{}",
        ended.err
    );
    let ended = project.tripline(&["judge", "--head", "bench"]).with(4);
    assert!(ended.err.contains("`bench` was not read"), "{}", ended.err);
    std::os::unix::fs::symlink("loop", project.at("loop")).unwrap();
    let ended = project.tripline(&["read", "--suite", "kv", "loop"]).with(4);
    assert!(ended.err.contains("loop"), "{}", ended.err);
}

#[test]
fn a_long_line_is_refused_quickly() {
    let project = Project::with_suite();
    project.write("long.jsonl", &run_file(&[(&"x".repeat(100_000_000), 1)]));
    let ended = project
        .tripline(&["judge", "--head", "long.jsonl", "--base", "long.jsonl"])
        .with(4);
    assert!(ended.err.contains("line 2"), "{}", ended.err);
    assert!(
        ended.err.len() < 2_000,
        "the line was repeated in the error"
    );
}

#[test]
fn an_empty_run_is_never_green() {
    let project = Project::with_suite();
    project.write("empty.jsonl", &run_file(&[]).replace("\n\n", "\n"));
    project
        .tripline(&["judge", "--head", "empty.jsonl", "--base", "empty.jsonl"])
        .with(3);
}

#[test]
fn a_base_that_was_not_measured_is_never_green() {
    let project = Project::with_suite();
    let good = run_file(&[("get", 10)]);
    project.write("good.jsonl", &good);
    project.write("empty.jsonl", &run_file(&[]).replace("\n\n", "\n"));
    let of_base = ["judge", "--head", "good.jsonl", "--base"];
    let ended = project
        .tripline(&[&of_base[..], &["empty.jsonl"]].concat())
        .with(3);
    assert!(
        ended
            .err
            .contains("the base holds no measurement of suite `kv`"),
        "{}",
        ended.err
    );
    let failed = r#"{"failed":{"step":"counts","kind":{"exit":1},"tail":""}}"#;
    project.write(
        "failed.jsonl",
        &good.replace("{\"end\"", &format!("{failed}\n{{\"end\"")),
    );
    let ended = project
        .tripline(&[&of_base[..], &["failed.jsonl"]].concat())
        .with(11);
    assert!(ended.err.contains("base"), "{}", ended.err);
}

#[test]
fn a_suite_file_with_an_unknown_key_names_the_near_miss() {
    let project = Project::with_suite();
    let text = project.read("bench/kv/suite.toml") + "timeout_second = 3\n";
    project.write("bench/kv/suite.toml", &text);
    let ended = project.tripline(&["check"]).with(4);
    insta::assert_snapshot!(ended.err, @r"
    error: nothing was measured: `[PROJECT]/bench/kv/suite.toml` cannot be used
      caused by: unknown field `timeout_second`, expected one of `name`, `harness`, `bench`, `command`, `output`, `repeats`, `cores`, `timeout_seconds`, `tools`, `args`, `benchmark`, `params`, `per` at line 6 column 1
      hint: did you mean `timeout_seconds`?
    ");
}

#[test]
fn what_cannot_be_read_of_a_harness_is_listed() {
    let project = Project::with_suite();
    let good = r#"{"reason":"benchmark-complete","id":"a","report_directory":"","iteration_count":[1,2],"measured_values":[1.0,2.0],"unit":"ns","throughput":[],"typical":{"estimate":1.0,"lower_bound":1.0,"upper_bound":1.0,"unit":"ns"},"mean":{"estimate":1.0,"lower_bound":1.0,"upper_bound":1.0,"unit":"ns"},"median":{"estimate":1.0,"lower_bound":1.0,"upper_bound":1.0,"unit":"ns"},"median_abs_dev":{"estimate":1.0,"lower_bound":1.0,"upper_bound":1.0,"unit":"ns"},"slope":null,"change":null}"#;
    let odd = good
        .replace("\"id\":\"a\"", "\"id\":\"b\"")
        .replace("[1,2]", "[1]");
    project.write("out.jsonl", &format!("{good}\n{odd}\n"));
    let ended = project
        .tripline(&["read", "--suite", "kv", "--out", "run.jsonl", "out.jsonl"])
        .with(4);
    assert!(ended.err.contains("out.jsonl:2:"), "{}", ended.err);
    assert!(project.read("run.jsonl").contains("\"benchmark\":\"a\""));
}
