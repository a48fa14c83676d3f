//! `measure` and `judge --from` say what `check` says: of the same files, to the byte. What a gate does not see, it says.

use tempfile::TempDir;
use tripline_model::{Caveat, Gate, Report, wire};

use crate::canary::with_canary;
use crate::project::{Ended, Project};
use crate::repository::{Repository, SUITE};
use crate::shards;

/// Judges what lies in the folder of runs, and returns the bytes of the report.
fn judged(repository: &Repository, more: &[&str], code: i32) -> (String, Ended) {
    let args = ["judge", "--from", "target/tripline", "--out", "again.jsonl"];
    let ended = repository.tripline(&[&args[..], more].concat()).with(code);
    let text = std::fs::read_to_string(repository.at("again.jsonl")).unwrap();
    std::fs::remove_file(repository.at("again.jsonl")).unwrap();
    (text, ended)
}

/// Checks, and returns the bytes of the report.
fn checked(repository: &Repository, args: &[&str], code: i32) -> String {
    repository
        .tripline(&[&["check"][..], args].concat())
        .with(code);
    std::fs::read_to_string(repository.at("target/tripline/report.jsonl")).unwrap()
}

fn distrust(report: &str) -> Vec<String> {
    let reports: Vec<Report> = wire::read_report(report.as_bytes()).unwrap();
    let caveats = reports.iter().flat_map(|report| &report.caveats);
    let failed = caveats.filter(|caveat| matches!(caveat, Caveat::CanaryFailed { .. }));
    failed.map(Caveat::text).collect()
}

#[test]
fn what_was_checked_is_judged_the_same_from_its_files() {
    let session = ["--against", "HEAD", "--seed", "7"];
    for (steady, planted, code) in [(1_000, 1_050, 0), (1_000, 1_000, 11), (1_100, 1_050, 11)] {
        let repository = with_canary(steady, planted);
        let checked = checked(&repository, &session, code);
        let (judged, ended) = judged(&repository, &[], code);
        assert_eq!(judged, checked);
        // Each of the two reports says what the canary did, and the last lines say it once.
        let stops = ended.err.lines().filter(|line| line.starts_with("stops: "));
        let of_canary = stops.filter(|line| line.contains(": the canary failed: "));
        assert_eq!(2 * of_canary.count(), distrust(&judged).len());
        assert_eq!(distrust(&judged).is_empty(), code == 0);
        assert_eq!(wire::read_report(judged.as_bytes()).unwrap().len(), 2);
    }
}

#[test]
fn a_gate_that_fails_fails_from_its_files() {
    let repository = Repository::with_times("get 1000\nset 5000", "get 1000\nset 5500");
    repository.write("bench/log/suite.toml", SUITE);
    repository.write(
        "bench/log/run.sh",
        "sed s/kv/log/ ../kv/run.sh > own.sh; cp ../kv/ns .; sh own.sh",
    );
    repository.commit();
    let session = ["check", "--against", "HEAD~2", "--seed", "7"];
    let ended = repository.tripline(&session).with(10);
    let stops = "stops: kv/set regressed: wall_time was 5.000 µs, is 5.500 µs (+10.00 %";
    let last = ended.err.lines().last().unwrap();
    assert!(last.starts_with(stops), "{}", ended.err);
    let checked = std::fs::read_to_string(repository.at("target/tripline/report.jsonl")).unwrap();
    let (report, ended) = judged(&repository, &[], 10);
    assert_eq!(report, checked);
    assert_eq!(ended.err.lines().last(), Some(last));
    // What the base does not have was measured beside nothing.
    let only = wire::read_report(judged(&repository, &["--suite", "log"], 0).0.as_bytes()).unwrap();
    assert_eq!(only.len(), 1);
    assert_eq!(only[0].base, None);
}

