//! The plan that spreads steps over machines, by how long they took; and the record of that which is kept with baselines.

use crate::project::{Project, run_file};
use crate::shards::{KV, LOG, repository};

/// A project with steps that took so long on another machine.
fn planned(lines: &str) -> Project {
    let project = Project::new();
    project.write("bench/kv/suite.toml", KV);
    project.write("bench/log/suite.toml", LOG);
    if !lines.is_empty() {
        project.write("baselines/durations.tsv", lines);
    }
    project
}

#[test]
fn the_matrix_balances_what_was_recorded() {
    let project =
        planned("kv/answers\t30\nkv/first\t100\nkv/second\t80\nkv/times\t60\nlog/only\t70\n");
    let matrix = |shards: &str| {
        let ended = project
            .tripline(&["plan", "--shards", shards, "--format", "json"])
            .with(0);
        assert_eq!(ended.err, "");
        ended.out
    };
    insta::assert_snapshot!(matrix("2"), @r#"{"include":[{"shard":1,"of":2,"steps":"kv/first,kv/times","minutes":4},{"shard":2,"of":2,"steps":"kv/second,log/only","minutes":3}]}"#);
    insta::assert_snapshot!(matrix("1"), @r#"{"include":[{"shard":1,"of":1,"steps":"kv/first,kv/second,kv/times,log/only","minutes":6}]}"#);
    insta::assert_snapshot!(matrix("256"), @r#"{"include":[{"shard":1,"of":4,"steps":"kv/first","minutes":3},{"shard":2,"of":4,"steps":"kv/second","minutes":2},{"shard":3,"of":4,"steps":"log/only","minutes":2},{"shard":4,"of":4,"steps":"kv/times","minutes":2}]}"#);
    let ended = project.tripline(&["plan", "--shards", "2"]).with(0);
    insta::assert_snapshot!(ended.out, @r"
    shard 1 of 2: kv/first,kv/times (about 4 min)
    shard 2 of 2: kv/second,log/only (about 3 min)
    ");
    let ended = project
        .command(&["plan", "--format", "json"])
        .env("TRIPLINE_SHARDS", "2")
        .output();
    assert_eq!(
        String::from_utf8(ended.unwrap().stdout).unwrap(),
        matrix("2")
    );
    for none in ["0", "257", "-1"] {
        project.tripline(&["plan", "--shards", none]).with(2);
    }
}

/// What a session takes says more of a session, and the note of this machine more of this machine.
#[test]
fn the_nearest_record_counts() {
    let lines = "kv/first (base)\t10\nkv/first (base, head)\t200\nkv/second (base, head)\t90\nkv/times (base, head)\t80\nlog/only (base, head)\t10\nlog/only\t5000\n";
    let project = planned(lines);
    let matrix = || {
        project
            .tripline(&["plan", "--shards", "2", "--format", "json"])
            .with(0)
            .out
    };
    insta::assert_snapshot!(matrix(), @r#"{"include":[{"shard":1,"of":2,"steps":"kv/first","minutes":4},{"shard":2,"of":2,"steps":"kv/second,kv/times,log/only","minutes":3}]}"#);
    project.write(
        "target/tripline/durations.tsv",
        "kv/first (base, head)\t1.5\n",
    );
    insta::assert_snapshot!(matrix(), @r#"{"include":[{"shard":1,"of":2,"steps":"kv/first,kv/second","minutes":2},{"shard":2,"of":2,"steps":"kv/times,log/only","minutes":2}]}"#);
}

/// Of what is enough once a session runs each side by itself, as of what counts.
#[test]
fn what_is_enough_once_is_recorded_for_each_side() {
    let lines = "kv/first (base, head)\t10\nkv/second (base, head)\t20\nkv/times (base)\t100\nkv/times (head)\t110\nlog/only (base, head)\t90\n";
    let project = planned(lines);
    project.write("bench/kv/suite.toml", &format!("{KV}repeats = 1\n"));
    let plan = ["plan", "--shards", "2"];
    let ended = project.tripline(&plan).with(0);
    insta::assert_snapshot!(ended.out, @r"
    shard 1 of 2: kv/times (about 4 min)
    shard 2 of 2: kv/first,kv/second,log/only (about 2 min)
    ");
    assert_eq!(ended.err, "");
    // Of what goes by rounds it is both sides together that is recorded.
    project.write("bench/kv/suite.toml", KV);
    let ended = project.tripline(&plan).with(0);
    assert!(ended.err.contains("kv/times"), "{}", ended.err);
}

#[test]
fn what_is_not_recorded_is_said_and_taken_to_be_as_long_as_others() {
    let project = planned("");
    let plan = ["plan", "--shards", "2", "--format", "json"];
    let ended = project.tripline(&plan).with(0);
    insta::assert_snapshot!(ended.out, @r#"{"include":[{"shard":1,"of":2,"steps":"kv/first,kv/times"},{"shard":2,"of":2,"steps":"kv/second,log/only"}]}"#);
    insta::assert_snapshot!(ended.err, @r"
    note: how long steps take is not known, so all are taken to be equally long
      hint: `tripline measure` and `tripline baseline update` keep it in baselines/durations.tsv
    ");
    project.write("baselines/durations.tsv", "kv/first\t100\nkv/second\t20\n");
    let ended = project.tripline(&plan).with(0);
    insta::assert_snapshot!(ended.out, @r#"{"include":[{"shard":1,"of":2,"steps":"kv/first,kv/second","minutes":2},{"shard":2,"of":2,"steps":"kv/times,log/only","minutes":2}]}"#);
    insta::assert_snapshot!(ended.err, @r"
    note: how long these take is not known, so they are taken to be as long as others: kv/times, log/only
      hint: `tripline measure` and `tripline baseline update` keep it in baselines/durations.tsv
    ");
}

#[test]
fn garbage_among_the_records_is_an_error_with_its_place() {
    let project = planned("kv/first\t100\nkv/second\tsoon\n");
    for verb in [&["plan", "--shards", "2"][..], &["baseline", "check"]] {
        let ended = project.tripline(verb).with(4);
        assert!(
            ended.err.contains("baselines/durations.tsv` were not used"),
            "{}",
            ended.err
        );
        assert!(
            ended
                .err
                .contains("`soon` is no whole number from 1 to 604800 at line 2"),
            "{}",
            ended.err
        );
    }
    // The plan that nobody spreads does not need it.
    project.tripline(&["plan"]).with(0);
}

#[test]
fn how_long_steps_take_is_kept_with_baselines() {
    let repository = repository();
    let kept = || std::fs::read_to_string(repository.at("baselines/durations.tsv")).unwrap();
    repository.tripline(&["measure"]).with(0);
    let ended = repository.tripline(&["baseline", "update"]).with(0);
    assert!(
        ended
            .err
            .contains("how long steps take was kept in baselines/durations.tsv"),
        "{}",
        ended.err
    );
    assert_eq!(
        kept(),
        "kv/answers\t1\nkv/first\t1\nkv/second\t1\nkv/times\t1\nlog/only\t1\n"
    );
    let note = |seconds: &str| {
        let place = repository.at("target/tripline/durations.tsv");
        std::fs::write(
            place,
            format!("kv/first\t{seconds}\nkv/first (base)\t7.2\ngone/step\t3.0\nkv/gone\t3.0\n"),
        )
        .unwrap();
        repository.tripline(&["baseline", "update"]).with(0).err
    };
    note("100.4");
    assert!(
        kept().starts_with("kv/answers\t1\nkv/first\t101\nkv/first (base)\t8\nkv/second\t1\n"),
        "{}",
        kept()
    );
    for quiet in ["80.0", "150.0", "51.0"] {
        assert!(!note(quiet).contains("kept in"), "{quiet} was kept");
    }
    note("20.0");
    assert!(kept().contains("kv/first\t20\n"), "{}", kept());
    // What is no step any more is dropped, and garbage is not written over.
    repository.write(
        "baselines/durations.tsv",
        &format!("gone/step\t3\n{}", kept()),
    );
    note("20.0");
    assert!(!kept().contains("gone"), "{}", kept());
    repository.write("baselines/durations.tsv", "garbage\n");
    repository.tripline(&["baseline", "update"]).with(4);
    assert_eq!(kept(), "garbage\n");
}

#[test]
fn what_is_measured_on_demand_is_left_out_unless_it_is_named() {
    let project = planned("");
    project.write("bench/log/suite.toml", &format!("on_demand = true\n{LOG}"));
    let suites = |args: &[&str]| {
        let ended = project.tripline(&[&["plan"], args].concat()).with(0);
        let is_suite = |line: &&str| line.starts_with(|first: char| !first.is_whitespace());
        let lines = ended.out.lines().filter(is_suite);
        let name = |line: &str| line.split(':').next().unwrap().to_owned();
        lines.map(name).collect::<Vec<_>>()
    };
    assert_eq!(suites(&[]), ["kv"]);
    assert_eq!(suites(&["--suite", "log"]), ["log"]);

    project.write("bench/kv/suite.toml", &format!("on_demand = true\n{KV}"));
    let ended = project.tripline(&["plan"]).with(3);
    let said = "every suite is one that is only measured on demand";
    assert!(ended.err.contains(said), "{}", ended.err);
}

/// Where all is measured on demand, what is named is measured and judged as anything else.
#[test]
fn a_suite_on_demand_is_measured_and_judged_when_it_is_named() {
    let project = Project::with_suite();
    let suite = project.read("bench/kv/suite.toml");
    project.write("bench/kv/suite.toml", &format!("on_demand = true\n{suite}"));
    project.tripline(&["check", "--suite", "kv"]).with(0);
    project
        .tripline(&["baseline", "update", "--suite", "kv"])
        .with(0);
    let listed = project.tripline(&["baseline", "list"]).with(0);
    assert!(listed.out.contains("kv"), "{}", listed.out);
    assert!(listed.out.contains("  2 benchmarks  "), "{}", listed.out);
    project.write("bench/kv/head.jsonl", &run_file(&[("get", 1)]));
    let only = ["--suite", "kv"];
    project
        .tripline(&[&["measure"][..], &only].concat())
        .with(0);
    project
        .tripline(&[&["baseline", "update"][..], &only].concat())
        .with(0);
    let listed = project.tripline(&["baseline", "list"]).with(0);
    assert!(listed.out.contains("  1 benchmark  "), "{}", listed.out);
    // Beside it one that is not: its run is no stranger's there.
    project.write(
        "bench/log/suite.toml",
        &suite.replace("head.jsonl", "log.jsonl"),
    );
    project.write(
        "bench/log/log.jsonl",
        &run_file(&[("get", 1)]).replace("\"kv\"", "\"log\""),
    );
    project.tripline(&["measure", "--suite", "log"]).with(0);
    project
        .tripline(&["judge", "--from", "target/tripline"])
        .with(0);
}
