//! Numbers as scripts read them: whole ones, as differences, which pack to a fifth.
//!
//! Values that are whole stay exact. Others are counted in a *quantum*, a power of ten that leaves five digits of the
//! largest: more than any eye or any noise has. The history itself keeps one more. How far the ends of a value lie from it
//! is counted in a quantum of its own, which the scatter says and no single value: one spike, or a level that was left, is
//! not to swallow what lies around the others.

use std::fmt::Write as _;

use crate::figures::digits;

/// The digits that are kept of the largest value.
const DIGITS: i32 = 5;

/// What the ordinary distance between a value and its ends counts at least: it is kept to two percent of itself. A digit
/// more is noise, which does not pack.
const ENDS_MIN: f64 = 30.0;

/// How much finer than the values their ends may be counted: all of it stays whole for every reader.
const FINER_MAX: i32 = 9;

/// The largest whole number that every reader holds exactly.
const WHOLE_MAX: f64 = 9_007_199_254_740_992.0;

/// What values are counted in: ten to this power.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Quantum(i32);

impl Quantum {
    /// Returns the quantum of values.
    pub(super) fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let largest = values
            .clone()
            .fold(0.0_f64, |most, value| most.max(value.abs()));
        let mut whole = values;
        if largest <= WHOLE_MAX && whole.all(|value| value.fract() == 0.0) {
            return Self(0);
        }
        Self(magnitude(largest) + 1 - DIGITS)
    }

    /// Returns the quantum of how far the ends of the values lie from them.
    pub(super) fn of_ends(self, distances: impl Iterator<Item = f64>) -> Self {
        let mut some: Vec<f64> = distances.filter(|distance| *distance != 0.0).collect();
        let are_whole = some.iter().all(|distance| distance.fract() == 0.0);
        if some.is_empty() || (self.0 == 0 && are_whole) {
            return self;
        }
        let middle = some.len() / 2;
        let (_, median, _) = some.select_nth_unstable_by(middle, f64::total_cmp);
        let own = magnitude(median.abs() / ENDS_MIN);
        Self(own.max(self.0 - FINER_MAX))
    }

    /// Returns the power of ten.
    pub(super) fn power(self) -> i32 {
        self.0
    }

    /// Returns how many of it a value is.
    pub(super) fn count(self, value: f64) -> i64 {
        let scaled = match self.0 {
            power @ 1.. => value / 10_f64.powi(power),
            power => value * 10_f64.powi(-power),
        };
        #[expect(
            clippy::cast_possible_truncation,
            reason = "it has few digits, and beyond the range it stays at its end"
        )]
        let count = scaled.round() as i64;
        count
    }
}

/// Returns the power of ten that a number begins with.
fn magnitude(number: f64) -> i32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a number has at most 308 digits"
    )]
    let power = number.log10().floor() as i32;
    power
}

/// Returns a number of things as a script counts them. Nobody has more than that.
pub(super) fn whole<N: TryInto<i64>>(number: N) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

/// Writes a list of whole numbers.
pub(super) fn list(text: &mut String, numbers: impl Iterator<Item = i64>) {
    text.push('[');
    for (index, number) in numbers.enumerate() {
        if index > 0 {
            text.push(',');
        }
        if number < 0 {
            text.push('-');
        }
        digits(text, number.unsigned_abs());
    }
    text.push(']');
}

/// Writes a list as the first number and the differences from one to the next.
pub(super) fn differences(text: &mut String, numbers: impl Iterator<Item = i64>) {
    let mut last = 0_i64;
    list(
        text,
        numbers.map(|number| number.saturating_sub(std::mem::replace(&mut last, number))),
    );
}

/// Writes a text as JSON.
pub(super) fn text(out: &mut String, text: &str) {
    // Whoever reads a script as a page must not find an end of it.
    let json = serde_json::Value::from(text).to_string();
    out.push_str(&json.replace('<', "\\u003c"));
}

/// Writes a number as JSON; what is none as nothing.
pub(super) fn number(out: &mut String, number: f64) {
    if !number.is_finite() {
        out.push_str("null");
    } else if let Some((count, decimals)) = short(number.abs()) {
        decimal(out, number.is_sign_negative(), count, decimals);
    } else {
        write!(out, "{number}").expect("a text takes all that is written");
    }
}

