//! JSON values in a text that may hold anything else: a value begins at the start of a line, and ends where it ends.
//!
//! Every text is gone through once, whatever it holds. Tested below.

use serde::de::IgnoredAny;

use crate::document::Block;

/// How many tokens of a value are looked at to recognize it: as many as the first benchmark of a list may have.
const OPENING_TOKENS: usize = 48;

/// The longest text that is looked at to recognize a value: a benchmark's name, or what its author says beside it.
const OPENING_TEXT_BYTES: usize = 16 * 1024;

/// A part of a text.
#[derive(Debug)]
pub(crate) enum Piece<'t> {
    /// An object or array.
    Value(Block<'t>),
    /// What begins like one and is none: its text up to the end of the line in which it breaks off.
    Broken(Block<'t>, serde_json::Error),
    /// A line that is neither.
    Line(Block<'t>),
}

/// Iterates over the pieces of a text.
pub(crate) struct Pieces<'t> {
    rest: &'t str,
    line: usize,
}

/// Returns the pieces of a text, in order.
pub(crate) fn pieces(text: &str) -> Pieces<'_> {
    Pieces {
        rest: text,
        line: 1,
    }
}

impl<'t> Pieces<'t> {
    fn take(&mut self, bytes: usize) -> Block<'t> {
        let (text, rest) = self.rest.split_at(bytes);
        let block = Block {
            line: self.line,
            text: text.trim_end(),
        };
        self.line += text.matches('\n').count();
        self.rest = rest;
        block
    }
}

impl<'t> Iterator for Pieces<'t> {
    type Item = Piece<'t>;

    fn next(&mut self) -> Option<Piece<'t>> {
        if self.rest.is_empty() {
            return None;
        }
        // A line may hold many values, so its end is looked for only where it matters.
        let blanks = |c: char| c.is_whitespace() && c != '\n';
        let is_value = self.rest.trim_start_matches(blanks).starts_with(['{', '[']);
        if !is_value {
            return Some(Piece::Line(self.take(line_end(self.rest))));
        }
        let mut values = serde_json::Deserializer::from_str(self.rest).into_iter::<IgnoredAny>();
        match values.next() {
            Some(Err(error)) => {
                // A brace of something else may stand above a whole value, so the line of the error is looked at again.
                let line = line_end(self.rest);
                let bytes = match error.line() {
                    0 | 1 => line,
                    lines => start_of_line(self.rest, lines).max(line),
                };
                let bytes = if error.is_eof() {
                    self.rest.len()
                } else {
                    bytes
                };
                Some(Piece::Broken(self.take(bytes), error))
            }
            _ => {
                let bytes = values.byte_offset();
                Some(Piece::Value(self.take(bytes)))
            }
        }
    }
}

/// Returns where the first line ends, after its line break.
fn line_end(text: &str) -> usize {
    text.find('\n').map_or(text.len(), |at| at + 1)
}

/// Returns where a line begins, counted from 1.
fn start_of_line(text: &str, line: usize) -> usize {
    let mut ends = text.match_indices('\n');
    ends.nth(line.saturating_sub(2))
        .map_or(text.len(), |(at, _)| at + 1)
}

/// Returns what follows each line's beginning, where a value may begin.
pub(crate) fn heads(text: &str) -> impl Iterator<Item = &str> {
    let begins = |text: &str| text.trim_start_matches([' ', '\t']).starts_with(['{', '[']);
    let first = Some(text).into_iter();
    let ends = text.match_indices('\n').map(|(at, _)| &text[at + 1..]);
    first.chain(ends).filter(move |text| begins(text))
}

/// Returns how a value begins: its first signs, with `s` for a text and `v` for anything else, and its first texts.
///
/// It looks at a few tokens and not at all of the value, so that one that is damaged further on is recognized too.
pub(crate) fn opening(text: &str) -> (String, Vec<&str>) {
    let (mut signs, mut texts) = (String::new(), Vec::new());
    let mut rest = text.trim_start();
    while signs.len() < OPENING_TOKENS {
        let Some(sign) = rest.chars().next() else {
            break;
        };
        let after = &rest[sign.len_utf8()..];
        rest = match sign {
            '{' | '}' | '[' | ']' | ':' | ',' => {
                signs.push(sign);
                after
            }
            '"' => {
                let Some(end) = text_end(after) else {
                    break;
                };
                signs.push('s');
                texts.push(&after[..end]);
                &after[end + 1..]
            }
            _ => {
                signs.push('v');
                rest.trim_start_matches(|c| !"{}[]:,\"\n".contains(c))
            }
        };
        rest = rest.trim_start();
    }
    (signs, texts)
}

/// Returns where a text ends whose inside this is, which is before its line does: so a text of many lines that begin so is gone
/// through once.
fn text_end(inside: &str) -> Option<usize> {
    let mut is_escaped = false;
    let line = inside.bytes().take_while(|byte| *byte != b'\n');
    line.take(OPENING_TEXT_BYTES).position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many values that going through the rest of the line for each would take minutes.
    const MANY: usize = 2_000_000;

    fn shown(text: &str) -> Vec<String> {
        let shown = pieces(text).map(|piece| match piece {
            Piece::Value(block) => format!("value {}: {}", block.line, block.text),
            Piece::Broken(block, _) => format!("broken {}: {}", block.line, block.text),
            Piece::Line(block) => format!("line {}: {}", block.line, block.text),
        });
        shown.collect()
    }

    #[test]
    fn values_are_found_between_other_lines() {
        for (text, expected) in [
            ("", &[][..]),
            (
                "a\r\n{\"b\":\n 1}\r\nc",
                &[
                    "line 1: a",
                    "value 2: {\"b\":\n 1}",
                    "line 3: ",
                    "line 4: c",
                ],
            ),
            (
                "[INFO] x\n[1]\n",
                &["broken 1: [INFO] x", "value 2: [1]", "line 2: "],
            ),
            (
                "{\n{\"a\":1}\n",
                &["broken 1: {", "value 2: {\"a\":1}", "line 2: "],
            ),
            ("{}{}", &["value 1: {}", "value 1: {}"]),
            ("[1,\n2", &["broken 1: [1,\n2"]),
            (
                "[1,\n2}\n{}",
                &["broken 1: [1,", "line 2: 2}", "value 3: {}"],
            ),
        ] {
            assert_eq!(shown(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_line_of_many_values_is_gone_through_once() {
        assert_eq!(pieces(&"{}".repeat(MANY)).count(), MANY);
    }

    #[test]
    fn a_value_is_recognized_by_its_opening() {
        for (text, signs, texts) in [
            (
                "{\"a\": {\"b\\\"\": 1.5}}",
                "{s:{s:v}}",
                &["a", "b\\\""][..],
            ),
            ("[\n {\"a\": null,", "[{s:v,", &["a"]),
            ("{\"a", "{", &[]),
            ("{\"a\nb\": 1}", "{", &[]),
            ("", "", &[]),
        ] {
            let (found, found_texts) = opening(text);
            assert_eq!((&*found, &*found_texts), (signs, texts), "{text}");
        }
        let long = format!("[{{\"extra\": \"{}\", \"name\"", "x".repeat(8_000));
        assert_eq!(opening(&long).0, "[{s:s,s");
        let found: Vec<&str> = heads("x\n{1\n  [2\n").collect();
        assert_eq!(found, ["{1\n  [2\n", "  [2\n"]);
    }
}
