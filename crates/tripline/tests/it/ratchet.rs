//! Baselines only get tighter, and whoever loosens one says why.

mod elsewhere;
mod limits;
mod little;

use std::process::Command;

use tripline_model::wire::read_acceptances;

use crate::project::{Ended, Project, below_a_hook_of, git};

const ACCEPTED: &str = "baselines/kv/accepted.jsonl";

/// A project in git, of somebody who has a name, with a baseline.
fn kept() -> Project {
    let project = Project::with_suite();
    git(
        project.path(),
        &["init", "--quiet", "--initial-branch=main"],
    );
    git(project.path(), &["config", "user.name", "Ada Lovelace"]);
    git(project.path(), &["config", "user.email", "ada@example.org"]);
    project.tripline(&["measure"]).with(0);
    project.tripline(&["baseline", "update"]).with(0);
    project
}

fn measured(project: &Project, get: u64, set: u64) {
    project.measures(&[("get", get), ("set", set)]);
    project.tripline(&["measure"]).with(0);
}

fn accept(project: &Project, args: &[&str]) -> Ended {
    let all = [&["baseline", "accept"], args].concat();
    project.tripline(&all)
}

/// The only baseline.
fn kept_run(project: &Project) -> tripline_model::Run {
    let folder = std::fs::read_dir(project.at("baselines/kv")).unwrap();
    let place = folder
        .map(|entry| entry.unwrap().path())
        .find(|path| !path.ends_with("accepted.jsonl"))
        .unwrap();
    tripline_model::wire::read_run(&std::fs::read(place).unwrap()).unwrap()
}

/// The counts in the only baseline.
fn counts(project: &Project) -> Vec<f64> {
    kept_run(project)
        .measurements()
        .map(|measurement| measurement.readings().next().unwrap().sample.values()[0])
        .collect()
}

#[test]
fn an_update_tightens_and_never_loosens() {
    let project = kept();
    measured(&project, 900_000, 2_000_000);
    project.tripline(&["baseline", "update"]).with(0);
    assert_eq!(counts(&project), [900_000.0, 2_000_000.0]);
    measured(&project, 990_000, 1_000_000);
    let ended = project.tripline(&["baseline", "update"]).with(10);
    for said in [
        "the baseline of `kv` stays: 1 metric got worse",
        "get instructions: 900000 became 990000 (+10.00 %)",
        "tripline baseline accept 'get'",
    ] {
        assert!(
            ended.err.contains(said),
            "`{said}` is not in\n{}",
            ended.err
        );
    }
    assert_eq!(
        counts(&project),
        [900_000.0, 2_000_000.0],
        "something was kept"
    );
}

#[test]
fn an_acceptance_of_what_is_gone_is_said_and_stops_nothing() {
    let project = kept();
    measured(&project, 1_100_000, 2_000_000);
    accept(&project, &["get", "--because", "keys are checked now"]).with(0);
    let gone = "note: `baselines/kv/accepted.jsonl` accepts that 1000000 became 1100000 of `kv/get` instructions, and that was measured on neither side";
    let said = |code: i32| project.tripline(&["check"]).with(code).err;
    assert!(!said(0).contains(gone));
    // The base has it still: that it was removed is a finding.
    project.measures(&[("set", 2_000_000)]);
    assert!(!said(0).contains(gone));
    project.tripline(&["measure"]).with(0);
    project.tripline(&["baseline", "update"]).with(0);
    let err = said(0);
    assert!(err.contains(gone), "{err}");
}

