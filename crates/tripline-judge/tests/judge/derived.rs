//! Derived metrics: which benchmarks their terms mean, what they come to, and that they are judged as any other.

use proptest::prelude::*;
use tripline_judge::{Policy, formed, judge};
use tripline_model::{Caveat, Finding, Nature, Run};

use crate::build::{failure, run};
use crate::table::{derived, deriving, finding, found, including, lines, many, one};

fn error(head: &Run, policy: &Policy) -> String {
    judge(None, head, policy).unwrap_err().to_string()
}

/// The value of one derived metric in a run that is judged alone.
fn value(head: &Run, expression: &str, unit: &str) -> Vec<String> {
    let found = found(None, head, &deriving(expression, unit), "it");
    let value = |line: &String| line.split_once(':').unwrap().0.to_owned();
    found.iter().map(value).collect()
}

#[test]
fn what_no_term_mentions_is_held_equal() {
    let head = run([
        one("set{bytes=64,streams=1}", "instructions", &[100.0, 100.0]),
        one("set{bytes=64,streams=4}", "instructions", &[50.0, 50.0]),
        one("set{bytes=9,streams=1}", "instructions", &[30.0]),
        one("set{bytes=9,streams=4}", "instructions", &[10.0]),
        one("get{bytes=64,streams=1}", "instructions", &[8.0]),
        one("get{bytes=64,streams=4}", "instructions", &[8.0]),
        // It is of no pair, so it has no value.
        one("get{bytes=9,streams=4}", "instructions", &[8.0]),
    ]);
    let by_streams = "instructions{streams=1} / instructions{streams=4}";
    assert_eq!(
        value(&head, by_streams, "ratio"),
        ["get{bytes=64} 1", "set{bytes=9} 3", "set{bytes=64} 2"]
    );
    let by_name = "set:instructions / get:instructions";
    assert_eq!(
        value(&head, by_name, "ratio"),
        [
            "it{bytes=9,streams=4} 1.25",
            "it{bytes=64,streams=1} 12.5",
            "it{bytes=64,streams=4} 6.25"
        ]
    );
    let by_both = "set:instructions{bytes=64} / instructions{bytes=9}";
    assert_eq!(
        value(&head, by_both, "ratio"),
        [
            "get{streams=4} 6.25",
            "set{streams=1} 3.3333333333333335",
            "set{streams=4} 5"
        ]
    );
}

/// A history is computed by the same definition: of other values, and no number where there is none.
#[test]
fn what_a_metric_is_computed_from_is_known_and_computed_again() {
    let head = run([
        one("set{bytes=64,streams=1}", "instructions", &[100.0]),
        one("set{bytes=64,streams=4}", "instructions", &[50.0]),
        one("set{bytes=9,streams=1}", "instructions", &[30.0]),
    ]);
    let policy = deriving("instructions{streams=1} / instructions{streams=4}", "ratio");
    let formed = formed(&head, &policy);
    assert_eq!(formed.len(), 1);
    assert_eq!(formed[0].bench.within_suite(), "set{bytes=64}");
    let terms = formed[0].terms.iter();
    let terms: Vec<String> = terms
        .map(|(bench, metric)| format!("{metric} of {}", bench.within_suite()))
        .collect();
    assert_eq!(
        terms,
        [
            "instructions of set{bytes=64,streams=1}",
            "instructions of set{bytes=64,streams=4}"
        ]
    );
    assert_eq!(formed[0].value(&[100.0, 50.0]), Some(2.0));
    assert_eq!(formed[0].value(&[30.0, 40.0]), Some(0.75));
    assert_eq!(formed[0].value(&[1.0, 0.0]), None);
}

#[test]
fn a_metric_of_the_same_benchmark_stands_beside_the_others() {
    let head = run([many(
        "get",
        &[
            ("instructions", &[1_000.0]),
            ("allocations", &[10.0]),
            ("allocated_bytes", &[640.0]),
        ],
    )]);
    assert_eq!(
        value(&head, "instructions / allocations", "ratio"),
        ["get 100"]
    );
    assert_eq!(
        value(&head, "allocated_bytes / allocations", "B"),
        ["get 64"]
    );
    assert_eq!(
        value(&head, "2 * (allocated_bytes - allocated_bytes / 4)", "B"),
        ["get 960"]
    );
}

