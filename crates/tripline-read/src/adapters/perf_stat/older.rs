//! The fields that perf wrote before version 4.1: value, since 3.14 the unit, event, and with `-r` the variance, with nothing
//! behind them.
//!
//! A line of a newer version that lost its end looks so as well, and so does much that programs print; so such lines are
//! counters only where there are no others, and where one of them is of an event that is known. Tested below.

use std::borrow::Cow;

use super::counter::{
    Counter, MILLISECONDS, MISSING, SEPARATORS, begins_like_name, is_clock, split, value,
};

/// Reads a line of fields that ends behind a counter.
pub(super) fn of_fields(text: &str) -> Option<Counter<'static>> {
    SEPARATORS
        .iter()
        .find_map(|separator| of_separated(text, *separator))
}

fn of_separated(text: &str, separator: char) -> Option<Counter<'static>> {
    let mut fields = split(text, separator);
    let variance = fields.last().and_then(|last| last.strip_suffix('%'));
    let variance = variance.and_then(|variance| value(variance, separator));
    if variance.is_some() {
        fields.pop();
    }
    let (number, unit, event) = match fields[..] {
        [number, event] => (number, "", event),
        [number, unit, event] => (number, unit, event),
        _ => return None,
    };
    let is_unit = unit.is_empty() || begins_like_name(unit);
    if !is_unit || !begins_like_name(event) {
        return None;
    }
    let unit = match unit {
        "" if is_clock(event) && number.contains(['.', ',']) => MILLISECONDS,
        unit => unit,
    };
    Some(Counter {
        value: match MISSING.iter().find(|(word, _)| *word == number) {
            Some((_, why)) => Err(why),
            None => Ok(value(number, separator)?),
        },
        unit: Cow::Owned(unit.to_owned()),
        event: Cow::Owned(event.to_owned()),
        variance,
        share: 100.0,
        derived: None,
        lacks_unit: false,
        processor: None,
        cgroup: None,
        is_summary: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_ends_behind_a_counter_is_one() {
        for (text, expected) in [
            ("1234567,cycles", "Ok(1234567.0)  cycles None"),
            ("1234567;cycles;0,53%", "Ok(1234567.0)  cycles Some(0.53)"),
            (
                "0.281470,,task-clock,0.53%",
                "Ok(0.28147) msec task-clock Some(0.53)",
            ),
            (
                "2.50,Joules,power/energy-pkg/",
                "Ok(2.5) Joules power/energy-pkg/ None",
            ),
            (
                "5,cpu/event=0x3c,umask=0x0/",
                "Ok(5.0)  cpu/event=0x3c,umask=0x0/ None",
            ),
        ] {
            let counter = of_fields(text).unwrap();
            let Counter {
                value,
                unit,
                event,
                variance,
                ..
            } = counter;
            let shown = format!("{value:?} {unit} {event} {variance:?}");
            assert_eq!(shown, expected);
        }
        for text in [
            "cycles",
            "12,13",
            "12,,13",
            "1x2,cycles",
            "1,2,cycles",
            "12,0.53%",
        ] {
            assert!(of_fields(text).is_none(), "{text}");
        }
        let counter = of_fields("<not supported>,,cycles").unwrap();
        assert!(counter.value.is_err());
    }
}
