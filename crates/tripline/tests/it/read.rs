//! `tripline read` as it is called: from a file, a pipe or a directory, with a harness that is named or seen.

use std::fs::{self, File};

use crate::project::{Ended, Project};

const GO: &str = "goos: linux\npkg: example.com/kv\nBenchmarkGet-8   \t 100\t 250 ns/op\nPASS\n";

/// A list that says of itself neither whose it is nor which way is better.
const LIST: &str = r#"[{"name": "get", "unit": "ms", "value": 12.5}]"#;

fn benchmarks(run: &str) -> Vec<&str> {
    let parts = run
        .lines()
        .filter_map(|line| line.split_once("\"benchmark\":\""));
    parts
        .filter_map(|(_, rest)| rest.split('"').next())
        .collect()
}

#[test]
fn a_pipe_is_read_as_the_file_is() {
    let project = Project::new();
    project.write("go.txt", GO);
    let of_file = project
        .tripline(&["read", "--suite", "kv", "go.txt"])
        .with(0);
    let mut command = project.command(&["read", "--suite", "kv", "-"]);
    command.stdin(File::open(project.at("go.txt")).unwrap());
    let of_pipe = Ended::of(command.output().unwrap(), project.path()).with(0);
    assert_eq!(benchmarks(&of_file.out), ["BenchmarkGet"]);
    assert_eq!(benchmarks(&of_pipe.out), ["BenchmarkGet"]);
}

#[test]
fn an_empty_pipe_is_an_error_and_writes_nothing() {
    let project = Project::new();
    let ended = project
        .tripline(&["read", "--suite", "kv", "--out", "run.jsonl", "-"])
        .with(4);
    assert!(ended.err.contains("`stdin`"), "{}", ended.err);
    assert!(ended.err.contains("hint:"), "{}", ended.err);
    assert!(!project.at("run.jsonl").exists());
}

#[test]
fn what_could_not_be_read_is_counted_and_all_others_are_written() {
    let project = Project::new();
    project.write(
        "go.txt",
        &format!("{GO}BenchmarkSet-8   \t 100\t x ns/op\n"),
    );
    let args = ["read", "--suite", "kv", "--out", "run.jsonl", "go.txt"];
    let ended = project.tripline(&args).with(4);
    for said in [
        "not read: go.txt:5:",
        "1 result of `go.txt` could not be read; all others were",
    ] {
        assert!(ended.err.contains(said), "{}", ended.err);
    }
    assert_eq!(benchmarks(&project.read("run.jsonl")), ["BenchmarkGet"]);
}

#[test]
fn a_harness_that_is_named_is_not_looked_for() {
    let project = Project::new();
    project.write("list.json", LIST);
    let both = project
        .tripline(&["read", "--suite", "kv", "list.json"])
        .with(4);
    assert!(
        both.err.contains("custom-bigger-is-better or custom"),
        "{}",
        both.err
    );
    for (harness, better) in [
        ("custom-bigger-is-better", "\"higher\""),
        ("custom-smaller-is-better", "\"lower\""),
    ] {
        let args = ["read", "--suite", "kv", "--harness", harness, "list.json"];
        let ended = project.tripline(&args).with(0);
        assert!(ended.out.contains(better), "{}", ended.out);
    }
    let args = [
        "read",
        "--suite",
        "kv",
        "--harness",
        "hyperfine",
        "list.json",
    ];
    let other = project.tripline(&args).with(4);
    assert!(
        other.err.contains("was not read as hyperfine"),
        "{}",
        other.err
    );
    let args = [
        "read",
        "--suite",
        "kv",
        "--harness",
        "hologram",
        "list.json",
    ];
    project.tripline(&args).with(2);
}

#[test]
fn a_directory_of_one_harness_is_read_and_others_are_told() {
    let project = Project::new();
    project.write("out/bench.log", GO);
    let seen = project.tripline(&["read", "--suite", "kv", "out"]).with(0);
    assert_eq!(benchmarks(&seen.out), ["BenchmarkGet"]);
    project.write("out/list.json", LIST);
    let many = project.tripline(&["read", "--suite", "kv", "out"]).with(4);
    assert!(many.err.contains("go (`bench.log`)"), "{}", many.err);
    let args = [
        "read",
        "--suite",
        "kv",
        "--harness",
        "go",
        "--out",
        "run.jsonl",
        "out",
    ];
    let told = project.tripline(&args).with(4);
    assert!(told.err.contains("out/list.json"), "{}", told.err);
    assert_eq!(benchmarks(&project.read("run.jsonl")), ["BenchmarkGet"]);
}

#[test]
fn encodings_of_other_systems_are_read() {
    let project = Project::new();
    let units = format!("\u{feff}{}", GO.replace('\n', "\r\n"));
    let wide: Vec<u8> = units.encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::create_dir(project.at("out")).unwrap();
    fs::write(project.at("out/wide.txt"), wide).unwrap();
    let latin = [b"// caf\xE9\n", GO.replace("Get", "Set").as_bytes()].concat();
    fs::write(project.at("out/narrow.txt"), latin).unwrap();
    let ended = project.tripline(&["read", "--suite", "kv", "out"]).with(0);
    assert_eq!(benchmarks(&ended.out), ["BenchmarkGet", "BenchmarkSet"]);
}

/// What a reader knows that can be done is said; and that its harness could be another, only where it was not named.
#[test]
fn what_can_be_done_is_said() {
    let project = Project::new();
    project.write("go.txt", "goos: linux\nBenchmarkSet-8   \t     100\nPASS\n");
    let own = "hint: run the suite again if the harness was interrupted";
    for (harness, expected) in [(&[][..], true), (&["--harness", "go"], false)] {
        let mut args = vec!["read", "--suite", "kv", "go.txt"];
        args.extend(harness);
        let ended = project.tripline(&args).with(4);
        assert!(ended.err.contains(own), "{}", ended.err);
        let is_other_asked = ended.err.contains("name another harness with `--harness`");
        assert_eq!(is_other_asked, expected, "{}", ended.err);
    }
}

#[test]
fn whoever_names_a_harness_hears_of_the_results_of_others() {
    let project = Project::new();
    let of_criterion = "get                     time:   [1.1071 ns 1.2551 ns 1.4356 ns]\n";
    project.write("out.txt", &[GO, of_criterion].concat());
    let args = ["read", "--suite", "kv", "--harness", "go", "out.txt"];
    let told = project.tripline(&args).with(4);
    let expected = "out.txt:1:1: it holds results of criterion-text too";
    assert!(told.err.contains(expected), "{}", told.err);
    assert_eq!(benchmarks(&told.out), ["BenchmarkGet"]);
}
