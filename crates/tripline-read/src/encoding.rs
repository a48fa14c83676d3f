//! Bytes as text: UTF-8, or UTF-16 with a byte order mark, as PowerShell's redirection writes it.
//!
//! A byte that is no text becomes [`REPLACEMENT`], and has a place: one wrong byte in what a compiler printed must not
//! take a night's results with it. Where very many are wrong it is no text at all. Tested below.

use std::borrow::Cow;

use crate::constants::Added;

/// What stands where a byte is no text.
pub(crate) const REPLACEMENT: char = char::REPLACEMENT_CHARACTER;

/// The most wrong bytes of a text. A program that prints has a few; a picture or an archive has them all over.
const WRONG_MAX: usize = 10_000;

const UTF8_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Says where bytes are no text, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The line, from 1.
    pub(crate) line: usize,
    /// The column in bytes of the file, from 1.
    pub(crate) column: usize,
    /// What is wrong there.
    pub(crate) problem: &'static str,
}

/// Bytes as text.
#[derive(Debug)]
pub(crate) struct Decoded<'a> {
    pub(crate) text: Cow<'a, str>,
    /// The first thing that is wrong in each line that has something wrong.
    pub(crate) faults: Vec<Fault>,
    /// By how much replacements are wider than what they stand for.
    pub(crate) added: Added,
}

impl<'a> Decoded<'a> {
    fn whole(text: impl Into<Cow<'a, str>>) -> Self {
        Self {
            text: text.into(),
            faults: Vec::new(),
            added: Added::default(),
        }
    }
}

/// Returns bytes as text, without their mark, or says where they stop being one.
pub(crate) fn text(bytes: Cow<'_, [u8]>) -> Result<Decoded<'_>, Fault> {
    let bytes = match bytes {
        Cow::Borrowed(bytes) => return decoded(bytes),
        Cow::Owned(bytes) => bytes,
    };
    // Nearly every file is text as it stands, and need not be copied.
    let is_marked = bytes.starts_with(UTF8_MARK);
    let bytes = match String::from_utf8(bytes) {
        Ok(text) if !is_marked => return Ok(Decoded::whole(text)),
        Ok(text) => text.into_bytes(),
        Err(error) => error.into_bytes(),
    };
    decoded(&bytes).map(|decoded| Decoded {
        text: Cow::Owned(decoded.text.into_owned()),
        ..decoded
    })
}

/// Returns the text, for those who only look.
pub(crate) fn looked_at(bytes: &[u8]) -> Cow<'_, str> {
    decoded(bytes).map_or(Cow::Borrowed(""), |decoded| decoded.text)
}

/// Returns whether a beginning is that of a text: of anything that would be read at all.
pub(crate) fn begins_as_text(bytes: &[u8]) -> bool {
    utf16(bytes).is_some() || !bytes.contains(&0)
}

/// Puts together a unit of UTF-16.
type Unit = fn([u8; 2]) -> u16;

fn utf16(bytes: &[u8]) -> Option<(&[u8], Unit)> {
    if let Some(rest) = bytes.strip_prefix(b"\xFF\xFE") {
        return Some((rest, u16::from_le_bytes));
    }
    let rest = bytes.strip_prefix(b"\xFE\xFF")?;
    Some((rest, u16::from_be_bytes))
}

fn decoded(bytes: &[u8]) -> Result<Decoded<'_>, Fault> {
    if let Some((units, unit)) = utf16(bytes) {
        return from_units(units, unit);
    }
    let unmarked = bytes.strip_prefix(UTF8_MARK).unwrap_or(bytes);
    let added = Added::lacking(bytes.len() - unmarked.len());
    let bytes = unmarked;
    if let Ok(text) = std::str::from_utf8(bytes) {
        let whole = Decoded::whole(text);
        return Ok(Decoded { added, ..whole });
    }
    let whole = Decoded::whole("");
    let mut mended = Mended {
        decoded: Some(Decoded { added, ..whole }),
        ..Mended::default()
    };
    for chunk in bytes.utf8_chunks() {
        mended.out.push_str(chunk.valid());
        for _ in chunk.invalid() {
            mended.replace(1, "a byte that is not UTF-8")?;
        }
    }
    Ok(mended.finish())
}

fn from_units(bytes: &[u8], unit: Unit) -> Result<Decoded<'_>, Fault> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut mended = Mended::default();
    mended.out.reserve(bytes.len() / 2);
    for decoded in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        match decoded {
            Ok(c) => mended.out.push(c),
            Err(_) => mended.replace(2, "half a character, which is not UTF-16")?,
        }
    }
    if !rest.is_empty() {
        mended.replace(1, "half a character: the text is cut off here")?;
    }
    Ok(mended.finish())
}

/// A text in which replacements stand for what is none.
#[derive(Default)]
struct Mended {
    out: String,
    decoded: Option<Decoded<'static>>,
    wrong: usize,
    /// The line that was reached, where it begins, and up to where line ends were counted.
    line: usize,
    line_start: usize,
    counted: usize,
}

