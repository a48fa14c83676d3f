//! Quantities as harnesses print them: a number, perhaps with its thousands set apart, and a unit.
//!
//! A decimal unit moves the decimal point of the text and does not multiply, so that `4.35 us` is 4350 ns and not almost.
//! A unit that is not in a table is not known: nothing here guesses. Tested below.

use std::borrow::Cow;
use std::fmt::Write as _;

/// How a number of some unit becomes one of a base unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scale {
    /// By how many digits the decimal point moves to the right.
    digits: i32,
    /// By what the number is multiplied after that.
    times: f64,
}

const fn decimal(digits: i32) -> Scale {
    Scale { digits, times: 1.0 }
}

const fn binary(power: i32) -> Scale {
    let mut times = 1.0;
    let mut left = power;
    while left > 0 {
        times *= 1024.0;
        left -= 1;
    }
    Scale { digits: 0, times }
}

const fn minutes(count: f64) -> Scale {
    Scale {
        digits: 9,
        times: 60.0 * count,
    }
}

/// Returns how a time in a unit becomes nanoseconds.
pub(crate) fn nanoseconds(unit: &str) -> Option<Scale> {
    Some(match unit {
        "fs" => decimal(-6),
        "ps" => decimal(-3),
        "ns" | "nsec" | "nanoseconds" => decimal(0),
        // The micro sign, the Greek letter, and what stands for both where there is only ASCII.
        "us" | "\u{b5}s" | "\u{3bc}s" | "usec" | "microseconds" => decimal(3),
        "ms" | "msec" | "milliseconds" => decimal(6),
        "s" | "sec" | "secs" | "seconds" => decimal(9),
        "min" | "m" | "minutes" => minutes(1.0),
        "h" | "hr" | "hours" => minutes(60.0),
        "d" | "day" | "days" => minutes(1440.0),
        _ => return None,
    })
}

/// Returns how a rate per unit of time becomes one per second.
pub(crate) fn per_second(unit: &str) -> Option<Scale> {
    let scale = nanoseconds(unit)?;
    Some(Scale {
        digits: 9 - scale.digits,
        times: 1.0 / scale.times,
    })
}

/// Returns how a number of things with a prefix, such as the `K` of `Kitem`, becomes one of things.
pub(crate) fn things(prefix: &str) -> Option<Scale> {
    Some(match prefix {
        "" => decimal(0),
        "k" | "K" => decimal(3),
        "M" => decimal(6),
        "G" => decimal(9),
        "T" => decimal(12),
        "P" => decimal(15),
        "E" => decimal(18),
        _ => return None,
    })
}

/// Returns how a number with a prefix of many or of few, in powers of 1000 or, with an `i`, of 1024, becomes one.
pub(crate) fn prefixed(prefix: &str) -> Option<Scale> {
    const MANY: &str = "kMGTPEZY";
    const MANY_BINARY: &str = "KMGTPEZY";
    const FEW: &str = "munpfazy";
    let (sign, is_binary) = match prefix.strip_suffix('i') {
        Some(sign) => (sign, true),
        None => (prefix, false),
    };
    if sign.is_empty() {
        return (!is_binary).then_some(decimal(0));
    }
    let power = |signs: &str| Some(i32::try_from(signs.find(sign)?).ok()? + 1);
    let power = match sign.len() {
        1 => {
            let many = power(if is_binary { MANY_BINARY } else { MANY });
            many.or_else(|| Some(-power(FEW)?))?
        }
        _ => return None,
    };
    Some(match is_binary {
        true => Scale {
            digits: 0,
            times: 1024.0_f64.powi(power),
        },
        false => decimal(3 * power),
    })
}

/// Returns how percents become a ratio.
pub(crate) const fn percent() -> Scale {
    decimal(-2)
}

/// Returns how a size in a unit becomes bytes. `K` alone means different things to different tools, and so is no unit.
pub(crate) fn bytes(unit: &str) -> Option<Scale> {
    Some(match unit {
        "B" | "byte" | "bytes" => decimal(0),
        "kB" | "KB" | "kByte" | "KByte" => decimal(3),
        "MB" | "MByte" => decimal(6),
        "GB" | "GByte" => decimal(9),
        "TB" => decimal(12),
        "PB" => decimal(15),
        "EB" => decimal(18),
        "KiB" => binary(1),
        "MiB" => binary(2),
        "GiB" => binary(3),
        "TiB" => binary(4),
        "PiB" => binary(5),
        "EiB" => binary(6),
        _ => return None,
    })
}

/// Returns how a number of bits with a prefix becomes bits.
pub(crate) fn bits(unit: &str) -> Option<Scale> {
    let prefix = unit
        .strip_suffix("bits")
        .or_else(|| unit.strip_suffix("bit"));
    things(prefix?)
}

/// Leaves a number as it is.
pub(crate) const fn as_it_is() -> Scale {
    decimal(0)
}

impl Scale {
    /// Returns this conversion followed by another.
    pub(crate) fn then(self, next: Self) -> Self {
        Self {
            digits: self.digits + next.digits,
            times: self.times * next.times,
        }
    }

    /// Returns whether numbers stay as they are.
    pub(crate) fn is_none(self) -> bool {
        self == as_it_is()
    }

