//! The tables of `run({ format: 'markdown' })`: one for each group, whose name stands in the first cell of its header.
//!
//! Tested below and by `fixtures/mitata/markdown`.

use super::table::{GROUP, Row, WITHOUT_HEADER, damaged, failed, in_group, time};
use crate::document::Document;
use crate::gathered::Gathered;
use crate::place::Place;

/// What stands above the times.
const COLUMNS: [&str; 5] = ["avg", "min", "p75", "p99", "max"];

/// What a line ends with.
const END: &str = " |";

/// What only the average has behind it.
const AVERAGE_END: &str = "/iter`";

/// Returns whether a line is of such a table.
pub(super) fn is_line(line: &str) -> bool {
    is_header(line) || Line::of(line).is_some_and(|line| matches!(line, Line::Row(_)))
}

/// Returns whether a line is a header.
pub(super) fn is_header(line: &str) -> bool {
    group(line).is_some()
}

/// A line below a header.
#[derive(Debug, PartialEq)]
enum Line<'t> {
    Row(Row),
    /// A message of several lines ends on one of those that follow.
    Failed {
        name: &'t str,
        why: &'t str,
        is_whole: bool,
    },
    Rule,
}

impl<'t> Line<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let begun = text.strip_prefix("| ")?;
        let ended = begun.strip_suffix(END);
        if let Some((name, why)) = ended.unwrap_or(begun).split_once(" | error: ") {
            return Some(Self::Failed {
                name: name.trim(),
                why,
                is_whole: ended.is_some(),
            });
        }
        let inside = ended?;
        if inside.bytes().all(|byte| b"-| ".contains(&byte)) {
            return Some(Self::Rule);
        }
        let mut cells = inside.rsplitn(COLUMNS.len() + 1, " | ");
        let mut next = || cell_time(cells.next()?);
        // From the right, because a name may have such a line in it.
        let (max, p99, p75, min) = (next()?, next()?, next()?, next()?);
        let average = cell_time(&cells.next()?.replace(AVERAGE_END, "`"))?;
        let name = cells.next()?.trim();
        let is_name = !name.is_empty() && !name.contains(AVERAGE_END);
        let times = [Some(min), Some(p75), Some(p99), None, None, Some(max)];
        is_name.then(|| Self::Row(Row::new(name, average, times)))
    }
}

fn cell_time(cell: &str) -> Option<f64> {
    let text = cell.trim().strip_prefix('`')?.strip_suffix('`')?;
    let (number, unit) = text.trim().split_once(' ')?;
    time(number, unit)
}

/// Returns the group of a header, if a line is one.
fn group(line: &str) -> Option<Option<&str>> {
    let mut cells = line
        .strip_prefix("| ")?
        .strip_suffix(END)?
        .rsplitn(COLUMNS.len() + 1, " | ");
    let is_header = COLUMNS
        .iter()
        .rev()
        .all(|column| cells.next().is_some_and(|cell| cell.trim() == *column));
    let first = cells.next()?.trim();
    let group = first.strip_prefix(GROUP);
    (is_header && (group.is_some() || ["", "benchmark"].contains(&first))).then_some(group)
}

/// Reads the tables of a text.
pub(super) fn read(
    document: &Document<'_>,
    gathered: &mut Gathered,
    mut take: impl FnMut(&Row, Place, &mut Gathered),
) {
    let mut table: Option<Option<&str>> = None;
    let mut is_within_message = false;
    for block in document.lines() {
        let (text, place) = (block.text.trim_end(), document.place(block.line, 1));
        if let Some(group) = group(text) {
            table = Some(group);
            is_within_message = false;
            continue;
        }
        let line = Line::of(text);
        let may_be_message = line.is_none() && !text.is_empty() && !text.contains(AVERAGE_END);
        if is_within_message && may_be_message {
            is_within_message = !text.ends_with(END);
            continue;
        }
        is_within_message = false;
        // Behind the last table nothing has these lines.
        table = table.filter(|_| text.starts_with('|'));
        let Some(group) = table else {
            if text.contains(AVERAGE_END) {
                gathered.problem(place, WITHOUT_HEADER);
            }
            continue;
        };
        let named = |name: &str| in_group(group, name);
        match line {
            Some(Line::Row(row)) => take(&row.named(named), place, gathered),
            Some(Line::Failed {
                name,
                why,
                is_whole,
            }) => {
                is_within_message = !is_whole;
                gathered.problem(place, failed(&named(name), why));
            }
            Some(Line::Rule) => {}
            None => gathered.problem(place, damaged(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_from_its_end() {
        let row = |name| {
            let times = [Some(1.0), Some(2000.0), Some(3.0), None, None, Some(4e6)];
            Some(Line::Row(Row::new(name, 20.04, times)))
        };
        let times = "` 20.04 ns/iter` | `  1.00 ns` | `  2.00 µs` | `  3.00 ns` | `  4.00 ms` |";
        assert_eq!(Line::of(&format!("| get     | {times}")), row("get"));
        assert_eq!(Line::of(&format!("| a | b | {times}")), row("a | b"));
        assert_eq!(Line::of("| --- | --- |"), Some(Line::Rule));
        for (text, is_whole) in [
            ("| a   | error: no|pe |", true),
            ("| a   | error: no|pe", false),
        ] {
            let failed = Line::Failed {
                name: "a",
                why: "no|pe",
                is_whole,
            };
            assert_eq!(Line::of(text), Some(failed), "{text}");
        }
        for text in [
            "",
            "| a |",
            "| a | ` 20.04 ns/iter` | `  1.00 ns` |",
            &format!("|  | {times}"),
            &format!("| a | {times}| b | {times}"),
            &format!("| a | {}", times.replace("3.00 ns", "3.00 xs")),
        ] {
            assert_eq!(Line::of(text), None, "{text}");
        }
    }

    #[test]
    fn a_header_has_the_group_of_its_rows() {
        for (text, expected) in [
            ("| benchmark | avg | min | p75 | p99 | max |", Some(None)),
            ("|       |  avg | min | p75 | p99 | max |", Some(None)),
            (
                "| • a | b | avg | min | p75 | p99 | max |",
                Some(Some("a | b")),
            ),
            ("| other | avg | min | p75 | p99 | max |", None),
            ("| benchmark | avg | min | p75 | max |", None),
        ] {
            assert_eq!(group(text), expected, "{text}");
        }
    }
}
