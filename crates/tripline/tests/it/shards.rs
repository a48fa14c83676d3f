//! Shards: steps that are measured apart, joined, and judged as one.
//!
//! Each shard measures in a copy of the repository of its own, as machines do; what the steps print is known in advance.

use std::fmt::Write as _;

use tempfile::TempDir;
use tripline_model::{Report, Run, StepName, Verdict, wire};

use crate::project::Ended;
use crate::repository::Repository;

/// A suite whose steps answer, count in two places, and give times.
pub(crate) const KV: &str = r#"about = "x"
[[step]]
name = "answers"
harness = "answers"
command = ["cat", "answers"]
[[step]]
name = "first"
harness = "run-file"
command = ["cat", "first"]
[[step]]
name = "second"
harness = "run-file"
command = ["cat", "second"]
[[step]]
name = "times"
harness = "run-file"
command = ["sh", "run.sh"]
"#;

/// Another one, of a single step.
pub(crate) const LOG: &str = r#"about = "x"
[[step]]
name = "only"
harness = "run-file"
command = ["cat", "only"]
"#;

/// Writes a run file of counts.
fn counted(suite: &str, metric: &str, benches: &[(&str, u64)]) -> String {
    let mut text = format!(
        r#"{{"tripline_run":{{"version":1,"suite":"{suite}","measured_at":"2026-01-02T03:04:05Z","producer":{{"name":"test","version":"0"}},"environment":{{"name":"elsewhere","facts":{{}}}},"metrics":{{"{metric}":{{"unit":"count","better":"lower","nature":"exact"}}}}}}}}"#
    );
    for (bench, count) in benches {
        write!(
            text,
            "\n{{\"measured\":{{\"benchmark\":\"{bench}\",\"readings\":{{\"{metric}\":{{\"values\":[{count}]}}}}}}}}"
        )
        .unwrap();
    }
    text + "\n{\"end\":{}}\n"
}

/// Sets what the steps give, at one commit.
fn give(repository: &Repository, get: u64, ns: u64) {
    let first = [("get", get), ("set", 5_000)];
    repository.write("bench/kv/first", &counted("kv", "instructions", &first));
    let second = [("get", 70), ("scan", 9_000)];
    repository.write("bench/kv/second", &counted("kv", "branches", &second));
    repository.script("print_run < ns");
    repository.times(&format!("get {ns}\nscan 4000"));
    repository.write(
        "bench/log/only",
        &counted("log", "instructions", &[("append", 300)]),
    );
    repository.commit();
}

/// A repository with two commits: at the second, `get` counts more and takes longer.
pub(crate) fn repository() -> Repository {
    let repository = Repository::for_cargo();
    repository.write("bench/kv/suite.toml", KV);
    repository.write("bench/log/suite.toml", LOG);
    let answers = ["get", "set", "scan"]
        .map(|name| format!("{{\"benchmark\":\"{name}\",\"answer\":\"c0ffee\"}}\n"));
    repository.write("bench/kv/answers", &answers.concat());
    give(&repository, 1_000, 1_000);
    give(&repository, 1_100, 1_200);
    repository
}

/// The steps of each shard, so that none is where another one is.
pub(crate) const SHARDS: [&str; 3] = ["kv/first,log/only", "kv/times", "kv/second"];

/// Measures each shard in a copy of its own, and returns a folder in which each left its runs.
pub(crate) fn measured(repository: &Repository, more: &[&str]) -> TempDir {
    let parts = tempfile::tempdir().unwrap();
    for (at, steps) in SHARDS.iter().enumerate() {
        let copy = repository.copied();
        let into = parts.path().join(format!("shard-{at}"));
        let mut command = copy.command(&["measure", "--step", steps, "--into"]);
        let output = command.arg(into).args(more).output().unwrap();
        Ended::of(output, parts.path()).with(0);
    }
    parts
}

/// Joins what lies in a folder, into another folder beside the repository.
pub(crate) fn merged(repository: &Repository, parts: &TempDir) -> Ended {
    let mut command = repository.command(&["merge", "--out", "merged"]);
    let output = command.arg(parts.path()).output().unwrap();
    Ended::of(output, parts.path())
}

/// Judges what lies in a folder of the repository.
fn judged(repository: &Repository, folder: &str, code: i32) -> Vec<Report> {
    let ended = repository.tripline(&["judge", "--from", folder]).with(code);
    wire::read_report(ended.out.as_bytes()).unwrap()
}

