//! The values of a history, each of which stands there in several forms: numbers that are texts, ranges with a sign, times
//! as milliseconds or as RFC 3339.
//!
//! Tested below.

use jiff::Timestamp;
use serde_json::value::RawValue;
use tripline_model::{CommitSubject, Point, SUBJECT_BYTES_MAX, is_harmless};

use super::loose::Loose;
use super::shape::Bench;
use crate::json::Text;
use crate::place::shown;
use crate::quantity::{Scale, as_it_is};

/// Returns a point of a benchmark, if its value is a number.
pub(super) fn point_of(bench: &Bench<'_>, scale: Scale) -> Option<Point> {
    let center = center_of(bench.value?, scale)?;
    let reach = reach_of(&bench.range, center, scale)
        .filter(|reach| *reach > 0.0 && (center + reach).is_finite());
    Some(match reach {
        Some(reach) => Point {
            center,
            low: center - reach,
            high: center + reach,
            count: 1,
        },
        None => Point::single(center),
    })
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

/// Returns what a range such as `± 755`, `±0.68%` or `755` reaches to each side of a center.
fn reach_of(range: &Loose<'_>, center: f64, scale: Scale) -> Option<f64> {
    let text = match range {
        Loose::Number(number) => return Some(scale.of(*number)).filter(|reach| reach.is_finite()),
        Loose::Text(text) => text.trim_start_matches(['±', '+', '/', '-', ' ']),
        Loose::Nothing | Loose::Other => return None,
    };
    let number = |text: &str, scale: Scale| scale.of_text(text.split_whitespace().next()?);
    match text.strip_suffix('%') {
        Some(percent) => Some(center.abs() * number(percent, as_it_is())? / 100.0),
        None => number(text, scale),
    }
}

/// Returns whether a range does not say how far the values reach, or says less than nothing.
pub(super) fn is_range_unread(bench: &Bench<'_>, point: &Point, scale: Scale) -> bool {
    // What was read is not read again: a history has one for each of its values.
    if point.is_spread() {
        return false;
    }
    let is_said = match &bench.range {
        Loose::Nothing => false,
        Loose::Text(text) => !text.trim().is_empty(),
        Loose::Number(_) | Loose::Other => true,
    };
    is_said && reach_of(&bench.range, point.center, scale).is_none_or(|reach| reach < 0.0)
}

/// Says what ranges are like.
pub(super) fn ranges_like(range: &Loose<'_>) -> String {
    match range {
        Loose::Text(text) => format!("ranges such as `{}`", shown(text.trim())),
        Loose::Number(number) => format!("ranges such as `{number:?}`"),
        Loose::Nothing | Loose::Other => "ranges that are neither numbers nor texts".to_owned(),
    }
}

/// Returns a time: milliseconds since 1970, or as RFC 3339.
pub(super) fn time_of(value: &Loose<'_>) -> Option<Timestamp> {
    match value {
        Loose::Number(milliseconds) => {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a time out of range is none"
            )]
            let whole = milliseconds.round() as i64;
            Timestamp::from_millisecond(whole).ok()
        }
        Loose::Text(text) => text.trim().parse().ok().or_else(|| {
            let milliseconds: i64 = text.trim().parse().ok()?;
            Timestamp::from_millisecond(milliseconds).ok()
        }),
        Loose::Nothing | Loose::Other => None,
    }
}

/// Returns the first line of a message, as long as it may be, without what cannot be shown.
pub(super) fn subject_of(message: &Loose<'_>) -> Option<CommitSubject> {
    let line = message.text()?.lines().next()?;
    let line: String = line.chars().filter(|c| is_harmless(*c)).collect();
    let end = line.floor_char_boundary(SUBJECT_BYTES_MAX);
    CommitSubject::new(line[..end].trim()).ok()
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

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
        assert_eq!(second(&text("yesterday")), None);
        assert_eq!(second(&Loose::Number(1e300)), None);
    }

    #[test]
    fn ranges_are_read_in_every_form() {
        for (range, expected) in [
            ("± 755", Some(755.0)),
            ("+/- 1,755", Some(1755.0)),
            ("±1.5%", Some(3.0)),
            ("± 0.5 %", Some(1.0)),
            ("stddev: 0.1", None),
            ("±%", None),
            ("", None),
        ] {
            let reach = reach_of(&text(range), 200.0, as_it_is());
            assert_eq!(reach, expected, "{range}");
        }
        // A center below zero has values to both sides of it as well.
        let below = reach_of(&text("±1.5%"), -200.0, as_it_is());
        assert_eq!(below, Some(3.0));
        let seconds = nanoseconds("s").unwrap();
        let of_number = |number| reach_of(&Loose::Number(number), 1.0, seconds);
        assert_eq!(of_number(2.5), Some(2.5e9));
        assert_eq!(of_number(f64::MAX), None);
    }

    #[test]
    fn a_range_that_is_left_out_is_known() {
        let seconds = nanoseconds("s").unwrap();
        for (range, expected) in [
            (Loose::Nothing, false),
            (text(" "), false),
            (text("± 0"), false),
            (text("± 5"), false),
            (Loose::Number(0.0), false),
            (Loose::Number(5.0), false),
            (text("stddev: 0.1"), true),
            (text("± 1e300"), true),
            (Loose::Number(1e300), true),
            (Loose::Number(-5.0), true),
            (Loose::Other, true),
        ] {
            let value: &RawValue = serde_json::from_str("1").unwrap();
            let bench = Bench {
                value: Some(value),
                range,
                ..Bench::default()
            };
            let point = point_of(&bench, seconds).unwrap();
            let is_unread = is_range_unread(&bench, &point, seconds);
            assert_eq!(is_unread, expected, "{:?}", bench.range);
        }
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
