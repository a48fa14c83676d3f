//! What iai-callgrind wrote up to 0.9: a count alone, and in brackets behind it what changed since an earlier run.
//!
//! A line of the later form that is cut off before its `|` looks the same, so a text is of one form or of the other. Tested
//! below, and by `fixtures/callgrind_text`.

use super::line::{Line, Value};
use crate::colours::overwritten;
use crate::document::Document;

/// What is counted there. The first version counted hits of data apart from those of instructions.
const LABELS: [&str; 7] = [
    "Instructions",
    "L1 Hits",
    "L1 Data Hits",
    "L2 Hits",
    "RAM Hits",
    "Total read+write",
    "Estimated Cycles",
];

/// The labels that no other harness writes before a number that stands alone.
const MARKS: [&str; 3] = ["L1 Hits", "L1 Data Hits", "Total read+write"];

/// Where the column of the numbers ends.
const COLUMN: usize = 35;

/// Returns whether a line is one that only this form has.
pub(super) fn is_marked(text: &str) -> bool {
    matches!(line(text, false), Some(Line::Metric { label, .. }) if MARKS.contains(&label))
}

/// Returns whether a text is of this form.
pub(super) fn is_plain(document: &Document<'_>) -> bool {
    let mut is_any = false;
    for block in document.shown_lines() {
        if matches!(Line::of(block.text), Line::Metric { .. }) {
            return false;
        }
        is_any |= is_marked(block.text);
    }
    is_any
}

/// Reads a count, if a line is one or was one. The text may be cut off in it.
pub(super) fn line(text: &str, is_cut: bool) -> Option<Line<'_>> {
    let text = overwritten(text).trim_end();
    let (label, rest) = text.strip_prefix("  ")?.split_once(':')?;
    if !LABELS.contains(&label) {
        return None;
    }
    let rest = rest.trim_start();
    let (number, change) = rest.split_once(' ').unwrap_or((rest, ""));
    let is_digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let count: Option<u64> = number.parse().ok().filter(|_| is_digits);
    let is_whole = match change {
        "" => !is_cut || text.len() == COLUMN,
        change => change.starts_with('(') && change.ends_with(')'),
    };
    Some(match count.filter(|_| is_whole) {
        Some(count) => Line::Metric {
            label,
            value: Value::Count(count),
        },
        None => Line::Damaged,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_stands_alone() {
        let count = |label, count| {
            Some(Line::Metric {
                label,
                value: Value::Count(count),
            })
        };
        for (text, is_cut, expected) in [
            (
                "  L1 Hits:                     2358",
                false,
                count("L1 Hits", 2358),
            ),
            (
                "  L1 Hits:                     2358",
                true,
                count("L1 Hits", 2358),
            ),
            (
                "  L1 Data Hits:        35638617 (-1.5%)",
                true,
                count("L1 Data Hits", 35_638_617),
            ),
            (
                "  RAM Hits:                       3 (No Change)",
                false,
                count("RAM Hits", 3),
            ),
            (
                "  L1 Hits:                     235",
                true,
                Some(Line::Damaged),
            ),
            (
                "  L1 Hits:                     2358 (No Ch",
                false,
                Some(Line::Damaged),
            ),
            (
                "  L1 Hits:                     2x58",
                false,
                Some(Line::Damaged),
            ),
            (
                "  L1 Hits:                     2358|N/A",
                false,
                Some(Line::Damaged),
            ),
            ("  L1 Hits:", false, Some(Line::Damaged)),
            ("  L1 Accesses:                 2358", false, None),
            ("L1 Hits:                     2358", false, None),
        ] {
            assert_eq!(line(text, is_cut), expected, "{text}");
        }
        assert!(is_marked("  Total read+write:            2361"));
        assert!(!is_marked("  Instructions:                1733"));
    }
}
