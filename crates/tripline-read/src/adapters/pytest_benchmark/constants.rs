//! The numbers that Python's `json` writes and JSON does not have: `NaN`, `Infinity` and `-Infinity`.
//!
//! A test with such a param makes them part of a report. They are quoted, so that they are read as texts: right for a
//! param, and an error where a number is needed. Tested below.

use std::borrow::Cow;

const CONSTANTS: &[&str] = &["NaN", "Infinity", "-Infinity"];

/// Puts quotes around the constants outside of texts.
pub(super) fn quoted(json: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    let mut rest = 0;
    while let Some(at) = next(json, rest) {
        rest = match CONSTANTS.iter().find(|word| json[at..].starts_with(**word)) {
            Some(word) => {
                let end = at + word.len();
                out.push_str(&json[copied..at]);
                out.extend(["\"", word, "\""]);
                copied = end;
                end
            }
            None if json.as_bytes()[at] == b'"' => text_end(json, at + 1),
            None => at + 1,
        };
    }
    if copied == 0 {
        return Cow::Borrowed(json);
    }
    out.push_str(&json[copied..]);
    Cow::Owned(out)
}

/// Returns where the next text, or perhaps a constant, begins.
fn next(json: &str, from: usize) -> Option<usize> {
    let found = json.as_bytes()[from..]
        .iter()
        .position(|byte| matches!(byte, b'"' | b'N' | b'I' | b'-'));
    found.map(|at| from + at)
}

/// Returns the end of a text whose inside begins at a place.
fn text_end(json: &str, from: usize) -> usize {
    let mut is_escaped = false;
    let end = json.as_bytes()[from..].iter().position(|byte| {
        let is_end = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_end
    });
    end.map_or(json.len(), |end| from + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_quoted_outside_of_texts_only() {
        for (json, expected) in [
            (r#"{"a": NaN}"#, r#"{"a": "NaN"}"#),
            (r"[Infinity,-Infinity, 1]", r#"["Infinity","-Infinity", 1]"#),
            (
                r#"{"NaN": "-Infinity", "b": "\"NaN", "c": "\\"}"#,
                r#"{"NaN": "-Infinity", "b": "\"NaN", "c": "\\"}"#,
            ),
            (r#"{"a": "\\", "b": NaN}"#, r#"{"a": "\\", "b": "NaN"}"#),
            (r#"[-1, "größe", N, I, "NaN"#, r#"[-1, "größe", N, I, "NaN"#),
            ("", ""),
            ("\"\\", "\"\\"),
        ] {
            assert_eq!(quoted(json), expected, "{json}");
        }
        assert!(matches!(quoted("[-1, \"NaN\"]"), Cow::Borrowed(_)));
    }
}