/// Returns a number as a count of tenths, hundredths and so on, where that is all of it: so are most values, of which pages
/// have millions, and this is faster than to find the digits of any number.
fn short(number: f64) -> Option<(u64, u32)> {
    /// Below this, a number has no other form that is as short.
    const COUNT_MAX: f64 = 1e15;
    const POWERS: [f64; 7] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6];
    (0..).zip(POWERS).find_map(|(decimals, power)| {
        let count = (number * power).round();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is whole, not below zero, and far from the largest"
        )]
        let whole = count as u64;
        (count < COUNT_MAX && count / power == number).then_some((whole, decimals))
    })
}

fn decimal(out: &mut String, is_below_zero: bool, count: u64, decimals: u32) {
    if is_below_zero {
        out.push('-');
    }
    digits(out, count / 10_u64.pow(decimals));
    if decimals > 0 {
        out.push('.');
    }
    for place in (0..decimals).rev() {
        digits(out, count / 10_u64.pow(place) % 10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_stay_and_others_keep_five_digits() {
        let quantum = |values: &[f64]| Quantum::of(values.iter().copied());
        assert_eq!(quantum(&[7.0, 9_007_199_254_740_992.0]).power(), 0);
        assert_eq!(quantum(&[1.5, 99.0]).count(1.5), 1_500);
        assert_eq!(quantum(&[1.5e300]).power(), 296);
        assert_eq!(quantum(&[1.5e300]).count(1.5e300), 15_000);
        assert_eq!(quantum(&[0.0]).power(), 0);
        assert_eq!(quantum(&[-2.5]).count(-2.5), -25_000);
    }

    #[test]
    fn ends_are_known_to_two_percent_of_what_is_ordinary_among_them() {
        let ends = |values: &[f64], ends: &[f64]| {
            let quantum = Quantum::of(values.iter().copied());
            quantum.of_ends(ends.iter().copied()).power()
        };
        // Values are counted in hundredths, and what lies around them in thousandths.
        assert_eq!(ends(&[100.5], &[0.04, 0.04, 0.0, 70.0]), -3);
        assert_eq!(ends(&[100.5], &[0.02, 0.02, 0.0, 70.0]), -4);
        assert_eq!(ends(&[100.5], &[70.0]), 0);
        // What is whole stays so.
        assert_eq!(ends(&[7.0], &[1.0]), 0);
        assert_eq!(ends(&[23_456.5], &[0.5]), -2);
        // Nor so fine that a reader could not hold it, and nothing of nothing.
        assert_eq!(ends(&[1.5], &[1e-300]), -13);
        assert_eq!(ends(&[1.5], &[0.0]), -4);
    }

    #[test]
    fn differences_add_up_again() {
        let mut text = String::new();
        differences(&mut text, [5, 7, 7, -1].into_iter());
        assert_eq!(text, "[5,2,0,-8]");
    }

    #[test]
    fn numbers_are_as_short_as_they_can_be() {
        let check = |given: f64| {
            let mut text = String::new();
            number(&mut text, given);
            assert_eq!(text, given.to_string());
        };
        for given in [
            0.0,
            -0.0,
            0.1,
            0.3,
            2.5,
            123.456,
            1e-6,
            1.5e-6,
            1e-7,
            5e-324,
            1e14,
            1e15,
            1e16,
            1e300,
            999_999.999_999,
            0.1 + 0.2,
            4_503_599_627_370_497.5,
            1_234_567_890.123_456,
        ] {
            check(given);
            check(-given);
        }
        // Of all magnitudes, with six digits and with all.
        let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..20_000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let given = f64::from_bits(bits >> 2);
            check(given);
            let near = (bits >> 40) as f64 / 4_096.0;
            check(near);
            check(format!("{near:.2}").parse().unwrap());
            check(format!("{given:.5e}").parse().unwrap());
        }
        let mut text = String::new();
        number(&mut text, f64::NAN);
        assert_eq!(text, "null");
    }

    #[test]
    fn texts_end_no_script() {
        let mut out = String::new();
        text(&mut out, "</script>\"\\");
        assert_eq!(out, r#""\u003c/script>\"\\""#);
    }
}
