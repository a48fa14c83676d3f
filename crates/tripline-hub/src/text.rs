//! Makes text that others wrote safe to show: bounded, and without characters that steer a terminal or reorder a line.
//!
//! Titles, branch names and what a server answers end up in messages. Tested below.

use tripline_model::is_harmless;

/// Returns a text as it may stand in a message, of at most so many characters.
pub(crate) fn shown(text: &str, chars_max: usize) -> String {
    let mut out = String::new();
    for (at, c) in text.chars().enumerate() {
        if at == chars_max {
            out.push('…');
            break;
        }
        if is_harmless(c) {
            out.push(c);
        } else {
            out.extend(c.escape_default());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_short_and_harmless() {
        assert_eq!(shown("no \"such\" thing", 40), "no \"such\" thing");
        assert_eq!(
            shown("a\u{1b}[31m\nb\u{202e}c", 40),
            "a\\u{1b}[31m\\nb\\u{202e}c"
        );
        assert_eq!(shown("ééééé", 3), "ééé…");
        assert_eq!(shown("ééé", 3), "ééé");
    }
}
