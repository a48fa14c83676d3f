//! One file of an input as text: decoded, without terminal colours and the times of a log, and split into blocks.
//!
//! Harnesses write one JSON object a line, between lines that cargo and the benchmarks themselves write; or one object
//! over many lines. A block is a line, or such an object. Tested below.

use std::borrow::Cow;
use std::path::Path;

use crate::colours::overwritten;
use crate::constants::{self, Added};
use crate::encoding::{self, Decoded, Fault};
use crate::gathered::Gathered;
use crate::input::{InputFile, shown_path};
use crate::place::{Place, ReadError};
use crate::stamps::bare;

/// One file of an input.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    /// The file's name, safe to show.
    pub(crate) file: String,
    /// Its path below the root, if it is of a tree.
    in_tree: Option<&'a Path>,
    text: Cow<'a, str>,
    /// What stands in the text and not in the file: quotes, and replacements that are wider than what they stand for.
    added: Added,
    widened: Added,
}

/// A file of an input that was opened, and of which nobody was told yet what in it is no text.
#[derive(Debug)]
pub(crate) struct Opened<'a> {
    document: Document<'a>,
    faults: Vec<Fault>,
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

impl<'a> Opened<'a> {
    /// Opens a file of an input.
    pub(crate) fn of(file: InputFile<'a>) -> Result<Self, ReadError> {
        let name = file.shown_name();
        let bytes = match file.bytes() {
            Ok(bytes) => bytes,
            Err(error) => return Err(ReadError::unreadable(&name, &error)),
        };
        Self::called(name, file.path_in_tree(), bytes)
    }

    /// Takes the bytes for text.
    #[cfg(test)]
    pub(crate) fn new(file: String, bytes: impl Into<Cow<'a, [u8]>>) -> Result<Self, ReadError> {
        Self::called(file, None, bytes)
    }

    fn called(
        file: String,
        in_tree: Option<&'a Path>,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> Result<Self, ReadError> {
        match encoding::text(bytes.into()) {
            Ok(Decoded {
                text,
                faults,
                added,
            }) => Ok(Self {
                document: Document {
                    in_tree,
                    file,
                    text: bare(text),
                    added: Added::default(),
                    widened: added,
                },
                faults,
            }),
            Err(fault) => Err(ReadError {
                place: Place {
                    file,
                    line: fault.line,
                    column: fault.column,
                },
                problem: fault.problem.to_owned(),
                hint: Some("give the harness's output as it was written, as UTF-8 or UTF-16"),
            }),
        }
    }

    /// Returns the document, once it is said which of its lines are no text.
    pub(crate) fn told(self, gathered: &mut Gathered) -> Document<'a> {
        if !self.faults.is_empty() {
            gathered.doubt(&self.document, &self.faults);
        }
        self.document
    }
}

impl<'a> Document<'a> {
    /// Puts quotes around the numbers that JSON does not have. Places stay those of the file.
    pub(crate) fn quoted(mut self) -> Self {
        let (text, added) = constants::quoted(&self.text);
        if let Cow::Owned(text) = text {
            self.text = Cow::Owned(text);
            self.added = added;
        }
        self
    }

    /// Returns what a benchmark is called that has no name of its own: the file, without directory and extension; in a
    /// tree, with the directories below its root.
    pub(crate) fn stem(&self) -> String {
        match self.in_tree {
            Some(path) => shown_path(&path.with_extension("")),
            None => stem_of(Path::new(&self.file)),
        }
    }

    /// Returns its path below the root, if it is of a tree.
    pub(crate) fn path_in_tree(&self) -> Option<&Path> {
        self.in_tree
    }

    /// Returns whether the file was given by itself and is an object: where nothing is found in it, that is what is wrong.
    pub(crate) fn is_lone_object(&self) -> bool {
        self.in_tree.is_none() && self.text.trim_start().starts_with('{')
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
            column: self
                .widened
                .column_before(line, self.added.column_before(line, column)),
        }
    }

    /// Returns the lines, without what ends them; blanks before that stay.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Block<'_>> + Clone {
        let lines = self.text.lines().enumerate();
        lines.map(|(index, text)| Block {
            line: index + 1,
            text,
        })
    }

    /// Returns the lines as a terminal shows them, without blanks at their ends.
    pub(crate) fn shown_lines(&self) -> impl Iterator<Item = Block<'_>> {
        self.lines().map(|block| Block {
            text: overwritten(block.text).trim_end(),
            ..block
        })
    }

    /// Returns what a terminal does not show, since the same line was written over it.
    pub(crate) fn overwritten_parts(&self) -> impl Iterator<Item = Block<'_>> {
        self.lines().flat_map(|block| {
            let hidden = block.text.trim_end_matches('\r').rsplit_once('\r');
            let parts = hidden.into_iter().flat_map(|(parts, _)| parts.split('\r'));
            parts.map(move |text| Block { text, ..block })
        })
    }

    /// Returns the line within which the text ends, as one does that was cut there.
    pub(crate) fn cut_line(&self) -> Option<usize> {
        let is_cut = !self.text.is_empty() && !self.text.ends_with('\n');
        is_cut.then(|| self.text.lines().count())
    }

    /// Returns the lines and many-line objects, in order.
    pub(crate) fn blocks(&self) -> Blocks<'_> {
        blocks(&self.text)
    }
}

fn stem_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or(path.as_os_str());
    stem.to_string_lossy().into_owned()
}

/// Iterates over the blocks of a text.
pub(crate) struct Blocks<'t> {
    rest: &'t str,
    line: usize,
}

/// Returns whether a line is the fence around a text that was put into Markdown.
pub(crate) fn is_fence(line: &str) -> bool {
    line.trim_start().starts_with("```")
}

/// Returns the lines and many-line objects of a text, in order.
pub(crate) fn blocks(text: &str) -> Blocks<'_> {
    Blocks {
        rest: text,
        line: 1,
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
    use crate::input::Input;

    fn blocks(text: &str) -> Vec<(usize, &str)> {
        super::blocks(text).map(|b| (b.line, b.text)).collect()
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
    fn a_byte_that_is_no_text_is_told_with_its_place() {
        let opened = Opened::new("out".to_owned(), &b"\xEF\xBB\xBFa1\nc2\xFFd\nx\xFF"[..]).unwrap();
        let mut gathered = Gathered::default();
        let document = opened.told(&mut gathered);
        assert_eq!(document.text(), "a1\nc2\u{fffd}d\nx\u{fffd}");
        assert_eq!(document.place(2, 6).to_string(), "out:2:4");
        let error = gathered
            .finish(&Input::from_bytes("out", Vec::new()), "")
            .expect_err("nothing was measured");
        // A line without a digit is no result.
        assert_eq!(error.to_string(), "a byte that is not UTF-8 at out:2:3");
    }
}
