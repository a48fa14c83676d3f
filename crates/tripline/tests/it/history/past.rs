//! A time that was measured alone is held against the commits before, where the judge is handed their history.

use tripline_model::{Method, Verdict, wire};

use super::{fetch, project, record};
use crate::project::{Project, git};

/// What `get` took at each commit, in nanoseconds.
const BEFORE: [u64; 12] = [
    1003, 995, 1008, 998, 1001, 990, 1006, 997, 1002, 1009, 994, 999,
];

/// A suite of one benchmark of some nanoseconds, committed and measured.
fn measured(project: &Project, time: u64) {
    super::measured(project, ("wall_time", "ns", "lower"), time);
}

/// A project whose commits were all recorded; the last is its baseline.
fn recorded() -> Project {
    let project = project();
    project.write(".gitignore", "/target\n/remote.git\n/data.js\n");
    for time in BEFORE {
        measured(&project, time);
        record(&project);
    }
    fetch(&project);
    project.tripline(&["baseline", "update"]).with(0);
    project
}

/// Judges what was measured last, and returns how and to what it came.
fn judged(project: &Project, args: &[&str]) -> (Method, Verdict) {
    let ended = project.tripline(&[&["judge"], args].concat()).with(0);
    only_finding(&ended.out)
}

fn only_finding(report: &str) -> (Method, Verdict) {
    let reports = wire::read_report(report.as_bytes()).unwrap();
    let findings = &reports[0].findings;
    assert_eq!(findings.len(), 1, "one benchmark has one time: {report}");
    let finding = &findings[0];
    (finding.evidence.method, finding.verdict)
}

#[test]
fn a_time_is_held_against_the_commits_before_it() {
    let project = recorded();
    let from: [&str; 2] = ["--from", "target/tripline"];
    let of_history = ["--history", "tripline-data"];
    let with_history = [from, of_history].concat();
    let cases = [
        (1_010, Verdict::Unchanged),
        (1_300, Verdict::Regressed),
        (700, Verdict::Improved),
    ];
    for (time, verdict) in cases {
        measured(&project, time);
        let expected = (Method::Historical, verdict);
        assert_eq!(judged(&project, &with_history), expected, "{time}");
        let head = ["--head", "target/tripline/kv/run.jsonl"];
        assert_eq!(judged(&project, &[head, of_history].concat()), expected);
        let check = ["check", "--history", "tripline-data"];
        project.tripline(&check).with(0);
        let report = project.read("target/tripline/report.jsonl");
        assert_eq!(only_finding(&report), expected);
    }
    // The head's own record is none of what was before it, and what comes after it neither.
    record(&project);
    fetch(&project);
    assert_eq!(judged(&project, &with_history).1, Verdict::Improved);
    git(project.path(), &["checkout", "--quiet", "HEAD~12"]);
    project.tripline(&["measure"]).with(0);
    let (method, _) = judged(&project, &with_history);
    assert_ne!(method, Method::Historical, "two commits are no history");

    let (method, _) = judged(&project, &from);
    assert_ne!(method, Method::Historical);
    let missing = project.tripline(&["judge", "--from", "target/tripline", "--history", "x"]);
    assert!(missing.with(3).err.contains("no branch `x`"));
}

#[test]
fn a_time_that_no_kept_run_has_is_held_against_the_commits_before_it() {
    let project = recorded();
    std::fs::remove_dir_all(project.at("baselines")).unwrap();
    measured(&project, 1_300);
    let ended = project
        .tripline(&["check", "--history", "tripline-data"])
        .with(0);
    let said = "no kept run, only the history to compare with, 1 benchmark measured, 1 regressed";
    assert!(ended.out.contains(said), "{}", ended.out);
    let report = project.read("target/tripline/report.jsonl");
    let expected = (Method::Historical, Verdict::Regressed);
    assert_eq!(only_finding(&report), expected);
}

