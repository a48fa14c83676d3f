//! The regression that the transport's suite is there for: a lock around the send path, planted by a feature of the bench.
//!
//! It is judged on the link in memory, whose clock is a number: a lock there costs what it costs, whoever else is running.

use tripline_model::{Finding, Gate, Verdict, wire};

use crate::checkout::{Checkout, repository};

/// Returns the real suite without what has nothing to do with the link: it would take minutes and tell nothing else.
fn suite() -> String {
    let place = repository().join("bench/transport/suite.toml");
    let text = std::fs::read_to_string(place).unwrap();
    let is_of_link = |section: &&str| {
        let has = |text| section.contains(text);
        has("about = \"The encrypted") || has("link/") || has("bench = \"link\"")
    };
    let sections: Vec<&str> = text.split("\n\n").filter(is_of_link).collect();
    assert!(sections.len() > 5, "the suite was moved or emptied");
    sections.join("\n\n")
}

#[test]
fn a_lock_around_the_send_path_fails_the_gate_by_the_ratio_while_one_stream_is_as_fast() {
    let checkout = Checkout::new();
    std::fs::write(checkout.path().join("bench/transport/suite.toml"), suite()).unwrap();
    checkout
        .run("rm -rf baselines/transport && tripline check --suite transport")
        .with(0);
    checkout
        .run("tripline baseline update --suite transport")
        .with(0);
    checkout
        .run("tripline check --suite transport --all")
        .with(0);
    checkout.replace(
        "bench/transport/Cargo.toml",
        "serialised = []",
        "serialised = []\ndefault = [\"serialised\"]",
    );
    let caught = checkout
        .run("tripline check --suite transport --format json")
        .with(10);
    let reports = wire::read_report(caught.out.as_bytes()).unwrap();
    let of = |metric: &str, streams: &str| {
        let is_it = |finding: &&Finding| {
            let bench = finding.bench.to_string();
            finding.metric.name.as_str() == metric
                && bench.contains("link/exchange{")
                && bench.contains(streams)
        };
        let found: Vec<_> = reports[0].findings.iter().filter(is_it).collect();
        assert_eq!(found.len(), 1, "{metric} {streams}");
        found[0].clone()
    };
    for (ratio, before) in [
        ("degradation_2", 0.5),
        ("degradation_4", 0.25),
        ("degradation_8", 0.125),
    ] {
        let finding = of(ratio, "");
        assert_eq!(
            (finding.verdict, finding.gate),
            (Verdict::Regressed, Gate::Fail)
        );
        let value = |summary: Option<tripline_model::Summary>| summary.unwrap().center;
        assert!((value(finding.evidence.base) - before).abs() < 0.01);
        assert!((value(finding.evidence.head) - 1.0).abs() < 0.01);
    }
    let alone = of("simulated_time", "streams=1}");
    assert_eq!(
        (alone.verdict, alone.gate),
        (Verdict::Unchanged, Gate::Pass)
    );
}
