//! Numbers written with the fifty-eight letters and digits that cannot be taken for one another.
//!
//! Tests: with the names of nodes; leading zeros here.

const LETTERS: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// Longer texts are no names: reading takes a time that grows with the square of the length.
const TEXT_BYTES_MAX: usize = 128;

pub(super) fn encode(bytes: &[u8]) -> String {
    let mut digits: Vec<u8> = Vec::new();
    for &byte in bytes {
        multiply_add(&mut digits, 256, 58, byte);
    }
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let zeros = std::iter::repeat_n(0, zeros);
    zeros
        .chain(digits.into_iter().rev())
        .map(|digit| char::from(LETTERS[usize::from(digit)]))
        .collect()
}

pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    if text.len() > TEXT_BYTES_MAX {
        return None;
    }
    let mut bytes: Vec<u8> = Vec::new();
    for letter in text.bytes() {
        let digit = LETTERS.iter().position(|known| *known == letter)?;
        multiply_add(&mut bytes, 58, 256, u8::try_from(digit).ok()?);
    }
    let zeros = text
        .bytes()
        .take_while(|letter| *letter == LETTERS[0])
        .count();
    bytes.extend(std::iter::repeat_n(0, zeros));
    bytes.reverse();
    Some(bytes)
}

/// Makes `factor` times the number and `more` of a number whose digits, in this base, stand with the last one first.
fn multiply_add(digits: &mut Vec<u8>, factor: u32, base: u32, more: u8) {
    let mut carry = u32::from(more);
    for digit in digits.iter_mut() {
        carry += u32::from(*digit) * factor;
        *digit = (carry % base) as u8;
        carry /= base;
    }
    while carry > 0 {
        digits.push((carry % base) as u8);
        carry /= base;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_in_front_are_kept() {
        for bytes in [&[][..], &[0], &[0, 0, 1], &[255; 40], &[0, 255]] {
            assert_eq!(decode(&encode(bytes)).as_deref(), Some(bytes));
        }
        assert_eq!(encode(b"hello"), "Cn8eVZg");
    }
}
