//! Where something stands in an input, and what is wrong there.
//!
//! Every text that comes out of an input passes through [`shown`] before it becomes part of a message: a terminal must
//! not obey what a harness, or somebody's file name, says. Tested below and by every snapshot of a problem.

use std::error::Error;
use std::fmt;

/// The most characters of an input's text that a message repeats; more would bury what the message says.
const SHOWN_CHARS_MAX: usize = 200;

/// Names a position in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file, or what the input was called.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in bytes, from 1.
    pub column: usize,
}

impl Place {
    /// Names the beginning of a file.
    pub(crate) fn start(file: &str) -> Self {
        Self {
            file: file.to_owned(),
            line: 1,
            column: 1,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// Describes something that looks like a result and could not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where it stands.
    pub place: Place,
    /// What is wrong with it.
    pub text: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.text, self.place)
    }
}

/// Says why nothing could be read from an input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem} at {place}")]
pub struct ReadError {
    /// Where reading failed.
    pub place: Place,
    /// What is wrong there.
    pub problem: String,
    /// What can be done about it.
    pub hint: Option<&'static str>,
}

impl ReadError {
    /// Says that a file was there and cannot be read.
    pub(crate) fn unreadable(file: &str, error: &dyn Error) -> Self {
        Self {
            place: Place::start(file),
            problem: match error.source() {
                Some(why) => format!("{error}: {why}"),
                None => error.to_string(),
            },
            hint: Some(
                "see to it that the file is there and can be read, and that nothing removes it meanwhile",
            ),
        }
    }
}

/// Returns a text of the input so that it can stand in a message: harmless, and not too long.
pub(crate) fn shown(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut out = String::new();
    for (index, c) in text.chars().enumerate() {
        if index == SHOWN_CHARS_MAX {
            out.push('…');
            break;
        }
        // Quotes and backslashes are harmless, and escaping them would only make messages harder to read.
        if matches!(c, '"' | '\'' | '\\') {
            out.push(c);
        } else {
            out.extend(c.escape_debug());
        }
    }
    out
}

/// Returns whether a text is shown as it stands, as nearly every one is: it is short, and a terminal prints each byte.
pub(crate) fn is_plain(text: &str) -> bool {
    text.len() <= SHOWN_CHARS_MAX && text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_made_visible() {
        assert_eq!(shown("a\u{1b}[31m\n\u{202E}b"), "a\\u{1b}[31m\\n\\u{202e}b");
        assert_eq!(shown("größe \"x\""), "größe \"x\"");
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let text = shown(&"ä".repeat(1000));
        assert_eq!(text.chars().count(), SHOWN_CHARS_MAX + 1);
        assert!(text.ends_with('…'));
    }
}
