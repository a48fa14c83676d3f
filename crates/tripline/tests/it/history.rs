//! A history that another service kept is taken over, kept on the branch of data, and handed back.

mod again;
mod back;
mod described;
mod heard;
mod past;
mod scatter;
mod verbs;

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::project::{Ended, Project, below_a_hook_of, git};

/// Two suites of three commits, as github-action-benchmark keeps them.
fn theirs() -> Value {
    let run = |commit: char, date: i64, tool: &str, benches: Value| {
        json!({
            "commit": {
                "author": { "email": "ada@example.org", "name": "Ada", "username": "ada" },
                "id": commit.to_string().repeat(40),
                "message": format!("commit {commit}\n\nwith more"),
                "timestamp": "2024-05-06T07:08:09Z",
            },
            "date": date,
            "tool": tool,
            "benches": benches,
        })
    };
    let times = |get: f64, set: f64| {
        json!([
            { "name": "get", "value": get, "range": "± 2.3", "unit": "ns/iter" },
            { "name": "set {64}", "value": set, "unit": "ns/iter" },
        ])
    };
    json!({
        "lastUpdate": 1_700_000_300_000_i64,
        "repoUrl": "https://github.com/acme/demo",
        "entries": {
            "Rust Benchmark": [
                run('a', 1_700_000_000_000, "cargo", times(100.0, 12.5)),
                run('c', 1_700_000_200_000, "cargo", times(110.0, 12.25)),
                run('b', 1_700_000_100_000, "cargo", times(105.5, 13.0)),
            ],
            "speed": [
                run('a', 1_700_000_000_000, "pytest", json!([
                    { "name": "test_get", "value": 7.5, "unit": "iter/sec" },
                ])),
            ],
        },
    })
}

/// A project in a clone whose remote is a bare repository beside it.
fn project() -> Project {
    let project = Project::with_suite();
    git(project.path(), &["init", "--quiet", "--bare", "remote.git"]);
    git(
        project.path(),
        &["init", "--quiet", "--initial-branch=main"],
    );
    let remote = project.at("remote.git").display().to_string();
    git(project.path(), &["remote", "add", "origin", &remote]);
    project.write(
        "data.js",
        &format!("window.BENCHMARK_DATA = {:#}", theirs()),
    );
    project
}

fn fetch(project: &Project) {
    let branch = "tripline-data:refs/remotes/origin/tripline-data";
    git(project.path(), &["fetch", "--quiet", "origin", branch]);
}

/// Returns suite, benchmark, value, commit and time of every value of a history, in order.
fn values(history: &Value) -> Vec<(String, String, String, String, i64)> {
    let mut all = Vec::new();
    for (suite, runs) in history["entries"].as_object().unwrap() {
        for run in runs.as_array().unwrap() {
            for bench in run["benches"].as_array().unwrap() {
                let text = |value: &Value| value.as_str().unwrap().to_owned();
                all.push((
                    suite.clone(),
                    text(&bench["name"]),
                    format!("{} {}", bench["value"].as_f64().unwrap(), bench["range"]),
                    text(&run["commit"]["id"]),
                    run["date"].as_i64().unwrap(),
                ));
            }
        }
    }
    all.sort();
    all
}

/// Hands the history back, as a file for browsers.
fn written_back(project: &Project) -> String {
    fetch(project);
    let args = [
        "convert",
        "--history",
        "--to",
        "data-js",
        "--out",
        "back.js",
    ];
    project.tripline(&args).with(0);
    project.read("back.js")
}

#[test]
fn a_history_is_taken_over_once_and_handed_back_value_by_value() {
    let project = project();
    let planned = project
        .tripline(&["record", "--import", "data.js", "--dry-run"])
        .with(0);
    assert!(planned.out.contains("would add 8 files"), "{}", planned.out);
    assert!(git(&project.at("remote.git"), &["branch"]).is_empty());

    let done = project.tripline(&["record", "--import", "data.js"]).with(0);
    assert!(
        done.err
            .contains("suite `rust-benchmark`, there called `Rust Benchmark`: 3 runs"),
        "{}",
        done.err
    );
    let tip = || git(&project.at("remote.git"), &["rev-parse", "tripline-data"]);
    let first = tip();
    project.tripline(&["record", "--import", "data.js"]).with(0);
    assert_eq!(tip(), first, "nothing is there twice");

    let back = written_back(&project);
    assert!(!back.contains("ada@example.org"));
    let back = back.strip_prefix("window.BENCHMARK_DATA = ").unwrap();
    let back: Value = serde_json::from_str(back).unwrap();
    assert_eq!(values(&back), values(&theirs()));
    let run = &back["entries"]["Rust Benchmark"][0];
    assert_eq!(run["commit"]["message"], "commit a\n\nwith more");
    assert_eq!(run["commit"]["timestamp"], "2024-05-06T07:08:09Z");
    assert_eq!(run["tool"], "cargo");

    // What comes back can be taken over again, and is the same.
    project.tripline(&["record", "--import", "back.js"]).with(0);
    let table = project
        .tripline(&["convert", "--history", "--to", "csv"])
        .with(0);
    assert_eq!(table.out.lines().count(), 8, "{}", table.out);

    // Nobody measured the ends of a range, and nobody said of how many values it is.
    let get = table.out.lines().find(|line| line.contains(",105.5,"));
    assert!(
        get.is_some_and(|line| line.contains(",105.5,103.2,107.8,,")),
        "{}",
        table.out
    );
    let lines = project
        .tripline(&["convert", "--history", "--to", "benchstat"])
        .with(0);
    let times = lines
        .out
        .lines()
        .filter(|line| line.starts_with("BenchmarkGet\t"));
    let times: Vec<&str> = times.collect();
    let expected = ["100", "105.5", "110"].map(|time| format!("BenchmarkGet\t1\t{time} ns/op"));
    assert_eq!(times, expected, "{}", lines.out);

    // A service that takes one run at a time is not handed the last of each benchmark instead.
    let refused = project
        .tripline(&["convert", "--history", "--to", "bmf"])
        .with(4);
    assert!(refused.out.is_empty());
    let hint = "take a form that holds a history";
    assert!(refused.err.contains(hint), "{}", refused.err);
}

