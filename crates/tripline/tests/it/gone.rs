//! A suite that the base measures and the head does not is *removed*, and what its benchmarks were is said where the base
//! keeps a run of them.

use tripline_model::{Gate, Report, Verdict};

use crate::repository::{Repository, SUITE};

/// What the base keeps of a suite `gone`.
const KEPT: &str = r#"{"tripline_run":{"version":1,"suite":"gone","measured_at":"2026-01-02T03:04:05Z","producer":{"name":"test","version":"0"},"environment":{"name":"elsewhere","facts":{}},"metrics":{"wall_time":{"unit":"ns","better":"lower","nature":"sampled"}}}}
{"measured":{"benchmark":"get","readings":{"wall_time":{"values":[1000]}}}}
{"measured":{"benchmark":"set","readings":{"wall_time":{"values":[2000]}}}}
{"end":{}}
"#;

const AGAINST: [&str; 4] = ["--against", "HEAD", "--seed", "7"];

/// A repository whose base has the suites `gone`, of which it keeps a run, `silent`, `asleep` and `rare`, which is measured
/// on demand alone; the head has lost the first two, lets the third sleep, and has another.
fn with_suites_lost() -> Repository {
    let repository = Repository::with_times("get 1000", "get 1000");
    let on_demand = format!("on_demand = true\n{SUITE}");
    for (suite, file) in [
        ("gone", SUITE),
        ("silent", SUITE),
        ("asleep", SUITE),
        ("rare", &on_demand),
    ] {
        repository.write(&format!("bench/{suite}/suite.toml"), file);
    }
    repository.write("baselines/gone/elsewhere.jsonl", KEPT);
    repository.commit();
    for lost in ["bench/gone", "bench/silent", "baselines/gone"] {
        std::fs::remove_dir_all(repository.at(lost)).unwrap();
    }
    repository.write("bench/asleep/suite.toml", &on_demand);
    repository.write("bench/new/suite.toml", SUITE);
    let of_kv = "sed s/kv/new/ ../kv/run.sh > own.sh; cp ../kv/ns .; sh own.sh";
    repository.write("bench/new/run.sh", of_kv);
    repository
}

/// Returns of each suite what is done about it, and which benchmarks are removed.
fn said(reports: &[Report]) -> Vec<String> {
    let of_report = |report: &Report| {
        let removed = report
            .findings
            .iter()
            .filter(|it| it.verdict == Verdict::Removed)
            .map(|it| format!(" -{}", it.bench.within_suite()));
        let caveats = report.caveats.iter().map(|it| format!(" {}", it.code()));
        let (suite, gate) = (&report.suite, report.gate().word());
        let all: String = removed.chain(caveats).collect();
        format!("{suite} {gate}{all}")
    };
    reports.iter().map(of_report).collect()
}

#[test]
fn suites_that_the_head_lost_are_removed() {
    let repository = with_suites_lost();
    let ended = repository.tripline(&[&["check"][..], &AGAINST].concat());
    let ended = ended.with(0);
    let expected = [
        "kv pass modified-work-tree",
        "new pass no-baseline modified-work-tree",
        "asleep warn suite-gone",
        "gone warn -get -set suite-gone",
        "silent warn suite-gone",
    ];
    assert_eq!(said(&repository.reports()), expected);
    assert!(
        ended.out.contains("silent: removed as a whole"),
        "{}",
        ended.out
    );
    // The same is said from the files, by what was measured beside them, and whoever asks for one suite hears of that.
    let judge = ["judge", "--from", "target/tripline", "--out", "again.jsonl"];
    let judged = |more: &[&str]| {
        repository.tripline(&[&judge[..], more].concat()).with(0);
        let text = std::fs::read(repository.at("again.jsonl")).unwrap();
        std::fs::remove_file(repository.at("again.jsonl")).unwrap();
        said(&tripline_model::wire::read_report(&text).unwrap())
    };
    assert_eq!(judged(&[]), expected);
    assert_eq!(judged(&["--against", "HEAD"]), expected);
    assert_eq!(judged(&["--suite", "kv"]), expected[..1]);
    assert_eq!(judged(&["--against", "HEAD~2"]), expected[..2]);
}

