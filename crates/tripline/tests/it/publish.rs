//! What is told: to the job, and to other services, without GitHub; to pull requests and in answer to comments, with a
//! stand-in for it. The workflows around it are played in `act`.

mod answer;
mod back;
mod once;
mod stage;
mod told;

use std::process::Command;

use tripline_model::{Run, wire};

use crate::project::{Ended, Project};

/// A job of a pull request, in a project whose report is in `report.jsonl`.
struct Job {
    project: Project,
}

const PULL_REQUEST: &str = r#"{"action":"opened","number":7,"pull_request":{"number":7,
    "head":{"sha":"1111111111111111111111111111111111111111","ref":"tune","repo":{"id":1,"owner":{"login":"acme"}}},
    "base":{"sha":"2222222222222222222222222222222222222222","ref":"main","repo":{"id":1,"owner":{"login":"acme"}}}},
    "repository":{"id":1,"full_name":"acme/demo","default_branch":"main"}}"#;

impl Job {
    fn new() -> Self {
        let project = Project::with_suite();
        project.write("event.json", PULL_REQUEST);
        project.tripline(&["check"]).with(0);
        project.tripline(&["baseline", "update"]).with(0);
        project.measures(&[("get", 1_500_000), ("set", 2_000_000)]);
        project.tripline(&["check"]).with(10);
        Self { project }
    }

    fn publish(&self, args: &[&str]) -> Ended {
        let mut command = self
            .project
            .command(&[&["publish", "target/tripline/report.jsonl"], args].concat());
        self.say_where(&mut command);
        Ended::of(command.output().unwrap(), self.project.path())
    }

    fn say_where(&self, command: &mut Command) {
        command
            .env("GITHUB_EVENT_NAME", "pull_request")
            .env("GITHUB_EVENT_PATH", self.project.at("event.json"))
            .env("GITHUB_REPOSITORY", "acme/demo")
            .env("GITHUB_API_URL", "http://127.0.0.1:1")
            .env("GITHUB_SERVER_URL", "https://github.com")
            .env("GITHUB_RUN_ID", "42")
            .env("GITHUB_SHA", "3333333333333333333333333333333333333333")
            .env("GITHUB_REF", "refs/pull/7/merge")
            .env("GITHUB_STEP_SUMMARY", self.project.at("summary.md"))
            .env("GITHUB_OUTPUT", self.project.at("output"));
    }
}

#[test]
fn the_job_is_told_by_annotations_a_summary_and_outputs() {
    let job = Job::new();
    let ended = job.publish(&[]).with(0);
    let line = ended.out.lines().next().unwrap();
    assert!(
        line.starts_with("::error file=bench/kv/suite.toml,line=2,title=kv/get regressed::"),
        "{line}"
    );
    let summary = job.project.read("summary.md");
    assert!(
        summary.contains("FAIL") && summary.contains("1,500,000"),
        "{summary}"
    );
    let output = job.project.read("output");
    assert!(output.contains("exit-code=10\n"), "{output}");
}

#[test]
fn a_dry_run_says_what_would_be_told_and_tells_nothing() {
    let job = Job::new();
    let ended = job.publish(&["--dry-run"]).with(0);
    assert_eq!(
        ended
            .out
            .lines()
            .filter(|line| line.starts_with("would "))
            .count(),
        3,
        "{}",
        ended.out
    );
    assert!(!job.project.at("summary.md").exists() && !job.project.at("output").exists());
}

#[test]
fn outside_of_a_job_there_is_nobody_to_tell() {
    let project = Project::with_suite();
    let ended = project.tripline(&["publish", "report.jsonl"]).with(2);
    assert!(ended.err.contains("nothing was published"), "{}", ended.err);
    assert!(ended.err.contains("GITHUB_EVENT_PATH"), "{}", ended.err);
}

#[test]
fn a_report_that_cannot_be_read_tells_nothing() {
    let job = Job::new();
    job.project.write(
        "target/tripline/report.jsonl",
        "{\"tripline_report\":{\"version\":1}",
    );
    let ended = job.publish(&[]).with(4);
    assert!(ended.err.contains("nothing was published"), "{}", ended.err);
    assert!(!job.project.at("summary.md").exists());
}

#[test]
fn a_variable_that_is_set_and_empty_is_one_that_is_not_set() {
    let project = Project::with_suite();
    let mut command = project.command(&["check"]);
    for name in [
        "TRIPLINE_AGAINST",
        "TRIPLINE_STEP",
        "TRIPLINE_PAIRS",
        "TRIPLINE_SUITE",
        "TRIPLINE_DRY_RUN",
    ] {
        command.env(name, "");
    }
    Ended::of(command.output().unwrap(), project.path()).with(0);
}

#[test]
fn runs_are_handed_on_in_the_form_that_others_read() {
    let project = Project::with_suite();
    project.tripline(&["convert", "--to", "bmf"]).with(3);
    project.tripline(&["measure"]).with(0);
    let bmf = project.tripline(&["convert", "--to", "bmf"]).with(0).out;
    let bmf: serde_json::Value = serde_json::from_str(&bmf).unwrap();
    assert_eq!(bmf["kv/get"]["instructions"]["value"], 1_000_000.0);
    let args = [
        "convert",
        "--to",
        "custom-smaller-is-better",
        "--out",
        "smaller.json",
    ];
    project.tripline(&args).with(0);
    let smaller: serde_json::Value = serde_json::from_str(&project.read("smaller.json")).unwrap();
    let names = smaller
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["name"].as_str().unwrap());
    assert!(
        names.clone().any(|name| name.contains("kv/get")),
        "{smaller}"
    );
    assert_eq!(smaller[0]["unit"], "count");
    let bigger = ["convert", "--to", "custom-bigger-is-better"];
    let refused = project.tripline(&bigger).with(4);
    assert!(refused.out.is_empty(), "{}", refused.out);
    for words in [
        "they have 1 metric of 2 benchmarks, better when smaller",
        "`--to custom-smaller-is-better`",
    ] {
        assert!(refused.err.contains(words), "{}", refused.err);
    }
}