#[test]
fn units_that_go_together_are_converted() {
    let head = run([many(
        "get",
        &[("wall_time", &[100.0, 300.0]), ("allocated_bytes", &[50.0])],
    )]);
    let values = value(&head, "allocated_bytes / wall_time", "B/s");
    assert_eq!(values.len(), 1);
    let number: f64 = values[0].strip_prefix("get ").unwrap().parse().unwrap();
    assert!((number - 2.5e8).abs() < 1.0, "{number}");
}

#[test]
fn what_does_not_fit_is_refused_with_what_is_meant() {
    let head = run([
        one("stream{streams=1}", "ops", &[5.0]),
        one("stream{streams=4}", "ops", &[2.0]),
        one("noop", "ops", &[2.0]),
        one("noop{bytes=1}", "wall_time", &[2.0]),
    ]);
    let said = |expression: &str, unit: &str| {
        let error = error(&head, &deriving(expression, unit));
        let start = "the derived metric `it` cannot be computed: ";
        error.strip_prefix(start).unwrap_or(&error).to_owned()
    };
    for (expression, unit, wanted) in [
        (
            "opps{streams=1} / ops{streams=4}",
            "ratio",
            "`opps{streams=1}` is nothing that was measured; most like it: `ops`, `wall_time`",
        ),
        (
            "ops{streams=1} / ops{streams=5}",
            "ratio",
            "`ops{streams=5}` is nothing that was measured; most like it: `stream{streams=1}`, `stream{streams=4}`, `noop`",
        ),
        (
            "ops{streams=1} / stream:ops",
            "ratio",
            "`stream:ops` means both `stream{streams=1}` and `stream{streams=4}`; say which by its params",
        ),
        (
            "stream:ops{streams=1} * noop:wall_time",
            "ratio",
            "no params are common to all of its terms: `stream:ops{streams=1}` is measured as `stream{streams=1}`, `noop:wall_time` is measured as `noop{bytes=1}`",
        ),
        (
            "ops{streams=1} / ops{streams=4}",
            "ns",
            "its value is in ratio, and its unit is said to be ns",
        ),
        (
            "ops{streams=1} - 1",
            "1/s",
            "it adds or subtracts 1 / ns and ratio",
        ),
    ] {
        assert_eq!(said(expression, unit), wanted, "{expression}");
    }
    let twice = deriving("stream:ops{streams=1}", "1/s")
        .with_derived(vec![derived("it", "noop:ops", "1/s")], Vec::new());
    assert_eq!(
        error(&head, &twice),
        "the derived metric `it` cannot be computed: another derived metric has this name"
    );
    let taken =
        Policy::standard().with_derived(vec![derived("ops", "wall_time", "ns")], Vec::new());
    assert_eq!(
        error(&head, &taken),
        "the derived metric `ops` cannot be computed: a metric of this name was measured too; give it another name"
    );
}

#[test]
fn an_operator_without_blanks_is_named_where_the_name_it_makes_was_not_measured() {
    let head = run([
        one("stream{streams=1}", "ops", &[5.0]),
        many("noop", &[("ops", &[2.0]), ("wall_time", &[2.0])]),
    ]);
    for (expression, hint) in [
        ("noop:ops/stream:ops{streams=1}", Some('/')),
        ("ops-wall_time", Some('-')),
        ("ops{streams=1/4}", None),
        ("kv/noop:ops", None),
    ] {
        let said = error(&head, &deriving(expression, "1/s"));
        let hint = hint.map_or_else(String::new, |operator| {
            format!(" (put blanks around `{operator}` if it is an operator: names may hold it)")
        });
        let wanted = format!("`{expression}` is nothing that was measured{hint}; most like it: ");
        assert!(said.contains(&wanted), "{said}");
    }
}