#[test]
fn a_suite_that_sleeps_and_is_asked_for_is_there() {
    let repository = with_suites_lost();
    let of_kv = "sed s/kv/asleep/ ../kv/run.sh > own.sh; cp ../kv/ns .; sh own.sh";
    repository.write("bench/asleep/run.sh", of_kv);
    let suites = ["--suite", "kv", "--suite", "new", "--suite", "asleep"];
    repository
        .tripline(&[&["check"][..], &AGAINST, &suites].concat())
        .with(11);
    let reports = repository.reports();
    let asleep = reports.iter().filter(|it| it.suite.as_str() == "asleep");
    assert_eq!(asleep.count(), 1);
}

/// The name of a branch may mean another commit when all is measured.
#[test]
fn what_was_measured_says_what_the_base_was() {
    let repository = with_suites_lost();
    repository.git(&["branch", "base"]);
    let moving = "git branch --force base HEAD~2; sed s/kv/new/ ../kv/run.sh > own.sh; cp ../kv/ns .; sh own.sh";
    repository.write("bench/new/run.sh", moving);
    let against = ["check", "--against", "base", "--seed", "7"];
    repository.tripline(&against).with(0);
    assert!(said(&repository.reports()).contains(&"silent warn suite-gone".to_owned()));
}

#[test]
fn one_run_is_judged_against_no_revision() {
    let repository = with_suites_lost();
    repository.tripline(&["measure", "--suite", "kv"]).with(0);
    let run = "target/tripline/kv/run.jsonl";
    let args = ["judge", "--head", run, "--base", run, "--against", "HEAD"];
    let ended = repository.tripline(&args).with(2);
    assert!(ended.err.contains("cannot be used with"), "{}", ended.err);
}

#[test]
fn a_suite_that_is_gone_stops_where_the_project_says_so() {
    let repository = with_suites_lost();
    repository.write("tripline.toml", "[outcomes]\nremoved = \"fail\"\n");
    let ended = repository.tripline(&[&["check"][..], &AGAINST].concat());
    ended.with(10);
    let reports = repository.reports();
    let gates: Vec<Gate> = reports.iter().map(Report::gate).collect();
    let (pass, fail) = (Gate::Pass, Gate::Fail);
    assert_eq!(gates, [pass, pass, fail, fail, fail]);
}

/// Then nothing was measured beside anything, and only the caller knows the base.
#[test]
fn a_suite_that_was_renamed_is_removed() {
    let repository = Repository::empty();
    repository.write("bench/before/suite.toml", SUITE);
    repository.commit();
    std::fs::remove_dir_all(repository.at("bench/before")).unwrap();
    repository.with_suite();
    repository.times("get 1000");
    repository
        .tripline(&[&["check"][..], &AGAINST].concat())
        .with(0);
    assert_eq!(said(&repository.reports())[1], "before warn suite-gone");
    assert!(!repository.at("target/tripline/kv/base.jsonl").exists());
}

#[test]
fn a_base_that_is_not_here_is_no_reason_for_silence() {
    let repository = with_suites_lost();
    let measure = [&["measure"][..], &AGAINST].concat();
    repository.tripline(&measure).with(0);
    let base = repository.at("target/tripline/kv/base.jsonl");
    let text = std::fs::read_to_string(&base).unwrap();
    let commit = repository.git(&["rev-parse", "HEAD"]);
    let other = "0123456789".repeat(4);
    std::fs::write(&base, text.replace(commit.trim(), &other)).unwrap();
    let judge = ["judge", "--from", "target/tripline"];
    let ended = repository.tripline(&judge).with(0);
    let note = format!("its commit {other} is not here");
    assert!(ended.err.contains(&note), "{}", ended.err);
    let named = [&judge[..], &["--against", &other]].concat();
    let ended = repository.tripline(&named).with(4);
    assert!(ended.err.contains("there is no commit"), "{}", ended.err);
}
