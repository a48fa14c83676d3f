//! The numbers that some programs, such as Python's `json`, write and JSON does not have: `NaN`, `Infinity` and `-Infinity`.
//!
//! They are quoted, so that they are read as texts: right for a param, and an error where a number is needed. Places in
//! the quoted text are led back to those of the file. Tested below.

use std::borrow::Cow;

const CONSTANTS: &[&str] = &["NaN", "-NaN", "Infinity", "-Infinity"];

/// Where quotes were added, each by its line and the column before which it was.
#[derive(Debug, Default)]
pub(crate) struct Added {
    all: Vec<(usize, usize)>,
    /// How many bytes of the file's beginning the text does not have.
    lacking: usize,
}

impl Added {
    /// Returns nothing added to a text that lacks so many bytes of its file's beginning.
    pub(crate) fn lacking(bytes: usize) -> Self {
        Self {
            all: Vec::new(),
            lacking: bytes,
        }
    }

    /// Returns the column of the file that is this one in the quoted text. The first line as a whole stays at its beginning.
    pub(crate) fn column_before(&self, line: usize, column: usize) -> usize {
        let of_line = self.all.partition_point(|(other, _)| *other < line);
        let up_to = self.all.partition_point(|added| *added < (line, column));
        let lacking = if (line, column) > (1, 1) && line == 1 {
            self.lacking
        } else {
            0
        };
        column - (up_to - of_line) + lacking
    }

    /// Takes note that what stands at a place is so many bytes wider than in the file.
    pub(crate) fn widen(&mut self, line: usize, column: usize, bytes: usize) {
        self.all.extend((0..bytes).map(|_| (line, column)));
    }
}

/// Puts quotes around the constants outside of texts.
pub(crate) fn quoted(json: &str) -> (Cow<'_, str>, Added) {
    let mut out = String::new();
    let mut added = Added::default();
    let mut copied = 0;
    let mut rest = 0;
    let (mut line, mut line_start) = (1, 0);
    while let Some(at) = next(json, rest) {
        rest = match CONSTANTS.iter().find(|word| json[at..].starts_with(**word)) {
            Some(word) => {
                for (end, _) in json[copied..at].match_indices('\n') {
                    line += 1;
                    line_start = out.len() + end + 1;
                }
                out.push_str(&json[copied..at]);
                let column = out.len() - line_start + 1;
                out.extend(["\"", word, "\""]);
                // What is told of the second quote is meant of the sign before it.
                added
                    .all
                    .extend([(line, column), (line, column + word.len())]);
                copied = at + word.len();
                copied
            }
            None if json.as_bytes()[at] == b'"' => text_end(json, at + 1),
            None => at + 1,
        };
    }
    if copied == 0 {
        return (Cow::Borrowed(json), added);
    }
    out.push_str(&json[copied..]);
    (Cow::Owned(out), added)
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
            assert_eq!(quoted(json).0, expected, "{json}");
        }
        assert!(matches!(quoted("[-1, \"NaN\"]"), (Cow::Borrowed(_), _)));
    }

    /// Each sign of the quoted text is one of the file's: a quote is that of the constant that stands beside it.
    #[test]
    fn places_are_those_of_the_file() {
        let json = "[\n NaN,1, -Infinity]\nNaN x";
        let (text, added) = quoted(json);
        assert_eq!(text, "[\n \"NaN\",1, \"-Infinity\"]\n\"NaN\" x");
        let columns = |line: usize| {
            let signs = text.lines().nth(line - 1).unwrap().char_indices();
            let back = signs.map(move |(at, sign)| (sign, added.column_before(line, at + 1)));
            back.collect::<Vec<(char, usize)>>()
        };
        for (sign, column) in columns(2) {
            let found = json
                .lines()
                .nth(1)
                .unwrap()
                .chars()
                .nth(column - 1)
                .unwrap();
            assert!(
                found == sign || sign == '"' && "Ny-".contains(found),
                "{column}"
            );
        }
    }
}
