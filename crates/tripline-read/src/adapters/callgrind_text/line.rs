//! What one line of the text is.
//!
//! A name begins its line, and may go on over more lines with the text of the benchmark's arguments; everything else is
//! indented, with blanks or by the grid of `--show-grid=yes`. Tested below.

use std::borrow::Cow;

use super::perf;
use super::words::InWords;
use crate::colours::overwritten;
use crate::valgrind::{CALLGRIND, PERF, is_label, name_of_label};

/// The tool whose lines have no headline.
pub(super) const DEFAULT_TOOL: &str = CALLGRIND;

/// What a line begins with: two blanks, or in a grid a bar and for some headlines the first sign of the rule behind it.
const INDENTS: [&str; 4] = ["  ", "| ", "|-", "|="];

/// What a tool printed begins so, and goes on in the column behind it.
const DETAILS: &str = "  Details:";

/// The tools by their headlines.
const TOOLS: [(&str, &str); 9] = [
    ("CALLGRIND", "Callgrind"),
    ("CACHEGRIND", "Cachegrind"),
    ("DHAT", "DHAT"),
    ("MEMCHECK", "Memcheck"),
    ("HELGRIND", "Helgrind"),
    ("DRD", "DRD"),
    ("MASSIF", "Massif"),
    ("EXP-BBV", "BBV"),
    ("PERF", PERF),
];

/// One line, as far as it matters.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Line<'t> {
    /// A benchmark begins.
    Name {
        module: &'t str,
        id: Option<&'t str>,
    },
    /// A benchmark of a function or a program that is in no group or has no function begins, if metrics follow: this much any
    /// text may hold.
    ShortName {
        module: &'t str,
        id: Option<&'t str>,
    },
    /// What a tool counted begins.
    Tool(&'static str),
    /// What one process or thread counted begins, or the total of them.
    Part { is_total: bool },
    /// Another benchmark's metrics begin, beside these.
    Comparison,
    /// A metric.
    Metric { label: &'t str, value: Value },
    /// Metrics, or what is left of them, that some tools give in words.
    InWords(InWords),
    /// What a tool printed begins.
    Details,
    /// A harness ends, which ran so many.
    Ended { benchmarks: u64 },
    /// A metric's label, and behind it the beginning of a number.
    Begun,
    /// A metric's label, and behind it nothing.
    Label(&'t str),
    /// The values of a metric whose label stands on the line before.
    Values(Value),
    /// It has the form of a metric and is none.
    Damaged,
    /// Anything else.
    Other,
}

/// What was measured now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value {
    Count(u64),
    Real(f64),
    /// Only an earlier run has a value.
    NotMeasured,
}

impl<'t> Line<'t> {
    /// Says what a line is.
    pub(super) fn of(text: &'t str) -> Self {
        let text = overwritten(text).trim_end();
        let inner = INDENTS.iter().find_map(|indent| text.strip_prefix(indent));
        match inner {
            Some(inner) => Self::of_indented(inner),
            None => ended(text).or_else(|| name(text)).unwrap_or_else(|| {
                if is_metric(text) || text.contains("|N/A") && text.contains("(***") {
                    Self::Damaged
                } else {
                    Self::Other
                }
            }),
        }
    }

    /// Returns whether a line is one of those that stand right below a short name. Callgrind is the first of several tools
    /// in all versions that write such names, and above the headline of another one the text is what a benchmark wrote.
    pub(super) fn is_below_short_name(&self) -> bool {
        matches!(
            self,
            Self::Metric { .. } | Self::Tool(CALLGRIND) | Self::Part { .. } | Self::Damaged
        )
    }

    fn of_indented(text: &'t str) -> Self {
        if let Some(headline) = text.strip_prefix("======= ") {
            let word = headline.split(' ').next().unwrap_or_default();
            let tool = TOOLS.iter().find(|(known, _)| *known == word);
            return tool.map_or(Self::Damaged, |(_, tool)| Self::Tool(tool));
        }
        let trimmed = text.trim_start();
        if let Some(part) = trimmed.strip_prefix("## ") {
            let is_total = part == "Total";
            return Self::Part { is_total };
        }
        if trimmed.starts_with("Comparison with ") {
            return Self::Comparison;
        }
        if perf::is_of_spread(trimmed) {
            return Self::Other;
        }
        let is_ended = text.ends_with([')', ']']);
        let Some((label, rest)) = trimmed.split_once(':') else {
            return match of_now(trimmed) {
                Some(value) if is_ended => Self::Values(value),
                _ if has_values(trimmed) => Self::Damaged,
                _ => Self::Other,
            };
        };
        let label = label.trim();
        match label {
            "Baselines" | "Command" => return Self::Other,
            "Details" => return Self::Details,
            _ => {}
        }
        match of_now(rest) {
            // Behind the values stands in brackets what changed.
            Some(value) if !label.is_empty() && is_ended => Self::Metric { label, value },
            _ if is_label(label) || has_values(rest) => Self::Damaged,
            _ => match InWords::of(label, rest) {
                Some(words) => Self::InWords(words),
                None if label.contains("::") || !is_begun(rest) => Self::Other,
                None if rest.is_empty() => Self::Label(label),
                None => Self::Begun,
            },
        }
    }
}

/// Returns what was measured now, if a text begins with that and what was measured before.
fn of_now(text: &str) -> Option<Value> {
    let word = text.split_ascii_whitespace().next()?;
    let (new, old) = word.split_once('|')?;
    let is_old = old.is_empty() || value(old).is_some();
    value(new).filter(|_| is_old)
}

/// Returns whether a line below the details belongs to them: no metric is indented as far. They may hold empty lines.
pub(super) fn is_of_details(text: &str) -> bool {
    let inner = text.trim_start_matches(['|', ' ']);
    inner.is_empty() || text.len() - inner.len() > DETAILS.len()
}

fn is_begun(text: &str) -> bool {
    let is_of_values = |byte: u8| byte.is_ascii_digit() || b".|N/A".contains(&byte);
    text.trim().bytes().all(is_of_values)
}

fn value(text: &str) -> Option<Value> {
    if text == "N/A" {
        return Some(Value::NotMeasured);
    }
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let count = text.parse().ok().map(Value::Count);
    count.or_else(|| {
        text.parse::<f64>()
            .ok()
            .filter(|v| v.is_finite())
            .map(Value::Real)
    })
}

/// Returns whether a label, two values and what changed stand in a line.
fn is_metric(text: &str) -> bool {
    let Some((_, rest)) = text.split_once(':') else {
        return false;
    };
    let mut words = rest.split_ascii_whitespace();
    words.next().is_some_and(has_values) && words.next().is_some_and(|word| word.starts_with('('))
}

/// Returns whether a text holds two values as only metrics have them.
fn has_values(text: &str) -> bool {
    text.split_ascii_whitespace().any(|word| {
        word.split_once('|')
            .is_some_and(|(new, old)| value(new).is_some() && value(old).is_some())
    })
}

/// Reads `file::group::function`, perhaps with an id and what the arguments are.
fn name(text: &str) -> Option<Line<'_>> {
    let (module, rest) = text.split_once(' ').unwrap_or((text, ""));
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let mut parts = module.split("::");
    let count = module.matches("::").count();
    if count < 1 || !parts.all(is_name) {
        return None;
    }
    if count == 1 {
        return short_name(module, rest);
    }
    let id = rest.split_once(':').map_or(rest, |(id, _)| id);
    let is_id = !id.is_empty() && id.chars().all(|c| c.is_alphanumeric() || c == '_');
    Some(Line::Name {
        module,
        id: is_id.then_some(id),
    })
}

