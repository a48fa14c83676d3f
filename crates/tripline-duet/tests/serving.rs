//! A real bench, `examples/sample.rs`, driven through pipes and run as Criterion runs it.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "all of this program is a test: what goes wrong is a failure of it"
)]

use std::{
    env,
    fs::{self, File},
    io::{BufReader, Write as _},
    path::PathBuf,
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

use tempfile::TempDir;
use tripline_duet::protocol::{self, Reply, Request, SERVE, Throughput, Unit, VARIABLE, VERSION};

/// All benchmarks of the sample, as Criterion names them.
const IDS: [&str; 19] = [
    "calls/iter",
    "calls/batched/size=7",
    "calls/9",
    "calls/large drop",
    "calls/setup",
    "awaited/iter",
    "awaited/batched",
    "awaited/batched by reference",
    "awaited/large drop",
    "awaited/custom",
    "alone",
    "alone/5",
    "streams",
    "twice/named",
    "twice/named",
    "settings/all",
    "missed",
    "panics",
    "last",
];

/// Nobody waits longer for a reply: a bench that says nothing is a failure and not a test that never ends.
const PATIENCE: Duration = Duration::from_mins(2);

fn sample() -> Command {
    // Cargo puts examples beside the folder of the test programs, and builds them before it runs those.
    let test = env::current_exe().unwrap();
    let target = test.parent().and_then(|deps| deps.parent()).unwrap();
    let path: PathBuf = target.join("examples").join("sample");
    assert!(
        path.exists(),
        "{} is missing: cargo builds it for `cargo test -p tripline-duet`",
        path.display()
    );
    let mut command = Command::new(path);
    for variable in [
        VARIABLE,
        "CARGO_CRITERION_PORT",
        "CRITERION_DEBUG",
        "CARGO_TARGET_DIR",
    ] {
        command.env_remove(variable);
    }
    command.arg("--bench");
    command
}

/// A bench that serves.
struct Served {
    process: Child,
    requests: Option<ChildStdin>,
    replies: Receiver<Reply>,
    folder: TempDir,
}

impl Served {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut process = sample()
            .env(VARIABLE, SERVE)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(folder.path().join("talk")).unwrap())
            .spawn()
            .unwrap();
        let requests = process.stdin.take();
        let mut stream = BufReader::new(process.stdout.take().unwrap());
        let (sender, replies) = mpsc::channel();
        thread::spawn(move || {
            while let Some(reply) = protocol::receive(&mut stream).unwrap() {
                sender.send(reply).unwrap();
            }
        });
        let served = Self {
            process,
            requests,
            replies,
            folder,
        };
        assert_eq!(served.hear(), Reply::Greeting { version: VERSION });
        served
    }

    /// Starts, and passes all benchmarks before that one over.
    fn at(id: &str) -> Self {
        let mut served = Self::start();
        loop {
            match served.hear() {
                Reply::Benchmark { id: found, .. } if found == id => return served,
                Reply::Twice { .. } => {}
                Reply::Benchmark { .. } => served.ask(&Request::Next),
                other => panic!("{other} before {id}"),
            }
        }
    }

    fn hear(&self) -> Reply {
        self.replies.recv_timeout(PATIENCE).unwrap()
    }

    fn ask(&mut self, request: &Request) {
        protocol::send(self.requests.as_mut().unwrap(), request).unwrap();
    }

    /// Asks for a block and returns its answer.
    fn block(&mut self, iterations: u64) -> Reply {
        self.ask(&Request::Block(iterations));
        self.hear()
    }

    /// Closes the way for requests and waits for the end: returns how it ended, what it still replied and all its talk.
    fn end(mut self) -> (ExitStatus, Vec<Reply>, String) {
        drop(self.requests.take());
        let replies = self.replies.iter().collect();
        let status = self.process.wait().unwrap();
        let talk = fs::read_to_string(self.folder.path().join("talk")).unwrap();
        (status, replies, talk)
    }
}

fn benchmark(id: &str, throughput: &[(Unit, u64)]) -> Reply {
    let one = |&(unit, per_iteration)| Throughput {
        unit,
        per_iteration,
    };
    Reply::Benchmark {
        id: id.to_owned(),
        throughput: throughput.iter().map(one).collect(),
    }
}

#[test]
fn announces_all_benchmarks_in_order_with_their_throughput() {
    let mut served = Served::start();
    for (at, id) in IDS.into_iter().enumerate() {
        let throughput: &[(Unit, u64)] = match id {
            "calls/batched/size=7" => &[(Unit::Elements, 3)],
            "calls/9" | "calls/large drop" | "calls/setup" => {
                &[(Unit::Elements, 3), (Unit::Bytes, 24)]
            }
            "settings/all" => &[(Unit::Bytes, 8)],
            _ => &[],
        };
        if IDS[..at].contains(&id) {
            assert_eq!(served.hear(), Reply::Twice { id: id.to_owned() });
        } else {
            assert_eq!(served.hear(), benchmark(id, throughput));
            served.ask(&Request::Next);
        }
    }
    assert_eq!(served.hear(), Reply::End);
    let (status, replies, _) = served.end();
    assert!(status.success());
    assert_eq!(replies, []);
}

