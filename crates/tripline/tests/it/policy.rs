//! What the project and a suite say of how much may change, from the files to the exit code.

mod names;

use serde_json::{Value, json};

use crate::checkout::repository;
use crate::project::Project;

const DERIVED: &str = r#"
[[derived]]
name = "degradation"
about = "how much more it takes with four streams"
expression = "instructions{streams=4} / instructions{streams=1}"
unit = "ratio"
better = "lower"
max = 2.0
"#;

/// Keeps a baseline of what is measured now.
fn kept(project: &Project) {
    project.tripline(&["measure"]).with(0);
    project.tripline(&["baseline", "update"]).with(0);
}

/// Sets what is counted with one stream and with four.
fn streams(project: &Project, one: u64, four: u64) {
    project.measures(&[("stream1", one), ("stream4", four)]);
    let text = project.read("bench/kv/head.jsonl");
    let with_param = |text: String, streams: &str| {
        text.replace(
            &format!("\"benchmark\":\"stream{streams}\""),
            &format!("\"benchmark\":\"stream\",\"params\":{{\"streams\":\"{streams}\"}}"),
        )
    };
    let text = with_param(with_param(text, "1"), "4");
    project.write("bench/kv/head.jsonl", &text);
}

#[test]
fn rows_of_the_project_hold_and_rows_of_the_suite_win() {
    let project = Project::with_suite();
    kept(&project);
    project.measures(&[("get", 1_050_000), ("set", 2_100_000)]);
    project.tripline(&["check"]).with(10);
    project.write(
        "tripline.toml",
        "[[policy]]\nbecause = \"it is young\"\nmetric = \"instructions\"\nfail = \"10 %\"\n",
    );
    let shown = project.tripline(&["check"]).with(0).out;
    assert!(shown.contains("2 regressed"), "{shown}");
    project.append(
        "bench/kv/suite.toml",
        "[[policy]]\nbecause = \"it is old\"\nbenchmark = \"se*\"\nfail = \"5 %\"\n",
    );
    for verb in [&["check"][..], &["baseline", "diff"]] {
        project.tripline(verb).with(10);
    }
    let head = "target/tripline/kv/run.jsonl";
    let judged = project.tripline(&["judge", "--head", head]).with(10);
    assert!(judged.out.contains("\"gate\":\"fail\""), "{}", judged.out);
    project.append(
        "bench/kv/suite.toml",
        "[[policy]]\nbecause = \"it is a showpiece\"\ngate = \"show\"\n",
    );
    project.tripline(&["check"]).with(0);
}

#[test]
fn a_mistake_stops_everything_and_names_its_place() {
    let project = Project::with_suite();
    project.write("tripline.toml", "[[policy]]\nbecause = \"x\"\nfail = 2\n");
    let ended = project.tripline(&["check"]).with(4);
    for said in [
        "tripline.toml",
        "line 3 column 8",
        "a share such as \"2 %\"",
    ] {
        assert!(
            ended.err.contains(said),
            "`{said}` is not in\n{}",
            ended.err
        );
    }
    assert!(
        !project.at("target/tripline/kv/run.jsonl").exists(),
        "something was measured"
    );
    std::fs::remove_file(project.at("tripline.toml")).unwrap();
    project.append(
        "bench/kv/suite.toml",
        "[[policy]]\nbecause = \"x\"\nmetric = \"instuctions\"\nfail = \"2 %\"\n",
    );
    let ended = project.tripline(&["check"]).with(4);
    assert!(
        ended.err.contains("did you mean `instructions`?"),
        "{}",
        ended.err
    );
}

#[test]
fn what_is_missing_may_fail_and_what_is_better_may_warn() {
    let project = Project::with_suite();
    kept(&project);
    project.measures(&[("get", 900_000)]);
    let shown = project.tripline(&["check"]).with(0).out;
    assert!(
        shown.contains("1 removed") && shown.contains("1 improved"),
        "{shown}"
    );
    project.write("tripline.toml", "[outcomes]\nremoved = \"fail\"\n");
    project.tripline(&["check"]).with(10);
    project.write(
        "tripline.toml",
        "[outcomes]\nremoved = \"pass\"\nstale = \"fail\"\n",
    );
    let ended = project.tripline(&["check"]).with(10);
    assert!(
        ended.out.contains("a gain has not been kept"),
        "{}",
        ended.out
    );
}

