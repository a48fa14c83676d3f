//! The suite at a small size: scans that are checked, stored and paced, the program whole, and the program under strace.
//!
//! It is a program of its own, because what is published is counted of this very program, started again.

use std::io;
use std::process::ExitCode;

use bench_scan::{
    Database, Fixture, Full, Grown, PACED, PORTS, answers, first_thread, full, pace, program,
    started,
};
use workload_scan::{EngineChoice, PortSet, Scan, Settings};

/// The set that is small.
const SMALL: (u32, &str) = PORTS[0];

fn main() -> ExitCode {
    if let Some(ended) = started(io::stdout(), io::stderr()) {
        return ended;
    }
    the_sets_have_their_sizes_and_their_answers();
    what_is_stored_is_all_there();
    full_scans_and_paces_are_right();
    the_program_says_how_much_it_did_and_fails_where_it_must();
    the_first_thread_makes_few_calls();
    ExitCode::SUCCESS
}

fn the_sets_have_their_sizes_and_their_answers() {
    for (count, ports) in PORTS {
        assert_eq!(ports.parse::<PortSet>().expect("ports").len(), count);
    }
    let fixture = Fixture::open().expect("the ports are free");
    let all = answers(&fixture).expect("the scans are right");
    // The same again, of another address.
    let other = Fixture::open().expect("the ports are free");
    assert_eq!(answers(&other).expect("the scans are right"), all);
    assert_eq!(all.len(), PORTS.len());
}

fn what_is_stored_is_all_there() {
    let fixture = Fixture::open().expect("the ports are free");
    let (count, ports) = SMALL;
    let grown = Grown::new(&fixture, ports).expect("it grows");
    for database in [Database::fresh(), grown.copy()] {
        let database = database.expect("there is room");
        let ports = ports.parse().expect("ports");
        let scan = Scan::new(fixture.targets(), ports, Settings::default()).expect("a scan");
        let store = database.store().expect("it opens");
        let report = scan.store(store).run().expect("it scans");
        fixture.check(&report).expect("it is right");
        database.check(count.into()).expect("all is there");
        let said = database.check(1).expect_err("it is not one").to_string();
        assert!(said.contains("1000 rows of 1"), "{said}");
    }
}

fn full_scans_and_paces_are_right() {
    let fixture = Fixture::open().expect("the ports are free");
    let came = full(&fixture, EngineChoice::Auto, 1).expect("it scans");
    assert_eq!(came, Full::default());
    for template in PACED {
        let kept = pace(&fixture, template, 10).expect("it scans");
        // How busy the machine is, is no matter of this test.
        assert!(
            kept.error.is_finite() && kept.error > 0.0,
            "{template}: {kept:?}"
        );
    }
}

fn the_program_says_how_much_it_did_and_fails_where_it_must() {
    let folder = tempfile::tempdir().expect("there is room");
    let run = |words: &[&str]| {
        let (mut out, mut talk) = (Vec::new(), Vec::new());
        let words = words.iter().map(|word| (*word).to_owned());
        let ended = program(words, folder.path(), &mut out, &mut talk);
        let text = |bytes| String::from_utf8(bytes).expect("it is text");
        (ended == ExitCode::SUCCESS, text(out), text(talk))
    };
    for _ in 0..2 {
        let (is_right, out, talk) = run(&["--ports", SMALL.1, "--store", "REUSED"]);
        assert!(is_right, "{talk}");
        assert!(out.contains("complete: 3 open, 997 closed"), "{out}");
        assert!(out.ends_with("\n{\"units\":{\"port\":1000}}\n"), "{out}");
    }
    let (is_right, out, talk) = run(&["--ports", "9-1"]);
    assert!(!is_right && out.is_empty());
    assert!(
        talk.contains("write `1-9`") || talk.contains("is no set of ports"),
        "{talk}"
    );
}

fn the_first_thread_makes_few_calls() {
    let calls = first_thread(SMALL.1).expect("strace counts them");
    assert!((1..2_000).contains(&calls), "{calls}");
    let said = first_thread("9-1").expect_err("it is no set").to_string();
    assert!(said.contains("is no set of ports"), "{said}");
}
