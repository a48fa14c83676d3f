//! Thousands of rows: what is cut, what never is, and that nothing is ever too long.

use proptest::prelude::*;
use tripline_model::{
    Acceptance, BenchId, Caveat, Covers, FactValue, Failure, FailureKind, Finding, Gate,
    NAME_BYTES_MAX, Nature, Report, StepName, SuiteName, Verdict,
};
use tripline_render::{Color, Detail, Link, Links, View, annotations, check, renderer};

use crate::canonical::session::paired;
use crate::canonical::{bench, finding, report};
use crate::inert::markdown;

/// The characters a forge accepts in a comment, and what whoever posts adds.
const COMMENT_CHARS_MAX: usize = 65_536 - 600;

/// The bytes a step may write as its summary.
const SUMMARY_BYTES_MAX: usize = 1024 * 1024;

const FAIL: (Verdict, Gate) = (Verdict::Regressed, Gate::Fail);
const SAME: (Verdict, Gate) = (Verdict::Unchanged, Gate::Pass);

fn view(detail: Detail) -> View {
    View::new(100, Color::Plain, detail)
}

fn named(index: usize) -> BenchId {
    bench("a_benchmark_with_a_name", &[("index", &index.to_string())])
}

/// Returns three findings on a benchmark, of which the first says whether it got worse.
fn three(bench: &BenchId, is_worse: bool, ratio: f64) -> Vec<Finding> {
    let (head, answer) = if is_worse {
        (1e6 * ratio, FAIL)
    } else {
        (1e6, SAME)
    };
    ["instructions", "allocations", "wall_time"]
        .iter()
        .enumerate()
        .map(|(at, metric)| {
            finding(
                bench,
                metric,
                (Some(1e6), Some(head)),
                if at == 0 { answer } else { SAME },
            )
        })
        .collect()
}

/// Returns a report on five hundred benchmarks, of which the first few regressed.
fn large(regressed: usize) -> Report {
    let of_bench = |index| three(&named(index), index < regressed, 1.5);
    report((0..500).flat_map(of_bench).collect())
}

/// Returns a report on two thousand regressions in four groups of five, the worst in the middle.
fn flood() -> Report {
    let of_bench = |index: usize| {
        let name = format!("group_{}/part_{}::bench_{index}", index % 4, index % 5);
        let ratio = if index == 1_001 {
            1.9
        } else {
            1.05 + index as f64 / 1e5
        };
        three(&bench(&name, &[]), true, ratio)
    };
    report((0..2_000).flat_map(of_bench).collect())
}

fn rendered(name: &str, reports: &[Report]) -> String {
    (renderer(name).unwrap().render)(reports, &view(Detail::Brief))
}

/// Returns what stands outside the folds.
fn unfolded(text: &str) -> String {
    let sections = text.split("<details>");
    sections
        .map(|part| {
            part.split_once("</details>")
                .map_or(part, |(_, after)| after)
        })
        .collect()
}

fn regressed_rows(text: &str) -> usize {
    let rows = text.lines();
    rows.filter(|line| line.contains("regressed") && line.contains("bench_"))
        .count()
}

#[test]
fn a_terminal_shows_all_regressions_and_a_screen_of_the_rest() {
    let text = rendered("terminal", &[large(0)]);
    assert_eq!(text.lines().count(), 55, "{text}");
    assert!(
        text.ends_with("  … and 450 more benchmarks (show with --all)\n"),
        "{text}"
    );
    let names = |text: &str| text.lines().filter(|line| line.contains("a_bench")).count();
    assert_eq!(names(&rendered("terminal", &[large(300)])), 300);
    let all = (renderer("terminal").unwrap().render)(&[large(0)], &view(Detail::Full));
    assert_eq!(names(&all), 1_500);
}

#[test]
fn a_comment_stays_within_its_limit_and_keeps_all_regressions() {
    for regressed in [0, 10, 300, 500] {
        let text = rendered("comment", &[large(regressed)]);
        assert!(text.chars().count() <= COMMENT_CHARS_MAX, "{}", text.len());
        markdown(&text);
        let open = unfolded(&text);
        let rows = open
            .lines()
            .filter(|line| line.contains("**regressed**, fail"));
        assert_eq!(rows.count(), regressed, "{open}");
        assert!(
            text.contains("left out to stay within the size of a comment"),
            "{open}"
        );
    }
}

