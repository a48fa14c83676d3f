//! What `measure` does when harnesses misbehave: the other steps still run, and the failure says what happened.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::project::{Ended, Project, started};
use crate::repository::Repository;

/// A suite with a misbehaving step, and after it a good one.
fn project_with(script: &str, more: &str) -> Project {
    let project = Project::with_suite();
    project.write("bench/kv/bad.sh", script);
    project.write(
        "bench/kv/suite.toml",
        &format!(
            "about = \"x\"\n[[step]]\nname = \"bad\"\nharness = \"cargo-criterion\"\ncommand = [\"sh\", \"bad.sh\"]\n{more}\n\
             [[step]]\nname = \"good\"\nharness = \"run-file\"\ncommand = [\"cat\", \"head.jsonl\"]\n"
        ),
    );
    project
}

/// Checks that the step is broken for the reason, that the good step was measured, and that the report is loud.
#[track_caller]
fn is_broken(project: &Project, reason: &str) -> Ended {
    let ended = project.tripline(&["check"]).with(11);
    let said = format!("{}{}", ended.out, ended.err);
    assert!(said.contains(reason), "`{reason}` is not said in\n{said}");
    let run = project.read("target/tripline/kv/run.jsonl");
    assert!(
        run.contains("\"benchmark\":\"get\""),
        "the other step was not run"
    );
    ended
}

#[test]
fn a_crash_is_broken_with_the_end_of_the_output() {
    let project = project_with(
        "echo before; echo 'thread panicked: oh no' >&2; exit 101",
        "",
    );
    let ended = is_broken(&project, "ended with exit code 101");
    assert!(ended.out.contains("oh no"), "{}", ended.out);
    is_broken(
        &project_with("kill -SEGV $$", ""),
        "was killed by signal 11",
    );
}

#[test]
fn a_hang_is_stopped() {
    let began = Instant::now();
    is_broken(
        &project_with("echo started; sleep 600", "timeout_seconds = 1"),
        "was stopped after 1 s",
    );
    assert!(began.elapsed() < Duration::from_secs(60));
}

#[test]
fn silence_is_no_success() {
    is_broken(
        &project_with("exit 0", ""),
        "ended well and measured nothing",
    );
    is_broken(&project_with("echo", ""), "ended well and measured nothing");
}

#[test]
fn garbage_is_no_success() {
    is_broken(
        &project_with("echo '{\"reason\":\"benchmark-complete\",\"id\":\"x'", ""),
        "cannot be read",
    );
    is_broken(&project_with("echo hello", ""), "cannot be read");
    is_broken(
        &project_with("head -c 3000 /dev/urandom", ""),
        "cannot be read",
    );
}

#[test]
fn what_a_reader_decides_is_told_once_for_all_runs_of_a_step() {
    let repository = Repository::for_cargo();
    repository.write(
        "bench/kv/suite.toml",
        "about = \"x\"\n[[step]]\nname = \"whole\"\nharness = \"gnu-time\"\ncommand = [\"sh\", \"run.sh\"]\nrepeats = 3\n",
    );
    repository.write(
        "bench/kv/run.sh",
        "for run in 1 2 3; do printf 'real 0.1%s\\nuser 0.10\\nsys 0.00\\n' $run; done",
    );
    repository.commit();
    let decided = "its 3 runs are taken as those of one command, which none of them names";
    let ended = repository.tripline(&["measure"]).with(0);
    assert_eq!(ended.err.matches(decided).count(), 1, "{}", ended.err);
    let of_head = format!("note: step `whole`: output of whole:1: {decided}");
    assert!(ended.err.contains(&of_head), "{}", ended.err);
    let session = ["measure", "--against", "HEAD", "--pairs", "3"];
    let ended = repository.tripline(&session).with(0);
    assert_eq!(ended.err.matches(decided).count(), 2, "{}", ended.err);
    assert!(ended.err.contains("`whole` of the base: "), "{}", ended.err);
    // A step that is run once on each side says whose it is as well.
    let suite = std::fs::read_to_string(repository.at("bench/kv/suite.toml")).unwrap();
    let once = suite.replace("repeats = 3", "repeats = 1");
    repository.write("bench/kv/suite.toml", &once);
    repository.commit();
    let ended = repository.tripline(&session).with(0);
    assert_eq!(ended.err.matches(decided).count(), 2, "{}", ended.err);
    assert!(ended.err.contains("`whole` of the base: "), "{}", ended.err);
}

#[test]
fn a_missing_program_is_broken() {
    let project = project_with("", "");
    let suite = project
        .read("bench/kv/suite.toml")
        .replace("[\"sh\", \"bad.sh\"]", "[\"./no-such-program\"]");
    project.write("bench/kv/suite.toml", &suite);
    is_broken(&project, "could not be started");
}