#[test]
fn what_the_history_stops_is_taken_on_purpose_once() {
    let project = recorded();
    git(project.path(), &["config", "user.name", "Ada Lovelace"]);
    git(project.path(), &["config", "user.email", "ada@example.org"]);
    let suite = project.read("bench/kv/suite.toml");
    let row = "[[policy]]\nbecause = \"watched\"\nmethod = \"historical\"\nwarn = \"5 %\"\nfail = \"5 %\"\n";
    project.write("bench/kv/suite.toml", &format!("{suite}\n{row}"));
    let check = |time: u64| {
        measured(&project, time);
        project.tripline(&["check", "--history", "tripline-data"])
    };
    check(1_120).with(10);
    let accept = ["baseline", "accept", "get", "--because", "it is worth it"];
    project.tripline(&accept).with(2);
    let with_history = [&accept[..], &["--history", "tripline-data"]].concat();
    project.tripline(&with_history).with(0);
    check(1_120).with(0);
    // Once the history has come to what was accepted, another such step is another regression.
    for time in BEFORE {
        measured(&project, time + 120);
        record(&project);
    }
    fetch(&project);
    check(1_250).with(10);
}

/// What came after a commit, or stands on another branch, says nothing of it: not even where the clone knows no better.
#[test]
fn a_clone_without_the_commits_before_leaves_it_to_the_kept_run() {
    let project = recorded();
    measured(&project, 1_300);
    let shallow = project.at("target/shallow");
    let (from, to) = (project.path().display(), shallow.display().to_string());
    let from = format!("file://{from}");
    git(
        project.path(),
        &["clone", "--quiet", "--depth=1", &from, &to],
    );
    let fetched = "refs/remotes/origin/tripline-data:refs/remotes/origin/tripline-data";
    git(&shallow, &["fetch", "--quiet", "origin", fetched]);
    project.tripline(&["--root", &to, "measure"]).with(0);
    let judge = [
        "judge",
        "--from",
        "target/tripline",
        "--history",
        "tripline-data",
    ];
    let ended = project
        .tripline(&[&["--root", &to], &judge[..]].concat())
        .with(0);
    assert_ne!(only_finding(&ended.out).0, Method::Historical);
    assert!(ended.err.contains("git fetch --unshallow"), "{}", ended.err);

    // So it is where the commit that was measured is not there at all.
    measured(&project, 1_300);
    let head = project
        .at("target/tripline/kv/run.jsonl")
        .display()
        .to_string();
    let judge = ["judge", "--head", &head, "--history", "tripline-data"];
    let ended = project
        .tripline(&[&["--root", &to], &judge[..]].concat())
        .with(0);
    assert_ne!(only_finding(&ended.out).0, Method::Historical);
    assert!(ended.err.contains("git fetch --unshallow"), "{}", ended.err);
}

/// What is computed of times is judged as they are: at each commit it is what it would have been by today's definition.
#[test]
fn what_is_derived_is_held_against_the_commits_before_it() {
    let project = recorded();
    let derived = "[[derived]]\nname = \"half\"\nabout = \"a test\"\nunit = \"ns\"\nbetter = \"lower\"\n\
                   expression = \"get:wall_time / 2\"\n\
                   [[policy]]\nbecause = \"watched\"\nmetric = \"half\"\nmethod = \"historical\"\nfail = \"5 %\"\n";
    let suite = project.read("bench/kv/suite.toml");
    project.write("bench/kv/suite.toml", &format!("{suite}\n{derived}"));
    let check = ["check", "--history", "tripline-data"];
    measured(&project, 1_010);
    project.tripline(&check).with(0);
    measured(&project, 1_300);
    project.tripline(&check).with(10);
    let report = project.read("target/tripline/report.jsonl");
    let reports = wire::read_report(report.as_bytes()).unwrap();
    let half = reports[0]
        .findings
        .iter()
        .find(|it| it.metric.name.as_str() == "half");
    let half = half.expect("it is derived");
    assert_eq!(half.evidence.method, Method::Historical);
    assert_eq!(half.verdict, Verdict::Regressed);
}