#[test]
fn of_what_did_not_change_one_line_a_benchmark_is_kept_where_there_is_room() {
    let text = rendered("comment", &[large(0)]);
    let (open, folds) = text.split_once("<details>").unwrap();
    assert!(!open.contains("a_benchmark_with_a_name"), "{open}");
    assert!(
        folds.contains("<summary>All 500 benchmarks</summary>"),
        "{folds}"
    );
    assert!(open.contains("1,500 findings more, left out"), "{open}");
}

#[test]
fn two_thousand_regressions_are_summarized_by_group_with_the_worst_by_name() {
    let links = Links {
        run: Link::new("https://acme.example/runs/42").ok(),
        ..Links::NONE
    };
    let view = View {
        links,
        ..view(Detail::Brief)
    };
    let text = (renderer("comment").unwrap().render)(&[flood()], &view);
    assert!(text.chars().count() <= COMMENT_CHARS_MAX, "{}", text.len());
    markdown(&text);
    assert!(
        text.starts_with("**FAIL store: all 2,000 benchmarks regressed**\n")
            || text.starts_with("**FAIL store: 2,000 regressed of 2,000 benchmarks**\n"),
        "{text}"
    );
    let rows: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("**regressed**, fail"))
        .collect();
    assert!(rows.len() > 100, "{}", rows.len());
    assert!(
        rows[0].contains("`group_1/part_1::bench_1001`"),
        "{}",
        rows[0]
    );
    let others = format!("{} rows more are worse", 2_000 - rows.len()).replacen('1', "1,", 1);
    assert!(text.contains(&others), "{others} in {text}");
    assert!(
        text.contains(
            "The whole table is in [the summary of the run](https://acme.example/runs/42)."
        ),
        "{text}"
    );
    // What is not shown is counted, each once.
    let groups = text.lines().filter(|line| line.starts_with("| `group_"));
    let groups = groups.filter(|line| !line.contains("**regressed**"));
    let counts = groups.filter_map(|line| {
        line.split(" regressed")
            .next()?
            .rsplit("| ")
            .next()?
            .parse::<usize>()
            .ok()
    });
    let counts: Vec<usize> = counts.collect();
    assert_eq!(counts.len(), 20, "{text}");
    assert_eq!(counts.iter().sum::<usize>() + rows.len(), 2_000);
}

#[test]
fn names_of_nothing_in_common_are_one_group() {
    let of_bench = |index: usize| three(&bench(&format!("bench_{index}"), &[]), true, 1.5);
    let text = rendered(
        "comment",
        &[report((0..2_000).flat_map(of_bench).collect())],
    );
    assert!(text.chars().count() <= COMMENT_CHARS_MAX, "{}", text.len());
    let all = text
        .lines()
        .find(|line| line.starts_with("| all "))
        .unwrap();
    assert!(all.contains(" regressed "), "{all}");
    assert!(
        text.contains("The whole table: `tripline render --format summary`."),
        "{text}"
    );
}

#[test]
fn a_summary_holds_everything_as_long_as_it_can() {
    let text = rendered("summary", &[flood()]);
    assert!(text.len() <= SUMMARY_BYTES_MAX, "{}", text.len());
    assert_eq!(regressed_rows(&unfolded(&text)), 2_000);
    assert!(!text.contains("left out"));
    let five_thousand = |index| three(&named(index), index < 3, 1.5);
    let text = rendered(
        "summary",
        &[report((0..5_000).flat_map(five_thousand).collect())],
    );
    assert!(text.len() <= SUMMARY_BYTES_MAX, "{}", text.len());
    assert!(text.contains("left out to stay within the size of a summary"));
}

#[test]
fn several_large_suites_share_one_comment() {
    let reports = [large(0), large(5), large(0), flood()];
    let text = rendered("comment", &reports);
    assert!(text.chars().count() <= COMMENT_CHARS_MAX, "{}", text.len());
    // The few of one suite are whole, however many another one has.
    let rows = text
        .lines()
        .filter(|line| line.contains("a_bench") && line.contains("**regressed**, fail"));
    assert!(rows.count() >= 5);
}

#[test]
fn suites_beyond_the_room_are_counted() {
    let of_suite = |index: usize| {
        let mut report = report(three(&named(index), true, 1.5));
        report.suite = SuiteName::new(format!("suite-{index}")).unwrap();
        report
    };
    let reports: Vec<Report> = (0..1_000).map(of_suite).collect();
    let text = rendered("comment", &reports);
    assert!(text.chars().count() <= COMMENT_CHARS_MAX, "{}", text.len());
    let shown = text
        .lines()
        .filter(|line| line.starts_with("**FAIL suite-"))
        .count();
    assert!(shown > 50, "{shown}");
    assert!(
        text.contains(&format!("… and {} suites more", 1_000 - shown)),
        "{shown}"
    );
}

