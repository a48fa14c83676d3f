//! The regression that the transport's suite is there for: a lock around the send path, planted by a feature of the bench.
//!
//! It is judged on the link in memory, whose clock is a number: a lock there costs what it costs, whoever else is running.

use tripline_model::{Finding, Gate, Report, Summary, Verdict, wire};

use crate::checkout::{Checkout, repository};
use crate::project::{Project, said, scrubbed};

/// The file of the real suite.
fn file() -> String {
    std::fs::read_to_string(repository().join("bench/transport/suite.toml")).unwrap()
}

/// Returns the sections of the real suite that have something to do with one bench, and leaves out the others: they would
/// take minutes and tell nothing else.
fn suite(bench: &str, benchmarks: &[&str]) -> String {
    let text = file();
    let step = format!("bench = \"{bench}\"");
    let is_of_bench = |section: &&str| {
        let has = |text: &str| section.contains(text);
        if has("[[step]]") {
            return has(&step);
        }
        has("about = \"The encrypted") || benchmarks.iter().any(|name| has(name))
    };
    let sections: Vec<&str> = text.split("\n\n").filter(is_of_bench).collect();
    assert!(sections.len() > 5, "the suite was moved or emptied");
    sections.join("\n\n")
}

fn checkout(suite: &str) -> Checkout {
    let checkout = Checkout::new("stories");
    std::fs::write(checkout.path().join("bench/transport/suite.toml"), suite).unwrap();
    std::fs::remove_dir_all(checkout.path().join("baselines/transport")).unwrap();
    checkout
}

fn plant_the_lock(checkout: &Checkout) {
    checkout.replace(
        "bench/transport/Cargo.toml",
        "serialised = []",
        "serialised = []\ndefault = [\"serialised\"]",
    );
}

fn report(json: &str) -> Report {
    let mut reports = wire::read_report(json.as_bytes()).unwrap();
    reports.remove(0)
}

/// Returns the one finding of a metric, of a benchmark whose text holds all of the words.
fn finding<'a>(report: &'a Report, metric: &str, words: &[&str]) -> &'a Finding {
    let is_it = |finding: &&Finding| {
        let bench = finding.bench.to_string();
        finding.metric.name.as_str() == metric && words.iter().all(|word| bench.contains(word))
    };
    let found: Vec<_> = report.findings.iter().filter(is_it).collect();
    assert_eq!(found.len(), 1, "{metric} {words:?}");
    found[0]
}

fn center(summary: Option<Summary>) -> f64 {
    summary.unwrap().center
}

#[test]
fn a_lock_around_the_send_path_fails_the_gate_by_the_ratio_while_one_stream_is_as_fast() {
    let checkout = checkout(&suite(
        "link",
        &["link/", "metric = \"jains_index\"", "1 - unfairness"],
    ));
    let shown = checkout.run("tripline check --suite transport").with(0).out;
    // Each ratio with its value and its budget.
    for (ratio, value, budget) in [
        ("degradation_2", "0.5000", "max 0.6000"),
        ("degradation_4", "0.2501", "max 0.5000"),
        ("degradation_8", "0.1251", "max 0.2500"),
        ("slowdown_4", "1.000", "max 1.100"),
        ("jains_index", "1.000", "min 0.9500"),
    ] {
        let row = |line: &&str| {
            [ratio, value, budget]
                .iter()
                .all(|word| line.contains(word))
        };
        assert!(shown.lines().any(|line| row(&line)), "{ratio}: {shown}");
    }
    checkout
        .run("tripline baseline update --suite transport")
        .with(0);
    checkout
        .run("tripline check --suite transport --all")
        .with(0);
    plant_the_lock(&checkout);
    let caught = checkout
        .run("tripline check --suite transport --format json")
        .with(10);
    let report = report(&caught.out);
    for (ratio, before) in [
        ("degradation_2", 0.5),
        ("degradation_4", 0.25),
        ("degradation_8", 0.125),
        // Streams of which each takes its whole turn fill the line no better than one.
        ("bulk_degradation_2", 0.89),
        ("bulk_degradation_4", 0.89),
        ("bulk_degradation_8", 0.83),
    ] {
        let finding = finding(&report, ratio, &[]);
        assert_eq!(
            (finding.verdict, finding.gate),
            (Verdict::Regressed, Gate::Fail)
        );
        assert!((center(finding.evidence.base) - before).abs() < 0.01);
        assert!((center(finding.evidence.head) - 1.0).abs() < 0.05);
    }
    for work in ["link/exchange{", "link/bulk{"] {
        let alone = finding(&report, "simulated_time", &[work, "streams=1}"]);
        assert_eq!(
            (alone.verdict, alone.gate),
            (Verdict::Unchanged, Gate::Pass)
        );
    }
}

