//! Ours against itself, as the suite starts it: every kind of cell at a small size, and what happens where something fails.
//!
//! It is a program of its own, because the suite starts itself anew as server and client.

use std::process::ExitCode;

use bench_p2p::{
    Client, Pair, Programs, Stack, as_published, bandwidth, latency, program, substreams,
};

fn main() -> ExitCode {
    if let Some(ended) = program() {
        return ended;
    }
    // Whatever was built for measuring is not tested here.
    let programs = Programs::of_ours().expect("this program has a path");
    every_cell_has_its_numbers(&programs);
    what_fails_is_named(&programs);
    ExitCode::SUCCESS
}

fn every_cell_has_its_numbers(programs: &Programs) {
    let sizes = [1 << 10, 1 << 19, 1 << 20];
    let names = |tallies: Vec<bench_p2p::Tally>| {
        let name = |tally: bench_p2p::Tally| {
            assert!(tally.value > 0.0, "{tally:?}");
            [&tally.benchmark, " ", tally.metric].concat()
        };
        tallies.into_iter().map(name).collect::<Vec<String>>()
    };
    let of =
        |name: &str, bytes, way| format!("{name}{{bytes={bytes},direction={way},pair=ours-ours}}");
    let expected: Vec<String> = ["upload", "download"]
        .map(|way| of("bandwidth", 1 << 20, way) + " bit_throughput")
        .into();
    assert_eq!(
        names(bandwidth(programs, &sizes).expect("it is measured")),
        expected
    );
    let timed = names(latency(programs, &sizes).expect("it is measured"));
    assert_eq!(timed.len(), 8);
    assert_eq!(timed[0], of("latency", 1 << 10, "upload") + " latency_p50");
    let published = names(as_published(programs, &sizes).expect("it is measured"));
    assert_eq!(published.len(), 6);
    let opened = names(substreams(programs).expect("it is measured"));
    assert_eq!(opened.len(), 5 * 4);
    assert_eq!(
        opened[16],
        "substreams{count=256,pair=ours-ours} time_to_all"
    );
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
        too_much.contains("were declared") || too_much.contains("too"),
        "{too_much}"
    );
    assert!(
        too_much.starts_with("ours client --upload-bytes"),
        "{too_much}"
    );
    assert_eq!(asked(Stack::Libp2p, &[]), "libp2p is not built");
    let odd = programs.serve(&[pair], &["--node-key"]);
    let odd = odd.err().expect("it says no address").to_string();
    assert!(odd.starts_with("a server said ``"), "{odd}");
}
