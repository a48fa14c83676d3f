//! All pairs, as the suite starts them: every kind of cell at a small size, each once, and what happens where something fails.
//!
//! It is a program of its own, because the suite starts itself anew as server and client. It is the peers' program too: ours
//! under their names, so that the whole matrix is there without them.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsStr;
use std::io;
use std::process::{Command, ExitCode, Output};

use bench_p2p::{
    Client, PEERS, Pair, Programs, Stack, Tally, answers, as_published, bandwidth, bandwidth_1k,
    bandwidth_tuned, latency, latency_as_published, program, substreams,
};
use workload_p2p::Digest;
use workload_p2p::cli::{Ours, run};

const STACKS: [&str; 3] = ["ours", "litep2p", "libp2p"];
const WAYS: [&str; 2] = ["upload", "download"];

/// By this first word it says what it has found.
const FIND: &str = "find";

fn main() -> ExitCode {
    if let Some(ended) = program() {
        return ended;
    }
    match env::args().nth(1).as_deref() {
        Some("litep2p" | "libp2p" | "litep2p-tuned" | "libp2p-tuned") => {
            return run(&Ours, env::args().skip(2), io::stdout(), io::stderr());
        }
        Some(FIND) => return find(),
        _ => {}
    }
    // Whatever was built for measuring is not tested here.
    let programs = Programs::of_ours().expect("this program has a path");
    ours_alone_has_its_numbers(&programs);
    what_arrives_is_what_was_sent(&programs, 1);
    what_fails_is_named(&programs);
    let this = env::current_exe().expect("this program has a path");
    assert_eq!(found(OsStr::new("")), "ours-ours\n");
    assert_eq!(found(this.as_os_str()), "all nine\n");
    assert_eq!(
        found(OsStr::new("/nowhere/peers-p2p")),
        "nothing was measured: `/nowhere/peers-p2p`, which BENCH_P2P_PEERS names, is not there\n"
    );
    ExitCode::SUCCESS
}

/// Starts itself, with the variable that says where the peers are. Returns all it says.
fn found(peers: &OsStr) -> String {
    let this = env::current_exe().expect("this program has a path");
    let output = Command::new(this).arg(FIND).env(PEERS, peers).output();
    let Output { stdout, stderr, .. } = output.expect("it can be started");
    String::from_utf8([stdout, stderr].concat()).expect("it writes text")
}

