//! Rows that name a metric: one that is nearly a known one is a harness's own where it was measured, and a slip elsewhere.

use crate::project::Project;

const SUITE: &str = "bench/kv/suite.toml";

fn row(metric: &str, limit: &str) -> String {
    format!("[[policy]]\nbecause = \"it is dear\"\nmetric = \"{metric}\"\n{limit}\n")
}

/// Has a suite measure a metric of its own.
fn measures(project: &Project, suite: &str, metric: &str) {
    let run = crate::project::run_file(&[("get", 7)]).replace("instructions", metric);
    let run = run.replace("\"suite\":\"kv\"", &format!("\"suite\":\"{suite}\""));
    project.write(&format!("bench/{suite}/head.jsonl"), &run);
}

fn said(project: &Project, args: &[&str], code: i32) -> String {
    project.tripline(args).with(code).err
}

const NOTE: &str = "neither a known metric nor one that was kept or measured here is named `l2_hits`; did you mean `ll_hits`?";

#[test]
fn a_metric_of_ones_own_that_is_nearly_a_known_one_has_a_policy() {
    let project = Project::with_suite();
    measures(&project, "kv", "l2_hits");
    project.append(SUITE, &row("l2_hits", "max = 5"));
    // Before it was ever measured it may be a slip.
    let before = said(&project, &["plan"], 0);
    assert!(
        before.contains(NOTE) && before.contains("bench/kv/suite.toml:"),
        "{before}"
    );
    let err = said(&project, &["check"], 10);
    assert!(err.contains(NOTE), "{err}");
    for (verb, code) in [("plan", 0), ("check", 10)] {
        let err = said(&project, &[verb], code);
        assert!(!err.contains("l2_hits`"), "{err}");
    }
    project.tripline(&["baseline", "update"]).with(0);
    std::fs::remove_dir_all(project.at("target")).unwrap();
    let err = said(&project, &["plan"], 0);
    assert!(!err.contains("l2_hits"), "{err}");
}

#[test]
fn a_run_alone_says_that_a_metric_is_ones_own() {
    let project = Project::with_suite();
    measures(&project, "kv", "l2_hits");
    project.append(SUITE, &row("l2_hits", "max = 5"));
    let head = ["judge", "--head", "bench/kv/head.jsonl"];
    project.tripline(&head).with(10);
    measures(&project, "kv", "ll_hits");
    let err = said(&project, &head, 4);
    assert!(err.contains("did you mean `ll_hits`?"), "{err}");
}

#[test]
fn a_slip_is_said_early_and_stops_every_verdict() {
    let project = Project::with_suite();
    for file in [SUITE, "tripline.toml"] {
        let before = std::fs::read_to_string(project.at(file)).unwrap_or_default();
        project.write(
            file,
            &format!("{before}{}", row("instuctions", "fail = \"1 %\"")),
        );
        let line = before.lines().count() + 3;
        for verb in ["plan", "measure"] {
            let err = said(&project, &[verb], 0);
            let place = format!(
                "note: of the row at `{file}:{line}:10`: neither a known metric nor one that was kept or measured here is named `instuctions`"
            );
            assert!(err.contains(&place), "`{place}` is not in\n{err}");
        }
        let latest = "target/tripline/kv/run.jsonl";
        for args in [
            &["check"][..],
            &["judge", "--from", "target/tripline"],
            &["judge", "--head", latest],
            &["baseline", "diff"],
            &["baseline", "update"],
            &["baseline", "accept", "get", "--because", "x"],
        ] {
            if args.contains(&"accept") {
                crate::project::git(project.path(), &["init", "--quiet"]);
                crate::project::git(project.path(), &["config", "user.name", "Ada"]);
                crate::project::git(project.path(), &["config", "user.email", "ada@example.org"]);
            }
            let err = said(&project, args, 4);
            for said in ["nothing was judged", file, "did you mean `instructions`?"] {
                assert!(err.contains(said), "`{said}` is not in\n{err}");
            }
        }
        project.write(file, &before);
    }
}

#[test]
fn a_row_of_the_project_may_be_about_what_one_suite_measures_or_derives() {
    let project = Project::with_suite();
    project.write("bench/other/suite.toml", &project.read(SUITE));
    measures(&project, "other", "l2_hits");
    let derived = "[[derived]]\nname = \"sync\"\nabout = \"x\"\nexpression = \"get:instructions\"\nunit = \"count\"\nbetter = \"lower\"\n";
    project.append(SUITE, derived);
    let rows = |max: u64| row("l2_hits", &format!("max = {max}")) + &row("sync", "max = 1_000_000");
    project.write("tripline.toml", &rows(7));
    let err = said(&project, &["check"], 0);
    assert!(err.contains(NOTE) && !err.contains("named `sync`"), "{err}");
    project.write("tripline.toml", &rows(6));
    project.tripline(&["check"]).with(10);
    project.tripline(&["check", "--suite", "kv"]).with(0);
    project.write("tripline.toml", &row("sync", "max = 999_999"));
    project.tripline(&["check", "--suite", "kv"]).with(10);
}

#[test]
fn where_a_step_failed_what_it_would_have_measured_is_no_slip() {
    let project = Project::with_suite();
    let fails = "[[step]]\nname = \"caches\"\nharness = \"run-file\"\ncommand = [\"false\"]\n";
    project.append(SUITE, &(fails.to_owned() + &row("l2_hits", "max = 5")));
    let err = said(&project, &["check"], 11);
    assert!(
        err.contains("not all was measured that may have it"),
        "{err}"
    );
}