#[test]
fn what_holds_for_every_benchmark_is_not_said_five_hundred_times() {
    let mut report = large(3);
    for finding in report.findings.iter_mut().filter(|f| f.gate == Gate::Pass) {
        finding.verdict = Verdict::Inconclusive;
    }
    for name in ["terminal", "comment"] {
        let text = rendered(name, std::slice::from_ref(&report));
        assert!(text.contains("447"), "{text}");
    }
}

#[test]
fn what_is_undecided_drowns_nothing() {
    let of_bench = |index: usize| {
        if index < 3 {
            return paired(&named(index), "cpu_time", (1e6, 1.1, 0.01), FAIL);
        }
        let open = (Verdict::Inconclusive, Gate::Pass);
        let mut finding = paired(&named(index), "cpu_time", (1e6, 1.1, 0.3), open);
        // Each says something else, so each would have a footnote of its own.
        let pairs_needed = 1_000 + u32::try_from(index).unwrap();
        finding.caveats.push(Caveat::CannotGate {
            detectable: 0.72,
            pairs_needed,
        });
        finding
    };
    let report = report((0..500).map(of_bench).collect());
    for name in ["terminal", "comment"] {
        let text = rendered(name, std::slice::from_ref(&report));
        assert!(text.chars().count() <= COMMENT_CHARS_MAX, "{}", text.len());
        let open = unfolded(&text);
        assert!(open.contains("497 benchmarks undecided"), "{open}");
        assert!(!open.contains("pairs would be needed"), "{open}");
    }
}

#[test]
fn notes_on_thousands_are_in_order() {
    let notes = annotations(&[flood()], &view(Detail::Brief));
    assert_eq!(notes.len(), 2_000);
    assert!(notes[0].title.contains("bench_1001"), "{}", notes[0].title);
}

/// Returns a report whose every text is as long as may be, or longer.
fn bloated(benches: usize, length: usize, others: usize) -> Report {
    let long = "ä`|".repeat(length);
    let name = |index: usize| {
        let mut name = format!("{index}{long}");
        name.truncate(name.floor_char_boundary(NAME_BYTES_MAX));
        name
    };
    let mut findings: Vec<Finding> = (0..benches)
        .flat_map(|index| {
            three(
                &bench(&name(index), &[("a", &name(1)), ("b", &name(2))]),
                index % 2 == 0,
                1.5,
            )
        })
        .collect();
    for (index, finding) in findings.iter_mut().enumerate() {
        let because = format!("{index}{long}");
        finding.acceptance = Some(Acceptance {
            who: long.clone(),
            because,
            from: 1.0,
            to: 2.0,
            covers: Covers::Change,
            commit: None,
            environment: None,
        });
    }
    let mut report = report(findings);
    let mut fact = long.clone();
    fact.truncate(fact.floor_char_boundary(4_000));
    if let Ok(what) = FactValue::new(&fact) {
        for fact in ["libc", "valgrind", "target", "rustc", "profile"] {
            report
                .head
                .environment
                .state(tripline_model::FactName::new(fact).unwrap(), what.clone());
        }
        let base = &report.base.as_ref().unwrap().environment;
        let facts = base.differences_that_matter(&report.head.environment, Nature::Exact);
        let caveats = [
            Caveat::EnvironmentDiffers(facts),
            Caveat::CanaryFailed { what },
        ];
        report.caveats = caveats.into_iter().cycle().take(others).collect();
    }
    let mut failure = Failure::new(
        StepName::new("counts").unwrap(),
        FailureKind::Build,
        None,
        "",
    );
    failure.tail = format!("{long}\n").repeat(30);
    failure.detail = Some(failure.tail.clone());
    report.failures = vec![failure; others];
    report
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn nothing_makes_a_page_too_long(
        suites in 1_usize..4, benches in 0_usize..24, length in 0_usize..200, others in 0_usize..16,
    ) {
        let reports = vec![bloated(benches, length, others); suites];
        let comment = rendered("comment", &reports);
        prop_assert!(comment.len() <= COMMENT_CHARS_MAX, "{}", comment.len());
        markdown(&comment);
        let check = check(&reports, &view(Detail::Brief));
        prop_assert!(check.title.chars().count() <= 255);
        for text in [&check.summary, &check.text] {
            prop_assert!(text.chars().count() <= 65_535, "{}", text.len());
        }
        prop_assert!(rendered("summary", &reports).len() <= SUMMARY_BYTES_MAX);
    }
}
