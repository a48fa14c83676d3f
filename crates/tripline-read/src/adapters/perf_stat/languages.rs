//! Numbers as they are printed where a point is a comma, and other signs stand between thousands. Tested below.

use std::borrow::Cow;

use super::printed::{TIMES, is_heading};

/// Returns whether a text was printed where the point of numbers is a comma: nothing stands between the thousands of times
/// and of spreads, so a comma in one of them is a point.
pub(super) fn has_decimal_commas(text: &str) -> bool {
    let is_comma_number = |number: &str| {
        let parts = number.split_once(',');
        parts.is_some_and(|(whole, fraction)| {
            let both = [whole, fraction];
            let are_digits = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
            both.iter().all(|part| !part.is_empty()) && both.iter().all(are_digits)
        })
    };
    let is_spread = |behind: &str| {
        let number = behind.trim_start().split(['%', ' ']).next();
        number.is_some_and(is_comma_number)
    };
    text.lines().any(|line| {
        let is_time = line.contains(TIMES[0].0);
        let first = line.split_whitespace().next();
        is_time && first.is_some_and(is_comma_number) || line.split("+-").skip(1).any(is_spread)
    })
}

/// Returns a line with points for commas, and with nothing between the thousands, where full stops or blanks were.
pub(super) fn with_points(text: &str) -> Cow<'_, str> {
    if is_heading(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(at);
        out.push_str(before);
        // A sign stands in front of a number, and not within a word.
        let unsigned = before
            .strip_suffix('-')
            .filter(|rest| rest.ends_with(['(', ' ']));
        let is_part_of_word = unsigned
            .unwrap_or(before)
            .ends_with(|c: char| c.is_alphanumeric() || "-_".contains(c));
        let (plain, after) = match is_part_of_word {
            true => {
                let end = number.find(char::is_whitespace).unwrap_or(number.len());
                (number[..end].to_owned(), &number[end..])
            }
            false => number_with_point(number),
        };
        out.push_str(&plain);
        rest = after;
    }
    Cow::Owned(out + rest)
}

/// Returns a line with nothing between the thousands, where apostrophes were: the point of such numbers is one.
pub(super) fn without_apostrophes(text: &str) -> Cow<'_, str> {
    match text.contains('’') && !is_heading(text) {
        true => Cow::Owned(text.replace('’', "")),
        false => Cow::Borrowed(text),
    }
}

/// Takes a number off the beginning of a text: groups of three digits behind the first ones, and a fraction.
fn number_with_point(text: &str) -> (String, &str) {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let (first, mut rest) = text.split_at(digits(text));
    let mut number = first.to_owned();
    while let Some(group) = rest.strip_prefix(['.', ' ', '\u{a0}', '\u{202f}', '’'])
        && (digits(group), first.len() <= 3) == (3, true)
    {
        let (group, after) = group.split_at(3);
        number.push_str(group);
        rest = after;
    }
    if let Some(fraction) = rest.strip_prefix(',')
        && digits(fraction) > 0
    {
        let (fraction, after) = fraction.split_at(digits(fraction));
        number = format!("{number}.{fraction}");
        rest = after;
    }
    (number, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_other_languages_become_plain_ones() {
        for (text, expected) in [
            (" 1.234.567  cycles", " 1234567  cycles"),
            (" 1\u{202f}234,56 msec cpu-clock", " 1234.56 msec cpu-clock"),
            (
                " 1 234  faults  # 2,430 K/sec",
                " 1234  faults  # 2.430 K/sec",
            ),
            (" 0,011277 (-0,000159) #", " 0.011277 (-0.000159) #"),
            (" 1’101’716 ns duration_time", " 1101716 ns duration_time"),
            (" 12 l1d.replacement", " 12 l1d.replacement"),
            (" 12 345 r00c0", " 12345 r00c0"),
            (
                " 1,236152390 seconds time elapsed",
                " 1.236152390 seconds time elapsed",
            ),
            (
                " Performance counter stats for 'kv 1,5':",
                " Performance counter stats for 'kv 1,5':",
            ),
        ] {
            assert_eq!(with_points(text), expected, "{text}");
        }
        for (number, expected) in [
            ("1,236152390", true),
            ("1.236152390", false),
            ("1,2", true),
            ("12", false),
        ] {
            let text = format!("12 cycles\n  {number} seconds time elapsed\n");
            assert_eq!(has_decimal_commas(&text), expected, "{number}");
        }
        let spread = " 1.234 cycles  ( +-  0,15% )\n 1.234 faults\n";
        assert!(has_decimal_commas(spread));
        assert!(!has_decimal_commas(&spread.replace(',', ".")));
    }
}