#[test]
fn of_one_suite_the_last_lines_name_a_few_and_count_the_others() {
    let names = ["a", "b", "c", "d", "e", "f"];
    let times = |time: u32| names.map(|name| format!("{name} {time}")).join("\n");
    let repository = Repository::with_times(&times(1_000), &times(1_100));
    let session = ["measure", "--against", "HEAD~1", "--seed", "7"];
    repository.tripline(&session).with(0);
    let (_, ended) = judged(&repository, &[], 10);
    let last = ended.err.lines().rev().take(5);
    let last: Vec<&str> = last.collect();
    assert_eq!(last[0], "stops: kv: 2 more");
    assert!(
        last[4].starts_with("stops: kv/a regressed: "),
        "{}",
        ended.err
    );
}

#[test]
fn against_a_baseline_it_is_the_same() {
    let project = Project::with_suite();
    project.tripline(&["measure"]).with(0);
    project.tripline(&["baseline", "update"]).with(0);
    project.measures(&[("get", 1_100_000), ("set", 2_000_000)]);
    project.tripline(&["check"]).with(10);
    let ended = project
        .tripline(&["judge", "--from", "target/tripline"])
        .with(10);
    assert_eq!(ended.out, project.read("target/tripline/report.jsonl"));
    assert!(
        ended.err.contains("note: no suite has a `[canary]`"),
        "{}",
        ended.err
    );
    let twin = project
        .command(&["judge"])
        .env("TRIPLINE_FROM", "target/tripline")
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(twin.stdout).unwrap(), ended.out);
}

#[test]
fn measuring_with_the_canary_leaves_all_that_a_gate_needs() {
    let session = ["--against", "HEAD", "--seed", "7"];
    for (planted, code) in [(1_050, 0), (1_000, 11)] {
        let repository = with_canary(1_000, planted);
        let args = [&["measure", "--canary"][..], &session].concat();
        repository.tripline(&args).with(0);
        let (report, _) = judged(&repository, &[], code);
        assert_eq!(distrust(&report).is_empty(), code == 0);
    }
}

#[test]
fn a_gate_without_its_canary_is_not_trusted() {
    let repository = with_canary(1_000, 1_050);
    let session = ["--against", "HEAD", "--seed", "7"];
    let not_trusted = || {
        let (report, ended) = judged(&repository, &[], 11);
        assert_eq!(
            distrust(&report)[0],
            "this report cannot be trusted, the canary failed: suite watch was not measured"
        );
        assert!(
            ended
                .err
                .contains("the canary is missing: suite watch was not measured"),
            "{}",
            ended.err
        );
        assert!(ended.err.contains("--canary"), "{}", ended.err);
    };
    repository
        .tripline(&[&["measure"][..], &session].concat())
        .with(0);
    not_trusted();
    repository
        .tripline(&[&["measure", "--canary"][..], &session].concat())
        .with(0);
    judged(&repository, &[], 0);
    // What it vouched for is gone, and it does not vouch for what came after.
    repository
        .tripline(&[&["measure"][..], &session].concat())
        .with(0);
    not_trusted();
    // Nor is a gate on what was measured beside nothing.
    repository.tripline(&["measure"]).with(0);
    not_trusted();
}

#[test]
fn half_a_canary_or_two_halves_of_others_are_errors() {
    let repository = with_canary(1_000, 1_050);
    let measure = ["measure", "--canary", "--against", "HEAD", "--seed", "7"];
    repository.tripline(&measure).with(0);
    let planted = repository.at("target/tripline/watch/planted.jsonl");
    let kept = std::fs::read(&planted).unwrap();
    std::fs::remove_file(&planted).unwrap();
    refused(&repository, &["planted.jsonl` is not"]);
    repository.tripline(&measure).with(0);
    std::fs::write(&planted, kept).unwrap();
    refused(&repository, &["was not measured together with"]);
}

/// Checks that what lies in the folder of runs is not judged, and why.
#[track_caller]
fn refused(repository: &Repository, why: &[&str]) {
    let ended = repository.tripline(&["judge", "--from", "target/tripline"]);
    let ended = ended.with(4);
    for why in why {
        assert!(
            ended.err.contains(why),
            "`{why}` is not said in\n{}",
            ended.err
        );
    }
    assert_eq!(ended.out, "");
}