#[test]
fn an_accepted_regression_passes_until_it_gets_worse() {
    let project = kept();
    measured(&project, 1_100_000, 2_000_000);
    project.tripline(&["baseline", "diff"]).with(10);
    let because = "keys are checked now";
    let ended = accept(
        &project,
        &["get", "--metric", "instructions", "--because", because],
    )
    .with(0);
    assert_eq!(
        ended.out,
        "kv/get instructions: 1000000 became 1100000 count, accepted\n"
    );
    let acceptances = read_acceptances(project.read(ACCEPTED).as_bytes()).unwrap();
    let (bench, _, acceptance) = acceptances.iter().next().unwrap();
    assert_eq!(bench.to_string(), "kv/get");
    assert_eq!(acceptance.who, "Ada Lovelace <ada@example.org>");
    assert_eq!((acceptance.from, acceptance.to), (1e6, 1.1e6));

    let shown = project.tripline(&["check"]).with(0).out;
    assert!(shown.contains(because), "{shown}");
    for verb in [
        &["baseline", "diff"][..],
        &["baseline", "list"],
        &["baseline", "check"],
    ] {
        project.tripline(verb).with(0);
    }
    measured(&project, 1_120_000, 2_000_000);
    let ended = project.tripline(&["baseline", "diff"]).with(10);
    assert!(
        ended.out.contains("a regression was accepted at 1,100,000"),
        "{}",
        ended.out
    );

    measured(&project, 1_100_000, 2_000_000);
    project.tripline(&["baseline", "update"]).with(0);
    assert_eq!(counts(&project), [1_100_000.0, 2_000_000.0]);
    // The acceptance is past: it covers nothing that comes after it.
    measured(&project, 1_120_000, 2_000_000);
    let ended = project.tripline(&["baseline", "diff"]).with(10);
    assert!(!ended.out.contains("was accepted"), "{}", ended.out);
}

#[test]
fn what_got_better_again_is_no_longer_accepted() {
    let project = kept();
    measured(&project, 1_100_000, 2_200_000);
    accept(&project, &["*", "--because", "keys are checked now"]).with(0);
    project.tripline(&["baseline", "update"]).with(0);
    measured(&project, 1_000_000, 2_200_000);
    let ended = project.tripline(&["baseline", "update"]).with(0);
    let said = "`kv/get` instructions got better again, so that 1000000 became 1100000 is no longer accepted";
    assert!(ended.err.contains(said), "{}", ended.err);
    let acceptances = read_acceptances(project.read(ACCEPTED).as_bytes()).unwrap();
    let benches: Vec<_> = acceptances
        .iter()
        .map(|(bench, ..)| bench.to_string())
        .collect();
    assert_eq!(benches, ["kv/set"]);
    measured(&project, 1_100_000, 2_200_000);
    project.tripline(&["check"]).with(10);
}

#[test]
fn what_was_mended_before_the_baseline_held_it_is_not_accepted_a_second_time() {
    let project = kept();
    measured(&project, 1_100_000, 2_200_000);
    accept(&project, &["*", "--because", "keys are checked now"]).with(0);
    measured(&project, 1_000_000, 2_200_000);
    let shown = project.tripline(&["check"]).with(0).err;
    let said = "note: `kv/get` instructions: a regression was accepted at 1,100,000, and the value is better by now: as bad again, it would still pass";
    assert!(shown.contains(said), "{shown}");
    assert!(!shown.contains("accepted at 2,200,000"), "{shown}");

    let ended = project.tripline(&["baseline", "update"]).with(0);
    let said = "`kv/get` instructions got better again, so that 1000000 became 1100000 is no longer accepted";
    assert!(ended.err.contains(said), "{}", ended.err);
    measured(&project, 1_100_000, 2_200_000);
    project.tripline(&["check"]).with(10);
}

#[test]
fn what_was_mended_in_part_is_accepted_no_further() {
    let project = kept();
    measured(&project, 1_100_000, 2_000_000);
    accept(&project, &["get", "--because", "keys are checked now"]).with(0);
    measured(&project, 1_050_000, 2_000_000);
    let told = project.tripline(&["check"]).with(0).err;
    assert!(
        told.contains("accepted at 1,100,000, and the value is better by now"),
        "{told}"
    );

    let ended = project.tripline(&["baseline", "update"]).with(0);
    let said = "so that 1000000 became 1100000 is no longer accepted; 1050000 is";
    assert!(ended.err.contains(said), "{}", ended.err);
    measured(&project, 1_100_000, 2_000_000);
    project.tripline(&["check"]).with(10);
}

#[test]
fn of_many_idle_acceptances_some_are_named() {
    let names = ["a", "b", "c", "d", "e"];
    let all = |count: u64| names.map(|name| (name, count));
    let project = kept();
    project.measures(&all(1_000_000));
    project.tripline(&["measure"]).with(0);
    project.tripline(&["baseline", "update"]).with(0);
    project.measures(&all(1_100_000));
    project.tripline(&["measure"]).with(0);
    accept(&project, &["*", "--because", "keys are checked now"]).with(0);
    project.measures(&all(1_000_000));
    let told = project.tripline(&["check"]).with(0).err;
    assert_eq!(told.matches("is better by now").count(), 3, "{told}");
    assert!(
        told.contains("note: `kv` has 2 acceptances more of that kind"),
        "{told}"
    );
}

