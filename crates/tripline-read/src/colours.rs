//! Takes terminal colours and links out of a text.
//!
//! cargo colours its lines where it is told to, and CI often tells it to; a result between them must be found all the
//! same. Tested below.

use std::borrow::Cow;

/// What every sequence begins with.
pub(crate) const ESCAPE: u8 = 0x1b;

/// Takes out what a terminal would obey: `ESC [ … letter`, `ESC ] … BEL` or `ESC ] … ESC \`, and `ESC ( letter`, which names
/// a set of characters and which some terminals are told when colours end.
///
/// An escape that is neither stays, so that a damaged text is not mended by accident.
pub(crate) fn without_colours(text: &str) -> Cow<'_, str> {
    if !text.as_bytes().contains(&ESCAPE) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        match sequence_bytes(after) {
            Some(bytes) => rest = &after[bytes..],
            None => {
                out.push('\u{1b}');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Returns what a terminal shows of a line in which a program went back to the beginning, as it does to show progress.
pub(crate) fn overwritten(line: &str) -> &str {
    let line = line.trim_end_matches('\r');
    line.rsplit('\r').next().unwrap_or(line)
}

/// Returns how many bytes after an escape belong to its sequence.
///
/// Each search ends at the next escape at the latest, so a text of nothing but escapes is still read once.
fn sequence_bytes(after: &str) -> Option<usize> {
    match after.as_bytes().first()? {
        b'[' => {
            let last = after[1..].find(|c: char| !matches!(c, '\u{20}'..='\u{3f}'))? + 1;
            matches!(after.as_bytes()[last], 0x40..=0x7e).then_some(last + 1)
        }
        b']' => {
            let end = after.find(['\u{7}', '\u{1b}', '\n'])?;
            match after.as_bytes()[end] {
                b'\n' => None,
                0x1b => after[end + 1..].starts_with('\\').then_some(end + 2),
                _ => Some(end + 1),
            }
        }
        b'(' | b')' | b'*' | b'+' => {
            let set = after.as_bytes().get(1)?;
            set.is_ascii_graphic().then_some(2)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_what_was_written_over_it_last() {
        for (line, expected) in [
            ("a", "a"),
            ("10%\r20%\rget", "get"),
            ("get\r", "get"),
            ("", ""),
        ] {
            assert_eq!(overwritten(line), expected, "{line:?}");
        }
    }

    #[test]
    fn colours_and_links_are_taken_out_and_nothing_else() {
        for (text, expected) in [
            ("plain", "plain"),
            ("\u{1b}[1;32m   Compiling\u{1b}[0m x", "   Compiling x"),
            ("\u{1b}[32mok\u{1b}(B\u{1b}[m", "ok"),
            ("\u{1b}(\n", "\u{1b}(\n"),
            ("\u{1b}]8;;file:///x\u{1b}\\x\u{1b}]8;;\u{7}", "x"),
            ("\u{1b}[31", "\u{1b}[31"),
            ("\u{1b}", "\u{1b}"),
            ("\u{1b}]8;;x\n\u{1b}[mä", "\u{1b}]8;;x\nä"),
            ("\u{1b}[ä", "\u{1b}[ä"),
        ] {
            assert_eq!(without_colours(text), expected, "{text:?}");
        }
    }
}
