//! How deep a JSON text is. Reading never goes deeper than a harness's own form, and skips what it does not know without
//! calling itself; so a text that is deeper than any result is no danger, and no result either. Tested below.

/// How deep values may lie in one another. The deepest real ones, iai-callgrind's, lie some ten deep.
pub const JSON_DEPTH_MAX: usize = 100;

/// Returns whether values lie deeper in one another than any result does.
pub(crate) fn is_too_deep(text: &str) -> bool {
    // Nothing lies deeper than there are openings, and to count them will do mostly.
    openings(text.as_bytes()) > JSON_DEPTH_MAX && goes_deeper(text)
}

/// Counts `[` and `{`, which differ in one bit. In pieces whose count fits a byte: so the processor looks at sixteen bytes
/// at once, and counting takes a small part of what reading takes.
fn openings(bytes: &[u8]) -> usize {
    const BIT: u8 = b'{' ^ b'[';
    let count = |piece: &[u8]| -> u8 {
        let is_opening = |byte: &u8| u8::from(byte & !BIT == b'[');
        piece.iter().map(is_opening).sum()
    };
    let pieces = bytes.chunks_exact(128);
    let rest = count(pieces.remainder());
    pieces.map(count).chain([rest]).map(usize::from).sum()
}

fn goes_deeper(text: &str) -> bool {
    let mut depth = 0_usize;
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'"' => pass_text(&mut bytes),
            _ => {}
        }
        if depth > JSON_DEPTH_MAX {
            return true;
        }
    }
    false
}

/// Goes to the end of a text whose beginning was passed.
fn pass_text(bytes: &mut impl Iterator<Item = u8>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return,
            b'\\' => drop(bytes.next()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_that_is_read_is_known() {
        for (open, close) in [("[", "]"), ("{\"a\\\"[[\":", "}")] {
            let nested = |depth| open.repeat(depth) + "1" + &close.repeat(depth);
            assert!(!is_too_deep(&nested(JSON_DEPTH_MAX)), "{open}");
            assert!(is_too_deep(&nested(JSON_DEPTH_MAX + 1)), "{open}");
        }
        let beside = "[[]".to_owned() + &",[]".repeat(2 * JSON_DEPTH_MAX) + "]";
        assert!(!is_too_deep(&beside));
        let in_a_text = format!("[\"{}\"]", "[".repeat(2 * JSON_DEPTH_MAX));
        assert!(!is_too_deep(&in_a_text));
    }
}