impl Mended {
    /// Puts the replacement in the place of so many bytes.
    fn replace(&mut self, bytes: usize, problem: &'static str) -> Result<(), Fault> {
        for (end, _) in self.out[self.counted..].match_indices('\n') {
            self.line += 1;
            self.line_start = self.counted + end + 1;
        }
        self.counted = self.out.len();
        let decoded = self.decoded.get_or_insert_with(|| Decoded::whole(""));
        let (line, column) = (self.line + 1, self.out.len() - self.line_start + 1);
        let fault = Fault {
            line,
            column: decoded.added.column_before(line, column),
            problem,
        };
        self.wrong += 1;
        if self.wrong > WRONG_MAX {
            return Err(Fault {
                problem: "no text: thousands of bytes up to this one are not UTF-8",
                ..fault
            });
        }
        if decoded.faults.last().is_none_or(|last| last.line != line) {
            decoded.faults.push(fault);
        }
        decoded
            .added
            .widen(line, column, REPLACEMENT.len_utf8() - bytes);
        self.out.push(REPLACEMENT);
        Ok(())
    }

    fn finish(self) -> Decoded<'static> {
        let decoded = self.decoded.unwrap_or_else(|| Decoded::whole(""));
        Decoded {
            text: Cow::Owned(self.out),
            ..decoded
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16_bytes(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        format!("\u{feff}{text}")
            .encode_utf16()
            .flat_map(unit)
            .collect()
    }

    #[test]
    fn marks_say_how_a_text_is_encoded() {
        let written = "größe 𝄞\r\nµs";
        for bytes in [
            written.as_bytes().to_vec(),
            format!("\u{feff}{written}").into_bytes(),
            utf16_bytes(written, u16::to_le_bytes),
            utf16_bytes(written, u16::to_be_bytes),
        ] {
            assert_eq!(text(Cow::Borrowed(&bytes)).unwrap().text, written);
            let owned = text(Cow::Owned(bytes.clone())).unwrap();
            assert_eq!((&*owned.text, owned.faults), (written, Vec::new()));
            assert_eq!(looked_at(&bytes), written);
            assert!(begins_as_text(&bytes));
        }
        let plain = text(Cow::Borrowed(b"plain")).unwrap();
        assert!(matches!(plain.text, Cow::Borrowed("plain")));
        assert!(!begins_as_text(b"\x7FELF\x02\0"));
    }

    #[test]
    fn what_is_no_text_has_a_place_and_takes_nothing_with_it() {
        let lone = utf16_bytes("ab\nc", u16::to_le_bytes);
        let lone = [&lone[..], b"\x00\xD8x\0"].concat();
        let cut = utf16_bytes("ab\ncd", u16::to_be_bytes);
        for (bytes, places, expected) in [
            (
                &b"\xEF\xBB\xBFab\nc\xFFd\xFE\xFE\n\xFF"[..],
                &[(2, 2), (3, 1)][..],
                "ab\nc\u{fffd}d\u{fffd}\u{fffd}\n\u{fffd}",
            ),
            (&lone, &[(2, 2)], "ab\nc\u{fffd}x"),
            (&cut[..cut.len() - 1], &[(2, 2)], "ab\nc\u{fffd}"),
            (b"\xFF\xFEa", &[(1, 1)], "\u{fffd}"),
        ] {
            let decoded = text(Cow::Borrowed(bytes)).unwrap();
            let faults = decoded.faults.iter();
            let found: Vec<_> = faults.map(|fault| (fault.line, fault.column)).collect();
            assert_eq!((&*found, &*decoded.text), (places, expected), "{bytes:?}");
        }
    }

    #[test]
    fn columns_behind_a_wrong_byte_are_those_of_the_file() {
        let decoded = text(Cow::Borrowed(b"a\xFFb\xFFc")).unwrap();
        let column = |at: char| {
            let found = decoded.text.find(at).unwrap();
            decoded.added.column_before(1, found + 1)
        };
        assert_eq!(['a', 'b', 'c'].map(column), [1, 3, 5]);
    }

    /// A line as a whole begins where the file does.
    #[test]
    fn columns_behind_a_mark_are_those_of_the_file() {
        for bytes in [&b"\xEF\xBB\xBFab\nc"[..], b"\xEF\xBB\xBFa\xFF\nc"] {
            let owned = text(Cow::Owned(bytes.to_vec())).unwrap();
            let borrowed = text(Cow::Borrowed(bytes)).unwrap();
            for decoded in [owned, borrowed] {
                let columns = [(1, 1), (1, 2), (2, 1)];
                let column = |(line, column)| decoded.added.column_before(line, column);
                assert_eq!(columns.map(column), [1, 5, 1]);
                let places = decoded.faults.iter().map(|fault| fault.column);
                assert!(places.eq(decoded.faults.iter().map(|_| 5)), "{bytes:?}");
            }
        }
    }

    #[test]
    fn what_is_wrong_all_over_is_no_text() {
        let picture = b"\xFF\xD8\n".repeat(WRONG_MAX);
        let fault = text(Cow::Owned(picture.clone())).expect_err("it is no text");
        assert_eq!((fault.line, fault.column), (WRONG_MAX / 2 + 1, 1));
        assert_eq!(looked_at(&picture), "");
    }
}
