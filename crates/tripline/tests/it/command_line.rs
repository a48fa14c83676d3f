//! Help, usage errors, and the everyday verbs on a small project.

use crate::project::{Ended, Project, scrubbed};

#[test]
fn help_shows_verbs_and_exit_codes() {
    let help = Project::new().tripline(&["--help"]).with(0).out;
    for word in [
        "check",
        "plan",
        "measure",
        "read",
        "judge",
        "render",
        "baseline",
        "doctor",
        "Exit codes:",
    ] {
        assert!(help.contains(word), "`{word}` is missing in\n{help}");
    }
}

#[test]
fn usage_errors_have_their_code() {
    let project = Project::with_suite();
    project.tripline(&["frobnicate"]).with(2);
    project.tripline(&["measure", "--out"]).with(2);
    project
        .tripline(&["render", "--format", "hologram", "x"])
        .with(2);
    let ended = project.tripline(&["plan", "--suite", "vk"]).with(2);
    insta::assert_snapshot!(ended.err, @r"
    error: there is no suite `vk`, so nothing was done
      hint: the suites are: kv
    ");
}

#[test]
fn outside_a_project_nothing_is_measured() {
    let ended = Project::new().tripline(&["check"]).with(3);
    assert!(ended.err.contains("no suite was found"), "{}", ended.err);
    assert!(ended.err.contains("`tripline init`"), "{}", ended.err);
    assert_eq!(ended.out, "");
}

#[test]
fn the_plan_lists_steps() {
    let project = Project::with_suite();
    insta::assert_snapshot!(project.tripline(&["plan"]).with(0).out, @r"
    kv: a suite
      counts       run-file         cat head.jsonl
    ");
    insta::assert_snapshot!(
        project.tripline(&["plan", "--format", "json"]).with(0).out,
        @r#"{"suite":"kv","step":"counts","harness":"run-file","command":["cat","head.jsonl"],"timeout_seconds":900}"#
    );
}

#[test]
fn options_have_twins_in_the_environment() {
    let project = Project::with_suite();
    let ended = project
        .command(&["plan"])
        .env("TRIPLINE_FORMAT", "json")
        .output()
        .unwrap();
    assert!(ended.stdout.starts_with(b"{"));
    let elsewhere = tempfile::tempdir().unwrap();
    let mut command = scrubbed(env!("CARGO_BIN_EXE_tripline"));
    command
        .arg("plan")
        .current_dir(elsewhere.path())
        .env("TRIPLINE_ROOT", project.path());
    assert!(command.output().unwrap().status.success());
}

/// Variables are set for a whole job, in which many verbs are called.
#[test]
fn a_twin_of_an_option_that_does_not_go_with_the_call_is_passed_over() {
    let project = Project::with_suite();
    project.base_and_head();
    let called = |args: &[&str], variables: &[(&str, &str)], code| {
        let mut command = project.command(args);
        let ended = command.envs(variables.iter().copied()).output().unwrap();
        Ended::of(ended, project.path()).with(code).out
    };
    let convert = ["convert", "head.jsonl", "--to", "bmf"];
    let given = called(&convert, &[], 0);
    for name in ["TRIPLINE_SUITE", "TRIPLINE_HISTORY"] {
        assert_eq!(called(&convert, &[(name, "true")], 0), given, "{name}");
    }
    let measure = ["measure", "--suite", "kv", "--out", "-"];
    let others = [
        ("TRIPLINE_STEP", "kv/counts"),
        ("TRIPLINE_CANARY", "true"),
        ("TRIPLINE_INTO", "elsewhere"),
    ];
    assert!(!called(&measure, &others, 0).is_empty());
    assert!(!project.at("elsewhere").exists());
    called(
        &["record", "--dry-run"],
        &[("TRIPLINE_PROBLEMS", "odd.txt")],
        3,
    );

    // A switch that says no is none.
    let named = [
        ("TRIPLINE_RUNS", "head.jsonl"),
        ("TRIPLINE_HISTORY", "false"),
    ];
    assert_eq!(called(&["convert", "--to", "bmf"], &named, 0), given);

    // What stands on the command line is refused.
    called(&[&convert[..], &["--suite", "kv"]].concat(), &[], 2);
    called(&["record", "--dry-run", "--problems", "odd.txt"], &[], 2);
}

/// Nothing decides between them, and whoever reads the message may know of neither option.
#[test]
fn two_twins_that_exclude_each_other_are_both_named() {
    let project = Project::with_suite();
    project.base_and_head();
    let called = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = project.command(args);
        let ended = command.envs(variables.iter().copied()).output().unwrap();
        Ended::of(ended, project.path())
    };
    let convert = ["convert", "--to", "bmf"];
    let both = [("TRIPLINE_RUNS", "head.jsonl"), ("TRIPLINE_SUITE", "kv")];
    let ended = called(&convert, &both).with(2);
    assert_eq!(ended.out, "");
    insta::assert_snapshot!(ended.err, @r"
    error: nothing was done
      caused by: the variables `TRIPLINE_RUNS` and `TRIPLINE_SUITE` are both set, and `RUN` does not go with `--suite`
      hint: unset `TRIPLINE_RUNS` or `TRIPLINE_SUITE`; or say on the command line which is meant, and the variable of the other is passed over
    ");
    // As the hint says.
    called(&convert, &both[..1]).with(0);
    called(&[&convert[..], &["head.jsonl"]].concat(), &both).with(0);

    let judge = [
        ("TRIPLINE_FROM", "target"),
        ("TRIPLINE_HEAD", "head.jsonl"),
        ("TRIPLINE_BASE", "base.jsonl"),
    ];
    let ended = called(&["judge"], &judge).with(2);
    for (name, _) in &judge[..2] {
        assert!(ended.err.contains(&format!("`{name}`")), "{}", ended.err);
    }
    called(&["judge", "--head", "head.jsonl"], &judge).with(10);
    // What is wrong on the command line is said first, whatever is set.
    let ended = called(&["judge", "--frobnicate"], &judge).with(2);
    assert!(ended.err.contains("--frobnicate"), "{}", ended.err);
}

#[test]
fn stages_can_be_run_one_by_one_through_pipes() {
    let project = Project::with_suite();
    project.base_and_head();
    let judged = project
        .tripline(&["judge", "--base", "base.jsonl", "--head", "head.jsonl"])
        .with(10);
    project.write("report.jsonl", &judged.out);
    let report = std::fs::File::open(project.at("report.jsonl")).unwrap();
    let shown = project
        .command(&["render", "-"])
        .stdin(report)
        .output()
        .unwrap();
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(
        shown.contains("1,000,000") && shown.contains("1,100,000") && shown.contains("get"),
        "{shown}"
    );
    assert!(
        !shown.contains('\u{1b}'),
        "colour was written where nobody can see it"
    );
    let coloured = project
        .tripline(&["render", "report.jsonl", "--color", "always"])
        .with(0)
        .out;
    assert!(coloured.contains('\u{1b}'));
}

#[test]
fn doctor_says_what_is_missing_and_how_to_get_it() {
    let project = Project::with_suite();
    project.write(
        "bench/kv/suite.toml",
        "about = \"x\"\n[[step]]\nname = \"counts\"\nharness = \"iai-callgrind\"\nbench = \"counts\"\n",
    );
    project.write(
        "Cargo.lock",
        "[[package]]\nname = \"iai-callgrind\"\nversion = \"9.9.9\"\n",
    );
    let ended = project.tripline(&["doctor"]).with(11);
    assert!(
        ended
            .out
            .contains("cargo install --locked iai-callgrind-runner@9.9.9"),
        "{}",
        ended.out
    );
}

#[test]
fn what_a_project_says_does_not_steer_the_terminal() {
    let project = Project::with_suite();
    let text = project
        .read("bench/kv/suite.toml")
        .replace("a suite", "a \\u001b[31m suite");
    project.write("bench/kv/suite.toml", &text);
    let planned = project.tripline(&["plan"]).with(0).out;
    assert!(
        planned.contains("\\u{1b}[31m") && !planned.contains('\u{1b}'),
        "{planned}"
    );
    let ended = project
        .tripline(&["judge", "--head", "x\u{1b}[31m"])
        .with(4);
    assert!(!ended.err.contains('\u{1b}'), "{}", ended.err);
}

#[test]
fn a_suite_file_that_cannot_be_used_is_not_passed_over() {
    let project = Project::with_suite();
    std::fs::remove_file(project.at("bench/kv/suite.toml")).unwrap();
    std::os::unix::fs::symlink("suite.toml", project.at("bench/kv/suite.toml")).unwrap();
    let ended = project.tripline(&["plan"]).with(4);
    assert!(ended.err.contains("bench/kv/suite.toml"), "{}", ended.err);
}