#[test]
fn what_is_no_history_is_not_taken_over() {
    let project = project();
    let whole = project.read("data.js");
    for text in [
        "",
        "{}",
        "window.BENCHMARK_DATA = {}",
        &whole[..whole.len() - 9],
    ] {
        project.write("data.js", text);
        let ended = project.tripline(&["record", "--import", "data.js"]).with(4);
        assert!(ended.err.contains("data.js:"), "{}", ended.err);
    }
    assert!(git(&project.at("remote.git"), &["branch"]).is_empty());
}

#[test]
fn a_history_that_was_not_fetched_is_no_empty_one() {
    let project = project();
    let ended = project
        .tripline(&["convert", "--history", "--to", "csv"])
        .with(3);
    assert!(
        ended.err.contains("git fetch origin tripline-data"),
        "{}",
        ended.err
    );
}

#[test]
fn a_damaged_record_is_named_and_the_others_are_served() {
    let project = project();
    project.tripline(&["record", "--import", "data.js"]).with(0);
    let damage = |paths: &str| {
        let work = data_branch(&project);
        let listed = git(&work, &["ls-files", paths]);
        for path in listed.lines() {
            std::fs::write(work.join(path), "{\"tripline_record\":").unwrap();
        }
        let who = ["-c", "user.name=x", "-c", "user.email=x@example.org"];
        let commit = ["commit", "--quiet", "--all", "--message", "x"];
        git(&work, &[&who[..], &commit].concat());
        git(&work, &["push", "--quiet"]);
        fetch(&project);
        listed
    };
    let listed = git(
        &data_branch(&project),
        &["ls-files", "records/rust-benchmark"],
    );
    let first = listed.lines().next().unwrap();
    damage(first);
    let ended = project
        .tripline(&["convert", "--history", "--to", "csv"])
        .with(4);
    assert!(ended.err.contains(first), "{}", ended.err);
    assert_eq!(ended.out.lines().count(), 6, "{}", ended.out);
    damage("records");
    for form in ["csv", "data-js", "openmetrics"] {
        let ended = project
            .tripline(&["convert", "--history", "--to", form])
            .with(4);
        assert!(
            ended.err.contains("no record of the branch"),
            "{}",
            ended.err
        );
        assert!(ended.out.is_empty(), "{}", ended.out);
    }
    let work = data_branch(&project);
    let head = || git(&work, &["ls-remote", "--heads", "origin"]);
    let before = head();
    let ended = project.tripline(&["record", "--import", "data.js"]).with(4);
    assert!(
        ended.err.contains("no record of the branch"),
        "{}",
        ended.err
    );
    assert_eq!(head(), before, "what cannot be read is not begun anew");
}

/// Checks the branch of data out anew, beside the project.
fn data_branch(project: &Project) -> std::path::PathBuf {
    let work = project.at("work");
    if work.exists() {
        std::fs::remove_dir_all(&work).unwrap();
    }
    let remote = project.at("remote.git").display().to_string();
    let clone = ["clone", "--quiet", "--branch", "tripline-data", &remote];
    git(project.path(), &[&clone[..], &["work"]].concat());
    work
}

#[test]
fn below_a_hook_of_another_repository_it_is_the_history_of_this_one() {
    let project = project();
    project.tripline(&["record", "--import", "data.js"]).with(0);
    fetch(&project);
    let other = Project::new();
    git(other.path(), &["init", "--quiet"]);
    let mut command = project.command(&["convert", "--history", "--to", "csv"]);
    below_a_hook_of(&mut command, other.path());
    let table = Ended::of(command.output().unwrap(), project.path()).with(0);
    assert_eq!(table.out.lines().count(), 8, "{}", table.out);
}

