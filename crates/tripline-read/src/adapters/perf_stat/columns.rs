//! What stands before `#` in a line that `perf stat` prints: the value, the unit, the counter, and where it was counted.
//!
//! Tested by the lines of the table.

use std::borrow::Cow;

use super::counter::{Counter, MISSING};
use super::printed::TIMES;
use crate::quantity;

/// How wide the column of units is at the least.
const UNIT_WIDTH: usize = 4;

/// Reads a number whose thousands are set apart; in India, groups of two stand before the last three digits.
fn grouped_number(text: &str) -> Option<f64> {
    quantity::number(text).or_else(|| {
        let whole = text.split_once('.').map_or(text, |(whole, _)| whole);
        let (before, last) = whole.rsplit_once(',')?;
        let mut groups = before.split(',');
        let first = groups.next()?;
        let is_indian = (1..=2).contains(&first.len())
            && last.len() == 3
            && groups.all(|group| group.len() == 2)
            && whole
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b',');
        let plain = whole.replace(',', "") + &text[whole.len()..];
        quantity::number(&plain).filter(|_| is_indian)
    })
}

/// Reads what was counted on: a processor, the value, a unit, the counter, and the group of processes it was counted in.
pub(super) fn counted(text: &str) -> Result<Counter<'static>, &'static str> {
    let (text, missing) = match MISSING.iter().find(|(word, _)| text.contains(word)) {
        Some((word, why)) => (text.replacen(word, "0", 1), Some(*why)),
        None => (text.to_owned(), None),
    };
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let is_number = |word: &str| grouped_number(word).is_some();
    let has_processor = words.first().is_some_and(|word| !is_number(word));
    let processor = has_processor.then(|| words.remove(0).to_owned());
    // Behind a part of the machine stands how many processors it has.
    if has_processor && words.len() > 2 && is_number(words[0]) && is_number(words[1]) {
        words.remove(0);
    }
    let [number, words @ ..] = &words[..] else {
        return Err("it is no counter");
    };
    let value = grouped_number(number).ok_or("its value is no number")?;
    let has_unit = || !begins_behind_units(&text, words);
    let Named {
        unit,
        event,
        cgroup,
        variance,
    } = named(value, words, has_unit)?;
    if unit == "s" && !TIMES.iter().any(|(words, _)| event == *words) {
        return Err("it is no time that is known");
    }
    Ok(Counter {
        value: missing.map_or(Ok(value), Err),
        unit: Cow::Owned(unit.to_owned()),
        event: Cow::Owned(event),
        variance,
        share: 100.0,
        derived: None,
        lacks_unit: false,
        processor: processor.map(Cow::Owned),
        cgroup: cgroup.map(|cgroup| Cow::Owned(cgroup.to_owned())),
        is_summary: true,
    })
}

/// What stands behind a value.
struct Named<'t> {
    unit: &'t str,
    event: String,
    cgroup: Option<&'t str>,
    variance: Option<f64>,
}

/// Reads what stands behind a value. Two words may be a unit and a counter, or a counter and a group of processes.
fn named<'t>(
    value: f64,
    words: &[&'t str],
    has_unit: impl Fn() -> bool,
) -> Result<Named<'t>, &'static str> {
    let of = |unit, event: &str, cgroup| Named {
        unit,
        event: event.to_owned(),
        cgroup,
        variance: None,
    };
    let begins_like_name = |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic());
    Ok(match words {
        ["seconds", rest @ ..] if !rest.is_empty() => of("s", &words.join(" "), None),
        ["+-", error, rest @ ..] if rest.first() == Some(&"seconds") => {
            let error = quantity::number(error).ok_or("its error is no number")?;
            let percent = if value > 0.0 {
                error / value * 100.0
            } else {
                0.0
            };
            Named {
                variance: Some(percent),
                ..of("s", &rest.join(" "), None)
            }
        }
        [event] if begins_like_name(event) => of("", event, None),
        // Which of several parts of the machine counted stands behind the counter's name.
        [event, part] if begins_like_name(event) && is_bracketed(part) => {
            of("", &words.join(" "), None)
        }
        [unit, event, part] if begins_like_name(event) && is_bracketed(part) => {
            of(unit, &words[1..].join(" "), None)
        }
        [event, cgroup] if begins_like_name(event) && !has_unit() => of("", event, Some(cgroup)),
        [unit, event] if begins_like_name(event) => of(unit, event, None),
        [unit, event, cgroup] if begins_like_name(event) && has_unit() => {
            of(unit, event, Some(cgroup))
        }
        _ => return Err("it is not of the form value, unit, counter"),
    })
}

fn is_bracketed(word: &str) -> bool {
    word.starts_with('[') && word.ends_with(']')
}

/// Returns whether the words behind the value stand behind the column of units, which is four wide at the least.
fn begins_behind_units(text: &str, behind: &[&str]) -> bool {
    // From the end: the digits of the value may stand in the name of the processor as well.
    let words = behind.iter().rev();
    let rest = words.fold(text.trim_end(), |rest, word| {
        rest.strip_suffix(word).unwrap_or(rest).trim_end()
    });
    let gap = &text[rest.len()..];
    gap.len() - gap.trim_start().len() > UNIT_WIDTH
}