fn run(repository: &Repository, place: &str) -> Run {
    wire::read_run(&std::fs::read(repository.at(place)).expect(place)).unwrap()
}

/// Sets the times at which something was measured to one, since two measurements never have the same.
fn without_times(mut reports: Vec<Report>) -> Vec<Report> {
    for report in &mut reports {
        for identity in report.base.iter_mut().chain([&mut report.head]) {
            identity.measured_at = jiff::Timestamp::UNIX_EPOCH;
        }
    }
    reports
}

#[test]
fn what_shards_measured_against_a_baseline_is_judged_as_what_one_machine_did() {
    let repository = repository();
    repository.git(&["checkout", "--quiet", "HEAD~1"]);
    repository.tripline(&["measure"]).with(0);
    repository.tripline(&["baseline", "update"]).with(0);
    repository.git(&["checkout", "--quiet", "main"]);
    repository.tripline(&["measure"]).with(0);
    let whole = judged(&repository, "target/tripline", 10);

    merged(&repository, &measured(&repository, &[])).with(0);
    let joined = judged(&repository, "merged", 10);
    assert_eq!(without_times(joined), without_times(whole.clone()));
    let kv = &whole[0];
    assert_eq!(kv.findings.len(), 6);
    assert_eq!(kv.count(Verdict::Regressed), 1, "{kv:?}");

    let (joined, whole) = (
        run(&repository, "merged/kv/run.jsonl"),
        repository.run("run"),
    );
    assert!(joined.measurements().eq(whole.measurements()));
    assert_eq!(joined.environment, whole.environment);
    assert_eq!(
        (joined.revision, joined.producer),
        (whole.revision, whole.producer)
    );
    assert_eq!(joined.part, None);
}

#[test]
fn what_shards_measured_side_by_side_is_judged_as_side_by_side() {
    let repository = repository();
    let more = ["--against", "HEAD~1", "--seed", "7"];
    let said = |reports: &[Report]| -> Vec<String> {
        let findings = reports.iter().flat_map(|report| &report.findings);
        let said = findings.map(|one| {
            let (method, change) = (
                one.evidence.method,
                one.evidence.change.map(|change| change.ratio),
            );
            format!(
                "{} {} {:?} {:?} {method:?} {change:?}",
                one.bench, one.metric.name, one.verdict, one.gate
            )
        });
        said.collect()
    };
    repository
        .tripline(&[&["measure"][..], &more].concat())
        .with(0);
    let whole = judged(&repository, "target/tripline", 10);
    merged(&repository, &measured(&repository, &more)).with(0);
    let joined = judged(&repository, "merged", 10);
    assert_eq!(said(&joined), said(&whole));
    let paired = said(&joined)
        .into_iter()
        .filter(|line| line.contains("Paired"));
    let paired: Vec<String> = paired.collect();
    assert_eq!(paired.len(), 2, "{paired:?}");
    assert!(
        paired[0].starts_with("kv/get wall_time Regressed Fail"),
        "{paired:?}"
    );

    // The same parts are the same session, and it is one of base and head.
    let [base, head] =
        ["base", "run"].map(|side| run(&repository, &format!("merged/kv/{side}.jsonl")));
    assert_eq!(base.session, head.session);
    assert!(head.session.unwrap().as_str().starts_with("merged-"));
    // What was all in one part keeps its session.
    let log = run(&repository, "merged/log/run.jsonl").session.unwrap();
    assert!(log.as_str().starts_with("0000000000000007-"), "{log}");
}

#[test]
fn failures_of_all_parts_are_kept() {
    let repository = repository();
    let parts = tempfile::tempdir().unwrap();
    for (steps, broken) in [
        ("kv/first,kv/times,log/only", "answers"),
        ("kv/second", "second"),
    ] {
        let copy = repository.copied();
        copy.write(&format!("bench/kv/{broken}"), "garbage\n");
        copy.git(&[
            "update-index",
            "--assume-unchanged",
            &format!("bench/kv/{broken}"),
        ]);
        let mut command = copy.command(&["measure", "--step", steps, "--into"]);
        let output = command.arg(parts.path().join(broken)).output().unwrap();
        Ended::of(output, parts.path()).with(11);
    }
    merged(&repository, &parts).with(0);
    let head = run(&repository, "merged/kv/run.jsonl");
    let failed: Vec<&str> = head.failures.iter().map(|one| one.step.as_str()).collect();
    assert_eq!(failed, ["answers", "second"]);
    repository.tripline(&["judge", "--from", "merged"]).with(11);
}

