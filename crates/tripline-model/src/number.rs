//! How numbers read. All outputs for people take their numbers from here.
//!
//! Counts keep every digit, because they are exact. Times, sizes and rates keep four, because more would be noise.
//! Tested below by tables.

use crate::evidence::Change;
use crate::metric::Unit;

/// The ratio from which a growth is said as a factor: "+130 %" makes people reckon.
const FACTOR_FROM: f64 = 2.0;

/// The ratio from which a factor is written with a power of ten.
const FACTOR_MAX: f64 = 1e6;

/// The odds from which on they are written with a power of ten.
const ODDS_MAX: f64 = 1e6;

/// The width of an interval below which one decimal of a percentage would hide it.
const WIDTH_MIN: f64 = 0.001;

/// The digits of what is measured: more would be noise.
const DIGITS: usize = 4;

/// The digits by which any two numbers differ.
const DIGITS_MAX: usize = 17;

/// The power of ten below which a number is written with one, being too small for decimals.
const EXPONENT_MIN: i32 = -6;

const PERCENT: &str = " %";
const FACTOR: &str = "x";

const TIMES: &[(f64, &str)] = &[(1.0, "ns"), (1e3, "µs"), (1e6, "ms"), (1e9, "s")];
const BYTES: &[(f64, &str)] = &[
    (1.0, "B"),
    (1024.0, "KiB"),
    (1_048_576.0, "MiB"),
    (1_073_741_824.0, "GiB"),
    (1_099_511_627_776.0, "TiB"),
];
const BITS: &[(f64, &str)] = &[
    (1.0, "bit"),
    (1e3, "kbit"),
    (1e6, "Mbit"),
    (1e9, "Gbit"),
    (1e12, "Tbit"),
];

/// Returns a value with its unit. The symbol of an unknown unit is as hostile as any name.
#[must_use]
pub fn value(value: f64, unit: &Unit) -> String {
    with_digits(value, unit, DIGITS)
}

/// Returns a value and a limit with their unit, and so many digits that it is seen on which side of the limit the value is.
#[must_use]
pub fn value_and_limit(value: f64, limit: f64, unit: &Unit) -> [String; 2] {
    let both = |digits: usize| [value, limit].map(|number| with_digits(number, unit, digits));
    let is_enough = |digits: &usize| {
        // A whole number has all its digits, and still looks like one that was rounded to it.
        let [rounded, limit_rounded] = [value, limit].map(|number| scientific(number, *digits));
        let [value, limit] = both(*digits);
        rounded != limit_rounded && value != limit
    };
    both((DIGITS..=DIGITS_MAX).find(is_enough).unwrap_or(DIGITS))
}

fn with_digits(value: f64, unit: &Unit, digits: usize) -> String {
    let count = |value| count(value, digits);
    let scaled = |units| scaled(value, units, digits);
    match unit {
        Unit::Count => count(value),
        Unit::Nanosecond => scaled(TIMES),
        Unit::Byte => scaled(BYTES),
        Unit::PerSecond => [&count(value), "/s"].concat(),
        Unit::BytePerSecond => [&scaled(BYTES), "/s"].concat(),
        Unit::BitPerSecond => [&scaled(BITS), "/s"].concat(),
        Unit::Ratio => rounded(value, digits),
        Unit::Other(symbol) => [&count(value), " ", symbol.as_str()].concat(),
    }
}

/// Returns how head relates to base: as a signed percentage, or as a factor where it is more than twice as much.
#[must_use]
pub fn change(ratio: f64) -> String {
    match relation(ratio, 2) {
        (number, PERCENT) if number == "0.00" => "<0.01 %".to_owned(),
        (number, unit) => [&number, unit].concat(),
    }
}

/// Returns how head relates to base with the interval that holds the truth, and no more decimals than that deserves.
#[must_use]
pub fn interval(change: &Change) -> String {
    let decimals = if change.high - change.low < WIDTH_MIN {
        2
    } else {
        1
    };
    let said = |ratio| relation(ratio, decimals);
    let ((number, unit), (low, low_unit), (high, high_unit)) =
        (said(change.ratio), said(change.low), said(change.high));
    // A unit that both ends share is said once.
    let low_unit = if low_unit == high_unit { "" } else { low_unit };
    [
        &number, unit, " (", &low, low_unit, " … ", &high, high_unit, ")",
    ]
    .concat()
}

/// Returns a share in percent. One that is there is never nothing.
#[must_use]
pub fn percent(share: f64, decimals: usize) -> String {
    let least = format!("{:.decimals$}", 0.0);
    let said = format!("{:.decimals$}", share * 100.0);
    if share > 0.0 && said == least {
        let (zeros, _) = least.split_at(least.len() - 1);
        return ["<", zeros, "1", PERCENT].concat();
    }
    [&said, PERCENT].concat()
}

