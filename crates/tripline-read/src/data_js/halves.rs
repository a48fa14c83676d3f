//! Halves of characters: `\ud83d` alone, where a script cut a text within a character that takes two.
//!
//! JavaScript writes them and reads them again, and nothing else takes them for text. Tested through `tests/it/data_js`.

use std::ops::Range;

/// What stands for a character that nobody can read. It is as long as what it replaces, so that places stay what they are.
const UNKNOWN: &[u8; LENGTH] = br"\ufffd";

/// The bytes of one escape.
const LENGTH: usize = 6;

const HIGH: Range<u16> = 0xd800..0xdc00;
const LOW: Range<u16> = 0xdc00..0xe000;

/// Returns a text of JSON in which no escape is half of a character, and where those were that are replaced; or nothing where
/// there are none.
pub(super) fn replaced(json: &str) -> Option<(String, Vec<usize>)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(behind) = json[at..].find('\\') {
        at += behind;
        at += match (escaped(json, at), escaped(json, at + LENGTH)) {
            (Some(high), Some(low)) if HIGH.contains(&high) && LOW.contains(&low) => 2 * LENGTH,
            (Some(half), _) if HIGH.contains(&half) || LOW.contains(&half) => {
                found.push(at);
                LENGTH
            }
            // Another escape, of which the second character may be a backslash.
            _ => 1 + json[at + 1..].chars().next().map_or(0, char::len_utf8),
        };
    }
    if found.is_empty() {
        return None;
    }
    let mut bytes = json.to_owned().into_bytes();
    for at in &found {
        bytes[*at..*at + LENGTH].copy_from_slice(UNKNOWN);
    }
    let text = String::from_utf8(bytes).expect("ASCII stands where ASCII stood");
    Some((text, found))
}

/// Returns the code of an escape by number that stands at a place.
fn escaped(json: &str, at: usize) -> Option<u16> {
    let digits = json.get(at..at + LENGTH)?.strip_prefix("\\u")?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_number.then(|| u16::from_str_radix(digits, 16).ok())?
}