#[test]
fn an_optional_metric_is_left_out_where_its_terms_were_not_measured_and_nowhere_else() {
    let head = run([one("ours", "ops", &[6.0]), one("theirs", "ops", &[3.0])]);
    let optional = |expression: &str, unit: &str| {
        let derived = derived("it", expression, unit).optional(true);
        Policy::standard().with_derived(vec![derived], Vec::new())
    };
    let found = |policy: &Policy| {
        let report = judge(None, &head, policy).unwrap();
        let of_it = (report.findings.iter()).filter(|f| f.metric.name.as_str() == "it");
        of_it.count()
    };
    assert_eq!(found(&optional("ours:ops / theirs:ops", "ratio")), 1);
    assert_eq!(found(&optional("ours:ops / others:ops", "ratio")), 0);
    assert_eq!(
        error(&head, &optional("ours:ops / theirs:ops", "ns")),
        "the derived metric `it` cannot be computed: its value is in ratio, and its unit is said to be ns"
    );
}

#[test]
fn terms_that_include_different_work_are_not_divided() {
    let head = run([
        one("sign", "instructions", &[900.0]),
        one("verify", "instructions", &[300.0]),
        one("hash", "instructions", &[100.0]),
    ]);
    let inclusions = vec![
        including("sign", "key generation"),
        including("*i*", "encoding"),
    ];
    let policy = |expression: &str| {
        Policy::standard()
            .with_derived(vec![derived("it", expression, "ratio")], inclusions.clone())
    };
    assert_eq!(
        error(&head, &policy("sign:instructions / verify:instructions")),
        "the derived metric `it` cannot be computed: its terms include different work: `sign:instructions` includes encoding and key generation, `verify:instructions` includes encoding"
    );
    assert_eq!(
        error(&head, &policy("hash:instructions + verify:instructions")),
        "the derived metric `it` cannot be computed: its terms include different work: `hash:instructions` includes nothing of the kind, `verify:instructions` includes encoding"
    );
    judge(None, &head, &policy("2 * sign:instructions")).unwrap();
}

#[test]
fn a_base_may_be_older_than_a_definition_and_a_failed_head_may_lack_terms() {
    let whole = || {
        run([
            one("a", "instructions", &[9.0]),
            one("b", "instructions", &[3.0]),
        ])
    };
    let half = || run([one("a", "instructions", &[9.0])]);
    let policy = deriving("a:instructions / b:instructions", "ratio");
    assert_eq!(
        found(Some(&half()), &whole(), &policy, "it"),
        ["it 3: added"]
    );
    assert!(judge(Some(&half()), &half(), &policy).is_err());
    let mut failed = half();
    failed.failures.push(failure());
    assert_eq!(
        found(Some(&whole()), &failed, &policy, "it"),
        ["it nothing: broken fail step-failed"]
    );
    // A mistake in a definition is not excused by a failure.
    let wrong = deriving("a:instructions - 1", "ns");
    assert!(judge(Some(&whole()), &failed, &wrong).is_err());
}

#[test]
fn what_lost_a_term_is_removed_with_the_reason_and_keeps_nothing_from_being_judged() {
    let base = run([
        one("a{n=1}", "instructions", &[9.0]),
        one("a{n=2}", "instructions", &[8.0]),
        one("b{n=1}", "instructions", &[3.0]),
        one("b{n=2}", "instructions", &[4.0]),
    ]);
    let policy = deriving("a:instructions / b:instructions", "ratio");
    let with = |rest: &[&str]| {
        let of_rest = rest.iter().map(|bench| one(bench, "instructions", &[4.0]));
        let of_a = ["a{n=1}", "a{n=2}"].map(|bench| one(bench, "instructions", &[8.0]));
        run(of_a.into_iter().chain(of_rest))
    };
    let gone = judge(Some(&base), &with(&[]), &policy).unwrap();
    assert_eq!(
        lines(&gone, "it"),
        [
            "it{n=1} nothing: removed warn term-missing",
            "it{n=2} nothing: removed warn term-missing"
        ]
    );
    let of_it = gone
        .findings
        .iter()
        .filter(|f| f.metric.name.as_str() == "it");
    let said: Vec<String> = of_it.map(|finding| finding.caveats[0].text()).collect();
    assert_eq!(
        said,
        [
            "it is computed from kv/b{n=1} instructions, which the head lacks",
            "it is computed from kv/b{n=2} instructions, which the head lacks"
        ]
    );
    assert_eq!(
        lines(&gone, "instructions")[2..],
        [
            "b{n=1} nothing: removed warn",
            "b{n=2} nothing: removed warn"
        ]
    );
    // What is left is computed still, and other params are not what was removed.
    assert_eq!(
        found(Some(&base), &with(&["b{n=2}"]), &policy, "it"),
        [
            "it{n=1} nothing: removed warn term-missing",
            "it{n=2} 2: unchanged"
        ]
    );
    assert_eq!(
        found(Some(&base), &with(&["b{n=3}"]), &policy, "it"),
        [
            "it{n=1} nothing: removed warn term-missing",
            "it{n=2} nothing: removed warn term-missing"
        ]
    );
    // One that may be left out needs no reason.
    let optional = derived("it", "a:instructions / b:instructions", "ratio").optional(true);
    let optional = Policy::standard().with_derived(vec![optional], Vec::new());
    assert_eq!(
        found(Some(&base), &with(&["b{n=2}"]), &optional, "it"),
        ["it{n=1} nothing: removed warn", "it{n=2} 2: unchanged"]
    );
}

