//! Numbers as scripts read them: whole ones, as differences, which pack to a fifth.
//!
//! Values that are whole stay exact. Others are counted in a *quantum*, a power of ten that leaves five digits of the
//! largest: more than any eye or any noise has. The history itself keeps one more. How far the ends of a value lie from it
//! is counted in a coarser one: nobody knows noise as well as what is in the middle of it.

use std::fmt::Write as _;

use crate::figures::digits;

/// The digits that are kept of the largest value.
const DIGITS: i32 = 5;

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
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a number has at most 308 digits"
        )]
        let power = largest.log10().floor() as i32;
        Self(power + 1 - DIGITS)
    }

    /// Returns the quantum of what scatters around the values.
    pub(super) fn of_ends(self) -> Self {
        Self(if self.0 == 0 { 0 } else { self.0 + 1 })
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
        assert_eq!(quantum(&[1.5, 99.0]).of_ends().count(1.5), 150);
        assert_eq!(quantum(&[7.0]).of_ends().count(7.0), 7);
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
