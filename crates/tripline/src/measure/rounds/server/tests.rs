//! Executables that misbehave, each in its own way.

use super::super::script::{Script, written};
use super::*;

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Bounds that nobody here reaches.
fn wide<'a>(log: &'a Path, interrupt: &'a Interrupt) -> Bounds<'a> {
    Bounds {
        log,
        log_bytes_max: LOG_BYTES_MAX,
        timeout: PATIENCE,
        deadline: Instant::now() + PATIENCE,
        interrupt,
    }
}

/// Bounds whose time is over at once, as far as anything is waited for.
fn narrow<'a>(log: &'a Path, interrupt: &'a Interrupt) -> Bounds<'a> {
    Bounds {
        timeout: Duration::from_secs(7),
        deadline: Instant::now() + Duration::from_millis(500),
        ..wide(log, interrupt)
    }
}

/// Says a trouble in one line.
fn said(trouble: Trouble) -> String {
    let kind = trouble.kind.text();
    match trouble.detail {
        Some(detail) => format!("{kind}: {detail}"),
        None => kind,
    }
}

/// Drives a script: all its benchmarks, a block of each, and its end.
fn driven(script: &Script, bounds: Bounds<'_>) -> Result<Vec<(String, Option<Block>)>, Trouble> {
    let mut server = Server::start(&script.of(None), None, bounds)?;
    let mut taken = Vec::new();
    while let Some(at) = server.at().map(str::to_owned) {
        taken.push((at, server.block(10)?));
        server.next()?;
    }
    server.quit()?;
    Ok(taken)
}

/// Returns what is said of a script that misbehaves.
#[track_caller]
fn trouble(text: &str) -> String {
    let script = Script::new(text);
    let never = Interrupt::default();
    let trouble = driven(&script, wide(&script.log(), &never));
    said(trouble.expect_err("it misbehaves"))
}

/// Returns what is said of a script that hangs.
#[track_caller]
fn hang(text: &str) -> String {
    let script = Script::new(text);
    let never = Interrupt::default();
    let trouble = driven(&script, narrow(&script.log(), &never));
    said(trouble.expect_err("it hangs"))
}

/// Checks that a process comes to its end. Those that are dead have no arguments.
#[track_caller]
fn is_gone(pid: &str) {
    let began = Instant::now();
    let is_alive =
        || std::fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| !line.is_empty());
    while is_alive() {
        assert!(began.elapsed() < PATIENCE, "{pid} lives on");
        std::thread::sleep(PAUSE);
    }
}

#[test]
fn a_good_one_is_driven_to_its_end() {
    let script = Script::serving("serve kv/get 100\nserve kv/set 7");
    let never = Interrupt::default();
    let taken = driven(&script, wide(&script.log(), &never)).unwrap();
    let block = |nanoseconds| {
        Some(Block {
            wall: nanoseconds,
            cpu: Some(nanoseconds),
        })
    };
    let expected = [("kv/get", block(1_000)), ("kv/set", block(70))];
    assert_eq!(taken, expected.map(|(id, block)| (id.to_owned(), block)));
}

#[test]
fn it_goes_on_to_a_benchmark_and_not_back() {
    let script = Script::serving("serve a 1\nserve b 1\nserve c 1");
    let (log, never) = (script.log(), Interrupt::default());
    let mut server = Server::start(&script.of(None), None, wide(&log, &never)).unwrap();
    assert!(server.reach("b").unwrap());
    assert!(server.reach("b").unwrap(), "it is there already");
    assert!(!server.reach("a").unwrap(), "it has been passed");
    assert_eq!(server.at(), None);
    server.quit().unwrap();
}

#[test]
fn it_may_be_let_go_in_the_middle() {
    let script = Script::serving("serve a 1\nserve b 1");
    let (log, never) = (script.log(), Interrupt::default());
    let server = Server::start(&script.of(None), None, wide(&log, &never)).unwrap();
    assert_eq!(server.at(), Some("a"));
    server.quit().unwrap();
}

#[test]
fn what_is_not_timed_is_told_apart() {
    let script = Script::serving(
        "echo 'benchmark - own'; read -r block; echo 'block 5 -'; read -r next
         echo 'benchmark - none'; read -r block; echo missed; read -r next",
    );
    let never = Interrupt::default();
    let taken = driven(&script, wide(&script.log(), &never)).unwrap();
    let blocks: Vec<Option<Block>> = taken.into_iter().map(|(_, block)| block).collect();
    assert_eq!(blocks, [Some(Block { wall: 5, cpu: None }), None]);
}

