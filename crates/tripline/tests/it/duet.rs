//! A real executable that serves, built by cargo from both revisions, with made-up times.

use std::collections::BTreeSet;

use tripline_model::{Gate, Method, Verdict};

use crate::repository::{Repository, times_of};

/// A bench that serves without any library: the time of each benchmark stands in a file that is compiled in.
const BENCH: &str = r#"use std::io::{BufRead, stdin};
use std::os::unix::fs::MetadataExt;

fn main() {
    let own = std::env::current_exe().unwrap().metadata().unwrap();
    eprintln!("file {}", own.ino());
    assert_eq!(std::env::var("TRIPLINE_DUET").as_deref(), Ok("serve"));
    let mut requests = stdin().lock().lines();
    println!("tripline-duet 1");
    for line in include_str!("../ns").lines() {
        let (name, time) = line.split_once(' ').unwrap();
        println!("benchmark - {name}");
        loop {
            let Some(Ok(request)) = requests.next() else { return };
            match request.split_once(' ') {
                Some(("block", count)) => {
                    let taken = count.parse::<u64>().unwrap() * time.parse::<u64>().unwrap();
                    println!("block {taken} {taken}");
                }
                _ if request == "next" => break,
                _ => return,
            }
        }
    }
    println!("end");
}
"#;

/// A repository with a suite that serves, and two commits with different times.
fn with_bench(base: &str, head: &str) -> Repository {
    let repository = Repository::for_cargo();
    repository.write(
        "bench/kv/Cargo.toml",
        "[package]\nname = \"kv\"\nedition = \"2024\"\n[[bench]]\nname = \"times\"\nharness = false\n[workspace]\n",
    );
    repository.write("bench/kv/src/lib.rs", "");
    repository.write("bench/kv/benches/times.rs", BENCH);
    repository.write(
        "bench/kv/suite.toml",
        "about = \"x\"\n[[step]]\nname = \"times\"\nharness = \"duet\"\nbench = \"times\"\n",
    );
    repository.times(base);
    repository.commit();
    repository.times(head);
    repository.write("README", "a second commit\n");
    repository.commit();
    repository
}

#[test]
fn both_revisions_are_built_and_asked_in_turn() {
    let repository = with_bench("get/bytes=64 1000", "get/bytes=64 1100");
    let args = ["check", "--against", "HEAD~1", "--seed", "7"];
    repository.tripline(&args).with(10);
    let report = &repository.reports()[0];
    assert_eq!(report.findings.len(), 2);
    for finding in &report.findings {
        assert_eq!(finding.verdict, Verdict::Regressed);
        assert_eq!(finding.evidence.method, Method::Paired);
        let ratio = finding.evidence.change.unwrap().ratio;
        assert!((ratio - 1.1).abs() < 1e-9, "{ratio}");
    }
    let (base, head) = (repository.run("base"), repository.run("run"));
    let (rounds, values) = times_of(&base, "get{bytes=64}");
    assert_eq!(times_of(&head, "get{bytes=64}").0, rounds);
    assert_eq!(values.len(), 9);
    let built_with = |run: &tripline_model::Run| run.environment.fact("built_with").cloned();
    assert!(built_with(&base).is_some());
    assert_eq!(built_with(&base), built_with(&head));
}

#[test]
fn equal_sources_give_equal_bytes_and_no_verdict() {
    let repository = with_bench("get 1000", "get 1000");
    let args = ["check", "--against", "HEAD~1", "--seed", "7"];
    repository.tripline(&args).with(0);
    for finding in &repository.reports()[0].findings {
        assert_eq!(finding.verdict, Verdict::Unchanged);
    }
    let kept = |side: &str| {
        let place = format!("target/tripline/kv/{side}/times/kv-times");
        std::fs::read(repository.at(&place)).unwrap()
    };
    assert!(kept("base") == kept("head"), "the executables differ");
    // Files of the same bytes differ by where they lie, so each round has others, and not the two it began with.
    let log = repository.at("target/tripline/kv/head/times.log");
    let log = std::fs::read_to_string(log).unwrap();
    let files: Vec<&str> = log
        .lines()
        .filter(|line| line.starts_with("file "))
        .collect();
    let different: BTreeSet<&&str> = files.iter().collect();
    assert!(files.len() > 4 && different.len() > 2, "{log}");
}

#[test]
fn what_the_base_has_is_broken_where_the_head_panics_or_does_not_build() {
    let repository = with_bench("get 1000\nset 2000", "get 1000\nset 2000");
    let panics = BENCH.replace(
        "println!(\"block",
        "assert_eq!(name, \"get\", \"no such key\"); println!(\"block",
    );
    let does_not_build = "fn main() { let x: u32 = \"\"; }";
    for (bench, said) in [(&*panics, "no such key"), (does_not_build, "did not build")] {
        repository.write("bench/kv/benches/times.rs", bench);
        let ended = repository.tripline(&["check", "--against", "HEAD"]);
        let ended = ended.with(11);
        let report = &repository.reports()[0];
        let broken = report.findings.iter().map(|finding| {
            assert_eq!(finding.verdict, Verdict::Broken, "{finding:#?}");
            assert_eq!(finding.gate, Gate::Fail, "{finding:#?}");
            format!("{} {}", finding.bench.within_suite(), finding.metric.name)
        });
        let mut broken: Vec<String> = broken.collect();
        broken.sort();
        let all = ["get", "set"]
            .map(|bench| ["cpu_time", "wall_time"].map(|time| format!("{bench} {time}")));
        assert_eq!(broken, all.concat());
        assert_eq!(report.failures.len(), 1, "{:#?}", report.failures);
        assert!(ended.out.contains(said), "{}", ended.out);
    }
}

#[test]
fn a_base_that_does_not_build_is_broken_and_says_that_it_is_the_base() {
    let repository = with_bench("get 1000", "get 1000");
    repository.write(
        "bench/kv/benches/times.rs",
        "fn main() { let x: u32 = \"\"; }",
    );
    repository.commit();
    repository.write("bench/kv/benches/times.rs", BENCH);
    let ended = repository
        .tripline(&["check", "--against", "HEAD"])
        .with(11);
    assert!(ended.out.contains("did not build"), "{}", ended.out);
    assert!(ended.out.contains("of the base"), "{}", ended.out);
}

#[test]
fn a_base_that_dies_is_broken_and_says_that_it_is_the_base() {
    let repository = with_bench("get 1000", "get 1000");
    let dies = BENCH.replace(
        "println!(\"block",
        "std::process::exit(3); println!(\"block",
    );
    repository.write("bench/kv/benches/times.rs", &dies);
    repository.commit();
    repository.write("bench/kv/benches/times.rs", BENCH);
    let ended = repository.tripline(&["check", "--against", "HEAD"]);
    let ended = ended.with(11);
    assert!(
        ended.out.contains("ended with exit code 3"),
        "{}",
        ended.out
    );
    assert!(
        ended.out.contains("of the base: it was at `get`"),
        "{}",
        ended.out
    );
}

#[test]
fn alone_it_is_measured_and_nothing_is_paired() {
    let repository = with_bench("get 1000", "get 1000");
    repository.tripline(&["measure"]).with(0);
    let run = repository.run("run");
    assert_eq!(run.session, None);
    let (rounds, values) = times_of(&run, "get");
    assert_eq!(rounds, None);
    assert_eq!(values.len(), 3);
    repository.tripline(&["baseline", "update"]).with(0);
    repository.tripline(&["check"]).with(0);
}
