//! What one line of the text is.
//!
//! Criterion writes `name   time:   [1.0 ns 2.0 ns 3.0 ns]` where the name is short, and a long name on a line of its own.
//! A change against an earlier run has the same form, with percents in place of times. Tested below.

use tripline_model::Unit;

use crate::cargo::Program;
use crate::colours::overwritten;
use crate::quantity::{self, Scale};

/// The column in which `time:` stands.
const COLUMN: usize = 24;

/// What a line of a benchmark that is not done begins with.
const PROGRESS: &str = "Benchmarking ";

/// The words in which Criterion says how far a benchmark is.
const STEP_WORDS: [&str; 14] = [
    "Warming",
    "up",
    "for",
    "Collecting",
    "samples",
    "in",
    "estimated",
    "iterations)",
    "Analyzing",
    "s",
    "ms",
    "µs",
    "ns",
    "ps",
];

/// One line, as far as it matters.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Line<'t> {
    /// The time of a benchmark; its name may stand on the line before.
    Time {
        name: Option<&'t str>,
        interval: Interval<'t>,
    },
    /// The rate of the benchmark whose time stood before.
    Rate(Interval<'t>),
    /// cargo begins to run a program.
    Target(Program<'t>),
    /// Criterion says why a benchmark has no time.
    Refused(&'t str),
    /// It has an interval as a result has it, and is none.
    Damaged,
    /// Anything else.
    Other,
}

/// The lower end, the estimate and the upper end, each with its unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Interval<'t>([(&'t str, &'t str); 3]);

/// Returns which benchmark a line says to be begun: `Benchmarking get: Warming up for 3.0000 s`. On a terminal more stands in
/// one line, and where the name ends is not clear.
pub(super) fn begun(text: &str) -> Option<&str> {
    let (name, time) = overwritten(text).split_once(": Warming up for ")?;
    let name = name.strip_prefix(PROGRESS)?;
    let is_alone = time.split_whitespace().count() == 2 && !name.contains(PROGRESS);
    is_alone.then_some(name)
}

impl<'t> Line<'t> {
    /// Says what a line is.
    pub(super) fn of(text: &'t str) -> Self {
        let text = overwritten(text).trim_end();
        if let Some((label, inner)) = bracketed(text) {
            return Self::of_interval(label, inner);
        }
        if is_cut_off(text) {
            return Self::Damaged;
        }
        if let Some(why) = text.strip_prefix("Criterion.rs ERROR: ") {
            // What it says of its files is of an earlier run, and the result follows.
            return match why.starts_with("error: ") {
                true => Self::Other,
                false => Self::Refused(why),
            };
        }
        let target = Program::of(text).filter(Program::is_certain);
        target.map_or(Self::Other, Self::Target)
    }

    fn of_interval(label: &'t str, inner: &'t str) -> Self {
        // What changed, and what `--verbose` adds: the same times once more, in pairs.
        if is_change(inner) {
            return Self::Other;
        }
        let label = label.trim_end();
        let interval = Interval::parse(inner);
        if let Some(name) = label.strip_suffix("time:") {
            let name = Some(name.trim()).filter(|name| !name.is_empty());
            return match interval.or_else(|| Interval::of_words(inner)) {
                // Another result whose end was lost may stand before it.
                Some(_) if name.is_some_and(|name| name.contains(":   [")) => Self::Damaged,
                Some(interval) => Self::Time { name, interval },
                None => Self::Damaged,
            };
        }
        if label.trim_start() == "thrpt:" {
            let interval = interval.or_else(|| Interval::of_words(inner));
            return interval.map_or(Self::Damaged, Self::Rate);
        }
        // Three times are a result whatever became of the label.
        match interval {
            Some(_) => Self::Damaged,
            // The bracket may be one of the name, and the one before the times be lost.
            None if is_cut_off(label) || inner.contains(":   ") => Self::Damaged,
            None => Self::Other,
        }
    }
}

impl<'t> Interval<'t> {
    fn parse(inner: &'t str) -> Option<Self> {
        let mut words = inner.split_ascii_whitespace();
        let mut quantity = || {
            let number = words.next()?;
            quantity::number(number)?;
            Some((number, words.next()?))
        };
        let quantities = [quantity()?, quantity()?, quantity()?];
        words.next().is_none().then_some(Self(quantities))
    }

    /// Reads one whose unit is of several words, and the same three times: a measurement of the author's may be in such.
    fn of_words(inner: &'t str) -> Option<Self> {
        let words = inner.split_ascii_whitespace().count();
        let mut rest = inner.trim();
        let mut quantity = || {
            let mut blanks = rest.match_indices(' ').map(|(at, _)| at);
            let end = blanks.nth((words / 3).checked_sub(1)?);
            let (one, behind) = rest.split_at(end.unwrap_or(rest.len()));
            rest = behind.trim_start();
            let (number, unit) = one.split_once(' ')?;
            quantity::number(number)?;
            Some((number, unit))
        };
        let quantities = [quantity()?, quantity()?, quantity()?];
        let is_one = quantities.iter().all(|(_, unit)| *unit == quantities[0].1);
        (is_one && rest.is_empty()).then_some(Self(quantities))
    }

    /// Returns the ends and the estimate in nanoseconds.
    pub(super) fn nanoseconds(&self) -> Result<[f64; 3], String> {
        self.values(|unit| quantity::nanoseconds(unit).ok_or_else(|| unknown(unit)))
    }

    /// Returns the ends and the estimate in things, bytes or bits per second.
    pub(super) fn rates(&self) -> Result<(Unit, [f64; 3]), String> {
        let (unit, _) = rate(self.0[1].1).ok_or_else(|| unknown(self.0[1].1))?;
        let values = self.values(|symbol| match rate(symbol) {
            Some((own, scale)) if own == unit => Ok(scale),
            _ => Err(unknown(symbol)),
        })?;
        Ok((unit, values))
    }

    /// Returns the ends and the estimate as they are written, and the unit they are all in.
    pub(super) fn as_written(&self) -> Option<(&'t str, [f64; 3])> {
        let (_, unit) = self.0[1];
        let is_one = self.0.iter().all(|(_, own)| *own == unit);
        let values = self.values(|_| Ok(quantity::as_it_is())).ok()?;
        is_one.then_some((unit, values))
    }

    fn values(&self, scale: impl Fn(&str) -> Result<Scale, String>) -> Result<[f64; 3], String> {
        let mut values = [0.0; 3];
        for (value, (number, unit)) in values.iter_mut().zip(self.0) {
            let of_text = scale(unit)?.of_text(number);
            *value = of_text.ok_or_else(|| format!("`{number}` is no number"))?;
        }
        Ok(values)
    }
}

fn unknown(unit: &str) -> String {
    format!("the unit `{}` is not known", crate::place::shown(unit))
}

/// Returns what a rate counts, and how it becomes one of a base unit.
fn rate(symbol: &str) -> Option<(Unit, Scale)> {
    let counted = symbol.strip_suffix("/s")?;
    if let Some(prefix) = counted.strip_suffix("elem") {
        return Some((Unit::PerSecond, quantity::things(prefix)?));
    }
    if let Some(prefix) = counted.strip_suffix('b') {
        return Some((Unit::BitPerSecond, quantity::things(prefix)?));
    }
    Some((Unit::BytePerSecond, quantity::bytes(counted)?))
}

/// Splits a line that ends in a bracket into what stands before it and inside.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    let (label, inner) = text.strip_suffix(']')?.rsplit_once('[')?;
    Some((label, inner))
}

/// Returns whether a text is a result that lost its end or its beginning, or a part of one.
fn is_cut_off(text: &str) -> bool {
    let lost_its_beginning = text.ends_with(']')
        && !text.ends_with("%]")
        && !text.contains('[')
        && ["time:   ", "thrpt:  "]
            .iter()
            .any(|label| text.contains(label));
    lost_its_beginning
        || ["time:   [", "thrpt:  ["]
            .iter()
            .any(|begin| has_interval(text, begin))
        || ["time:", "thrpt:"].iter().any(|end| {
            text.strip_suffix(end)
                .is_some_and(|name| name.len() >= COLUMN)
        })
}

/// Returns whether a line within which a text ends has a part of what stands before an interval. Nothing else stands in its
/// column behind a blank; a name alone can be anything, whatever blanks are behind it.
pub(super) fn is_cut_label(text: &str) -> bool {
    let parts = text.split_at_checked(COLUMN);
    parts.is_some_and(|(name, label)| {
        let is_label = ["time:", "thrpt:"].iter().any(|it| it.starts_with(label));
        name.ends_with(' ') && !label.is_empty() && is_label
    })
}

/// Returns whether an interval begins within a text, whatever follows it: a change ends in how likely it is, and where a
/// line end is lost the next line follows.
fn has_interval(text: &str, begin: &str) -> bool {
    let mut parts = text.split(begin).skip(1);
    parts.any(|part| {
        let inner = part.split_once(']');
        !inner.is_some_and(|(inner, _)| is_change(inner))
    })
}

/// Returns whether an interval is one of a change, which is all percents.
fn is_change(inner: &str) -> bool {
    let mut words = inner.split_ascii_whitespace();
    inner.contains('%') && words.all(|word| word.ends_with('%'))
}

/// Returns whether a text is a name too long to stand before its time. How long that is, Criterion counts in bytes.
fn is_long_name(text: &str) -> bool {
    text.len() >= COLUMN && !text.starts_with(' ') && !is_its_own(text)
}

/// Returns whether more stands before a time than its name, as in a log that begins each line: Criterion fills a name with
/// blanks up to the column, and gives a longer one a line of its own.
pub(super) fn is_too_wide(name: &str, text: &str) -> bool {
    let label = text.rsplit_once("time:").map_or("", |(label, _)| label);
    let blanks = label.len() - label.trim_end().len();
    // In another encoding a name may have more bytes than Criterion counted, but never more letters.
    name.chars().count() + blanks > COLUMN
}

/// Returns the line before one with a time, without the blanks that both begin with where somebody moved all of them in.
pub(super) fn as_far_in<'t>(before: &'t str, time: &str) -> Option<&'t str> {
    let blanks = time.len() - time.trim_start_matches(' ').len();
    let moved = blanks.saturating_sub(COLUMN);
    let (moved, before) = before.split_at_checked(moved)?;
    moved.bytes().all(|byte| byte == b' ').then_some(before)
}