#[test]
fn what_was_answered_for_and_no_shard_measured_is_a_failure() {
    let repository = repository();
    let answers = repository.at("bench/kv/answers");
    let text = std::fs::read_to_string(&answers)
        .unwrap()
        .replace("\"set\"", "\"put\"");
    std::fs::write(answers, text).unwrap();
    repository.commit();
    let parts = measured(&repository, &["--against", "HEAD"]);
    merged(&repository, &parts).with(0);
    repository
        .tripline(&["measure", "--against", "HEAD"])
        .with(11);
    let joined = run(&repository, "merged/kv/run.jsonl");
    assert_eq!(joined.failures, repository.run("run").failures);
    let details = joined.failures.iter().map(|one| one.detail.as_deref());
    assert!(
        details.eq([Some("benchmarks put"), Some("of the base: benchmarks put")]),
        "{:?}",
        joined.failures
    );
}

#[test]
fn a_step_that_only_the_base_has_is_found_missing() {
    let repository = repository();
    let without = KV.split("[[step]]\nname = \"second\"").next().unwrap();
    let times = KV.split("[[step]]\nname = \"times\"").nth(1).unwrap();
    repository.write(
        "bench/kv/suite.toml",
        &format!("{without}[[step]]\nname = \"times\"{times}"),
    );
    repository.commit();
    let parts = tempfile::tempdir().unwrap();
    for steps in ["kv/first,log/only", "kv/times"] {
        let mut command =
            repository.command(&["measure", "--against", "HEAD~1", "--step", steps, "--into"]);
        let output = command
            .arg(parts.path().join(steps.replace('/', ".")))
            .output();
        Ended::of(output.unwrap(), parts.path()).with(0);
    }
    merged(&repository, &parts).with(0);
    let kv = &judged(&repository, "merged", 0)[0];
    let removed = kv
        .findings
        .iter()
        .filter(|one| one.verdict == Verdict::Removed);
    let removed: Vec<String> = removed
        .map(|one| format!("{} {}", one.bench, one.metric.name))
        .collect();
    assert_eq!(removed, ["kv/get branches", "kv/scan branches"]);
}

/// A repository that is measured as a whole, and then the first step of `kv` as a part; and the part's place.
fn with_part() -> (Repository, String) {
    let repository = repository();
    repository.tripline(&["measure"]).with(0);
    let before = repository.run("run");
    let ended = repository
        .tripline(&["measure", "--step", "kv/first"])
        .with(0);
    assert!(
        ended.err.contains("`tripline merge` joins it"),
        "{}",
        ended.err
    );
    assert_eq!(repository.run("run"), before, "the whole run was lost");
    let part = only_part(&repository);
    (repository, part)
}

/// Checks that a part is refused, with what to do.
#[track_caller]
fn is_refused(repository: &Repository, verb: &[&str]) {
    let ended = repository.tripline(verb).with(4);
    let why = "it holds a part of suite `kv`, first of first, second, times";
    assert!(ended.err.contains(why), "{verb:?}: {}", ended.err);
    assert!(ended.err.contains("`tripline merge "), "{}", ended.err);
}

#[test]
fn a_part_says_what_it_is_and_is_never_taken_for_a_whole() {
    let (repository, part) = with_part();
    let header = run(&repository, &part).part.unwrap();
    let names = |steps: &[StepName]| steps.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(names(header.steps()), ["first"]);
    assert_eq!(names(header.of()), ["first", "second", "times"]);
    assert_eq!(header.how.as_str(), "effort quick, repeats 2, pairs 30");
    repository.git(&["config", "user.name", "Ada"]);
    repository.git(&["config", "user.email", "ada@example.org"]);
    let whole = "target/tripline/kv/run.jsonl";
    is_refused(&repository, &["judge", "--head", &part]);
    is_refused(&repository, &["judge", "--head", whole, "--base", &part]);
    is_refused(&repository, &["baseline", "update", "--head", &part]);
    is_refused(&repository, &["baseline", "diff", "--head", &part]);
    let accept = ["baseline", "accept", "get", "--because", "x", "--head"];
    is_refused(&repository, &[&accept[..], &[&part]].concat());
}

