//! How numbers and times read on the pages: as everywhere else, and also below zero, which a history from elsewhere may be.

use jiff::Timestamp;
use tripline_model::{Better, Unit, number};

use crate::trends::{Change, Interval};

/// Whether a change is for the better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Effect {
    /// It got worse.
    Worse,
    /// It got better.
    Better,
    /// It moved, and nobody says which way is better, or the levels are equal.
    Moved,
}

impl Effect {
    /// Returns the effect of a change of a metric.
    pub(crate) fn of(change: &Change, better: Better) -> Self {
        let is_up = change.after > change.before;
        match better {
            _ if change.after == change.before => Self::Moved,
            Better::Neither => Self::Moved,
            Better::Lower if is_up => Self::Worse,
            Better::Higher if !is_up => Self::Worse,
            Better::Lower | Better::Higher => Self::Better,
        }
    }

    /// Returns the word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Worse => "worse",
            Self::Better => "better",
            Self::Moved => "moved",
        }
    }
}

/// Returns a value with its unit.
pub(crate) fn value(value: f64, unit: &Unit) -> String {
    if value < 0.0 {
        return ["\u{2212}", &number::value(-value, unit)].concat();
    }
    number::value(value, unit)
}

/// Returns a share as a signed change.
pub(crate) fn share(share: f64) -> String {
    if share.is_infinite() {
        return "from zero".to_owned();
    }
    if share == 0.0 {
        return "0 %".to_owned();
    }
    minus(&number::change(1.0 + share))
}

/// Returns between which shares a change lies.
pub(crate) fn interval(interval: Interval) -> String {
    [&share(interval.low), " \u{2026} ", &share(interval.high)].concat()
}

/// Writes the sign as one, not as a hyphen.
fn minus(text: &str) -> String {
    text.replace('-', "\u{2212}")
}

/// Returns the arrow that says which way a change went, with the space behind it; nothing where the levels are equal.
pub(crate) fn arrow(change: &Change) -> &'static str {
    if change.after == change.before {
        ""
    } else if change.after > change.before {
        "\u{25b2} "
    } else {
        "\u{25bc} "
    }
}

/// Returns the day of a time.
pub(crate) fn day(time: Timestamp) -> String {
    time.to_string().chars().take(10).collect()
}

/// Returns day and minute of a time.
pub(crate) fn minute(time: Timestamp) -> String {
    let text: String = time.to_string().chars().take(16).collect();
    [&text.replace('T', " "), " UTC"].concat()
}

/// Returns how long ago a time was, in the largest unit of which there is at least one.
pub(crate) fn ago(time: Timestamp, now: Timestamp) -> String {
    const UNITS: &[(i64, &str)] = &[(86_400, "day"), (3_600, "hour"), (60, "minute")];
    let seconds = now.as_second().saturating_sub(time.as_second());
    let fitting = UNITS.iter().find(|(size, _)| seconds >= *size);
    let Some((size, unit)) = fitting else {
        return "just now".to_owned();
    };
    let count = seconds / size;
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural} ago")
}

/// Returns a coordinate with one decimal, as short as it can be.
pub(crate) fn coordinate(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Writes a whole number. Pages have millions of them.
pub(crate) fn digits(text: &mut String, mut number: u64) {
    const MOST: usize = 20;
    // Most of them are differences of one digit.
    if number < 10 {
        text.push(char::from(b'0' + number as u8));
        return;
    }
    let mut found = [b'0'; MOST];
    let mut first = MOST;
    // The last digit is found first.
    loop {
        first -= 1;
        found[first] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text.push_str(str::from_utf8(&found[first..]).expect("digits are text"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_below_zero_have_their_sign() {
        assert_eq!(value(-1_500.0, &Unit::Nanosecond), "\u{2212}1.500 \u{b5}s");
        assert_eq!(value(1_500.0, &Unit::Count), "1,500");
    }

    #[test]
    fn equal_levels_moved_and_went_no_way() {
        let to = |after| Change {
            at: 5,
            range: 5..=5,
            before: 100.0,
            after,
            shift: 0.0,
            interval: None,
            status: crate::trends::Status::Confirmed,
        };
        for (after, lower, higher, drawn) in [
            (100.0, Effect::Moved, Effect::Moved, ""),
            (140.0, Effect::Worse, Effect::Better, "\u{25b2} "),
            (60.0, Effect::Better, Effect::Worse, "\u{25bc} "),
        ] {
            let change = to(after);
            assert_eq!(Effect::of(&change, Better::Lower), lower);
            assert_eq!(Effect::of(&change, Better::Higher), higher);
            assert_eq!(arrow(&change), drawn);
        }
    }

    #[test]
    fn shares_are_changes() {
        for (given, expected) in [
            (0.082, "+8.20 %"),
            (-0.3, "\u{2212}30.00 %"),
            (1.5, "2.5x"),
            (f64::INFINITY, "from zero"),
        ] {
            assert_eq!(share(given), expected);
        }
    }

    /// The script of the pages says the same in its own words: one table for both, and `front/browser` holds it to it.
    #[test]
    fn the_pages_and_their_scripts_write_numbers_alike() {
        let table: serde_json::Value =
            serde_json::from_str(include_str!("../front/figures.json")).unwrap();
        let rows = |name: &str| table[name].as_array().unwrap().clone();
        for row in rows("values") {
            let unit = Unit::from_symbol(row[1].as_str().unwrap()).unwrap();
            assert_eq!(value(row[0].as_f64().unwrap(), &unit), row[2], "{row}");
        }
        for row in rows("changes") {
            let [before, after] = [0, 1].map(|at| row[at].as_f64().unwrap());
            assert_eq!(share((after - before) / before), row[2], "{row}");
        }
    }

    #[test]
    fn times_are_told_by_their_distance() {
        let at = |second| Timestamp::from_second(second).unwrap();
        for (seconds, expected) in [
            (0, "just now"),
            (-5, "just now"),
            (60, "1 minute ago"),
            (7_300, "2 hours ago"),
            (900_000, "10 days ago"),
        ] {
            assert_eq!(ago(at(0), at(seconds)), expected);
        }
    }

    #[test]
    fn whole_numbers_have_all_their_digits() {
        for number in [0, 7, 10, 1_234_567_890, u64::MAX] {
            let mut text = String::new();
            digits(&mut text, number);
            assert_eq!(text, number.to_string());
        }
    }

    #[test]
    fn coordinates_are_short() {
        assert_eq!(coordinate(12.04), "12");
        assert_eq!(coordinate(12.06), "12.1");
    }
}
