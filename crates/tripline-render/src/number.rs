//! How numbers read. All outputs for people take their numbers from here.
//!
//! Counts keep every digit, because they are exact. Times, sizes and rates keep four, because more would be noise.
//! Tested below by tables.

use tripline_model::Unit;

/// The ratio from which a growth is said as a factor: "+130 %" makes people reckon.
const FACTOR_FROM: f64 = 2.0;

/// The ratio from which a factor is written with a power of ten.
const FACTOR_MAX: f64 = 1e6;

/// The values from which a number is written with a power of ten, being too small for decimals.
const DECIMALS_MAX: i32 = 9;

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
pub(crate) fn value(value: f64, unit: &Unit) -> String {
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
pub(crate) fn change(ratio: f64) -> String {
    if ratio >= FACTOR_MAX {
        return format!("{ratio:.1e}x");
    }
    if ratio >= FACTOR_FROM {
        let tenths = format!("{ratio:.1}");
        return [&grouped(&tenths), "x"].concat();
    }
    let percent = format!("{:+.2}", (ratio - 1.0) * 100.0);
    match percent.as_str() {
        "+0.00" | "-0.00" => "<0.01 %".to_owned(),
        _ => [&percent, " %"].concat(),
    }
}

/// Returns how many there are of something, in words that agree.
pub(crate) fn plural(how_many: usize, one: &str, many: &str) -> String {
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
    use tripline_model::UnitSymbol;

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
    fn words_agree_with_numbers() {
        assert_eq!(plural(1, "benchmark", "benchmarks"), "1 benchmark");
        assert_eq!(plural(1_000, "benchmark", "benchmarks"), "1,000 benchmarks");
    }
}
