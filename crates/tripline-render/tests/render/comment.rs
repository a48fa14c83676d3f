//! What only a comment says: that something is fixed, where more is, and what differs around the code.

use tripline_model::{
    Better, Budget, Gate, Method, Metric, MetricName, Nature, Report, Unit, Verdict,
};
use tripline_render::{Before, Color, Detail, Taking, View, check, renderer};

use crate::canonical::{self, bench, finding, report};

const NEWS: &str = "what failed before is fixed";

fn canonical(case: &str) -> Vec<Report> {
    canonical::all()
        .into_iter()
        .find(|(name, _)| *name == case)
        .unwrap()
        .1
}

fn after(before: Before, reports: &[Report]) -> String {
    let view = View {
        before,
        ..View::new(80, Color::Plain, Detail::Brief)
    };
    (renderer("comment").unwrap().render)(reports, &view)
}

#[track_caller]
fn first_line(before: Before, case: &str) -> String {
    after(before, &canonical(case))
        .lines()
        .next()
        .unwrap()
        .to_owned()
}

#[test]
fn a_comment_that_can_be_answered_says_how_and_names_its_report() {
    let reports = canonical("one_regression");
    let told = |taking| {
        let view = View {
            taking,
            ..View::new(80, Color::Plain, Detail::Brief)
        };
        (renderer("comment").unwrap().render)(&reports, &view)
    };
    let command = "`/tripline accept <benchmark> --report 42 because <why>`";
    let told_of_comment = told(Taking::ByComment(42));
    assert!(told_of_comment.contains(command), "{told_of_comment}");
    assert!(!told_of_comment.contains("tripline baseline accept"));
    let told_of_program = told(Taking::ByProgram);
    assert!(told_of_program.contains("`tripline baseline accept <benchmark>"));
    assert!(!told_of_program.contains("/tripline"));
}

#[test]
fn what_was_red_and_is_not_any_more_is_fixed() {
    assert!(first_line(Before::Red, "all_unchanged").ends_with(&[NEWS, "**"].concat()));
    assert!(first_line(Before::Red, "removed").contains(NEWS));
    for before in [Before::Nothing, Before::Green] {
        assert!(!first_line(before, "all_unchanged").contains(NEWS));
    }
}

#[test]
fn what_is_still_red_is_not_fixed() {
    for case in [
        "one_regression",
        "mixed",
        "broken_head",
        "several_suites",
        "nothing_judged",
        "failed_canary",
    ] {
        assert!(!first_line(Before::Red, case).contains("fixed"), "{case}");
    }
}

#[test]
fn what_was_accepted_is_not_said_to_be_fixed() {
    let mut reports = canonical("accepted");
    reports[0]
        .findings
        .retain(|finding| finding.gate == Gate::Pass);
    let text = after(Before::Red, &reports);
    let expected = "**PASS store: 2 accepted, 1 unchanged of 3 benchmarks; what failed before is fixed or accepted**";
    assert_eq!(text.lines().next(), Some(expected));
}

#[test]
fn ratios_and_limits_are_named_although_nothing_is_the_matter() {
    let of_bench = |index: usize| {
        let same = (Verdict::Unchanged, Gate::Pass);
        let get = bench(&format!("get_{index}"), &[]);
        let mut ratio = finding(&get, "wall_time", (Some(1.5), Some(1.51)), same);
        ratio.metric = Metric {
            name: MetricName::new("degradation").unwrap(),
            unit: Unit::Ratio,
            better: Better::Lower,
            nature: Nature::Summarized,
        };
        ratio.evidence.method = Method::Paired;
        let mut limited = finding(&get, "instructions", (Some(7e4), Some(7e4)), same);
        limited.evidence.budget = Some(Budget {
            min: Some(5e4),
            max: Some(9e4),
        });
        [limited, ratio]
    };
    let text = after(
        Before::Nothing,
        &[report((0..2).flat_map(of_bench).collect())],
    );
    let (open, _) = text.split_once("<details>").unwrap();
    assert!(open.contains("Ratios and limits:"), "{open}");
    assert_eq!(open.matches("`degradation`").count(), 2 + 1, "{open}");
    assert_eq!(
        open.matches("unchanged, within min 50,000, max 90,000")
            .count(),
        2,
        "{open}"
    );
    let text = after(
        Before::Nothing,
        &[report((0..30).flat_map(of_bench).collect())],
    );
    assert!(
        text.contains("… and 40 ratios and limits more, left out"),
        "{text}"
    );
}

#[test]
fn a_check_is_the_comment_in_three_parts() {
    let view = View::new(80, Color::Plain, Detail::Brief);
    for (case, reports) in canonical::all() {
        let check = check(&reports, &view);
        let comment = after(Before::Nothing, &reports);
        let gap = if check.text.is_empty() { "" } else { "\n" };
        assert_eq!(
            [&check.summary, gap, &check.text].concat(),
            comment,
            "{case}"
        );
        assert_eq!(
            check.summary.lines().next(),
            Some(format!("**{}**", check.title).as_str()),
            "{case}"
        );
    }
}
