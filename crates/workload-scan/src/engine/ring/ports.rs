//! The ports that this machine's own connections come from.
//!
//! Tests: here.

use std::fs;
use std::ops::RangeInclusive;

/// Where Linux says which they are, for both families.
const RANGE: &str = "/proc/sys/net/ipv4/ip_local_port_range";

/// What they are where it does not say.
const USUAL: RangeInclusive<u16> = 32_768..=60_999;

/// The ports that the kernel itself would choose from.
pub(super) fn ours() -> RangeInclusive<u16> {
    let said = fs::read_to_string(RANGE).ok();
    said.and_then(|text| range(&text)).unwrap_or(USUAL)
}

fn range(text: &str) -> Option<RangeInclusive<u16>> {
    let mut ends = text.split_whitespace().map(str::parse::<u16>);
    let (first, last) = (ends.next()?.ok()?, ends.next()?.ok()?);
    (first > 0 && first <= last).then_some(first..=last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_words_are_understood() {
        assert_eq!(range("32768\t60999\n"), Some(32_768..=60_999));
        assert_eq!(range("9 9"), Some(9..=9));
        for odd in ["", "1", "0 9", "9 1", "1 65536", "a b"] {
            assert_eq!(range(odd), None, "{odd}");
        }
    }
}