    /// Converts a number as it was printed; none where the text is no finite number.
    pub(crate) fn of_text(self, number: &str) -> Option<f64> {
        let number = plain(number)?;
        let moved: f64 = match self.digits {
            0 => number.parse().ok()?,
            digits => moved(&number, digits)?.parse().ok()?,
        };
        let value = moved * self.times;
        value.is_finite().then_some(value)
    }

    /// Converts a number that was read already, as its shortest text would be.
    pub(crate) fn of(self, number: f64) -> f64 {
        if self.digits == 0 {
            return number * self.times;
        }
        self.of_text(&format!("{number:e}")).unwrap_or(f64::NAN)
    }
}

/// Returns a printed number as it stands, without unit.
pub(crate) fn number(text: &str) -> Option<f64> {
    as_it_is().of_text(text)
}

/// Moves the decimal point of a number to the right, by what stands behind its digits.
fn moved(number: &str, by: i32) -> Option<String> {
    let (digits, exponent) = match number.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse().ok()?),
        None => (number, 0),
    };
    let exponent = by.checked_add(exponent)?;
    let mut moved = String::with_capacity(digits.len() + "e-2147483648".len());
    moved.push_str(digits);
    write!(moved, "e{exponent}").ok()?;
    Some(moved)
}

/// Returns a number without the commas between its thousands; none where the text is no number or a comma is elsewhere.
fn plain(text: &str) -> Option<Cow<'_, str>> {
    // Histories hold a million of them, so each is gone through once, as bytes.
    let mut has_commas = false;
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E' => (),
            b',' => has_commas = true,
            // `inf` and `NaN` are numbers to Rust's own parser.
            _ => return None,
        }
    }
    if text.starts_with([',', 'e', 'E']) {
        return None;
    }
    if !has_commas {
        return Some(Cow::Borrowed(text));
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut groups = whole.trim_start_matches(['-', '+']).split(',');
    let first = groups.next()?;
    // Behind a zero a comma is the point of another language.
    let begins = (1..=3).contains(&first.len()) && !first.starts_with('0');
    let is_grouped = begins && groups.all(|group| group.len() == 3);
    (is_grouped && !fraction.contains(',')).then(|| Cow::Owned(text.replace(',', "")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_unit_moves_the_point() {
        for (text, unit, expected) in [
            ("4.35", "us", 4350.0),
            ("4.35", "\u{b5}s", 4350.0),
            ("0.1", "ps", 0.0001),
            ("1,234,567.25", "ns", 1_234_567.25),
            ("1.5e-3", "s", 1_500_000.0),
            ("2", "min", 120e9),
        ] {
            let scale = nanoseconds(unit).unwrap();
            assert_eq!(scale.of_text(text), Some(expected), "{text} {unit}");
        }
        assert_eq!(bytes("KiB").unwrap().of_text("1.5"), Some(1536.0));
        for (text, prefix, expected) in [
            ("250", "u", 0.00025),
            ("1.5", "G", 1.5e9),
            ("1.5", "Mi", 1_572_864.0),
            ("1", "mi", 0.000_976_562_5),
            ("1.5", "Ki", 1536.0),
            ("7", "", 7.0),
        ] {
            let scale = prefixed(prefix).unwrap();
            assert_eq!(scale.of_text(text), Some(expected), "{text} {prefix}");
        }
        assert!(
            ["i", "K", "ki", "kM", "x"]
                .iter()
                .all(|unit| prefixed(unit).is_none())
        );
        assert_eq!(bytes("kB").unwrap().of(2.0), 2000.0);
        assert_eq!(nanoseconds("ms").unwrap().of(1.005), 1_005_000.0);
        assert_eq!(per_second("ms").unwrap().of(1.005), 1005.0);
        assert_eq!(per_second("min").unwrap().of(60.0), 1.0);
        let rate = bytes("MB").unwrap().then(per_second("ms").unwrap());
        assert_eq!(rate.of(1.5), 1.5e9);
        assert_eq!(bytes("K"), None);
        assert_eq!(bytes("MByte"), bytes("MB"));
        assert_eq!(bits("kbit"), bits("Kbits"));
        assert_eq!(bits("Mbit").unwrap().of_text("1.5"), Some(1.5e6));
        assert_eq!(bits("Mibit").or(bits("orbit")), None);
        assert_eq!(per_second("ms").unwrap().of_text("1.5"), Some(1500.0));
        assert_eq!(per_second("min").unwrap().of_text("30"), Some(0.5));
        assert_eq!(nanoseconds("parsecs"), None);
    }

    #[test]
    fn what_is_no_number_stays_none() {
        for text in [
            "",
            "inf",
            "NaN",
            "1,23",
            "0,234",
            "-0,234",
            "012,345",
            "000,123.5",
            "1234,567",
            "1,234.5,6",
            "1e999",
            "1e",
            "--1",
            "1 2",
            "1.2.3",
            "e5",
        ] {
            assert_eq!(number(text), None, "{text}");
        }
        assert_eq!(number("+3"), Some(3.0));
        assert_eq!(number("12,345"), Some(12345.0));
    }
}
