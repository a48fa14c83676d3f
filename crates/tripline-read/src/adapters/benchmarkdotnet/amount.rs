//! Numbers with units in the cells of a table, as the language of the machine writes them: `1,234.5 ns`, `1.234,5 ns` and
//! `1 234,5 ns` are one number.
//!
//! A cell alone may not tell which sign is its point, so all cells of a table are asked. Times always have digits behind
//! the point. Tested below.

use crate::quantity::{Scale, nanoseconds};

/// What stands between thousands and is never a point: blanks that break no line, and quotes.
const BETWEEN_THOUSANDS: [char; 5] = [' ', '\u{a0}', '\u{202f}', '\'', '\u{2019}'];

/// A cell that begins as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Amount<'t> {
    number: &'t str,
    /// What stands behind the number, perhaps nothing.
    pub(super) unit: &'t str,
}

impl<'t> Amount<'t> {
    /// Takes a cell apart; none where it does not begin as a number.
    pub(super) fn of(cell: &'t str) -> Option<Self> {
        let is_sign = |c: char| matches!(c, '.' | ',') || BETWEEN_THOUSANDS.contains(&c);
        let digits = cell.strip_prefix('-').unwrap_or(cell);
        if !digits.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit() || is_sign(c));
        let number = &cell[..cell.len() - rest.len()];
        Some(Self {
            number: number.trim_end_matches(BETWEEN_THOUSANDS),
            unit: rest,
        })
    }

    /// Returns whether this is a time.
    pub(super) fn is_time(self) -> bool {
        nanoseconds(self.unit).is_some()
    }

    /// Returns the number in a base unit.
    pub(super) fn in_scale(self, point: Option<char>, scale: Scale) -> Result<f64, String> {
        let number = plain(self.number, point)?;
        let value = number.and_then(|number| scale.of_text(&number));
        value.ok_or_else(|| format!("`{}` is no number", self.number))
    }

    /// Returns which of its signs must be the point, if that can be told.
    fn point(self) -> Option<char> {
        let has_blanks = self.number.contains(BETWEEN_THOUSANDS);
        let mut signs = self
            .number
            .char_indices()
            .filter(|(_, c)| ".,".contains(*c));
        let (at, sign) = signs.next()?;
        let Some((_, last)) = signs.next_back() else {
            let behind = self.number.len() - at - 1;
            let before = self.number[..at].trim_start_matches('-');
            let is_point =
                self.is_time() || behind != 3 || before.len() > 3 || before == "0" || has_blanks;
            return is_point.then_some(sign);
        };
        Some(match last == sign {
            // What stands there twice is no point.
            true => other(sign),
            false => last,
        })
    }
}

fn other(sign: char) -> char {
    match sign {
        '.' => ',',
        _ => '.',
    }
}

/// Returns the point that most cells have, if it can be told from any.
pub(super) fn point(cells: impl Iterator<Item = impl AsRef<str>>) -> Option<char> {
    let (mut dots, mut commas) = (0, 0);
    for cell in cells {
        match Amount::of(cell.as_ref()).and_then(Amount::point) {
            Some('.') => dots += 1,
            Some(_) => commas += 1,
            None => {}
        }
    }
    match dots + commas {
        0 => None,
        _ if dots >= commas => Some('.'),
        _ => Some(','),
    }
}

/// Returns a number with a dot for a point and nothing between thousands; none where it is not written so.
fn plain(number: &str, point: Option<char>) -> Result<Option<String>, String> {
    if point.is_none() && number.contains(',') {
        return Err(format!(
            "nothing tells whether the comma of `{number}` is a point, or stands between thousands"
        ));
    }
    let point = point.unwrap_or('.');
    let (whole, fraction) = match number.split_once(point) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (number, None),
    };
    let is_between = |c: char| c == other(point) || BETWEEN_THOUSANDS.contains(&c);
    let groups: Vec<&str> = whole.trim_start_matches('-').split(is_between).collect();
    let is_grouped = match &groups[..] {
        [_] => true,
        [first, rest @ ..] => first.len() <= 3 && rest.iter().all(|group| group.len() == 3),
        [] => false,
    };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !is_grouped || !groups.iter().chain(&fraction).all(|part| is_digits(part)) {
        return Ok(None);
    }
    let sign = if number.starts_with('-') { "-" } else { "" };
    let fraction = fraction.unwrap_or("0");
    Ok(Some(format!("{sign}{}.{fraction}", groups.concat())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantity::as_it_is;

    fn read(cell: &str, point: Option<char>) -> Result<f64, String> {
        Amount::of(cell).unwrap().in_scale(point, as_it_is())
    }

    #[test]
    fn a_number_and_its_unit_are_taken_apart() {
        for (cell, expected) in [
            ("1,234.5 ns", Some(("1,234.5", "ns"))),
            (
                "1\u{a0}234,5\u{a0}\u{3bc}s",
                Some(("1\u{a0}234,5", "\u{3bc}s")),
            ),
            ("1'234.5 ms", Some(("1'234.5", "ms"))),
            ("-0.5", Some(("-0.5", ""))),
            ("12KB", Some(("12", "KB"))),
            ("", None),
            ("-", None),
            ("NA", None),
            (".5", None),
        ] {
            let found = Amount::of(cell).map(|amount| (amount.number, amount.unit));
            assert_eq!(found, expected, "{cell}");
        }
    }

    #[test]
    fn the_point_is_what_most_cells_say() {
        for (cells, expected) in [
            (&["1.5 ns"][..], Some('.')),
            (&["1,5 ns"], Some(',')),
            (&["1,234.5 ns"], Some('.')),
            (&["1.234,5 ns"], Some(',')),
            (&["1.234.567"], Some(',')),
            (&["1 234,567 ns"], Some(',')),
            (&["0,123 ns"], Some(',')),
            (&["1234,567 ns"], Some(',')),
            (&["1,234 KB", "12", "-", "NA"], None),
            (&["1,234 KB", "1,2 ns"], Some(',')),
            (&["1,234 KB", "1.234 ns"], Some('.')),
            (&["1.234 KB", "1,234 ns"], Some(',')),
            (&["1.2 ns", "1.2 ns", "1,2 ns"], Some('.')),
        ] {
            assert_eq!(point(cells.iter()), expected, "{cells:?}");
        }
    }

    #[test]
    fn a_number_is_read_as_its_table_writes_numbers() {
        for (cell, point, expected) in [
            ("1,234.5 ns", '.', Some(1234.5)),
            ("1.234,5 ns", ',', Some(1234.5)),
            ("1\u{202f}234,5 ns", ',', Some(1234.5)),
            ("1\u{2019}234.5 ns", '.', Some(1234.5)),
            ("1,234,567", '.', Some(1_234_567.0)),
            ("-2.5", '.', Some(-2.5)),
            ("8240", '.', Some(8240.0)),
            ("1,23.5 ns", '.', None),
            ("1234,567.5", '.', None),
            ("1.2.3", '.', None),
            ("1,5 ns", '.', None),
            ("1. ns", '.', None),
        ] {
            assert_eq!(read(cell, Some(point)).ok(), expected, "{cell}");
        }
        assert_eq!(read("1.234 ns", None), Ok(1.234));
        assert_eq!(read("12 ns", None), Ok(12.0));
        let said = read("1,234 ns", None).expect_err("it may be a point");
        assert_eq!(
            said,
            "nothing tells whether the comma of `1,234` is a point, or stands between thousands"
        );
    }
}