#[test]
fn what_leaves_a_baseline_is_named() {
    let project = kept();
    project.measures(&[("get", 1_000_000)]);
    project.tripline(&["measure"]).with(0);
    let ended = project.tripline(&["baseline", "update"]).with(0);
    assert!(
        ended
            .err
            .contains("`kv/set` leaves the baseline, because it was not measured"),
        "{}",
        ended.err
    );
}

#[test]
fn many_may_be_accepted_at_once_and_again() {
    let project = kept();
    measured(&project, 1_100_000, 2_200_000);
    accept(&project, &["*", "--because", "first"]).with(0);
    measured(&project, 1_200_000, 2_200_000);
    accept(&project, &["*", "--because", "second", "--suite", "kv"]).with(0);
    let acceptances = read_acceptances(project.read(ACCEPTED).as_bytes()).unwrap();
    let to: Vec<f64> = acceptances
        .iter()
        .map(|(_, _, acceptance)| acceptance.to)
        .collect();
    assert_eq!(to, [1_200_000.0, 2_200_000.0]);
    // What was meant again and had not changed keeps its reason.
    let because: Vec<&str> = acceptances
        .iter()
        .map(|(_, _, acceptance)| &*acceptance.because)
        .collect();
    assert_eq!(because, ["second", "first"]);
    project.tripline(&["baseline", "diff"]).with(0);
}

#[test]
fn what_is_accepted_already_is_said_and_left_as_it_is() {
    let project = kept();
    measured(&project, 1_100_000, 2_000_000);
    accept(&project, &["get", "--because", "first"]).with(0);
    let before = project.read(ACCEPTED);
    for because in ["first", "second"] {
        let ended = accept(&project, &["get", "--because", because]).with(0);
        assert_eq!(
            ended.out,
            "kv/get instructions: accepted already, because first\n"
        );
        assert!(ended.err.contains("nothing is new"), "{}", ended.err);
        assert_eq!(project.read(ACCEPTED), before);
    }
}

#[test]
fn a_run_from_a_file_is_compared_with_another() {
    let project = kept();
    project.base_and_head();
    let files = ["--head", "head.jsonl", "--base", "base.jsonl"];
    accept(&project, &[&["get", "--because", "x"], &files[..]].concat()).with(0);
    project.tripline(&[&["judge"], &files[..]].concat()).with(0);
}

#[test]
fn what_the_base_holds_already_was_not_accepted_now() {
    let project = kept();
    let commit = |message: &str| {
        git(project.path(), &["add", "--all"]);
        git(project.path(), &["commit", "--quiet", "--message", message]);
    };
    commit("before");
    project.base_and_head();
    accept(&project, &["get", "--because", "x", "--head", "head.jsonl"]).with(0);
    commit("accepted");
    // It is the commit of the base that says what it holds, whatever its numbers are.
    project.measures(&[("get", 1_000_000), ("set", 2_000_000)]);
    project
        .tripline(&["measure", "--out", "after.jsonl"])
        .with(0);
    let judged = |base: &str| project.tripline(&["judge", "--head", "head.jsonl", "--base", base]);
    judged("base.jsonl").with(0);
    judged("after.jsonl").with(10);
}

#[test]
fn nothing_is_accepted_without_a_regression_a_reason_and_a_name() {
    let project = kept();
    let ended = accept(&project, &["*", "--because", "x"]).with(2);
    assert!(
        ended
            .err
            .contains("nothing was accepted: nothing got worse"),
        "{}",
        ended.err
    );
    measured(&project, 1_100_000, 2_000_000);
    let ended = accept(&project, &["gett", "--because", "x"]).with(2);
    for said in [
        "nothing that got worse is `gett`",
        "what got worse: `get instructions`",
    ] {
        assert!(
            ended.err.contains(said),
            "`{said}` is not in\n{}",
            ended.err
        );
    }
    let ended = accept(
        &project,
        &["get", "--metric", "allocations", "--because", "x"],
    )
    .with(2);
    assert!(ended.err.contains("is `get allocations`"), "{}", ended.err);
    let ended = accept(&project, &["get{", "--because", "x"]).with(2);
    assert!(
        ended.err.contains("expected a param's key at character 5"),
        "{}",
        ended.err
    );
    let ended = accept(&project, &["get", "--because", " "]).with(2);
    assert!(ended.err.contains("there is no reason"), "{}", ended.err);
    let ended = accept(&project, &["get", "--because", "bell\u{7}"]).with(2);
    assert!(ended.err.contains("U+0007"), "{}", ended.err);
    git(project.path(), &["config", "--unset", "user.email"]);
    let mut command: Command = project.command(&["baseline", "accept", "get", "--because", "x"]);
    command
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    let ended = Ended::of(command.output().unwrap(), project.path()).with(2);
    assert!(
        ended.err.contains("git does not know who you are"),
        "{}",
        ended.err
    );
    assert!(!project.at(ACCEPTED).exists());
}