#[test]
fn a_build_that_fails_is_broken_with_what_the_compiler_says() {
    let project = project_with("", "");
    let suite = project
        .read("bench/kv/suite.toml")
        .replace("command = [\"sh\", \"bad.sh\"]", "bench = \"broken\"");
    project.write("bench/kv/suite.toml", &suite);
    project.write(
        "bench/kv/Cargo.toml",
        "[package]\nname = \"kv\"\nedition = \"2024\"\n[lib]\n[[bench]]\nname = \"broken\"\nharness = false\n[workspace]\n",
    );
    project.write("bench/kv/src/lib.rs", "");
    project.write(
        "bench/kv/benches/broken.rs",
        "fn main() { let x: u32 = \"no number\"; }",
    );
    let ended = is_broken(&project, "did not build");
    assert!(ended.out.contains("mismatched types"), "{}", ended.out);
}

#[test]
fn a_build_without_optimization_is_refused() {
    let project = project_with("", "");
    let suite = project
        .read("bench/kv/suite.toml")
        .replace("command = [\"sh\", \"bad.sh\"]", "bench = \"slow\"");
    project.write("bench/kv/suite.toml", &suite);
    project.write(
        "bench/kv/Cargo.toml",
        "[package]\nname = \"kv\"\nedition = \"2024\"\n[lib]\n[[bench]]\nname = \"slow\"\nharness = false\n[workspace]\n[profile.bench]\nopt-level = 0\n",
    );
    project.write("bench/kv/src/lib.rs", "");
    project.write("bench/kv/benches/slow.rs", "fn main() {}");
    is_broken(&project, "was built without optimization");
}

#[test]
fn a_count_that_is_not_deterministic_is_seen_by_counting_twice() {
    let project = Project::with_suite();
    project.write(
        "bench/kv/suite.toml",
        "about = \"x\"\n[[step]]\nname = \"counts\"\nharness = \"run-file\"\ncommand = [\"sh\", \"count.sh\"]\nrepeats = 2\n",
    );
    project.write(
        "bench/kv/count.sh",
        "sed \"s/2000000/$(cat n 2>/dev/null || echo 2000000)/\" head.jsonl; echo 2000900 > n",
    );
    project.tripline(&["measure"]).with(0);
    project.tripline(&["baseline", "update"]).with(0);
    std::fs::remove_file(project.at("bench/kv/n")).unwrap();
    let shown = project.tripline(&["check", "--all"]).with(0).out;
    assert!(shown.contains("not deterministic"), "{shown}");
}

#[test]
fn a_wrong_place_for_the_output_costs_no_benchmark() {
    let project = project_with("touch was-run; exit 1", "");
    let ended = project.tripline(&["measure", "--out", "bench"]).with(4);
    assert!(ended.err.contains("nothing was done"), "{}", ended.err);
    assert!(!project.at("bench/kv/was-run").exists());
}