#[test]
fn runs_are_added_to_a_history_that_somebody_else_keeps() {
    let project = project();
    let args = [
        "convert", "--to", "data-js", "--add-to", "data.js", "--out", "new.js",
    ];
    project.tripline(&["measure"]).with(0);
    let refused = project.tripline(&args).with(4).err;
    assert!(refused.contains("was measured at none"), "{refused}");
    let who = ["-c", "user.name=x", "-c", "user.email=x@example.org"];
    let commit = ["commit", "--quiet", "--message=x"];
    git(project.path(), &["add", "bench"]);
    git(project.path(), &[&who[..], &commit].concat());
    project.tripline(&["measure"]).with(0);
    let refused = project.tripline(&args).with(4).err;
    assert!(refused.contains("changes that are in none"), "{refused}");
    project.write(".gitignore", "/*");
    project.tripline(&["measure"]).with(0);
    project.tripline(&args).with(0);
    let new = project.read("new.js");
    let there = project.read("data.js");
    let runs = there.find('[').unwrap()..=there.rfind(']').unwrap();
    assert!(new.contains(&there[runs]), "no byte of theirs changes");
    let new: Value = serde_json::from_str(new.split_once(" = ").unwrap().1).unwrap();
    assert_eq!(
        new["entries"]["kv"][0]["benches"][0]["name"],
        "get instructions"
    );

    project.write("data.js", "window.BENCHMARK_DATA = {");
    let ended = project.tripline(&args).with(4);
    assert!(
        ended.err.contains("the history cannot be read"),
        "{}",
        ended.err
    );
    assert!(!project.read("new.js").is_empty());
}

/// Commits a suite of one benchmark of one metric that is told once, and measures it.
fn measured(project: &Project, (metric, unit, better): (&str, &str, &str), value: u64) {
    let header = format!(
        r#"{{"tripline_run":{{"version":1,"suite":"kv","measured_at":"2026-01-02T03:04:05Z","producer":{{"name":"test","version":"0"}},"environment":{{"name":"elsewhere","facts":{{}}}},"metrics":{{"{metric}":{{"unit":"{unit}","better":"{better}","nature":"sampled"}}}}}}}}"#
    );
    let line = format!(
        r#"{{"measured":{{"benchmark":"get","readings":{{"{metric}":{{"values":[{value}]}}}}}}}}"#
    );
    let text = format!("{header}\n{line}\n{{\"end\":{{}}}}\n");
    project.write("bench/kv/head.jsonl", &text);
    let at = project.path();
    git(at, &["add", "bench", ".gitignore"]);
    let who = ["-c", "user.name=x", "-c", "user.email=x@example.org"];
    let commit = ["commit", "--quiet", "--allow-empty", "--message=x"];
    git(at, &[&who[..], &commit].concat());
    project.tripline(&["measure"]).with(0);
}

/// Records what was measured last, as a job of a push to the default branch does.
fn record(project: &Project) {
    let head = git(project.path(), &["rev-parse", "HEAD"]);
    in_a_job(project, &["record"], "main", &head).with(0);
}

/// Runs the binary in a job of a push to a branch.
fn in_a_job(project: &Project, args: &[&str], branch: &str, head: &str) -> Ended {
    let mut command = project.command(args);
    put_in_a_job(&mut command, &project.at("target/event.json"), branch, head);
    Ended::of(command.output().unwrap(), project.path())
}

/// Says to a command that it is in a job of a push to a branch, and leaves the event in a file.
fn put_in_a_job(command: &mut Command, place: &Path, branch: &str, head: &str) {
    let reference = format!("refs/heads/{branch}");
    let event = json!({
        "repository": { "full_name": "acme/demo", "id": 1, "default_branch": "main", "html_url": "https://github.com/acme/demo" },
        "ref": reference, "before": "b".repeat(40), "after": head,
    });
    std::fs::create_dir_all(place.parent().unwrap()).unwrap();
    std::fs::write(place, event.to_string()).unwrap();
    command
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_EVENT_NAME", "push")
        .env("GITHUB_EVENT_PATH", place)
        .env("GITHUB_REF", reference)
        .env("GITHUB_SHA", head)
        .env("GITHUB_REPOSITORY", "acme/demo")
        .env("GITHUB_REPOSITORY_ID", "1")
        .env("GITHUB_RUN_ID", "1")
        .env("GITHUB_RUN_ATTEMPT", "1")
        .env("GITHUB_SERVER_URL", "https://github.com")
        .env("GITHUB_API_URL", "https://api.github.com");
}

#[test]
fn in_a_job_only_the_default_branch_takes_a_history_over() {
    let project = project();
    let args = ["record", "--import", "data.js"];
    in_a_job(&project, &args, "side", &"a".repeat(40)).with(2);
    assert!(git(&project.at("remote.git"), &["branch"]).is_empty());
}
