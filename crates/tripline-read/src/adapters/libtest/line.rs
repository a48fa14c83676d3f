//! What one line of the text is.
//!
//! The harness writes a name when a benchmark begins and its numbers when it ends; whatever the benchmark itself writes
//! lands between the two. Tested below.

use crate::cargo::Program;
use crate::{own, quantity};

/// One line, as far as it matters.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Line<'t> {
    /// A benchmark's numbers; the name is missing where something was written after it.
    Result {
        name: Option<&'t str>,
        numbers: Numbers,
    },
    /// A benchmark or test that begins; its numbers may follow on a later line.
    Begun { name: &'t str },
    /// A test that was run or skipped, which measured nothing.
    Done,
    /// A benchmark or test that failed.
    Failed { name: Option<&'t str> },
    /// A harness begins to run so many.
    Running,
    /// A harness has ended.
    Ended { failed: u64, measured: u64 },
    /// cargo begins to run a program.
    Target(Program<'t>),
    /// It has numbers as a result has them, and is none.
    Damaged,
    /// Anything else.
    Other,
}

/// What was measured, in base units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Numbers {
    /// What an iteration took: a time, or so many of a unit of the author's.
    pub(super) taken: f64,
    /// The unit, if it is none of time.
    pub(super) counted: Option<&'static str>,
    pub(super) deviation: f64,
    /// Bytes per second.
    pub(super) throughput: Option<f64>,
}

/// What stands between a name and its numbers.
const MARK: &str = "bench:";

impl<'t> Line<'t> {
    /// Says what a line is.
    pub(super) fn of(text: &'t str) -> Self {
        if let Some((before, rest)) = text.rsplit_once(MARK)
            && let Some(numbers) = Numbers::parse(rest)
        {
            return Self::of_result(before, numbers);
        }
        if has_numbers(text) {
            return Self::Damaged;
        }
        let of_test = text
            .strip_prefix("test ")
            .and_then(|test| test.split_once(" ... "));
        if let Some((name, outcome)) = of_test {
            return Self::of_test(name.trim(), outcome);
        }
        if let Some(name) = text
            .strip_prefix("test ")
            .and_then(|t| t.strip_suffix(" ..."))
        {
            return Self::Begun { name: name.trim() };
        }
        match text.trim() {
            "FAILED" => return Self::Failed { name: None },
            text if is_running(text) => return Self::Running,
            _ => {}
        }
        if let Some(target) = Program::of(text) {
            return Self::Target(target);
        }
        ended(text).unwrap_or(Self::Other)
    }

    fn of_result(before: &'t str, numbers: Numbers) -> Self {
        if before.trim().is_empty() {
            return Self::Result {
                name: None,
                numbers,
            };
        }
        let name = behind_ignored(before)
            .strip_prefix("test ")
            .and_then(|test| test.strip_suffix("... "));
        match name.map(str::trim) {
            // The end of another result may have been lost.
            Some(name) if !name.is_empty() && !has_numbers(name) && !name.contains(" ... ") => {
                let name = Some(name);
                Self::Result { name, numbers }
            }
            _ => Self::Damaged,
        }
    }

    fn of_test(name: &'t str, outcome: &'t str) -> Self {
        let word = outcome.split([' ', ',']).next().unwrap_or_default();
        match word {
            "ok" | "ignored" => Self::Done,
            "FAILED" => Self::Failed { name: Some(name) },
            _ => Self::Begun { name },
        }
    }
}

/// Takes off what stands before a benchmark where it was told to be quiet: each that was left out says no more than `i`, and
/// ends no line.
fn behind_ignored(text: &str) -> &str {
    const IGNORED: &str = " ... i";
    let from = text.rfind(&format!("{IGNORED}test "));
    let text = from.map_or(text, |at| &text[at + IGNORED.len()..]);
    let signs = text.trim_start_matches(['i', '.']);
    if signs.starts_with("test ") {
        signs
    } else {
        text
    }
}

impl Numbers {
    /// Reads `1,234.56 ns/iter (+/- 7.89)`, perhaps with ` = 12 MB/s` after it.
    fn parse(text: &str) -> Option<Self> {
        let (taken, rest) = text.split_once("/iter (+/- ")?;
        let (taken, unit) = taken.trim().split_once(' ')?;
        let (scale, counted) = match quantity::nanoseconds(unit) {
            Some(scale) => (scale, None),
            None => (quantity::as_it_is(), Some(own::counted(unit.trim())?)),
        };
        let (deviation, rest) = rest.split_once(')')?;
        let throughput = match rest.trim() {
            "" => None,
            rest => {
                let (rate, unit) = rest.strip_prefix("= ")?.split_once(' ')?;
                Some(quantity::bytes(unit.strip_suffix("/s")?)?.of_text(rate)?)
            }
        };
        Some(Self {
            taken: scale.of_text(taken)?,
            counted,
            deviation: scale.of_text(deviation)?,
            throughput,
        })
    }
}

/// Returns whether a text has what only results have, so that it must be one, or have been.
fn has_numbers(text: &str) -> bool {
    let marks = ["/iter", "(+/-", "... bench:", "ns/it"];
    marks.iter().any(|mark| text.contains(mark))
}

fn is_running(text: &str) -> bool {
    let count = text.strip_prefix("running ").and_then(|text| {
        text.strip_suffix(" tests")
            .or_else(|| text.strip_suffix(" test"))
    });
    count.is_some_and(|count| count.parse::<u64>().is_ok())
}

/// Reads `test result: ok. 0 passed; 0 failed; 1 ignored; 2 measured`, which newer versions go on after.
fn ended<'t>(text: &str) -> Option<Line<'t>> {
    let (_, counts) = text
        .trim()
        .strip_prefix("test result: ")?
        .split_once(". ")?;
    let count = |what: &str| {
        let part = counts
            .split("; ")
            .find_map(|part| part.strip_suffix(what))?;
        part.trim().parse::<u64>().ok()
    };
    Some(Line::Ended {
        failed: count(" failed")?,
        measured: count(" measured")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(name: Option<&str>, taken: f64, deviation: f64, throughput: Option<f64>) -> Line<'_> {
        let numbers = Numbers {
            taken,
            counted: None,
            deviation,
            throughput,
        };
        Line::Result { name, numbers }
    }

    #[test]
    fn results_are_read_in_every_form() {
        for (text, expected) in [
            (
                "test a::b ... bench:         211 ns/iter (+/- 186)",
                result(Some("a::b"), 211.0, 186.0, None),
            ),
            (
                "test a    ... bench:  1,203,214.46 ns/iter (+/- 1,686.04) = 695 MB/s",
                result(Some("a"), 1_203_214.46, 1_686.04, Some(695e6)),
            ),
            (
                "test a b/c 1 ... bench:       2.5 us/iter (+/- 0)",
                result(Some("a b/c 1"), 2500.0, 0.0, None),
            ),
            (
                "bench:           1 ns/iter (+/- 0)",
                result(None, 1.0, 0.0, None),
            ),
            (
                "itest a ... bench:           1 ns/iter (+/- 0)",
                result(Some("a"), 1.0, 0.0, None),
            ),
            (
                "test a  ... itest b  ... itest c d ... bench:           1 ns/iter (+/- 0)",
                result(Some("c d"), 1.0, 0.0, None),
            ),
        ] {
            assert_eq!(Line::of(text), expected, "{text}");
        }
    }

    #[test]
    fn what_an_iteration_takes_may_be_no_time() {
        for (text, unit) in [
            (
                "test a ... bench:       2,048 cycles/iter (+/- 7)",
                "cycles",
            ),
            ("test a ... bench:        2048  B/iter (+/- 7)", "B"),
        ] {
            let Line::Result { numbers, .. } = Line::of(text) else {
                panic!("{text} is a result");
            };
            assert_eq!((numbers.taken, numbers.counted), (2048.0, Some(unit)));
            assert_eq!(numbers.deviation, 7.0);
        }
    }

    #[test]
    fn what_lost_a_part_is_damaged() {
        for text in [
            "test a ... bench:         211 ns/iter (+/- 18",
            "test a ... bench:         211 ns/iter (+/- 186) = 3",
            "test a ... bench:         211 ns/iter (+/- 186) = 3 XB/s",
            "test a ... bench:         211 ns/it",
            "test a ... bench:",
            "tesu a ... bench:         211 ns/iter (+/- 186)",
            "test a ... bench: 1 ns/iter (+/- 2)test b ... bench: 3 ns/iter (+/- 4)",
            "test  ... bench:         211 ns/iter (+/- 186)",
            "test a ... test b ... bench:         211 ns/iter (+/- 186)",
            "test a ... bench:         2,11 ns/iter (+/- 186)",
            "test a ... bench:         211 parsecs/iter (+/- 186)",
            "test a ... bench:         211 cyples/iter (+/- 186)",
        ] {
            assert_eq!(Line::of(text), Line::Damaged, "{text}");
        }
    }

    #[test]
    fn other_lines_are_what_they_are() {
        for (text, expected) in [
            ("test a ... ok", Line::Done),
            ("test a ... ignored, it is slow", Line::Done),
            ("test a ... FAILED", Line::Failed { name: Some("a") }),
            (
                "test a ... FAILED (time limit exceeded)",
                Line::Failed { name: Some("a") },
            ),
            ("FAILED", Line::Failed { name: None }),
            ("test a ... cache is warm", Line::Begun { name: "a" }),
            ("test a ...", Line::Begun { name: "a" }),
            ("running 1 test", Line::Running),
            (
                "test result: FAILED. 0 passed; 1 failed; 1 ignored; 2 measured",
                Line::Ended {
                    failed: 1,
                    measured: 2,
                },
            ),
            (
                "test result: ok. 0 passed; 0 failed; 1 ignored; 2 measured; 0 filtered out; finished in 6.00s",
                Line::Ended {
                    failed: 0,
                    measured: 2,
                },
            ),
            ("   Compiling kv v0.1.0", Line::Other),
        ] {
            assert_eq!(Line::of(text), expected, "{text}");
        }
    }
}
