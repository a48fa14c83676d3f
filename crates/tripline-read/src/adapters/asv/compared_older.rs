//! The tables of `asv compare` and `asv continuous` before 0.6: columns without strokes, below two lines or three that say
//! which commits they are about.
//!
//! Values have no blanks in them, so a row is read word by word up to the benchmark. Tested below and by `fixtures/asv`.

use tripline_model::SuiteName;

use super::compared::{DAMAGED, WITHOUT_HEADING, row};
use super::take;
use crate::document::Document;
use crate::gathered::Gathered;

/// The words of the first line of a heading.
const HEADING: [&str; 3] = ["before", "after", "ratio"];

/// The columns of a table that has them as factors.
const FACTORS: [&str; 4] = ["BENCHMARK", "BEFORE", "AFTER", "FACTOR"];

/// What stands before a row: it got worse or better, is not known to have done so, failed, or cannot be compared.
const MARKS: [&str; 6] = ["+", "-", "~", "!", "x", "*"];

/// What `asv continuous` says at the end, in old versions right below the last row.
const ENDS: [&str; 2] = ["SOME BENCHMARKS HAVE", "BENCHMARKS NOT SIGN"];

/// Returns whether a text has such a table.
pub(super) fn is_text(text: &str) -> bool {
    let mut above = false;
    text.lines()
        .any(|line| std::mem::replace(&mut above, is_heading(line)) && commit(line).is_some())
}

/// Returns whether a text has the table that `asv continuous` printed up to version 0.1, with only the ends of long names.
pub(super) fn has_factors(text: &str) -> bool {
    let has = |line: &str| line.split_ascii_whitespace().eq(FACTORS);
    text.lines().any(has)
}

fn is_heading(line: &str) -> bool {
    line.split_ascii_whitespace().eq(HEADING)
}

/// Returns the commit after, of the line that names both: `[22b920c6]  [fcf8c079]`. Short ones are padded in the brackets.
fn commit(line: &str) -> Option<&str> {
    let (before, after) = line.trim().strip_suffix(']')?.rsplit_once('[')?;
    let before = before.trim_end().strip_prefix('[')?.strip_suffix(']')?;
    let is_hash = |text: &str| {
        let text = text.trim_end();
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    (is_hash(before) && is_hash(after)).then(|| after.trim_end())
}

/// Returns the value after and the benchmark of a row.
fn value_and_name(line: &str) -> Option<(&str, &str)> {
    let (mut before, mut rest) = word(line)?;
    if MARKS.contains(&before) {
        (before, rest) = word(rest)?;
    }
    let (after, rest) = word(rest)?;
    let (ratio, name) = word(rest)?;
    let is_number = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
    let is_ratio = ratio == "n/a" || is_number(ratio.strip_prefix('~').unwrap_or(ratio));
    let is_value = |text: &str| {
        matches!(text, "n/a" | "failed") || text.starts_with(|c: char| "-.0123456789".contains(c))
    };
    let is_row = is_ratio && is_value(before) && is_value(after) && !name.trim().is_empty();
    is_row.then(|| (after, name.trim()))
}

/// Returns whether a line ends a table. One of blanks alone is a row that is cut.
fn is_end(line: &str) -> bool {
    line.is_empty() || ENDS.iter().any(|end| line.starts_with(end))
}

fn word(text: &str) -> Option<(&str, &str)> {
    text.trim_start().split_once(' ')
}

/// What a line stands below.
#[derive(Clone, Copy)]
enum Below<'t> {
    Nothing,
    /// The first line of a heading.
    Heading,
    /// The commits, or what their branches are called; or rows.
    Commit(&'t str),
    Rows(&'t str),
}

/// Reads all tables of a text.
pub(super) fn read(document: &Document<'_>, suite: &SuiteName, gathered: &mut Gathered) {
    let cut_line = document.cut_line();
    let mut below = Below::Nothing;
    for block in document.lines() {
        let line = block.text.trim();
        let place = document.place(block.line, 1);
        let found = value_and_name(line);
        let entry = match (below, found) {
            (_, None) if is_heading(line) => {
                below = Below::Heading;
                continue;
            }
            (Below::Heading, None) => {
                let named = commit(line);
                below = named.map_or(Below::Nothing, Below::Commit);
                match named {
                    Some(_) => continue,
                    None => Err("the commits of a comparison are not there".to_owned()),
                }
            }
            (Below::Commit(commit), None) if line.starts_with('<') && line.ends_with('>') => {
                below = Below::Rows(commit);
                continue;
            }
            (Below::Commit(_) | Below::Rows(_), None) if is_end(block.text) => {
                below = Below::Nothing;
                continue;
            }
            (Below::Commit(_) | Below::Rows(_), _) if cut_line == Some(block.line) => {
                Err("the text ends within a row of a comparison".to_owned())
            }
            (Below::Nothing, None) => continue,
            (Below::Commit(_) | Below::Rows(_), None) => Err(DAMAGED.to_owned()),
            (Below::Nothing | Below::Heading, Some(_)) => Err(WITHOUT_HEADING.to_owned()),
            (Below::Commit(commit) | Below::Rows(commit), Some((value, name))) => {
                below = Below::Rows(commit);
                row(suite, commit, name, value)
            }
        };
        take(entry, place, gathered);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_names_both_commits() {
        for (line, expected) in [
            ("     [22b920c6]       [fcf8c079]", Some("fcf8c079")),
            ("  [e118206d] [912854  ]", Some("912854")),
            ("     [22b920c6]       [fcf8c079", None),
            ("     [22b920c6]       [x]", None),
            ("     [22b920c6]", None),
        ] {
            assert_eq!(commit(line), expected, "{line}");
        }
        assert!(is_text("a\n  before  after  ratio\n [1] [2]\n"));
        assert!(!is_text("before after ratio\n\n [1] [2]\n"));
    }

    #[test]
    fn a_row_is_read_up_to_its_benchmark() {
        for (line, expected) in [
            (
                "  1.00\u{b1}1s   3.00\u{b1}1s  ~3.00  time_ci(1, 'a  b')",
                Some(("3.00\u{b1}1s", "time_ci(1, 'a  b')")),
            ),
            (
                "!     454\u{3bc}s  failed   n/a  kv.time_get [a/b c]",
                Some(("failed", "kv.time_get [a/b c]")),
            ),
            (
                "- 1.19  0.5  0.42  kv.track_size",
                Some(("0.5", "kv.track_size")),
            ),
            ("- 1.19  0.5  kv.track_size", None),
            ("- 1.19  0.5  0.42  ", None),
            ("one of the 3 benchmarks", None),
        ] {
            assert_eq!(value_and_name(line), expected, "{line}");
        }
    }
}
