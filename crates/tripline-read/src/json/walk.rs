//! Where a value of a JSON text stands, and what the members and elements are called that it lies in. It is asked for what
//! could not be read, and goes through the text no further than that. Tested below.

use std::fmt::Write as _;

/// A way into a JSON text, which goes on from value to value in the order in which they stand.
#[derive(Debug)]
pub(crate) struct Walk<'t> {
    text: &'t str,
    /// The member whose value the text is, where it is one.
    member: Option<&'t str>,
    at: usize,
    steps: Vec<Step<'t>>,
}

/// From a value to one in it.
#[derive(Debug)]
enum Step<'t> {
    /// To a member, by its name as it is written; none before the name stood there.
    Member(&'t str),
    /// To an element, counted from 0.
    Element(usize),
}

impl<'t> Walk<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            member: None,
            at: 0,
            steps: Vec::new(),
        }
    }

    /// Goes into the value of a member.
    pub(super) fn of_member(name: &'t str, text: &'t str) -> Self {
        Self {
            member: Some(name),
            ..Self::new(text)
        }
    }

    /// Returns the path to the value that begins at a byte, such as `results[2].times`.
    pub(crate) fn path_to(&mut self, to: usize) -> String {
        if to < self.at {
            self.at = 0;
            self.steps.clear();
        }
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes[..to.min(bytes.len())].get(self.at) {
            match byte {
                b'{' => self.steps.push(Step::Member("")),
                b'[' => self.steps.push(Step::Element(0)),
                b'}' | b']' => drop(self.steps.pop()),
                b',' => {
                    if let Some(Step::Element(index)) = self.steps.last_mut() {
                        *index += 1;
                    }
                }
                b'"' => {
                    self.pass_text();
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
        self.path()
    }

    /// Goes behind a text, and takes note of it where it is the name of a member.
    fn pass_text(&mut self) {
        let start = self.at;
        self.at = text_end(self.text, start);
        let is_name = self.text[self.at..].trim_start().starts_with(':');
        if let Some(Step::Member(name)) = self.steps.last_mut().filter(|_| is_name) {
            *name = self.text[start..self.at].trim_matches('"');
        }
    }

    fn path(&self) -> String {
        let mut path = self.member.unwrap_or_default().to_owned();
        for step in &self.steps {
            match step {
                Step::Element(index) => drop(write!(path, "[{index}]")),
                Step::Member(name) => {
                    let dot = if path.is_empty() { "" } else { "." };
                    path.extend([dot, name]);
                }
            }
        }
        path
    }
}

/// Returns where the value begins to which a way leads: at each step, which member or element it is. Where there is none,
/// the way ends.
pub(super) fn value_at(text: &str, way: &[usize]) -> usize {
    let mut at = text.len() - text.trim_start().len();
    for index in way {
        match child(text, at, *index) {
            Some(child) => at = child,
            None => break,
        }
    }
    at
}

/// Returns the text of the value that begins at a byte, if it holds no others.
pub(super) fn plain_value(text: &str, at: usize) -> &str {
    let ends = [',', ']', '}', ' ', '\n', '\r', '\t'];
    let end = match text.as_bytes().get(at) {
        Some(b'"') => text_end(text, at),
        _ => text[at..].find(ends).map_or(text.len(), |end| at + end),
    };
    &text[at..end]
}

/// Returns where the member or element of that number begins in a value.
fn child(text: &str, start: usize, wanted: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_object = match bytes.get(start)? {
        b'{' => true,
        b'[' => false,
        _ => return None,
    };
    let (mut at, mut depth, mut count) = (start + 1, 0_usize, 0_usize);
    while depth > 0 || count < wanted {
        match bytes.get(at)? {
            b'"' => {
                at = text_end(text, at);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            b',' if depth == 0 => count += 1,
            _ => {}
        }
        at += 1;
    }
    at = behind_blanks(text, at);
    if is_object {
        at = behind_blanks(text, text_end(text, at));
        at = behind_blanks(text, at + 1);
    }
    let is_value = bytes.get(at).is_some_and(|byte| !b"]},:".contains(byte));
    is_value.then_some(at)
}

fn behind_blanks(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.len() - rest.trim_start().len()
}

/// Returns where a text ends that begins at a byte, behind its quote.
fn text_end(text: &str, start: usize) -> usize {
    let mut is_escaped = false;
    let inside = text.bytes().enumerate().skip(start + 1);
    for (at, byte) in inside {
        match byte {
            b'"' if !is_escaped => return at + 1,
            _ => is_escaped = byte == b'\\' && !is_escaped,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{"a\"{": [1, {"b": "x]\\"}, [[]]], "c d" : {"e":null}}"#;

    #[test]
    fn values_have_paths() {
        for (way, value, path) in [
            (&[][..], "{\"a", ""),
            (&[0], "[1", "a\\\"{"),
            (&[0, 0], "1,", "a\\\"{[0]"),
            (&[0, 1, 0], "\"x", "a\\\"{[1].b"),
            (&[0, 2, 0], "[]", "a\\\"{[2][0]"),
            (&[1, 0], "null", "c d.e"),
            // What is not there is left out.
            (&[1, 0, 7], "null", "c d.e"),
            (&[1, 1], "{\"e", "c d"),
            (&[2], "{\"a", ""),
        ] {
            let at = value_at(TEXT, way);
            assert!(TEXT[at..].starts_with(value), "{way:?}: {}", &TEXT[at..]);
            assert_eq!(Walk::new(TEXT).path_to(at), path);
        }
    }

    #[test]
    fn a_walk_goes_on_where_it_was() {
        let mut walk = Walk::new(TEXT);
        for way in [&[0, 0][..], &[1, 0], &[0, 1, 0]] {
            let at = value_at(TEXT, way);
            assert_eq!(walk.path_to(at), Walk::new(TEXT).path_to(at));
        }
    }

    #[test]
    fn a_broken_text_has_an_end() {
        for (index, _) in TEXT.char_indices() {
            let text = &TEXT[..index];
            for way in [&[0, 1, 0][..], &[1, 0], &[0, 2, 0]] {
                let at = value_at(text, way);
                assert!(at <= text.len());
                Walk::new(text).path_to(at);
                plain_value(text, at);
            }
        }
    }

    #[test]
    fn a_plain_value_ends_where_it_ends() {
        for (text, expected) in [
            ("1.5e3,", "1.5e3"),
            ("true]", "true"),
            ("\"a, \\\"b\" ,", "\"a, \\\"b\""),
            ("null", "null"),
        ] {
            assert_eq!(plain_value(text, 0), expected);
        }
    }
}
