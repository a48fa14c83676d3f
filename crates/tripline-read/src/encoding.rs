//! Bytes as text: UTF-8, or UTF-16 with a byte order mark, as PowerShell's redirection writes it.
//!
//! Nothing is replaced or left out: a byte that is no text is an error with its place. Tested below.

use std::borrow::Cow;

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

/// Returns bytes as text, without their mark.
pub(crate) fn text(bytes: Cow<'_, [u8]>) -> Result<Cow<'_, str>, Fault> {
    let bytes = match bytes {
        Cow::Borrowed(bytes) => return borrowed(bytes),
        Cow::Owned(bytes) => bytes,
    };
    // Nearly every file is text as it stands, and need not be copied.
    let is_marked = bytes.starts_with(UTF8_MARK);
    match String::from_utf8(bytes) {
        Ok(text) if !is_marked => Ok(Cow::Owned(text)),
        Ok(text) => borrowed(text.as_bytes()).map(|text| Cow::Owned(text.into_owned())),
        Err(error) => borrowed(error.as_bytes()).map(|text| Cow::Owned(text.into_owned())),
    }
}

fn borrowed(bytes: &[u8]) -> Result<Cow<'_, str>, Fault> {
    match decoded(bytes) {
        (text, None) => Ok(text),
        (text, Some(problem)) => Err(fault(&text, width(bytes), problem)),
    }
}

/// Returns the text up to the first byte that is none, for those who only look.
pub(crate) fn beginning(bytes: &[u8]) -> Cow<'_, str> {
    decoded(bytes).0
}

/// How wide the units of an encoding are, in bytes; and how a unit is put together.
type Unit = fn([u8; 2]) -> u16;

fn utf16(bytes: &[u8]) -> Option<(&[u8], Unit)> {
    if let Some(rest) = bytes.strip_prefix(b"\xFF\xFE") {
        return Some((rest, u16::from_le_bytes));
    }
    let rest = bytes.strip_prefix(b"\xFE\xFF")?;
    Some((rest, u16::from_be_bytes))
}

fn width(bytes: &[u8]) -> fn(char) -> usize {
    match utf16(bytes) {
        Some(_) => |c| 2 * c.len_utf16(),
        None => char::len_utf8,
    }
}

/// Returns the text, and what is wrong where it ends too early.
fn decoded(bytes: &[u8]) -> (Cow<'_, str>, Option<&'static str>) {
    if let Some((units, unit)) = utf16(bytes) {
        let (text, problem) = from_units(units, unit);
        return (Cow::Owned(text), problem);
    }
    let bytes = bytes.strip_prefix(UTF8_MARK).unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), None),
        Err(error) => {
            let good = std::str::from_utf8(&bytes[..error.valid_up_to()]);
            let good = good.unwrap_or_default();
            (Cow::Borrowed(good), Some("a byte that is not UTF-8"))
        }
    }
}

fn from_units(bytes: &[u8], unit: Unit) -> (String, Option<&'static str>) {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut text = String::with_capacity(bytes.len() / 2);
    for decoded in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        match decoded {
            Ok(c) => text.push(c),
            Err(_) => return (text, Some("half a character, which is not UTF-16")),
        }
    }
    let problem = (!rest.is_empty()).then_some("half a character: the text is cut off here");
    (text, problem)
}

fn fault(good: &str, width: fn(char) -> usize, problem: &'static str) -> Fault {
    let last = good.rsplit('\n').next().unwrap_or_default();
    Fault {
        line: 1 + good.bytes().filter(|byte| *byte == b'\n').count(),
        column: 1 + last.chars().map(width).sum::<usize>(),
        problem,
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
            assert_eq!(text(Cow::Borrowed(&bytes)).unwrap(), written);
            assert_eq!(text(Cow::Owned(bytes.clone())).unwrap(), written);
            assert_eq!(beginning(&bytes), written);
        }
        assert!(matches!(
            text(Cow::Borrowed(b"plain")),
            Ok(Cow::Borrowed("plain"))
        ));
    }

    #[test]
    fn what_is_no_text_has_a_place() {
        let lone = utf16_bytes("ab\nc", u16::to_le_bytes);
        let lone = [&lone[..], b"\x00\xD8x\0"].concat();
        let cut = utf16_bytes("ab\ncd", u16::to_be_bytes);
        for (bytes, line, column, start) in [
            (&b"\xEF\xBB\xBFab\nc\xFFd"[..], 2, 2, "ab\nc"),
            (&lone, 2, 3, "ab\nc"),
            (&cut[..cut.len() - 1], 2, 3, "ab\nc"),
            (b"\xFF\xFEa", 1, 1, ""),
        ] {
            let fault = text(Cow::Borrowed(bytes)).expect_err("it is no text");
            assert_eq!((fault.line, fault.column), (line, column), "{bytes:?}");
            assert_eq!(beginning(bytes), start);
        }
    }
}