/// The run that the page is filled with holds every benchmark: what `check` says of it is what it says of any.
#[test]
fn the_ratio_is_printed_with_its_interval_and_its_budget() {
    let run = "docs/workloads/transport.jsonl";
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report.json");
    let tripline = |args: &[&str]| {
        let mut command = scrubbed(env!("CARGO_BIN_EXE_tripline"));
        said(command.args(args).current_dir(repository()))
    };
    let report = report.to_str().unwrap();
    tripline(&["judge", "--base", run, "--head", run, "--out", report]);
    let shown = String::from_utf8(tripline(&["render", report])).unwrap();
    for (ratio, interval, budget) in [
        ("  udp_degradation_2 ", " … ", "max 0.8000"),
        ("  udp_degradation_4 ", " … ", "max 0.5000"),
        ("  udp_degradation_8 ", " … ", "max 0.5000"),
        // What the link counts has no interval.
        ("  degradation_4 ", "0.2501", "max 0.5000"),
        ("  bulk_degradation_4 ", "0.8902", "max 0.9500"),
    ] {
        let words = [ratio, interval, budget];
        let has_all = |line: &str| words.iter().all(|word| line.contains(word));
        assert!(shown.lines().any(has_all), "{ratio}: {shown}");
    }
}

/// Adds a derived metric to the real suite's file, and returns what is said of it.
fn said_of(expression: &str) -> Result<(), String> {
    let project = Project::new();
    let row = format!(
        "\n[[derived]]\nname = \"mixed\"\nabout = \"x\"\nexpression = \"{expression}\"\nunit = \"ratio\"\nbetter = \"lower\"\n"
    );
    project.write("bench/transport/suite.toml", &(file() + &row));
    let manifest = "[package]\nname = \"bench-transport\"\n";
    project.write("bench/transport/Cargo.toml", manifest);
    let command = project.command(&["plan", "--suite", "transport"]).output();
    let ended = command.unwrap();
    match ended.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8(ended.stderr).unwrap()),
    }
}

const ALONE: &str = "udp/exchange:wall_time{streams=1}";
const SET_UP: &str = "the making of keys, sockets, threads and connections";
const ANSWER: &str = "an answer of one byte";
const COLD: &str = "a connection that nothing has gone over before";
const CONFIRMED: &str = "the way back of what says that the other side has all";

/// Two terms, and what the clock of only one of them includes.
const MIXED: [(&str, &str, &str); 13] = [
    // The ratio of the published report.
    (
        "udp/exchange-as-published:wall_time{streams=4}",
        ALONE,
        SET_UP,
    ),
    (
        "udp/connect:wall_time",
        "udp/message:wall_time{bytes=1024}",
        SET_UP,
    ),
    (
        "udp/message-as-published:wall_time",
        "udp/message:wall_time",
        COLD,
    ),
    ("udp/stream-as-published:wall_time{streams=4}", ALONE, COLD),
    (
        "link/message:simulated_time{bytes=1048576,delay_ms=2}",
        "link/exchange:simulated_time{streams=1}",
        COLD,
    ),
    (
        "link/message:simulated_time{bytes=1024,delay_ms=2}",
        "link/warm:simulated_time{bytes=1024,delay_ms=2,percent=50}",
        COLD,
    ),
    (
        "link/saturate:simulated_time{delay_ms=2}",
        "link/bulk:simulated_time{streams=1}",
        COLD,
    ),
    (
        "link/lossy:simulated_time",
        "link/warm:simulated_time{bytes=1048576,delay_ms=2,percent=50}",
        COLD,
    ),
    (
        "udp/message:wall_time{bytes=1048576}",
        "udp/bulk:wall_time{streams=1}",
        ANSWER,
    ),
    (
        "udp/latency:latency_p50{bytes=1048576}",
        "udp/bulk:wall_time{streams=1}",
        ANSWER,
    ),
    (
        "udp/exchange:wall_time{streams=1}",
        "udp/saturate:wall_time",
        ANSWER,
    ),
    (
        "udp/shares:stream_time{streams=1,work=exchange}",
        "udp/shares:stream_time{streams=1,work=bulk}",
        ANSWER,
    ),
    (
        "link/bulk:simulated_time{streams=1}",
        "link/warm:simulated_time{bytes=1048576,delay_ms=2,percent=50}",
        CONFIRMED,
    ),
];

#[test]
fn the_real_suite_refuses_a_ratio_of_clocks_that_include_different_things() {
    let four = format!("udp/exchange:wall_time{{streams=4}} / {ALONE}");
    assert_eq!(said_of(&four), Ok(()));
    for (one, other, what) in MIXED {
        let said = said_of(&format!("{one} / {other}")).unwrap_err();
        for word in ["`mixed` cannot be computed", "include different work", what] {
            assert!(said.contains(word), "{one} / {other}: {said}");
        }
    }
}
