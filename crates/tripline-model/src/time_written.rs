//! When something was, as others write it: in RFC 3339 and RFC 2822, as git does, and without a zone. Tested below.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::rfc2822::DateTimeParser;
use jiff::tz::Offset;

/// Returns the time that a text says, which is in UTC where it names no zone.
#[must_use]
pub fn time_written(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    let without_zone = || {
        Offset::UTC
            .to_timestamp(text.parse::<DateTime>().ok()?)
            .ok()
    };
    let as_mail = || DateTimeParser::new().parse_timestamp(text).ok();
    let time = text.parse().ok().or_else(|| as_git(text));
    time.or_else(without_zone)
        .or_else(as_mail)
        .or_else(|| as_javascript(text))
}

/// Returns the milliseconds since 1970, which have a fraction where a time is told more finely.
#[must_use]
pub fn milliseconds(time: Timestamp) -> f64 {
    let whole = time.as_millisecond();
    let rest = time.as_nanosecond() - i128::from(whole) * 1_000_000;
    whole as f64 + rest as f64 / 1e6
}

/// Reads a time with a blank in front of its zone.
fn as_git(text: &str) -> Option<Timestamp> {
    let (time, zone) = text.rsplit_once(' ')?;
    let has_zone = zone.starts_with(['+', '-']);
    has_zone.then(|| [time, zone].concat().parse().ok())?
}

/// Reads a time as `String(new Date())` gives it, which is how mails have it but for the order of the day and the zone, of
/// which the name stands behind it in the language of the machine.
fn as_javascript(text: &str) -> Option<Timestamp> {
    let (time, _zone) = text.strip_suffix(')')?.split_once(" (")?;
    let (time, offset) = time.split_once(" GMT")?;
    let mut words = time.splitn(4, ' ');
    let [weekday, month, day, rest] = std::array::from_fn(|_| words.next().unwrap_or_default());
    let mail = format!("{weekday}, {day} {month} {rest} {offset}");
    DateTimeParser::new().parse_timestamp(mail).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_have_a_fraction_where_a_time_has_one() {
        for (text, expected) in [
            ("2020-09-13T12:26:40Z", 1.6e12),
            ("2020-09-13T12:26:40.123456Z", 1_600_000_000_123.456),
            ("1969-12-31T23:59:59.9995Z", -0.5),
        ] {
            assert_eq!(
                time_written(text).map(milliseconds),
                Some(expected),
                "{text}"
            );
        }
    }

    #[test]
    fn a_time_is_read_in_every_form() {
        for (text, expected) in [
            ("2020-09-13T14:26:40+02:00", Some(1_600_000_000)),
            (" 2020-09-13T12:26:40Z ", Some(1_600_000_000)),
            ("2020-09-13 14:26:40 +0200", Some(1_600_000_000)),
            ("2020-09-13T12:26:40", Some(1_600_000_000)),
            ("2020-09-13 12:26:40.0", Some(1_600_000_000)),
            ("2020-09-14", Some(1_600_041_600)),
            ("20200914", Some(1_600_041_600)),
            ("Sun, 13 Sep 2020 14:26:40 +0200", Some(1_600_000_000)),
            ("13 Sep 2020 12:26:40 GMT", Some(1_600_000_000)),
            (
                "Sun Sep 13 2020 21:26:40 GMT+0900 (Japan Standard Time)",
                Some(1_600_000_000),
            ),
            (
                "Sun Sep 13 2020 12:26:40 GMT+0000 (協定世界時)",
                Some(1_600_000_000),
            ),
            (
                "Sun Sep 13 2020 09:56:40 GMT-0230 (x (y))",
                Some(1_600_000_000),
            ),
            ("Mon Sep 13 2020 12:26:40 GMT+0000 (UTC)", None),
            ("Sun Sep 13 2020 12:26:40 (UTC)", None),
            ("Sep 13, 2020", None),
            ("01/02/2020", None),
            ("2020-09-13 14:26:40 later", None),
            ("2020-09-31", None),
            // Milliseconds whose first digits could be a date.
            ("1610110500000", None),
            ("yesterday", None),
            ("", None),
        ] {
            let second = time_written(text).map(Timestamp::as_second);
            assert_eq!(second, expected, "{text}");
        }
    }
}
