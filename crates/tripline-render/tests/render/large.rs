//! Five hundred benchmarks: what is cut, and what never is.

use tripline_model::{Caveat, Finding, Gate, Report, Verdict};
use tripline_render::{Color, Detail, View, renderer};

use crate::canonical::session::paired;
use crate::canonical::{bench, finding, report};

/// The characters GitHub accepts in a comment.
const COMMENT_CHARS_MAX: usize = 65_536;

/// Returns a report on five hundred benchmarks, of which the first few regressed.
fn large(regressed: usize) -> Report {
    let of_bench = |index: usize| -> Vec<Finding> {
        let bench = bench("a_benchmark_with_a_name", &[("index", &index.to_string())]);
        let answer = if index < regressed {
            (Verdict::Regressed, Gate::Fail)
        } else {
            (Verdict::Unchanged, Gate::Pass)
        };
        let same = (Verdict::Unchanged, Gate::Pass);
        let values = (Some(1e6), Some(if index < regressed { 1.5e6 } else { 1e6 }));
        ["instructions", "allocations", "wall_time"]
            .iter()
            .enumerate()
            .map(|(at, metric)| {
                finding(&bench, metric, values, if at == 0 { answer } else { same })
            })
            .collect()
    };
    report((0..500).flat_map(of_bench).collect())
}

fn rendered(name: &str, regressed: usize, detail: Detail) -> String {
    let view = View {
        width: 100,
        color: Color::Plain,
        detail,
    };
    (renderer(name).unwrap().render)(&[large(regressed)], &view)
}

fn regressed_rows(text: &str) -> usize {
    text.lines()
        .filter(|line| line.contains("regressed") && line.contains("a_bench"))
        .count()
}

#[test]
fn a_terminal_shows_all_regressions_and_a_screen_of_the_rest() {
    let text = rendered("terminal", 0, Detail::Brief);
    assert_eq!(text.lines().count(), 55, "{text}");
    assert!(
        text.ends_with("  … and 450 more benchmarks (show with --all)\n"),
        "{text}"
    );
    assert_eq!(
        regressed_rows(&rendered("terminal", 300, Detail::Brief)),
        300
    );
    let all = rendered("terminal", 0, Detail::Full);
    assert_eq!(
        all.lines().filter(|line| line.contains("a_bench")).count(),
        1_500
    );
}

#[test]
fn a_comment_stays_within_its_limit_and_keeps_all_regressions() {
    for regressed in [0, 10, 300] {
        let text = rendered("markdown", regressed, Detail::Brief);
        assert!(text.chars().count() < COMMENT_CHARS_MAX, "{}", text.len());
        assert!(regressed_rows(&text) >= regressed, "{regressed}");
        assert!(text.contains("left out to stay within the size of a comment"));
        let opened = text.matches("<details>").count();
        assert_eq!(opened, text.matches("</details>").count());
    }
}

#[test]
fn the_details_of_markdown_leave_nothing_out() {
    let text = rendered("markdown", 10, Detail::Full);
    assert!(!text.contains("left out"));
    assert_eq!(text.matches("a_benchmark_with_a_name").count(), 1_510);
}

#[test]
fn several_large_suites_share_one_comment() {
    let view = View {
        width: 100,
        color: Color::Plain,
        detail: Detail::Brief,
    };
    let reports = [large(0), large(5), large(0)];
    let text = (renderer("markdown").unwrap().render)(&reports, &view);
    assert!(text.chars().count() < COMMENT_CHARS_MAX, "{}", text.len());
}

#[test]
fn what_holds_for_every_benchmark_is_not_said_five_hundred_times() {
    let mut report = large(3);
    for finding in report.findings.iter_mut().filter(|f| f.gate == Gate::Pass) {
        finding.verdict = Verdict::Inconclusive;
    }
    let view = View {
        width: 100,
        color: Color::Plain,
        detail: Detail::Brief,
    };
    for name in ["terminal", "markdown"] {
        let text = (renderer(name).unwrap().render)(std::slice::from_ref(&report), &view);
        assert!(regressed_rows(&text) >= 3);
        assert!(text.contains("447"), "{text}");
    }
}

#[test]
fn what_is_undecided_drowns_nothing() {
    let of_bench = |index: usize| {
        let bench = bench("a_benchmark_with_a_name", &[("index", &index.to_string())]);
        if index < 3 {
            return paired(
                &bench,
                "cpu_time",
                (1e6, 1.1, 0.01),
                (Verdict::Regressed, Gate::Fail),
            );
        }
        let open = (Verdict::Inconclusive, Gate::Pass);
        let mut finding = paired(&bench, "cpu_time", (1e6, 1.1, 0.3), open);
        // Each says something else, so each would have a footnote of its own.
        let pairs_needed = 1_000 + u32::try_from(index).unwrap();
        finding.caveats.push(Caveat::CannotGate {
            detectable: 0.72,
            pairs_needed,
        });
        finding
    };
    let report = report((0..500).map(of_bench).collect());
    let view = View {
        width: 100,
        color: Color::Plain,
        detail: Detail::Brief,
    };
    for name in ["terminal", "markdown"] {
        let text = (renderer(name).unwrap().render)(std::slice::from_ref(&report), &view);
        assert!(text.chars().count() < COMMENT_CHARS_MAX, "{}", text.len());
        let (open, _) = text.split_once("<details>").unwrap_or((&text, ""));
        assert_eq!(regressed_rows(open), 3, "{open}");
        assert!(open.contains("497 benchmarks undecided"), "{open}");
        assert!(!open.contains("pairs would be needed"), "{open}");
    }
}