#[test]
fn a_part_in_the_place_of_a_whole_run_or_of_a_baseline_is_refused() {
    let (repository, part) = with_part();
    let text = std::fs::read_to_string(repository.at(&part)).unwrap();
    repository.write("target/tripline/kv/run.jsonl", &text);
    is_refused(&repository, &["judge", "--from", "target/tripline"]);
    is_refused(&repository, &["baseline", "update"]);
    is_refused(&repository, &["baseline", "diff"]);
    repository.write("baselines/kv/elsewhere.jsonl", &text);
    is_refused(&repository, &["check"]);
    is_refused(&repository, &["baseline", "check"]);
}

/// Returns the place of the only part of `kv` that was measured in a repository.
fn only_part(repository: &Repository) -> String {
    let folders = std::fs::read_dir(repository.at("target/tripline")).unwrap();
    let names = folders.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let parts: Vec<String> = names.filter(|name| name.starts_with("part.")).collect();
    assert_eq!(parts.len(), 1, "{parts:?}");
    format!("target/tripline/{}/kv/run.jsonl", parts[0])
}

#[test]
fn a_shard_that_is_measured_again_takes_the_place_of_what_it_left() {
    let repository = repository();
    for more in [&["--against", "HEAD~1"][..], &[]] {
        let args = [&["measure", "--step", "kv/second,kv/first"][..], more].concat();
        repository.tripline(&args).with(0);
    }
    let part = only_part(&repository);
    assert_eq!(run(&repository, &part).session, None);
    assert!(
        !repository
            .at(&part.replace("run.jsonl", "base.jsonl"))
            .exists(),
        "a base of another session was left"
    );
}

#[test]
fn a_step_that_is_not_there_is_an_error_with_the_near_miss() {
    let repository = repository();
    let refused = |steps: &str| {
        let ended = repository.tripline(&["measure", "--step", steps]).with(2);
        assert!(!repository.at("target").exists(), "something was measured");
        ended.err
    };
    insta::assert_snapshot!(refused("kv/frist"), @r"
    error: nothing was measured: there is no step `kv/frist`
      hint: did you mean `kv/first`?
    ");
    insta::assert_snapshot!(refused("kv/first,kv/zzz"), @r"
    error: nothing was measured: there is no step `kv/zzz`
      hint: its steps are: answers, first, second, times
    ");
    insta::assert_snapshot!(refused("vk/first"), @r"
    error: there is no suite `vk`, so nothing was done
      hint: the suites are: kv, log
    ");
    insta::assert_snapshot!(refused("kv/answers"), @r"
    error: nothing was measured: `kv/answers` answers, and measures nothing by itself
      hint: it goes with every other step of its suite: name one of those
    ");
    assert!(refused("kv").contains("`SUITE/STEP`"));
    let ended = repository
        .tripline(&["measure", "--step", "kv/first", "--suite", "kv"])
        .with(2);
    assert!(ended.err.contains("cannot be used with"), "{}", ended.err);
}

#[test]
fn times_that_metrics_are_derived_from_are_measured_on_one_machine() {
    let repository = repository();
    let second = KV.replace("\"first\"]", "\"more\"]");
    let derived = "[[derived]]\nname = \"slowdown\"\nabout = \"x\"\nunit = \"ratio\"\nbetter = \"lower\"\nexpression = \"get:wall_time / scan:wall_time\"\n";
    repository.write("bench/kv/suite.toml", &format!("{second}{derived}"));
    let ended = repository
        .tripline(&["measure", "--step", "kv/times"])
        .with(2);
    insta::assert_snapshot!(ended.err, @r"
    error: nothing was measured: metrics are derived from times of several steps, which must be of one machine
      hint: name all of `kv/first,kv/second,kv/times`, or none
    ");
    let planned = repository
        .tripline(&["plan", "--shards", "9", "--format", "json"])
        .with(0);
    insta::assert_snapshot!(planned.out, @r#"{"include":[{"shard":1,"of":2,"steps":"kv/first,kv/second,kv/times"},{"shard":2,"of":2,"steps":"log/only"}]}"#);
}

#[test]
fn how_long_shards_took_is_joined_too() {
    let repository = repository();
    merged(&repository, &measured(&repository, &[])).with(0);
    let joined = std::fs::read_to_string(repository.at("merged/durations.tsv")).unwrap();
    let names: Vec<&str> = joined
        .lines()
        .filter_map(|line| Some(line.split_once('\t')?.0))
        .collect();
    assert_eq!(
        names,
        [
            "kv/answers",
            "kv/first",
            "kv/second",
            "kv/times",
            "log/only"
        ]
    );
}
