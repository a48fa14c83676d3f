//! One file of an input as text: without byte order mark and terminal colours, and split into blocks.
//!
//! Harnesses write one JSON object a line, between lines that cargo and the benchmarks themselves write; or one object
//! over many lines. A block is a line, or such an object. Tested below.

use std::borrow::Cow;
use std::path::Path;

use crate::colours::without_colours;
use crate::input::{Input, shown_path};
use crate::place::{Place, ReadError};

/// One file of an input.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    /// The file's name, safe to show.
    pub(crate) file: String,
    text: Cow<'a, str>,
}

/// A line, or an object that is written over many lines. Colours are gone, and so is the line's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Block<'t> {
    /// The line it begins at, from 1.
    pub(crate) line: usize,
    /// What stands there.
    pub(crate) text: &'t str,
}

impl Block<'_> {
    /// Returns whether this was meant as an object.
    pub(crate) fn is_object(&self) -> bool {
        self.text.starts_with('{')
    }
}

impl<'a> Document<'a> {
    /// Takes the bytes for text.
    pub(crate) fn new(file: String, bytes: &'a [u8]) -> Result<Self, ReadError> {
        let bytes = without_mark(bytes);
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Self {
                file,
                text: without_colours(text),
            }),
            Err(error) => {
                let good = &bytes[..error.valid_up_to()];
                let line_start = good
                    .iter()
                    .rposition(|b| *b == b'\n')
                    .map_or(0, |at| at + 1);
                Err(ReadError {
                    place: Place {
                        file,
                        line: 1 + good.iter().filter(|b| **b == b'\n').count(),
                        column: 1 + good.len() - line_start,
                    },
                    problem: "a byte that is not UTF-8".to_owned(),
                    hint: Some("give the harness's output as it was written, as UTF-8"),
                })
            }
        }
    }

    /// Returns the whole text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Names a place in this file.
    pub(crate) fn place(&self, line: usize, column: usize) -> Place {
        Place {
            file: self.file.clone(),
            line,
            column,
        }
    }

    /// Returns the lines, without what ends them; blanks before that stay.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Block<'_>> {
        let lines = self.text.lines().enumerate();
        lines.map(|(index, text)| Block {
            line: index + 1,
            text,
        })
    }

    /// Returns the lines and many-line objects, in order.
    pub(crate) fn blocks(&self) -> Blocks<'_> {
        Blocks::of(&self.text)
    }
}

/// Returns the files of an input that an adapter reads. An input that is one text is read whatever it is called.
pub(crate) fn documents(
    input: &Input,
    wanted: fn(&Path) -> bool,
) -> impl Iterator<Item = Result<Document<'_>, ReadError>> {
    let (single, files, root) = match input {
        Input::Text { name, bytes } => (Some((name, bytes)), &[][..], None),
        Input::Tree { root, files } => (None, &files[..], Some(root)),
    };
    let single = single
        .into_iter()
        .map(|(name, bytes)| Document::new(crate::place::shown(name), bytes));
    let files = files.iter().filter(move |file| wanted(&file.path));
    let files = files.map(move |file| {
        let path = root.map_or_else(|| file.path.clone(), |root| root.join(&file.path));
        Document::new(shown_path(&path), &file.bytes)
    });
    single.chain(files)
}

/// Returns whether an adapter would find its mark in any block that was meant as an object.
pub(crate) fn any_object(input: &Input, wanted: fn(&Path) -> bool, mark: fn(&str) -> bool) -> bool {
    any_text(input, wanted, |text| {
        Blocks::of(text).any(|block| block.is_object() && mark(block.text))
    })
}

/// Returns whether an adapter would find its mark in any line.
pub(crate) fn any_line(input: &Input, wanted: fn(&Path) -> bool, mark: fn(&str) -> bool) -> bool {
    any_text(input, wanted, |text| text.lines().any(mark))
}

/// Only what is UTF-8 is looked at; what is wrong with the rest is for reading to say.
fn any_text(input: &Input, wanted: fn(&Path) -> bool, mark: impl Fn(&str) -> bool) -> bool {
    let found = |bytes: &[u8]| {
        let text = valid_part(without_mark(bytes));
        mark(&without_colours(text))
    };
    match input {
        Input::Text { bytes, .. } => found(bytes),
        Input::Tree { files, .. } => files
            .iter()
            .any(|file| wanted(&file.path) && found(&file.bytes)),
    }
}

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

fn valid_part(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    }
}

/// Iterates over the blocks of a text.
pub(crate) struct Blocks<'t> {
    rest: &'t str,
    line: usize,
}

impl<'t> Blocks<'t> {
    fn of(rest: &'t str) -> Self {
        Self { rest, line: 1 }
    }
}

/// Returns the length of a text's first line, with its end.
fn line_bytes(text: &str) -> usize {
    text.find('\n').map_or(text.len(), |at| at + 1)
}

/// Returns the length of an object over many lines, which begins with a line that is `{` and nothing else.
///
/// It ends with a line that is `}` and nothing else. Where that is missing the object was cut, and ends before the next
/// object, so that one cut result does not take the next one with it.
fn object_bytes(text: &str) -> usize {
    let mut end = line_bytes(text);
    while end < text.len() {
        let line = &text[end..end + line_bytes(&text[end..])];
        if line.starts_with('{') {
            return end;
        }
        end += line.len();
        if line.trim_end() == "}" {
            return end;
        }
    }
    end
}

impl<'t> Iterator for Blocks<'t> {
    type Item = Block<'t>;

    fn next(&mut self) -> Option<Block<'t>> {
        if self.rest.is_empty() {
            return None;
        }
        let mut bytes = line_bytes(self.rest);
        let mut lines = 1;
        if self.rest[..bytes].trim_end() == "{" {
            bytes = object_bytes(self.rest);
            lines = self.rest[..bytes].matches('\n').count().max(1);
        }
        let (text, rest) = self.rest.split_at(bytes);
        let block = Block {
            line: self.line,
            text: text.trim_end(),
        };
        self.rest = rest;
        self.line += lines;
        Some(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: &str) -> Vec<(usize, &str)> {
        Blocks::of(text).map(|b| (b.line, b.text)).collect()
    }

    #[test]
    fn lines_and_many_line_objects_are_blocks() {
        for (text, expected) in [
            ("", &[][..]),
            ("{\"a\":1}", &[(1, "{\"a\":1}")]),
            ("x\r\n{\"a\":1}\r\n", &[(1, "x"), (2, "{\"a\":1}")]),
            (
                "x\n{\n  \"a\": 1\n}\ny\n",
                &[(1, "x"), (2, "{\n  \"a\": 1\n}"), (5, "y")],
            ),
            // Cut objects end before the next one.
            ("{\n  \"a\": 1\n{}\n", &[(1, "{\n  \"a\": 1"), (3, "{}")]),
            ("{\n  \"a\"", &[(1, "{\n  \"a\"")]),
            ("{\n{\n", &[(1, "{"), (2, "{")]),
        ] {
            assert_eq!(blocks(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_byte_that_is_no_text_is_an_error_with_its_place() {
        let error =
            Document::new("out".to_owned(), b"\xEF\xBB\xBFab\nc\xFFd").expect_err("no text");
        assert_eq!(error.to_string(), "a byte that is not UTF-8 at out:2:2");
        let good = Document::new("out".to_owned(), b"\xEF\xBB\xBF{}").unwrap();
        assert_eq!(good.text(), "{}");
    }
}
