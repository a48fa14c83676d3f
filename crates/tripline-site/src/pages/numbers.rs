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
    if number.is_finite() {
        write!(out, "{number}").expect("a text takes all that is written");
    } else {
        out.push_str("null");
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
    fn texts_end_no_script() {
        let mut out = String::new();
        text(&mut out, "</script>\"\\");
        assert_eq!(out, r#""\u003c/script>\"\\""#);
    }
}