#[test]
fn what_is_missing_or_foreign_is_an_error() {
    let repository = shards::repository();
    refused(&repository, &["holds no run of: kv, log", "tripline merge"]);
    repository.tripline(&["measure", "--suite", "kv"]).with(0);
    refused(&repository, &["holds no run of: log"]);
    judged(&repository, &["--suite", "kv"], 0);

    repository.tripline(&["measure"]).with(0);
    judged(&repository, &[], 0);
    let runs = repository.at("target/tripline");
    std::fs::create_dir(runs.join("gone")).unwrap();
    std::fs::copy(runs.join("log/run.jsonl"), runs.join("gone/run.jsonl")).unwrap();
    refused(
        &repository,
        &["there is no suite for the run in", "gone/run.jsonl"],
    );
    judged(&repository, &["--suite", "kv,log"], 0);
    std::fs::remove_dir_all(runs.join("gone")).unwrap();
    std::fs::copy(runs.join("log/run.jsonl"), runs.join("kv/run.jsonl")).unwrap();
    refused(&repository, &["kv/run.jsonl` holds a run of suite `log`"]);
}

#[test]
fn what_was_not_measured_together_is_an_error() {
    let repository = shards::repository();
    let session = ["measure", "--against", "HEAD", "--pairs", "3"];
    repository.tripline(&session).with(0);
    judged(&repository, &[], 0);
    let base = repository.at("target/tripline/kv/base.jsonl");
    let stale = std::fs::read(&base).unwrap();
    repository.tripline(&session).with(0);
    std::fs::write(&base, stale).unwrap();
    refused(
        &repository,
        &["kv/base.jsonl` was not measured together with"],
    );
    std::fs::remove_file(&base).unwrap();
    refused(&repository, &["kv/base.jsonl` is missing, which"]);

    repository.tripline(&["measure"]).with(0);
    repository.write("bench/kv/side", "later\n");
    repository.commit();
    repository.tripline(&["measure", "--suite", "kv"]).with(0);
    refused(
        &repository,
        &["the runs are of different commits: `kv` of", "`log` of"],
    );
    judged(&repository, &["--suite", "log"], 0);
}

#[test]
fn one_run_or_a_folder_of_them_is_judged_and_not_both() {
    let project = Project::with_suite();
    project.tripline(&["judge"]).with(2);
    let ended = project
        .tripline(&["judge", "--from", "x", "--head", "y"])
        .with(2);
    assert!(ended.err.contains("cannot be used with"), "{}", ended.err);
    project.tripline(&["measure"]).with(0);
    let head = "target/tripline/kv/run.jsonl";
    let ended = project
        .tripline(&["judge", "--head", head, "--suite", "other"])
        .with(2);
    assert!(
        ended.err.contains("the run is of suite `kv`"),
        "{}",
        ended.err
    );
    project
        .tripline(&["judge", "--head", head, "--suite", "kv"])
        .with(0);
}

/// Two shards, each with its canary, of a canary that sings.
fn shards_with_canaries() -> (Repository, TempDir) {
    let repository = with_canary(1_000, 1_050);
    let parts = tempfile::tempdir().unwrap();
    for steps in ["kv/times", "watch/times"] {
        let mut command = repository.command(&["measure", "--canary", "--step", steps]);
        command.args(["--against", "HEAD", "--seed", "7", "--into"]);
        let output = command
            .arg(parts.path().join(steps.replace('/', ".")))
            .output();
        Ended::of(output.unwrap(), parts.path()).with(0);
    }
    (repository, parts)
}

/// Joins what shards left, into another folder each time.
fn merged(repository: &Repository, parts: &TempDir, out: &str) -> Ended {
    let mut command = repository.command(&["merge", "--out", out]);
    Ended::of(command.arg(parts.path()).output().unwrap(), parts.path())
}

/// Each machine has its canary, and all of them must sing.
#[test]
fn each_shard_brings_its_canary_and_one_that_sleeps_is_enough() {
    let (repository, parts) = shards_with_canaries();
    merged(&repository, &parts, "merged").with(0);
    for file in [
        "run",
        "base",
        "healthy",
        "planted",
        "healthy-2",
        "planted-2",
    ] {
        let place = repository.at(&format!("merged/watch/{file}.jsonl"));
        assert!(place.exists(), "{file}");
    }
    repository.tripline(&["judge", "--from", "merged"]).with(0);

    let planted = parts.path().join("watch.times/watch/planted.jsonl");
    let text = std::fs::read_to_string(&planted).unwrap();
    std::fs::write(&planted, text.replace("1050", "1000")).unwrap();
    merged(&repository, &parts, "asleep").with(0);
    let ended = repository.tripline(&["judge", "--from", "asleep"]).with(11);
    let said = &distrust(&ended.out)[0];
    assert!(
        said.contains("watch/planted wall_time was to be regressed"),
        "{said}"
    );
}

