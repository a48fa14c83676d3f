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

/// The values from which a number is written with a power of ten, being too small for decimals.
const DECIMALS_MAX: i32 = 9;

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
    match unit {
        Unit::Count => count(value),
        Unit::Nanosecond => scaled(value, TIMES),
        Unit::Byte => scaled(value, BYTES),
        Unit::PerSecond => [&count(value), "/s"].concat(),
        Unit::BytePerSecond => [&scaled(value, BYTES), "/s"].concat(),
        Unit::BitPerSecond => [&scaled(value, BITS), "/s"].concat(),
        Unit::Ratio => four_digits(value),
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

/// Returns a number of things with all its digits; a fraction, as of a median of two, with four.
fn count(value: f64) -> String {
    if value.fract() == 0.0 {
        return grouped(&format!("{:.0}", value.abs()));
    }
    if value >= 1000.0 {
        return grouped(&format!("{value:.1}"));
    }
    four_digits(value)
}

/// Returns a value in the largest unit of which there is at least one.
fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    // Rounding comes first: 999.96 ns are 1.000 µs, and never 1000 ns.
    let rounded = |size: f64| {
        let text = format!("{:.3e}", value / size);
        text.parse().unwrap_or(value / size)
    };
    let fitting = units.iter().rev().find(|(size, _)| rounded(*size) >= 1.0);
    let (size, symbol) = fitting.or(units.first()).copied().unwrap_or((1.0, ""));
    // Whole numbers of the base unit are exact, and look it.
    let digits = if size == 1.0 && value.fract() == 0.0 {
        grouped(&format!("{:.0}", value.abs()))
    } else {
        four_digits(value / size)
    };
    [&digits, " ", symbol].concat()
}

/// Returns a number with four significant digits.
fn four_digits(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{value:.3e}");
    let parsed = scientific
        .split_once('e')
        .and_then(|(_, exponent)| exponent.parse::<i32>().ok());
    let decimals = 3 - parsed.unwrap_or(0);
    if decimals > DECIMALS_MAX {
        return scientific;
    }
    let decimals = usize::try_from(decimals).unwrap_or(0);
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
