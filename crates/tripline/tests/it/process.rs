//! How harnesses end: however a step is over, its output is bounded and nothing that it started lives on.

use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::project::{Ended, Project};

/// Longer than anything here takes on a busy machine, and shorter than what must not be waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a harness sleeps that is to be ended by somebody else, in a form that no other process has in its arguments.
fn marked_sleep() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("300.{:07}{count:03}", std::process::id())
}

/// Counts the processes that have a mark in their arguments. Those that are dead have no arguments.
fn alive(mark: &str) -> usize {
    let has_mark = |pid: &std::fs::DirEntry| {
        std::fs::read(pid.path().join("cmdline"))
            .is_ok_and(|line| String::from_utf8_lossy(&line).contains(mark))
    };
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes.filter(has_mark).count()
}

/// Waits until something is so.
#[track_caller]
fn becomes(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "never: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Checks that nothing with the mark lives on. Whoever was killed may take a moment to be gone.
#[track_caller]
fn nobody_survives(mark: &str) {
    becomes("the harness is gone", || alive(mark) == 0);
}

/// A suite with one step, a shell script that prints a run with `cat head.jsonl`.
fn project_with(script: &str) -> Project {
    let project = Project::with_suite();
    project.write("bench/kv/step.sh", script);
    project.write(
        "bench/kv/suite.toml",
        "about = \"x\"\n[[step]]\nname = \"step\"\nharness = \"run-file\"\ncommand = [\"sh\", \"step.sh\"]\ntimeout_seconds = 200\n",
    );
    project
}

/// Makes the log of the step lead to a device.
fn log_to(project: &Project, device: &str) {
    let folder = project.at("target/tripline/kv");
    std::fs::create_dir_all(&folder).unwrap();
    symlink(device, folder.join("step.log")).unwrap();
}

/// A measurement whose step has come to where it touches `started`.
struct Started {
    project: Project,
    child: Child,
}

impl Started {
    fn measuring(script: &str) -> Self {
        let project = project_with(script);
        // Whoever runs the tests may have them ignore a closed terminal, as under `nohup`; this measurement does not.
        let mut command = crate::project::scrubbed("env");
        let child = command
            .args([
                "--default-signal=HUP",
                env!("CARGO_BIN_EXE_tripline"),
                "measure",
            ])
            .current_dir(project.path())
            .process_group(0)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mark = project.at("bench/kv/started");
        becomes("the step has started", || mark.exists());
        Self { project, child }
    }

    fn send(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for the end, which must not be that of the harness's sleep.
    #[track_caller]
    fn ends(self) -> Ended {
        let began = Instant::now();
        let output = self.child.wait_with_output().unwrap();
        assert!(began.elapsed() < PATIENCE, "the harness was waited for");
        Ended::of(output, self.project.path())
    }
}

#[test]
fn an_interrupt_is_heard_when_the_pipes_are_closed() {
    let mark = marked_sleep();
    let started = Started::measuring(&format!("touch started; exec sleep {mark} >&- 2>&-"));
    // The streams end only after the mark is there.
    becomes("the harness sleeps", || alive(&mark) == 1);
    started.send(Signal::INT);
    let ended = started.ends().with(3);
    assert!(ended.err.contains("interrupted"), "{}", ended.err);
    nobody_survives(&mark);
}

#[test]
fn a_closed_terminal_is_an_interrupt() {
    let mark = marked_sleep();
    let started = Started::measuring(&format!("touch started; sleep {mark}"));
    started.send(Signal::HUP);
    let ended = started.ends().with(3);
    assert!(ended.err.contains("interrupted"), "{}", ended.err);
    nobody_survives(&mark);
}

#[test]
fn a_closed_terminal_is_nothing_under_nohup() {
    let project = project_with("kill -s HUP $PPID; cat head.jsonl");
    let binary = env!("CARGO_BIN_EXE_tripline");
    let mut nohup = crate::project::scrubbed("sh");
    nohup
        .args(["-c", "trap '' HUP; exec \"$0\" measure", binary])
        .current_dir(project.path());
    Ended::of(nohup.output().unwrap(), project.path()).with(0);
}

#[test]
fn a_second_interrupt_ends_a_harness_that_does_not_listen() {
    let mark = marked_sleep();
    let started = Started::measuring(&format!(
        "trap '' TERM INT HUP; (sleep {mark}) & touch started; sleep {mark}"
    ));
    started.send(Signal::INT);
    std::thread::sleep(Duration::from_millis(200));
    started.send(Signal::INT);
    let ended = started.ends().with(3);
    assert!(ended.err.contains("interrupted"), "{}", ended.err);
    nobody_survives(&mark);
}

#[test]
fn a_harness_does_not_outlive_a_killed_measurement() {
    let mark = marked_sleep();
    let started = Started::measuring(&format!(
        "trap '' TERM INT HUP; (sleep {mark}) & touch started; sleep {mark} >&- 2>&-"
    ));
    becomes("the harness sleeps", || alive(&mark) >= 2);
    started.send(Signal::KILL);
    assert_eq!(started.ends().code, None);
    nobody_survives(&mark);
}

#[test]
fn what_a_good_step_leaves_behind_is_ended() {
    let silent = marked_sleep();
    let project = project_with(&format!("sleep {silent} >/dev/null 2>&1 &\ncat head.jsonl"));
    project.tripline(&["measure"]).with(0);
    nobody_survives(&silent);
}

#[test]
fn a_chatty_background_child_does_not_hold_a_step() {
    let mark = marked_sleep();
    let began = Instant::now();
    let project = project_with(&format!(
        "sh -c 'trap \"\" TERM; while :; do echo talk; sleep 0.01; done' {mark} >&2 &\ncat head.jsonl"
    ));
    project.tripline(&["measure"]).with(0);
    assert!(began.elapsed() < PATIENCE, "the child was waited for");
    nobody_survives(&mark);
    assert!(
        project
            .read("target/tripline/kv/run.jsonl")
            .contains("\"benchmark\":\"get\"")
    );
}

#[test]
fn a_log_that_cannot_be_written_is_named_and_orphans_nobody() {
    let mark = marked_sleep();
    let project = project_with(&format!("echo talk >&2; sleep {mark}"));
    log_to(&project, "/dev/full");
    let began = Instant::now();
    let ended = project.tripline(&["measure"]).with(4);
    assert!(began.elapsed() < PATIENCE, "the harness was waited for");
    assert!(
        ended.err.contains("step.log` cannot be written") && ended.err.contains("No space left"),
        "{}",
        ended.err
    );
    assert!(!ended.err.contains("could not be started"), "{}", ended.err);
    nobody_survives(&mark);
}

/// Checks that a step that writes without end is broken, and that the limit it crossed is said.
#[track_caller]
fn is_a_flood(script: &str, limit: &str) {
    let mark = marked_sleep();
    let project = project_with(&format!("{script}; sleep {mark}"));
    // The flood is kept from the disk, which other tests need.
    log_to(&project, "/dev/null");
    let began = Instant::now();
    let ended = project.tripline(&["measure"]).with(11);
    assert!(began.elapsed() < PATIENCE, "the flood was waited for");
    assert!(
        ended.err.contains("wrote what cannot be read") && ended.err.contains(limit),
        "`{limit}` is not said in\n{}",
        ended.err
    );
    nobody_survives(&mark);
}

#[test]
fn a_flood_of_results_is_stopped() {
    is_a_flood("head -c 300M /dev/zero", "more than 256 MiB to stdout");
    is_a_flood("yes", "more than 256 MiB to stdout");
}

#[test]
fn a_flood_of_talk_is_stopped() {
    is_a_flood(
        "trap '' TERM; yes >&2",
        "its log having grown beyond 1024 MiB",
    );
}