#[test]
fn halves_of_canaries_are_not_joined() {
    let (repository, parts) = shards_with_canaries();
    let planted = parts.path().join("watch.times/watch/planted.jsonl");
    std::fs::remove_file(&planted).unwrap();
    let half = "watch.times/watch/healthy.jsonl` one half is missing, or of another";
    let ended = merged(&repository, &parts, "merged").with(4);
    assert!(ended.err.contains(half), "{}", ended.err);
    std::fs::copy(parts.path().join("kv.times/watch/planted.jsonl"), &planted).unwrap();
    let ended = merged(&repository, &parts, "merged").with(4);
    assert!(ended.err.contains("one half is missing"), "{}", ended.err);
    assert!(!repository.at("merged").exists());
}

/// A repository in which everything takes longer at the second commit, also what never changes.
fn with_controls() -> Repository {
    let repository = Repository::for_cargo();
    let step = SUITE.replace("command = [\"sh\", \"run.sh\"]", "bench = \"times\"");
    let manifest = "[package]\nname = \"watch\"\nedition = \"2024\"\n[features]\nx = []\n[[bench]]\nname = \"times\"\nharness = false\n[workspace]\n";
    repository.write("bench/watch/Cargo.toml", manifest);
    repository.write("bench/watch/src/lib.rs", "");
    let runs_script =
        "fn main() { std::process::Command::new(\"sh\").arg(\"run.sh\").status().unwrap(); }";
    repository.write("bench/watch/benches/times.rs", runs_script);
    let canary = "[canary]\nfeatures = [\"x\"]\nexpect = [\n{ benchmark = \"control/a\", verdict = \"unchanged\" },\n{ benchmark = \"other\", verdict = \"regressed\" },\n]\n";
    repository.with_suite();
    repository.write("bench/watch/suite.toml", &format!("{step}{canary}"));
    let kv = std::fs::read_to_string(repository.at("bench/kv/run.sh")).unwrap();
    repository.write("bench/watch/run.sh", &kv.replace("\"kv\"", "\"watch\""));
    for (control, time) in [(1_000, 1_000), (1_030, 1_100)] {
        repository.times(&format!("get {time}"));
        let controls = ["a", "b", "c", "d", "e"].map(|name| format!("control/{name} {control}\n"));
        repository.write("bench/watch/ns", &controls.concat());
        repository.commit();
    }
    repository
}

/// What the controls say of their machine takes back what was found there, and nothing that was found elsewhere.
#[test]
fn controls_speak_for_their_own_machine() {
    let repository = with_controls();
    let measure = [
        "measure",
        "--against",
        "HEAD~1",
        "--seed",
        "7",
        "--pairs",
        "9",
    ];
    repository.tripline(&measure).with(0);
    let of_get = || {
        let (report, _) = judged(&repository, &[], 11);
        let reports = wire::read_report(report.as_bytes()).unwrap();
        let finding = reports[0].findings[0].clone();
        assert_eq!(finding.bench.to_string(), "kv/get");
        let moved = finding
            .caveats
            .iter()
            .any(|caveat| matches!(caveat, Caveat::ControlsMoved { .. }));
        (finding.gate, moved)
    };
    assert_eq!(of_get(), (Gate::Pass, true));
    for side in ["run", "base"] {
        let place = repository.at(&format!("target/tripline/watch/{side}.jsonl"));
        let text = std::fs::read_to_string(&place).unwrap();
        let (before, rest) = text.split_once("\"machine\":\"").unwrap();
        std::fs::write(&place, format!("{before}\"machine\":\"0{rest}")).unwrap();
    }
    assert_eq!(of_get(), (Gate::Fail, false));
}