#[test]
fn acceptances_that_cannot_be_read_are_never_taken_for_none() {
    let project = kept();
    measured(&project, 1_100_000, 2_000_000);
    accept(&project, &["get", "--because", "x"]).with(0);
    let whole = project.read(ACCEPTED);
    for (broken, said) in [
        (whole[..whole.len() - 12].to_owned(), "without its end mark"),
        (whole.replace("\"version\":1", "\"version\":2"), "version 2"),
        (
            whole.replace("\"kv\"", "\"other\""),
            "it is of suite `other`",
        ),
        (String::new(), "line 1 column"),
    ] {
        project.write(ACCEPTED, &broken);
        for verb in [
            &["check"][..],
            &["baseline", "diff"],
            &["baseline", "check"],
            &["baseline", "accept", "get", "--because", "y"],
        ] {
            let ended = project.tripline(verb).with(4);
            assert!(
                ended.err.contains(said),
                "`{said}` is not in\n{}",
                ended.err
            );
        }
        assert_eq!(project.read(ACCEPTED), broken, "the file was touched");
    }
    project.write(ACCEPTED, &whole.replace("1000000", "1000000.0"));
    let ended = project.tripline(&["baseline", "check"]).with(4);
    assert!(
        ended.err.contains("is not as tripline writes it"),
        "{}",
        ended.err
    );
}

#[test]
fn what_cannot_be_compared_is_kept_and_said() {
    let project = kept();
    let folder = project.at("baselines/kv");
    let entry = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap();
    let place = format!("baselines/kv/{}", entry.file_name().to_string_lossy());
    let elsewhere = project
        .read(&place)
        .replace("\"rustc\":\"rustc ", "\"rustc\":\"rustc 0.9, not ");
    project.write(&place, &elsewhere);
    measured(&project, 5_000_000, 2_000_000);
    let ended = project.tripline(&["baseline", "update"]).with(0);
    assert!(
        ended.err.contains("rustc was `rustc 0.9")
            && ended.err.contains("may be worse than what was"),
        "{}",
        ended.err
    );
    assert_eq!(counts(&project), [5_000_000.0, 2_000_000.0]);
}

#[test]
fn a_limit_does_not_stop_an_update_because_it_is_no_comparison() {
    let project = kept();
    let suite = project.read("bench/kv/suite.toml");
    let row = "[[policy]]\nbecause = \"small\"\nbenchmark = \"set\"\nmax = 10\n";
    project.write("bench/kv/suite.toml", &format!("{suite}{row}"));
    project.tripline(&["check"]).with(10);
    measured(&project, 900_000, 2_000_000);
    project.tripline(&["baseline", "update"]).with(0);
    accept(&project, &["set", "--because", "it was never small"]).with(0);
    project.tripline(&["check"]).with(0);
    // A little smaller is not small, and nobody has to take it a second time.
    measured(&project, 900_000, 1_900_000);
    project.tripline(&["baseline", "update"]).with(0);
    project.tripline(&["check"]).with(0);
    // But as large as it was it is another change, and what is small needs nothing more.
    measured(&project, 900_000, 2_000_000);
    project.tripline(&["check"]).with(10);
    measured(&project, 900_000, 10);
    project.tripline(&["baseline", "update"]).with(0);
    assert!(!project.read(ACCEPTED).contains("it was never small"));
}

