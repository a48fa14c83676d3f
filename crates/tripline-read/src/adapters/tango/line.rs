//! What one line of the text is. Tested below.

use crate::colours::overwritten;
use crate::quantity;

/// The rows of a table besides the mean, and what they are in a summary.
pub(super) const PARTS: &[(&str, &str)] =
    &[("min", "min"), ("max", "max"), ("std. dev.", "stddev")];

/// One line, as far as it matters. Times are in nanoseconds, and of the candidate.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Line<'t> {
    /// A benchmark in one line.
    Compared { name: &'t str, mean: f64 },
    /// A benchmark measured alone: lowest, mean and highest, and the standard deviation.
    Solo {
        name: &'t str,
        mean: f64,
        parts: [(&'static str, f64); 3],
    },
    /// A table begins, of so many samples.
    Table { name: &'t str, rounds: u64 },
    /// A row of a table.
    Row { part: &'static str, candidate: f64 },
    /// It has the form of a result and is none.
    Damaged,
    /// Anything else.
    Other,
}

impl<'t> Line<'t> {
    /// Says what a line is.
    pub(super) fn of(text: &'t str) -> Self {
        let text = overwritten(text).trim_end();
        if let Some((label, cells)) = text.split_once('│') {
            return Self::of_row(label.trim(), cells);
        }
        if let Some((name, rest)) = text.split_once("  (n: ") {
            return Self::of_table(name.trim(), rest).unwrap_or(Self::Damaged);
        }
        if text.contains(STDDEV) {
            return solo(text).unwrap_or(Self::Damaged);
        }
        let has = |part: &str| text.contains(part);
        let ends_in_change = text.ends_with('%') || text.ends_with("%*");
        match compared(text) {
            Some(line) => line,
            // Other programs write brackets as well, but no comparison ends so.
            None if ends_in_change && (has(" ... ") || has("[ ") && has(" ]")) => Self::Damaged,
            None if is_cut_off(text) => Self::Damaged,
            None => Self::Other,
        }
    }

    fn of_table(name: &'t str, rest: &str) -> Option<Self> {
        let (rounds, rest) = rest.split_once(", outliers: ")?;
        let rounds = rounds.parse().ok()?;
        rest.strip_suffix(')')?.parse::<u64>().ok()?;
        (!name.is_empty()).then_some(Self::Table { name, rounds })
    }

    fn of_row(label: &str, cells: &str) -> Self {
        // Counters of the process, of the whole run and not of an iteration.
        if label.starts_with("cpu_") || label.is_empty() {
            return Self::Other;
        }
        let part = match label {
            "mean" => Some("mean"),
            _ => PARTS
                .iter()
                .find(|(row, _)| *row == label)
                .map(|(_, part)| *part),
        };
        let mut words = cells.split_ascii_whitespace();
        let mut time = || quantity(words.next()?, words.next()?);
        match (part, time(), time(), time()) {
            (Some(part), Some(_), Some(candidate), Some(_)) => Self::Row { part, candidate },
            _ => Self::Damaged,
        }
    }
}

/// What stands in a line of `solo` alone.
const STDDEV: &str = " ]  stddev: ";

fn time(text: &str) -> Option<f64> {
    let (number, unit) = text.trim().split_once(' ')?;
    quantity(number, unit)
}

/// Reads `name   [ 1.0 ns ... 2.0 ns ... 3.0 ns ]  stddev: 0.5 ns`.
fn solo(text: &str) -> Option<Line<'_>> {
    let (before, stddev) = text.split_once(STDDEV)?;
    let (name, inner) = before.rsplit_once(" [ ")?;
    let times: Option<Vec<f64>> = inner.split(" ... ").map(time).collect();
    let [min, mean, max] = times?[..] else {
        return None;
    };
    let parts = [("min", min), ("max", max), ("stddev", time(stddev)?)];
    let name = name.trim();
    (!name.is_empty()).then_some(Line::Solo { name, mean, parts })
}

/// Reads `name   [ 1.0 ns ... 2.0 ns ]   +100.00%*`.
fn compared(text: &str) -> Option<Line<'_>> {
    let (before, rest) = text.rsplit_once(" ... ")?;
    let (name, baseline) = before.rsplit_once(" [ ")?;
    let (candidate, change) = rest.split_once(" ]")?;
    let change = change.trim().trim_end_matches('*').strip_suffix('%')?;
    let is_change = quantity::number(change).is_some() || matches!(change, "NaN" | "+NaN" | "+inf");
    time(baseline)?;
    let mean = time(candidate)?;
    let name = name.trim();
    (is_change && !name.is_empty() && !name.contains(" ... "))
        .then_some(Line::Compared { name, mean })
}

/// Returns whether a text is a comparison up to somewhere behind its opening bracket.
fn is_cut_off(text: &str) -> bool {
    let Some((_, first)) = text.rsplit_once(" [ ") else {
        return text.ends_with(" [");
    };
    let mut words = first.split_ascii_whitespace();
    words
        .next()
        .is_none_or(|number| quantity::number(number).is_some())
}

fn quantity(number: &str, unit: &str) -> Option<f64> {
    quantity::nanoseconds(unit)?.of_text(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart() {
        for (text, expected) in [
            (
                "get/64      [  85.6 ns ... 139.3 ns ]     +62.72%",
                Line::Compared {
                    name: "get/64",
                    mean: 139.3,
                },
            ),
            (
                "get [hot]   [   1.5 us ...   2.5 ms ]    -1.00%*",
                Line::Compared {
                    name: "get [hot]",
                    mean: 2.5e6,
                },
            ),
            (
                "50%\rget    [ 1 ns ... 2 ns ]    NaN%",
                Line::Compared {
                    name: "get",
                    mean: 2.0,
                },
            ),
            (
                "get/64  (n: 16, outliers: 0)",
                Line::Table {
                    name: "get/64",
                    rounds: 16,
                },
            ),
            (
                "    mean         │        255.7 ns        226.9 ns        -28.8 ns   -11.26%",
                Line::Row {
                    part: "mean",
                    candidate: 226.9,
                },
            ),
            (
                "    std. dev.    │        388.1 ns        0.5 us        460.9 ns",
                Line::Row {
                    part: "stddev",
                    candidate: 500.0,
                },
            ),
            (
                "         cpu_sys │               0               0               0      NaN%",
                Line::Other,
            ),
            ("                 ╭──────", Line::Other),
            (
                "get/64      [  85.6 ns ... 139.3 ns ]     +62.7",
                Line::Damaged,
            ),
            ("get/64      [  85.6 ns ... 139.3 n", Line::Damaged),
            ("get/64  (n: 16, outliers: 0", Line::Damaged),
            (
                "    mean         │        255.7 ns        226.9 n",
                Line::Damaged,
            ),
            ("test a ... ok", Line::Other),
        ] {
            assert_eq!(Line::of(text), expected, "{text}");
        }
    }
}