#[test]
fn what_had_no_value_in_the_base_was_there_and_can_be_removed() {
    let policy = deriving("a:instructions / b:instructions", "ratio");
    let zeros = ["a", "b"].map(|bench| one(bench, "instructions", &[0.0]));
    let head = run([one("a", "instructions", &[8.0])]);
    let report = judge(Some(&run(zeros)), &head, &policy).unwrap();
    assert_eq!(lines(&report, "instructions")[1], "b nothing: removed warn");
}

#[test]
fn exact_terms_give_an_exact_metric() {
    let policy = deriving("a:instructions / b:instructions", "ratio");
    let of = |a: &[f64], b: &[f64]| run([one("a", "instructions", a), one("b", "instructions", b)]);
    let base = of(&[1_000.0, 1_000.0], &[500.0, 500.0]);
    let report = judge(Some(&base), &of(&[1_000.0, 1_000.0], &[500.0]), &policy).unwrap();
    assert_eq!(lines(&report, "it"), ["it 2: unchanged"]);
    let found = |head: &Run| found(Some(&base), head, &policy, "it");
    assert_eq!(
        found(&of(&[1_020.0, 1_020.0], &[500.0])),
        ["it 2.04: regressed fail"]
    );
    assert_eq!(found(&of(&[980.0], &[500.0])), ["it 1.96: improved"]);
    // Repeats that differ make the ratio as little deterministic as its terms.
    assert_eq!(
        found(&of(&[1_000.0, 1_020.0], &[500.0, 500.0])),
        ["it 2.02: inconclusive not-deterministic"]
    );
}

/// The interval that stands in a report for a derived metric.
fn interval(head: &Run, policy: &Policy) -> (f64, f64, f64) {
    let report = judge(None, head, policy).unwrap();
    let it = finding(&report, "it");
    let summary = it.evidence.head.unwrap();
    (summary.low, summary.center, summary.high)
}

#[test]
fn without_rounds_the_value_is_that_of_the_means_with_its_interval() {
    let a: Vec<f64> = (0..20).map(|i| 100.0 + f64::from(i % 5)).collect();
    let b: Vec<f64> = (0..20).map(|i| 50.0 + f64::from(i % 3)).collect();
    let head = run([one("a", "wall_time", &a), one("b", "wall_time", &b)]);
    let of = |text: &str| {
        let unit = if text.contains("(2 + 3)") {
            "ns"
        } else {
            "ratio"
        };
        interval(&head, &deriving(text, unit))
    };
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let ratio = mean(&a) / mean(&b);
    let expected = tripline_judge::stats::ratio::unpaired(&a, &b, 0.99).unwrap();
    assert_eq!(
        of("a:wall_time / b:wall_time"),
        (expected.low, ratio, expected.high)
    );
    let (low, value, high) = of("3 * a:wall_time / (b:wall_time * 1.5)");
    for (number, wanted) in [(low, expected.low), (value, ratio), (high, expected.high)] {
        assert!(
            (number / wanted / 2.0 - 1.0).abs() < 1e-12,
            "{number} is not twice {wanted}"
        );
    }
    // What cancels leaves no doubt.
    assert_eq!(of("a:wall_time / a:wall_time"), (1.0, 1.0, 1.0));
    assert!(of("a:wall_time / (2 + 3)").0 < mean(&a) / 5.0);
    // Any other expression has the widest interval that its terms allow.
    let (low, value, high) = of("(a:wall_time + b:wall_time) / b:wall_time");
    assert!((value - ratio - 1.0).abs() < 1e-12);
    assert!(low < expected.low + 1.0 && high > expected.high + 1.0 && high < 1.2 * value);
}

