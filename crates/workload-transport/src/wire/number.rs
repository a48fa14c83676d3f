//! Whole numbers in one, two, four or eight bytes: the first two bits say how many.
//!
//! Tests: every length at both its ends, and every cut.

/// The largest number that can be written.
pub(crate) const NUMBER_MAX: u64 = (1 << 62) - 1;

/// Appends a number. One above the largest becomes the largest: no counter of a connection comes there.
pub(crate) fn write(number: u64, out: &mut Vec<u8>) {
    let number = number.min(NUMBER_MAX);
    if number < 1 << 6 {
        out.push(number as u8);
    } else if number < 1 << 14 {
        out.extend_from_slice(&(number as u16 | 1 << 14).to_be_bytes());
    } else if number < 1 << 30 {
        out.extend_from_slice(&(number as u32 | 2 << 30).to_be_bytes());
    } else {
        out.extend_from_slice(&(number | 3 << 62).to_be_bytes());
    }
}

/// The bytes that [`write`] appends.
pub(crate) const fn length(number: u64) -> usize {
    match number {
        0..0x40 => 1,
        0x40..0x4000 => 2,
        0x4000..0x4000_0000 => 4,
        _ => 8,
    }
}

/// Takes a number from the front of `bytes`; nothing where they end within it.
pub(crate) fn read(bytes: &mut &[u8]) -> Option<u64> {
    let first = *bytes.first()?;
    let length = 1 << (first >> 6);
    let (number, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    let number = number
        .iter()
        .fold(0, |number, byte| number << 8 | u64::from(*byte));
    Some(number & (u64::MAX >> (66 - 8 * length)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_is_read_as_written() {
        let ends = [0, 0x3f, 0x40, 0x3fff, 0x4000, 0x3fff_ffff, 0x4000_0000];
        for number in ends.into_iter().chain([NUMBER_MAX]) {
            let mut bytes = Vec::new();
            write(number, &mut bytes);
            assert_eq!(bytes.len(), length(number));
            for cut in 0..bytes.len() {
                assert_eq!(read(&mut &bytes[..cut]), None);
            }
            let mut rest = bytes.as_slice();
            assert_eq!(read(&mut rest), Some(number));
            assert!(rest.is_empty());
        }
    }
}