/// Returns how many times better one explanation is than another. Nobody cares about the digits of a large one.
#[must_use]
pub fn odds(odds: f64) -> String {
    if odds >= ODDS_MAX {
        return format!("{odds:.0e}");
    }
    if odds >= 10.0 {
        return grouped(&format!("{odds:.0}"));
    }
    format!("{odds:.1}")
}

/// Returns the smallest change that is seen, as a percentage from which on.
#[must_use]
pub fn at_least(share: f64) -> String {
    let percent = share * 100.0;
    if share >= FACTOR_MAX {
        format!("≥ {percent:.1e} %")
    } else if share < WIDTH_MIN {
        format!("≥ {percent:.2} %")
    } else {
        format!("≥ {percent:.1} %")
    }
}

/// Returns a relation's number and its unit.
fn relation(ratio: f64, decimals: usize) -> (String, &'static str) {
    if ratio >= FACTOR_MAX {
        return (format!("{ratio:.1e}"), FACTOR);
    }
    if ratio >= FACTOR_FROM {
        return (grouped(&format!("{ratio:.1}")), FACTOR);
    }
    let percent = format!("{:+.decimals$}", (ratio - 1.0) * 100.0);
    let digits = percent.trim_start_matches(['+', '-']);
    // What is rounded to nothing has no direction.
    let is_nothing = digits.chars().all(|c| matches!(c, '0' | '.'));
    let number = if is_nothing { digits } else { &percent };
    (number.to_owned(), PERCENT)
}

/// Returns how many there are of something, in words that agree.
#[must_use]
pub fn plural(how_many: usize, one: &str, many: &str) -> String {
    let what = if how_many == 1 { one } else { many };
    [&grouped(&how_many.to_string()), " ", what].concat()
}

/// Returns a number of things with all its digits; a fraction, as of a median of two, with so many.
fn count(value: f64, digits: usize) -> String {
    if value.fract() == 0.0 {
        return grouped(&format!("{:.0}", value.abs()));
    }
    if value >= 1000.0 {
        let decimals = 1 + digits - DIGITS;
        return grouped(&format!("{value:.decimals$}"));
    }
    rounded(value, digits)
}

/// Returns a value in the largest unit of which there is at least one.
fn scaled(value: f64, units: &[(f64, &str)], digits: usize) -> String {
    // Rounding comes first: 999.96 ns are 1.000 µs, and never 1000 ns.
    let seen = |size: f64| {
        let text = scientific(value / size, digits);
        text.parse().unwrap_or(value / size)
    };
    let fitting = units.iter().rev().find(|(size, _)| seen(*size) >= 1.0);
    let (size, symbol) = fitting.or(units.first()).copied().unwrap_or((1.0, ""));
    // Whole numbers of the base unit are exact, and look it.
    let number = if size == 1.0 && value.fract() == 0.0 {
        grouped(&format!("{:.0}", value.abs()))
    } else {
        rounded(value / size, digits)
    };
    [&number, " ", symbol].concat()
}

fn scientific(value: f64, digits: usize) -> String {
    let decimals = digits - 1;
    format!("{value:.decimals$e}")
}

/// Returns a number with so many significant digits.
fn rounded(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let scientific = scientific(value, digits);
    let parsed = scientific
        .split_once('e')
        .and_then(|(_, exponent)| exponent.parse::<i32>().ok());
    let exponent = parsed.unwrap_or(0);
    if exponent < EXPONENT_MIN {
        return scientific;
    }
    let after_the_first = i32::try_from(digits - 1).unwrap_or(0);
    let decimals = usize::try_from(after_the_first - exponent).unwrap_or(0);
    grouped(&format!("{value:.decimals$}"))
}