#[test]
fn a_row_that_is_about_nothing_is_said() {
    let project = Project::with_suite();
    project.append(
        "bench/kv/suite.toml",
        "[[policy]]\nbecause = \"deletes are slow\"\nbenchmark = \"delete\"\nfail = \"20 %\"\n",
    );
    let ended = project.tripline(&["check"]).with(0);
    assert!(
        ended
            .err
            .contains("is about nothing that was measured: deletes are slow"),
        "{}",
        ended.err
    );
}

#[test]
fn a_row_about_a_method_by_which_nothing_of_it_is_ever_judged_is_said() {
    let project = Project::with_suite();
    let row = |because: &str, method: &str, limit: &str| {
        format!(
            "[[policy]]\nbecause = \"{because}\"\nmetric = \"instructions\"\nmethod = \"{method}\"\n{limit}\n"
        )
    };
    let rows = [
        row("pairs are steady", "paired", "fail = \"5 %\""),
        row("counts are steady", "exact", "fail = \"5 %\""),
        row("it is small", "paired", "max = 5_000_000"),
    ];
    project.append("bench/kv/suite.toml", &rows.concat());
    let err = project.tripline(&["check"]).with(0).err;
    let note = "is about nothing that was measured, because none of that is ever judged by its `method`: pairs are steady";
    assert!(err.contains(note), "{err}");
    assert!(
        !err.contains("counts are steady") && !err.contains("it is small"),
        "{err}"
    );
}

#[test]
fn limits_of_the_project_and_of_a_suite_that_allow_no_value_are_refused_with_both_places() {
    let project = Project::with_suite();
    let row =
        |limit: &str| format!("[[policy]]\nbecause = \"x\"\nmetric = \"instructions\"\n{limit}\n");
    project.write("tripline.toml", &format!("\n{}", row("min = 10")));
    let file = "bench/kv/suite.toml";
    let before = project.read(file);
    project.append(file, &row("max = 5"));
    let line = before.lines().count() + 2;
    for verb in ["plan", "measure", "check"] {
        let err = project.tripline(&[verb]).with(4).err;
        let places = format!(
            "by the rows at `tripline.toml:2:1` and `{file}:{line}:1` `min` is greater than `max`"
        );
        assert!(err.contains(&places), "{err}");
    }
    assert!(!project.at("target/tripline/kv/run.jsonl").exists());
    // The suite's row is over the project's.
    project.write(file, &before);
    project.append(file, &row("min = 1\nmax = 5_000_000"));
    project.tripline(&["check"]).with(0);
}

#[test]
fn a_row_of_the_project_that_is_about_nothing_is_said_where_all_suites_are_judged() {
    let project = Project::with_suite();
    let row = |benchmark: &str, because: &str| {
        format!(
            "[[policy]]\nbecause = \"{because}\"\nbenchmark = \"{benchmark}\"\nfail = \"20 %\"\n"
        )
    };
    let rows = [row("gte", "it is young"), row("get", "it is old")].concat();
    project.write("tripline.toml", &rows);
    let said = |project: &Project, args: &[&str]| project.tripline(args).with(0).err;
    let note = "note: a row of `tripline.toml` is about nothing that was measured: it is young";
    let err = said(&project, &["check"]);
    assert!(err.contains(note) && !err.contains("it is old"), "{err}");
    // It may be about a suite that was not asked for.
    let suite = project.read("bench/kv/suite.toml");
    project.write("bench/other/suite.toml", &suite);
    project.write(
        "bench/other/head.jsonl",
        &project.read("bench/kv/head.jsonl"),
    );
    let err = said(&project, &["check", "--suite", "kv"]);
    assert!(!err.contains("is about nothing"), "{err}");
}

#[test]
fn what_is_not_on_every_machine_may_be_absent_and_nothing_is_said() {
    let project = Project::with_suite();
    let derived = |optional: &str| {
        format!(
            "[[derived]]\nname = \"to_others\"\nabout = \"beside others\"\nexpression = \"get:instructions / others:instructions\"\nunit = \"ratio\"\nbetter = \"lower\"\nmax = 1\n{optional}"
        )
    };
    let file = "bench/kv/suite.toml";
    let before = project.read(file);
    project.append(file, &derived(""));
    let ended = project.tripline(&["check"]).with(4);
    let said = "`others:instructions` is nothing that was measured";
    assert!(ended.err.contains(said), "{}", ended.err);
    project.write(file, &before);
    project.append(file, &derived("optional = true\n"));
    let ended = project.tripline(&["check"]).with(0);
    assert!(
        ended.err.contains("note: `to_others` is left out")
            && !ended.err.contains("is about nothing"),
        "{}",
        ended.err
    );
}

