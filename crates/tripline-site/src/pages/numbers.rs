//! Numbers as scripts read them: whole ones, as differences, which pack to a fifth.
//!
//! Values that are whole stay exact. Others are counted in a *quantum*, a power of ten that leaves five digits of the
//! largest: more than any eye or any noise has. The history itself keeps one more. Where others are far smaller, it leaves
//! three digits of the smallest: a spike, or a level that was left, is not to swallow them. How far the ends of a value lie
//! from it is counted in a quantum of its own, which the scatter says and no single value. None is finer than what every
//! reader holds exactly beside the largest.

use std::fmt::Write as _;

use crate::figures::digits;

/// The digits that are kept of the largest value.
const DIGITS: i32 = 5;

/// The digits that are kept of the smallest, as far as there are as many in all.
const DIGITS_OF_SMALLEST: i32 = 3;

/// What the ordinary distance between a value and its ends counts at least: it is kept to two percent of itself. A digit
/// more is noise, which does not pack.
const ENDS_MIN: f64 = 30.0;

/// The digits that every reader holds exactly.
const DIGITS_MAX: i32 = 15;

/// The largest power of ten that is a number, and the least that a number is divided by: what is smaller is nothing.
const POWER_MAX: i32 = f64::MAX_10_EXP;

/// The largest whole number that every reader holds exactly.
const WHOLE_MAX: f64 = 9_007_199_254_740_992.0;

/// What values are counted in: ten to this power.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Quantum {
    power: i32,
    /// The finest that anything beside these values is counted in.
    finest: i32,
}

impl Quantum {
    /// Returns the quantum of values, which have ends.
    pub(super) fn of(
        values: impl Iterator<Item = f64>,
        ends: impl Iterator<Item = f64> + Clone,
    ) -> Self {
        let mut are_whole = ends.clone().all(|end| end.fract() == 0.0);
        let mut largest = ends.map(f64::abs).fold(0.0, f64::max);
        let mut smallest = f64::INFINITY;
        for value in values {
            let size = value.abs();
            are_whole &= value.fract() == 0.0;
            largest = largest.max(size);
            if size > 0.0 {
                smallest = smallest.min(size);
            }
        }
        let finest = (magnitude(largest) + 1 - DIGITS_MAX).max(-POWER_MAX);
        if are_whole && largest <= WHOLE_MAX {
            return Self { power: 0, finest };
        }
        let of_largest = magnitude(largest) + 1 - DIGITS;
        let of_smallest = magnitude(smallest) + 1 - DIGITS_OF_SMALLEST;
        let power = of_largest.min(of_smallest).max(finest);
        Self { power, finest }
    }

    /// Returns the quantum of how far the ends of the values lie from them.
    pub(super) fn of_ends(self, distances: impl Iterator<Item = f64>) -> Self {
        let mut some: Vec<f64> = distances.filter(|distance| *distance != 0.0).collect();
        let are_whole = some.iter().all(|distance| distance.fract() == 0.0);
        if some.is_empty() || (self.power == 0 && are_whole) {
            return self;
        }
        let middle = some.len() / 2;
        let (_, median, _) = some.select_nth_unstable_by(middle, f64::total_cmp);
        let power = magnitude(median.abs() / ENDS_MIN).max(self.finest);
        Self { power, ..self }
    }

    /// Returns the power of ten.
    pub(super) fn power(self) -> i32 {
        self.power
    }

    /// Returns how many of it a value is.
    pub(super) fn count(self, value: f64) -> i64 {
        let whole = match self.power {
            power @ 1.. => {
                let one = 10_f64.powi(power);
                let scaled = value / one;
                let whole = scaled.round();
                // Nothing is rounded to what is larger than any number.
                if (whole * one).is_finite() {
                    whole
                } else {
                    scaled.trunc()
                }
            }
            power => (value * 10_f64.powi(-power)).round(),
        };
        #[expect(
            clippy::cast_possible_truncation,
            reason = "it has few digits, and beyond the range it stays at its end"
        )]
        let count = whole as i64;
        count
    }
}

/// Returns the power of ten that a number begins with. Nothing begins with the least, and what has no end with the largest.
fn magnitude(number: f64) -> i32 {
    let power = number.log10().floor();
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a number has at most 308 digits"
    )]
    let power = power as i32;
    power.clamp(-POWER_MAX, POWER_MAX)
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
        let quantum = |values: &[f64]| Quantum::of(values.iter().copied(), std::iter::empty());
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
            let quantum = Quantum::of(values.iter().copied(), std::iter::empty());
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
        assert_eq!(ends(&[1.5], &[1e-300]), -14);
        assert_eq!(ends(&[1.5], &[0.0]), -4);
    }

    /// Returns a value as a reader has it: `tile.ts` does the same.
    fn read(quantum: Quantum, count: i64) -> f64 {
        match quantum.power() {
            power @ 0.. => count as f64 * 10_f64.powi(power),
            power => count as f64 / 10_f64.powi(-power),
        }
    }

    #[test]
    fn a_spike_does_not_swallow_what_is_far_smaller() {
        let values = [1.5, 1.25, 3.456e7];
        let quantum = Quantum::of(values.into_iter(), std::iter::empty());
        let back = values.map(|value| read(quantum, quantum.count(value)));
        assert_eq!(back, values);
        // Of an ordinary line five digits are enough.
        let ordinary = Quantum::of([123.456, 98.765].into_iter(), std::iter::empty());
        assert_eq!(ordinary.power(), -2);
        // Ends say how large it gets, and not how fine.
        let ends = [0.000_001, 5_000.5].into_iter();
        assert_eq!(Quantum::of([123.456].into_iter(), ends).power(), -1);
    }

    #[test]
    fn no_bound_is_beyond_what_a_reader_holds() {
        const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
        let sizes = [
            5e-324,
            1e-308,
            2.2e-308,
            0.3,
            7.0,
            9e15 + 1.0,
            1e300,
            f64::MAX,
        ];
        for (large, small) in sizes.iter().flat_map(|a| sizes.map(|b| (*a, b))) {
            let quantum = Quantum::of([large, -small].into_iter(), [0.5].into_iter());
            let ends = quantum.of_ends([small, 0.5].into_iter());
            let finest = quantum.power().min(ends.power());
            for value in [large, -small] {
                let count = quantum.count(value);
                let back = read(quantum, count);
                let off = (back - value).abs();
                assert!(back.is_finite(), "{value} came back as {back}");
                assert!(off <= 10_f64.powi(quantum.power()), "{value}: {back}");
                let counted = count as f64 * 10_f64.powi(quantum.power() - finest);
                assert!(
                    counted.abs() <= EXACT_MAX,
                    "{value} beside {small}: {counted}"
                );
            }
        }
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