#[test]
fn a_run_whose_environment_is_called_like_the_acceptances_is_not_kept() {
    let project = kept();
    let run = crate::project::run_file(&[("get", 1)]).replace("elsewhere", "accepted");
    project.write("run.jsonl", &run);
    let ended = project
        .tripline(&["baseline", "update", "--head", "run.jsonl"])
        .with(4);
    assert!(
        ended.err.contains("is the place of acceptances"),
        "{}",
        ended.err
    );
}

#[test]
fn below_a_hook_of_another_repository_it_is_who_accepts_in_this_one() {
    let (project, other) = (kept(), Project::new());
    git(other.path(), &["init", "--quiet"]);
    git(other.path(), &["config", "user.name", "Eve"]);
    measured(&project, 1_100_000, 2_000_000);
    let mut command = project.command(&["baseline", "accept", "get", "--because", "x"]);
    below_a_hook_of(&mut command, other.path());
    Ended::of(command.output().unwrap(), project.path()).with(0);
    let accepted = project.read(ACCEPTED);
    assert!(accepted.contains("Ada Lovelace"), "{accepted}");
}

#[test]
fn what_is_kept_although_nobody_can_tell_is_told() {
    let project = kept();
    let counts = crate::project::run_file(&[("get", 1_500_000), ("set", 2_000_000)]);
    let answered =
        |answer: &str| counts.replace("]}}}}", &format!("]}}}},\"answer\":\"{answer}\"}}}}"));
    project.write(
        "bench/kv/head.jsonl",
        &answered("aa").replace("1500000", "1000000"),
    );
    project.tripline(&["measure"]).with(0);
    project.tripline(&["baseline", "update"]).with(0);
    project.write("bench/kv/head.jsonl", &answered("bb"));
    project.tripline(&["measure"]).with(0);
    let told = project.tripline(&["baseline", "update"]).with(0).err;
    assert!(
        told.contains("get instructions: 1000000 became 1500000")
            && told.contains("is kept, and nobody can tell whether it got worse"),
        "{told}"
    );
    // The time of other work is another time.
    let time = |text: String| {
        text.replace("instructions", "wall_time")
            .replace("exact", "sampled")
    };
    for (answer, value) in [("aa", "1000000"), ("bb", "9000000")] {
        let run = time(answered(answer).replace("1500000", value));
        project.write("head.jsonl", &run.replace("elsewhere", "another"));
        let args = ["baseline", "update", "--head", "head.jsonl"];
        let told = project.tripline(&args).with(0).err;
        let is_told = told.contains("get wall_time: 1000000 became 9000000");
        assert_eq!(is_told, answer == "bb", "{told}");
    }
}

#[test]
fn of_a_benchmark_that_stays_the_metrics_that_leave_are_named() {
    let project = kept();
    let run = crate::project::run_file(&[("get", 1_000_000), ("set", 2_000_000)]);
    let metric = r#""instructions":{"unit":"count","better":"lower","nature":"exact"}"#;
    let more = metric.replace("instructions", "allocations");
    let both = run
        .replace(metric, &format!("{metric},{more}"))
        .replace("[1000000]}", r#"[1000000]},"allocations":{"values":[7]}"#);
    for (head, said) in [
        (&both, None),
        (&run, Some("allocations of `kv/get` leaves")),
    ] {
        project.write("head.jsonl", head);
        let args = ["baseline", "update", "--head", "head.jsonl"];
        let ended = project.tripline(&args).with(0);
        match said {
            Some(said) => assert!(ended.err.contains(said), "{}", ended.err),
            None => assert!(!ended.err.contains("leaves"), "{}", ended.err),
        }
    }
}

#[test]
fn acceptances_at_once_are_all_kept() {
    let project = kept();
    let benches = ["a", "b", "c", "d", "e", "f"];
    let of = |count: u64| benches.map(|bench| (bench, count));
    project.measures(&of(1_000_000));
    project.tripline(&["measure"]).with(0);
    project.tripline(&["baseline", "update"]).with(0);
    project.measures(&of(1_100_000));
    project.tripline(&["measure"]).with(0);
    let started = benches.map(|bench| {
        let mut command = project.command(&["baseline", "accept", bench, "--because", "x"]);
        command.spawn().unwrap()
    });
    for mut child in started {
        assert!(child.wait().unwrap().success());
    }
    let accepted = read_acceptances(project.read(ACCEPTED).as_bytes()).unwrap();
    assert_eq!(accepted.iter().count(), benches.len());
}