#[test]
fn runs_exactly_as_many_iterations_as_asked() {
    for (id, name) in [
        ("calls/iter", "iter"),
        ("calls/batched/size=7", "batched"),
        ("calls/9", "batched by reference"),
        ("calls/large drop", "large drop"),
        ("calls/setup", "setup"),
        ("awaited/iter", "awaited iter"),
        ("awaited/batched", "awaited batched"),
        (
            "awaited/batched by reference",
            "awaited batched by reference",
        ),
        ("awaited/large drop", "awaited large drop"),
    ] {
        let mut served = Served::at(id);
        for iterations in [1, 20, 333] {
            let Reply::Block { cpu: Some(_), .. } = served.block(iterations) else {
                panic!("{id} has a clock and processor time");
            };
        }
        served.ask(&Request::Quit);
        let (status, _, talk) = served.end();
        assert!(status.success());
        let wanted = [1, 20, 333].map(|iterations| format!("{name} ran {iterations} times\n"));
        assert_eq!(talk, wanted.concat(), "{id}");
    }
}

#[test]
fn a_bench_that_takes_the_time_itself_has_no_processor_time() {
    for (id, nanoseconds_each) in [("alone", 10), ("awaited/custom", 20)] {
        let mut served = Served::at(id);
        let told = Reply::Block {
            wall: 7 * nanoseconds_each,
            cpu: None,
        };
        assert_eq!(served.block(7), told, "{id}");
    }
}

#[test]
fn what_a_bench_does_with_the_standard_streams_is_no_message() {
    let mut served = Served::at("streams");
    assert!(matches!(served.block(1), Reply::Block { .. }));
    served.ask(&Request::Next);
    assert_eq!(served.hear(), benchmark("twice/named", &[]));
    served.ask(&Request::Quit);
    let (status, _, talk) = served.end();
    assert!(status.success());
    assert_eq!(
        talk,
        "next\nquit\nend\nend, says a child\nstreams read Ok(0)\n"
    );
}

#[test]
fn a_benchmark_that_times_nothing_is_missed_and_passed() {
    let mut served = Served::at("missed");
    assert_eq!(served.block(5), Reply::Missed);
    served.ask(&Request::Next);
    assert_eq!(served.hear(), benchmark("panics", &[]));
}

#[test]
fn a_panic_ends_the_process_and_is_told_on_standard_error() {
    let mut served = Served::at("panics");
    served.ask(&Request::Block(1));
    let (status, replies, talk) = served.end();
    assert_eq!(status.code(), Some(101));
    assert_eq!(replies, []);
    assert!(talk.contains("on purpose"), "{talk}");
}

#[test]
fn after_quit_nothing_is_left() {
    let mut served = Served::start();
    assert_eq!(served.hear(), benchmark("calls/iter", &[]));
    served.ask(&Request::Quit);
    let (status, replies, talk) = served.end();
    assert!(status.success());
    assert_eq!(replies, []);
    assert_eq!(talk, "");
}

#[test]
fn a_driver_that_goes_away_or_mumbles_ends_the_process() {
    let (status, replies, talk) = Served::at("alone").end();
    assert_eq!(status.code(), Some(1));
    assert_eq!(replies, []);
    assert_eq!(
        talk,
        "Error: not all benchmarks were served: the driver went away\n"
    );

    let mut served = Served::at("alone");
    served
        .requests
        .as_mut()
        .unwrap()
        .write_all(b"blok 3\n")
        .unwrap();
    let (status, replies, talk) = served.end();
    assert_eq!(status.code(), Some(1));
    assert_eq!(replies, []);
    assert!(talk.ends_with("got `blok 3`\n"), "{talk}");
}

/// Runs the sample as an ordinary bench, and returns what it printed and the folder that it left its results in.
fn plain(args: &[&str]) -> (String, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let output = sample()
        .env("CRITERION_HOME", folder.path())
        .args(args)
        .output()
        .unwrap();
    let talk = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{talk}");
    (String::from_utf8(output.stdout).unwrap(), folder)
}

#[test]
fn without_the_request_criterion_lists_the_same_names() {
    let (printed, _) = plain(&["--list"]);
    // Criterion numbers those that share a name.
    let printed = printed.replace(" #2: ", ": ");
    let listed: Vec<&str> = printed
        .lines()
        .filter_map(|line| line.strip_suffix(": benchmark"))
        .collect();
    assert_eq!(listed, IDS);
}

#[test]
fn without_the_request_criterion_filters_and_tests() {
    let (printed, _) = plain(&["--test", "(calls|awaited)/(iter|9)"]);
    let wanted = "Testing calls/iter\niter ran 1 times\nSuccess\n\nTesting calls/9\nbatched by reference ran 1 times\nSuccess\n\n\
                  Testing awaited/iter\nawaited iter ran 1 times\nSuccess\n\n";
    let lines = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.is_empty());
        lines.map(str::to_owned).collect()
    };
    assert_eq!(lines(&printed), lines(wanted));
}

#[test]
fn without_the_request_criterion_measures_and_keeps_the_result() {
    let (printed, folder) = plain(&["--quick", "--noplot", "settings|awaited/iter"]);
    assert!(printed.contains("thrpt:  ["), "{printed}");
    for id in ["settings/all", "awaited/iter"] {
        assert!(printed.contains(id), "{printed}");
        let sample = folder.path().join(id).join("new/sample.json");
        let sample = fs::read_to_string(sample).unwrap();
        assert!(sample.starts_with("{\"sampling_mode\":"), "{sample}");
    }
    assert_eq!(printed.matches("time:   [").count(), 2, "{printed}");
}