/// Returns whether a line may be a name that stands before its time.
pub(super) fn may_be_name(text: &str) -> bool {
    is_long_name(text) || is_in_progress(text) && behind_progress(text).is_some_and(is_long_name)
}

/// Returns a name without what Criterion wrote of its progress, which on a terminal the name is written over: a log has
/// kept both. Where the two do not say the same, no name is known.
pub(super) fn behind_progress(text: &str) -> Option<&str> {
    if !is_in_progress(text) {
        return Some(text);
    }
    let (_, last) = text.rsplit_once(PROGRESS)?;
    let mut names = last.match_indices(": ").map(|(at, _)| last.split_at(at));
    names.find_map(|(name, behind)| {
        let step = behind.strip_suffix(name)?;
        (!name.is_empty() && is_step(step)).then_some(name)
    })
}

/// Returns whether a text is how far a benchmark is, or the beginning of that: a longer text in its place is another name.
fn is_step(text: &str) -> bool {
    let is_number = |word: &str| {
        let digits = word
            .trim_start_matches('(')
            .trim_end_matches(['k', 'M', 'B']);
        digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    let mut words = text.trim_start_matches(": ").split(' ');
    let last = words.next_back().unwrap_or_default();
    let is_cut = is_number(last) || STEP_WORDS.iter().any(|word| word.starts_with(last));
    is_cut && words.all(|word| is_number(word) || STEP_WORDS.contains(&word))
}

fn is_in_progress(text: &str) -> bool {
    let steps = [": Warming up", ": Collecting ", ": Analyzing"];
    text.starts_with(PROGRESS) && steps.iter().any(|step| text.contains(step))
}

/// Returns whether a line is one that Criterion writes between names and times, and which stands before a time where a
/// name was lost.
fn is_its_own(text: &str) -> bool {
    let begins = [PROGRESS, "Criterion.rs ", "WARNING: ", "Warning: "];
    begins.iter().any(|begin| text.starts_with(begin))
        || text.starts_with("Found ") && text.contains(" outliers among ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_as_far_in_as_its_time() {
        let time = "time:   [1 ns 2 ns 3 ns]";
        for (before, blanks, expected) in [
            ("a name", 24, Some("a name")),
            ("a name", 2, Some("a name")),
            ("    a name", 28, Some("a name")),
            ("     a name", 28, Some(" a name")),
            ("   a name", 28, None),
            ("größe", 26, None),
            ("", 28, None),
        ] {
            let time = format!("{}{time}", " ".repeat(blanks));
            assert_eq!(as_far_in(before, &time), expected, "{before}");
        }
    }

    #[test]
    fn times_and_rates_are_found_in_every_form() {
        for (text, name, expected) in [
            (
                "kv/get/64               time:   [1.5 µs 2.25 µs 3 ms]",
                Some("kv/get/64"),
                [1500.0, 2250.0, 3e6],
            ),
            (
                "                        time:   [1 ns 2 ns 3 ns]",
                None,
                [1.0, 2.0, 3.0],
            ),
            (
                "time: of a name         time:   [1 ps 2 us 3 s]",
                Some("time: of a name"),
                [1e-3, 2000.0, 3e9],
            ),
            (
                "Benchmarking get: Analyzing\rget                     time:   [1 ns 2 ns 3 ns]",
                Some("get"),
                [1.0, 2.0, 3.0],
            ),
        ] {
            let Line::Time {
                name: found,
                interval,
            } = Line::of(text)
            else {
                panic!("{text} is a time");
            };
            assert_eq!(found, name, "{text}");
            assert_eq!(interval.nanoseconds().unwrap(), expected);
        }
        for (text, unit, expected) in [
            (
                "thrpt:  [1 B/s 2 KiB/s 3 MB/s]",
                Unit::BytePerSecond,
                [1.0, 2048.0, 3e6],
            ),
            (
                "thrpt:  [1 elem/s 2.5 Kelem/s 3 Gelem/s]",
                Unit::PerSecond,
                [1.0, 2500.0, 3e9],
            ),
            (
                "thrpt:  [1 b/s 2.5 Kb/s 3 Gb/s]",
                Unit::BitPerSecond,
                [1.0, 2500.0, 3e9],
            ),
        ] {
            let text = format!("                        {text}");
            let Line::Rate(interval) = Line::of(&text) else {
                panic!("{text} is a rate");
            };
            assert_eq!(interval.rates().unwrap(), (unit, expected));
        }
    }

    #[test]
    fn changes_and_what_verbose_adds_are_no_results() {
        for text in [
            "                        change: [-1.5% +2.25% +3%] (p = 0.02 < 0.05)",
            "                        time:   [-37.061% -25% +2%] (p = 0.20 > 0.05)",
            "                        time:   [−37.061% −25% +2%]",
            "                        thrpt:  [−37.061% −25% +2%]",
            "slope  [187.13 ns 383.69 ns] R^2            [0.0044131 0.0040521]",
            "mean   [165.37 ns 341.16 ns] std. dev.      [97.573 ns 284.02 ns]",
            "Found 1 outliers among 20 measurements (5.00%)",
        ] {
            assert_eq!(Line::of(text), Line::Other, "{text}");
        }
    }

    #[test]
    fn a_long_name_is_none_of_criterions_own_lines() {
        for (text, expected) in [
            ("exactly_24_characters_ab", true),
            ("only_23_characters_here", false),
            ("ключ/значение/быстро", true),
            ("a name with Benchmarking in it", true),
            ("Benchmarking exactly_24_characters_ab: Analyzing", false),
            ("Found 2 outliers among 10 measurements (20.00%)", false),
            ("Warning: Unable to complete 10 samples in 0.1s.", false),
            ("Criterion.rs ERROR: something about it", false),
            ("                        change: none", false),
        ] {
            assert_eq!(is_long_name(text), expected, "{text}");
        }
    }

    #[test]
    fn a_name_is_told_from_the_progress_before_it() {
        for (text, expected) in [
            ("get", Some("get")),
            ("Benchmarking the store", Some("Benchmarking the store")),
            (
                "Benchmarking get: Collecting 10 samples (1k iteraget",
                Some("get"),
            ),
            (
                "Benchmarking getBenchmarking get: Warming up for 3.0000 sBenchmarking get: Analyzingget",
                Some("get"),
            ),
            ("Benchmarking a: b: Analyzinga: b", Some("a: b")),
            (
                "Benchmarking get: Collecting 10 samples (1k iteraforget",
                None,
            ),
            ("Benchmarking get: Analyzing", None),
            ("Benchmarking get: Analyzingset", None),
        ] {
            assert_eq!(behind_progress(text), expected, "{text}");
        }
        let long = "a_name_of_24_characters_";
        let line = format!("Benchmarking {long}: Analyzing{long}");
        assert!(may_be_name(&line));
        assert!(!may_be_name(&line.replace(long, "get")));
    }

    #[test]
    fn what_criterion_refused_is_told() {
        let text = "Criterion.rs ERROR: At least one measurement took zero time";
        let why = "At least one measurement took zero time";
        assert_eq!(Line::of(text), Line::Refused(why));
        let text = "Criterion.rs ERROR: error: Failed to access file \"get/base/sample.json\"";
        assert_eq!(Line::of(text), Line::Other);
    }

    #[test]
    fn a_name_is_as_wide_as_its_column() {
        let time = "time:   [1 ns 2 ns 3 ns]";
        for (name, before, expected) in [
            ("get", "get                     ", false),
            ("get", "    get                     ", false),
            ("ключ", "ключ                ", false),
            ("23_letters_have_a_blank", "23_letters_have_a_blank ", false),
            (
                "24_letters_have_no_blank",
                "24_letters_have_no_blank ",
                true,
            ),
            ("kv | get", "kv | get                     ", true),
        ] {
            assert_eq!(
                is_too_wide(name, &format!("{before}{time}")),
                expected,
                "{before}"
            );
        }
    }

    #[test]
    fn what_lost_a_part_is_damaged() {
        for text in [
            "get                     time:   [1 ns 2 ns 3 ns",
            "get                     time:   [1 ns 2 ns",
            "get                     time:   [1 ns 2 ns]",
            "get                     time:",
            "get                     timX:   [1 ns 2 ns 3 ns]",
            "get                     time:   [1 ns 2 nsset time:   [1 ns 2 ns 3 ns]",
            "                        thrpt:  [1 B/s 2 KiB/s",
            "get                     time:   [1 ns 2.% ns 3 ns]",
            "get                     time:   []",
            "get[0]                  time:   1 ns 2 ns 3 ns]",
            "get                     time:   [1 ns 2 ns 3 ns]*Found 2 outliers (20.00%)",
            "get                     time:   [1 ns 2 ns 3 ns]     Running benches/b.rs (b-00)",
        ] {
            assert_eq!(Line::of(text), Line::Damaged, "{text}");
        }
        let custom = Line::of("get                     time:   [1 cycles 2 cycles 3 cycles]");
        let Line::Time { interval, .. } = custom else {
            panic!("it is a time");
        };
        let said = interval.nanoseconds().expect_err("no unit of time");
        assert_eq!(said, "the unit `cycles` is not known");
    }
}
