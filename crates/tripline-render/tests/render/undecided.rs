//! What is too noisy to tell takes nobody's time, and is called nothing else.

use tripline_model::{Caveat, Finding, Gate, Verdict};
use tripline_render::{Color, Detail, View, renderer};

use crate::canonical::session::paired;
use crate::canonical::{bench, report};

const OPEN: (Verdict, Gate) = (Verdict::Inconclusive, Gate::Pass);
const SAME: (Verdict, Gate) = (Verdict::Unchanged, Gate::Pass);

fn terminal(findings: Vec<Finding>, detail: Detail) -> String {
    let view = View::new(120, Color::Plain, detail);
    (renderer("terminal").unwrap().render)(&[report(findings)], &view)
}

/// Returns a finding of a benchmark that pairs could not decide.
fn open(name: &str, metric: &str) -> Finding {
    let mut finding = paired(&bench(name, &[]), metric, (1e6, 1.02, 0.1), OPEN);
    finding.caveats.push(Caveat::TooFewPairs { pairs: 9 });
    finding
}

fn same(name: &str, metric: &str) -> Finding {
    paired(&bench(name, &[]), metric, (1e6, 1.001, 0.01), SAME)
}

#[track_caller]
fn check_headline(findings: Vec<Finding>, expected: &str) {
    let text = terminal(findings, Detail::Brief);
    let headline = text.lines().next().unwrap();
    assert_eq!(headline, format!("PASS store: {expected}"), "{text}");
}

#[test]
fn the_headline_calls_nothing_unchanged_that_is_undecided() {
    check_headline(vec![open("a", "wall_time")], "1 benchmark undecided");
    check_headline(
        vec![open("a", "wall_time"), open("b", "wall_time")],
        "all 2 benchmarks undecided",
    );
    check_headline(
        vec![open("a", "wall_time"), same("b", "wall_time")],
        "1 unchanged, 1 undecided of 2 benchmarks",
    );
}

#[test]
fn a_benchmark_is_counted_by_what_is_decided() {
    for findings in [
        vec![open("a", "wall_time"), same("a", "cpu_time")],
        vec![same("a", "wall_time"), open("a", "cpu_time")],
    ] {
        check_headline(findings, "1 benchmark unchanged");
    }
}

#[test]
fn a_metric_without_a_direction_decides_nothing() {
    let mut explains = same("a", "wall_time");
    explains.metric.better = tripline_model::Better::Neither;
    check_headline(
        vec![explains, open("a", "cpu_time")],
        "1 benchmark undecided",
    );
}

#[test]
fn only_noise_is_nobodys_business() {
    let mut warned = open("a", "wall_time");
    warned.gate = Gate::Warn;
    let mut other_work = open("a", "wall_time");
    other_work.caveats.push(Caveat::AnswerMissing);
    let mut of_another_time = open("a", "wall_time");
    of_another_time.evidence.method = tripline_model::Method::BaselineOnly;
    for finding in [warned, other_work, of_another_time] {
        let text = terminal(vec![finding], Detail::Brief);
        assert!(text.contains("1 inconclusive of 1 benchmark"), "{text}");
        assert!(!text.contains("undecided"), "{text}");
    }
}

#[test]
fn one_line_says_how_many_and_no_footnote_does() {
    let names: Vec<String> = (0..60).map(|index| format!("bench_{index}")).collect();
    let findings: Vec<Finding> = names.iter().map(|name| open(name, "wall_time")).collect();
    let line = "60 benchmarks undecided: too noisy to tell, which fails nothing (show with --all)";
    let brief = terminal(findings.clone(), Detail::Brief);
    assert!(brief.contains(line), "{brief}");
    assert!(!brief.contains("too few"), "{brief}");
    let full = terminal(findings, Detail::Full);
    assert!(!full.contains("show with --all"), "{full}");
    assert!(full.contains("[1] 9 pairs are too few"), "{full}");
}