/// Puts a comma between each three digits of the whole part.
fn grouped(number: &str) -> String {
    let (whole, fraction) = match number.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (number, None),
    };
    let mut out = String::with_capacity(number.len() * 4 / 3 + 1);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::UnitSymbol;

    #[track_caller]
    fn check(unit: &Unit, rows: &[(f64, &str)]) {
        for (number, expected) in rows {
            assert_eq!(value(*number, unit), *expected);
        }
    }

    #[test]
    fn counts_keep_their_digits() {
        let rows = [
            (0.0, "0"),
            (-0.0, "0"),
            (7.0, "7"),
            (999.0, "999"),
            (1_000.0, "1,000"),
            (1_234_567.0, "1,234,567"),
            (9_007_199_254_740_992.0, "9,007,199,254,740,992"),
            (1_234.5, "1,234.5"),
            (0.5, "0.5000"),
        ];
        check(&Unit::Count, &rows);
        let unit = Unit::Other(UnitSymbol::new("furlong").unwrap());
        check(&unit, &[(1_234.0, "1,234 furlong")]);
        check(&Unit::PerSecond, &[(1_234_567.0, "1,234,567/s")]);
    }

    #[test]
    fn times_have_four_digits() {
        let rows = [
            (0.0, "0 ns"),
            (0.123_456, "0.1235 ns"),
            (1.0, "1 ns"),
            (1.5, "1.500 ns"),
            (999.94, "999.9 ns"),
            (999.96, "1.000 µs"),
            (3_210.0, "3.210 µs"),
            (12_345_678.0, "12.35 ms"),
            (1e9, "1.000 s"),
            (123_456e9, "123,456 s"),
            (1e-12, "1.000e-12 ns"),
        ];
        check(&Unit::Nanosecond, &rows);
    }

    #[test]
    fn sizes_and_rates() {
        let rows = [
            (0.0, "0 B"),
            (512.0, "512 B"),
            (1_023.0, "1,023 B"),
            (1_024.0, "1.000 KiB"),
            (1_500_000.0, "1.431 MiB"),
        ];
        check(&Unit::Byte, &rows);
        check(&Unit::BytePerSecond, &[(2_097_152.0, "2.000 MiB/s")]);
        check(&Unit::BitPerSecond, &[(1.25e9, "1.250 Gbit/s")]);
        check(&Unit::Ratio, &[(1.5, "1.500"), (0.0, "0")]);
    }

    #[test]
    fn a_value_beyond_its_limit_is_seen_to_be() {
        let per = Unit::PerSecond;
        for (value, limit, unit, expected) in [
            (1_100_000.0, 1e6, Unit::Nanosecond, ["1.100 ms", "1.000 ms"]),
            (
                1_000_040.0,
                1e6,
                Unit::Nanosecond,
                ["1.00004 ms", "1.00000 ms"],
            ),
            (999.96, 1e3, Unit::Nanosecond, ["999.96 ns", "1.0000 µs"]),
            (
                500_140.0,
                500_060.0,
                Unit::Nanosecond,
                ["500.14 µs", "500.06 µs"],
            ),
            (1.2004, 1.2, Unit::Ratio, ["1.2004", "1.2000"]),
            (
                1_048_577.0,
                1_048_576.0,
                Unit::Byte,
                ["1.000001 MiB", "1.000000 MiB"],
            ),
            (
                1_234_568.0,
                1_234_567.0,
                Unit::Count,
                ["1,234,568", "1,234,567"],
            ),
            (1_000.04, 1_000.0, per.clone(), ["1,000.040/s", "1,000/s"]),
            (999.97, 1_000.0, per, ["999.97/s", "1,000/s"]),
            (1.000_04e-9, 1e-9, Unit::Ratio, ["1.00004e-9", "1.00000e-9"]),
            (2.5, 2.5, Unit::Ratio, ["2.500", "2.500"]),
        ] {
            assert_eq!(value_and_limit(value, limit, &unit), expected);
        }
    }

    #[test]
    fn changes() {
        for (ratio, expected) in [
            (1.082, "+8.20 %"),
            (0.918, "-8.20 %"),
            (1.0001, "+0.01 %"),
            (1.00001, "<0.01 %"),
            (0.99999, "<0.01 %"),
            (1.999, "+99.90 %"),
            (2.0, "2.0x"),
            (2.34, "2.3x"),
            (1_234.5, "1,234.5x"),
            (1e7, "1.0e7x"),
            (0.4, "-60.00 %"),
            (0.0, "-100.00 %"),
        ] {
            assert_eq!(change(ratio), expected, "{ratio}");
        }
    }

    #[test]
    fn intervals_have_the_decimals_they_deserve() {
        for (low, ratio, high, expected) in [
            (1.046, 1.051, 1.056, "+5.1 % (+4.6 … +5.6 %)"),
            (0.9, 0.95, 1.0, "-5.0 % (-10.0 … 0.0 %)"),
            (0.9996, 1.0, 1.0012, "0.0 % (0.0 … +0.1 %)"),
            (1.0051, 1.0053, 1.0058, "+0.53 % (+0.51 … +0.58 %)"),
            (1.9, 2.1, 2.34, "2.1x (+90.0 % … 2.3x)"),
            (2.1, 2.2, 2.34, "2.2x (2.1 … 2.3x)"),
            (0.0, 1e6, 1e300, "1.0e6x (-100.0 % … 1.0e300x)"),
        ] {
            let change = Change { ratio, low, high };
            assert_eq!(interval(&change), expected);
        }
    }

    #[test]
    fn the_smallest_change_that_is_seen() {
        for (share, expected) in [
            (0.0123, "≥ 1.2 %"),
            (0.0004, "≥ 0.04 %"),
            (3.5, "≥ 350.0 %"),
            (1e7, "≥ 1.0e9 %"),
        ] {
            assert_eq!(at_least(share), expected);
        }
    }

    #[test]
    fn odds_have_few_digits() {
        for (number, expected) in [
            (2.51, "2.5"),
            (10.4, "10"),
            (12_345.6, "12,346"),
            (1.26e9, "1e9"),
            (f64::MAX, "2e308"),
        ] {
            assert_eq!(odds(number), expected);
        }
    }

    #[test]
    fn words_agree_with_numbers() {
        assert_eq!(plural(1, "benchmark", "benchmarks"), "1 benchmark");
        assert_eq!(plural(1_000, "benchmark", "benchmarks"), "1,000 benchmarks");
    }
}