#[test]
fn a_denominator_that_may_be_zero_leaves_no_bounds() {
    let policy = deriving("a:wall_time / b:wall_time", "ratio");
    let head = run([
        one("a", "wall_time", &[10.0, 11.0, 12.0]),
        one("b", "wall_time", &[0.0, 0.0, 90.0]),
    ]);
    let found = |base: Option<&Run>, head: &Run| found(base, head, &policy, "it");
    assert_eq!(
        found(None, &head),
        ["it 0.36666666666666664: added unbounded-ratio"]
    );
    assert_eq!(
        found(Some(&head), &head),
        ["it 0.36666666666666664: inconclusive unbounded-ratio"]
    );
    let zero = run([
        one("a", "wall_time", &[10.0, 11.0]),
        one("b", "wall_time", &[0.0, 0.0]),
    ]);
    assert_eq!(
        found(None, &zero),
        ["it nothing: inconclusive warn no-number"]
    );
    assert_eq!(
        found(Some(&head), &zero),
        ["it nothing: inconclusive warn no-number"]
    );
    // A part that is more than the whole leaves nothing that a time can be.
    let policy = deriving("a:wall_time - b:wall_time", "ns");
    let more = run([
        one("a", "wall_time", &[10.0, 11.0]),
        one("b", "wall_time", &[20.0, 21.0]),
    ]);
    let report = judge(None, &more, &policy).unwrap();
    let of_it = |f: &&Finding| f.metric.name.as_str() == "it";
    let finding = report.findings.iter().find(of_it).unwrap();
    assert_eq!(finding.caveats, [Caveat::NoNumber]);
}

#[test]
fn a_term_that_was_taken_once_says_nothing_of_its_noise() {
    let head = run([
        one("a", "wall_time", &[10.0]),
        one("b", "wall_time", &[4.0, 6.0]),
    ]);
    let found = |expression: &str| found(None, &head, &deriving(expression, "ratio"), "it");
    assert_eq!(
        found("a:wall_time / b:wall_time"),
        ["it 2: added single-sample"]
    );
    let summarized = run([
        one("a", "mean_time", &[10.0]),
        one("b", "mean_time", &[4.0]),
    ]);
    let policy = deriving("a:mean_time / b:mean_time", "ratio");
    assert_eq!(
        crate::table::found(None, &summarized, &policy, "it"),
        ["it 2.5: added"]
    );
}

proptest! {
    /// Whatever was measured, a derived metric never loses or changes a finding on what was measured.
    #[test]
    fn what_was_measured_is_judged_the_same(
        base in crate::generate::any_run(),
        head in crate::generate::any_run(),
        expression in prop::sample::select(vec![
            "instructions / allocations",
            "wall_time + wall_time",
            "2 * wall_time{bytes=64} / wall_time",
            "instructions - 100",
        ]),
    ) {
        prop_assume!(!head.is_empty() || !head.failures.is_empty());
        let plain = judge(Some(&base), &head, &Policy::standard()).unwrap();
        let unit = if expression.starts_with("wall") { "ns" } else { "ratio" };
        if let Ok(report) = judge(Some(&base), &head, &deriving(expression, unit)) {
            let rest: Vec<_> = report.findings.iter().filter(|f| f.metric.name.as_str() != "it").collect();
            prop_assert_eq!(rest.len(), plain.findings.len());
            for (one, other) in rest.into_iter().zip(&plain.findings) {
                prop_assert_eq!((&one.bench, &one.metric), (&other.bench, &other.metric));
                prop_assert_eq!(one.evidence.head, other.evidence.head);
                if one.metric.nature == Nature::Exact {
                    // Times are asked for more where more is judged together.
                    prop_assert_eq!((one.verdict, one.gate), (other.verdict, other.gate));
                    prop_assert_eq!(&one.caveats, &other.caveats);
                }
            }
            let sorted: Vec<_> = report.findings.iter().map(|f| (&f.bench, f.metric.rank())).collect();
            prop_assert!(sorted.is_sorted());
        }
    }
}