/// Starts a measurement that hangs, waits until it does, and sends it a signal.
fn interrupted_by(signal: Signal, project: &Project) -> std::process::Output {
    let mut command = project.command(&["measure"]);
    let child = started(&mut command, &project.at("bench/kv/started"));
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn an_interrupt_leaves_the_previous_run_and_says_what_is_missing() {
    for signal in [Signal::INT, Signal::TERM] {
        let project = Project::with_suite();
        project.tripline(&["measure"]).with(0);
        project.tripline(&["baseline", "update"]).with(0);
        let (run, kept) = (
            "target/tripline/kv/run.jsonl",
            project.tripline(&["baseline", "list"]).with(0).out,
        );
        let before = project.read(run);
        project.write(
            "bench/kv/suite.toml",
            "about = \"x\"\n[[step]]\nname = \"slow\"\nharness = \"run-file\"\ncommand = [\"sh\", \"-c\", \"touch started; sleep 600\"]\n\
             [[step]]\nname = \"later\"\nharness = \"run-file\"\ncommand = [\"cat\", \"head.jsonl\"]\n",
        );
        let ended = Ended::of(interrupted_by(signal, &project), project.path()).with(3);
        assert!(
            ended.err.contains("interrupted: not measured: kv"),
            "{}",
            ended.err
        );
        assert_eq!(project.read(run), before);
        assert_eq!(project.tripline(&["baseline", "list"]).with(0).out, kept);
    }
}

#[test]
fn an_interrupt_says_which_suites_were_measured_before_it() {
    let project = Project::with_suite();
    for suite in ["aa", "zz"] {
        project.write(
            &format!("bench/{suite}/head.jsonl"),
            &project
                .read("bench/kv/head.jsonl")
                .replace("\"kv\"", &format!("\"{suite}\"")),
        );
        project.write(
            &format!("bench/{suite}/suite.toml"),
            &project.read("bench/kv/suite.toml"),
        );
    }
    project.write(
        "bench/kv/suite.toml",
        "about = \"x\"\n[[step]]\nname = \"slow\"\nharness = \"run-file\"\ncommand = [\"sh\", \"-c\", \"touch started; sleep 600\"]\n",
    );
    let ended = Ended::of(interrupted_by(Signal::INT, &project), project.path()).with(3);
    assert!(
        ended.err.contains("interrupted: not measured: kv, zz"),
        "{}",
        ended.err
    );
    assert!(
        ended.err.contains("measured before, and written: aa"),
        "{}",
        ended.err
    );
    assert!(project.at("target/tripline/aa/run.jsonl").exists());
    assert!(!project.at("target/tripline/zz/run.jsonl").exists());
}

#[test]
fn an_old_output_is_no_new_measurement() {
    let project = Project::with_suite();
    let suite = "about = \"x\"\n[[step]]\nname = \"counts\"\nharness = \"run-file\"\ncommand = [\"sh\", \"run.sh\"]\noutput = \"out.jsonl\"\n";
    project.write("bench/kv/suite.toml", suite);
    project.write("bench/kv/run.sh", "cp head.jsonl out.jsonl");
    project.tripline(&["measure"]).with(0);
    project.write("bench/kv/run.sh", "true");
    let ended = project.tripline(&["measure"]).with(11);
    assert!(ended.err.contains("measured nothing"), "{}", ended.err);
}

/// A suite whose step writes into a folder, and two results that it may put there.
fn project_with_results(names: [&str; 2], more: &str) -> Project {
    let project = Project::with_suite();
    project.write(
        "bench/kv/suite.toml",
        &format!("about = \"x\"\n[[step]]\nname = \"all\"\nharness = \"custom-smaller-is-better\"\ncommand = [\"sh\", \"run.sh\"]\noutput = \"out\"\n{more}"),
    );
    for name in names {
        let result = format!(r#"[{{"name":"{name}","unit":"ns","value":3}}]"#);
        project.write(&format!("bench/kv/{name}.json"), &result);
    }
    project
}

/// A benchmark that is gone would be told as it was, and reported as unchanged.
#[test]
fn what_an_earlier_run_left_in_a_folder_is_no_new_measurement() {
    let project = project_with_results(["gone", "stays"], "");
    let script =
        |names: &str| format!("mkdir -p out; for name in {names}; do cp $name.json out; done");
    project.write("bench/kv/run.sh", &script("gone stays"));
    project.tripline(&["measure"]).with(0);
    let run = || project.read("target/tripline/kv/run.jsonl");
    assert!(run().contains("gone"), "{}", run());
    project.write("bench/kv/run.sh", &script("stays"));
    let ended = project.tripline(&["measure"]).with(0);
    assert!(
        !run().contains("gone") && run().contains("stays"),
        "{}",
        run()
    );
    let told = "gone.json:1: it was not written by this step, and is passed over";
    assert!(ended.err.contains(told), "{}", ended.err);
}

/// What a repeat does not write again is a value of the one before it, which read it, and no news to anybody.
#[test]
fn what_a_repeat_wrote_is_read_once() {
    let project = project_with_results(["once", "each"], "repeats = 3\n");
    let script = "mkdir -p out; cp each.json out; [ -e out/once.json ] || cp once.json out";
    project.write("bench/kv/run.sh", script);
    let ended = project.tripline(&["measure"]).with(0);
    let run = project.read("target/tripline/kv/run.jsonl");
    let values = |name: &str, values: &str| {
        let line = run.lines().find(|line| line.contains(name));
        let is_there = line.is_some_and(|line| line.contains(&format!("\"values\":[{values}]")));
        assert!(is_there, "{name}: {run}");
    };
    values("once", "3");
    values("each", "3,3,3");
    assert!(!ended.err.contains("passed over"), "{}", ended.err);
    // So it is where each run names its file anew.
    let script = "mkdir -p out; cp each.json out/$$.json";
    project.write("bench/kv/run.sh", script);
    project.tripline(&["measure"]).with(0);
    // Where nothing that counts was written, the reason is that.
    project.write("bench/kv/run.sh", "date +%N > out/log.json");
    let ended = project.tripline(&["measure"]).with(11);
    assert!(
        ended.err.contains("not written by this step"),
        "{}",
        ended.err
    );
}

#[test]
fn two_measurements_do_not_spoil_each_other() {
    let project = Project::with_suite();
    project.tripline(&["measure"]).with(0);
    let lock = std::fs::File::open(project.at("target/tripline/lock")).unwrap();
    lock.try_lock().unwrap();
    let ended = project.tripline(&["measure"]).with(3);
    assert!(
        ended.err.contains("another tripline is measuring"),
        "{}",
        ended.err
    );
}

#[test]
fn a_kill_leaves_the_previous_run() {
    let project = Project::with_suite();
    project.tripline(&["measure"]).with(0);
    let before = project.read("target/tripline/kv/run.jsonl");
    project.write(
        "bench/kv/suite.toml",
        "about = \"x\"\n[[step]]\nname = \"slow\"\nharness = \"run-file\"\ncommand = [\"sh\", \"-c\", \"touch started; exec sleep 3 2>&- >&-\"]\n",
    );
    let output = interrupted_by(Signal::KILL, &project);
    assert_eq!(output.status.code(), None);
    assert_eq!(project.read("target/tripline/kv/run.jsonl"), before);
}