#[test]
fn one_that_does_not_serve_is_told_what_would() {
    const TOLD: &str = "its bench must use tripline-duet in place of criterion";
    for text in [
        "exit 0",
        "echo 'Benchmarking kv/get'; sleep 60",
        "echo end; sleep 60",
        "head -c 100000 /dev/zero; sleep 60",
    ] {
        let said = trouble(text);
        assert!(said.contains("wrote what cannot be read"), "{said}");
        assert!(said.contains(TOLD), "{said}");
    }
    insta::assert_snapshot!(trouble("exit 3"), @"ended with exit code 3");
    insta::assert_snapshot!(
        trouble("echo tripline-duet 2; sleep 60"),
        @"wrote what cannot be read: it serves in version 2 of the protocol, and this program asks in version 1: use the tripline-duet that belongs to it"
    );
}

#[test]
fn one_that_is_not_there_is_named() {
    let script = Script::new("");
    let (log, never) = (script.log(), Interrupt::default());
    let missing = Executable {
        program: "/nowhere/bench".into(),
        ..script.of(None)
    };
    let trouble = Server::start(&missing, None, wide(&log, &never)).unwrap_err();
    insta::assert_snapshot!(said(trouble), @"could not be started: `/nowhere/bench`: No such file or directory (os error 2)");
    let nowhere = Path::new("/nowhere/log");
    let trouble = Server::start(&script.of(None), None, wide(nowhere, &never)).unwrap_err();
    insta::assert_snapshot!(said(trouble), @"could not be started: `/nowhere/log`: No such file or directory (os error 2)");
}

#[test]
fn how_it_died_is_said_with_where_it_was() {
    let dies = |how: &str| {
        trouble(&format!(
            "greet; echo 'benchmark - kv/get'; read -r block; {how}"
        ))
    };
    insta::assert_snapshot!(dies("exit 7"), @"ended with exit code 7: it was at `kv/get`");
    insta::assert_snapshot!(dies("kill -KILL $$"), @"was killed by signal 9: it was at `kv/get`");
    insta::assert_snapshot!(dies("exit 0"), @"wrote what cannot be read: it ended before it had served all: it was at `kv/get`");
    insta::assert_snapshot!(trouble("greet; exit 0"), @"wrote what cannot be read: it ended before it had served all: it was at no benchmark");
    insta::assert_snapshot!(trouble("greet; echo end; exit 9"), @"ended with exit code 9");
}

#[test]
fn a_death_is_heard_although_a_child_holds_the_streams() {
    let script = Script::new(
        "greet; echo 'benchmark - kv/get'; read -r block; sleep 300 & echo $! > child; exit 7",
    );
    let never = Interrupt::default();
    let trouble = driven(&script, wide(&script.log(), &never)).unwrap_err();
    insta::assert_snapshot!(said(trouble), @"ended with exit code 7: it was at `kv/get`");
    is_gone(&written(&script.at("child")));
}

#[test]
fn an_end_is_an_end_although_a_child_holds_the_streams() {
    let script = Script::serving("serve kv/get 1; sleep 300 & echo $! > child");
    let never = Interrupt::default();
    driven(&script, wide(&script.log(), &never)).unwrap();
    is_gone(&written(&script.at("child")));
}

#[test]
fn whoever_is_dropped_is_gone_with_all_children() {
    let script = Script::serving(
        "trap '' TERM INT HUP; sleep 300 & echo $! > child\necho $$ > parent\nserve kv/get 1",
    );
    let (log, never) = (script.log(), Interrupt::default());
    let server = Server::start(&script.of(None), None, wide(&log, &never)).unwrap();
    drop(server);
    is_gone(&written(&script.at("child")));
    is_gone(&written(&script.at("parent")));
}

#[test]
fn a_hang_is_stopped_and_says_where() {
    insta::assert_snapshot!(hang("sleep 300"), @"was stopped after 7 s");
    insta::assert_snapshot!(hang("greet; sleep 300"), @"was stopped after 7 s");
    insta::assert_snapshot!(hang("greet; echo end; sleep 300"), @"was stopped after 7 s");
    // The second answers each request at once, and never comes to an end.
    for text in [
        "greet; echo 'benchmark - kv/get'; sleep 300",
        "greet; serve kv/get 1",
    ] {
        let script = Script::new(text);
        let (log, never) = (script.log(), Interrupt::default());
        let mut server = Server::start(&script.of(None), None, wide(&log, &never)).unwrap();
        server.bounds = narrow(&log, &never);
        let trouble = loop {
            if let Err(trouble) = server.block(1) {
                break trouble;
            }
        };
        insta::allow_duplicates! {
            insta::assert_snapshot!(said(trouble), @"was stopped after 7 s: it was at `kv/get`");
        }
    }
}

