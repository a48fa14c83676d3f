//! The values of a history, each of which stands there in several forms: numbers that are texts, ranges with a sign, times
//! as milliseconds or in words.
//!
//! Tested below.

use std::borrow::Cow;
use std::ops::Range;

use jiff::Timestamp;
use serde_json::value::RawValue;
use tripline_model::{CommitSubject, Point, SUBJECT_BYTES_MAX, Spread, is_harmless, time_written};

use super::loose::Loose;
use super::meaning::{Tool, stem, trimmed};
use super::people::without_addresses;
use super::shape::Bench;
use crate::json::Text;
use crate::place::shown;
use crate::quantity::{Scale, as_it_is, percent};
use crate::units_written::time;

/// What is kept of a value.
#[derive(Debug)]
pub(super) struct Taken<'b> {
    pub(super) point: Point,
    /// The value as it was written, where its unit is none of ours.
    pub(super) value: Option<f64>,
    /// The range as it was written, where the point does not say it.
    pub(super) range: Option<Cow<'b, str>>,
    /// Whether the range is one of which nobody knows how far it reaches.
    pub(super) is_range_unread: bool,
    /// Whether nobody knows this because its unit is not said.
    pub(super) is_range_bare: bool,
}

/// Returns what is kept of a benchmark's value, if it is a number.
pub(super) fn taken<'b>(
    bench: &'b Bench<'_>,
    scale: Scale,
    is_time: bool,
    tool: Tool,
) -> Option<Taken<'b>> {
    let value = bench.value?;
    let center = center_of(value, scale)?;
    let written = (!scale.is_none()).then(|| center_of(value, as_it_is()));
    let range = bench.range.text().map(|text| without_addresses(text));
    let unit = bench.unit.text().map_or("", |unit| unit);
    let is_range_bare = !tool.has_ranges_in_unit && is_bare(&bench.range);
    let reach = reach_of(&bench.range, center, scale, (unit, is_time))
        .filter(|_| !is_range_bare)
        .filter(|reach| *reach >= 0.0 && (center.abs() + reach).is_finite());
    let says_all = |text: &str| scale.is_none() && reach.is_some_and(|reach| says(text, reach));
    Some(Taken {
        point: Point {
            center,
            spread: reach.map_or(Spread::Nothing, Spread::Reach),
        },
        value: written.flatten(),
        is_range_unread: reach.is_none() && !is_range_bare && is_range(&bench.range),
        is_range_bare,
        range: range.filter(|text| !says_all(text)),
    })
}

/// Returns whether a text is `± ` and a number in its shortest form, which is how a reach is written.
fn says(text: &str, reach: f64) -> bool {
    /// So many digits always come back.
    const DIGITS_MAX: usize = 15;
    let Some(number) = text.strip_prefix("± ") else {
        return false;
    };
    let mut parts = number.as_bytes().splitn(2, |byte| *byte == b'.');
    let (whole, fraction) = (parts.next().unwrap_or_default(), parts.next());
    let fraction = fraction.unwrap_or(b"1");
    let is_short = !whole.is_empty()
        && number.len() <= DIGITS_MAX
        && (whole == b"0" || !whole.starts_with(b"0"))
        && !fraction.is_empty()
        && !fraction.ends_with(b"0")
        && whole.iter().chain(fraction).all(u8::is_ascii_digit);
    is_short || number == reach.to_string()
}

/// Returns a number, or a text that is one. It is taken as it is written, so that converting it loses nothing.
fn center_of(value: &RawValue, scale: Scale) -> Option<f64> {
    let written = value.get();
    if !written.starts_with('"') {
        return scale.of_text(written);
    }
    let text: Text<'_> = serde_json::from_str(written).ok()?;
    scale.of_text(text.trim())
}

/// Returns what a range such as `± 755`, `±0.68%`, `755` or `± 10 us` reaches to each side of a center. What says more than
/// one number, such as two ends, does not say that.
fn reach_of(
    range: &Loose<'_>,
    center: f64,
    scale: Scale,
    (unit, is_time): (&str, bool),
) -> Option<f64> {
    let text = match range {
        Loose::Number(number) => return Some(scale.of(*number)).filter(|reach| reach.is_finite()),
        Loose::Text(text) => text,
        Loose::Truth(_) | Loose::Nothing | Loose::Null | Loose::Json(_) => return None,
    };
    let (number, its_unit) = number_and_unit(text);
    match its_unit {
        "%" => Some(percent().of(center.abs() * as_it_is().of_text(number)?)),
        "" => scale.of_text(number),
        _ if its_unit == stem(unit) => scale.of_text(number),
        // A time, and what it is give or take, may be in two units.
        _ if is_time => time(its_unit)?.of_text(number),
        _ => None,
    }
}

/// Returns the number of a range, without its sign, and what stands behind it.
fn number_and_unit(range: &str) -> (&str, &str) {
    let text = trimmed(range);
    let without_sign = text
        .strip_prefix('±')
        .or_else(|| text.strip_prefix("+/-"))
        .or_else(|| text.strip_prefix("+-"));
    let text = trimmed(without_sign.unwrap_or(text));
    let is_of_number =
        |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',' | b'-' | b'+' | b'e' | b'E');
    let end = text.bytes().position(|byte| !is_of_number(byte));
    let end = end.unwrap_or(text.len());
    (&text[..end], trimmed(&text[end..]))
}

