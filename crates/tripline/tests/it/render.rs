//! Tables of what a run measured, as the program writes them.

use crate::project::{Ended, Project, run_file};

fn project() -> Project {
    let project = Project::new();
    let names = ["get{64,0}", "get{64,9}", "get{1024,0}", "set"];
    let mut run = run_file(&[
        (names[0], 1_000_000),
        (names[1], 2),
        (names[2], 3),
        (names[3], 4),
    ]);
    for (bytes, ttl) in [("64", "0"), ("64", "9"), ("1024", "0")] {
        let params = format!(r#""get","params":{{"bytes":"{bytes}","ttl":"{ttl}"}}"#);
        run = run.replace(&format!(r#""get{{{bytes},{ttl}}}""#), &params);
    }
    project.write("run.jsonl", &run);
    project
}

#[test]
fn a_run_is_laid_out_by_two_params() {
    let args = [
        "render",
        "run.jsonl",
        "--format",
        "table",
        "--rows",
        "bytes",
        "--cols",
        "ttl",
    ];
    insta::assert_snapshot!(project().tripline(&args).with(0).out, @r"
    `instructions` of `get`:

    |              |   `ttl=0` | `ttl=9` |
    | ------------ | --------: | ------: |
    | `bytes=64`   | 1,000,000 |       2 |
    | `bytes=1024` |         3 |       - |
    ");
}

#[test]
fn what_cannot_be_laid_out_is_named() {
    let project = project();
    let asked = |options: &[&str], code| {
        let args = [&["render", "run.jsonl"], options].concat();
        let ended = project.tripline(&args).with(code);
        assert_eq!(ended.out, "");
        ended.err
    };
    let unknown = ["--format", "table", "--rows", "bites", "--cols", "ttl"];
    insta::assert_snapshot!(asked(&unknown, 4), @r"
    error: nothing was rendered: `run.jsonl` has no such table
      caused by: no benchmark of the run has a param `bites`; there are `bytes`, `ttl`
      hint: name params that stand in the braces of one benchmark, as in `kv/get{bytes=64,ttl=0}`
    ");
    insta::assert_snapshot!(asked(&["--rows", "bytes"], 2), @r"
    error: nothing was rendered: `--rows` is for tables
      hint: add `--format table`, or leave the option out
    ");
    let all = ["--format", "table", "--rows", "bytes", "--cols", "ttl"];
    insta::assert_snapshot!(asked(&[&all[..], &["--all"]].concat(), 2), @r"
    error: nothing was rendered: `--all` is for reports
      caused by: a table has every metric of the benchmarks with its params, and no other benchmark
      hint: leave the option out
    ");
    let missing = asked(&["--format", "table", "--rows", "bytes"], 2);
    assert!(missing.contains("--cols <PARAM>"), "{missing}");
}

/// What names the metric of an acceptance or of a series says nothing of a table.
#[test]
fn a_table_has_a_variable_of_its_own_for_its_metric() {
    let project = project();
    let args = ["render", "run.jsonl", "--format", "table"];
    let args = [&args[..], &["--rows", "bytes", "--cols", "ttl"]].concat();
    let with = |name: &str| {
        let mut command = project.command(&args);
        let ended = command.env(name, "wall_time").output().unwrap();
        Ended::of(ended, project.path())
    };
    assert!(with("TRIPLINE_METRIC").with(0).out.contains("instructions"));
    let refused = with("TRIPLINE_TABLE_METRIC").with(4);
    assert!(
        refused.err.contains("no metric `wall_time`"),
        "{}",
        refused.err
    );
}

#[test]
fn a_variable_for_the_other_form_is_passed_over() {
    let project = Project::with_suite();
    project.write("run.jsonl", &self::project().read("run.jsonl"));
    project.base_and_head();
    let judged = project.tripline(&["judge", "--base", "base.jsonl", "--head", "head.jsonl"]);
    project.write("report.jsonl", &judged.with(10).out);
    let table = ["render", "run.jsonl", "--format", "table"];
    let table = [&table[..], &["--rows", "bytes", "--cols", "ttl"]].concat();
    for (args, variables) in [
        (&table[..], &["TRIPLINE_ALL=true"][..]),
        (
            &["render", "report.jsonl"],
            &[
                "TRIPLINE_ROWS=bytes",
                "TRIPLINE_COLS=ttl",
                "TRIPLINE_TABLE_METRIC=wall_time",
            ],
        ),
    ] {
        let mut command = project.command(args);
        for variable in variables {
            let (name, value) = variable.split_once('=').unwrap();
            command.env(name, value);
        }
        let ended = Ended::of(command.output().unwrap(), project.path()).with(0);
        assert_eq!(ended.out, project.tripline(args).with(0).out);
    }
    // A variable says that a table is wanted as well as the option does.
    let mut command = project.command(&["render", "run.jsonl", "--rows", "bytes", "--cols", "ttl"]);
    command.envs([("TRIPLINE_FORMAT", "table"), ("TRIPLINE_ALL", "true")]);
    let ended = Ended::of(command.output().unwrap(), project.path()).with(0);
    assert!(ended.out.contains("`ttl=0`"), "{}", ended.out);
}