#[test]
fn ends_that_bencher_reads_come_back_as_they_were() {
    let project = Project::new();
    let results = "running 1 test\ntest get ... bench:       1,234.50 ns/iter (+/- 12.25)\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 1 measured; 0 filtered out; finished in 0.10s\n";
    project.write("libtest.txt", results);
    let handed_on = |from: &str| {
        let read = ["read", "--suite", "kv", from, "--out", "kv.jsonl"];
        project.tripline(&read).with(0);
        let bmf = ["convert", "kv.jsonl", "--to", "bmf"];
        project.tripline(&bmf).with(0).out
    };
    let first = handed_on("libtest.txt");
    let measures: serde_json::Value = serde_json::from_str(&first).unwrap();
    let latency =
        serde_json::json!({ "value": 1234.5, "lower_value": 1222.25, "upper_value": 1246.75 });
    assert_eq!(
        measures["kv/get"],
        serde_json::json!({ "latency": latency })
    );
    project.write("first.json", &first);
    assert_eq!(handed_on("first.json"), first);
}

#[test]
fn runs_without_a_measurement_are_handed_on_in_no_form() {
    let project = Project::with_suite();
    project.tripline(&["measure"]).with(0);
    let whole = project.read("target/tripline/kv/run.jsonl");
    let whole = wire::read_run(whole.as_bytes()).unwrap();
    let none = Run::new(
        whole.suite,
        whole.measured_at,
        whole.environment,
        whole.producer,
    );
    let none = wire::write_run(&none);
    std::fs::write(project.at("none.jsonl"), none).unwrap();
    for form in tripline_render::EXPORTERS {
        let convert = ["convert", "none.jsonl", "--to", form.name];
        let refused = project.tripline(&convert).with(3);
        assert!(refused.out.is_empty(), "{}", refused.out);
        assert!(
            refused.err.contains("no run holds a measurement"),
            "{}",
            refused.err
        );
    }
}

#[test]
fn what_is_no_run_is_said_to_be_read_first() {
    let project = Project::new();
    project.write("go.txt", "BenchmarkGet 100 12.5 ns/op\n");
    let refused = project.tripline(&["convert", "go.txt", "--to", "bmf"]);
    let words = refused.with(4).err;
    assert!(words.contains("`tripline read`"), "{words}");
    let history = "window.BENCHMARK_DATA = {\"lastUpdate\": 1, \"repoUrl\": \"\", \"entries\": {}}";
    project.write("data.js", history);
    let refused = project.tripline(&["read", "--suite", "kv", "data.js"]);
    let words = refused.with(4).err;
    assert!(words.contains("`tripline record --import`"), "{words}");
    assert!(!words.contains("no harness is known"), "{words}");
}

#[test]
fn what_a_form_leaves_out_is_told_beside_it() {
    let project = Project::new();
    let results = "Unit hit% better=higher\nBenchmarkGet 100 12.5 ns/op 7 hit% 3 keys\n";
    project.write("go.txt", results);
    let read = ["read", "--suite", "kv", "go.txt", "--out", "kv.jsonl"];
    project.tripline(&read).with(0);
    let told = |form| {
        project
            .tripline(&["convert", "kv.jsonl", "--to", form])
            .with(0)
            .err
    };
    let smaller = told("custom-smaller-is-better");
    for words in [
        "note: left out: 1 metric of 1 benchmark, better when bigger; `custom-bigger-is-better` holds them",
        "note: left out: 1 metric of 1 benchmark, of which no direction is known to be better",
    ] {
        assert!(smaller.contains(words), "{smaller}");
    }
    assert!(told("otava-csv").contains("left out: 1 metric"));
    assert_eq!(told("csv"), "");
    // What is of no commit is told by forms that are written anew, and refused by one that is kept.
    let (run, commit) = (project.read("kv.jsonl"), "01234567".repeat(5));
    let of_commit =
        format!("\"revision\":{{\"commit\":\"{commit}\",\"work_tree\":\"modified\"}},\"producer\"");
    project.write("kv.jsonl", &run.replace("\"producer\"", &of_commit));
    let changed = "note: the run of `kv` was measured with changes that are not in commit 0123456";
    assert!(told("csv").contains(changed), "{}", told("csv"));
    let history = ["convert", "kv.jsonl", "--to", "data-js"];
    let refused = project.tripline(&history).with(4).err;
    assert!(
        refused.contains("with changes that are in none"),
        "{refused}"
    );
}

#[test]
fn what_would_be_recorded_is_at_a_commit() {
    let project = Project::with_suite();
    project.tripline(&["record", "--dry-run"]).with(3);
    project.tripline(&["measure"]).with(0);
    let ended = project.tripline(&["record", "--dry-run"]).with(4);
    assert!(
        ended.err.contains("was measured at no commit"),
        "{}",
        ended.err
    );
}