/// Finds the programs as a bench does, and measures the whole matrix where there is one.
#[expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a program")]
fn find() -> ExitCode {
    let programs = match Programs::find() {
        Ok(programs) => programs,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    match &programs.pairs()[..] {
        [alone] => println!("{}", alone.name()),
        pairs => {
            assert_eq!(pairs.len(), 9);
            every_cell_is_measured_once(&programs);
            peers_alone_have_their_numbers(&programs);
            what_arrives_is_what_was_sent(&programs, pairs.len());
            println!("all nine");
        }
    }
    ExitCode::SUCCESS
}

/// Its benchmarks, each with its metric.
fn names(tallies: Result<Vec<Tally>, impl std::fmt::Debug>) -> Vec<String> {
    let name = |tally: Tally| {
        assert!(tally.value > 0.0, "{tally:?}");
        [&tally.benchmark, " ", tally.metric].concat()
    };
    let tallies = tallies.expect("it is measured");
    tallies.into_iter().map(name).collect()
}

fn of(name: &str, bytes: u64, way: &str, pair: &str) -> String {
    format!("{name}{{bytes={bytes},direction={way},pair={pair}}}")
}

/// Each of these once, in whatever order.
fn assert_same(mut found: Vec<String>, expected: impl IntoIterator<Item = String>) {
    let mut expected: Vec<String> = expected.into_iter().collect();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

/// What a step has of one size.
fn cells(name: &str, bytes: u64, pairs: &[String], metric: &str) -> Vec<String> {
    let cell = |pair: &String| WAYS.map(|way| of(name, bytes, way, pair) + metric);
    pairs.iter().flat_map(cell).collect()
}

/// Tuned, and 1 KiB at a time: each peer with itself, and nothing of ours.
fn peers_alone_have_their_numbers(programs: &Programs) {
    let alone = ["litep2p-litep2p", "libp2p-libp2p"].map(str::to_owned);
    let [short, long, longer, longest] = [1 << 10, 1 << 20, 64 << 20, 512 << 20];
    assert_same(
        names(bandwidth_tuned(programs, &[short, long])),
        cells("bandwidth-tuned", long, &alone, " bit_throughput"),
    );
    assert_same(
        names(bandwidth_1k(programs, &[long, longer, longest])),
        cells("bandwidth-1k", longer, &alone, " bit_throughput"),
    );
}

fn every_cell_is_measured_once(programs: &Programs) {
    let all: Vec<String> = STACKS
        .iter()
        .flat_map(|client| STACKS.map(|server| format!("{client}-{server}")))
        .collect();
    let sizes = [1 << 10, 1 << 20];
    let [short, long] = sizes;

    let found = names(bandwidth(programs, &sizes));
    // Each time another pair begins.
    let begin = [0, 9].map(|at| found[at].clone());
    let expected = [("upload", "ours-ours"), ("download", "ours-litep2p")];
    let expected = expected.map(|(way, pair)| of("bandwidth", long, way, pair) + " bit_throughput");
    assert_eq!(begin, expected);
    assert_same(found, cells("bandwidth", long, &all, " bit_throughput"));

    let expected = [" latency_p50", " latency_p99"];
    assert_same(
        names(latency(programs, &sizes)),
        expected
            .into_iter()
            .flat_map(|metric| cells("latency", short, &all, metric)),
    );

    // Those of the report, and ours. What is short is a time, and no throughput.
    let published = [
        "ours-ours",
        "litep2p-litep2p",
        "litep2p-libp2p",
        "libp2p-litep2p",
        "libp2p-libp2p",
    ];
    let published = published.map(str::to_owned);
    assert_same(
        names(as_published(programs, &sizes)),
        cells(
            "bandwidth-as-published",
            long,
            &published,
            " bit_throughput",
        ),
    );
    assert_same(
        names(latency_as_published(programs, &sizes)),
        cells("latency-as-published", short, &published, " latency"),
    );

    let opened = |count: usize, pair: &String| {
        let params = format!("{{count={count},pair={pair}}}");
        let metrics = ["time_to_all", "latency_p50", "latency_p99"];
        let honest = metrics.map(|metric| format!("substreams{params} {metric}"));
        [
            &honest[..],
            &[format!("substreams-as-published{params} mean_time")],
        ]
        .concat()
    };
    let expected = [1, 32].into_iter().flat_map(|count| {
        // A server of libp2p resets what ours asks for at once.
        let is_there = move |pair: &&String| count == 1 || *pair != "ours-libp2p";
        all.iter()
            .filter(is_there)
            .flat_map(move |pair| opened(count, pair))
    });
    assert_same(names(substreams(programs, &[1, 32])), expected);
}

fn ours_alone_has_its_numbers(programs: &Programs) {
    let sizes = [1 << 10, 1 << 19, 1 << 20];
    let expected = WAYS.map(|way| of("bandwidth", 1 << 20, way, "ours-ours") + " bit_throughput");
    assert_eq!(names(bandwidth(programs, &sizes)), expected);
    assert_eq!(names(bandwidth_tuned(programs, &sizes)).len(), 0);
    assert_eq!(names(bandwidth_1k(programs, &[64 << 20])).len(), 0);
    assert_eq!(names(latency(programs, &sizes)).len(), 8);
    assert_eq!(names(as_published(programs, &sizes)).len(), 2);
    assert_eq!(names(latency_as_published(programs, &sizes)).len(), 4);
    let opened = names(substreams(programs, &[256]));
    assert_eq!(opened.len(), 4);
    assert_eq!(
        opened[0],
        "substreams{count=256,pair=ours-ours} time_to_all"
    );
}

fn what_arrives_is_what_was_sent(programs: &Programs, pairs: usize) {
    let sizes = [1 << 10, 3 << 20];
    let answers = answers(programs, &sizes).expect("all of it arrives");
    let params: BTreeSet<_> = answers.iter().map(|answer| &answer.params).collect();
    assert_eq!(params.len(), sizes.len() * WAYS.len() * pairs);
    for answer in &answers {
        let (bytes, ..) = answer.params;
        let name = if bytes < 1 << 20 {
            "latency"
        } else {
            "bandwidth"
        };
        let digest = Digest::of_payload(bytes).to_string();
        assert_eq!(
            (answer.benchmark, &answer.digest),
            (name, &digest),
            "{answer}"
        );
    }
}

fn what_fails_is_named(programs: &Programs) {
    let ours = Stack::Ours;
    let pair = Pair {
        client: ours,
        server: ours,
    };
    assert_eq!(programs.pairs(), [pair]);
    let servers = programs.serve(&[pair], &[]).expect("it starts");
    let (_, server) = &servers[0];
    let asked = |stack, words| {
        let failed = programs.exchange(Client {
            stack,
            server,
            words,
        });
        failed.expect_err("it cannot be done").to_string()
    };
    let too_much = asked(ours, &["--upload-bytes", "18446744073709551615"]);
    assert!(
        too_much.starts_with("ours client --upload-bytes")
            && too_much.contains(
                "18446744073709551615 bytes were declared, and 1099511627776 are the most"
            ),
        "{too_much}"
    );
    assert_eq!(asked(Stack::Libp2p, &[]), "libp2p is not built");
    let odd = programs.serve(&[pair], &["--node-key"]);
    let odd = odd.err().expect("it says no address").to_string();
    assert!(odd.starts_with("a server said ``"), "{odd}");
}