/// Reads what stands behind `file::group`: an id that the author wrote, blanks and all, and behind a colon the command. Up
/// to 0.13 binary benchmarks had such names, and in the first versions all functions without a group.
fn short_name<'t>(module: &'t str, rest: &'t str) -> Option<Line<'t>> {
    let id = rest.split_once(':').map_or(rest, |(id, _)| id).trim();
    let is_name = rest.contains(':') || !id.contains(' ');
    is_name.then_some(Line::ShortName {
        module,
        id: (!id.is_empty()).then_some(id),
    })
}

/// Reads `Gungraun result: Ok. 1 without regressions; 0 regressed; 1 benchmarks finished in 6.2s`.
fn ended(text: &str) -> Option<Line<'_>> {
    let rest = text
        .strip_prefix("Gungraun result: ")
        .or_else(|| text.strip_prefix("Iai-Callgrind result: "))?;
    let (counts, _) = rest.split_once(" benchmarks finished")?;
    let count = counts.rsplit(' ').next()?.parse().ok()?;
    Some(Line::Ended { benchmarks: count })
}

/// Returns the tool and the name by which it knows a metric.
pub(super) fn metric_of(tool: &'static str, label: &str) -> (&'static str, Cow<'static, str>) {
    let name = name_of_label(label);
    // A single tool has no headline, whichever it is.
    let is_of_heap = name.ends_with("Bytes") || name.ends_with("Blocks");
    match tool {
        DEFAULT_TOOL if is_of_heap => ("DHAT", name),
        tool => (tool, name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart() {
        for (text, expected) in [
            (
                "lib::sorts::quick small:(kv :: data(64))",
                Line::Name {
                    module: "lib::sorts::quick",
                    id: Some("small"),
                },
            ),
            (
                "lib::sorts::quick",
                Line::Name {
                    module: "lib::sorts::quick",
                    id: None,
                },
            ),
            (
                "lib::sorts::quick :(1 : 2)",
                Line::Name {
                    module: "lib::sorts::quick",
                    id: None,
                },
            ),
            (
                "lib::sorts::quick () -> echo",
                Line::Name {
                    module: "lib::sorts::quick",
                    id: None,
                },
            ),
            (
                "  Instructions:          25059|24828   (+0.93040%) [+1.00930x]",
                Line::Metric {
                    label: "Instructions",
                    value: Value::Count(25059),
                },
            ),
            (
                "  L1 Hits:               25059|N/A     (*********)",
                Line::Metric {
                    label: "L1 Hits",
                    value: Value::Count(25059),
                },
            ),
            (
                "  LL Hits:                 N/A|12      (*********)",
                Line::Metric {
                    label: "LL Hits",
                    value: Value::NotMeasured,
                },
            ),
            (
                "  I1 Miss Rate:        10.0000|N/A     (*********)",
                Line::Metric {
                    label: "I1 Miss Rate",
                    value: Value::Real(10.0),
                },
            ),
        ] {
            assert_eq!(Line::of(text), expected, "{text}");
        }
    }

    #[test]
    fn a_name_without_a_function_is_a_short_one() {
        for (text, module, id) in [
            (
                "bins::sorts sort a few:sorter --few",
                "bins::sorts",
                Some("sort a few"),
            ),
            ("bins::sorts few", "bins::sorts", Some("few")),
            ("lib::quick", "lib::quick", None),
        ] {
            assert_eq!(Line::of(text), Line::ShortName { module, id }, "{text}");
        }
    }

    #[test]
    fn below_a_short_name_stands_what_the_first_tool_counted() {
        for (text, expected) in [
            ("  Instructions:          25059|24828   (+0.9%)", true),
            ("  ======= CALLGRIND =====", true),
            ("  ======= DHAT =====", false),
            ("  Baselines:                  |main", false),
        ] {
            assert_eq!(Line::of(text).is_below_short_name(), expected, "{text}");
        }
    }

    #[test]
    fn a_grid_is_read_as_the_blanks_that_it_stands_for() {
        for (grid, plain) in [
            (
                "| L1 Hits:     25059|N/A     (*********)",
                "  L1 Hits:     25059|N/A     (*********)",
            ),
            ("|======== DHAT =====", "  ======= DHAT ====="),
            ("|-## Total", "  ## Total"),
            ("|-Comparison with sort id", "  Comparison with sort id"),
            ("|-------- DHAT", "  ------- DHAT"),
            (
                "| Instructions:          2505",
                "  Instructions:          2505",
            ),
            ("| Details:   # Thread 1", "  Details:   # Thread 1"),
        ] {
            assert_eq!(Line::of(grid), Line::of(plain), "{grid}");
        }
    }

    #[test]
    fn details_stand_in_a_column_of_their_own() {
        assert_eq!(Line::of("  Details:   # Thread 1"), Line::Details);
        for (text, expected) in [
            ("             #   Total reps: 429", true),
            ("|            #   Total reps: 429", true),
            ("", true),
            ("|", true),
            ("  Total reps: 429", false),
            ("| Total reps: 429", false),
            ("lib::sorts::quick", false),
        ] {
            assert_eq!(is_of_details(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_metric_is_told_from_one_that_is_damaged() {
        for (text, expected) in [
            ("  Baselines:                  |main", Line::Other),
            ("  ======= DHAT =====", Line::Tool("DHAT")),
            (
                "  ## pid: 1 thread: 2   |N/A",
                Line::Part { is_total: false },
            ),
            ("  ## Total", Line::Part { is_total: true }),
            ("  Comparison with sort id", Line::Comparison),
            (
                "Gungraun result: Ok. 1 without regressions; 0 regressed; 10 filtered; 7 benchmarks finished in 6.28259s",
                Line::Ended { benchmarks: 7 },
            ),
            (
                "    Callgrind: Instructions (1650 -> 1734): +5.09090% exceeds limit of +5.0%",
                Line::Other,
            ),
            ("  Instructions:          2505", Line::Damaged),
            ("  Ge:          25", Line::Begun),
            ("  lib::sorts::quick small:", Line::Other),
            ("  Instructxons           25059|24828", Line::Damaged),
            ("  Instructions:          2x059|24828", Line::Damaged),
            ("std::vec is slow", Line::Other),
        ] {
            assert_eq!(Line::of(text), expected, "{text}");
        }
    }

    #[test]
    fn labels_are_the_names_of_the_tools() {
        for (tool, label, expected) in [
            ("Callgrind", "L2 Hits", ("Callgrind", "LLhits")),
            ("Callgrind", "SysCount", ("Callgrind", "SysCount")),
            ("Callgrind", "Total bytes", ("DHAT", "TotalBytes")),
            (
                "Memcheck",
                "Suppressed Errors",
                ("Memcheck", "SuppressedErrors"),
            ),
        ] {
            let (found, name) = metric_of(tool, label);
            assert_eq!((found, &*name), expected, "{label}");
        }
    }
}