#[test]
fn a_derived_metric_is_shown_judged_and_held_to_its_limit() {
    let project = Project::with_suite();
    project.append("bench/kv/suite.toml", DERIVED);
    streams(&project, 1_000_000, 1_500_000);
    let shown = project.tripline(&["check", "--all"]).with(0).out;
    assert!(shown.contains("degradation"), "{shown}");
    kept(&project);
    streams(&project, 900_000, 1_500_000);
    let worse = project
        .tripline(&["check", "--format", "json"])
        .with(10)
        .out;
    let reports = tripline_model::wire::read_report(worse.as_bytes()).unwrap();
    let failed: Vec<String> = reports[0]
        .findings
        .iter()
        .filter(|finding| finding.gate == tripline_model::Gate::Fail)
        .map(|finding| format!("{} {}", finding.bench, finding.metric.name))
        .collect();
    assert_eq!(failed, ["kv/stream degradation"]);
    // The limit holds from the first run on.
    std::fs::remove_dir_all(project.at("baselines")).unwrap();
    streams(&project, 1_000_000, 2_000_000);
    project.tripline(&["check"]).with(0);
    streams(&project, 1_000_000, 2_000_001);
    project.tripline(&["check"]).with(10);
}

/// Returns the line and column of the expression that ends with a term, which stands in quotes.
fn place_in(project: &Project, term: &str) -> (usize, usize) {
    let text = project.read("bench/kv/suite.toml");
    let is_it = |line: &str| line.starts_with("expression") && line.contains(term);
    let line = text.lines().position(is_it).unwrap();
    (line + 1, "expression = ".len() + 1)
}

#[test]
fn what_a_derived_metric_needs_may_be_removed_and_all_else_is_judged() {
    let project = Project::with_suite();
    let suite = project.read("bench/kv/suite.toml");
    project.append("bench/kv/suite.toml", DERIVED);
    streams(&project, 1_000_000, 1_500_000);
    project.write("bench/other/suite.toml", &suite);
    let other = project.read("bench/kv/head.jsonl");
    let other = other.replace("\"suite\":\"kv\"", "\"suite\":\"other\"");
    project.write("bench/other/head.jsonl", &other);
    kept(&project);
    let only_one = project.read("bench/kv/head.jsonl");
    let only_one: String = only_one
        .lines()
        .filter(|line| !line.contains("\"streams\":\"4\""))
        .map(|line| format!("{line}\n"))
        .collect();
    project.write("bench/kv/head.jsonl", &only_one);
    let ended = project.tripline(&["check"]).with(0);
    for said in [
        "2 removed",
        "it is computed from kv/stream{streams=4} instructions, which the head lacks",
        "other",
    ] {
        assert!(
            ended.out.contains(said),
            "`{said}` is not in\n{}",
            ended.out
        );
    }
    let report = project.read("target/tripline/report.jsonl");
    assert_eq!(report.lines().count(), 2, "{report}");
    // Whatever is allowed of what was removed, a limit is not passed without a word.
    project.write("tripline.toml", "[outcomes]\nremoved = \"pass\"\n");
    let shown = project.tripline(&["check"]).with(0).out;
    assert!(shown.contains("WARN"), "{shown}");
    project.write("tripline.toml", "[outcomes]\nremoved = \"fail\"\n");
    project.tripline(&["check"]).with(10);
    // A baseline that lacks it would leave a definition which fits neither side.
    let ended = project.tripline(&["baseline", "update"]).with(4);
    assert!(
        ended
            .err
            .contains("hint: mend its definition in `bench/kv/suite.toml:"),
        "{}",
        ended.err
    );
}

#[test]
fn a_derived_metric_that_means_nothing_is_an_error_with_what_is_like_it() {
    let project = Project::with_suite();
    project.append(
        "bench/kv/suite.toml",
        &DERIVED.replace("{streams=4}", "{streams=8}"),
    );
    streams(&project, 1_000_000, 1_500_000);
    let ended = project.tripline(&["check"]).with(4);
    let (line, column) = place_in(&project, "instructions{streams=8}");
    for said in [
        "`instructions{streams=8}` is nothing that was measured",
        "`stream{streams=4}`",
        &format!("hint: mend its definition in `bench/kv/suite.toml:{line}:{column}`"),
    ] {
        assert!(
            ended.err.contains(said),
            "`{said}` is not in\n{}",
            ended.err
        );
    }
}

