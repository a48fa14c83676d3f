//! Numbers as programs write them that have very many: some digits, perhaps with a point, and a comma before the next.
//!
//! They are read several times as fast as numbers of any form, and are the same to the last bit. Whatever else is met (a
//! sign, an exponent, a blank, more digits, something that is no number) is left to serde_json, which says what is wrong
//! and where. Tested below.

/// So many digits are a whole number that a float holds exactly, and so is the power of ten that it is divided by: which
/// gives the float that is nearest.
const DIGITS_MAX: usize = 15;

/// So many stand together mostly: Criterion takes as many samples where nobody tells it otherwise.
const USUAL: usize = 100;

/// Returns the numbers that a text begins with, and what stands behind them.
pub(crate) fn plain_numbers(mut text: &[u8]) -> Option<(Vec<f64>, &[u8])> {
    let mut numbers = Vec::with_capacity(USUAL);
    loop {
        let (number, rest) = plain_number(text)?;
        numbers.push(number);
        match rest {
            [b',', rest @ ..] => text = rest,
            _ => return Some((numbers, rest)),
        }
    }
}

fn plain_number(text: &[u8]) -> Option<(f64, &[u8])> {
    const POWERS: [f64; DIGITS_MAX + 1] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ];
    let mut digits = Digits::default();
    let mut rest = digits.take(text)?;
    let whole = digits.count;
    if let [b'.', fraction @ ..] = rest {
        rest = digits.take(fraction)?;
    }
    let is_padded = whole > 1 && text[0] == b'0';
    let goes_on = matches!(rest, [b'e' | b'E', ..]);
    let number = digits.value as f64 / POWERS[digits.count - whole];
    (!is_padded && !goes_on).then_some((number, rest))
}

/// The digits of a number.
#[derive(Default)]
struct Digits {
    /// The whole number that they make.
    value: u64,
    count: usize,
}

impl Digits {
    /// Takes the digits that a text begins with, at least one, and returns what stands behind them.
    fn take<'t>(&mut self, text: &'t [u8]) -> Option<&'t [u8]> {
        let before = self.count;
        let mut rest = text;
        while let [byte @ b'0'..=b'9', behind @ ..] = rest {
            if self.count == DIGITS_MAX {
                return None;
            }
            self.value = self.value * 10 + u64::from(byte - b'0');
            self.count += 1;
            rest = behind;
        }
        (self.count > before).then_some(rest)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn numbers(text: &str) -> Option<(Vec<f64>, &str)> {
        let (numbers, rest) = plain_numbers(text.as_bytes())?;
        Some((numbers, str::from_utf8(rest).unwrap()))
    }

    #[test]
    fn plain_numbers_are_read_and_others_are_left() {
        let (all, rest) = numbers("3,8310.0,0.000001,123456789012345,0],1").unwrap();
        let expected = [3.0, 8310.0, 0.000_001, 123_456_789_012_345.0, 0.0];
        assert_eq!((&*all, rest), (&expected[..], "],1"));
        for other in [
            "",
            "1, 2",
            "-1",
            "1e3",
            "1.5E3",
            "1234567890123456",
            "1234567890.123456",
            "12345678901234567890123",
            "null",
            "\"1\"",
            "[1]",
            "1.",
            ".1",
            "01",
            "1,",
        ] {
            assert_eq!(numbers(other), None, "{other}");
        }
    }

    proptest! {
        /// A value that is off by its last bit would be another value in the history.
        #[test]
        fn plain_numbers_are_the_nearest_floats(digits in 0_u64..1_000_000_000_000_000, places in 0_usize..15) {
            let mut text = format!("{digits:0width$}", width = places + 1);
            if places > 0 {
                text.insert(text.len() - places, '.');
            }
            let nearest: f64 = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(numbers(&text), Some((vec![nearest], "")));
        }
    }
}