#[test]
fn garbage_is_refused() {
    let answers = |answer: &str| {
        trouble(&format!(
            "greet; echo 'benchmark - kv/get'; read -r block; {answer}; sleep 60"
        ))
    };
    insta::assert_snapshot!(answers("echo end"), @"wrote what cannot be read: it said `end` in place of what a block took");
    insta::assert_snapshot!(answers("echo block 1"), @"wrote what cannot be read: what it says cannot be read: expected a reply: `tripline-duet <version>`, `benchmark <throughput> <id>`, `block <wall> <cpu>`, `missed`, `twice <id>` or `end`, got `block 1`");
    insta::assert_snapshot!(answers("printf 'block 1 '; exit 0"), @"wrote what cannot be read: what it says cannot be read: the stream ended within a message");
    insta::assert_snapshot!(answers("printf '\\377\\n'"), @"wrote what cannot be read: what it says cannot be read: a message is not valid UTF-8");
    insta::assert_snapshot!(trouble("greet; echo missed; sleep 60"), @"wrote what cannot be read: it said `missed` in place of a benchmark or the end");
    insta::assert_snapshot!(trouble("greet; serve kv/get 1; echo 'twice kv/get'; sleep 60"), @"wrote what cannot be read: two benchmarks are named `kv/get`: give each a name of its own");
}

#[test]
fn floods_are_stopped() {
    let script =
        Script::new("greet; echo 'benchmark - kv/get'; while :; do echo 'block 1 1'; done");
    let (log, never) = (script.log(), Interrupt::default());
    let mut server = Server::start(&script.of(None), None, wide(&log, &never)).unwrap();
    let flood = loop {
        if let Err(trouble) = server.block(1) {
            break trouble;
        }
    };
    insta::assert_snapshot!(said(flood), @"wrote what cannot be read: it said `block 1 1` in place of waiting for a request");
    let many = "greet; n=0; while :; do n=$((n + 1)); echo \"benchmark - b$n\"; read -r block; echo missed; read -r next; done";
    insta::assert_snapshot!(trouble(many), @"wrote what cannot be read: it serves more than 5000 benchmarks");
    insta::assert_snapshot!(trouble("greet; echo end; yes missed"), @"wrote what cannot be read: it said `missed` in place of silence after its last benchmark");
}

#[test]
fn a_flood_of_talk_is_stopped() {
    let script = Script::new("while :; do echo 'talk and talk and talk and talk' >&2; done");
    let (log, never) = (script.log(), Interrupt::default());
    let bounds = Bounds {
        log_bytes_max: 1024 * 1024,
        ..wide(&log, &never)
    };
    let trouble = driven(&script, bounds).unwrap_err();
    insta::assert_snapshot!(said(trouble), @"wrote what cannot be read: it was stopped, its log having grown beyond 1 MiB");
}

#[test]
fn an_interrupt_is_heard_by_whoever_waits_and_by_whoever_never_waits() {
    let asked = Interrupt::default();
    asked.ask();
    let script = Script::new("sleep 300");
    let trouble = driven(&script, wide(&script.log(), &asked)).unwrap_err();
    assert_eq!(trouble.kind, FailureKind::Interrupted);

    let script = Script::serving("serve kv/get 1");
    let (log, asked) = (script.log(), Interrupt::default());
    let mut server = Server::start(&script.of(None), None, wide(&log, &asked)).unwrap();
    server.block(1).unwrap();
    asked.ask();
    assert_eq!(server.block(1).unwrap_err().kind, FailureKind::Interrupted);
}

#[test]
fn it_runs_on_the_core_it_is_given_and_we_run_as_before() {
    let before = rustix::thread::sched_getaffinity(None).unwrap();
    let core = (0..rustix::thread::CpuSet::MAX_CPU).find(|core| before.is_set(*core));
    let script =
        Script::serving("grep Cpus_allowed_list /proc/self/status > cores\nserve kv/get 1");
    let (log, never) = (script.log(), Interrupt::default());
    Server::start(&script.of(None), core, wide(&log, &never))
        .unwrap()
        .quit()
        .unwrap();
    let cores = written(&script.at("cores"));
    assert_eq!(
        cores.split_whitespace().last(),
        core.map(|core| core.to_string()).as_deref()
    );
    assert_eq!(rustix::thread::sched_getaffinity(None).unwrap(), before);
    let missing = Executable {
        program: "/nowhere/bench".into(),
        ..script.of(None)
    };
    Server::start(&missing, core, wide(&log, &never)).unwrap_err();
    assert_eq!(rustix::thread::sched_getaffinity(None).unwrap(), before);
}