#[test]
fn a_slip_of_the_pen_in_a_derived_metric_is_said_before_anything_is_measured() {
    let project = Project::with_suite();
    streams(&project, 1_000_000, 1_500_000);
    project.append("bench/kv/suite.toml", DERIVED);
    kept(&project);
    let said = |project: &Project, code: i32| project.tripline(&["measure"]).with(code).err;
    assert!(!said(&project, 0).contains("kept run"));
    let file = "bench/kv/suite.toml";
    project.write(
        file,
        &project.read(file).replace("{streams=4}", "{streams=8}"),
    );
    // It is a note: what it means may be new.
    let err = said(&project, 0);
    let note = "note: by the kept run of suite `kv`, the derived metric `degradation` cannot be computed: \
                `instructions{streams=8}` is nothing that was measured; most like it: ";
    assert!(err.contains(note), "{err}");
    let (before, _) = err.split_once(note).unwrap();
    assert!(!before.contains("kv/"), "{err}");
}

#[test]
fn terms_that_include_different_work_are_refused() {
    let project = Project::with_suite();
    let includes = "[[includes]]\nbenchmark = \"*{streams=4}\"\nwhat = \"starting threads\"\n";
    project.append("bench/kv/suite.toml", &format!("{DERIVED}{includes}"));
    // Nothing is measured for it.
    let ended = project.tripline(&["plan"]).with(4);
    assert!(
        ended
            .err
            .contains("`instructions{streams=4}` includes starting threads"),
        "{}",
        ended.err
    );
}

#[test]
fn two_runs_are_judged_also_where_there_is_no_project() {
    let project = Project::with_suite();
    project.tripline(&["measure", "--out", "run.jsonl"]).with(0);
    let elsewhere = Project::new();
    elsewhere.write("run.jsonl", &project.read("run.jsonl"));
    elsewhere
        .tripline(&["judge", "--base", "run.jsonl", "--head", "run.jsonl"])
        .with(0);
}

#[test]
fn our_own_verdict_takes_a_tenth_of_a_second_or_fails() {
    let project = Project::new();
    let ours = |place: &str| std::fs::read_to_string(repository().join(place)).unwrap();
    project.write("bench/self/suite.toml", &ours("bench/self/suite.toml"));
    let kept = ours("baselines/self/debian-12-x86_64.jsonl");
    let row = r#""benchmark":"pipeline/publish","params":{"benchmarks":"500"}"#;
    let with = |nanoseconds: f64| {
        let rows = kept.lines().map(|line| match line.contains(row) {
            true => {
                let mut line: Value = serde_json::from_str(line).unwrap();
                let values = json!({ "values": [nanoseconds, nanoseconds, nanoseconds] });
                line["measured"]["readings"]["cpu_time"] = values;
                line.to_string() + "\n"
            }
            false => line.to_owned() + "\n",
        });
        rows.collect::<String>()
    };
    // There is nothing to compare with, so that the budget alone decides.
    for (nanoseconds, code) in [(99.0e6, 0), (101.0e6, 10)] {
        project.write("head.jsonl", &with(nanoseconds));
        project
            .tripline(&["judge", "--head", "head.jsonl"])
            .with(code);
    }
}

#[test]
fn a_budget_may_warn_where_the_clock_is_all_it_holds() {
    let project = Project::with_suite();
    let row = |beyond: &str| {
        format!(
            "[[policy]]\nbecause = \"it is of the clock\"\nbenchmark = \"get\"\nmetric = \"instructions\"\nmax = 1_000_000\n{beyond}"
        )
    };
    project.measures(&[("get", 1_000_001), ("set", 2_000_000)]);
    project.write("tripline.toml", &row(""));
    project.tripline(&["check"]).with(10);
    project.write("tripline.toml", &row("beyond = \"warn\"\n"));
    let shown = project.tripline(&["check"]).with(0).out;
    for said in ["WARN ", "over budget (max 1,000,000), warn"] {
        assert!(shown.contains(said), "{shown}");
    }
}