/// Returns whether a range is a number without a unit.
fn is_bare(range: &Loose<'_>) -> bool {
    match range {
        Loose::Number(_) => true,
        Loose::Text(text) => {
            let (number, unit) = number_and_unit(text);
            !number.is_empty() && unit.is_empty()
        }
        Loose::Truth(_) | Loose::Nothing | Loose::Null | Loose::Json(_) => false,
    }
}

/// Returns whether something stands in a range's place.
fn is_range(range: &Loose<'_>) -> bool {
    match range {
        Loose::Nothing | Loose::Null => false,
        Loose::Text(text) => !text.trim().is_empty(),
        Loose::Number(_) | Loose::Truth(_) | Loose::Json(_) => true,
    }
}

/// Says what ranges are like.
pub(super) fn ranges_like(range: &Loose<'_>) -> String {
    match range {
        Loose::Text(text) => format!(
            "ranges such as `{}`, which are kept as they are",
            shown(without_addresses(text.trim()).as_ref())
        ),
        Loose::Number(number) => {
            format!("ranges such as `{number:?}`, which are kept as they are")
        }
        Loose::Truth(_) | Loose::Nothing | Loose::Null | Loose::Json(_) => {
            "ranges that are neither numbers nor texts, which are kept as they are".to_owned()
        }
    }
}

/// Returns a time: milliseconds since 1970, or a text in one of many forms.
pub(super) fn time_of(value: &Loose<'_>) -> Option<Timestamp> {
    match value {
        Loose::Number(milliseconds) => {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a time out of range is none"
            )]
            let [whole, rest] = {
                let whole = milliseconds.floor();
                [whole, (milliseconds - whole) * 1e6].map(|part| part.round() as i128)
            };
            // Some write them with a fraction, as they have them from seconds.
            Timestamp::from_nanosecond(whole.saturating_mul(1_000_000).saturating_add(rest)).ok()
        }
        Loose::Text(text) => time_written(text).or_else(|| {
            let milliseconds: i64 = text.trim().parse().ok()?;
            Timestamp::from_millisecond(milliseconds).ok()
        }),
        Loose::Truth(_) | Loose::Nothing | Loose::Null | Loose::Json(_) => None,
    }
}

/// Returns whether a date is a number that was hardly meant in milliseconds, because it would be of the last century.
pub(super) fn is_early(date: &Loose<'_>, time: Timestamp) -> bool {
    // Of seconds since 1970, and of years, months and days in a row.
    const EARLY: Range<i64> = 10_000_000..946_684_800_000;
    let is_number = match date {
        Loose::Number(_) => true,
        Loose::Text(text) => text.trim().bytes().all(|byte| byte.is_ascii_digit()),
        Loose::Truth(_) | Loose::Nothing | Loose::Null | Loose::Json(_) => false,
    };
    is_number && EARLY.contains(&time.as_millisecond())
}

