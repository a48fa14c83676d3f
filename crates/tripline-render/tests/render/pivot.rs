//! Benchmarks of one name that differ in several params, as one table: when there is one, and what stands in it.

use pulldown_cmark::{Event, Options, Parser};
use tripline_model::{Finding, Gate, Verdict};
use tripline_render::{Color, Detail, View, renderer};

use crate::canonical::{bench, finding, report};

const FAIL: (Verdict, Gate) = (Verdict::Regressed, Gate::Fail);
const SAME: (Verdict, Gate) = (Verdict::Unchanged, Gate::Pass);

/// How a table of params begins.
const TITLE: &str = "`instructions` of `get`, how it changed:";

fn get(bytes: &str, mode: &str, is_worse: bool) -> Finding {
    let bench = bench("get", &[("bytes", bytes), ("mode", mode)]);
    let (head, answer) = if is_worse { (1.2e6, FAIL) } else { (1e6, SAME) };
    finding(&bench, "instructions", (Some(1e6), Some(head)), answer)
}

/// Returns so many by so many findings, the first few of them worse.
fn grid(bytes: usize, modes: usize, worse: usize) -> Vec<Finding> {
    let cells = (0..bytes).flat_map(|byte| (0..modes).map(move |mode| (byte, mode)));
    let numbered = cells.enumerate();
    numbered
        .map(|(at, (byte, mode))| get(&byte.to_string(), &format!("m{mode}"), at < worse))
        .collect()
}

fn comment(findings: Vec<Finding>) -> String {
    let view = View::new(100, Color::Plain, Detail::Brief);
    let text = (renderer("comment").unwrap().render)(&[report(findings)], &view);
    // Below the fold all findings stand in rows.
    text.split("<details>").next().unwrap().to_owned()
}

#[test]
fn two_by_two_that_need_attention_are_a_table_and_three_are_rows() {
    assert!(!comment(grid(2, 2, 3)).contains(TITLE));
    let text = comment(grid(2, 2, 4));
    assert!(text.contains(TITLE), "{text}");
    assert!(!text.contains("`get{bytes=0,mode=m0}`"), "{text}");
}

#[test]
fn cells_beside_what_got_worse_are_filled() {
    let text = comment(grid(3, 2, 4));
    let row = text.lines().find(|line| line.contains("`bytes=2`"));
    let row = row.unwrap_or_else(|| panic!("{text}"));
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    assert_eq!(cells, ["", "`bytes=2`", "=", "=", ""], "{text}");
    assert_eq!(text.matches("**regressed**, fail").count(), 4, "{text}");
}

#[test]
fn what_was_not_measured_is_an_empty_cell_and_too_many_of_them_are_no_table() {
    let with_gap: Vec<Finding> = grid(3, 2, 6).drain(..5).collect();
    let text = comment(with_gap);
    let row = text.lines().find(|line| line.contains("`bytes=2`"));
    let cells: Vec<&str> = row.unwrap().split('|').map(str::trim).collect();
    assert!(cells[2].ends_with("fail") && cells[3].is_empty(), "{text}");
    let diagonal = (0..5).map(|at: usize| get(&at.to_string(), &format!("m{at}"), true));
    assert!(!comment(diagonal.collect()).contains(TITLE));
}

#[test]
fn more_columns_than_can_be_read_are_rows() {
    assert!(comment(grid(8, 8, 64)).contains(TITLE));
    assert!(!comment(grid(9, 9, 81)).contains(TITLE));
}

#[test]
fn a_hostile_value_is_code_in_the_head_of_its_column() {
    let hostile = "`@ada` | <b> [x](http://x.example)";
    let findings = ["1", "2", "3"].map(|bytes| [get(bytes, hostile, true), get(bytes, "m", true)]);
    let text = comment(findings.into_iter().flatten().collect());
    assert!(text.contains(TITLE), "{text}");
    let mut heads = 0;
    for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
        match event {
            Event::Code(code) => heads += usize::from(*code == format!("mode={hostile}")),
            Event::Text(text) => assert!(!text.contains("ada"), "{text}"),
            Event::Html(html) | Event::InlineHtml(html) => assert_ne!(&*html, "<b>"),
            _ => {}
        }
    }
    assert_eq!(heads, 1, "{text}");
}