/// Returns the first line of a message, as long as it may be, without what cannot be shown.
pub(super) fn subject_of(message: &str) -> Option<CommitSubject> {
    let line = message.lines().next()?;
    let line: String = line.chars().filter(|c| is_harmless(*c)).collect();
    let end = line.floor_char_boundary(SUBJECT_BYTES_MAX);
    CommitSubject::new(line[..end].trim()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantity::nanoseconds;

    fn text(text: &str) -> Loose<'_> {
        Loose::Text(Cow::Borrowed(text))
    }

    #[test]
    fn times_are_read_in_every_form() {
        let second = |value: &Loose<'_>| time_of(value).map(Timestamp::as_second);
        assert_eq!(
            second(&Loose::Number(1_600_000_000_000.0)),
            Some(1_600_000_000)
        );
        assert_eq!(second(&text("1600000000000")), Some(1_600_000_000));
        assert_eq!(
            second(&text("2020-09-13T14:26:40+02:00")),
            Some(1_600_000_000)
        );
        assert_eq!(
            second(&text("2020-09-13 12:26:40 +0000")),
            Some(1_600_000_000)
        );
        assert_eq!(second(&text("yesterday")), None);
        assert_eq!(second(&Loose::Number(1e300)), None);
        let exact = 1_791_563_591_230.014;
        let time = time_of(&Loose::Number(exact)).unwrap();
        assert_eq!(tripline_model::milliseconds(time), exact);
    }

    #[test]
    fn a_number_of_seconds_is_known() {
        let is_early = |date: &Loose<'_>| is_early(date, time_of(date).unwrap());
        assert!(is_early(&Loose::Number(1_600_000_000.0)));
        assert!(is_early(&Loose::Number(20_200_914.0)));
        assert!(is_early(&text("1600000000")));
        assert!(!is_early(&Loose::Number(1_600_000_000_000.0)));
        assert!(!is_early(&text("20200914")));
        assert!(!is_early(&text("1999-12-31")));
    }

    #[test]
    fn ranges_are_read_in_every_form() {
        for (range, expected) in [
            ("± 755", Some(755.0)),
            ("+/- 1,755", Some(1755.0)),
            ("±1.5%", Some(3.0)),
            ("± 0.5 %", Some(1.0)),
            ("±10us", Some(10_000.0)),
            ("± 10 ns/iter", Some(10.0)),
            ("± 3e-2", Some(0.03)),
            ("stddev: 0.1", None),
            ("95 … 105", None),
            ("90 - 110", None),
            ("90-110", None),
            ("90..110", None),
            ("± 10 MB", None),
            ("± 10 m", None),
            ("-1", Some(-1.0)),
            ("±%", None),
            ("", None),
        ] {
            let reach = reach_of(&text(range), 200.0, as_it_is(), ("ns/iter", true));
            assert_eq!(reach, expected, "{range}");
        }
        let speed = reach_of(&text("± 0.2 m"), 12.5, as_it_is(), ("m/s", false));
        assert_eq!(speed, None);
        // A center below zero has values to both sides of it as well.
        let below = reach_of(&text("±1.5%"), -200.0, as_it_is(), ("", false));
        assert_eq!(below, Some(3.0));
        let seconds = nanoseconds("s").unwrap();
        let of_number = |number| reach_of(&Loose::Number(number), 1.0, seconds, ("s", true));
        assert_eq!(of_number(2.5), Some(2.5e9));
        assert_eq!(of_number(f64::MAX), None);
    }

    /// Takes a value of one with a range; returns the reach, what is kept of the text, and whether it is unread.
    fn ranged(range: Loose<'_>, scale: Scale) -> (Option<f64>, Option<String>, bool) {
        let value: &RawValue = serde_json::from_str("1").unwrap();
        let bench = Bench {
            value: Some(value),
            unit: text("ns"),
            range,
            ..Bench::default()
        };
        let taken = taken(&bench, scale, true, Tool::of("cargo")).unwrap();
        let reach = match taken.point.spread {
            Spread::Reach(reach) => Some(reach),
            Spread::Nothing | Spread::Quartiles { .. } => None,
        };
        let range = taken.range.map(Cow::into_owned);
        (reach, range, taken.is_range_unread)
    }

    #[test]
    fn a_range_that_is_not_understood_is_known_and_kept() {
        let seconds = nanoseconds("s").unwrap();
        for (range, expected) in [
            (Loose::Nothing, false),
            (Loose::Null, false),
            (text(" "), false),
            (text("± 0"), false),
            (text("± 5"), false),
            (Loose::Number(0.0), false),
            (Loose::Number(5.0), false),
            (text("stddev: 0.1"), true),
            (text("± 1e300"), true),
            (Loose::Number(1e300), true),
            (Loose::Number(-5.0), true),
            (Loose::Truth(true), true),
            (Loose::Json("[]".into()), true),
        ] {
            let kept = range.text().map(ToString::to_string);
            let (_, range, is_unread) = ranged(range, seconds);
            assert_eq!((&range, is_unread), (&kept, expected));
        }
    }

    #[test]
    fn a_text_that_a_reach_says_is_not_kept_beside_it() {
        for (range, reach, is_kept) in [
            ("± 755", 755.0, false),
            ("± 0", 0.0, false),
            ("± 0.25", 0.25, false),
            ("± 12345678901234567890", 12_345_678_901_234_567_000.0, true),
            ("± 2.299999999999997", 2.299_999_999_999_997, false),
            ("± 2.50", 2.5, true),
            ("± 1,755", 1755.0, true),
            ("± 007", 7.0, true),
            ("± 5.", 5.0, true),
            ("± .5", 0.5, true),
            ("± 1e3", 1000.0, true),
            ("±2", 2.0, true),
            ("± 2 ns", 2.0, true),
            ("± 10%", 0.1, true),
        ] {
            let (came, kept, _) = ranged(text(range), as_it_is());
            assert_eq!((came, kept.is_some()), (Some(reach), is_kept), "{range}");
            let said = kept.unwrap_or_else(|| format!("± {reach}"));
            assert_eq!(said, range);
        }
        let milliseconds = nanoseconds("ms").unwrap();
        let (reach, kept, _) = ranged(text("± 5"), milliseconds);
        assert_eq!((reach, kept.as_deref()), (Some(5e6), Some("± 5")));
    }

    #[test]
    fn a_value_is_what_is_written() {
        let seconds = nanoseconds("s").unwrap();
        for (value, expected) in [
            ("1.0000000000000000000005", Some(1e9)),
            ("0.30000000000000004", Some(300_000_000.000_000_04)),
            ("2e-9", Some(2.0)),
            ("\" 1,200 \"", Some(1.2e12)),
            ("\"\\u0031\"", Some(1e9)),
            ("\"\\ud800\"", None),
            ("\"n/a\"", None),
            ("1e999", None),
            ("null", None),
            ("true", None),
            ("[1]", None),
            ("{\"value\": 1}", None),
        ] {
            let raw: &RawValue = serde_json::from_str(value).unwrap();
            assert_eq!(center_of(raw, seconds), expected, "{value}");
        }
    }
}
